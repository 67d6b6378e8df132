"""Chapter 18: optional rules of activation and movement, each with and without."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.crusade.orders import Activate, Move, Redeploy
from pbem.games.crusade.rules.options_operations import activation_cost, joins_the_attack
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.redeployment import Redeployment
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, table

# --- what a space costs ---------------------------------------------------------------------------


@pytest.mark.rule("18.1.7")
@on_and_off("18.1.7")
def test_italians_and_spaniards_attack_at_double_price(facts: dict[str, Any], agreed: bool) -> None:
    position = table(7, units={"caceres": "N-CTV INF-1", "zafra": "R-MIL-1"}, **facts)
    assert refusals(Activation(N, 1), position, Activate(move=("caceres",))) == []
    found = refusals(Activation(N, 1), position, Activate(attack=("caceres",)))
    assert found == ["18.1.7"] * agreed
    two = Activate(move=("zaragoza",), attack=("caceres",))
    assert refusals(Activation(N, 1), position, two) == ["8.2.1"], "too many spaces anyway"
    assert refusals(Activation(N, 2), position, Activate(attack=("caceres",))) == []


@pytest.mark.rule("18.1.7")
@pytest.mark.parametrize("stack", ["N-CTV", "N-CTV ITA-1 CV-33-1", "INF-1 ITA-1"])
def test_italians_among_themselves_do_not_quarrel(stack: str) -> None:
    position = table(7, units={"caceres": stack}, **on("18.1.7"))
    assert refusals(Activation(N, 1), position, Activate(attack=("caceres",))) == []


@pytest.mark.rule("18.1.7")
def test_markers_of_an_event_are_not_dearer() -> None:
    position = table(7, units={"caceres": "N-CTV INF-1"}, **on("18.1.7"))
    condor = Activation(N, 1, attack_only=True)
    assert refusals(condor, position, Activate(attack=("caceres",))) == []


@pytest.mark.rule("18.1.9/a")
@pytest.mark.parametrize("mode", ["move", "attack"])
def test_a_harassed_space_costs_a_point_more_once(mode: str) -> None:
    marks = frozenset({"guerrilla_in_caceres"})
    position = table(12, units={"caceres": "INF-1 INF-2"}, turn_marks=marks, **on("18.1.9"))
    order = Activate(**{mode: ("caceres",)})
    (found,) = Activation(N, 1).check(position, order)
    said = "you activate 1 space, which takes 2 points, and have 1 operations point"
    assert (found.rule, str(found.message)) == ("18.1.9/a", said)
    state = kernel.begin(State(position, (Activation(N, 2),))).state
    met = kernel.submit(state, order).state.position
    assert refusals(Activation(N, 1), met, order) == []


@pytest.mark.rule("18.1.9/a")
def test_guerrillas_harass_the_nationalists_alone() -> None:
    marks = frozenset({"guerrilla_in_zafra"})
    position = table(12, units={"zafra": "R-MIL-1"}, turn_marks=marks, **on("18.1.9"))
    assert activation_cost(position, N, "zafra", attack=False) == 2
    assert activation_cost(position, R, "zafra", attack=False) == 1


# --- the Army of Africa and the north -------------------------------------------------------------


@pytest.mark.rule("18.1.5")
@on_and_off("18.1.5")
def test_one_african_unit_may_go_north(facts: dict[str, Any], agreed: bool) -> None:
    """León and Ponferrada touch the Northern Front, Astorga does not."""
    position = table(2, units={"leon": "AFR-1", "astorga": "AFR-2"}, **facts)
    stage = Movement(N, ("astorga",), (), frozenset())
    walk = Move(("AFR-2",), ("astorga", "ponferrada"))
    assert refusals(stage, position, walk) == ["18.1.5"] * agreed
    assert refusals(stage, position.with_unit("AFR-1", "sevilla"), walk) == []
    together = table(2, units={"astorga": "AFR-1 AFR-2", "ponferrada": ""}, **facts)
    both = Move(("AFR-1", "AFR-2"), ("astorga", "ponferrada"))
    assert refusals(stage, together, both) == ["18.1.5"] * agreed


@pytest.mark.rule("18.1.5")
@pytest.mark.parametrize("unit, path", [
    ("INF-1", "astorga ponferrada"), ("AFR-2", "ponferrada astorga"),
    ("AFR-1", "leon astorga ponferrada"),
])  # fmt: skip
def test_others_and_other_ways_are_free(unit: str, path: str) -> None:
    start, *_ = path.split()
    units = {"leon": "AFR-1", start: unit}
    position = table(2, units=units, **on("18.1.5"))
    stage = Movement(N, (start,), (), frozenset())
    assert refusals(stage, position, Move((unit,), tuple(path.split()))) == []


@pytest.mark.rule("18.1.5")
def test_two_africans_who_are_there_keep_nobody_else_away() -> None:
    position = table(2, units={"leon": "AFR-1 AFR-2", "astorga": "INF-1"}, **on("18.1.5"))
    stage = Movement(N, ("astorga",), (), frozenset())
    assert refusals(stage, position, Move(("INF-1",), ("astorga", "ponferrada"))) == []


@pytest.mark.rule("18.1.5")
@on_and_off("18.1.5")
def test_redeployment_counts_as_well(facts: dict[str, Any], agreed: bool) -> None:
    position = table(3, units={"leon": "AFR-1", "valladolid": "AFR-3"}, **facts)
    order = Redeploy("AFR-3", "ponferrada")
    found = refusals(Redeployment(N, 6), position, order)
    assert found == ["18.1.5"] * agreed


@pytest.mark.rule("18.1.5")
@pytest.mark.parametrize("done", ["madrid_attacked", "madrid_approached"])
def test_after_an_effort_against_madrid_they_are_free(done: str) -> None:
    position = table(3, units={"leon": "AFR-1", "valladolid": "AFR-3"}, flags=frozenset({done}),
                     **on("18.1.5"))  # fmt: skip
    assert refusals(Redeployment(N, 6), position, Redeploy("AFR-3", "ponferrada")) == []


# --- armor ----------------------------------------------------------------------------------------


@pytest.mark.rule("18.3.4")
@on_and_off("18.3.4")
def test_armor_may_move_into_an_attack(facts: dict[str, Any], agreed: bool) -> None:
    position = table(6, units={"caceres": "PZ-I-1 INF-2", "trujillo": "INF-1"},
                     nationalist=["trujillo"], **facts)  # fmt: skip
    stage = Movement(N, ("caceres",), ("trujillo",), frozenset())
    tanks = Move(("PZ-I-1",), ("caceres", "trujillo"))
    assert refusals(stage, position, tanks) == ["10.1.11"] * (not agreed)
    assert refusals(stage, position.but(turn=5), tanks) == ["10.1.11"]
    escorted = Move(("PZ-I-1", "INF-2"), ("caceres", "trujillo"))
    assert refusals(stage, position, escorted) == ["10.1.11"]


@pytest.mark.rule("18.3.4")
def test_an_armored_corps_does_not() -> None:
    position = table(8, units={"caceres": "N-NARC PZ-I-1"}, **on("18.3.4"))
    assert joins_the_attack(position, ("PZ-I-1",))
    assert not joins_the_attack(position, ("N-NARC",))
    assert not joins_the_attack(position, ("N-NARC", "PZ-I-1"))


@pytest.mark.rule("18.3.4")
def test_armor_that_has_moved_into_an_attack_may_fight() -> None:
    from pbem.games.crusade.stages.combat.attack import Combats
    from tests.games.crusade.fights import attack

    position = table(6, units={"caceres": "", "badajoz": "R-MIL-1", "merida": "PZ-I-1 INF-1"},
                     nationalist=["merida"], republican=["badajoz"], **on("18.3.4"))  # fmt: skip
    order = attack("badajoz", merida="PZ-I-1 INF-1")
    assert refusals(Combats(N, ("merida",)), position, order) == []

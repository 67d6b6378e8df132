"""Chapter 18: captured sources and the corridor to Oviedo, each with and without."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import State, Unfolding
from pbem.games.crusade.orders import Activate, Move, Redeploy, Replace
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.options_supply import corridor_is_open
from pbem.games.crusade.rules.reinforcement import spaces_for
from pbem.games.crusade.rules.retreat import ways_out
from pbem.games.crusade.rules.supply import friendly_sources, in_isolated_group, is_supplied
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.end_of_turn import EndOfTurn
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.games.crusade.stages.replacements import Spending
from tests.bots import sample
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, table

# --- captured sources -----------------------------------------------------------------------------


@pytest.mark.rule("18.3.6")
@on_and_off("18.3.6")
def test_a_captured_source_serves_its_captor(facts: dict[str, Any], agreed: bool) -> None:
    position = table(8, bare=True, units={"valencia": "INF-1"}, nationalist=["valencia"], **facts)
    assert ("valencia" in friendly_sources(position, N)) is agreed
    assert is_supplied(position, N, "valencia") is agreed
    assert ("valencia" in spaces_for(position, "INF-2", "source_or_madrid")) is agreed


@pytest.mark.rule("18.3.6")
@on_and_off("18.3.6")
def test_it_serves_the_republic_too(facts: dict[str, Any], agreed: bool) -> None:
    position = table(8, units={"zaragoza": "R-MIL-1"}, republican=["zaragoza"], **facts)
    assert ("zaragoza" in friendly_sources(position, R)) is agreed


@pytest.mark.rule("18.3.6")
def test_badajoz_serves_no_captor() -> None:
    assert "badajoz" not in friendly_sources(table(nationalist=["badajoz"], **on("18.3.6")), N)


@pytest.mark.rule("18.3.6", "13.2.4")
@on_and_off("18.3.6")
def test_in_the_first_edition_badajoz_is_a_source_like_others(
    facts: dict[str, Any], agreed: bool
) -> None:
    options = frozenset({*facts.get("options", ()), "1e"})
    taken = table(8, bare=True, nationalist=["badajoz"], options=options)
    assert ("badajoz" in friendly_sources(taken, N)) is agreed
    assert ("badajoz" in spaces_for(taken, "INF-2", "source_or_madrid")) is agreed
    back = table(8, bare=True, options=options)
    assert "badajoz" in friendly_sources(back, R) and "badajoz" not in friendly_sources(back, N)


# --- the corridor ---------------------------------------------------------------------------------

OPEN = {"pto_de_leitariegos": "INF-1 N-I", "oviedo": "INF-2"}


NEAR = ("pto_de_leitariegos", "ponferrada")


def corridor(turn: int = 3, **facts: Any) -> Position:
    """Oviedo is cut off, and the Nationalists have taken the Puerto de Leitariegos."""
    return table(turn, units=OPEN, nationalist=["pto_de_leitariegos"], **facts)


@pytest.mark.rule("18.2.3")
@on_and_off("18.2.3")
def test_divisions_walk_to_oviedo_and_back(facts: dict[str, Any], agreed: bool) -> None:
    there = Movement(N, ("pto_de_leitariegos",), (), frozenset())
    order = Move(("INF-1",), ("pto_de_leitariegos", "oviedo"))
    assert refusals(there, corridor(**facts), order) == ["10.1.4"] * (not agreed)
    back = Movement(N, ("oviedo",), (), frozenset())
    order = Move(("INF-2",), ("oviedo", "pto_de_leitariegos"))
    assert refusals(back, corridor(**facts), order) == ["10.1.4"] * (not agreed)


@pytest.mark.rule("18.2.3")
def test_once_oviedo_is_isolated_no_more_there_is_no_corridor() -> None:
    assert corridor_is_open(corridor(**on("18.2.3")))
    assert not corridor_is_open(corridor(isolated=frozenset({"granada"}), **on("18.2.3")))


@pytest.mark.rule("18.2.3")
def test_no_corps_and_no_republican_uses_it() -> None:
    stage = Movement(N, ("pto_de_leitariegos",), (), frozenset())
    corps = Move(("N-I",), ("pto_de_leitariegos", "oviedo"))
    assert refusals(stage, corridor(**on("18.2.3")), corps) == ["18.2.3"]
    elsewhere = Move(("N-I",), ("pto_de_leitariegos", "ponferrada"))
    assert refusals(stage, corridor(**on("18.2.3")), elsewhere) == []
    lost = table(3, units={"pto_de_leitariegos": "MIL-AST-1", "oviedo": ""}, **on("18.2.3"))
    enemy = Movement(R, ("pto_de_leitariegos",), (), frozenset())
    assert refusals(enemy, lost, Move(("MIL-AST-1",), ("pto_de_leitariegos", "oviedo"))) == [
        "10.1.4"
    ]


@pytest.mark.rule("18.2.3", "10.1.9")
@on_and_off("18.2.3")
def test_the_step_that_conquers_the_pass_opens_it_at_once(
    facts: dict[str, Any], agreed: bool
) -> None:
    units = {"pto_de_leitariegos": "", "ponferrada": "INF-4 N-I", "oviedo": "INF-16"}
    position = table(3, units=units, **facts)
    stage = Movement(N, ("ponferrada", "oviedo"), (), frozenset(position.spaces_of(R)))
    through = ("ponferrada", "pto_de_leitariegos", "oviedo")
    assert refusals(stage, position, Move(("INF-4",), through)) == ["10.1.4"] * (not agreed)
    assert "18.2.3" in refusals(stage, position, Move(("N-I",), through)) or not agreed
    # From the other end it stays shut: the pass is still to be conquered.
    out = Move(("INF-16",), ("oviedo", "pto_de_leitariegos"))
    assert refusals(stage, position, out) == ["10.1.4"]


@pytest.mark.rule("18.2.3", "10.1.9")
@on_and_off("18.2.3")
def test_the_question_offers_the_corridor_to_divisions(facts: dict[str, Any], agreed: bool) -> None:
    def offered(marked: str, **units: str) -> list[str]:
        """What the form says for a space of each order: the spaces it reaches."""
        position = table(3, units={**OPEN, **units}, nationalist=NEAR, **facts)
        stage = Movement(N, (marked,), (), frozenset(position.spaces_of(R)))
        examples = stage.ask(position).options[0].examples
        return [str(each.note) for each in examples(every)] if examples else []

    def reach_oviedo(notes: list[str]) -> list[bool]:
        return ["oviedo" in note for note in notes]

    both = offered("pto_de_leitariegos", pto_de_leitariegos="INF-1 N-I")
    assert len(both) == 1 + agreed and sorted(reach_oviedo(both)) == [False, True][: 1 + agreed]
    conquered = offered("ponferrada", pto_de_leitariegos="", ponferrada="INF-1")
    assert reach_oviedo(conquered) == [agreed]
    stage = Movement(N, ("pto_de_leitariegos",), (), frozenset())
    option = stage.ask(corridor(**facts)).options[0]
    drawn = [sample(option, random.Random(seed)) for seed in range(40)]
    first_steps = {order.path[1] for order in drawn if isinstance(order, Move)}
    assert ("oviedo" in first_steps) is agreed


@pytest.mark.rule("18.2.3")
@on_and_off("18.2.3")
def test_divisions_redeploy_through_it(facts: dict[str, Any], agreed: bool) -> None:
    position = corridor(**facts)
    found = refusals(Redeployment(N, 6), position, Redeploy("INF-1", "oviedo"))
    assert found == ["12.1.6"] * (not agreed)
    rest = refusals(Redeployment(N, 6), position, Redeploy("INF-2", by="to_reserve"))
    assert rest == ["16.2.4.3"] * (not agreed)
    found = refusals(Redeployment(N, 6), position, Redeploy("N-I", "oviedo"))
    assert found == ["18.2.3" if agreed else "12.1.6"]


@pytest.mark.rule("18.2.3")
@on_and_off("18.2.3")
def test_replacements_reach_oviedo_freely(facts: dict[str, Any], agreed: bool) -> None:
    position = table(3, units={**OPEN, "oviedo": "(INF-2)"}, rp={"NAT": 1},
                     nationalist=["pto_de_leitariegos"], **facts)  # fmt: skip
    assert (in_isolated_group(position, "oviedo") == "") is agreed
    assert refusals(Spending(N), position, Replace("INF-2")) == ["16.2.4.2/a"] * (not agreed)
    nothing = position.but(rp={})
    assert refusals(Spending(N), nothing, Replace("INF-2")) == ["14.1.3"]


@pytest.mark.rule("18.2.3")
def test_oviedo_still_does_not_attack() -> None:
    order = Activate(attack=("oviedo",))
    assert refusals(Activation(N, 2), corridor(**on("18.2.3")), order) == ["16.2.3"]


@pytest.mark.rule("18.2.3", "11.4.5")
def test_no_retreat_leads_through_it() -> None:
    """The rule opens it to moves and SR: who is beaten in Oviedo has enemy ground or nothing."""
    combat = Combat(R, "oviedo", {}, by_attacker=1, by_defender=0)
    paths = ways_out(corridor(**on("18.2.3")), combat).paths
    assert not any("pto_de_leitariegos" in path for path in paths)


@pytest.mark.rule("18.2.3")
@on_and_off("18.2.3")
def test_its_isolation_outlasts_turn_5(facts: dict[str, Any], agreed: bool) -> None:
    step = kernel.begin(State(corridor(5, **facts), (EndOfTurn(),)))
    assert ("oviedo" in step.state.position.isolated) is agreed
    assert "granada" not in step.state.position.isolated
    late = step.state.position.but(turn=6)
    assert is_supplied(late, N, "oviedo") is agreed


@pytest.mark.rule("18.2.3")
def test_after_turn_5_it_hangs_on_the_corridor() -> None:
    late = corridor(6, isolated=frozenset({"oviedo"}), **on("18.2.3"))
    late = late.with_unit("INF-1", "reserve").with_unit("N-I", "reserve")
    story: Unfolding[Position] = Unfolding(late)
    take_space(story, "pto_de_leitariegos", R)
    assert story.position.isolated == frozenset()


@pytest.mark.rule("18.2.3")
@pytest.mark.parametrize("turn, vp", [(5, -1), (6, 0)])
def test_its_capture_is_worth_a_point_to_turn_5_only(turn: int, vp: int) -> None:
    position = corridor(turn, isolated=frozenset({"oviedo"}), **on("18.2.3"))
    story: Unfolding[Position] = Unfolding(position.with_unit("INF-2", "reserve"))
    take_space(story, "oviedo", R)
    assert story.position.vp - position.vp == vp

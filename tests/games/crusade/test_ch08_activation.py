"""8.2: which spaces are activated, and for what; with 13.3.1, 13.4.2, 16.2.3 and 17.1."""

from __future__ import annotations

import pytest

from pbem.engine.choices import SomeOf
from pbem.engine.kernel import begin, submit, waits_for
from pbem.engine.model import State
from pbem.games.crusade.orders import Activate, Done
from pbem.games.crusade.remarks import remarks
from pbem.games.crusade.rules.activation import (
    attackable_spaces,
    in_northern_zone,
    movable_spaces,
    occupied_spaces,
    one_northern_attack,
)
from pbem.games.crusade.rules.event_limits import FRENCH_THREAT, INTERFERENCE
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.operations import Movement
from pbem.value import replace
from tests.games.crusade.board import STARTS, N, R, refusals, table
from tests.games.crusade.fights import field

CAMPAIGN = STARTS["campaign"]
ZAMORA_CUT_OFF = table(units={"zamora": "INF-3"}, republican=CAMPAIGN.neighbours("zamora"))
"""Only the Portuguese border feeds Zamora, and the enemy is all round it."""
SACEDON_CUT_OFF = table(8, units={"sacedon": "R-V"}, nationalist=CAMPAIGN.neighbours("sacedon"))


def refused(order, side=N, position=CAMPAIGN, points=4, **stage):
    return refusals(Activation(side, points, **stage), position, order)


@pytest.mark.rule("8.2.1")
@pytest.mark.parametrize("points, ok", [(3, True), (2, False)])
def test_a_space_costs_one_operations_point_for_either_use(points, ok):
    order = Activate(move=("lugo", "sevilla"), attack=("segovia",))
    assert refused(order, points=points) == ([] if ok else ["8.2.1"])


@pytest.mark.rule("8.2.1")
def test_nothing_need_be_activated():
    assert refused(Activate()) == []


@pytest.mark.rule("8.2.1")
@pytest.mark.parametrize("points, words", [(1, "1 space"), (2, "2 spaces")])
def test_the_question_offers_none_to_as_many_spaces_as_there_are_points(points, words):
    asked = Activation(N, points).ask(CAMPAIGN)
    assert str(asked.prompt) == f"activate up to {words}"
    (option,) = asked.options
    assert option.fields == {
        "move": SomeOf(movable_spaces(CAMPAIGN, N), 0, points),
        "attack": SomeOf(attackable_spaces(CAMPAIGN, N), 0, points),
    }


@pytest.mark.rule("2.1.1", "2.2.2.11")
def test_a_space_that_does_not_exist_is_not_activated():
    assert refused(Activate(move=("nowhere",))) == ["2.1.1"]
    assert refused(Activate(attack=("beach_head_mallorca",))) == ["2.2.2.11"]


@pytest.mark.rule("8.2.2")
@pytest.mark.parametrize("space", ["burgos", "madrid"])
def test_a_space_without_own_units_is_not_activated(space):
    assert refused(Activate(move=(space,))) == ["8.2.2"]
    assert refused(Activate(attack=(space,))) == ["8.2.2"]


@pytest.mark.rule("8.2.2")
@pytest.mark.parametrize("space, units, hint", [
    ("utrera", "", "you have units next to it, in "),
    ("riotinto", "R-MIL-1", "to attack it, activate "),
    ("barcelona", "R-MIL-1", ""),
])  # fmt: skip
def test_the_hint_names_own_units_next_to_the_space(space, units, hint):
    position = table(units={space: units, "sevilla": "INF-15"})
    (found,) = Activation(N, 4).check(position, Activate(attack=(space,)))
    assert str(found.hint).startswith(hint) and bool(str(found.hint)) == bool(hint)


@pytest.mark.rule("8.2.3")
def test_a_space_is_activated_once():
    assert refused(Activate(move=("sevilla",), attack=("sevilla",))) == ["8.2.3"]
    assert refused(Activate(move=("sevilla", "lugo", "sevilla"))) == ["8.2.3"]


@pytest.mark.rule("8.2.2", "3.0.activated")
def test_what_may_be_activated_is_where_own_units_stand():
    assert movable_spaces(CAMPAIGN, N) == occupied_spaces(CAMPAIGN, N)
    assert {"lugo", "oviedo", "mallorca"} <= set(movable_spaces(CAMPAIGN, N))
    assert "burgos" not in movable_spaces(CAMPAIGN, N)


@pytest.mark.rule("8.2.2")
def test_what_may_attack_has_an_enemy_next_to_it():
    able = attackable_spaces(CAMPAIGN, N)
    assert "segovia" in able and "guadarrama" not in able
    assert "valladolid" not in able


@pytest.mark.rule("8.2.2", "16.1.4")
def test_who_besieges_may_attack_without_an_enemy_next_door():
    around = dict.fromkeys(CAMPAIGN.neighbours("toledo"), "")
    position = table(3, units={**around, "toledo": "R-MIL-1"})
    assert position.sieges and "toledo" in attackable_spaces(position, R)
    assert "toledo" not in attackable_spaces(position.but(sieges={}), R)


@pytest.mark.rule("13.3.1", "13.1.1.1", "13.1.1.1/a", "3.0.oos")
def test_a_space_out_of_supply_is_not_activated():
    assert refused(Activate(move=("sacedon",)), R, SACEDON_CUT_OFF) == ["13.3.1"]
    assert refused(Activate(attack=("sacedon",)), R, SACEDON_CUT_OFF) == ["13.3.1"]
    assert "sacedon" not in movable_spaces(SACEDON_CUT_OFF, R)
    assert "sacedon" not in attackable_spaces(SACEDON_CUT_OFF, R)


@pytest.mark.rule("13.4.2")
def test_over_a_border_units_are_fed_to_move_and_not_to_fight():
    assert refused(Activate(move=("zamora",)), N, ZAMORA_CUT_OFF) == []
    assert refused(Activate(attack=("zamora",)), N, ZAMORA_CUT_OFF) == ["13.4.2"]
    assert "zamora" in movable_spaces(ZAMORA_CUT_OFF, N)
    assert "zamora" not in attackable_spaces(ZAMORA_CUT_OFF, N)


@pytest.mark.rule("16.2.3")
def test_an_isolated_space_moves_and_does_not_fight():
    assert refused(Activate(move=("oviedo", "granada"))) == []
    assert refused(Activate(attack=("oviedo",))) == ["16.2.3"]
    assert "oviedo" in movable_spaces(CAMPAIGN, N)
    assert "oviedo" not in attackable_spaces(CAMPAIGN, N)


@pytest.mark.rule("17.1.1", "17.1.2", "3.0.northern_zone")
def test_while_ammunition_is_short_one_northern_space_attacks():
    two = Activate(attack=("segovia", "zaragoza"))
    assert refused(two) == ["17.1.2"]
    assert refused(two, position=table(flags=frozenset())) == []
    assert refused(Activate(attack=("segovia", "sevilla", "cordoba"))) == []
    republican = Activate(attack=("guadarrama", "somosierra"))
    assert refused(republican, R) == []
    assert list(one_northern_attack(Activation(R, 4), CAMPAIGN, two)) == []


@pytest.mark.rule("17.1.1", "3.0.northern_zone")
def test_the_northern_zone_is_what_is_joined_to_its_cities():
    assert in_northern_zone(CAMPAIGN, "segovia")
    assert not in_northern_zone(CAMPAIGN, "sevilla")
    assert not in_northern_zone(CAMPAIGN, "oviedo")


@pytest.mark.rule("8.5.1.1")
def test_an_event_gives_the_spaces_it_names_and_some_others():
    named = {"named": ("sevilla",), "free": 1}
    assert refused(Activate(attack=("sevilla", "cordoba")), **named) == []
    assert refused(Activate(attack=("ecija", "cordoba")), **named) == ["8.5.1.1"]
    assert refused(Activate(move=("lugo",)), attack_only=True) == ["8.5.1.1"]


@pytest.mark.rule("8.5.1.1", "16.2.3")
@pytest.mark.parametrize("attack", [("granada", "cordoba"), ("cordoba", "granada"),
                                    ("ecija", "cordoba"), ("granada", "ecija")])  # fmt: skip
def test_the_example_for_an_event_is_itself_legal(attack):
    stage = Activation(N, 4, named=("sevilla",), free=1)
    hints = [str(each.hint) for each in stage.check(CAMPAIGN, Activate(attack=attack))
             if each.rule == "8.5.1.1"]  # fmt: skip
    assert len(hints) == 1 and (hints[0] or "granada" in attack)
    for hint in filter(None, hints):
        spaces = hint.partition("[")[2].rstrip("]}").split(", ")
        assert refused(Activate(attack=tuple(spaces)), named=("sevilla",), free=1) == []


@pytest.mark.rule("card N28")
def test_after_communist_interference_the_republic_attacks_from_one_space():
    position = table(8, turn_marks=frozenset({INTERFERENCE}))
    two = Activate(attack=("guadarrama", "somosierra"))
    assert refused(two, R, position) == ["card N28"]
    assert refused(Activate(move=("somosierra",), attack=("guadarrama",)), R, position) == []
    plenty = position.but(flags=frozenset())
    assert refused(Activate(attack=("segovia", "cordoba")), N, plenty) == []


@pytest.mark.rule("card R51", "CC.R51")
def test_the_french_threat_keeps_attacks_away_from_the_border():
    position = table(14, turn_marks=frozenset({FRENCH_THREAT}), flags=frozenset())
    assert refused(Activate(attack=("jaca",)), N, position) == ["CC.R51"]
    assert refused(Activate(attack=("sevilla",)), N, position) == []
    assert refused(Activate(attack=("boltana",)), R, position) == []
    assert "jaca" not in attackable_spaces(position, N)


@pytest.mark.rule("8.2.4", "8.2.5")
def test_movement_comes_before_combat():
    begun = begin(State(CAMPAIGN, (Activation(N, 2),)))
    assert waits_for(begun.state).rule == "8.2.1"
    agenda = submit(begun.state, Activate(move=("lugo",), attack=("segovia",))).state.agenda
    assert [type(stage) for stage in agenda] == [Combats, Movement]


@pytest.mark.rule("10.1.1", "11.1")
def test_a_space_activated_for_nothing_is_told():
    """A point is spent on it, and `done` gives up what it was for."""

    def told(position, stage):
        return list(map(str, remarks(State(position, (stage,)), Done())))

    there = field(3, sevilla="INF-1", cordoba="INF-2", riotinto="RPA-1")
    moving = Movement(N, ("sevilla", "cordoba", "badajoz"), (), frozenset())
    assert told(there, moving) == [
        "you activated Sevilla and Córdoba for movement, but no unit moves (10.1.1)"
    ]
    assert told(there, replace(moving, moved=frozenset({"INF-1"}))) == []
    assert told(there, replace(moving, diggers=(("sevilla", "INF-1"),))) == []
    assert told(field(3, riotinto="RPA-1"), moving) == []
    attacking = Combats(N, ("sevilla",))
    assert told(there, attacking) == [
        "you activated Sevilla for combat, but it does not attack Riotinto (11.1)"
    ]
    assert told(there, replace(attacking, fought=frozenset({"INF-1"}))) == []
    assert told(there, Combats(N, ("cordoba",))) == []

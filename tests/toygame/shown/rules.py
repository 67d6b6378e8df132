"""Every rule of Two Hills, each condition of it."""

from __future__ import annotations

import pytest
from pbem.games.toy import events as e
from pbem.games.toy.orders import March, Plan, Rest, Volley
from pbem.games.toy.position import AMBER, VIOLET
from pbem.games.toy.rules import bonus, targets_of
from pbem.games.toy.stages import Impulse, ImpulseEnds, Impulses, NextTurn

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.play.systems import opened
from tests.bots import ScriptedDice

TOY = opened("toy").system


def position(**changes):
    return TOY.setup("dusk", frozenset()).position.but(impulse=1, chits=("short",), **changes)


def held_against(order, side=AMBER, **changes):
    """The rules an order breaks, in an impulse of the side."""
    state = State(position(**changes), (Impulse(side),))
    return [each.rule for each in kernel.violations(state, order)]


@pytest.mark.rule("3.2")
@pytest.mark.parametrize(
    ("order", "rules"),
    [
        (March("3/7Leg", ("2106",)), []),
        (March("3/7Leg", ("2106", "2107")), []),
        (March("3/7Leg", ("2106", "2107", "2207")), ["3.2"]),
        (March("3/7Leg", ()), ["3.2"]),
        (March("3/7Leg", ("2107",)), ["3.2"]),
        (March("Guardia", ("2306",)), ["3.2"]),
        (March("I Tabor", ("2006",)), ["3.2"]),
    ],
)
def test_marches(order, rules):
    assert held_against(order) == rules


@pytest.mark.rule("1.3")
def test_nobody_walks_over_the_stream():
    assert held_against(March("3/7Leg", ("2205",))) == ["1.3"]
    assert held_against(March("3/7Leg", ("2106", "2206"))) == ["1.3", "1.2"]


@pytest.mark.rule("1.2")
def test_a_hex_holds_one_unit():
    assert held_against(March("1/7Leg", ("2005",))) == ["1.2"]
    assert held_against(March("1/7Leg", ("2005", "2006"))) == ["1.2"]


@pytest.mark.rule("3.3")
def test_units_fire_at_an_enemy_next_to_them_even_over_the_stream():
    near = {"3/7Leg": "2205", "Guardia": "2305", "11": "2306", "12": "2206"}
    table = position(places=near)
    assert targets_of(table, "3/7Leg") == ("2206", "2305", "2306")
    assert held_against(Volley({"3/7Leg": "2206"}), places=near) == []
    assert held_against(Volley({"3/7Leg": "2106"}), places=near) == ["3.3"]
    assert held_against(Volley({"12": "2205"}), places=near) == ["3.3"]
    assert held_against(Volley({"1/7Leg": "2206"}), places=near) == ["3.3"]
    assert held_against(Volley({}), places=near) == ["3.3"]
    assert held_against(Volley({"12": "2205", "11": "2205"}), VIOLET, places=near) == []


@pytest.mark.rule("3.4", "3.3")
@pytest.mark.parametrize(
    ("plans", "more"),
    [({}, 0), ({AMBER: "bold"}, 1), ({VIOLET: "bold"}, 1), ({AMBER: "bold", VIOLET: "bold"}, 2)],
)
def test_plans_make_a_volley_better(plans, more):
    near = {"3/7Leg": "2205", "12": "2206"}
    assert bonus(position(plans=plans), AMBER, VIOLET) == more
    for die, is_lost in ((6 - more, True), (5 - more, False)):
        state = State(position(places=near, plans=plans), (Impulse(AMBER),))
        state = kernel.submit(state, Volley({"3/7Leg": "2206"})).state
        assert ("12" in kernel.roll(state, ScriptedDice(die)).state.position.lost) is is_lost


@pytest.mark.rule("2.1")
def test_a_plan_is_bold_or_steady():
    state = TOY.setup("dusk", frozenset())
    assert [each.rule for each in kernel.violations(state, Plan("rash"))] == ["2.1"]
    state = kernel.submit(kernel.submit(state, Plan("bold")).state, Plan("steady")).state
    assert state.position.plans == {AMBER: "bold", VIOLET: "steady"}


@pytest.mark.rule("2.2", "3.1")
def test_the_chit_says_how_many_impulses_follow_in_turn():
    state = TOY.setup("dawn", frozenset())
    for _ in range(2):
        state = kernel.submit(state, Plan("steady")).state
    state = kernel.roll(state, ScriptedDice([0])).state
    sides = []
    while kernel.waits_for(state).stage == "impulse":
        sides.append(kernel.waits_for(state).side)
        state = kernel.submit(state, Rest()).state
    assert sides == [AMBER, VIOLET, AMBER, VIOLET, AMBER]
    assert (state.position.turn, state.position.plans) == (2, {})
    assert state.position.left_in_cup == ("middling", "long", "longer", "endless")


@pytest.mark.rule("3.1")
def test_a_rest_changes_nothing():
    before = position()
    told = kernel.submit(State(before, (Impulses(), ImpulseEnds(), Impulse(AMBER))), Rest())
    assert told.events[0] == e.ImpulseBegan(2, VIOLET)


@pytest.mark.rule("4.1")
@pytest.mark.parametrize(
    ("places", "winner"),
    [
        ({"1/7Leg": "2005", "11": "2404"}, AMBER),
        ({"1/7Leg": "2004", "11": "2204"}, VIOLET),
        ({"1/7Leg": "2005", "11": "2204"}, "draw"),
        ({"1/7Leg": "2205", "11": "2305"}, "draw"),
    ],
)
def test_most_areas_win_at_the_end(places, winner):
    last = position(places=places, turn=TOY.tables.turns)
    told = kernel.begin(State(last, (NextTurn(),)))
    assert told.state.position.result == (winner, "the last turn is over")


@pytest.mark.rule("4.2")
def test_who_has_no_unit_left_has_lost():
    near = {"3/7Leg": "2205", "12": "2206"}
    state = State(position(places=near, plans={AMBER: "bold"}), (Impulse(AMBER),))
    state = kernel.submit(state, Volley({"3/7Leg": "2206"})).state
    state = kernel.roll(state, ScriptedDice(5)).state
    assert state.agenda == () and state.position.result[0] == AMBER

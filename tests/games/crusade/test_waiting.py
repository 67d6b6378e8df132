"""Orders given ahead that wait for something, and outlive a round (engine/waiting.py)."""

from __future__ import annotations

import pytest

from pbem.board.names import Vocabulary
from pbem.games.crusade.orders import Activate, Play
from pbem.games.crusade.waiting import WAITING
from tests.cli.desk import Desk, fixed_chance
from tests.games.crusade.board import N, table

NAMES = Vocabulary({"space": {"toledo": "Toledo", "madrid": "Madrid"}})
PLAN = """orders:
  - activate: {move: [sevilla]}
    when: {control: {Toledo: nationalist}}
  - activate: {move: [caceres]}
    when: {control: {Cáceres: nationalist}}
  - arrive: {at: cadiz}
    when: {any: true}
  - play: {card: N12, for: operations}
    when: {control: {Sevilla: nationalist}, round: 2}
  - activate: {move: [sevilla]}
    when: {empty: [madrid]}
"""


def faults(when):
    bound = WAITING.bound(NAMES, when)
    return [(each.at, str(each.message)) for each in WAITING.faults(table(3, round=2), N, bound)]


def holds(when, **fields):
    return WAITING.holds(table(3, **fields), WAITING.bound(NAMES, when))


@pytest.mark.parametrize("when, at, says", [
    ({}, (), "this `when` has no condition"),
    ({"hand": ["N12"]}, ("hand",), "no condition is named 'hand'"),
    ({"control": {}}, ("control",), "an empty list has no effect"),
    ({"control": {"Atlantis": N}}, ("control", "Atlantis"), "no space is named 'Atlantis'"),
    ({"control": {"madrid": "red"}}, ("control", "madrid"), "control needs a space and a side"),
    ({"control": {"madrid": N, "Madrid": N}}, ("control", "madrid"), "'madrid' is named twice"),
    ({"control": ["madrid"]}, ("control",), "control lists spaces and the side that controls each"),
    ({"round": 1}, ("round",), "round is never 1"),
    ({"round": {"round": 2}}, ("round",), "expected a number, or a comparison such as >=2 or 2+"),
    ({"round": "9" * 5000}, ("round",), "expected a number, or a comparison such as >=2 or 2+"),
    ({"round": ">=\n2"}, ("round",), "expected a number, or a comparison such as >=2 or 2+"),
    ({"round": "\u0662"}, ("round",), "expected a number, or a comparison such as >=2 or 2+"),
    ({"after": {"any": True}}, ("after",), "after is not known yet then"),
    ({"any": False}, ("any",), "any: false never applies"),
    ({"empty": ["madrid", "madrid"]}, ("empty", 1), "'madrid' is named twice"),
    ({"empty": []}, ("empty",), "an empty list has no effect"),
])  # fmt: skip
def test_what_is_wrong_with_a_condition_is_said_with_its_place(when, at, says):
    assert faults(when) == [(at, says)]


def test_what_can_be_so_is_no_fault():
    assert faults({"control": {"Toledo": N, "madrid": "republican"}, "round": ">=2"}) == []
    assert faults({"any": True, "empty": "Madrid"}) == []


def test_in_a_file_ids_stand_in_order():
    position = table(3)
    ids = [["madrid", "republican"], ["toledo", N]]
    assert WAITING.misfits(position, {"control": ids}) == ()
    assert WAITING.bound(NAMES, {"control": dict(reversed(ids))}) == {"control": ids}
    (fault,) = WAITING.misfits(position, {"control": ids[::-1]})
    assert str(fault.message) == "'madrid' belongs before 'toledo'"
    for odd in ({"madrid": N}, [["madrid"]], [["madrid", N, N]], [[3, N]], "madrid", None, {}):
        assert WAITING.misfits(position, {"control": odd})


def test_all_of_it_must_be_so():
    units, control = {"madrid": "R-MIL-1"}, {"nationalist": ["toledo"]}
    assert holds({"control": {"toledo": N}}, **control)
    assert not holds({"control": {"toledo": N, "madrid": N}}, **control)
    assert not holds({"control": {"toledo": N}, "empty": ["madrid"]}, units=units, **control)
    assert holds({"empty": ["lleida"]}, units=units)
    assert not holds({"empty": ["lleida", "madrid"]}, units=units)
    assert holds({"round": ">=2"}, round=2) and not holds({"round": 3}, round=2)


def test_it_outlives_a_round_of_its_turn_if_it_waits():
    order, now, later, next_turn = Play("N12"), table(3), table(3, round=2), table(4)
    assert WAITING.outlives(now, later, order, waits=True)
    assert not WAITING.outlives(now, later, order, waits=False)
    assert not WAITING.outlives(now, next_turn, Activate(), waits=True)


@pytest.fixture
def desk(tmp_path):
    """A practice game in which a space is to be activated."""
    found = Desk(tmp_path)
    with fixed_chance():
        found.done("solo", "crusade", "campaign", "--seed", "b", "-o", "g0.json")
    found.write("orders.yaml", "orders: [{play: {card: N1, for: event}}]")
    found.done("apply", "g0.json", "orders.yaml", "-o", "g1.json")
    return found


def applied(desk, game, orders, behind):
    """What is told of the orders, in one line."""
    desk.write("orders.yaml", orders)
    return " ".join(desk.done("apply", game, "orders.yaml", "-o", behind).split())


def test_a_plan_for_the_next_round(desk):
    desk.write("orders.yaml", PLAN)
    told = desk.done("check", "g1.json", "orders.yaml")
    assert told.startswith("1 order is legal, 1 would lapse; next, ")
    why = "the condition in `when` is not true now, so this order would lapse"
    assert f"orders.yaml:2:5: {why}" in told
    told = applied(desk, "g1.json", PLAN, "g2.json")
    assert "(Nationalist): its condition is not true." in told
    assert "activate Cáceres for movement" in told
    applied(desk, "g2.json", "orders: [done]", "g3.json")
    idle = "orders: [{play: {card: none}}, {activate: none}, done]"
    told = applied(desk, "g3.json", idle, "g4.json")
    assert "> play: {card: N12}, when: {control: {sevilla: nationalist}, round: 2}" in told
    assert "when: {empty: [madrid]} (Nationalist): its condition is not true" in told
    assert "lapsed" in desk.done("verify", "g4.json")


def test_a_newer_list_takes_its_place(desk):
    applied(desk, "g1.json", PLAN.replace("at: cadiz", "at: algeciras"), "g2.json")
    applied(desk, "g2.json", "orders: [done]", "g3.json")
    told = applied(
        desk, "g3.json", "orders: [{play: {card: none}}, {activate: none}, done]", "g4.json"
    )
    assert "Lapsed: arrive: {at: algeciras}, when: {any: true}" in told
    told = applied(desk, "g4.json", "orders: [{arrive: {at: cadiz}}]", "g5.json")
    assert told.count("(Nationalist): it was replaced by newer orders") == 2

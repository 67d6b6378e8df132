"""Orders that wait for something, and how long orders given ahead last."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.model import Side
from pbem.gamedata.load import load
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.orders import Done
from pbem.games.nopasaran.system import NoPasaran
from pbem.games.nopasaran.waiting import WAITING
from pbem.text.source import Source
from pbem.text.yamlsource import read
from tests.games.nopasaran.table import SMALL, N, R, start, state_of, table

HERE = {"G12": "N-2Leg/5", "G13": "R-AMarty/12"}
SYSTEM = NoPasaran(load("nopasaran").tables)


def bound(written: str, side: Side = N, **facts: Any) -> Any:
    state = state_of(table(HERE, scenario=SMALL, **{"day": 1, **facts}), side)
    names = SYSTEM.names(state, N, None, answering=False)
    return state.position, WAITING.bound(names, read(Source("when.yaml", written)).value)


@pytest.mark.parametrize(
    ("written", "holds"),
    [
        ("control: {G13: nationalist}", False), ("control: {G13: republican}", True),
        ("control: {G13: republican, G12: republican}", False),
        ("empty: [H12]", True), ("empty: [H12, G13]", False), ("empty: G12", True),
        ("day: 1", True), ("day: '2+'", False), ("weather: clear", True), ("weather: rain", False),
        ("seen: {G13: {points: 2+}}", True), ('seen: {G13: {points: "<=2"}}', False),
        ("any: yes", True), ("{day: 1, empty: [G13]}", False),
    ],
)  # fmt: skip
def test_an_order_waits_for_what_both_can_see(written: str, holds: bool) -> None:
    position, when = bound(written)
    assert WAITING.faults(position, N, when) == ()
    assert WAITING.holds(position, when) is holds


def test_a_hex_with_ones_own_units_is_empty_for_whoever_acts() -> None:
    position, when = bound("empty: G12", side=R)
    assert not WAITING.holds(position, when)


@pytest.mark.parametrize(
    ("written", "why", "hint"),
    [
        ("{}", "no condition", "{control: {"),
        ("{control: {G13: spanish}}", "a hex and a side", "republican"),
        ("{control: [G13]}", "control lists hexes", "{G13: nationalist}"),
        ("{empty: A01}", "no hex is named 'A01'", "C01"),
        ("{day: 9}", "day is never 9", "from 1 to 2"),
        ("{recon: tank}", "no condition is named 'recon'", "control"),
    ],
)
def test_a_when_that_can_never_hold_is_refused(written: str, why: str, hint: str) -> None:
    position, when = bound(written)
    (found, *_) = WAITING.faults(position, N, when)
    assert why in str(found.message) and hint in str(found.hint), found


def test_the_example_of_a_when_is_one() -> None:
    position = start(SMALL)
    _, when = bound(WAITING.for_example(position))
    assert WAITING.faults(position, N, when) == ()


def span(position: Any) -> str:
    return SYSTEM.clock(position).span


def test_what_is_left_lapses_when_the_enemy_has_the_initiative() -> None:
    """And stays while it does not change hands, and before anybody has activated anything."""
    morning = start(SMALL, active=N)
    first = e.InitiativeRolled(((N, 3, 0), (R, 8, 0)), R).apply(morning)
    assert span(first) == span(morning)
    activated = e.Activated(R, "R-12BI", (), ()).apply(first)
    again = e.InitiativeGiven(R).apply(activated)
    assert span(again) == span(activated) == span(first)
    gone = e.InitiativeRolled(((N, 9, 0), (R, 8, 0)), N).apply(activated)
    assert span(gone) != span(activated)
    back = e.InitiativeGiven(R).apply(gone)
    assert span(back) not in {span(gone), span(activated)}
    assert span(e.DayBegan(2, "clear").apply(back)) not in {span(back), span(morning)}
    finished = e.SideFinished(R).apply(first)
    assert span(e.InitiativeGiven(N).apply(finished)) != span(finished)
    assert span(e.InitiativeRolled(((N, 8, 0), (R, 8, 0)), None).apply(gone)) == span(gone)
    assert not WAITING.outlives(activated, gone, Done(), waits=True)

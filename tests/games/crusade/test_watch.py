"""The watch over random games sees what it is there for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.operations import Movement
from tests.games.crusade.board import STARTS, N, R, table
from tests.games.crusade.watch import Watch

LATE = STARTS["two_years_of_war"]


def seen(position: Position, *events: Any, watch: Watch | None = None) -> list[str]:
    """What the watch says of a move that brings these events about."""
    positions, now = [], position
    for event in events:
        now = event.apply(now)
        positions.append(now)
    step = SimpleNamespace(events=events, positions=tuple(positions), state=State(now, ()))
    state = State(position, (Movement(N, (), (), frozenset()),))
    moment = SimpleNamespace(state=state, order=None, step=step)
    return list((watch or Watch(position)).sees(moment))


def divided(side: str) -> e.ScoreChanged:
    return e.ScoreChanged(0, -1, f"{side} zone divided")


@pytest.mark.parametrize("space", ["vitoria", "beasain", "pancorbo"])
def test_morale_out_of_nothing(space: str) -> None:
    capture = [e.SpaceTaken(space, R)]
    if LATE.space(space).capital:
        capture.append(e.ScoreChanged(0, 1, "capture", space))
    assert seen(LATE, *capture) == []
    assert "16.3.3" in seen(LATE, *capture, divided("republican"))[0]


def test_morale_that_is_owed() -> None:
    cut = table(12, scenario="two_years_of_war", nationalist=("morella",))
    taken = e.SpaceTaken("vinaroz", N)
    assert "16.3.3" in seen(cut, taken)[0]
    watch = Watch(cut)
    assert seen(cut, taken, divided("republican"), watch=watch) == []
    # Once a game: what is retaken and lost again is not paid again.
    again = seen(cut, e.SpaceTaken("vinaroz", N), divided("republican"), watch=watch)
    assert "16.3.3" in again[0]


def test_a_border_and_a_capture_that_are_paid_wrongly() -> None:
    border = LATE.tables.border_spaces["france"]
    closed = table(12, scenario="two_years_of_war", nationalist=border)
    paid = e.ScoreChanged(0, -2, "border with france closed")
    assert seen(closed, e.SpaceTaken("vinaroz", N)) == []
    assert "16.3.3" in seen(closed, e.SpaceTaken("vinaroz", N), paid)[0]
    wrong = e.ScoreChanged(1, -1, "capture", "valencia")
    assert "capture" in seen(LATE, e.SpaceTaken("valencia", N), wrong)[0]


def attack(space: str) -> e.AttackDeclared:
    return e.AttackDeclared(R, space, ("R-MIL-1",), ("riotinto",), ("INF-1",))


def test_a_space_attacked_twice() -> None:
    called_off = e.AttackCalledOff("sevilla", "N14")
    begun = e.RoundBegan(R, 2)
    assert seen(LATE, attack("sevilla"), begun, attack("sevilla")) == []
    assert seen(LATE, attack("sevilla"), called_off, attack("sevilla")) == []
    assert "11.1.5" in seen(LATE, attack("sevilla"), attack("sevilla"))[0]
    third = (attack("sevilla"), called_off, attack("sevilla"), attack("sevilla"))
    assert "11.1.5" in seen(LATE, *third)[0]


def test_a_space_too_full_when_the_round_ends() -> None:
    full = table(8, bare=True, units={"madrid": "RPA-1 RPA-2 RPA-3 RPA-4"})
    assert "9.1.2" in seen(full, e.RoundEnded(R, 1))[0]
    assert seen(full, e.UnitSentToReserve("RPA-4"), e.RoundEnded(R, 1)) == []


@pytest.mark.parametrize("moved, seen_it", [(frozenset(), True), (frozenset({"MIL-AST-1"}), True)])
def test_a_guest_who_stays_and_could_go_home(moved: frozenset[str], seen_it: bool) -> None:
    position = table(
        4, units={"san_vicente": "MIL-AST-1 MIL-AST-2 MIL-SAN-1"},
        strayed=frozenset({"MIL-AST-1", "MIL-AST-2"}),
    )  # fmt: skip
    stage = Movement(R, ("san_vicente",), (), frozenset(), moved=moved)
    step = SimpleNamespace(events=(), positions=(), state=State(position, ()))
    moment = SimpleNamespace(state=State(position, (stage,)), order=None, step=step)
    assert any("16.4.2.4" in told for told in Watch(position).sees(moment)) is seen_it
    home = position.with_unit("MIL-AST-2", "cangas_de_onis")
    gone = SimpleNamespace(events=(), positions=(), state=State(home, ()))
    moment = SimpleNamespace(state=State(home, (stage,)), order=None, step=gone)
    assert list(Watch(home).sees(moment)) == []

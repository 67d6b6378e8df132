"""Each option is tested both ways: where it is forced on or off, a test of its rule fails."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.engine.kernel import OrderRejected
from pbem.games.madrid.options import OPEN_HANDS, OPTIONS
from pbem.games.madrid.position import Position
from tests.games.madrid import (
    test_cases,
    test_ch02_ch03_ground,
    test_ch04_ch08_turn,
    test_ch09_impulses,
    test_ch10_ch12_battle,
    test_ch15_chits,
)

MODULES = (
    test_cases, test_ch02_ch03_ground, test_ch04_ch08_turn, test_ch09_impulses,
    test_ch10_ch12_battle, test_ch15_chits,
)  # fmt: skip
READINGS = [option for option in OPTIONS if option.id != OPEN_HANDS]


class Forced:
    """The options of every position, with one of them on or off whatever was agreed."""

    def __init__(self, option: str, *, on: bool) -> None:
        self.option, self.on = option, on

    def __get__(self, position: Any, kind: type) -> Any:
        options = position.__dict__["options"]
        return options | {self.option} if self.on else options - {self.option}

    def __set__(self, position: Any, options: frozenset[str]) -> None:
        position.__dict__["options"] = options


def of_rule(option: str, rule: str) -> Iterator[Callable[[], None]]:
    """The tests of a rule that name an option, each with each of its parameters."""
    for module in MODULES:
        for test in vars(module).values():
            marks = getattr(test, "pytestmark", ())
            if any(mark.name == "rule" and rule in mark.args for mark in marks):
                yield from (call for call in calls(test, marks) if option in told(test, marks))


def told(test: Any, marks: Any) -> str:
    return inspect.getsource(test) + str([mark.args for mark in marks])


def calls(test: Any, marks: Any) -> Iterator[Callable[[], None]]:
    rows = [mark.args[1] for mark in marks if mark.name == "parametrize"]
    for row in rows[0] if rows else [()]:
        yield lambda row=row: test(*(row if isinstance(row, tuple) else (row,)))


def fails(call: Callable[[], None]) -> bool:
    try:
        call()
    except (AssertionError, OrderRejected):
        return True
    return False


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("option", READINGS, ids=lambda option: option.id)
def test_each_reading_is_tested_both_ways(
    option: Any, on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list(of_rule(option.id, option.rule))
    monkeypatch.setattr(Position, "options", Forced(option.id, on=on), raising=False)
    assert any(map(fails, found)), f"no test fails where {option.id} is {'on' if on else 'off'}"

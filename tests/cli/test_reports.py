"""A report that fails stops nobody from writing: it becomes a line that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import ismodule
from typing import Any, NoReturn

import pytest

from pbem.engine.advice import Advice
from pbem.engine.odds import Odds
from pbem.engine.policies import answering, help
from pbem.engine.warnings import Warnings
from pbem.games.system import Narration
from pbem.play import reports
from pbem.play.systems import opened
from tests.cli.desk import Desk
from tests.conftest import real_bug

ORDERS = (
    "play: {card: N1, for: event}",
    "activate: {attack: [sevilla, huelva]}",
    "attack: {space: riotinto, units: {sevilla: [INF, POL]}, losses: [POL, INF]}",
    "attack: {space: riotinto, units: {huelva: [CAV]}, losses: [CAV]}",
    "done",
)
WHOLE = {"advice": Advice, "warnings": Warnings, "odds": Odds, "narration": Narration}
"""The capabilities of a game that only report."""
IN_PART = {"waiting": ("example",)}
"""What others report beside what they judge."""
OF_STANDING_ORDERS = ((answering, "outlook"), (help, "example_of"))


def every_report() -> Iterator[tuple[Any, str]]:
    """Each function that reports, by what has it."""
    yield from OF_STANDING_ORDERS
    system = opened("crusade").system
    for part in (*WHOLE, *IN_PART):
        found = getattr(system, part)
        holder = found if ismodule(found) else type(found)
        for name in IN_PART.get(part) or vars(WHOLE[part]):
            if not name.startswith("_") and callable(getattr(holder, name, None)):
                yield holder, name


@pytest.fixture
def failed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Every report fails, as it does for a player; the names of those that were asked for."""
    asked: set[str] = set()

    def fails(told: str) -> Any:
        def report(*given: Any, **more: Any) -> NoReturn:
            asked.add(told)
            raise RuntimeError(f"a hole in {told}")

        return report

    for holder, name in [*every_report()]:
        monkeypatch.setattr(holder, name, fails(name))
    monkeypatch.setattr(reports, "bug", real_bug)
    return asked


def test_orders_are_signed_and_mailed_though_every_report_fails(
    desk: Desk, failed: set[str]
) -> None:
    desk.done("turn", "g2.json", "--key", "ana.key")
    form = (desk.folder / "g2.orders.yaml").read_text(encoding="utf-8")
    words = " ".join(form.replace("#", "").split())
    assert "the game is not affected: RuntimeError: a hole in ready" in words
    desk.orders(*ORDERS, name="g2.orders.yaml")
    desk.write("standing.yaml", "standing: {losses: [INF]}")
    told = desk.done("turn", "g2.json", "--key", "ana.key", "--yes")
    assert re.search(r"^written: \S+\.eml$", told, re.M)
    words = " ".join(told.split())
    for name in failed - {"ready", "example", "narrate"}:
        assert f"the game is not affected: RuntimeError: a hole in {name}" in words
    assert "this is a bug: RuntimeError: a hole in narrate" in words
    assert failed == {
        "behind", "dangers", "example", "foreseen", "left_open", "narrate", "of", "outlook",
        "ready", "remarks", "unwise",
    }  # fmt: skip


def test_a_refusal_is_told_though_every_report_fails(desk: Desk, failed: set[str]) -> None:
    """What is out of its time, or has no hint of its own, is refused as usual."""
    orders = desk.orders("attack: {space: riotinto, units: {sevilla: [INF]}, losses: [INF]}")
    said = desk.refused(1, "check", "g2.json", orders, "--key", "ana.key")
    assert "orders.yaml:2:5: 'attack' cannot be given now: the game asks you to play" in said
    assert failed == {"why_not_now"}

"""A whole game of two practice players by mail, with standing orders beside their attacks.

What they write is typed with every mapping backwards: the file has it sorted, and author and reader
must come to the same game.
"""

from __future__ import annotations

from typing import Any

from pbem.gamefile.verify import examine
from pbem.games.ctv.tables import REPUBLICAN
from pbem.orders.parse import parse
from pbem.orders.written import in_order
from pbem.play.answer import audited
from pbem.play.game import opening
from pbem.play.practice import written
from tests.games.ctv.by_mail import LIBRARY, Seats
from tests.games.ctv.table import system
from tests.games.ctv.test_mails_of_a_turn import standing


def backwards(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: backwards(each) for key, each in reversed(plain.items())}
    return plain


def practised(seats: Seats) -> str:
    """What whoever has the pen is asked to order, as the practice player would; "" for nothing."""
    source = written(seats.game, seats.keys[seats.pen])
    if source is None:
        return ""
    orders = parse(source, system().verbs).orders
    lines = [f"  - {each.verb}: {in_order(backwards(each.plain))}" if each.plain
             else f"  - {each.verb}" for each in orders]  # fmt: skip
    return "\n".join(["orders:", *lines, standing(seats.side)])


def test_a_game_of_two_takes_few_mails_and_passes_verification_and_audit() -> None:
    seats = Seats("one", first=REPUBLICAN)
    while seats.fold.phase != "over":
        seats.mail(practised(seats) if seats.fold.phase == "running" else "")
    assert seats.mails < 40
    while seats.fold.owed:
        seats.game = audited(seats.game, seats.keys[seats.pen]).game
    report = examine(seats.game.bytes(), opening(LIBRARY))
    assert report.is_good and report.proven, report.findings
    assert report.proven.audits and not report.proven.provisional  # type: ignore[union-attr]

"""Orders that come after dice, judged before they are sent.

Such an order is tried twice: as things are now, and where the rest of the round is played on with
made-up dice, for it may become legal by what comes before it, or use what an earlier order has used
up. One that is legal in any of these ways is left alone. Nothing is refused here: it is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.model import Decision
from pbem.gamefile.in_play import ReadOrder
from pbem.gamefile.journal import Lapsed, Ordered
from pbem.gamefile.machine import Machine
from pbem.messages import marked, say
from pbem.orders.parse import OrdersFile
from pbem.play.forecast import FALLS, Way
from pbem.play.placed import placed
from pbem.play.prepare import Prepared, Tried
from pbem.play.table import Table
from pbem.problems import Problem
from pbem.value import replace

CODE = "may-lapse"
AS_THINGS_ARE = marked(
    "as things are now, {why}; this order lapses unless what comes before it changes that"
)
AFTER_THE_OTHERS = marked(
    "after the orders before it, {why}; this order lapses unless the dice change that"
)
HIGHEST = 100
"""A face that no die has: made-up dice show their highest one instead."""
EXTREMES = ((HIGHEST, HIGHEST), (1, 1), (HIGHEST, 1), (1, HIGHEST))


def behind_dice(
    machine: Machine, file: OrdersFile, prepared: Prepared, player: str
) -> Iterator[tuple[Tried, Problem]]:
    """The warnings of orders that are not legal now, or not after those before them."""
    waiting = [
        *(each for each in prepared.tried if each.is_ahead),
        *(each for each, _ in prepared.sealed),
    ]
    given = _as_sent(prepared)[len(prepared.read) - prepared.ahead :]
    doubtful = {at for at, each in enumerate(given) if not each.only_ends}
    ends: dict[int, Lapsed] = {}
    for faces in (*FALLS, *EXTREMES):
        if not doubtful:
            return
        for line in _played_on(machine, player, given, faces):
            at = line.given.sent.index
            if isinstance(line, Ordered):
                doubtful.discard(at)
            elif at in doubtful:
                ends.setdefault(at, line)
    for at in sorted(doubtful):
        for found in _told(waiting[at], ends.get(at), file, player):
            yield waiting[at], found


def _as_sent(prepared: Prepared) -> Sequence[ReadOrder]:
    """The orders with what their author's program adds, without which some would lapse; sealed ones
    as if they were sent in clear.
    """
    orders, draft = (*prepared.read, *(each for _, each in prepared.sealed)), prepared.draft
    return draft.secrets.worded(draft.machine, orders) if draft else orders


def _played_on(
    machine: Machine, player: str, given: Sequence[ReadOrder], faces: tuple[int, int]
) -> Iterator[Ordered | Lapsed]:
    """What comes of the orders where the round is played on, with made-up dice and answers."""
    way = PlayedOn(machine, player, given, faces)
    known = len(way.machine.entry.journal)
    way.go()
    for line in way.machine.entry.journal[known:]:
        if isinstance(line, Ordered | Lapsed) and line.by == player:
            yield line


class PlayedOn(Way):
    """A way in which the author, too, answers whatever is asked, as little as possible."""

    def _is_left_to_author(self, by: str, decision: Decision) -> bool:
        return False


def _told(tried: Tried, lapsed: Lapsed | None, file: OrdersFile, player: str) -> Iterator[Problem]:
    """The warnings of an order that was legal nowhere; an order that waits for something is not
    meant for now.
    """
    asked = tried.table.decision
    if not tried.waits and asked is not None and asked.takes(tried.order):
        now = tried.table.against(tried.order)
        if now:
            found = placed(file, tried.index, player, tried.table, now)
            yield from (_warning(each, AS_THINGS_ARE) for each in found)
            return
    if lapsed is None:
        return
    before = lapsed.before
    assert isinstance(before, Table)
    found = placed(file, tried.index, player, before, before.against(tried.order))
    doubts = [replace(each, span=tried.span) for each in lapsed.problems]
    yield from (_warning(each, AFTER_THE_OTHERS) for each in found or doubts)


def _warning(problem: Problem, text: str) -> Problem:
    return replace(problem, code=CODE, message=say(text, why=problem.message))

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
from pbem.messages import Said, marked, say
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
NEVER_ASKED_FOR = marked(
    "after the orders before it, {why}; this order waits for a question that it can answer, and "
    "lapses without one"
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
    doubtful = {at for at, each in enumerate(given) if not (each.only_ends or each.meant.secret)}
    ends: dict[int, list[tuple[int, Lapsed]]] = {}
    unasked: dict[int, Table] = {}
    for faces in (*FALLS, *EXTREMES):
        if not doubtful:
            return
        way, carried_out = PlayedOn(machine, player, given, faces), 0
        for line in way.lines():
            at = line.given.sent.index
            if isinstance(line, Ordered):
                doubtful.discard(at)
                carried_out += 1
            elif at in doubtful:
                ends.setdefault(at, []).append((carried_out, line))
        unasked = way.unasked | unasked
    told = set[Said]()
    for at in sorted(doubtful):
        # It tells most where most of the orders before it were carried out.
        lapsed = [line for _, line in sorted(ends.get(at, ()), key=lambda end: -end[0])]
        found = [*_told(waiting[at], lapsed, file, player)]
        if not (found or lapsed):
            out_of_time = _out_of_time(waiting[at], unasked.get(at), file)
            found = [each for each in out_of_time if each.message not in told]
            told.update(each.message for each in found)
        yield from ((waiting[at], each) for each in found)


def _as_sent(prepared: Prepared) -> Sequence[ReadOrder]:
    """The orders with what their author's program adds, without which some would lapse; sealed ones
    as if they were sent in clear.
    """
    orders, draft = (*prepared.read, *(each for _, each in prepared.sealed)), prepared.draft
    return draft.secrets.worded(draft.machine, orders) if draft else orders


class PlayedOn(Way):
    """A way in which the author, too, answers whatever is asked, as little as possible."""

    def __init__(
        self, machine: Machine, author: str, given: Sequence[ReadOrder], faces: tuple[int, int]
    ) -> None:
        super().__init__(machine, author, given, faces)
        self.unasked: dict[int, Table] = {}
        """By the place of an order the last question to its author that it could not answer."""

    def lines(self) -> Iterator[Ordered | Lapsed]:
        """What comes of the orders where the round is played on, with made-up dice and answers."""
        known = len(self.machine.entry.journal)
        self.go()
        for line in self.machine.entry.journal[known:]:
            if isinstance(line, Ordered | Lapsed) and line.by == self.author:
                yield line

    def _openly(self, by: str) -> bool:
        if by == self.author:
            for item in self.machine.pending.given.get(by, ()):
                self.unasked[item.sent.index] = self.table
        return super()._openly(by)

    def _is_left_to_author(self, by: str, decision: Decision) -> bool:
        return False


def _told(
    tried: Tried, lapsed: Sequence[Lapsed], file: OrdersFile, player: str
) -> Iterator[Problem]:
    """The warnings of an order that was legal nowhere; an order that waits for something is not
    meant for now. What it breaks now counts if it breaks that somewhere when its turn comes, too.
    """
    asked, then = tried.table.decision, [_broken(tried, each, file, player) for each in lapsed]
    if not tried.waits and asked is not None and asked.takes(tried.order):
        now = placed(file, tried.index, player, tried.table, tried.table.against(tried.order))
        told = [{each.message for each in found} for found in then]
        if now and (not told or any({each.message for each in now} <= those for those in told)):
            yield from (_warning(each, AS_THINGS_ARE) for each in now)
            return
    yield from (_warning(each, AFTER_THE_OTHERS) for found in then[:1] for each in found)


def _broken(tried: Tried, lapsed: Lapsed, file: OrdersFile, player: str) -> list[Problem]:
    """Why an order lapsed when its turn came, each at its place."""
    before = lapsed.before
    assert isinstance(before, Table)
    found = placed(file, tried.index, player, before, before.against(tried.order))
    return found or [replace(each, span=tried.span) for each in lapsed.problems]


def _out_of_time(tried: Tried, then: Table | None, file: OrdersFile) -> Iterator[Problem]:
    """The warning of an order that no question took, where the game knows why it is not asked for
    at the last question before which it was kept.
    """
    why = then and then.system.advice.why_not_now(then.state, tried.order)
    if why and not tried.waits:
        found = replace(file.problem(tried.index, why), span=tried.span)
        yield _warning(found, NEVER_ASKED_FOR)


def _warning(problem: Problem, text: str) -> Problem:
    return replace(problem, code=CODE, message=say(text, why=problem.message))

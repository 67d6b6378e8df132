"""Orders of an earlier mail that a new one leaves in place: what follows from them before dice.

New orders come in front of what is left of an older list (R8), so a mere answer may set off all
that was ordered behind it.
"""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.gamefile.advance import advance
from pbem.gamefile.journal import Lapsed, OfAnOrder, Ordered, PassedOver
from pbem.gamefile.kept import ChainPlace, Given
from pbem.gamefile.machine import Machine
from pbem.messages import Row, Said, marked, say
from pbem.play.order_lines import order_text, said
from pbem.play.prepare import Prepared
from pbem.play.table import Table
from pbem.value import value

THEN = marked("then follows what you ordered before: {order}")
LAPSES = marked("what you ordered before lapses then: {order} ({why})")
STILL_KEPT = marked("ordered before, and checked when its turn comes: {order}")


@value
class LeftOver:
    """What follows from older orders, in sentences, and the table behind all that."""

    table: Table
    told: tuple[Said, ...] = ()


def left_over(machine: Machine, prepared: Prepared, player: str) -> LeftOver:
    """Plays the older orders of a player behind those of a mail, up to the first dice or question.

    `machine` is that behind the orders that could be tried.
    """
    old = machine.pending.given.get(player, ())
    if any(each.leads for each in prepared.read):
        old = tuple(each for each in old if not each.outlived)
    if not old:
        return LeftOver(prepared.table)
    ahead = prepared.read[len(prepared.read) - prepared.ahead :]
    new = tuple(
        Given(each, "orders", ChainPlace(machine.entry.seq, 0, at), 0)
        for at, each in enumerate(ahead)
    )
    known = len(machine.entry.journal)
    machine = advance(machine.put(given={**machine.pending.given, player: (*new, *old)}))
    table = machine.table
    assert isinstance(table, Table)
    places = {each.sent for each in old}
    side = table.seats[player]
    found = [_told(line, side) for line in machine.entry.journal[known:]
             if isinstance(line, OfAnOrder) and line.given.sent in places]  # fmt: skip
    found += [
        say(STILL_KEPT, order=said(table, each.read.plain, side))
        for each in machine.pending.given.get(player, ()) if each.sent in places
    ]  # fmt: skip
    return LeftOver(table, tuple(found))


def _told(line: OfAnOrder, side: Side | None) -> Said:
    """What becomes of one of them."""
    before = line.before if isinstance(line, Ordered | Lapsed) else None
    order = line.given.read.plain
    text = said(before, order, side) if isinstance(before, Table) else order_text(order)
    match line:
        case Ordered():
            return say(THEN, order=text)
        case Lapsed(problems=problems):
            why = Row(tuple(problem.message for problem in problems), "; ")
            return say(LAPSES, order=text, why=why)
        case PassedOver():
            return say(LAPSES, order=text, why=say("its condition is not true"))
    return say(LAPSES, order=text, why=say("nothing asks for it any more"))

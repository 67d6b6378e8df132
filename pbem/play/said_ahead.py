"""Orders behind dice that are better sealed: a game has slots for what is ordered ahead.

An order that is sent ahead in clear shows what its author plans, even if it lapses. Where a game
says so (`Slot.ahead`), it becomes a standing order that lasts no longer than the order would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.model import Order, Violation
from pbem.engine.policies import answering, sealing
from pbem.engine.policies.rows import Written
from pbem.gamefile import limits
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import ReadOrder
from pbem.messages import Said, say
from pbem.orders.parse import OrdersFile
from pbem.play.prepare import Prepared, Tried
from pbem.play.table import Table
from pbem.problems import Problem, Refused
from pbem.value import replace

IN_CLEAR = say("write 'ahead: open' beside 'orders:' to send all that is said ahead in clear")
Plan = Sequence[tuple[Tried, ReadOrder]]
"""The orders that go into one slot."""


def sealed_ahead(prepared: Prepared, file: OrdersFile, table: Table, player: str) -> Prepared:
    """The orders, with those behind dice sealed that the game would have so.

    `table` is the game before them. Raises Refused where such an order cannot be sealed, with each
    problem at its place.
    """
    count, (position, side) = prepared.ahead, (table.state.position, table.seats[player])
    behind = tuple(zip(prepared.tried[-count:], prepared.read[-count:], strict=True))
    for name, slot in table.system.policies.slots.items():
        orders = [tried.order for tried, _ in behind]
        begins = slot.ahead(position, side, orders) if slot.ahead else ()
        if not begins:
            continue
        slots = (name, *slot.further)
        if len(begins) > len(slots):
            raise Refused(_too_many(behind[begins[len(slots)]][0], len(slots)))
        ends = (*begins[1:], len(behind))
        plans = {
            each: behind[start:end] for each, start, end in zip(slots, begins, ends, strict=False)
        }
        sealed = behind[begins[0] :]
        policies = _policies(plans, prepared, file, table, player)
        # What was sealed there before is behind other orders than these.
        policies = (*(sealing.withdrawn(each) for each in slots if each not in plans), *policies)
        return replace(
            prepared, read=prepared.read[: -len(sealed)], tried=prepared.tried[: -len(sealed)],
            ahead=count - len(sealed), sealed=sealed, policies=policies,
        )  # fmt: skip
    return prepared


def _policies(
    plans: Mapping[str, Plan], prepared: Prepared, file: OrdersFile, table: Table, player: str
) -> tuple[Written, ...]:
    """The standing orders that go with orders whose plans are sealed, each in its slot."""
    policies, position, side = table.system.policies, table.state.position, table.seats[player]
    given = {part["slot"] for part in prepared.policies}
    count = sum(map(len, plans.values()))
    before = [read.meant for read in prepared.read[:-count]]
    planned, problems, parts = list[Order](), list[Problem](), list[Written]()
    for slot, plan in plans.items():
        written = {slot: [read.plain for _, read in plan]}
        part = sealing.for_now(policies, position, side, slot, written, before)
        found = [_said_twice(plan, slot)] if slot in given else []
        faults = sealing.document_faults(policies, position, side, part["doc"])
        found += (_placed(fault, plan, file) for fault in faults)
        over = answering.used_up(policies, prepared.table.state.position, side, part, planned)
        if plan[0][1].meant in before or over:
            found.append(_over(plan, over))
        problems += found or _too_long(part, plan, player)
        parts.append(part)
        planned += [read.meant for _, read in plan]
        before += [read.meant for _, read in plan]
    if problems:
        raise Refused(*problems)
    # The first is sealed last: of several policies the latest comes first.
    return (*prepared.policies, *reversed(parts))


def _placed(fault: Violation, plan: Plan, file: OrdersFile) -> Problem:
    """A fault of a sealed document, at the place in the orders file that it comes from."""
    _, *at = fault.at or ("",)
    line = at[0] if at and isinstance(at[0], int) and at[0] < len(plan) else 0
    hint = say("{hint}; or {clear}", hint=fault.hint, clear=IN_CLEAR) if fault.hint else IN_CLEAR
    return file.problem(plan[line][0].index, replace(fault, at=tuple(at[2:]), hint=hint))


def _too_long(part: Written, plan: Plan, player: str) -> Iterator[Problem]:
    try:
        limits.check_document(player, part["scope"], part["until"], part["doc"])
    except FileRefused:
        yield Problem(
            "illegal-order", say("what is ordered from here on is too long to be sealed"),
            plan[0][0].span, hint=say("order less of it ahead; or {clear}", clear=IN_CLEAR),
        )  # fmt: skip


def _over(plan: Plan, over: Said) -> Problem:
    told = say("this was ordered before, and what is sealed is carried out once")
    if over:
        told = say("{what} would be over before its turn comes", what=over)
    return Problem("illegal-order", told, plan[0][0].span, hint=IN_CLEAR)


def _too_many(tried: Tried, most: int) -> Problem:
    return Problem(
        "illegal-order", say("no more than {most} of these can be sealed ahead", most=most),
        tried.span, hint=say("send this one with a later mail; or {clear}", clear=IN_CLEAR),
    )  # fmt: skip


def _said_twice(plan: Plan, slot: str) -> Problem:
    return Problem(
        "illegal-order",
        say("this is said ahead and would be sealed, and `{slot}` is in your standing orders, too",
            slot=slot),
        plan[0][0].span, hint=say("leave one of the two out"),
    )  # fmt: skip

"""The conditions of orders given ahead, and which of them outlive a phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.engine.conditions import Condition, Fact, Facts, Sort
from pbem.engine.model import Order
from pbem.engine.shapes import A_NAME, NAMELESS, Judged, Many, listed, one_of
from pbem.engine.waiting import OrdersWait
from pbem.games.ctv.policies.facts import ANY, EMPTY, OF_THE_TABLE
from pbem.games.ctv.position import Position
from pbem.games.ctv.tables import ENEMY
from pbem.messages import marked
from pbem.value import replace


def _number(written: Any) -> Any:
    """50 as the name of a division."""
    return str(written) if isinstance(written, int) and not isinstance(written, bool) else written


DIVISION: Judged = replace(
    one_of(
        lambda position, side: position.board.divisions_by_die,
        NAMELESS,
        kind=marked("division"),
        json=A_NAME,
    ),
    reads=_number,
)
"""One whose place in the set-up depends on a die (4.1)."""


def _divisions(is_so: Callable[[Position, str], bool]) -> Fact:
    """A fact of such divisions: all that are named are so."""
    sort = Sort(
        Many(DIVISION, once=True, needed=True),
        lambda position, _, wanted: all(is_so(position, each) for each in listed(wanted)),
    )
    return Fact(sort, lambda position, _: position)


def is_in_front(position: Position, division: str) -> bool:
    """Whether the die has put a division into the front line."""
    return division in position.front


CLEARED = Sort(
    EMPTY.shape,
    lambda position, _, wanted: all(
        position.holder(hex) != ENEMY[position.active] for hex in listed(wanted)
    ),
)
"""Hexes without enemies of whoever orders in their own phase: their attackers may be there."""
FACTS = Facts(
    {
        "any": ANY,
        "front": _divisions(is_in_front),
        "reserve": _divisions(lambda position, division: not is_in_front(position, division)),
        **OF_THE_TABLE,
        "empty": Fact(CLEARED, lambda position, _: position),
    },
    late={},
    has_happened=lambda _: False,
)


def outlives(before: Position, after: Position, order: Order, waits: bool) -> bool:
    """An order with a condition is meant for a later phase if it is not reached in this one; and
    the set-up goes over into the first turn.
    """
    return waits or before.turn == 0


WAITING = OrdersWait(
    condition=Condition(FACTS, late=False, of="order"),
    kept=outlives,
    public=lambda position: position,
    for_example=lambda position: "{empty: [2010]}" if position.turn else "{front: [50]}",
    told=(
        marked("such an order is kept for your next phase if it is not reached in this one,"),
        marked("unless you send other orders first"),
    ),
)

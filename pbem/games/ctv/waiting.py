"""The conditions of orders given ahead, and which of them outlive a phase."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from pbem.engine.conditions import Condition, Fact, Facts, Sort, Tied
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


DIVISIONS = Sort(
    Many(DIVISION, once=True, needed=True),
    lambda position, there, wanted: there.issuperset(listed(wanted)),
)
"""Such divisions, all of which stand where a fact says. None does before its die has fallen."""


def _throws(position: Position) -> Iterator[tuple[frozenset[str], ...]]:
    """What the dice of the divisions may bring: those in front, and those in reserve."""
    divisions = frozenset(position.board.divisions_by_die)
    for number in range(len(divisions) + 1):
        for front in map(frozenset, combinations(sorted(divisions), number)):
            yield front, divisions - front


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
        "front": Fact(DIVISIONS, lambda position, _: position.front),
        "reserve": Fact(DIVISIONS, lambda position, _: position.reserve),
        **OF_THE_TABLE,
        "empty": Fact(CLEARED, lambda position, _: position),
    },
    late={},
    has_happened=lambda _: False,
    tied={("front", "reserve"): Tied(_throws)},
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

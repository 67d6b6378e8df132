"""What orders given ahead wait for: who stands in which hex. They outlive an impulse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.toy.orders import March, Volley
from pbem.games.toy.position import SIDES, Position

from pbem.engine.conditions import A_NUMBER, Condition, Fact, Facts, Sort
from pbem.engine.model import Order
from pbem.engine.shapes import Each, Many, Word, listed, name
from pbem.engine.waiting import OrdersWait

HEX = name("hex", lambda position: position.board.hexes)


def _hold(position: Position, _: Any, wanted: Sequence[Sequence[str]]) -> bool:
    return all(position.holder(hex) == side for hex, side in wanted)


FACTS = Facts(
    {
        "control": Fact(
            Sort(
                Each(
                    HEX, Word(tuple(SIDES), "control needs a hex and a side", "amber or violet"),
                    "control lists hexes and the side that controls each", "{2106: amber}",
                ),
                _hold,
            ),
            lambda position, _: position,
        ),
        "empty": Fact(
            Sort(
                Many(HEX, once=True, needed=True),
                lambda position, _, hexes: not any(map(position.holder, listed(hexes))),
            ),
            lambda position, _: position,
        ),
        "impulse": Fact(A_NUMBER, lambda position, _: position.impulse),
    },
    late={},
    has_happened=lambda _: False,
)  # fmt: skip


def outlives(before: Position, after: Position, order: Order, waits: bool) -> bool:
    """What is said for later impulses of the turn; resting is for the one that is asked."""
    return before.turn == after.turn and isinstance(order, March | Volley)


WAITING = OrdersWait(
    condition=Condition(FACTS, late=False, of="order"),
    kept=outlives,
    public=lambda position: position,
    for_example=lambda position: f"{{empty: [{position.board.hexes[0]}]}}",
    told=("marches and volleys are kept for your next impulse of the turn",),
)

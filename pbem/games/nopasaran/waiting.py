"""The conditions of orders given ahead, and how long these last."""

from __future__ import annotations

from pbem.engine.conditions import Condition, Fact, Facts, Sort
from pbem.engine.model import Order
from pbem.engine.shapes import listed
from pbem.engine.waiting import OrdersWait
from pbem.games.nopasaran.policies.facts import ANY, EMPTY, OF_THE_TABLE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import marked

CLEARED = Sort(
    EMPTY.shape,
    lambda position, _, wanted: all(
        position.holder(hex) != ENEMY[position.active] for hex in listed(wanted)
    ),
)
"""Hexes without enemies of whoever acts: their attackers may have advanced into them."""
FACTS = Facts(
    {"any": ANY, **OF_THE_TABLE, "empty": Fact(CLEARED, lambda position, _: position)},
    late={},
    has_happened=lambda _: False,
)


def outlives(before: Position, after: Position, order: Order, waits: bool) -> bool:
    """Nothing is kept when the enemy has the initiative: what was planned for one's own units was
    planned without what the enemy has done.
    """
    return False


WAITING: OrdersWait = OrdersWait(
    condition=Condition(FACTS, late=False, of="order"),
    kept=outlives,
    public=lambda position: position,
    for_example=lambda position: f"{{control: {{{_aim(position)}: {position.active}}}}}",
    told=(
        marked("behind done you can write your next activation: it is played if you keep the"),
        marked(
            "initiative; all that is left lapses when your enemy has it. With counters face down it"
        ),
        marked(
            "is sealed; a line 'ahead: open' beside 'orders:' sends it in clear, for fewer mails"
        ),
    ),
)


def _aim(position: Position) -> str:
    """A hex worth points, or any: what an order could wait for."""
    rows = position.plain["points"]
    found = (row["hex"] for row in rows if row["for"] == "control")
    return next(found, position.ground.hexes[0])

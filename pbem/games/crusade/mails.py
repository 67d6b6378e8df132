"""What an order leaves to be asked of its own author when the dice have fallen."""

from __future__ import annotations

from pbem.engine.model import Order
from pbem.games.crusade.orders import Attack


def left_open(order: Order) -> tuple[str, ...] | None:
    """What is asked of the author after the dice, and how to say it before; None: no dice fall."""
    if not isinstance(order, Attack):
        return None
    found = []
    if not order.losses:
        found.append(f"your losses at {order.space} (write losses: [...] in the attack)")
    if order.advance is None:
        found.append(f"your advance into {order.space} (write advance: {{...}} in the attack)")
    return tuple(found)

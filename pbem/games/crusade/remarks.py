"""What a player is told of an order that is legal, and may not do what they think it does."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Order, State
from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.attack import idle_in_ranking
from pbem.games.crusade.rules.losses import overruled
from pbem.games.crusade.stages.combat import Combats


def remarks(state: State[Position], order: Order) -> Iterator[str]:
    """Each in a sentence without its full stop. The order is legal for the stage on top."""
    stage = state.agenda[-1]
    if isinstance(order, Attack) and isinstance(stage, Combats):
        yield from _of_an_attack(state.position, stage, order)


def _of_an_attack(position: Position, stage: Combats, order: Attack) -> Iterator[str]:
    idle = idle_in_ranking(position, order)
    if idle:
        yield f"losses: no attacker is {' or '.join(idle)}, so that is passed over"
    combat, _ = stage.committed(position, order)
    first = overruled(position, combat)
    if first:
        units = " and ".join(first)
        yield f"losses: the first loss falls on {units} whatever the ranking says (11.3.6)"

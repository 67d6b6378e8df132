"""The basis of every policy: the time in the turn, and what both players see."""

from __future__ import annotations

from typing import Any

from pbem.engine.model import Decision, Order, State
from pbem.games.crusade.clock import now
from pbem.games.crusade.position import Position
from pbem.value import replace


def as_both_see(position: Position) -> Position:
    """The table without the knowledge of any single view."""
    return replace(position, secret={}) if position.secret else position


def is_of_the_attack(state: State[Any], decision: Decision) -> bool:
    """Whether a question is put to the attackers of a combat."""
    combat = state.position.combat
    return combat is not None and decision.side == combat.attacker


def leaves_losses_open(order: Order) -> bool:
    """Whether an order attacks without saying what is lost first."""
    return order.verb == "attack" and not getattr(order, "losses", ())


def this_round(position: Position) -> str:
    """The present round, as a policy names it."""
    turn, number = now(position)
    return f"turn {max(turn, 1)} round {number}"

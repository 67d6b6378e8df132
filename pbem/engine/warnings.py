"""Warnings: what is legal but unwise, and what threatens a side.

Nothing here is judged: a warning stops no order. It uses only what both players can work out.
"""

from __future__ import annotations

from typing import Any, Protocol

from pbem.engine.model import Order, Side, State
from pbem.messages import Said
from pbem.value import value


@value
class Danger:
    """Something that threatens a side, in a clause without its full stop, by a numbered rule.

    `is_pressing`: it comes true with the end of this turn, whoever brought it about.
    """

    message: Said
    rule: str = ""
    is_pressing: bool = False


class Warnings(Protocol):
    """The capability of a game that warns."""

    def dangers(self, state: State[Any], side: Side) -> tuple[Danger, ...]:
        """The dangers to a side in the current state. Those not there before an order are its
        effect.
        """
        return ()

    def unwise(self, state: State[Any], order: Order) -> tuple[Danger, ...]:
        """What a player may regret about an order that is legal in this state."""
        return ()


class NoWarnings(Warnings):
    """The null form: no warnings."""


NO_WARNINGS = NoWarnings()

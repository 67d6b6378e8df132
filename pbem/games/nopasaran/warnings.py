"""Warnings of what is legal but unwise (engine/warnings.py)."""

from __future__ import annotations

from pbem.engine.model import Order, Side, State
from pbem.engine.warnings import Danger, NoWarnings, Warnings
from pbem.games.nopasaran.orders import Finish
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import activation
from pbem.games.nopasaran.rules.naming import formation_called
from pbem.messages import a_few, say


class Warned(NoWarnings):
    """The capability."""

    def unwise(self, state: State[Position], order: Order) -> tuple[Danger, ...]:
        """The end of a side's day while more of its formations could act."""
        if not isinstance(order, Finish):
            return ()
        side: Side = state.agenda[-1].side  # type: ignore[attr-defined]
        position = state.position.seen(side)
        left = activation.formations(position, side)
        if not left:
            return ()
        told = say(
            "this ends your day, and these could still be activated: {formations}",
            formations=a_few(tuple(formation_called(position, each) for each in left)),
        )  # fmt: skip
        return (Danger(told, "5.3"),)


WARNED: Warnings = Warned()

"""Warnings of what is legal but unwise (engine/warnings.py)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Order, Side, State
from pbem.engine.warnings import Danger, Warnings
from pbem.games.nopasaran.orders import Finish, Fly
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import activation
from pbem.games.nopasaran.rules.naming import formation_called, place
from pbem.messages import a_few, say


class Warned(Warnings):
    """The capability."""

    def unwise(self, state: State[Position], order: Order) -> tuple[Danger, ...]:
        """The end of a side's day while more of its formations could act, and bombs on its own."""
        if isinstance(order, Fly):
            return tuple(_on_its_own(state, order))
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


def _on_its_own(state: State[Position], order: Fly) -> Iterator[Danger]:
    """Bombs on hexes in which the units lie of whoever sends them."""
    side: Side = state.agenda[-1].side  # type: ignore[attr-defined]
    for hex in dict.fromkeys(flight.bomb for flight in order.missions.values()):
        if hex and state.position.holder(hex) == side:
            yield Danger(say("your own units are in {hex}", hex=place(state.position, hex)),
                         "7.3.3")  # fmt: skip


WARNED: Warnings = Warned()

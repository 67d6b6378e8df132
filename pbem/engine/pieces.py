"""What a game does with counters that lie face down, and with lists written in secret.

A counter face down is a slot of a sealed deck (`hidden.py`), and everything in a game file names it
by that slot, its tag: both players see it, follow it and count it, and only its owner knows its
face. Players write the names of their counters; their program puts the tags in their place
(`Hidden.worded`). `facedown.py` keeps the books of it; a game says what counters could do.

A game has one duty here: what is legal with all faces known must be possible for the counter, as
far as the other player can tell. Otherwise an honest player could not show what they moved. And the
other way round, no rule punishes what one could not know: a player's order that breaks a rule only
because of what the enemy hides is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pbem.engine.model import Order, Side, State
from pbem.messages import Said
from pbem.value import value

if TYPE_CHECKING:
    from pbem.engine.hidden import Slots


@value
class SaidOf:
    """What a player has said of counters that still lie face down: the places of these, one for
    each, and what was said. What `holds` may be refuted when they are shown, else by an audit
    alone.
    """

    places: tuple[Said, ...]
    what: Said
    holds: bool = True


class Pieces(Protocol):
    """The capability of a game with counters face down, or with sealed lists."""

    def decks(self, position: Any) -> frozenset[str]:
        """The decks whose cards are counters in play."""
        return frozenset()

    def groups(self, position: Any) -> Mapping[str, tuple[int, ...]]:
        """The sizes of the groups of each epoch (`deck/epoch`) in which counters were mixed."""
        return {}

    def meant(self, position: Any, order: Order) -> Order:
        """An order with the present name of each counter that it names by an older tag."""
        return order

    def misfit(self, state: State[Any], slot: str, card: str) -> Said:
        """Why the card of a slot, which is proven to be in it, cannot be there by the rules of the
        game, or cannot be shown yet; empty if it can.
        """
        return ""

    def owes(self, state: State[Any], side: Side) -> Slots:
        """The hidden slots of a side that its player must open in their next entry, although
        nothing waits for them; none while new tags are to be put back where counters lay.
        """
        return ()

    def listed(self, state: State[Any], side: Side, order: Order) -> tuple[Any, ...]:
        """The items that an order puts on the list that is asked for, by place: plain values, as
        many as the list has places, None where nothing is.
        """
        return ()

    def said(self, position: Any, side: Side) -> tuple[SaidOf, ...]:
        """All that the player of a side has said of its counters that still lie face down: as
        answers, and with orders.
        """
        return ()

    def said_with(self, position: Any, order: Order) -> tuple[Said, ...]:
        """What an order says openly of its author's counters face down, as their program writes it:
        in words, each statement for itself.
        """
        return ()


class NoPieces(Pieces):
    """The null form: no counter lies face down, and nothing is written in secret."""


NO_PIECES = NoPieces()

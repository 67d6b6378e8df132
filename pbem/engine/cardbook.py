"""The cards of a game in words, and their current uses."""

from __future__ import annotations

from typing import Any, Protocol

from pbem.engine.model import Event, Side, State, Violation
from pbem.messages import Said
from pbem.value import value


@value
class CardFace:
    """A card as it is printed, described in our own words."""

    id: str
    title: Said
    side: Side
    kind: Said
    """What sort of card it is: "combat card, War of the Columns"."""
    worth: Said
    """Its figures, for example "operations 2, redeployment 1"."""
    text: tuple[Said, ...]
    """Its effect and its limits, a paragraph each."""
    copies: tuple[str, ...] = ()
    """The ids of the single copies, if there are several."""


@value
class CardUse:
    """A use of a card in the player's own hand; `against` says why it is not possible now."""

    name: Said
    against: tuple[Violation, ...]


class Cardbook(Protocol):
    """The capability of a game with cards, chits or whatever is held in a hand."""

    word: Said = ""
    """What one is called, in the singular; empty in a game that has none."""

    def faces(self) -> tuple[CardFace, ...]:
        """Every card of the game, in the order in which they are listed."""
        return ()

    def lies(self, position: Any, card: str, viewer: Side | None) -> Said:
        """Where a card is, as far as the player of a side knows (None: as far as both players
        know).
        """
        return ""

    def uses(self, state: State[Any], side: Side, card: str) -> tuple[CardUse, ...]:
        """The uses of a card that this view knows to be in the side's hand.

        They are judged as if the side's player were asked for a card now. None for a card that is
        not in that hand.
        """
        return ()

    def is_asked(self, state: State[Any], side: Side) -> bool:
        """Whether the side's player is asked for a card now."""
        return False

    def played(self, event: Event[Any]) -> tuple[str, ...]:
        """The cards that an event plays: both players know them from then on."""
        return ()


class NoCards(Cardbook):
    """The null form: a game without cards."""


NO_CARDS = NoCards()

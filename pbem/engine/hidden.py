"""What a game hides from one of its players, and what it takes to show it.

Hidden things are in slots, each named `deck/epoch/place`. Both players know the slots; which card
is in one, its owner knows and the other player learns when it is opened. A view is a position
that knows the cards of some slots: what is public of it is the same in every view.

A game has one duty here that no program can take from it. An audit plays the game again in the view
that knows a player's cards. So whatever that view refuses and the public one takes (a card that
must be played, and was withheld) must have been in that player's hands at the time: they saw their
cards, and gave the order then. Orders are also given ahead, and fall at a later question, perhaps
behind a draw or an attack nobody could foresee. A rule that needs the hidden cards may therefore
refuse only what answers the question its author was then asked, or is named by the order itself; it
must let a null answer given ahead of its question pass, or ask for it again. Else an honest
player's audit fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.model import Event, Order, Side, Stage, State

Slots = tuple[str, ...]
Epoch = tuple[str, Side, int, tuple[str, ...]]
"""Cards that were laid together: their deck, its owner, the number of the epoch, sorted cards."""


class Hidden(Protocol):
    """The capability of a game in which something is hidden."""

    @property
    def open_option(self) -> str:
        """The option with which nothing is hidden; empty where nothing ever is."""

    def laid(self, position: Any) -> tuple[Epoch, ...]:
        """Every epoch laid so far, in the order laid; none where the players hide nothing."""

    def hand(self, position: Any, side: Side) -> Slots:
        """The slots in a side's hand, by deck, epoch and place."""

    def known(self, position: Any) -> Mapping[str, str]:
        """The slots whose card both players know, with these cards."""

    def looks_at(self, state: State[Any], side: Side) -> Slots:
        """The slots whose cards a side's player may look at: the hand, and what lies face down.

        And what the present question lets the player choose from.
        """

    def must_show(self, state: State[Any]) -> Slots:
        """The hidden slots which the present question leaves no choice but to open."""

    def shows(self, state: State[Any], side: Side, order: Order) -> Slots:
        """The hidden slots of a side's hand that its order needs open, for all this view knows."""

    def worded(self, state: State[Any], side: Side, order: Order) -> Order:
        """The order of a side as the file holds it: cards that stay hidden are named by slots."""

    def openings(self, position: Any, cards: Mapping[str, str]) -> tuple[Event[Any], ...]:
        """What it means that these slots are opened to both players."""

    def informed(self, position: Any, cards: Mapping[str, str]) -> Any:
        """The view of whoever also knows the cards of these slots; the questions are the same."""

    def supposed(self, position: Any, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
        """Slots of a side's hand that this view does not know, with cards that may be in them.

        Of `cards` those that can be there; what is left of the slots stays unknown.
        """

    def renumbered(self, position: Any, used: Mapping[str, int]) -> Any:
        """The position, whose decks lay their next epochs of cards behind these numbers."""

    def renewed(
        self, state: State[Any], side: Side
    ) -> tuple[tuple[Event[Any], ...], tuple[Stage[Any], ...]]:
        """What happens, and the agenda then, when a side's player goes on with new secrets.

        All its hidden cards are laid again, and as many as were in the hand are drawn first of all.
        """


class NothingHidden:
    """The null form: a game in which both players see everything."""

    open_option = ""

    def laid(self, position: Any) -> tuple[Epoch, ...]:
        return ()

    def hand(self, position: Any, side: Side) -> Slots:
        return ()

    def known(self, position: Any) -> Mapping[str, str]:
        return {}

    def looks_at(self, state: State[Any], side: Side) -> Slots:
        return ()

    def must_show(self, state: State[Any]) -> Slots:
        return ()

    def shows(self, state: State[Any], side: Side, order: Order) -> Slots:
        return ()

    def worded(self, state: State[Any], side: Side, order: Order) -> Order:
        return order

    def openings(self, position: Any, cards: Mapping[str, str]) -> tuple[Event[Any], ...]:
        return ()

    def informed(self, position: Any, cards: Mapping[str, str]) -> Any:
        return position

    def supposed(self, position: Any, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
        return {}

    def renumbered(self, position: Any, used: Mapping[str, int]) -> Any:
        return position

    def renewed(
        self, state: State[Any], side: Side
    ) -> tuple[tuple[Event[Any], ...], tuple[Stage[Any], ...]]:
        return (), state.agenda


NOTHING_HIDDEN = NothingHidden()

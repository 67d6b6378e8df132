"""What a game hides from one of its players, and how it is shown.

Hidden things are in slots, each named `deck/epoch/place`. Both players know the slots. The owner
knows which card is in a slot; the other player learns it when the slot is opened. A view is a
position that knows the cards of some slots; what is public in it is the same in every view.

A game has one duty here that no program can take from it. An audit plays the game again in the view
that knows a player's cards. So whatever that view refuses although the public one accepts it (a
card that had to be played, and was withheld) must have been that player's own decision: they saw
their cards and gave the order then. But orders are also given ahead, and may answer a later
question, after an unforeseeable draw or attack. A rule that needs the hidden cards may therefore
refuse only what answers the question its author was asked at the time, or what the order itself
names. It must allow, or ask again for, an order such as `pass` that was given before its question
came up. Otherwise the audit of an honest player fails.

The other way round, an order may need cards that were not open when its turn came (a second
`redraw` of a hand dealt meanwhile). It has lapsed, and does so in every view: `shows` says what it
needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.model import Event, Order, Side, Stage, State, Violation

Slots = tuple[str, ...]
When = Mapping[str, Any]
"""What an order waits for, as the file has it."""
Epoch = tuple[str, Side, int, tuple[str, ...]]
"""Cards that were laid together: their deck, its owner, the number of the epoch, sorted cards."""


class Hidden(Protocol):
    """The capability of a game in which something is hidden."""

    @property
    def open_option(self) -> str:
        """The option with which nothing is hidden; empty if nothing ever is."""
        return ""

    def laid(self, position: Any) -> tuple[Epoch, ...]:
        """Every epoch laid so far, in that order; empty if nothing is hidden."""
        return ()

    def hand(self, position: Any, side: Side) -> Slots:
        """The slots in a side's hand, by deck, epoch and place."""
        return ()

    def known(self, position: Any) -> Mapping[str, str]:
        """The slots whose card both players know, with these cards."""
        return {}

    def looks_at(self, state: State[Any], side: Side) -> Slots:
        """The slots whose cards a side's player may look at: the hand, cards face down on the
        table, and what the present question lets the player choose from.
        """
        return ()

    def must_show(self, state: State[Any]) -> Slots:
        """The hidden slots that the present question requires to be opened, without any choice."""
        return ()

    def shows(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order] = (),
        when: When | None = None,
    ) -> Slots:  # fmt: skip
        """The hidden slots of a side's hand that its order opens, as far as this view knows.
        `before` are the orders of the same entry that are still to be carried out before it,
        `when` is what it waits for.
        """
        return ()

    def worded(
        self, state: State[Any], side: Side, order: Order, given: Sequence[Order] = (),
        when: When | None = None,
    ) -> Order:  # fmt: skip
        """A side's order as it is written to the file: cards that stay hidden are named by slot.
        `given` are the orders of the same entry that are still to be carried out, itself among
        them; `when` is what it waits for.
        """
        return order

    def doubts(self, state: State[Any], order: Order) -> tuple[Violation, ...]:
        """Why an order given ahead lapses although it is legal by what both players know: what
        its author hides might make it illegal. The same in every view; `order` is as it is written
        to the file, by the names of now.
        """
        return ()

    def openings(self, position: Any, cards: Mapping[str, str]) -> tuple[Event[Any], ...]:
        """The events when these slots are opened to both players."""
        return ()

    def informed(self, position: Any, cards: Mapping[str, str]) -> Any:
        """The view that also knows the cards of these slots; the questions stay the same."""
        return position

    def supposed(self, position: Any, side: Side, cards: Sequence[str]) -> Mapping[str, str]:
        """A guess at the hidden slots of a side's hand, taken from `cards`.

        Only cards that can be there are used; the slots that remain stay unknown.
        """
        return {}

    def renumbered(self, position: Any, used: Mapping[str, int]) -> Any:
        """The position with its decks numbered so that their next epochs come after these."""
        return position

    def renewed(
        self, state: State[Any], side: Side
    ) -> tuple[tuple[Event[Any], ...], tuple[Stage[Any], ...]]:
        """The events and the agenda when a side's player goes on with new secrets.

        All its hidden cards are laid again, and as many as were in the hand are drawn first of all.
        """
        return (), state.agenda


class NothingHidden(Hidden):
    """The null form: a game in which both players see everything."""


NOTHING_HIDDEN = NothingHidden()

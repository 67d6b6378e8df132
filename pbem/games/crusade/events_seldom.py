"""The events that an ordinary round does without: decks that are set up, what ends a turn, beach
heads, prizes and optional rules (events.py has the others).
"""

from __future__ import annotations

from pbem.engine.model import Event, Side
from pbem.games.crusade.events import slot_order
from pbem.games.crusade.position import ABROAD, REMOVED, Position, without
from pbem.games.crusade.tables import INITIAL
from pbem.value import value


@value
class DeckLaid(Event[Position]):
    """A draw pile of a new epoch: slots that are still to be drawn (2.3, 15.1).

    `cards` are the cards of the slots, in slot order; if `sealed`, they are sorted, and only their
    owner knows where each of them is.
    """

    side: Side
    epoch: int
    slots: tuple[str, ...]
    cards: tuple[str, ...] = ()
    sealed: bool = False

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        if self.sealed:
            unseen = tuple(sorted((*deck.unseen, *self.cards)))
            epoch = (INITIAL[self.side].lower(), self.side, self.epoch, self.cards)
            position = position.with_deck(self.side, unseen=unseen)
            position = position.but(laid=(*position.laid, epoch))
        else:
            known = {**position.known, **dict(zip(self.slots, self.cards, strict=False))}
            position = position.but(known=known)
        return position.with_deck(self.side, pile=(*deck.pile, *self.slots), epoch=self.epoch)


@value
class CardTakenOut(Event[Position]):
    """A card that the scenario counts as played and removed before its first turn (19.x.6)."""

    side: Side
    card: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        position = position.but(played=position.played | {self.card})
        return position.with_deck(self.side, removed=(*deck.removed, self.card))


@value
class CardDealt(Event[Position]):
    """A card the scenario puts into a hand openly (4.3.1)."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        hand = (*position.decks[self.side].hand, self.slot)
        position = position.but(known={**position.known, self.slot: self.card})
        return position.with_deck(self.side, hand=hand)


@value
class DiscardsTaken(Event[Position]):
    """The discard pile is taken up to be shuffled into a new epoch (6.0 A.3, 15.1).

    Face-down discards go into the draw pile slot by slot: draws run over all of it.
    """

    side: Side

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        pile = tuple(sorted((*deck.pile, *deck.face_down), key=slot_order))
        return position.with_deck(self.side, discards=(), face_down=(), pile=pile)


@value
class PileTaken(Event[Position]):
    """The rest of a draw pile is taken up to be shuffled into a new epoch (15.1).

    With sealed hands only if no card is left in the hand: the pile's contents are then known.
    """

    side: Side

    def apply(self, position: Position) -> Position:
        return position.with_deck(self.side, pile=(), unseen=())


@value
class HandReturned(Event[Position]):
    """A hand without a corps card is shown and goes back into the draw pile (15.1.2)."""

    side: Side
    cards: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.with_deck(self.side, hand=())


@value
class HandCardDiscarded(Event[Position]):
    """A card is discarded from the hand (6.0 A.2)."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        hand = tuple(slot for slot in deck.hand if slot != self.slot)
        position = position.with_shown(self.side, self.slot, self.card)
        return position.with_deck(self.side, hand=hand, discards=(*deck.discards, self.card))


@value
class CardsBuried(Event[Position]):
    """Cards of the hand are discarded face down: the enemy sees only their slots (18.3.2)."""

    side: Side
    slots: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        hand = tuple(slot for slot in deck.hand if slot not in self.slots)
        face_down = tuple(sorted((*deck.face_down, *self.slots), key=slot_order))
        return position.with_deck(self.side, hand=hand, face_down=face_down)


@value
class CardsRetired(Event[Position]):
    """Sealed cards that a player did not choose leave the game unseen (18.5)."""

    side: Side
    slots: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        hand = tuple(slot for slot in deck.hand if slot not in self.slots)
        pile = tuple(slot for slot in deck.pile if slot not in self.slots)
        retired = (*deck.retired, *self.slots)
        return position.with_deck(self.side, hand=hand, pile=pile, retired=retired)


@value
class CardBroughtBack(Event[Position]):
    """A card out of the game is shuffled in again with a new phase (18.3.5)."""

    side: Side
    card: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        removed = tuple(card for card in deck.removed if card != self.card)
        return position.with_deck(self.side, removed=removed)


@value
class MilitiaConverted(Event[Position]):
    """Militia become a Popular Army division of the same strength (15.2.3)."""

    militia: str
    regulars: str

    def apply(self, position: Position) -> Position:
        old = position.counters[self.militia]
        return position.with_unit(self.regulars, old.place, old.reduced).with_unit(
            self.militia, REMOVED
        )


@value
class UnitExchanged(Event[Position]):
    """A unit replaces another at the same strength; the other leaves the game."""

    old: str
    new: str

    def apply(self, position: Position) -> Position:
        counter = position.counters[self.old]
        return position.with_unit(self.new, counter.place, counter.reduced).with_unit(
            self.old, REMOVED
        )


@value
class UnitsShuffled(Event[Position]):
    """Units of an area are dealt over its places again (18.3.9): unit, place, reduced."""

    side: Side
    area: str
    units: tuple[tuple[str, str, bool], ...]

    def apply(self, position: Position) -> Position:
        for unit, place, reduced in self.units:
            position = position.with_unit(unit, place, reduced)
        return position


@value
class WearRolled(Event[Position]):
    """The die of 19.5.5.1, and the losses for each side."""

    die: int
    losses: int


@value
class UnitRestored(Event[Position]):
    """A reduced unit takes a replacement step (14.1.3)."""

    unit: str

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, reduced=False)


@value
class UnitWentAbroad(Event[Position]):
    """A corps crosses the border by Special SR and comes back in turn `back` (13.4.3)."""

    unit: str
    back: int

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, ABROAD, True).but(
            returning={**position.returning, self.unit: self.back}
        )


@value
class MarkersChanged(Event[Position]):
    """The enemy captures markers of a side, or some are rebuilt (18.2.10)."""

    side: Side
    count: int

    def apply(self, position: Position) -> Position:
        name = f"captured_{self.side}"
        left = position.lost_forts.get(name, 0) + self.count
        lost = without(position.lost_forts, name)
        return position.but(lost_forts={**lost, name: left} if left else lost)


@value
class IsolationEnded(Event[Position]):
    """An Isolated Space loses its marker (16.2.2)."""

    space: str

    def apply(self, position: Position) -> Position:
        return position.but(isolated=position.isolated - {self.space})


@value
class BeachHeadPlaced(Event[Position]):
    """A Beach Head marker makes a space of its own, connected to `leads_to`."""

    space: str
    leads_to: str
    side: Side

    def apply(self, position: Position) -> Position:
        position = position.but(beach_heads={**position.beach_heads, self.space: self.leads_to})
        return position.with_control(self.space, self.side)


@value
class BeachHeadRemoved(Event[Position]):
    """A Beach Head is removed with its space."""

    space: str

    def apply(self, position: Position) -> Position:
        return position.without_space(self.space)


@value
class DeadlineSet(Event[Position]):
    """A condition must be met before the War Status Phase of `turn`."""

    what: str
    turn: int

    def apply(self, position: Position) -> Position:
        return position.but(deadlines={**position.deadlines, self.what: self.turn})


@value
class BonusPlaced(Event[Position]):
    """A strategic counterattack marker (8.5.5.4)."""

    space: str
    card: str

    def apply(self, position: Position) -> Position:
        return position.but(bonuses={**position.bonuses, self.space: self.card})


@value
class BonusLost(Event[Position]):
    """The marker is recaptured and destroyed (8.5.5.5)."""

    space: str

    def apply(self, position: Position) -> Position:
        return position.but(bonuses=without(position.bonuses, self.space))


@value
class ReplacementsWithheld(Event[Position]):
    """Points on a played card that are not recorded, in halves (14.1.1.1, card R49)."""

    currency: str
    halves: int


@value
class ReplacementsSpent(Event[Position]):
    """Replacement points are spent, counted in halves."""

    currency: str
    halves: int

    def apply(self, position: Position) -> Position:
        return position.but(
            rp={**position.rp, self.currency: position.rp.get(self.currency, 0) - self.halves}
        )


@value
class ReplacementsAdjusted(Event[Position]):
    """Recorded points change before they are spent; `why` are cards, and reasons the log knows."""

    currency: str
    halves: int
    why: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(
            rp={**position.rp, self.currency: position.rp.get(self.currency, 0) + self.halves}
        )


@value
class ReplacementsLapsed(Event[Position]):
    """Unspent points are lost (14.1.2)."""

    currencies: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(rp=without(position.rp, *self.currencies))


@value
class GuerrillaSent(Event[Position]):
    """The effect of the guerrilla corps this turn (18.1.9): guerrilla, intelligence or sabotage."""

    effect: str
    space: str = ""

    def apply(self, position: Position) -> Position:
        old = {flag for flag in position.flags if flag.startswith("guerrilla_")}
        marks = {"sabotage"} if self.effect == "sabotage" else set()
        if self.space:
            marks.add(f"guerrilla_in_{self.space}")
        return position.but(
            flags=position.flags - old | {f"guerrilla_{self.effect}_{position.turn}"},
            turn_marks=position.turn_marks | marks,
        )


@value
class IntelligenceRolled(Event[Position]):
    """The die of the guerrillas' intelligence; `shown` cards are seen, `lost` are discarded."""

    die: int
    shown: int
    lost: int


@value
class LandingRolled(Event[Position]):
    """The die of 18.2.11 for Plan P; if it fails, the card counts as operations."""

    die: int
    modified: int
    success: bool

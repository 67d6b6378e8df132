"""One frozen dataclass for each kind of event; only `apply` changes the position.

Events contain ids and numbers; narrative.py writes the prose. Those that an ordinary round does
without are in events_seldom.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.board.ledger import Ledger
from pbem.engine.model import Event, Side
from pbem.games.crusade.position import (
    ELIMINATED,
    REMOVED,
    RESERVE,
    Combat,
    Fort,
    Position,
    without,
)
from pbem.value import value

# --- time ---------------------------------------------------------------------------------------


@value
class TurnBegan(Event[Position]):
    """A turn begins; rounds and marks of the previous one are cleared."""

    turn: int

    def apply(self, position: Position) -> Position:
        return position.but(turn=self.turn, round=0, segment="", actions={}, turn_marks=frozenset())


@value
class RoundBegan(Event[Position]):
    """A side begins a round, its `number` from 1."""

    side: Side
    number: int

    def apply(self, position: Position) -> Position:
        return position.but(active=self.side, round=self.number, segment="")


@value
class ActionRecorded(Event[Position]):
    """The action of this round: operations, automatic, redeployment, replacements or event."""

    side: Side
    action: str

    def apply(self, position: Position) -> Position:
        done = (*position.actions.get(self.side, ()), self.action)
        return position.but(actions={**position.actions, self.side: done})


@value
class RoundEnded(Event[Position]):
    """Retreated markers are removed; retained cards may be used again next round."""

    side: Side
    number: int

    def apply(self, position: Position) -> Position:
        return position.but(retreated=frozenset(), used_table=frozenset())


@value
class SegmentBegan(Event[Position]):
    """A phase or segment of the turn that is not an Action Round (a heading for the log)."""

    name: str

    def apply(self, position: Position) -> Position:
        return position.but(segment=self.name)


@value
class GameEnded(Event[Position]):
    """The game ends. `winner` is a side or `draw`."""

    winner: str
    reason: str
    ends_the_game = True

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))


# --- cards --------------------------------------------------------------------------------------


@value
class CardOpened(Event[Position]):
    """A player shows and proves a card of their hand; it stays in the hand (protocol 2.7.4)."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        return position.with_shown(self.side, self.slot, self.card)


@value
class CardsDrawn(Event[Position]):
    """Cards are drawn from the pile into the hand; only their slots are known."""

    side: Side
    slots: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        pile = tuple(slot for slot in deck.pile if slot not in self.slots)
        hand = tuple(sorted((*deck.hand, *self.slots), key=slot_order))
        return position.with_deck(self.side, pile=pile, hand=hand)


@value
class HiddenCardsTaken(Event[Position]):
    """A side's hidden cards are collected to be dealt again, because its player has new secrets.

    `held` of them were in the hand. Cards of hand and pile that both know stay there.
    """

    side: Side
    held: int

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        hand = tuple(slot for slot in deck.hand if slot in position.known)
        pile = tuple(slot for slot in deck.pile if slot in position.known)
        laid = tuple(epoch for epoch in position.laid if epoch[1] != self.side)
        position = position.but(laid=laid)
        return position.with_deck(
            self.side, hand=hand, pile=pile, unseen=(), face_down=(), retired=()
        )


@value
class CardPlayed(Event[Position]):
    """A card leaves the hand for a use: operations, redeployment, replacements, event or combat.

    CardDiscarded, CardRemoved or CardRetained says where it goes then.
    """

    side: Side
    slot: str
    card: str
    use: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        hand = tuple(slot for slot in deck.hand if slot != self.slot)
        position = position.with_shown(self.side, self.slot, self.card)
        if self.use == "event":
            position = position.but(played=position.played | {self.card})
        return position.with_deck(self.side, hand=hand)


@value
class RetainedCardUsed(Event[Position]):
    """A retained combat card is used in this round's combat (8.5.3.4)."""

    side: Side
    card: str

    def apply(self, position: Position) -> Position:
        return position.but(used_table=position.used_table | {self.card})


@value
class CardReturned(Event[Position]):
    """A committed combat card goes back to the hand, now known (the combat was called off)."""

    side: Side
    slot: str

    def apply(self, position: Position) -> Position:
        hand = tuple(sorted((*position.decks[self.side].hand, self.slot), key=slot_order))
        return position.with_deck(self.side, hand=hand)


@value
class CardDiscarded(Event[Position]):
    """A used or retained card goes on top of the discards."""

    side: Side
    card: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        table = tuple(card for card in deck.table if card != self.card)
        discards = (*deck.discards, self.card)
        return position.with_deck(self.side, discards=discards, table=table)


@value
class CardRemoved(Event[Position]):
    """A card leaves the game."""

    side: Side
    card: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        table = tuple(card for card in deck.table if card != self.card)
        return position.with_deck(self.side, removed=(*deck.removed, self.card), table=table)


@value
class CardRetained(Event[Position]):
    """A combat card of the winner stays face up for later rounds of the turn (8.5.3.2)."""

    side: Side
    card: str

    def apply(self, position: Position) -> Position:
        deck = position.decks[self.side]
        table = (*(card for card in deck.table if card != self.card), self.card)
        return position.with_deck(self.side, table=table).but(
            used_table=position.used_table | {self.card}
        )


@value
class HandShown(Event[Position]):
    """The other side sees a whole hand (N32, R27)."""

    side: Side
    slots: tuple[str, ...]


@value
class CardsSeen(Event[Position]):
    """The other side sees some cards of a hand, which stay face up for the turn."""

    side: Side
    slots: tuple[str, ...]


# --- units --------------------------------------------------------------------------------------


@value
class UnitPlaced(Event[Position]):
    """A unit enters play, or returns, at a place and with a strength."""

    unit: str
    place: str
    reduced: bool = False

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, self.place, self.reduced).but(
            returning=without(position.returning, self.unit)
        )


@value
class StackMoved(Event[Position]):
    """Units move together along a path; SpaceTaken changes the control of what they cross."""

    units: tuple[str, ...]
    path: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        for unit in self.units:
            position = position.with_unit(unit, self.path[-1])
        return position


@value
class UnitRedeployed(Event[Position]):
    """Strategic Redeployment: `by` is land, sea, from_reserve, to_reserve, border."""

    unit: str
    to: str
    by: str

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, self.to)


@value
class UnitRetreated(Event[Position]):
    """A unit retreats space by space; `path` does not include its first space."""

    unit: str
    path: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        was_guest = position.is_abroad(self.unit)
        position = position.with_unit(self.unit, self.path[-1])
        strays = position.is_abroad(self.unit) and not was_guest
        return position.but(
            retreated=position.retreated | {self.unit},
            strayed=position.strayed | {self.unit} if strays else position.strayed,
        )


@value
class UnitAdvanced(Event[Position]):
    """One space of an advance after combat; units that advance leave the combat."""

    unit: str
    to: str

    def apply(self, position: Position) -> Position:
        position = position.with_unit(self.unit, self.to)
        origins = without(position.fought.origins, self.unit)
        return position.with_combat(origins=origins)


@value
class UnitReduced(Event[Position]):
    """A full unit loses a step."""

    unit: str

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, reduced=True)


@value
class UnitEliminated(Event[Position]):
    """A unit leaves the map: to the Eliminated Box, or out of the game if `for_good`.

    `why` is the rule that takes it for good, where it is not plain from what was just told.
    """

    unit: str
    for_good: bool = False
    why: str = ""

    def apply(self, position: Position) -> Position:
        place = REMOVED if self.for_good else ELIMINATED
        return position.with_unit(self.unit, place).but(retreated=position.retreated - {self.unit})


@value
class CorpsReplaced(Event[Position]):
    """A division of the Reserve Box replaces an eliminated corps (11.3.5)."""

    corps: str
    division: str
    space: str

    def apply(self, position: Position) -> Position:
        combat = position.combat
        if combat is not None and self.corps in combat.origins:
            origins = {**combat.origins, self.division: self.space}
            position = position.with_combat(origins=origins)
        # A corps is in another region only after a retreat (16.4.2.2), and so is its replacement.
        position = position.with_unit(self.division, self.space)
        if not position.is_abroad(self.division):
            return position
        return position.but(strayed=position.strayed | {self.division})


@value
class FirstLossOwed(Event[Position]):
    """Units that owe the first loss take it, against the ranking; a rule or a card says so."""

    units: tuple[str, ...]
    rule: str


@value
class StepSpared(Event[Position]):
    """An event restores a step that a unit has just lost (R45)."""

    unit: str


@value
class UnitDisbanded(Event[Position]):
    """An event removes a unit from the game, wherever it is, without a fight."""

    unit: str

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, REMOVED).but(
            retreated=position.retreated - {self.unit}
        )


@value
class UnitSentToReserve(Event[Position]):
    """A unit goes into the Reserve Box at its current strength."""

    unit: str

    def apply(self, position: Position) -> Position:
        return position.with_unit(self.unit, RESERVE)


# --- ground -------------------------------------------------------------------------------------


@value
class SpaceTaken(Event[Position]):
    """Control of a space passes to a side; other events have its effects."""

    space: str
    side: Side

    def apply(self, position: Position) -> Position:
        return position.with_control(self.space, self.side)


@value
class FortBuilt(Event[Position]):
    """A Position or Trench marker is placed; one already there is replaced."""

    space: str
    fort: Fort

    def apply(self, position: Position) -> Position:
        return position.but(
            forts={**position.forts, self.space: self.fort},
            digging=without(position.digging, self.space),
        )


@value
class DiggingFailed(Event[Position]):
    """A failed roll; `stored` is the modifier that now helps the next one (10.2.2, 10.2.4)."""

    space: str
    stored: int

    def apply(self, position: Position) -> Position:
        return position.but(digging={**position.digging, self.space: self.stored})


@value
class DiggingAbandoned(Event[Position]):
    """The stored modifier is lost: no friendly unit is there, or what was built is gone."""

    space: str

    def apply(self, position: Position) -> Position:
        return position.but(digging=without(position.digging, self.space))


@value
class FortRemoved(Event[Position]):
    """A marker is removed from the map. A special Trench never returns (10.2.9)."""

    space: str

    def apply(self, position: Position) -> Position:
        special = position.forts[self.space].special
        lost = position.lost_forts
        if special:
            lost = {**lost, special: lost.get(special, 0) + 1}
        return position.but(forts=without(position.forts, self.space), lost_forts=lost)


@value
class SiegeChanged(Event[Position]):
    """The resistance of a siege changes to `resistance`."""

    siege: str
    resistance: int

    def apply(self, position: Position) -> Position:
        return position.but(sieges={**position.sieges, self.siege: self.resistance})


@value
class SiegeEnded(Event[Position]):
    """A siege ends. `how` is liberated or surrendered."""

    siege: str
    how: str

    def apply(self, position: Position) -> Position:
        return position.but(sieges=without(position.sieges, self.siege))


# --- score and lasting facts --------------------------------------------------------------------


@value
class ScoreChanged(Event[Position]):
    """Victory Points and Republican Morale change.

    `why` is a reason known to the log, `of` the id of its subject, or empty.
    """

    vp: int
    rm: int
    why: str
    of: str = ""

    def apply(self, position: Position) -> Position:
        return position.but(vp=position.vp + self.vp, rm=position.rm + self.rm)


@value
class FlagSet(Event[Position]):
    """A lasting fact begins: strait_nationalist, axis_aid, madrid_attacked, ..."""

    flag: str

    def apply(self, position: Position) -> Position:
        return position.with_flag(self.flag)


@value
class FlagCleared(Event[Position]):
    """A lasting fact ends."""

    flag: str

    def apply(self, position: Position) -> Position:
        return position.with_flag(self.flag, on=False)


@value
class TurnMarkSet(Event[Position]):
    """A fact that lasts until the end of the turn."""

    mark: str

    def apply(self, position: Position) -> Position:
        return position.but(turn_marks=position.turn_marks | {self.mark})


@value
class TurnMarkUsed(Event[Position]):
    """The single use that a mark of the turn allowed is spent."""

    mark: str

    def apply(self, position: Position) -> Position:
        return position.but(turn_marks=position.turn_marks - {self.mark})


@value
class ReplacementsRecorded(Event[Position]):
    """Replacement points go on the track, in halves."""

    currency: str
    halves: int

    def apply(self, position: Position) -> Position:
        return position.but(
            rp={**position.rp, self.currency: position.rp.get(self.currency, 0) + self.halves}
        )


# --- orders that change nothing on the table but are told -----------------------------------------


@value
class SpacesActivated(Event[Position]):
    """Spaces are activated for movement and for combat; the stage keeps them."""

    side: Side
    move: tuple[str, ...]
    attack: tuple[str, ...]


@value
class DigRolled(Event[Position]):
    """The die of a Position or Trench attempt; `modified` includes the stored modifier."""

    space: str
    unit: str
    kind: str
    die: int
    modified: int


@value
class AttackDeclared(Event[Position]):
    """An attack is declared, with the units on both sides."""

    side: Side
    space: str
    attackers: tuple[str, ...]
    origins: tuple[str, ...]
    defenders: tuple[str, ...]
    armor: str = ""


@value
class CombatBegan(Event[Position]):
    """A combat begins, with what was ordered for it; CardsCommitted has the cards."""

    combat: Combat

    def apply(self, position: Position) -> Position:
        return position.but(combat=self.combat)


@value
class CombatEnded(Event[Position]):
    """The combat is over."""

    def apply(self, position: Position) -> Position:
        return position.but(combat=None)


@value
class CardsCommitted(Event[Position]):
    """A side commits cards to the combat; `slots` of those from its hand."""

    side: Side
    cards: tuple[str, ...]
    slots: Mapping[str, str]

    def apply(self, position: Position) -> Position:
        return position.but(combat=position.fought.with_cards(self.side, self.cards, self.slots))


@value
class AttackCalledOff(Event[Position]):
    """A card ended the combat before any die (N7; N14 against a lone unit)."""

    space: str
    card: str


@value
class FireResolved(Event[Position]):
    """One side's fire: strength, table and column after shifts, die, DRM, and the Loss Number.

    Each shift and each DRM is a name and a number; for a card, the name is its id.
    """

    side: Side
    strength: int
    table: str
    column: str
    shifts: Ledger
    die: int
    drms: Ledger
    modified: int
    loss_number: int

    def apply(self, position: Position) -> Position:
        return position.with_fire(self.side, self.loss_number)


@value
class FireForgone(Event[Position]):
    """A side inflicts nothing: all its units were eliminated before their die (R7)."""

    side: Side

    def apply(self, position: Position) -> Position:
        return position.with_fire(self.side, 0)


@value
class LossesTaken(Event[Position]):
    """A side has met its Loss Number; `worn` are surviving defenders that lost a step."""

    side: Side
    worn: tuple[str, ...] = ()

    def apply(self, position: Position) -> Position:
        suffered = (*position.fought.suffered, self.side)
        return position.with_combat(suffered=suffered, worn=self.worn or position.fought.worn)


@value
class CombatDecided(Event[Position]):
    """A combat is decided. `winner` is a side, or empty if both lost."""

    space: str
    winner: str
    by_attacker: int
    by_defender: int


@value
class WithdrawalDeclared(Event[Position]):
    """The defenders of a space withdraw before the combat (18.3.1)."""

    space: str
    side: Side

    def apply(self, position: Position) -> Position:
        return position.with_combat(withdrawal=True)


@value
class UnitSpared(Event[Position]):
    """One of the withdrawing defenders survives, at reduced strength (18.3.1)."""

    unit: str


@value
class RetreatCancelled(Event[Position]):
    """The defender pays a step, or plays a card, and stays (11.4.3)."""

    space: str
    unit: str

    def apply(self, position: Position) -> Position:
        return position.with_combat(paid=position.fought.paid + 1) if self.unit else position


@value
class WayFollowed(Event[Position]):
    """A retreat opens spaces beyond the attacked one for an advance (11.5.3)."""

    spaces: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.with_combat(followed=(*position.fought.followed, *self.spaces))


@value
class AdvanceForgone(Event[Position]):
    """The defenders are gone, and no unit advances into the space (11.5.1)."""

    space: str


@value
class AdvanceCut(Event[Position]):
    """A planned advance is cut short: the units that stay, or the spaces not entered.

    `why` is room (9.1.1), north (16.4.2.1) or path (11.5.3; then `units` is empty).
    """

    units: tuple[str, ...]
    space: str
    why: str


@value
class SiegeAssaulted(Event[Position]):
    """A siege is assaulted: the die, and the die with its modifiers."""

    siege: str
    units: tuple[str, ...]
    die: int
    modified: int
    success: bool


def slot_order(slot: str) -> tuple[str, int, int]:
    """Hands and piles are listed by deck, epoch and position (protocol 2.1)."""
    deck, epoch, place = slot.split("/")
    return deck, int(epoch), int(place)

"""The events of the game. Only events change the position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pbem.board.ledger import Ledger, total
from pbem.engine.model import Event, Side
from pbem.engine.tags import place_of, slot_under, tag_of
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.position import ELIMINATED, GONE, NOTHING, Position
from pbem.games.madrid.tables import DECKS, NATIONALIST, REPUBLICAN
from pbem.value import value


def added(amounts: Mapping[Side, int], side: Side, amount: int) -> Mapping[Side, int]:
    """Amounts by side, with `amount` added for one side."""
    return {**amounts, side: amounts.get(side, 0) + amount}


# ------------------------------------------------------------------- time


@value
class GameBegan(Event[Position]):
    """The scenario begins on a turn, with support points for both sides."""

    turn: int
    nationalist: int
    republican: int

    @CITE.rule("5.1")
    def apply(self, position: Position) -> Position:
        support = {NATIONALIST: self.nationalist, REPUBLICAN: self.republican}
        return position.but(began=self.turn, turn=self.turn - 1, support=support)


@value
class TurnBegan(Event[Position]):
    """A turn begins: no impulse has been played and no area won in it."""

    turn: int

    @CITE.serves("4.1")
    def apply(self, position: Position) -> Position:
        return position.but(turn=self.turn, impulse=0, passes=0, run=0, gains=NOTHING)


@value
class ImpulseBegan(Event[Position]):
    """A side begins an impulse. Impulses are counted through the turn."""

    side: Side

    @CITE.serves("9.0.1")
    def apply(self, position: Position) -> Position:
        return position.but(active=self.side, impulse=position.impulse + 1)


@value
class Acted(Event[Position]):
    """A side plays an impulse that is not a pass."""

    side: Side

    def apply(self, position: Position) -> Position:
        return position.but(passes=0)


@value
class Passed(Event[Position]):
    """A side passes. `has_nothing`: it has no fresh unit to activate and no chit in hand."""

    side: Side
    has_nothing: bool = False

    @CITE.serves("9.0.2")
    def apply(self, position: Position) -> Position:
        return position.but(passes=position.passes + 1, run=0)


@value
class InitiativeTaken(Event[Position]):
    """A side takes the initiative. `run`: the impulses it plays before the other side's first."""

    side: Side
    dice: tuple[int, ...] = ()
    run: int = 0

    def apply(self, position: Position) -> Position:
        return position.but(active=self.side, run=max(0, self.run - 1))


@value
class RunGoesOn(Event[Position]):
    """One impulse of a side's run is over."""

    def apply(self, position: Position) -> Position:
        return position.but(run=position.run - 1)


# ------------------------------------------------------------------- units


@value
class UnitsMoved(Event[Position]):
    """Units move together from one place to another, as one step of a march."""

    units: tuple[str, ...]
    origin: str
    to: str

    def apply(self, position: Position) -> Position:
        return position.with_units(self.units, self.to)


@value
class UnitRetreated(Event[Position]):
    """A unit retreats into the next area, or a box."""

    unit: str
    origin: str
    to: str

    def apply(self, position: Position) -> Position:
        return position.with_units((self.unit,), self.to)


@value
class UnitsSpent(Event[Position]):
    """Units turn to their spent side."""

    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(spent=position.spent.union(self.units))


@value
class UnitsFreshened(Event[Position]):
    """Units turn to their fresh side."""

    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(spent=position.spent.difference(self.units))


@value
class UnitEliminated(Event[Position]):
    """A unit is eliminated. `nowhere`: because it had to retreat and could not."""

    unit: str
    origin: str
    nowhere: bool = False

    @CITE.rule("8.1")
    def apply(self, position: Position) -> Position:
        gone = position.with_units((self.unit,), ELIMINATED)
        return gone.but(spent=position.spent - {self.unit})


@value
class UnitPlaced(Event[Position]):
    """A unit arrives from the track, or is set up."""

    unit: str
    place: str

    def apply(self, position: Position) -> Position:
        return position.with_units((self.unit,), self.place)


@value
class UnitRebuilt(Event[Position]):
    """An eliminated unit returns, fresh. `lost` leaves the game for it; empty if none has to."""

    unit: str
    place: str
    lost: str = ""

    @CITE.serves("8.3", "8.5")
    def apply(self, position: Position) -> Position:
        rebuilt = position.with_units((self.unit,), self.place)
        return rebuilt.with_units((self.lost,), GONE) if self.lost else rebuilt


# ------------------------------------------------------------------- control, morale, points


@value
class ControlChanged(Event[Position]):
    """An area changes control, and counts on the area control track."""

    area: str
    side: Side

    @CITE.rule("1.2", "3.5.2.a")
    def apply(self, position: Position) -> Position:
        # reading: every change counts, even another one of the same area.
        control = {**position.control, self.area: self.side}
        return position.but(control=control, gains=added(position.gains, self.side, 1))


@value
class MoraleChanged(Event[Position]):
    """Morale rises by `levels` (falls if negative); 0 if the track goes no further."""

    levels: int
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(morale=position.morale_after(self.levels))


@CITE.serves("3.4.0")
def morale_changed(position: Position, levels: int, reason: str) -> MoraleChanged:
    """The event of so many levels up (down if negative), as far as the track goes."""
    return MoraleChanged(position.morale_after(levels) - position.morale, reason)


@value
class TrackCleared(Event[Position]):
    """The gains of the turn are removed from their track."""

    @CITE.serves("3.5.2.c")
    def apply(self, position: Position) -> Position:
        return position.but(gains=NOTHING)


@value
class SupportChanged(Event[Position]):
    """A side wins or pays support points; `reason` is a word for the log."""

    side: Side
    amount: int
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(support=added(position.support, self.side, self.amount))


@value
class FactSet(Event[Position]):
    """A fact of the position is true from now on: bad weather, the Junta."""

    fact: str

    def apply(self, position: Position) -> Position:
        return position.but(facts=position.facts | {self.fact})


@value
class FactCleared(Event[Position]):
    """A fact of the position is no longer true."""

    fact: str

    def apply(self, position: Position) -> Position:
        return position.but(facts=position.facts - {self.fact})


@value
class PauseChanged(Event[Position]):
    """The pause goes on for so many turns, including this one."""

    left: int

    def apply(self, position: Position) -> Position:
        return position.but(pause=self.left)


# ------------------------------------------------------------------- chits


@value
class CupLaid(Event[Position]):
    """Chits and tags of older slots are laid face down in a side's cup; the rest of the cup
    stays.
    """

    side: Side
    epoch: int
    cards: tuple[str, ...]
    """Sorted. Only the side's player knows which place holds which."""

    def apply(self, position: Position) -> Position:
        deck, cup = DECKS[self.side], [slot_under(card) or card for card in self.cards]
        down = position.down.mix(deck, self.side, self.epoch, [cup])
        left = tuple(each for each in position.cups[self.side] if tag_of(each) not in self.cards)
        stirred = position.stirred - {self.side}
        return position.but(
            down=down,
            cups={**position.cups, self.side: (*left, *down.newest(deck))},
            stirred=stirred | {self.side} if left else stirred,
        )


@value
class ChitOpened(Event[Position]):
    """A slot is opened: it holds a chit, or the tag of an older slot."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        cup, hand = position.cups[self.side], position.hands[self.side]
        down = position.down.open(self.slot, self.card, (*cup, *hand))

        def opened(there: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(down.present(each) if each == self.slot else each for each in there)

        return position.but(
            down=down,
            cups={**position.cups, self.side: opened(cup)},
            hands={**position.hands, self.side: opened(hand)},
        )


@value
class ChitSought(Event[Position]):
    """The owner of a chit has to show it, wherever it is."""

    chit: str

    def apply(self, position: Position) -> Position:
        return position.but(sought=self.chit)


@value
class ChitsLaidAnew(Event[Position]):
    """A side's face-down chits are laid in its cup again, because its player goes on with new
    secrets.

    The old slots can no longer be opened. Chits of the hand and cup that both know stay there.
    """

    side: Side

    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        down = position.down.renewed(deck, self.side, position.down.next_epoch(deck))

        def known(there: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(each for each in there if each in position.board.chits)

        cup = known(position.cups[self.side])
        stirred = position.stirred - {self.side}
        return position.but(
            down=down,
            cups={**position.cups, self.side: (*cup, *down.newest(deck))},
            hands={**position.hands, self.side: known(position.hands[self.side])},
            stirred=stirred | {self.side} if cup else stirred,
        )


@value
class ChitsDrawn(Event[Position]):
    """A side draws chits from its cup into its hand, as face-down slots."""

    side: Side
    chits: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        left = tuple(chit for chit in position.cups[self.side] if chit not in self.chits)
        hand = (*position.hands[self.side], *self.chits)
        return position.but(
            cups={**position.cups, self.side: left}, hands={**position.hands, self.side: hand}
        )


@value
class ChitPlayed(Event[Position]):
    """A side plays a chit. `use` says in a word what for, if its text leaves a choice."""

    side: Side
    chit: str
    use: str = ""

    @CITE.rule("6.7")
    def apply(self, position: Position) -> Position:
        holds = position.where(self.side, self.chit)
        left = tuple(each for each in position.hands[self.side] if each != holds)
        changed = position.but(
            hands={**position.hands, self.side: left}, played=(*position.played, self.chit)
        )
        once = position.board.kinds[position.kind_of(self.chit)].once
        return changed.but(removed=(*position.removed, self.chit)) if once else changed


@value
class ChitsReturned(Event[Position]):
    """Chits go back into the cup. Unplayed ones come from the hand, as face-down slots."""

    side: Side
    chits: tuple[str, ...]

    @CITE.serves("6.9")
    def apply(self, position: Position) -> Position:
        hand = tuple(chit for chit in position.hands[self.side] if chit not in self.chits)
        back = set(self.chits) | set(position.cups[self.side])
        cup = tuple(chit for chit in position.board.chits if chit in back)
        slots = sorted((each for each in back if "/" in each), key=place_of)
        stirred = {self.side} if position.is_hidden else ()
        return position.but(
            cups={**position.cups, self.side: (*cup, *slots)},
            hands={**position.hands, self.side: hand},
            played=tuple(chit for chit in position.played if chit not in self.chits),
            stirred=position.stirred.union(stirred),
        )  # fmt: skip


@value
class ChitsKept(Event[Position]):
    """Played chits come back into the hand they were played from, face up."""

    side: Side
    chits: tuple[str, ...]

    @CITE.serves("6.7")
    def apply(self, position: Position) -> Position:
        hand = (*position.hands[self.side], *self.chits)
        return position.but(
            hands={**position.hands, self.side: hand},
            played=tuple(chit for chit in position.played if chit not in self.chits),
        )


@value
class PlayedForgotten(Event[Position]):
    """The chits played this turn no longer count as played; one-time chits leave the game."""

    def apply(self, position: Position) -> Position:
        return position.but(played=())


@value
class ChitRemoved(Event[Position]):
    """A chit leaves the game, wherever it is."""

    side: Side
    chit: str

    @CITE.serves("15.CN7")
    def apply(self, position: Position) -> Position:
        holds = position.where(self.side, self.chit)

        def without(chits: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(chit for chit in chits if chit not in (self.chit, holds))

        return position.but(
            cups={**position.cups, self.side: without(position.cups[self.side])},
            hands={**position.hands, self.side: without(position.hands[self.side])},
            played=without(position.played), removed=(*position.removed, self.chit), durruti=0,
            sought="",
        )  # fmt: skip


@value
class DurrutiBegan(Event[Position]):
    """Durruti fights for so many impulses."""

    impulses: int

    def apply(self, position: Position) -> Position:
        return position.but(durruti=self.impulses)


@value
class GovernmentFled(Event[Position]):
    """The flight of the government lasts for so many impulses."""

    impulses: int

    def apply(self, position: Position) -> Position:
        return position.but(flight=self.impulses)


@value
class ImpulseCounted(Event[Position]):
    """One Republican impulse fewer is left for the chits that last for several."""

    @CITE.serves("15.CR6", "15.CN9")
    def apply(self, position: Position) -> Position:
        return position.but(
            durruti=max(0, position.durruti - 1), flight=max(0, position.flight - 1)
        )


# ------------------------------------------------------------------- rolls and results


@value
class Noted(Event[Position]):
    """Base of events that change nothing on the table: dice and their results."""


@value
class Modified(Noted):
    """Base of events with a die and its modifiers."""

    die: int
    modifiers: Ledger

    @property
    def total(self) -> int:
        """The die with its modifiers."""
        return self.die + total(self.modifiers)


@value
class Attacked(Noted):
    """An attack is declared. `path` is the path of an assault."""

    side: Side
    area: str
    units: tuple[str, ...]
    point: str
    is_prepared: bool = False
    path: tuple[str, ...] = ()


@value
class MoraleTested(Modified):
    """A unit tests its morale. `result`: stands, retreats or eliminated."""

    unit: str
    result: str


@value
class Defended(Noted):
    """The defender names the units that counter-attack, and the point unit."""

    side: Side
    counterattack: tuple[str, ...]
    point: str


@value
class CombatRolled(Noted):
    """The dice of a combat. `kept` count; `losses` are the attacker's, `enemy_losses` the
    defender's.
    """

    side: Side
    area: str
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    attack: int
    defence: int
    intensity: int
    losses: int
    enemy_losses: int


@value
class Bombarded(Noted):
    """The dice of a bombardment. `guns` is empty if a chit bombards."""

    side: Side
    area: str
    guns: tuple[str, ...]
    point: str
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    modifier: int
    defence: int
    losses: int


@value
class FireReturned(Noted):
    """A side fires at units that crossed the river."""

    side: Side
    area: str
    dice: tuple[int, ...]
    strength: int
    defence: int
    losses: int


@value
class FireHeld(Noted):
    """The defender does not fire, or cannot."""

    side: Side
    area: str


@value
class JuntaRolled(Modified):
    """The die for the Junta of Madrid, and whether it is formed."""


@value
class WeatherRolled(Noted):
    """The die for the weather, and its result."""

    die: int
    total: int
    is_bad: bool


@value
class RadaRolled(Noted):
    """The die for the Rada column, and whether it arrives."""

    die: int
    comes: bool


@value
class StrifeRolled(Noted):
    """The die for strife, and whether it divides the Republicans."""

    die: int
    divides: bool


@value
class NumberRolled(Noted):
    """The die for the number of units a chit turns."""

    chit: str
    die: int


@value
class Rerolled(Noted):
    """Dice are rolled again, in place of those reported before."""

    dice: tuple[int, ...]


@value
class GameEnded(Event[Position]):
    """The game is over: who has won, and why."""

    ends_the_game: ClassVar[bool] = True
    winner: str
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))

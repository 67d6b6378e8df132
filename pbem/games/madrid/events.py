"""What can happen. Only events change the position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from pbem.board.ledger import Ledger, total
from pbem.engine.model import Event, Side
from pbem.engine.tags import place_of, slot_under, tag_of
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.position import ELIMINATED, GONE, NOTHING, Position
from pbem.games.madrid.tables import DECKS, NATIONALIST, REPUBLICAN
from pbem.value import value


def moved(position: Position, units: Iterable[str], place: str) -> Mapping[str, str]:
    """Where everybody is once these units are at a place."""
    return {**position.places, **dict.fromkeys(units, place)}


def added(amounts: Mapping[Side, int], side: Side, amount: int) -> Mapping[Side, int]:
    """Amounts by side with more, or less, for one."""
    return {**amounts, side: amounts.get(side, 0) + amount}


# ------------------------------------------------------------------- time


@value
class GameBegan(Event[Position]):
    """The turn on which it begins, and the support points of both sides."""

    turn: int
    nationalist: int
    republican: int

    @CITE.rule("5.1")
    def apply(self, position: Position) -> Position:
        support = {NATIONALIST: self.nationalist, REPUBLICAN: self.republican}
        return position.but(began=self.turn, turn=self.turn - 1, support=support)


@value
class TurnBegan(Event[Position]):
    """Nothing of the turn before is left: no impulse, no area won."""

    turn: int

    @CITE.serves("4.1")
    def apply(self, position: Position) -> Position:
        return position.but(turn=self.turn, impulse=0, passes=0, run=0, gains=NOTHING)


@value
class ImpulseBegan(Event[Position]):
    """A side begins an impulse; they are counted through the turn."""

    side: Side

    @CITE.serves("9.0.1")
    def apply(self, position: Position) -> Position:
        return position.but(active=self.side, impulse=position.impulse + 1)


@value
class Acted(Event[Position]):
    """An impulse that is no pass."""

    side: Side

    def apply(self, position: Position) -> Position:
        return position.but(passes=0)


@value
class Passed(Event[Position]):
    """`has_nothing`: no fresh unit to activate and no chit in hand."""

    side: Side
    has_nothing: bool = False

    @CITE.serves("9.0.2")
    def apply(self, position: Position) -> Position:
        return position.but(passes=position.passes + 1, run=0)


@value
class InitiativeTaken(Event[Position]):
    """`run`: how many impulses the side plays before the other comes."""

    side: Side
    dice: tuple[int, ...] = ()
    run: int = 0

    def apply(self, position: Position) -> Position:
        return position.but(active=self.side, run=max(0, self.run - 1))


@value
class RunGoesOn(Event[Position]):
    """One impulse of a run of a side's is after it."""

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
        return position.but(places=moved(position, self.units, self.to))


@value
class UnitRetreated(Event[Position]):
    """A unit retreats into the next area, or a box."""

    unit: str
    origin: str
    to: str

    def apply(self, position: Position) -> Position:
        return position.but(places=moved(position, (self.unit,), self.to))


@value
class UnitsSpent(Event[Position]):
    """Counters are turned to their spent side."""

    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(spent=position.spent.union(self.units))


@value
class UnitsFreshened(Event[Position]):
    """Counters are turned to their fresh side."""

    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(spent=position.spent.difference(self.units))


@value
class UnitEliminated(Event[Position]):
    """`nowhere`: it had to retreat, and could not."""

    unit: str
    origin: str
    nowhere: bool = False

    @CITE.rule("8.1")
    def apply(self, position: Position) -> Position:
        places = moved(position, (self.unit,), ELIMINATED)
        return position.but(places=places, spent=position.spent - {self.unit})


@value
class UnitPlaced(Event[Position]):
    """A unit comes from the track, or is set up."""

    unit: str
    place: str

    def apply(self, position: Position) -> Position:
        return position.but(places=moved(position, (self.unit,), self.place))


@value
class UnitRebuilt(Event[Position]):
    """It is fresh, as all are that died; `lost` leaves the game for it, empty where nothing has
    to."""

    unit: str
    place: str
    lost: str = ""

    @CITE.serves("8.3", "8.5")
    def apply(self, position: Position) -> Position:
        places = {**position.places, self.unit: self.place}
        if self.lost:
            places[self.lost] = GONE
        return position.but(places=places)


# ------------------------------------------------------------------- control, morale, points


@value
class ControlChanged(Event[Position]):
    """An area is another side's, and counts on the area control track."""

    area: str
    side: Side

    @CITE.rule("1.2", "3.5.2.a")
    def apply(self, position: Position) -> Position:
        # reading: every change counts, also the same area again.
        control = {**position.control, self.area: self.side}
        return position.but(control=control, gains=added(position.gains, self.side, 1))


@value
class MoraleChanged(Event[Position]):
    """`levels` up (down if negative), as far as the track goes."""

    levels: int
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(morale=position.morale_after(self.levels))


@value
class TrackCleared(Event[Position]):
    """The gains of the turn are taken off their track."""

    @CITE.serves("3.5.2.c")
    def apply(self, position: Position) -> Position:
        return position.but(gains=NOTHING)


@value
class SupportChanged(Event[Position]):
    """Support points are won or paid; `reason` is a word for the log."""

    side: Side
    amount: int
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(support=added(position.support, self.side, self.amount))


@value
class FactSet(Event[Position]):
    """One of the facts a position may hold is true from now on: bad weather, the Junta."""

    fact: str

    def apply(self, position: Position) -> Position:
        return position.but(facts=position.facts | {self.fact})


@value
class FactCleared(Event[Position]):
    """Something holds no longer."""

    fact: str

    def apply(self, position: Position) -> Position:
        return position.but(facts=position.facts - {self.fact})


@value
class PauseChanged(Event[Position]):
    """So many turns of the pause are left, this one too."""

    left: int

    def apply(self, position: Position) -> Position:
        return position.but(pause=self.left)


# ------------------------------------------------------------------- chits


@value
class CupLaid(Event[Position]):
    """Chits, and tags of older slots, are laid face down in a side's cup; what else is there
    stays."""

    side: Side
    epoch: int
    cards: tuple[str, ...]
    """Sorted; in which place each of them lies only the side's player knows."""

    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        slots = tuple(f"{deck}/{self.epoch}/{place}" for place in range(len(self.cards)))
        left = tuple(each for each in position.cups[self.side] if tag_of(each) not in self.cards)
        stirred = position.stirred - {self.side}
        return position.but(
            laid=(*position.laid, (deck, self.side, self.epoch, self.cards)),
            epochs={**position.epochs, self.side: self.epoch},
            cups={**position.cups, self.side: (*left, *slots)},
            stirred=stirred | {self.side} if left else stirred,
        )


@value
class ChitOpened(Event[Position]):
    """What is in a slot is proven: a chit, or the tag of the older slot that is there."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        older = slot_under(self.card)
        under = older or self.card

        def opened(there: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(under if each == self.slot else each for each in there)

        return position.but(
            cups={**position.cups, self.side: opened(position.cups[self.side])},
            hands={**position.hands, self.side: opened(position.hands[self.side])},
            opened={**position.opened, self.slot: older} if older else {},
        )


@value
class ChitSought(Event[Position]):
    """Its owner has to show a chit, wherever it lies."""

    chit: str

    def apply(self, position: Position) -> Position:
        return position.but(sought=self.chit)


@value
class ChitsTakenUp(Event[Position]):
    """A side's chits face down are taken up: its player goes on with new secrets.

    Nobody can open the old slots any more. What both know of hand and cup stays there.
    """

    side: Side

    def apply(self, position: Position) -> Position:
        def known(there: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(each for each in there if each in position.board.chits)

        return position.but(
            laid=tuple(epoch for epoch in position.laid if epoch[1] != self.side),
            cups={**position.cups, self.side: known(position.cups[self.side])},
            hands={**position.hands, self.side: known(position.hands[self.side])},
        )


@value
class ChitsDrawn(Event[Position]):
    """Chits come out of the cup of a side into its hand, face down as slots."""

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
    """`use` says in a word what for, where its text leaves a choice."""

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
    """Chits go back into the cup, unplayed ones out of the hand; face down as slots."""

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
class PlayedForgotten(Event[Position]):
    """What was played in the turn no longer counts; chits of one time are out of the game."""

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
    """The flight of the government is felt for so many impulses."""

    impulses: int

    def apply(self, position: Position) -> Position:
        return position.but(flight=self.impulses)


@value
class ImpulseCounted(Event[Position]):
    """One Republican impulse less for the chits that last for some."""

    @CITE.serves("15.CR6", "15.CN9")
    def apply(self, position: Position) -> Position:
        return position.but(
            durruti=max(0, position.durruti - 1), flight=max(0, position.flight - 1)
        )


# ------------------------------------------------------------------- what is rolled and reckoned


@value
class Noted(Event[Position]):
    """Base of what changes nothing on the table: dice, and what comes of them."""

    def apply(self, position: Position) -> Position:
        return position


@value
class Modified(Noted):
    """Base of a die with its modifiers."""

    die: int
    modifiers: Ledger

    @property
    def total(self) -> int:
        """The die with its modifiers."""
        return self.die + total(self.modifiers)


@value
class Attacked(Noted):
    """An attack is declared; `path` is that of an assault."""

    side: Side
    area: str
    units: tuple[str, ...]
    point: str
    is_prepared: bool = False
    path: tuple[str, ...] = ()


@value
class MoraleTested(Modified):
    """`result`: stands, retreats or eliminated."""

    unit: str
    result: str


@value
class Defended(Noted):
    """Who counter-attacks, and the point unit of the defender."""

    side: Side
    counterattack: tuple[str, ...]
    point: str


@value
class CombatRolled(Noted):
    """`kept` are the dice that count; `losses` the attacker's, `enemy_losses` the defender's."""

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
    """`guns` is empty for the bombardment of a chit."""

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
    """Defensive fire of a side into units that came over the river."""

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
    """The die on whether the Junta of Madrid is formed."""


@value
class WeatherRolled(Noted):
    """The die of the weather, and what comes of it."""

    die: int
    total: int
    is_bad: bool


@value
class RadaRolled(Noted):
    """The die on whether the Rada column comes."""

    die: int
    comes: bool


@value
class StrifeRolled(Noted):
    """The die on whether strife divides the Republicans."""

    die: int
    divides: bool


@value
class NumberRolled(Noted):
    """How many units a chit turns."""

    chit: str
    die: int


@value
class Rerolled(Noted):
    """Dice that are cast again in place of those told before."""

    dice: tuple[int, ...]


@value
class GameEnded(Event[Position]):
    """The game is over: who has won it, and why."""

    ends_the_game: ClassVar[bool] = True
    winner: str
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))

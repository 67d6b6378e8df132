"""The events of the game. Only events change the position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pbem.board.tables import clamp
from pbem.engine.model import Event, Side
from pbem.engine.tags import is_tag
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.orders import Attack
from pbem.games.ctv.position import (
    ASIDE,
    AVAILABLE,
    ELIMINATED,
    OFF,
    OUT,
    SURRENDERED,
    WITHDRAWN,
    Combat,
    Position,
)
from pbem.games.ctv.tables import DECKS, NATIONALIST, REPUBLICAN
from pbem.value import replace, value


def _without(mapping: Mapping[str, int], *units: str) -> Mapping[str, int]:
    return {unit: number for unit, number in mapping.items() if unit not in units}


# ------------------------------------------------------------------- covered counters


@value
@CITE.serves("5.2")
class ArmyLaid(Event[Position]):
    """The counters of a side go by tags from now on, until they are shown."""

    side: Side

    def apply(self, position: Position) -> Position:
        pieces = position.board.covered[self.side]
        down = position.down.lay(DECKS[self.side], self.side, 1, pieces)
        places = {unit: place for unit, place in position.places.items() if unit not in pieces}
        tags = dict.fromkeys(down.newest(DECKS[self.side]), ASIDE)
        return position.but(down=down, places={**places, **tags})


@value
@CITE.serves("5.2")
class CounterShown(Event[Position]):
    """A covered counter is shown to both, and goes by its own name for ever after."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        down = position.down.open(self.slot, self.card, tuple(position.places))
        return position.with_names({self.slot: self.card}, down)


@value
@CITE.serves("10.4", "10.4.1")
class AdvanceCutShort(Event[Position]):
    """An attacker does not enter a hex of the advance that was ordered with the attack, for what
    bars it (rules/combat.py).
    """

    unit: str
    hex: str
    why: str


@value
@CITE.serves("5.2")
class CounterNarrowed(Event[Position]):
    """A covered counter has done what only these could do, as both players know."""

    unit: str
    pieces: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(down=position.down.narrowed(self.unit, self.pieces.__contains__))


@value
@CITE.serves("9.2")
class HexInDoubt(Event[Position]):
    """What comes of a loss or a retreat hangs on covered counters in a hex, which are shown now; or
    it is clear by then (`is_settled`).
    """

    hex: str
    is_settled: bool = False

    def apply(self, position: Position) -> Position:
        if self.is_settled:
            return position.but(in_doubt=position.in_doubt - {self.hex})
        return position.but(in_doubt=position.in_doubt | {self.hex})


@value
class ArmyLaidAnew(Event[Position]):
    """The covered counters of a side are laid again under new secrets, and wait for their places.

    The new tags stand for now where the old ones stood, in the order of both.
    """

    side: Side

    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        old = position.tags_of(self.side)
        down = position.down.renewed(deck, self.side, position.down.next_epoch(deck))
        return position.with_names(dict(zip(old, down.newest(deck), strict=True)), down)


@value
class CountersArranged(Event[Position]):
    """Where each new tag stands, by the one that stood there for now, and what it may be."""

    names: tuple[tuple[str, str], ...]
    may_be: tuple[tuple[str, tuple[str, ...]], ...]

    def apply(self, position: Position) -> Position:
        down = position.down
        for tag, pieces in self.may_be:
            down = down.replaced((tag,), pieces)
        position = position.with_names(dict(self.names), down)
        # reading: 8.1, where one has moved that nobody can tell from the others now, all have.
        places, tags = position.places, [tag for tag, _ in self.may_be]
        spent = {places[tag] for tag in tags if tag in position.moved}
        return position.but(moved=position.moved.union(tag for tag in tags if places[tag] in spent))


@value
@CITE.serves("5.2")
class SaidBeside(Event[Position]):
    """The author of an attack given ahead has said that these units of a hex do not change it."""

    hex: str
    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        down = position.down.noted(f"beside {self.hex}", self.units, True)
        return position.but(down=down)


# ------------------------------------------------------------------- set-up


@value
class UnitsPlaced(Event[Position]):
    """Units are set up in a hex."""

    units: tuple[str, ...]
    hex: str

    def apply(self, position: Position) -> Position:
        return position.with_units(self.units, self.hex)


@value
class TrenchDug(Event[Position]):
    """The Republican digs a trench (4.2)."""

    hex: str

    def apply(self, position: Position) -> Position:
        return position.but(trenches=position.trenches | {self.hex})


@value
class FrontRolled(Event[Position]):
    """The die for a division: front line or reserve."""

    division: str
    die: int
    is_front: bool

    def apply(self, position: Position) -> Position:
        if self.is_front:
            return position.but(front=position.front | {self.division})
        return position.but(reserve=position.reserve | {self.division})


@value
class ArmourRolled(Event[Position]):
    """The die for armour; what it does not give is out of the game."""

    die: int
    units: tuple[str, ...]
    missing: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        covered = position.down.hidden.intersection(self.missing)
        out = [unit for unit in self.missing if unit not in covered]
        return position.with_units(out, OUT).but(missing=position.missing | covered)


@value
class LeftOut(Event[Position]):
    """Units of the reserve that are not set up are out of the game (4.3.1)."""

    units: tuple[str, ...]

    @CITE.rule("4.3.1")
    def apply(self, position: Position) -> Position:
        return position.with_units(self.units, OUT)


# ------------------------------------------------------------------- time


@value
class TurnBegan(Event[Position]):
    """A turn begins, and air units that were off long enough are available (9.1.1)."""

    turn: int

    def apply(self, position: Position) -> Position:
        factory = position.board.charts["factory"]["hex"]
        back = {unit for unit, turn in position.back.items() if turn <= self.turn}
        changed = position.with_units(back, AVAILABLE) if back else position
        return changed.but(
            turn=self.turn, active=NATIONALIST, segment="weather",
            back=_without(position.back, *back), reinosa=position.control[factory] != NATIONALIST,
        )  # fmt: skip


@value
class WeatherRolled(Event[Position]):
    """The weather of the turn; `die` is 0 where none was rolled."""

    die: int
    weather: str

    def apply(self, position: Position) -> Position:
        return position.but(weather=self.weather)


@value
class SegmentBegan(Event[Position]):
    """A side's movement or combat begins."""

    side: Side
    segment: str

    def apply(self, position: Position) -> Position:
        # A covered counter may be a column.
        columns = {unit for unit in position.moved if unit in _columns(position) or is_tag(unit)}
        moved = frozenset(columns) if self.segment == "movement" else position.moved
        return position.but(active=self.side, segment=self.segment, moved=moved, fought=frozenset())


def _columns(position: Position) -> set[str]:
    return {column for columns in position.board.columns.values() for column in columns}


@value
class SupplyJudged(Event[Position]):
    """The ground units that are out of supply now, of those that were looked at."""

    looked_at: frozenset[str]
    unsupplied: frozenset[str]

    @CITE.serves("6.4")
    def apply(self, position: Position) -> Position:
        back = position.unsupplied & self.looked_at - self.unsupplied
        return position.but(
            unsupplied=(position.unsupplied - self.looked_at) | self.unsupplied,
            charged=position.charged.union(unit for unit in back if unit in position.levels),
        )


@value
class TurnEnded(Event[Position]):
    """Disorganisation goes, and air units, headquarters and columns are ready again."""

    levels: Mapping[str, int]
    """What is left of it."""
    recovered: tuple[str, ...] = ()
    """The units of which none is left."""

    @CITE.serves("3.D")
    def apply(self, position: Position) -> Position:
        return position.but(
            levels=self.levels, charged=position.charged.intersection(self.levels),
            used=frozenset(), moved=frozenset(), segment="end",
        )  # fmt: skip


@value
class GameEnded(Event[Position]):
    """The game is over; `reason`: what was decisive for the points (`war.how_it_ends`)."""

    ends_the_game: ClassVar[bool] = True
    winner: str
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))


# ------------------------------------------------------------------- movement


@value
class ColumnArrived(Event[Position]):
    """A supply column is put on the map (9.3)."""

    column: str
    hex: str

    def apply(self, position: Position) -> Position:
        return position.with_units((self.column,), self.hex)


@value
class UnitsMoved(Event[Position]):
    """Units move; `cost` is in half movement points, of the one that pays most."""

    units: tuple[str, ...]
    path: tuple[str, ...]
    cost: int
    start: str
    """The hex that they leave."""

    def apply(self, position: Position) -> Position:
        moved = position.moved.union(self.units)
        return position.with_units(self.units, self.path[-1]).but(moved=moved)


@value
class HexTaken(Event[Position]):
    """A side takes control of a hex; a trench there goes with the Nationalists' coming."""

    hex: str
    side: Side

    @CITE.rule("10.8")
    def apply(self, position: Position) -> Position:
        trenches = position.trenches - {self.hex} if self.side == NATIONALIST else position.trenches
        return position.but(control={**position.control, self.hex: self.side}, trenches=trenches)


@value
class MarkerMoved(Event[Position]):
    """The marker of Republican morale moves, within its ends. `why`: an objective that was `taken`
    or `retaken`, or a `victory` of Republican attackers.
    """

    by: int
    why: str
    hex: str

    @CITE.rule("10.6.1")
    def apply(self, position: Position) -> Position:
        most = position.board.charts["morale"]["marker"]["most"]
        return position.but(marker=clamp(position.marker + self.by, 0, most))


@value
class ColumnLost(Event[Position]):
    """A supply column is destroyed, because an enemy unit enters its hex."""

    column: str
    hex: str

    @CITE.rule("9.3")
    def apply(self, position: Position) -> Position:
        return position.with_units((self.column,), ASIDE)


# ------------------------------------------------------------------- combat


@value
class BattleBegan(Event[Position]):
    """An attack begins."""

    side: Side
    hex: str
    attackers: tuple[str, ...]
    plan: Attack | None = None
    """The attack as it was ordered, if more was said with it."""

    def apply(self, position: Position) -> Position:
        came_from = frozenset(position.places[unit] for unit in self.attackers)
        return position.but(
            battle=Combat(self.hex, self.attackers, came_from=came_from, plan=self.plan),
            fought=position.fought.union(self.attackers),
        )


@value
class SupportGiven(Event[Position]):
    """A side commits air units, headquarters or columns to the combat."""

    side: Side
    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        battle = replace(position.combat, support=(*position.combat.support, *self.units))
        ready = [unit for unit in self.units if unit not in _columns(position)]
        return position.but(battle=battle, used=position.used.union(ready))


@value
class ColumnsSaid(Event[Position]):
    """A side has said which columns it uses, and is not asked for them."""

    side: Side

    def apply(self, position: Position) -> Position:
        said = position.combat.said | {self.side}
        return position.but(battle=replace(position.combat, said=said))


@value
class AirFought(Event[Position]):
    """Air combat: the dice of each side, and how many units each loses."""

    dice: tuple[tuple[str, int], ...]


@value
class ShotDown(Event[Position]):
    """An air unit is lost in air combat, for good, and adds nothing to the bombardment."""

    unit: str

    @CITE.serves("15.1")
    def apply(self, position: Position) -> Position:
        support = tuple(unit for unit in position.combat.support if unit != self.unit)
        changed = position.with_units((self.unit,), ELIMINATED)
        return changed.but(battle=replace(position.combat, support=support))


@value
class Bombarded(Event[Position]):
    """The bombardment: who had more points, and what the die gave."""

    side: Side
    points: int
    against: int
    die: int
    levels: int


@value
class Disorganised(Event[Position]):
    """A unit is disorganised to a level."""

    unit: str
    level: int

    def apply(self, position: Position) -> Position:
        return position.but(levels={**position.levels, self.unit: self.level})


@value
class AirRolled(Event[Position]):
    """The die of an air unit that was used; with a 1 it is off until a turn."""

    unit: str
    die: int
    until: int

    @CITE.rule("9.1.1")
    def apply(self, position: Position) -> Position:
        if not self.until:
            return position
        off = position.with_units((self.unit,), OFF)
        return off.but(back={**position.back, self.unit: self.until})


@value
class ColumnsUsedUp(Event[Position]):
    """Columns that were used leave the map."""

    columns: tuple[str, ...]

    @CITE.serves("9.3.1")
    def apply(self, position: Position) -> Position:
        return position.with_units(self.columns, ASIDE)


@value
class CombatRolled(Event[Position]):
    """The combat die: both strengths, the column, modifiers, and the result."""

    hex: str
    attack: int
    defence: int
    column: str
    die: int
    modifiers: Mapping[str, int]
    result: str
    shift: int = 0

    def apply(self, position: Position) -> Position:
        if position.battle is None:
            return position
        battle = replace(position.combat, column=self.column, result=self.result)
        return position.but(battle=battle)


@value
class StepLost(Event[Position]):
    """A unit loses a step and is turned over."""

    unit: str

    def apply(self, position: Position) -> Position:
        return position.but(lost={**position.lost, self.unit: position.lost.get(self.unit, 0) + 1})


@value
class UnitEliminated(Event[Position]):
    """A unit is eliminated; `why` in a word."""

    unit: str
    why: str

    def apply(self, position: Position) -> Position:
        changed = position.with_units((self.unit,), ELIMINATED)
        return changed.but(
            levels=_without(position.levels, self.unit), lost=_without(position.lost, self.unit),
            unsupplied=position.unsupplied - {self.unit},
        )  # fmt: skip


@value
class StackRetreated(Event[Position]):
    """Units retreat together into a hex."""

    units: tuple[str, ...]
    start: str
    hex: str
    is_forced: bool = False

    def apply(self, position: Position) -> Position:
        changed = position.with_units(self.units, self.hex)
        battle = position.battle
        if battle is not None and battle.hex == self.start:
            changed = changed.but(battle=replace(battle, driven=True))
        elif battle is not None:
            back = (*battle.fallen_back, *self.units)
            changed = changed.but(battle=replace(battle, fallen_back=back))
        return changed


@value
class TrenchLost(Event[Position]):
    """A trench is removed, because its occupants are gone."""

    hex: str

    @CITE.serves("10.7")
    def apply(self, position: Position) -> Position:
        return position.but(trenches=position.trenches - {self.hex})


@value
class MoraleRolled(Event[Position]):
    """The morale die of a stack: with the marker and the modifier of its troops."""

    hex: str
    die: int
    marker: int
    modifier: int
    result: str


@value
class UnitsAdvanced(Event[Position]):
    """Attackers advance along a path."""

    units: tuple[str, ...]
    path: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.with_units(self.units, self.path[-1])


@value
class BattleEnded(Event[Position]):
    """A combat is over, with all that came of it."""

    hex: str

    def apply(self, position: Position) -> Position:
        return position.but(battle=None)


# ------------------------------------------------------------------- the war elsewhere


@value
class OffensiveRolled(Event[Position]):
    """Whether the offensive elsewhere begins; `die` is 0 where none was rolled."""

    die: int
    begins: bool

    def apply(self, position: Position) -> Position:
        return position.but(offensive=position.turn) if self.begins else position


@value
class OffensiveTook(Event[Position]):
    """How much the offensive elsewhere takes."""

    die: int
    infantry: int
    air: int


@value
class UnitWithdrawn(Event[Position]):
    """A unit leaves for the offensive elsewhere, for good."""

    unit: str

    @CITE.serves("12.3")
    def apply(self, position: Position) -> Position:
        changed = position.with_units((self.unit,), WITHDRAWN)
        return changed.but(
            levels=_without(position.levels, self.unit),
            unsupplied=position.unsupplied - {self.unit},
        )


@value
class SurrenderRolled(Event[Position]):
    """The die for the Basques, with which the Republican phase begins; once rolled, it is rolled in
    every turn.
    """

    die: int
    surrenders: bool

    @CITE.serves("13.2")
    def apply(self, position: Position) -> Position:
        return position.but(wavering=True, active=REPUBLICAN, segment="surrender")


@value
class BrigadeSurrendered(Event[Position]):
    """A Basque brigade lays down its arms."""

    unit: str
    hex: str

    def apply(self, position: Position) -> Position:
        changed = position.with_units((self.unit,), SURRENDERED)
        return changed.but(
            levels=_without(position.levels, self.unit), lost=_without(position.lost, self.unit),
            unsupplied=position.unsupplied - {self.unit}, surrendered=True,
        )  # fmt: skip


@value
class BattalionFormed(Event[Position]):
    """Those who go on fighting: a battalion in the hex of a brigade."""

    unit: str
    hex: str

    @CITE.serves("13.3")
    def apply(self, position: Position) -> Position:
        return position.with_units((self.unit,), self.hex)


@value
class FactoryRolled(Event[Position]):
    """The die for the factory of Reinosa."""

    die: int
    demolished: bool

    @CITE.serves("14.2")
    def apply(self, position: Position) -> Position:
        return position.but(factory=False) if self.demolished else position

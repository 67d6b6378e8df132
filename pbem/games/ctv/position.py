"""The table: where each unit is, in which state, who holds what, and whose phase it is.

Everything that follows from these is computed on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from pbem.engine.facedown import FaceDown, by_tag
from pbem.engine.model import Side
from pbem.engine.tags import is_tag
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.lines import judged, judged_for
from pbem.games.ctv.options import OPEN_UNITS, UNIT_BY_UNIT
from pbem.games.ctv.orders import Attack
from pbem.games.ctv.tables import (
    COLUMN,
    ENEMY,
    SIDE_OF_DECK,
    SIDES,
    PrintedUnit,
    Tables,
    Terrain,
    Values,
)
from pbem.value import field, twin, value

ELIMINATED, WITHDRAWN, SURRENDERED, ASIDE, AVAILABLE, OFF, OUT = (
    "eliminated", "withdrawn", "surrendered", "aside", "available", "off", "out",
)  # fmt: skip
"""The places of units that are in no hex: eliminated; withdrawn for the offensive elsewhere; laid
down their arms; not set up yet, or a column that is not on the map; air units that are available;
off for some turns; never in this game.
"""
FAIR, RAIN = "fair", "rain"
NOTHING: Mapping[Any, Any] = {}

COMPUTED: Mapping[str, tuple[str, ...]] = {
    "places": (
        "stacks",
        "covers",
        "troops",
        "forces",
        "holders",
        "occupied",
        "reach",
        "zones",
        "looks",
        "_supposed",
        "brigades_lost",
    ),
    "control": ("sources", "looks", "_supposed"),
    "unsupplied": ("zones",),
}
"""What a position computes from each of its fields, and no longer knows once the field changes."""
SEEN = "_seen"
"""Where a position keeps how a side sees it; it no longer knows that once anything changes."""


@value
class Combat:
    """An attack that is being resolved: the hex attacked, the attackers by their hexes, and what
    was committed to it on both sides.
    """

    hex: str
    attackers: tuple[str, ...]
    support: tuple[str, ...] = ()
    """The air units, headquarters and columns of both sides that bombard in it."""
    said: frozenset[Side] = frozenset()
    """The sides that have said which columns they use."""
    driven: bool = False
    """Whether the defenders have retreated already."""
    column: str = ""
    """The column of the combat table on which the die was thrown; empty before it."""
    result: str = ""
    """What the die has brought: steps of attacker and defender, or B."""
    fallen_back: tuple[str, ...] = ()
    """Attackers whose morale drove them back: they do not advance."""
    came_from: frozenset[str] = frozenset()
    """The hexes from which it was attacked."""
    plan: Attack | None = None
    """The attack as it was ordered, if it says who loses steps first, or who goes on."""


@value
class Position:
    """A position of Santander 1937. Turn 0 is the set-up.

    A unit is named by its id, or by its tag while it lies covered (5.2). What decides anything here
    are the units that both know: a known ground unit lies on top of every stack.
    """

    board: Tables
    scenario: str
    options: frozenset[str]
    places: Mapping[str, str]
    control: Mapping[str, Side]
    lost: Mapping[str, int] = NOTHING
    """The steps that units have lost."""
    levels: Mapping[str, int] = NOTHING
    """The levels of disorganisation of units that have any: 1 is DSG, 2 DSG1, 3 DSG2."""
    charged: frozenset[str] = frozenset()
    """Units in supply again whose disorganisation has cost them the level for lack of supply."""
    unsupplied: frozenset[str] = frozenset()
    """The ground units found without supply at the last check."""
    turn: int = 0
    active: Side = SIDES[0]
    segment: str = "set-up"
    moved: frozenset[str] = frozenset()
    """Units that have moved in this segment; columns until the end of the turn."""
    fought: frozenset[str] = frozenset()
    """Units that have attacked in this segment."""
    used: frozenset[str] = frozenset()
    """Air units and headquarters that have bombarded in this turn."""
    back: Mapping[str, int] = NOTHING
    """The turn in which air units that are off are available again."""
    trenches: frozenset[str] = frozenset()
    marker: int = 0
    """The marker of Republican morale."""
    weather: str = FAIR
    front: frozenset[str] = frozenset()
    """The divisions that the dice have put into the front line."""
    reserve: frozenset[str] = frozenset()
    """Those that the dice have put into the reserve."""
    factory: bool = True
    """Whether the factory of Reinosa stands."""
    reinosa: bool = True
    """Whether Reinosa was Republican when the turn began."""
    offensive: int = 0
    """The turn in which the offensive elsewhere has begun."""
    wavering: bool = False
    """Whether the Basques have been asked once whether they surrender, and roll in every turn."""
    surrendered: bool = False
    battle: Combat | None = None
    result: tuple[str, str] | None = None
    down: FaceDown = field(default_factory=FaceDown)
    missing: frozenset[str] = frozenset()
    """Units that lie covered and are in no hex, as both know: the armour that the die withheld."""
    in_doubt: frozenset[str] = frozenset()
    """Hexes where covered counters have to be shown before it is clear what comes of a loss or a
    retreat: whether a headquarters is left alone (9.2), or all are crowded to ruin (5.1.1)."""

    def but(self, **changes: Any) -> Position:
        """A copy with other facts. It keeps what was computed of those that stay the same."""
        changed = twin(self)
        content = changed.__dict__
        assert changes.keys() <= content.keys(), changes.keys() - content.keys()
        content.pop(SEEN, None)
        for name in changes:
            for computed in COMPUTED.get(name, ()):
                content.pop(computed, None)
        content.update(changes)
        return changed

    def with_units(self, units: Iterable[str], place: str) -> Position:
        """A copy with some units at a place."""
        return self.but(places={**self.places, **dict.fromkeys(units, place)})

    # ---------------------------------------------------------------- units

    def printed(self, unit: str) -> PrintedUnit:
        """What is printed on a counter, as both players know it."""
        try:
            return self.board.units[unit]
        except KeyError:
            return self.board.backs[self.side_of(unit)]

    def side_of(self, unit: str) -> Side:
        """Whose counter it is."""
        try:
            return self.board.units[unit].side
        except KeyError:
            return SIDE_OF_DECK[unit.partition("/")[0]]

    def at(self, unit: str) -> str:
        """The hex of a unit; empty if it is in none."""
        place = self.places.get(unit, "")
        return place if place in self.board.ground else ""

    @property
    def combat(self) -> Combat:
        """The combat that is being resolved; there must be one."""
        assert self.battle is not None
        return self.battle

    @cached_property
    def stacks(self) -> Mapping[str, tuple[str, ...]]:
        """The units in each hex that has any, columns too, in order."""
        found: dict[str, list[str]] = {}
        ground = self.board.ground
        for unit, place in self.places.items():
            if place in found:
                found[place].append(unit)
            elif place in ground:
                found[place] = [unit]
        return {hex: tuple(units) for hex, units in found.items()}

    @cached_property
    def troops(self) -> Mapping[str, tuple[str, ...]]:
        """The ground units in each hex that has any, in order; they are of one side."""
        ground, place_of, found = self.board.ground, self.places.get, dict[str, tuple[str, ...]]()
        for units in self.board.troops.values():
            for unit in units:
                if (place := place_of(unit, "")) in ground:
                    found[place] = (*found[place], unit) if place in found else (unit,)
        return found

    def units_at(self, hex: str, side: Side | None = None) -> tuple[str, ...]:
        """The ground units in a hex, of one side if that is given."""
        return self.troops.get(hex, ()) if side is None or side == self.holder(hex) else ()

    @CITE.serves("9.2", "10.7")
    def left_at(self, hex: str, side: Side) -> tuple[str, ...]:
        """The ground units of a side that are left in a hex by those who go from it."""
        # reading: whoever the same combat has driven into a hex from which it was fought keeps
        # neither headquarters nor trench for those who stood there before and go on later.
        battle = self.battle
        new = battle.fallen_back if battle is not None and hex in battle.came_from else ()
        return tuple(unit for unit in self.units_at(hex, side) if unit not in new)

    @cached_property
    def covers(self) -> Mapping[str, tuple[str, ...]]:
        """The covered counters in each hex that has any, in the order of their tags."""
        found: dict[str, list[str]] = {}
        if self.down.hidden:
            ground = self.board.ground
            for unit in sorted(filter(is_tag, self.places), key=by_tag):
                if self.places[unit] in ground:
                    found.setdefault(self.places[unit], []).append(unit)
        return {hex: tuple(units) for hex, units in found.items()}

    def everybody_at(self, hex: str) -> tuple[str, ...]:
        """The ground units in a hex, and its covered counters."""
        return (*self.units_at(hex), *self.covers.get(hex, ()))

    def columns_at(self, hex: str) -> tuple[str, ...]:
        """The supply columns in a hex."""
        return tuple(unit for unit in self.stacks.get(hex, ()) if self.printed(unit).type == COLUMN)

    @cached_property
    def holders(self) -> Mapping[str, Side]:
        """The side whose ground units are in each hex that has any; where only covered counters
        are, theirs, until they are shown.
        """
        units = self.board.units
        covered = {hex: self.side_of(tags[0]) for hex, tags in self.covers.items()}
        return covered | {hex: units[stack[0]].side for hex, stack in self.troops.items()}

    def holder(self, hex: str) -> Side | None:
        """The side whose ground units are in a hex."""
        return self.holders.get(hex)

    @cached_property
    def forces(self) -> Mapping[Side, tuple[str, ...]]:
        """The ground units of each side on the map, in order."""
        ground, places = self.board.ground, self.places
        return {
            side: tuple([unit for unit in units if places.get(unit) in ground])
            for side, units in self.board.troops.items()
        }

    def on_map(self, side: Side) -> tuple[str, ...]:
        """The ground units of a side on the map, in order."""
        return self.forces[side]

    def covered_on_map(self, side: Side) -> tuple[str, ...]:
        """The covered counters of a side that are in a hex."""
        return tuple(
            unit for tags in self.covers.values() for unit in tags if self.side_of(unit) == side
        )

    def columns_on_map(self, side: Side) -> tuple[str, ...]:
        """The supply columns of a side that are in a hex."""
        ground = self.board.ground
        places = self.places
        return tuple(each for each in self.board.columns[side] if places.get(each) in ground)

    def number_of_columns(self, side: Side) -> int:
        """How many supply columns of a side are on the map, covered ones too: both know that."""
        covered = [one for one in self.board.columns[side] if one in self.down.hidden]
        return len(self.columns_on_map(side)) + (len(covered) if self.turn else 0)

    def air(self, side: Side) -> tuple[str, ...]:
        """The air units of a side that are available, used ones too."""
        places = self.places
        return tuple(unit for unit in self.board.air[side] if places[unit] == AVAILABLE)

    @CITE.rule("2.1")
    def values(self, unit: str) -> Values:
        """The values of the side of the counter that is up."""
        printed = self.printed(unit)
        values = printed.reduced if self.lost.get(unit, 0) else printed.full
        assert values is not None, f"{unit} has no values"
        return values

    def steps_left(self, unit: str) -> int:
        """The steps that a unit can still lose, the last one too."""
        return self.printed(unit).steps - self.lost.get(unit, 0)

    def is_halved(self, unit: str) -> bool:
        """Whether its values count half: for lack of supply, or disorganised, and only once
        (6.3, 9.5).
        """
        return unit in self.unsupplied or self.levels.get(unit, 0) > 0

    @property
    def adds_first(self) -> bool:
        """Whether the values of a hex are added before they are halved (1.4)."""
        return UNIT_BY_UNIT not in self.options

    def terrain(self, hex: str) -> Terrain:
        """The ground of a hex of land."""
        return self.board.terrain_of(hex)

    @cached_property
    def brigades_lost(self) -> int:
        """The Republican brigades that were eliminated (14.1)."""
        return sum(
            place == ELIMINATED and self.printed(unit).is_brigade
            for unit, place in self.places.items()
        )

    # ---------------------------------------------------------------- covered counters

    @property
    def is_open(self) -> bool:
        """Whether all counters lie open by agreement."""
        return OPEN_UNITS in self.options

    def face(self, unit: str) -> str:
        """The unit of a name; empty where this view does not know it."""
        return self.down.face(unit)

    def may_be(self, unit: str) -> tuple[str, ...]:
        """The units that a name may stand for, as both players know."""
        return self.down.may_be(unit)

    def tags_of(self, side: Side) -> tuple[str, ...]:
        """The tags of a side, those of counters in no hex too, in order."""
        tags = (unit for unit in self.places if is_tag(unit) and self.side_of(unit) == side)
        return tuple(sorted(tags, key=by_tag))

    def seen(self, side: Side) -> Position:
        """The position with the covered counters of a side by their names, as far as this view
        knows them: how its player judges their own orders.
        """
        if not self.down.faces:
            return self
        known: dict[Side, Position] = self.__dict__.setdefault(SEEN, {})
        if side not in known:
            names = {tag: face for tag in self.tags_of(side) if (face := self.face(tag))}
            known[side] = self.with_names(names, self.down) if names else self
        return known[side]

    def claimed(self, claims: Iterable[tuple[str, str]]) -> Position:
        """The position for a view that takes these claims on counters face down for true."""
        down = self.down.claimed(claims)
        return self if down is self.down else self.but(down=down)

    def veiled(self, viewer: Side | None) -> Position:
        """The position without the faces that somebody may not know; nobody knows any."""
        own = {tag: face for tag, face in self.down.faces.items() if self.side_of(tag) == viewer}
        down = self.down.supposing(own)
        return self if down is self.down else self.but(down=down)

    def known_to(self, side: Side) -> Position:
        """The position as a side may think it: its own counters by name, as far as this view knows
        them, and no counter that it does not know.
        """
        return self.seen(side).without_covered()

    def without_covered(self) -> Position:
        """The position without any covered counter."""
        if not any(map(is_tag, self.places)):
            return self
        places = {unit: place for unit, place in self.places.items() if not is_tag(unit)}
        return self.but(places=places, down=FaceDown())

    def with_names(self, names: Mapping[str, str], down: FaceDown) -> Position:
        """A copy in which units go by other names, wherever they stand."""

        def renamed(units: Iterable[str]) -> tuple[str, ...]:
            return tuple(names.get(unit, unit) for unit in units)

        units = self.board.units
        return self.but(
            down=down,
            places={names.get(unit, unit): place for unit, place in self.places.items()},
            moved=frozenset(renamed(self.moved)),
            # Supply is a matter of places, and columns need none.
            unsupplied=frozenset(
                unit
                for unit in renamed(self.unsupplied)
                if unit not in units or units[unit].is_ground
            ),
        )

    # ---------------------------------------------------------------- where things stand

    @cached_property
    def occupied(self) -> Mapping[Side, int]:
        """The hexes with ground units of each side, or with covered counters, as bits."""
        bits, of, place_of = self.board.masks.bit, self.board.masks.of, self.places.get
        # Units share hexes: each is looked up once.
        found = {
            side: of(bits.keys() & {*map(place_of, units)})
            for side, units in self.board.troops.items()
        }
        for hex, tags in self.covers.items():
            found[self.side_of(tags[0])] |= bits[hex]
        return found

    @cached_property
    @CITE.rule("7.1.1")
    def zones(self) -> Mapping[Side, int]:
        """The hexes in the zone of control of each side, as bits: around units in supply."""
        # reading: where only covered counters are left, they have a zone until they are shown.
        without = self.board.masks.of(
            filter(self._is_without_zone, {*map(self.at, self.unsupplied)})
        )
        if not without:
            return self.reach
        around = self.board.zones.around
        return {side: around(mask & ~without) for side, mask in self.occupied.items()}

    def _is_without_zone(self, hex: str) -> bool:
        """Whether nobody in a hex is in supply who would have a zone."""
        known = [unit for unit in self.stacks.get(hex, ()) if self.printed(unit).is_ground]
        return bool(hex) and all(
            unit in self.unsupplied for unit in known or self.covers.get(hex, ())
        )

    @cached_property
    def reach(self) -> Mapping[Side, int]:
        """The hexes next to ground units of each side, whether they are in supply or not."""
        around = self.board.zones.around
        return {side: around(mask) for side, mask in self.occupied.items()}

    def is_in_enemy_zone(self, hex: str, side: Side) -> bool:
        """Whether a hex is in a zone of control of the enemy of a side."""
        return bool(self.zones[ENEMY[side]] & self.board.masks.bit[hex])

    @cached_property
    @CITE.serves("6.2")
    def sources(self) -> Mapping[Side, int]:
        """The sources of supply of each side that it controls, as bits."""
        # reading: a source that the enemy was the last to enter supplies nobody.
        of, control = self.board.masks.of, self.control
        return {
            side: of(hex for hex in hexes if control[hex] == side)
            for side, hexes in self.board.sources.items()
        }

    @property
    def judged(self) -> Mapping[Side, int]:
        """Where each side is in supply as the units stand now (`lines.judged`)."""
        return self.looks[1]

    def is_cut_off(self, unit: str) -> bool:
        """Whether a unit on the map, or a covered counter, is out of supply as all stand now."""
        return not self.judged[self.side_of(unit)] & self.board.masks.bit[self.at(unit)]

    @cached_property
    def looks(self) -> tuple[Mapping[Side, int], Mapping[Side, int]]:
        """What the first look finds, with the zones of all units, and what holds."""
        return judged(self.board, self.occupied, self._sources_if(self.occupied))

    def _sources_if(self, held: Mapping[Side, int]) -> Mapping[Side, int]:
        """The sources of each side if they held these hexes."""
        return {side: self.sources[side] | held[side] & self.board.origins[side] for side in SIDES}

    @cached_property
    def _supposed(self) -> dict[tuple[Side, int], int]:
        return {}

    def supply_if(self, side: Side, held: int) -> int:
        """Where a side would be in supply if it held these hexes, as bits."""
        if held == self.occupied[side]:
            return self.judged[side]
        known = self._supposed
        if (side, held) not in known:
            would = {**self.occupied, side: held}
            known[side, held] = judged_for(self.board, side, would, self._sources_if(would))
        return known[side, held]

"""What is printed: the map, the units and the charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from pbem.board.graph import Graph
from pbem.board.hexes import Grid
from pbem.board.hexsides import Hexsides
from pbem.board.masks import Masks
from pbem.board.tables import OddsTable, RangeTable
from pbem.engine.model import Side
from pbem.games.ctv.citations import CITE
from pbem.messages import marked
from pbem.value import value

NATIONALIST, REPUBLICAN = Side("nationalist"), Side("republican")
SIDES = (NATIONALIST, REPUBLICAN)
ENEMY: Mapping[Side, Side] = {NATIONALIST: REPUBLICAN, REPUBLICAN: NATIONALIST}
PEOPLE: Mapping[str, str] = {NATIONALIST: marked("Nationalist"), REPUBLICAN: marked("Republican")}

GRID = Grid("odd", lines="rows")
INFANTRY, MECHANISED, ARMOUR, HEADQUARTERS, AIR, COLUMN, COVERED = (
    "infantry", "mechanised", "armour", "headquarters", "air", "column", "covered",
)  # fmt: skip
"""The types of units; `covered` is one that nobody may look at."""
SPANISH, ITALIAN, ITALO_SPANISH, GERMAN = "spanish", "italian", "italo_spanish", "german"
BASQUE, BASQUE_LEFT, ASTURIAN = "basque", "basque_left", "asturian"
BY_DIVISION, BY_ARMOUR_DIE, BY_SURRENDER = "division", "armour", "surrender"
"""How a unit comes into the game that is not set up with the others."""
COLUMN_OF: Mapping[Side, str] = {NATIONALIST: "N-SC-", REPUBLICAN: "R-SC-"}
DECKS: Mapping[Side, str] = {NATIONALIST: "n", REPUBLICAN: "r"}
"""The decks whose slots are the tags of covered counters (5.2)."""
SIDE_OF_DECK: Mapping[str, Side] = {deck: side for side, deck in DECKS.items()}


@value
class Values:
    """One side of a counter: attack, defence, movement points."""

    attack: int
    defence: int
    move: int


@value
class PrintedUnit:
    """A unit as it is printed. An air unit has no values; one of a single step has no `reduced`."""

    id: str
    name: str
    side: Side
    nation: str
    type: str
    full: Values | None
    reduced: Values | None
    division: str = ""
    level: str = ""
    """Of a headquarters: `corps` or `division`."""
    points: int = 0
    """Stacking points."""
    fire: int = 0
    """Bombardment points."""
    is_motorised: bool = False
    is_brigade: bool = False
    comes: str = ""

    @property
    def steps(self) -> int:
        """How many it has when it is whole."""
        return 2 if self.reduced is not None else 1

    @property
    def is_ground(self) -> bool:
        """Whether it fights on the ground: it holds hexes and has a zone of control."""
        return self.type not in (AIR, COLUMN, COVERED)

    @property
    def takes_losses(self) -> bool:
        """Whether steps can be taken from it (9.2)."""
        return self.is_ground and self.type != HEADQUARTERS


@value
class Terrain:
    """A kind of ground. `enter` and `rain` are in half movement points; `defence` in halves."""

    enter: int
    defence: int
    stacking: int
    rain: int


@value
class MoraleRow:
    """A row of the morale table: its last total, and what happens."""

    up_to: int
    result: str


@value
class TakenAway:
    """What an offensive elsewhere takes away, up to a face of the die."""

    up_to: int
    infantry: int
    air: int


class Tables:
    """Everything that is printed, made from the data once."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self._map, self._units, charts = plain["map"], plain["units"], plain["tables"]
        self.charts: Mapping[str, Any] = charts
        self.scenarios: Mapping[str, Any] = plain["scenarios"]
        self.terrain = {
            each["id"]: Terrain(each["enter"], each["defence"], each["stacking"], each["rain"])
            for each in charts["terrain"]
        }
        self.steps: Mapping[str, int] = charts["steps"]
        self.combat = charts["combat"]
        self.odds: OddsTable[str] = OddsTable.of(
            self.combat["columns"], self.combat["rows"], "down", self.combat["first_row"]
        )
        fire = charts["bombardment"]
        wide = len(fire["rows"][0])
        columns: list[list[int | None]] = [[at, at] for at in range(1, wide)]
        columns.append([wide, None])
        self.bombardment: RangeTable[int] = RangeTable.of(columns, fire["rows"], fire["first_row"])
        self.morale = tuple(MoraleRow(**row) for row in charts["morale"]["rows"])
        self.offensive = tuple(TakenAway(**row) for row in charts["offensive"]["takes"])
        self.dates = {each["turn"]: (each["from"], each["to"]) for each in charts["turns"]["dates"]}

    # --- the map

    @cached_property
    def _hexes(self) -> Mapping[str, Mapping[str, Any]]:
        return {each["id"]: each for each in self._map["hexes"] if each["terrain"] != "sea"}

    @cached_property
    @CITE.rule("1.3")
    def hexes(self) -> tuple[str, ...]:
        """The hexes of land, in map order."""
        return tuple(self._hexes)

    @cached_property
    def everywhere(self) -> frozenset[str]:
        """All hexes of the map, the sea too."""
        (north, south), (west, east) = self._map["extent"]["rows"], self._map["extent"]["places"]
        return frozenset(
            GRID.name(row, place)
            for row in range(north, south + 1)
            for place in range(west, east + 1)
        )

    @cached_property
    def ground(self) -> Mapping[str, str]:
        """The kind of ground of each hex of land (1.3.1)."""
        return {hex: each["terrain"] for hex, each in self._hexes.items()}

    def terrain_of(self, hex: str) -> Terrain:
        """The ground of a hex of land."""
        return self.terrain[self.ground[hex]]

    @cached_property
    def step_costs(self) -> dict[tuple[str, str, bool, bool, str], int]:
        """What steps cost in each weather, as far as it was asked: `rules.movement` fills it."""
        return {}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of the hexes that have one."""
        return {hex: each["name"] for hex, each in self._hexes.items() if each.get("name")}

    @cached_property
    def held(self) -> Mapping[str, Side]:
        """Who holds each hex when the game begins: the front line."""
        return {hex: Side(each["held"]) for hex, each in self._hexes.items()}

    @cached_property
    def objectives(self) -> Mapping[str, int]:
        """The victory points of the hexes with a star (14.1)."""
        return {hex: each["points"] for hex, each in self._hexes.items() if each.get("points")}

    @cached_property
    @CITE.rule("6.2")
    def sources(self) -> Mapping[Side, tuple[str, ...]]:
        """The sources of supply of each side."""
        found: dict[Side, list[str]] = {side: [] for side in SIDES}
        for hex, each in self._hexes.items():
            if each.get("source"):
                found[Side(each["source"])].append(hex)
        return {side: tuple(hexes) for side, hexes in found.items()}

    @cached_property
    def every_source(self) -> frozenset[str]:
        """The sources of both sides."""
        return frozenset(hex for hexes in self.sources.values() for hex in hexes)

    @cached_property
    def origins(self) -> Mapping[Side, int]:
        """The same as bits."""
        return {side: self.masks.of(hexes) for side, hexes in self.sources.items()}

    @cached_property
    def exits(self) -> Mapping[Side, tuple[str, ...]]:
        """The sources on the edge of the map, where a road leaves it (9.3)."""
        return {
            side: tuple(hex for hex in hexes if not self.everywhere.issuperset(GRID.around(hex)))
            for side, hexes in self.sources.items()
        }

    @cached_property
    @CITE.rule("1.3.2")
    def sides(self) -> Hexsides:
        """The roads, rivers and closed sides; nothing crosses a closed one."""
        return Hexsides.of({
            "road": [road["through"] for road in self._map["roads"]],
            "river": [pair for river in self._map["rivers"] for pair in river["between"]],
            "closed": [each["between"] for each in self._map["closed"]],
        })  # fmt: skip

    @cached_property
    def graph(self) -> Graph:
        """The hexes of land, joined where no closed side is between."""
        return GRID.graph(self.hexes, self.sides.sides("closed"))

    @cached_property
    @CITE.rule("7.1")
    def zone(self) -> Mapping[str, frozenset[str]]:
        """The hexes into which the zone of a unit in each hex of land reaches: the six around, and
        none over a closed side; the sea too, where it can only cover a hex for 10.2.1.
        """
        closed = self.sides.sides("closed")
        return {
            hex: frozenset(
                near
                for near in GRID.around(hex)
                if near in self.everywhere and frozenset((hex, near)) not in closed
            )
            for hex in self.hexes
        }

    @cached_property
    def masks(self) -> Masks:
        """The hexes of the map as bits, with the steps over land."""
        return Masks(sorted(self.everywhere), self._land_around)

    def _land_around(self, hex: str) -> Iterable[str]:
        return self.graph.neighbours(hex) if hex in self.ground else ()

    @cached_property
    def zones(self) -> Masks:
        """The same bits, with a step to each hex into which a zone reaches."""
        return Masks(sorted(self.everywhere), lambda hex: self.zone.get(hex, ()))

    @cached_property
    def land(self) -> int:
        """The hexes of land as bits."""
        return self.masks.of(self.hexes)

    @cached_property
    def front(self) -> Mapping[Side, tuple[str, ...]]:
        """The hexes of each side along the front line (4.2, 4.3)."""
        held = self.held
        return {
            side: tuple(
                hex
                for hex in self.hexes
                if held[hex] == side
                and any(held.get(near, side) != side for near in GRID.around(hex))
            )
            for side in SIDES
        }

    # --- the units

    @cached_property
    def units(self) -> Mapping[str, PrintedUnit]:
        """All units and supply columns, in the order that breaks ties."""
        found = {each["id"]: _printed(each) for each in self._units["units"]}
        return found | {column.id: column for column in self._columns()}

    def _columns(self) -> Iterator[PrintedUnit]:
        columns = self._units["columns"]
        moves = Values(0, 0, columns["move"])
        for side in SIDES:
            for number in range(1, columns[side]["most"] + 1):
                id = f"{COLUMN_OF[side]}{number}"
                yield PrintedUnit(id, f"supply column {number}", side, "", COLUMN, moves, None,
                                  fire=self.charts["bombardment"]["column"],
                                  is_motorised=True)  # fmt: skip

    def columns_at_first(self, side: Side) -> int:
        """How many supply columns a side sets up."""
        number: int = self._units["columns"][side]["first"]
        return number

    def columns_each_turn(self, side: Side) -> int:
        """How many come to a side in each later turn."""
        number: int = self._units["columns"][side]["each_turn"]
        return number

    @cached_property
    def troops(self) -> Mapping[Side, tuple[str, ...]]:
        """The ground units of each side, in the order of the data."""
        return {
            side: tuple(unit for unit in army if self.units[unit].is_ground)
            for side, army in self.army.items()
        }

    @cached_property
    @CITE.rule("2.3.1")
    def army(self) -> Mapping[Side, tuple[str, ...]]:
        """The units of each side without columns, in order."""
        return {
            side: tuple(
                unit
                for unit, each in self.units.items()
                if each.side == side and each.type != COLUMN
            )
            for side in SIDES
        }

    @cached_property
    def air(self) -> Mapping[Side, tuple[str, ...]]:
        """The air units of each side, in order."""
        return {side: self._of_type(side, AIR) for side in SIDES}

    @cached_property
    def headquarters(self) -> Mapping[Side, tuple[str, ...]]:
        """The headquarters of each side, in order."""
        return {side: self._of_type(side, HEADQUARTERS) for side in SIDES}

    def _of_type(self, side: Side, type: str) -> tuple[str, ...]:
        return tuple(unit for unit in self.army[side] if self.units[unit].type == type)

    @cached_property
    def columns(self) -> Mapping[Side, tuple[str, ...]]:
        """The supply columns of each side."""
        return {
            side: tuple(
                unit
                for unit, each in self.units.items()
                if each.side == side and each.type == COLUMN
            )
            for side in SIDES
        }

    @cached_property
    @CITE.serves("5.2")
    def covered(self) -> Mapping[Side, tuple[str, ...]]:
        """The counters of each side that may lie covered: all that are set up on the ground. What
        comes later comes in sight of both.
        """
        return {
            side: tuple(
                unit
                for unit in (*self.army[side], *self.columns[side][: self.columns_at_first(side)])
                if self.units[unit].type != AIR and self.units[unit].comes != BY_SURRENDER
            )
            for side in SIDES
        }

    @cached_property
    def backs(self) -> Mapping[Side, PrintedUnit]:
        """What both know of a covered counter of each side."""
        return {
            side: PrintedUnit("", "covered counter", side, "", COVERED, None, None)
            for side in SIDES
        }

    @cached_property
    def divisions_by_die(self) -> tuple[str, ...]:
        """The divisions whose place in the set-up depends on a die (4.1)."""
        return tuple(
            dict.fromkeys(
                each.division for each in self.units.values() if each.comes == BY_DIVISION
            )
        )

    def armour_for(self, face: int) -> tuple[str, ...]:
        """The armour that a face of the die gives (4.3)."""
        row = next(row for row in self._units["armour"] if face <= row["up_to"])
        return tuple(row["units"])

    def in_order(self, units: Iterable[str]) -> tuple[str, ...]:
        """Units in the order that breaks ties, each once."""
        wanted = set(units)
        return tuple(unit for unit in self.units if unit in wanted)

    def morale_for(self, total: int) -> str:
        """The result of a morale roll (10.6)."""
        return next(row.result for row in self.morale if total <= row.up_to)

    @cached_property
    def _near(self) -> dict[tuple[str, int], tuple[str, ...]]:
        return {}

    def within(self, hex: str, radius: int) -> tuple[str, ...]:
        """The hexes of land at this distance or less."""
        if (hex, radius) not in self._near:
            found = (each for each in GRID.within(hex, radius) if each in self.ground)
            self._near[hex, radius] = tuple(found)
        return self._near[hex, radius]

    def distance(self, one: str, other: str) -> int:
        """How many hexes lie between two; 1 if they are next to each other."""
        known, pair = self._distances, (one, other)
        if pair not in known:
            known[pair] = GRID.distance(one, other)
        return known[pair]

    @cached_property
    def _distances(self) -> dict[tuple[str, str], int]:
        return {}


def _printed(plain: Mapping[str, Any]) -> PrintedUnit:
    full, reduced = plain.get("full"), plain.get("reduced")
    return PrintedUnit(
        id=plain["id"], name=plain["name"], side=Side(plain["side"]), nation=plain["nation"],
        type=plain["type"], full=Values(*full) if full else None,
        reduced=Values(*reduced) if reduced else None, division=plain.get("division", ""),
        level=plain.get("level", ""), points=plain.get("points", 0), fire=plain.get("fire", 0),
        is_motorised=plain.get("motorised", False), is_brigade=plain.get("brigade", False),
        comes=plain.get("comes", ""),
    )  # fmt: skip


def steps_of(path: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each step of a path."""
    return pairwise(path)

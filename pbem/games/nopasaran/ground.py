"""The ground of a battle: its part of a map, and what lies between and across its hexes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

from pbem.board.hexes import Grid
from pbem.board.hexsides import Hexsides, key_of
from pbem.board.zones import flood, outward
from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.value import value

K = TypeVar("K")
V = TypeVar("V")
Step = tuple[str, str]
GRID = Grid("even", lines="rows", lettered=True)
CLEAR, WOODS, HEAVY_WOODS, TOWN, CITY, MADRID = (
    "clear", "woods", "heavy_woods", "town", "city", "madrid",
)  # fmt: skip
RIVER, ROAD, RAIL = "river", "road", "rail"
SLOPE_UP, SLOPE_DOWN, STEEP_UP, STEEP_DOWN = "slope_up", "slope_down", "steep_up", "steep_down"
SLOPES = (SLOPE_UP, SLOPE_DOWN, STEEP_UP, STEEP_DOWN)
BRIDGE, DAMAGED_BRIDGE, PONTOON, SUPPORTED_RIVER = (
    "bridge", "damaged_bridge", "pontoon", "supported_river",
)  # fmt: skip


FOOT, _ = FOOT_AND_TRUCKS = (0, 3)
"""Their places among the kinds of movement (`tables.KINDS`): a line of command goes as either."""


@value
class Terrain:
    """A kind of ground. `enter` is in half points, by the kind of movement; None: prohibited."""

    id: str
    enter: tuple[int | None, ...]
    stacking: int
    shift: int
    armour: int
    armour_alone: int
    fire: int
    zone: str
    air: int
    land: int
    morale: int


@value
class Works:
    """A kind of works, which adds to the terrain."""

    id: str
    shift: int
    fire: int
    air: int
    morale: int


@value
class Crossing:
    """What is crossed on the way into a hex: half points by the kind of movement, the columns of an
    attack over it (None where there is none), and what it adds to the die when armour attacks.
    """

    id: str
    cross: tuple[int | None, ...]
    shift: int | None
    armour: int


@value
class Bridge:
    """A bridge over one hexside."""

    id: str
    name: str
    between: tuple[str, str]
    has_road: bool

    @property
    def key(self) -> str:
        """The name of its side."""
        return key_of(*self.between)

    def over(self, hex: str) -> str:
        """The hex on its other end."""
        one, other = self.between
        return other if hex == one else one


class AsAsked(dict[K, V]):
    """A table in which each entry is computed when it is first asked for: a command asks for few of
    the steps of a map.
    """

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make

    def __missing__(self, key: K) -> V:
        found = self[key] = self._make(key)
        return found


class Reaches:
    """The reaches of a hex that were computed, by what barred the hexes that were looked at.

    `near` are those that were looked at for any of them. So a reach depends on no other hex, and
    two with the same hexes of `near` barred are the same.
    """

    def __init__(self) -> None:
        self.near: frozenset[str] = frozenset()
        self._known: dict[Hashable, frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def known(self, barred: frozenset[str]) -> frozenset[str] | None:
        """The reach with these hexes barred, if it was computed."""
        return self._known.get(barred & self.near)

    def keep(self, barred: frozenset[str], reach: frozenset[str], looked_at: Iterable[str]) -> None:
        """Keeps a reach that was computed by looking at some hexes."""
        self.near = self.near.union(looked_at)
        make_room(self._known)
        self._known[barred & self.near] = reach


class Ground:
    """The hexes of one battle. What is beyond its rows does not exist: roads end there."""

    def __init__(
        self, map: Mapping[str, Any], scenario: Mapping[str, Any], charts: Mapping[str, Any]
    ) -> None:
        self._map, self._plain = map, scenario
        self.kinds = {
            each["id"]: Terrain(**{**each, "enter": tuple(each["enter"])})
            for each in charts["terrain"]["kinds"]
        }
        self.works_kinds = {each["id"]: Works(**each) for each in charts["works"]["kinds"]}
        self.crossings = {
            each["id"]: Crossing(**{**each, "cross": tuple(each["cross"])})
            for each in charts["crossings"]["kinds"]
        }

    def __getstate__(self) -> dict[str, Any]:
        """Without what is computed as it is asked for: a copy that is kept asks again."""
        return {name: each for name, each in vars(self).items()
                if not isinstance(each, AsAsked | Reaches)}  # fmt: skip

    # --- hexes

    @cached_property
    def hexes(self) -> tuple[str, ...]:
        """All hexes, row by row."""
        first, last = (ord(row) - ord("A") + 1 for row in self._plain["rows"])
        west, east = self._map["places"]
        return tuple(
            GRID.name(row, place)
            for row in range(first, last + 1)
            for place in range(west, east + 1)
        )

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self.hexes)

    def __contains__(self, hex: object) -> bool:
        return hex in self._all

    @cached_property
    def _printed(self) -> Mapping[str, Mapping[str, Any]]:
        return {each["id"]: each for each in self._map["hexes"] if each["id"] in self}

    @cached_property
    def terrain(self) -> Mapping[str, Terrain]:
        """The ground of each hex; what the map does not name is clear."""
        named = self._printed
        return {
            hex: self.kinds[named[hex].get("terrain", CLEAR) if hex in named else CLEAR]
            for hex in self.hexes
        }

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of the hexes that have one."""
        return {hex: each["name"] for hex, each in self._printed.items() if "name" in each}

    @cached_property
    def around(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes next to each one, clockwise."""
        return AsAsked(self._around)

    @CITE.rule("10.p7")
    def _around(self, hex: str) -> tuple[str, ...]:
        if hex not in self:
            raise KeyError(hex)
        return tuple(near for near in GRID.around(hex) if near in self)

    @cached_property
    def _distances(self) -> Mapping[str, Mapping[str, int]]:
        return AsAsked(lambda one: AsAsked(lambda other: GRID.distance(one, other)))

    def distance(self, one: str, other: str) -> int:
        """How far two hexes are apart; 1 if they are next to each other."""
        return self._distances[one][other]

    def within(self, hex: str, radius: int) -> tuple[str, ...]:
        """The hexes at this distance or less, the nearest first."""
        return tuple(each for each in GRID.within(hex, radius) if each in self)

    # --- what lies between them

    def _chains(self, kind: str) -> Iterator[list[str]]:
        """The roads or railways, cut where they leave the battle."""
        for each in self._map[kind]:
            piece: list[str] = []
            for hex in [*each["through"], ""]:
                if hex in self:
                    piece.append(hex)
                elif piece:
                    yield piece
                    piece = []

    def _pairs(self, pairs: list[list[str]]) -> list[list[str]]:
        return [pair for pair in pairs if pair[0] in self and pair[1] in self]

    @cached_property
    def sides(self) -> Hexsides:
        """Rivers, slopes, roads and railways. Bridges are apart: their state changes."""
        slopes = {each["kind"]: self._pairs(each["up"]) for each in self._map["slopes"]}
        rivers = [self._pairs(each["between"]) for each in self._map["rivers"]]
        return Hexsides.of(
            {
                RIVER: [pair for sides in rivers for pair in sides],
                "gentle": slopes.get("gentle", []),
                "steep": slopes.get("steep", []),
                ROAD: list(self._chains("roads")),
                RAIL: list(self._chains("railways")),
            },
            {"gentle": (SLOPE_UP, SLOPE_DOWN), "steep": (STEEP_UP, STEEP_DOWN)},
        )  # fmt: skip

    @cached_property
    def river_of(self) -> Mapping[str, str]:
        """The river on a side, by the side's key."""
        return {
            key_of(*pair): each["name"]
            for each in self._map["rivers"]
            for pair in self._pairs(each["between"])
        }

    @cached_property
    def bridges(self) -> Mapping[str, Bridge]:
        """The bridges of the battle, by their ids."""
        return {
            each["id"]: Bridge(each["id"], each["name"], tuple(each["between"]),
                               ROAD in each["carries"])
            for each in self._map["bridges"]
            if each["between"][0] in self and each["between"][1] in self
        }  # fmt: skip

    @cached_property
    def bridge_at(self) -> Mapping[str, str]:
        """The bridge over a side, by the side's key, if it may be crossed."""
        return {bridge.key: id for id, bridge in self.bridges.items()
                if bridge.key not in self.closed}  # fmt: skip

    @cached_property
    def closed(self) -> frozenset[str]:
        """The keys of the sides that nobody crosses: those of the bridges outside this battle."""
        outside = self._plain.get("closed", ())
        return frozenset(bridge.key for id, bridge in self.bridges.items() if id in outside)

    def bridges_of(self, hex: str) -> tuple[Bridge, ...]:
        """The bridges of the battle with an end in a hex, but for those that are closed."""
        return tuple(bridge for bridge in self.bridges.values()
                     if hex in bridge.between and bridge.key not in self.closed)  # fmt: skip

    @cached_property
    def on_roads(self) -> frozenset[str]:
        """The hexes through which a road runs."""
        return frozenset(hex for chain in self._chains("roads") for hex in chain)

    @cached_property
    def on_rails(self) -> frozenset[str]:
        """The hexes through which a railway runs."""
        return frozenset(hex for chain in self._chains("railways") for hex in chain)

    def road(self, name: str) -> tuple[str, ...]:
        """The hexes of a road in this battle."""
        for each in self._map["roads"]:
            if each["name"] == name:
                return tuple(hex for hex in each["through"] if hex in self)
        return ()

    def by_road(self, hex: str) -> tuple[str, ...]:
        """The hexes to which a road leads from one, over no closed bridge."""
        return tuple(
            near
            for near in self.around[hex]
            if ROAD in self.sides.between(hex, near) and key_of(hex, near) not in self.closed
        )

    # --- what a step costs where no river is crossed: that never changes

    @cached_property
    def over_land(self) -> Mapping[Step, tuple[int | None, ...] | None]:
        """The half points of each step off the road, by the kind of movement; None over a river."""
        return AsAsked(self._over_land)

    def _over_land(self, step: Step) -> tuple[int | None, ...] | None:
        sides = self.sides.between(*step)
        if RIVER in sides:
            return None
        enter = self.terrain[step[1]].enter
        slopes = [self.crossings[each].cross for each in sides if each in SLOPES]
        return tuple(map(_added, zip(enter, *slopes, strict=True))) if slopes else enter

    @cached_property
    def lines_over_land(self) -> Mapping[Step, int | None]:
        """What each step over no river, off the road, costs a line of command: the cheaper of foot
        and motorised (6.2.p3).
        """
        return AsAsked(self._line_over_land)

    def _line_over_land(self, step: Step) -> int | None:
        costs = self.over_land[step]
        assert costs is not None
        return min((cost for kind in FOOT_AND_TRUCKS if (cost := costs[kind]) is not None),
                   default=None)  # fmt: skip

    @cached_property
    def road_steps(self) -> frozenset[Step]:
        """The steps between two hexes that a road joins, over a bridge, too."""
        return frozenset((hex, near) for hex in self.on_roads for near in self.by_road(hex))

    @cached_property
    def lines(self) -> dict[Hashable, dict[Step, int | None]]:
        """The costs of steps of lines that were computed, by what leads there."""
        return {}

    @cached_property
    def reaches(self) -> dict[Hashable, Reaches]:
        """What was computed of the reach of headquarters, by their hexes and what leads there."""
        return {}

    @cached_property
    def open_roads(self) -> dict[Hashable, frozenset[str]]:
        """Roads open to a rear that were computed, by all that they depend on."""
        return {}

    @cached_property
    def zone_reaches(self) -> dict[Hashable, tuple[str, ...]]:
        """The zones of stacks that were computed, by all that they depend on."""
        return {}

    # --- ways on foot

    @cached_property
    def from_over_land(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes from which men on foot can always step into each one."""
        return AsAsked(lambda hex: tuple(
            near for near in self.around[hex]
            if (costs := self.over_land[near, hex]) is not None and costs[FOOT] is not None
        ))  # fmt: skip

    @cached_property
    def from_over_river(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes across a river from each hex on its banks."""
        return {
            hex: across
            for hex in self.hexes
            if (across := tuple(near for near in self.around[hex]
                                if self.over_land[near, hex] is None))
        }  # fmt: skip

    @cached_property
    def open_rivers(self) -> dict[Hashable, frozenset[Step]]:
        """The steps over rivers that were found open, by all that they depend on."""
        return {}

    @cached_property
    def steps_on_foot(self) -> dict[Hashable, Mapping[str, int]]:
        """How far all hexes are from some on foot, by these and what is open over rivers."""
        return {}

    # --- banks and rears

    @cached_property
    def banks(self) -> Mapping[str, str]:
        """The bank of each hex, by the first hex on the same side of all rivers."""
        found: dict[str, str] = {}
        for hex in self.hexes:
            if hex not in found:
                found |= dict.fromkeys(flood((hex,), self._on_this_bank), hex)
        return found

    def _on_this_bank(self, hex: str) -> Iterator[str]:
        return (near for near in self.around[hex] if RIVER not in self.sides.between(hex, near))

    def bank(self, hex: str) -> frozenset[str]:
        """The hexes on the same side of all rivers as one."""
        return frozenset(each for each, bank in self.banks.items() if bank == self.banks[hex])

    def beyond(self, hex: str, enemy: Side) -> frozenset[str]:
        """The hexes that can be reached from one without crossing the river that parts its bank
        from the own edge of an enemy: over other rivers, too.
        """
        return self._beyond[hex, enemy]

    @cached_property
    def _beyond(self) -> Mapping[tuple[str, Side], frozenset[str]]:
        return AsAsked(lambda asked: self._land_beyond(*asked))

    def _land_beyond(self, hex: str, enemy: Side) -> frozenset[str]:
        across = {self.banks[each] for each in self.edge(enemy)}
        rivers = {
            self.river_of[key_of(here, there)]
            for here in self.bank(hex)
            for there in self.around[here]
            if self.banks[there] in across and key_of(here, there) in self.river_of
        }
        return flood((hex,), lambda here: (
            there for there in self.around[here]
            if self.river_of.get(key_of(here, there)) not in rivers
        ))  # fmt: skip

    @cached_property
    def held(self) -> frozenset[str]:
        """The hexes that are Republican when the battle begins."""
        return frozenset(hex for bank in self._plain["held"] for hex in self.bank(bank))

    def rear(self, side: Side) -> tuple[str, ...]:
        """The hexes from which a road leads to the rear of a side (6.2)."""
        return tuple(self._plain[side]["roads"])

    def edge(self, side: Side) -> tuple[str, ...]:
        """The hexes of the own edge of a side."""
        return tuple(self._plain[side]["edge"])

    def air_entries(self, side: Side) -> tuple[str, ...]:
        """Where the aircraft of a side come in (7.2)."""
        return tuple(self._plain[side]["air"])

    @cached_property
    def _from_rear(self) -> dict[Hashable, Mapping[str, int]]:
        return {}

    @CITE.serves("15.B")
    def from_rear(self, side: Side, bridged: frozenset[str]) -> Mapping[str, int]:
        """How many hexes each is from the own edge of a side, over no river but at these sides."""
        key = (side, bridged)
        if key not in self._from_rear:
            make_room(self._from_rear)

            def near(hex: str) -> Iterator[str]:
                for there in self.around[hex]:
                    if RIVER not in self.sides.between(hex, there) or key_of(hex, there) in bridged:
                        yield there

            self._from_rear[key] = dict(outward(self.edge(side), near))
        return self._from_rear[key]


MOST_KEPT = 2_000
"""So many answers of one kind are kept with a ground."""


def make_room(kept: dict[Hashable, Any]) -> None:
    """Forgets what is kept, once it is too much for a long game to carry."""
    if len(kept) >= MOST_KEPT:
        kept.clear()


def _added(costs: tuple[int | None, ...]) -> int | None:
    """The sum; None if one of them is."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def steps_of(path: tuple[str, ...]) -> Iterator[Step]:
    """Each step of a path."""
    return pairwise(path)

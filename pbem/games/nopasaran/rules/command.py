"""6: lines of command, and the supply that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import chain, pairwise

from pbem.board.movement import cheapest
from pbem.board.movement import within as reach_of
from pbem.board.zones import flood
from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import Reaches, make_room
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import ways, zones
from pbem.games.nopasaran.tables import NORMAL, SIDES, SUPPLY, Supply

LAST_NOT_WORSE = 7
"""Units of more effectiveness lose no supply, however long they are out of command (6.3)."""


NOWHERE: frozenset[str] = frozenset()
"""The area of a formation that nobody commands."""


@CITE.rule("6.2.p5")
def in_command(position: Position, unit: str) -> bool:
    """Whether a unit is in command now: within range of a headquarters that is so itself."""
    # reading: units that are still to come are in command until they have entered.
    hex = position.at(unit)
    return not hex or hex in area(position, _commander_of(position, unit))


def area(position: Position, formation: str) -> frozenset[str]:
    """The hexes in which the units of a formation are in command; none if nobody commands it."""
    known = position.kept("command", _areas)[position.formation(formation).side]
    if formation not in known:
        known[formation] = NOWHERE  # a chain that leads back to itself commands nobody
        known[formation] = _area(position, formation)
    return known[formation]


Areas = dict[str, frozenset[str]]


def _areas(position: Position) -> Mapping[Side, Areas]:
    """Those of each side that are known: of a position in which its lines ran the same ways, from
    the same hexes to the same formations.
    """
    kept = position.kept("areas", _unknown)
    make_room(kept)
    found: dict[Side, Areas] = {}
    for side in SIDES:
        places = tuple(map(position.at, position.board.headquarters_of[side]))
        lines = zones.barred(position, side), ways.state_of(position, side), places
        found[side] = kept.setdefault(lines, {})
    return found


def _unknown(position: Position) -> dict[Hashable, Areas]:
    """What is known of areas while formations stay as they are: nothing yet."""
    return {}


@CITE.rule("6.2", "6.2.a")
def _area(position: Position, formation: str) -> frozenset[str]:
    """What is within range of a headquarters, if it is within range of the one above it, and so on
    up to one with a road to the rear.
    """
    # reading: only the headquarters at the top of the chain needs the road.
    headquarters, above = position.headquarters_of(formation), position.parent(formation)
    here = position.at(headquarters)
    if not here or (above and here not in area(position, above)):
        return NOWHERE
    within = Ranges(position, position.side_of(headquarters))
    return within.around(headquarters) if above or within.has_road(headquarters) else NOWHERE


def _commander_of(position: Position, unit: str) -> str:
    """The formation whose headquarters commands a unit."""
    known = position.kept("commanders", _unnamed)
    if unit not in known:
        known[unit] = _found_commander(position, unit)
    return known[unit]


def _unnamed(position: Position) -> dict[str, str]:
    """The commanders of units while formations stay as they are: none is known yet."""
    return {}


@CITE.serves("3.2.p3")
def _found_commander(position: Position, unit: str) -> str:
    """Support troops that are not assigned look to the formation above them (3.2.p3)."""
    formation = position.commander(unit)
    each = position.formation(formation)
    return position.parent(formation) if each.is_troops else formation


class Ranges:
    """What is within the range of headquarters of a side.

    A reach is kept with the ground, by all that it depends on: whoever moves elsewhere does not
    change it.
    """

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side = position, side
        self.range: int = position.board.charts["command"]["range"]
        self.barred = zones.barred(position, side)
        self._ways = ways.state_of(position, side)
        make_room(position.ground.lines)
        self._steps = position.ground.lines.setdefault(self._ways, {})

    def near(self, hex: str) -> tuple[str, ...]:
        """The hexes next to one."""
        return self.position.ground.around[hex]

    def cost_to(self, here: str, there: str) -> int | None:
        """The cost of the step from `there` to `here`: lines are followed from their end."""
        return None if there in self.barred else self._step(there, here)

    def cost_from(self, here: str, there: str) -> int | None:
        """The half points of a step of a line; None where it is barred."""
        return None if there in self.barred else self._step(here, there)

    def _step(self, here: str, there: str) -> int | None:
        step = here, there
        if step not in self._steps:
            self._steps[step] = ways.command_cost(self.position, here, there, self.side)
        return self._steps[step]

    @CITE.serves("6.2.p3")
    def around(self, headquarters: str) -> frozenset[str]:
        """The hexes from which a line of command reaches a headquarters."""
        return self._reach(self.position.at(headquarters), self.cost_to)

    def _reach(self, here: str, cost: Callable[[str, str], int | None]) -> frozenset[str]:
        """The hexes within range of one, itself among them."""
        reaches, way = self.position.ground.reaches, (here, cost.__name__, self._ways)
        if way not in reaches:
            make_room(reaches)
            reaches[way] = Reaches()
        known = reaches[way]
        found = known.known(self.barred)
        if found is None:
            found = reach_of(here, self.near, cost, self.range)
            # From the second one on it pays to know all hexes on which any of them could depend.
            widest = self._widest(here, cost.__name__) if len(known) == 1 else found
            known.keep(self.barred, found, chain(found, *map(self.near, found | widest)))
        return found

    def _widest(self, here: str, cost: str) -> frozenset[str]:
        """The hexes within range of one if none were barred."""
        unbarred = Ranges(self.position, self.side)
        unbarred.barred = frozenset()
        return reach_of(here, self.near, getattr(unbarred, cost), self.range)

    @CITE.rule("6.2.b", "6.2.p4")
    def has_road(self, headquarters: str) -> bool:
        """Whether a road within range leads off the map to the rear: no enemy is on it, and no
        enemy zone where no friendly unit stands.
        """
        out = self._reach(self.position.at(headquarters), self.cost_from)
        return not self.open_roads.isdisjoint(out)

    @property
    def open_roads(self) -> frozenset[str]:
        """The hexes from which an open road leads to the rear."""
        ground = self.position.ground
        key = (self.barred & ground.on_roads, self._ways)
        if key not in ground.open_roads:
            make_room(ground.open_roads)
            starts = [hex for hex in ground.rear(self.side) if self._is_open(hex)]
            ground.open_roads[key] = flood(starts, self._along)
        return ground.open_roads[key]

    def _is_open(self, hex: str) -> bool:
        return hex not in self.barred and hex not in self.position.roads

    def _along(self, hex: str) -> Iterable[str]:
        return (
            near
            for near in self.position.ground.by_road(hex)
            if self._is_open(near) and ways.is_by_road(self.position, near, hex, self.side)
        )


@CITE.rule("6.3.p2", "6.5")
def level_of(position: Position, unit: str) -> Supply:
    """The level of supply of a unit now: that of the scenario, lower while it is out of command."""
    # reading: each further day out of command costs one level more, or nobody would ever be
    # without supply; back in command a unit has its base level at once.
    at = SUPPLY.index(position.base.get(position.home(unit), NORMAL))
    if is_cut_off(position, unit):
        rating = _rating(position, unit)
        at += position.board.levels_lost(rating) + position.cut_off.get(unit, 0)
    return position.board.supply[SUPPLY[min(at, len(SUPPLY) - 1)]]


@CITE.serves("6.3.p2", "6.3.b3")
def is_cut_off(position: Position, unit: str) -> bool:
    """Whether a unit loses supply because it is out of command: not with an effectiveness of 8."""
    # reading: days out of command without an effect do not count for those that follow, when the
    # effectiveness falls; they break the row.
    return not in_command(position, unit) and _rating(position, unit) <= LAST_NOT_WORSE


@CITE.serves("6.3.p2")
def _rating(position: Position, unit: str) -> int:
    # reading: losses and disorganisation reduce the effectiveness that counts here.
    less = position.is_weakened(unit) + (unit in position.disorganised)
    return position.printed(unit).effectiveness - less


def line(position: Position, unit: str) -> Mapping[str, int]:
    """The links of the line of command of a unit and what each costs in half points: the unit to
    its headquarters, each headquarters to the next, the last one to the road. Links that are out
    of range are missing.
    """
    side = position.side_of(unit)
    ranges = Ranges(position, side)
    found: dict[str, int] = {}
    formation, here = _commander_of(position, unit), unit
    while formation:
        headquarters = position.headquarters_of(formation)
        if here != headquarters:
            cost = _cheapest(position, ranges, position.at(here), {position.at(headquarters)})
            if cost is not None:
                found[headquarters] = cost
        here, formation = headquarters, position.parent(formation)
    cost = _cheapest(position, ranges, position.at(here), ranges.open_roads)
    if cost is not None:
        found["road"] = cost
    return found


def _cheapest(position: Position, ranges: Ranges, start: str, goals: Iterable[str]) -> int | None:
    """The half points of the cheapest line from a hex to one of others, within range."""
    wanted = set(goals)
    if not start:
        return None
    if start in wanted:
        return 0
    for path in cheapest(start, ranges.near, ranges.cost_from, ranges.range):
        if path[-1] in wanted:
            return sum(ranges.cost_from(a, b) or 0 for a, b in pairwise(path))
    return None

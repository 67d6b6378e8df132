"""8: movement, step by step. Costs are in half movement points."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from pbem.board.movement import cheapest
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.options import EXEMPT
from pbem.games.ctv.orders import Move
from pbem.games.ctv.position import RAIN, Position
from pbem.games.ctv.rules import stacking
from pbem.games.ctv.rules.asks import OfASide
from pbem.games.ctv.rules.naming import called, in_list, named_twice, not_on_map, place
from pbem.games.ctv.tables import COLUMN, ENEMY, GRID
from pbem.messages import Said, WrittenNumber, either, say, say_many

HALVES = 2
Path = tuple[str, ...]
_Place = tuple[str, frozenset[str]]


@CITE.rule("6.3", "9.5")
def allowance(position: Position, unit: str) -> int:
    """The movement points of a unit: halved, rounded up, without supply or disorganised."""
    return allowance_of(position, unit, halved=position.is_halved(unit))


def allowance_of(position: Position, unit: str, *, halved: bool) -> int:
    """The movement points of a unit, whole or halved."""
    move = position.values(unit).move
    return -(-move // 2) if halved else move


def points_told(halves: int) -> WrittenNumber:
    """Half points in figures: 1.5."""
    written = f"{halves // HALVES}.5" if halves % HALVES else str(halves // HALVES)
    return WrittenNumber(written, 1 if halves == HALVES else 2)


# ------------------------------------------------------------------- what a step costs


@CITE.rule("11.3")
def rain_cost(position: Position, hex: str) -> int:
    """What rain adds to the cost of a hex, on a road too."""
    return position.terrain(hex).rain if position.weather == RAIN else 0


def step_cost(
    position: Position, here: str, there: str, *, is_motorised: bool, by_road: bool
) -> int:
    """The cost of a step by ground, river and road; `by_road`: whether roads count (8.2)."""
    known = position.board.step_costs
    step = here, there, is_motorised, by_road, position.weather
    if step not in known:
        dry = _dry_cost(position, here, there, is_motorised=is_motorised, by_road=by_road)
        known[step] = dry + rain_cost(position, there)
    return known[step]


def _dry_cost(
    position: Position, here: str, there: str, *, is_motorised: bool, by_road: bool
) -> int:
    """The cost of a step in fair weather."""
    crossed = position.board.sides.between(here, there)
    charge = position.board.steps
    plain = position.terrain(there).enter
    if "river" in crossed and "road" not in crossed:
        plain += charge["river"]
    if by_road and "road" in crossed:
        plain = min(plain, charge["road_motorised"] if is_motorised else charge["road"])
    return plain


@CITE.rule("8.2")
def roads_count(position: Position, side: Side, first: str, last: str) -> bool:
    """Whether a move from `first` to `last` may take roads: neither is in an enemy zone."""
    return not (position.is_in_enemy_zone(first, side) or position.is_in_enemy_zone(last, side))


@CITE.rule("8.1")
def path_cost(
    position: Position, unit: str, path: Sequence[str], *, by_road: bool | None = None
) -> int:
    """What a path costs a unit. It begins with the hex where the unit is. `by_road`: whether roads
    count, where that is not asked of the rule.
    """
    side, motorised = position.side_of(unit), position.printed(unit).is_motorised
    if by_road is None:
        by_road = roads_count(position, side, path[0], path[-1])
    spent = leaving_cost(position, side, path[0])
    for here, there in itertools.pairwise(path):
        spent += step_cost(position, here, there, is_motorised=motorised, by_road=by_road)
    return spent


def leaving_cost(position: Position, side: Side, hex: str) -> int:
    """What it costs to leave a hex because of an enemy zone (7.2)."""
    return position.board.steps["leave_zone"] if position.is_in_enemy_zone(hex, side) else 0


# ------------------------------------------------------------------- where a step may lead


def why_no_way(position: Position, here: str, there: str) -> Said:
    """Why no step leads from a hex to another of the map, as it is printed; empty if one does."""
    board = position.board
    if board.graph.are_joined(here, there):
        return ""
    if there not in board.ground:
        return say("{hex} is sea", hex=there)
    if there in GRID.around(here):
        return say("nothing crosses the side between {here} and {there}", here=here, there=there)
    return say("{there} is not next to {here}", here=here, there=there)


def rule_of_way(position: Position, here: str, there: str, rule: str) -> str:
    """The rule by which nobody goes from a hex to another: that of closed sides, or `rule`."""
    is_side = there in position.board.ground and there in GRID.around(here)
    return "1.3.2" if is_side and not position.board.graph.are_joined(here, there) else rule


@CITE.rule("8.1.1")
def would_be_supplied(position: Position, units: Sequence[str], hex: str, side: Side) -> bool:
    """Whether units would be in supply in a hex, standing there now.

    Columns need none. Units that are without supply already are bound as well, unless the players
    have agreed otherwise.
    """
    ground = [unit for unit in units if position.printed(unit).is_ground]
    if EXEMPT in position.options:
        ground = [unit for unit in ground if unit not in position.unsupplied]
    return not ground or _is_supplied(position, units, hex, side)


def is_supplied_all_along(
    position: Position, units: Sequence[str], path: Iterable[str], side: Side, *, supposed: str
) -> bool:
    """Whether a covered counter among units would be in supply in each hex of a path, as a ground
    unit has to be.
    """
    if EXEMPT in position.options and supposed in position.unsupplied:
        return True
    for hex in path:
        if not _is_supplied(position, units, hex, side):
            return False
        position = in_passing(position, hex, side)
    return True


def _is_supplied(position: Position, units: Sequence[str], hex: str, side: Side) -> bool:
    there = position.board.masks.bit[hex]
    staying = _staying(position, units, side)
    if _safe(position, staying, side) & there:
        return True
    return bool(position.supply_if(side, staying | there) & there)


def _staying(position: Position, units: Collection[str], side: Side) -> int:
    """The hexes that a side still holds when units have left theirs, as bits. A covered counter
    holds its hex (5.2).
    """
    left, bits = 0, position.board.masks.bit
    for start in {*map(position.at, units)}:
        stay = (each for each in position.stacks.get(start, ()) if each not in units)
        if all(position.printed(each).type == COLUMN for each in stay):
            left |= bits[start]
    return position.occupied[side] & ~left


def _safe(position: Position, staying: int, side: Side) -> int:
    """Hexes where units would be in supply, as bits, whatever is around them, if their side held
    these others: where its lines lead without them, and next to it.

    For to hold one hex more cuts no line of one's own. It takes nothing from them, and from the
    enemy at most lines, and with them zones. All others are looked at one by one.
    """
    lines, board = position.supply_if(side, staying), position.board
    return (lines | board.masks.around(lines)) & ~position.occupied[ENEMY[side]]


def bars(position: Position, hex: str, side: Side, units: Iterable[str]) -> bool:
    """Whether enemies bar a hex to units: a column alone bars only columns (8.1)."""
    return bool(_barred(position, side, units) & position.board.masks.bit[hex])


def _barred(position: Position, side: Side, units: Iterable[str]) -> int:
    """The hexes that enemies bar to units, as bits."""
    enemy = ENEMY[side]
    if any(position.printed(unit).is_ground for unit in units):
        return position.occupied[enemy]
    columns = position.board.masks.of({*map(position.at, position.columns_on_map(enemy))})
    return position.occupied[enemy] | columns


def in_passing(position: Position, hex: str, side: Side) -> Position:
    """The position as far as lines of supply go once units have entered a hex: a source that they
    come through, of either side, is in their hands from then on (10.8).
    """
    if hex not in position.board.every_source:
        return position
    return position.but(control={**position.control, hex: side})


# ------------------------------------------------------------------- orders


@CITE.refusal("8.1")
def moves_its_own(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    if not order.units:
        yield Violation(say("no unit is named"), ("units",), hint=say("units: [UNIT, ...]"))
    for at, unit, is_again in in_turn(order.units):
        if not position.at(unit):
            yield not_on_map(position, unit, ("units", at))
        elif is_again:
            yield named_twice(position, unit, ("units", at))


@CITE.refusal("8.1")
def moves_once(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """What is left of an allowance is neither kept nor lent."""
    for at, unit in enumerate(order.units):
        if unit in position.moved:
            yield Violation(
                say("{unit} has moved already", unit=called(position, unit)), ("units", at),
                hint=say("give its whole path in one order"),
            )  # fmt: skip


@CITE.refusal("5.2")
def puts_its_own_on_top(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Units that move, or stay where the others leave."""
    start = position.at(order.units[0]) if order.units else ""
    for at, unit, is_again in in_turn(order.top):
        if is_again:
            yield named_twice(position, unit, ("top", at))
        elif unit not in order.units and position.at(unit) != start:
            yield Violation(
                say("{unit} neither moves nor stays in {hex}", unit=called(position, unit),
                    hex=place(position, start)),
                ("top", at), hint=say("leave it out"),
            )  # fmt: skip


@CITE.refusal("8.1")
def moves_from_one_hex(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    hexes = {position.at(unit) for unit in order.units}
    if len(hexes) > 1:
        yield Violation(
            say("the units are in different hexes: {hexes}", hexes=in_list(sorted(hexes))),
            ("units",), hint=say("write a move for each hex"),
        )  # fmt: skip
    if not order.path:
        yield Violation(say("the path is empty"), ("path",), hint=say("path: [HEX, ...]"))


@CITE.refusal("8.1")
def follows_ways(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    here = position.at(order.units[0])
    for at, there in enumerate(order.path):
        if not at and there == here:
            yield Violation(
                say("the units stand in {hex}: a path begins with the first hex that they enter",
                    hex=place(position, here)),
                ("path", at), hint=say("leave {hex} out", hex=here),
            )  # fmt: skip
            return
        why = why_no_way(position, here, there)
        if why:
            near = in_list(position.board.graph.neighbours(here))
            yield Violation(
                why, ("path", at), rule=rule_of_way(position, here, there, "8.1"),
                hint=say("from {here} a step leads to {near}", here=here, near=near),
            )  # fmt: skip
            return
        if bars(position, there, stage.side, order.units):
            if position.holder(there) is None:
                yield Violation(
                    say("an enemy supply column is in {hex}", hex=place(position, there)),
                    ("path", at),
                    hint=say("ground units take it by going there; go round it"),
                )  # fmt: skip
                return
            yield Violation(
                say("enemy units are in {hex}", hex=place(position, there)), ("path", at),
                hint=say("attack them, or go round them"),
            )  # fmt: skip
            return
        here = there


@CITE.check("7.2")
def stops_in_zones(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    for at, hex in enumerate(order.path[:-1]):
        if position.is_in_enemy_zone(hex, stage.side):
            yield Violation(
                say("{hex} is in an enemy zone: a unit stops there", hex=place(position, hex)),
                ("path", at + 1), hint=say("end the path in {hex}", hex=hex),
            )  # fmt: skip
            return


@CITE.refusal("8.1.1")
def stays_in_supply(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    now = position
    for at, hex in enumerate(order.path):
        if not would_be_supplied(now, order.units, hex, stage.side):
            here = order.path[at - 1] if at else position.at(order.units[0])
            near = [
                each
                for each in position.board.graph.neighbours(here)
                if would_be_supplied(now, order.units, each, stage.side)
            ]
            hint = say("a unit enters no hex where it would be out of supply: end in {here}",
                       here=here)  # fmt: skip
            if not at:
                hint = say("stay in {here}: no hex around it is in supply", here=here)
            if near:
                hint = say("from {here} it may be {near}", here=here, near=either(near))
            yield Violation(
                say("no line of supply would lead to {hex}", hex=place(position, hex)),
                ("path", at), hint=hint,
            )  # fmt: skip
            return
        now = in_passing(now, hex, stage.side)


@CITE.refusal("8.1")
def has_the_points(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    path = (position.at(order.units[0]), *order.path)
    for at, unit in enumerate(order.units):
        if is_tag(unit):
            continue  # it is asked what could be done by those that it may be (cover.py)
        has, needs = allowance(position, unit), path_cost(position, unit, path)
        if needs > HALVES * has:
            by_road = path_cost(position, unit, path, by_road=True) <= HALVES * has
            yield Violation(
                say_many(
                    "needs", "the path costs {unit} {needs} movement point, and it has {has}",
                    "the path costs {unit} {needs} movement points, and it has {has}",
                    unit=called(position, unit), needs=points_told(needs), has=has,
                ),
                ("units", at), rule="8.2" if by_road else "",
                hint=_hint_of_points(position, unit, path, by_road),
            )  # fmt: skip


def _hint_of_points(position: Position, unit: str, path: Path, by_road: bool) -> Said:
    """How far a unit comes on a path that costs too much; `by_road`: the zone at an end is why."""
    last = _as_far_as(position, unit, path)
    zoned = place(position, _zoned_end(position, position.side_of(unit), path))
    if by_road and last:
        return say("roads do not count: {hex} is in an enemy zone, where the move begins or ends; "
                   "its points last as far as {last}", hex=zoned, last=last)  # fmt: skip
    if by_road:
        return say("roads do not count: {hex} is in an enemy zone, where the move begins or ends",
                   hex=zoned)  # fmt: skip
    if last:
        return say("end the path sooner: its points last as far as {hex}", hex=last)
    return say("go another way: its points do not last as far as {hex}",
               hex=place(position, path[1]))  # fmt: skip


def _as_far_as(position: Position, unit: str, path: Path) -> Said:
    """The last hex of a path that a unit has the points for; empty where it has them for none."""
    has = HALVES * allowance(position, unit)
    last = min(len(path) - 1, 1 + farthest(position, unit))
    ends = (end for end in range(last, 1, -1)
            if path_cost(position, unit, path[:end]) <= has)  # fmt: skip
    return next((place(position, path[end - 1]) for end in ends), "")


def _zoned_end(position: Position, side: Side, path: Sequence[str]) -> str:
    """The end of a path because of which roads do not count."""
    return path[0] if position.is_in_enemy_zone(path[0], side) else path[-1]


@CITE.refusal("5")
def ends_within_the_limit(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    last = order.path[-1]
    for why, rule in stacking.faults_of_end(position, last, stage.side, order.units):
        yield Violation(
            why, ("path", len(order.path) - 1), rule=rule, hint=say("end the path elsewhere")
        )


# ------------------------------------------------------------------- what can be reached


def farthest(position: Position, unit: str) -> int:
    """A number of hexes beyond which a unit cannot go, whatever lies between."""
    board = position.board
    road = "road_motorised" if position.printed(unit).is_motorised else "road"
    least = min(board.steps[road], *(each.enter for each in board.terrain.values()))
    return HALVES * allowance(position, unit) // least


def reachable(position: Position, unit: str) -> Mapping[str, Path]:
    """Each hex in which a unit could end its move, with a cheapest path to it."""
    side, start = position.side_of(unit), position.at(unit)
    found: dict[str, Path] = {}
    bits, zoned = position.board.masks.bit, position.zones[ENEMY[side]]
    for by_road in (True, False):
        if by_road and zoned & bits[start]:
            continue
        for path in _ways(position, unit, by_road):
            last = path[-1]
            if by_road and zoned & bits[last]:
                continue
            if last not in found and not any(stacking.faults_of_end(position, last, side, (unit,))):
                found[last] = path[1:]
    return found


def _ways(position: Position, unit: str, by_road: bool) -> Iterable[Path]:
    """The cheapest ways of a unit with its points, the cheapest first, each with its start."""
    side, start = position.side_of(unit), position.at(unit)
    most = HALVES * allowance(position, unit)
    price = _price(position, unit, _entered(position, unit), by_road)
    ways = list(cheapest(start, _onward(position, side, start), price, most))
    sources = {hex for hex in position.board.every_source if position.control[hex] != side}
    if sources.isdisjoint(way[-1] for way in ways):
        return ways
    return _through_sources(position, unit, by_road, sources)


def _through_sources(
    position: Position, unit: str, by_road: bool, sources: Collection[str]
) -> Iterator[Path]:
    """The same ways past sources of supply in enemy hands. A source that a unit comes through
    changes the lines from there on (10.8): so a place is a hex with the sources taken so far.
    """
    side, start = position.side_of(unit), (position.at(unit), frozenset[str]())
    bits, zoned = position.board.masks.bit, position.zones[ENEMY[side]]

    @cache
    def price_behind(taken: frozenset[str]) -> Callable[[str, str], int | None]:
        now = position
        for hex in taken:
            now = in_passing(now, hex, side)
        return _price(now, unit, _entered(now, unit), by_road)

    def near(place: _Place) -> Iterator[_Place]:
        hex, taken = place
        if place == start or not zoned & bits[hex]:
            for there in position.board.graph.neighbours(hex):
                yield there, taken | {there}.intersection(sources)

    def cost(here: _Place, there: _Place) -> int | None:
        return price_behind(here[1])(here[0], there[0])

    for way in cheapest(start, near, cost, HALVES * allowance(position, unit)):
        if way[-1][0] != start[0]:
            yield tuple(hex for hex, _ in way)


def _onward(position: Position, side: Side, start: str) -> Callable[[str], Iterable[str]]:
    near, bits = position.board.graph.neighbours, position.board.masks.bit
    stops = position.zones[ENEMY[side]] & ~bits[start]
    return lambda hex: () if stops & bits[hex] else near(hex)


def _entered(position: Position, unit: str) -> Callable[[str], bool]:
    """Whether a unit may enter each hex: looked at once, for roads and open ground."""
    side, bits = position.side_of(unit), position.board.masks.bit
    barred, known = _barred(position, side, (unit,)), dict[str, bool]()
    free = _safe(position, _staying(position, (unit,), side), side) & ~barred

    def is_open(hex: str) -> bool:
        if hex not in known:
            known[hex] = bool(free & bits[hex]) or (
                not barred & bits[hex] and would_be_supplied(position, (unit,), hex, side)
            )
        return known[hex]

    return is_open


def _price(
    position: Position, unit: str, is_open: Callable[[str], bool], by_road: bool
) -> Callable[[str, str], int | None]:
    motorised, start = position.printed(unit).is_motorised, position.at(unit)
    leaving = leaving_cost(position, position.side_of(unit), start)

    def price(here: str, there: str) -> int | None:
        if not is_open(there):
            return None
        cost = step_cost(position, here, there, is_motorised=motorised, by_road=by_road)
        return cost + leaving if here == start else cost

    return price


@CITE.rule("9.3.2")
def is_spent_by_moving(position: Position, unit: str) -> bool:
    """Whether a column has moved in this turn and cannot be used."""
    return position.printed(unit).type == COLUMN and unit in position.moved

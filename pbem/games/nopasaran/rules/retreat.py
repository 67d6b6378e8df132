"""14, 15: ways of retreat, before a combat and after one, and what does not fit into a hex."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from pbem.board.hexsides import key_of
from pbem.board.ways import ways as ways_of_length
from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.ground import RIVER, SLOPES, SUPPORTED_RIVER
from pbem.games.nopasaran.orders import Displace, Retreat, Withdraw
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import combat as fights
from pbem.games.nopasaran.rules import factors, movement, stacking, ways, zones
from pbem.games.nopasaran.rules.asks import OfAHex, OfUnits, RetreatsSoFar
from pbem.games.nopasaran.rules.naming import (
    BETWEEN,
    any_in_list,
    called,
    every_unit,
    place,
    points_told,
    units_in_list,
)
from pbem.games.nopasaran.tables import CAVALRY, ENEMY, HEADQUARTERS, INFANTRY, KINDS
from pbem.messages import Said, say, say_many

Path = tuple[str, ...]
OVER_SLOPES = (INFANTRY, CAVALRY, HEADQUARTERS)
"""The types of units that cross slopes in a retreat without a road (14.p5)."""
HEADQUARTERS_GO = 2
"""How many hexes a headquarters goes back (17.2)."""
ENTERS_A_ZONE = say("it enters an enemy zone of control, and another way does not")


@CITE.rule("14.p5")
def can_go(position: Position, unit: str, here: str, there: str) -> bool:
    """Whether a unit could retreat from a hex into the next: where it could move, over no river
    but by a bridge, and over a slope only on foot, on horse or by road.
    """
    printed = position.printed(unit)
    side, kind = printed.side, KINDS.index(printed.kind)
    if position.holder(there) == ENEMY[side]:
        return False
    # reading: a road is enough, also into a hex that friends hold: whoever retreats pays nothing,
    # and friends only make a road cost more (10.p8).
    if ways.road_cost(position, here, there, kind, side, going=(unit,)) is not None:
        return True
    if ways.ground_cost(position, here, there, kind, side) is None:
        return False
    crossed = tuple(ways.crossed(position, here, there, side, (unit,)))
    if RIVER in crossed or SUPPORTED_RIVER in crossed:
        return False
    return printed.type in OVER_SLOPES or not set(crossed) & set(SLOPES)


@CITE.rule("15.A", "15.B")
def goes_back(position: Position, side: Side, start: str, here: str, there: str) -> bool:
    """Whether a step leads farther from the hex that is left, and not away from the own rear."""
    # reading: towards supply means that the way to the own edge grows no longer; ties are allowed.
    # Where none leads there any more, as behind a bridge that is gone, no step goes back.
    ground, rear = position.ground, ways.from_rear(position, side)
    is_away = ground.distance(start, there) > ground.distance(start, here)
    return is_away and there in rear and rear[there] <= rear.get(here, len(rear))


def open_steps(position: Position, unit: str, start: str, here: str) -> Iterator[str]:
    """The hexes into which a unit may retreat from one, after it has left `start`."""
    side = position.side_of(unit)
    for there in position.ground.around[here]:
        if can_go(position, unit, here, there) and goes_back(position, side, start, here, there):
            yield there


@CITE.rule("14.p4", "9.p5")
def is_feared(position: Position, side: Side, hex: str) -> bool:
    """Whether entering a hex in a retreat disorganises: an enemy zone without a friendly unit."""
    return zones.in_enemy_zone(position, hex, side) and position.holder(hex) != side


@CITE.serves("14.p4", "9.p5")
def disordered(position: Position, side: Side, paths: Mapping[str, Path]) -> frozenset[str]:
    """The units of one retreat that it disorganises, by where all stand before any of them goes."""
    # reading: units that go together, by one way or by several, hold no hex for one another; only
    # friends who were there before do.
    return frozenset(
        unit for unit, path in paths.items() if any(is_feared(position, side, hex) for hex in path)
    )


@CITE.rule("15", "15.C", "15.D")
def retreats(
    position: Position, unit: str, length: int, together: Sequence[str] = (), *,
    surely: bool = False,
) -> tuple[Path, ...]:  # fmt: skip
    """The ways on which a unit, or those that go with it, may retreat so many hexes: they end where
    there is room, and enter enemy zones only if there is no other way. Those that may be open,
    whatever lies there face down, or `surely` are.
    """
    start = position.at(unit)
    group = together or (unit,)
    position = without_bridges(position, group)
    found = [
        path
        for path in ways_of_length(start, length, lambda here: _for_all(position, group, start,
                                                                        here))
        if not stacking.excess_known(position, path[-1], group)
    ]  # fmt: skip
    side = position.side_of(unit)
    safe = [path for path in found if not any(is_feared(position, side, hex) for hex in path)]
    if not position.down.hidden:
        return tuple(safe or found)
    sure = [path for path in safe or found
            if not stacking.could_be_too_full(position, path[-1], group)]  # fmt: skip
    if surely:
        return tuple(sure)
    return tuple(safe) if safe and sure else tuple(dict.fromkeys((*safe, *found)))


@CITE.serves("20.6", "14.p5")
def without_bridges(position: Position, units: Collection[str]) -> Position:
    """The position in which those of some units that are a pontoon bridge are none."""
    # reading: 20.6, who retreats or goes aside from a hex crosses no bridge of a pontoon unit that
    # leaves it at the same time, by whatever way, or is lost before.
    if position.pontoons.keys().isdisjoint(units):
        return position
    left = {unit: key for unit, key in position.pontoons.items() if unit not in units}
    return position.but(pontoons=left)


@CITE.serves("14", "20.6")
def after_losses(position: Position, losses: Mapping[str, int]) -> Position:
    """The position after those who retreat have lost points for hexes that they do not go; who has
    lost all stands there still, for its way is asked for, too.
    """
    if not losses:
        return position
    now = {unit: position.lost.get(unit, 0) + min(max(points, 0), position.troops(unit))
           for unit, points in losses.items()}  # fmt: skip
    changed = position.but(lost={**position.lost, **now})
    return without_bridges(changed, [unit for unit in losses if not changed.troops(unit)])


@CITE.serves("15.C")
def surely_retreats(position: Position, paths: Mapping[str, Path]) -> bool:
    """Whether units may go these ways, whatever lies face down where they end."""
    position = without_bridges(position, paths)
    return all(
        path in retreats(position, units[0], len(path), units, surely=True)
        for path, units in by_way(paths).items()
    ) and _have_room(position, paths)


@CITE.serves("15.C")
def _have_room(position: Position, paths: Mapping[str, Path]) -> bool:
    """Whether there is room where ways end, whatever lies face down there."""
    return not any(
        stacking.could_be_too_full(position, hex, units) for hex, units in _by_end(paths).items()
    )


def _by_end(paths: Mapping[str, Path]) -> Mapping[str, Sequence[str]]:
    """The units whose ways end in each hex."""
    found: dict[str, list[str]] = {}
    for unit, path in paths.items():
        if path:
            found.setdefault(path[-1], []).append(unit)
    return found


def by_way(paths: Mapping[str, Path]) -> Mapping[Path, Sequence[str]]:
    """The units that go each way."""
    found: dict[Path, list[str]] = {}
    for unit, path in paths.items():
        if path:
            found.setdefault(tuple(path), []).append(unit)
    return found


def _for_all(position: Position, units: Sequence[str], start: str, here: str) -> tuple[str, ...]:
    found: tuple[str, ...] = tuple(open_steps(position, units[0], start, here or start))
    for unit in units[1:]:
        able = set(open_steps(position, unit, start, here or start))
        found = tuple(hex for hex in found if hex in able)
    return found


@CITE.rule("14")
def most_hexes(position: Position, units: Sequence[str], length: int) -> int:
    """How many hexes units could retreat together, up to the length."""
    for number in range(length, 0, -1):
        if retreats(position, units[0], number, units):
            return number
    return 0


def by_rear(position: Position, side: Side, ways: Sequence[Path]) -> Sequence[Path]:
    """Ways of retreat, those first that enter no enemy zone and end nearest the own edge."""
    return sorted(ways, key=lambda path: _rank(position, side, path))


def _rank(position: Position, side: Side, path: Path) -> tuple[bool, int]:
    rear = ways.from_rear(position, side)
    enters = any(is_feared(position, side, hex) for hex in path)
    return enters, rear.get(path[-1], len(rear))


def default_retreat(position: Position, units: Sequence[str], length: int) -> Retreat:
    """The retreat for an owner without a wish: together, as far as possible, by the way that ends
    nearest the rear; what is left is lost by the strongest.
    """
    side = position.side_of(units[0])
    for number in range(length, 0, -1):
        losses = in_points(position, units, length - number)
        found = retreats(after_losses(position, losses), units[0], number, tuple(units))
        if found:
            return Retreat(dict.fromkeys(units, by_rear(position, side, found)[0]), losses)
    # Together they cannot go.
    for number in range(length, -1, -1):
        losses = in_points(position, units, length - number)
        now = after_losses(position, losses)
        single = each_alone(now, units, length, lambda unit, path: _rank(position, side, path))
        if min(len(single.get(unit, ())) for unit in units) == number:
            return Retreat(single, losses)
    return Retreat({}, in_points(position, units, length))


def each_alone(
    position: Position, units: Sequence[str], length: int, cost: Callable[[str, Path], Any]
) -> Mapping[str, Path]:
    """A way of its own for each unit, as long as possible and then the one that costs least, where
    those before it left room, and bridges: who is one goes first.
    """
    single: dict[str, Path] = {}
    for unit in sorted(units, key=lambda each: each not in position.pontoons):
        position = without_bridges(position, single)
        for number in range(length, 0, -1):
            found = [path for path in retreats(position, unit, number)
                     if not _is_full(position, single, unit, path)]  # fmt: skip
            if found:
                single[unit] = min(found, key=lambda path: cost(unit, path))
                break
    return single


def _is_full(position: Position, gone: Mapping[str, Path], unit: str, path: Path) -> bool:
    """Whether a way ends where those who go before leave no room."""
    before = [each for each, way in gone.items() if way[-1] == path[-1]]
    return bool(stacking.excess_known(position, path[-1], (*before, unit)))


def in_points(position: Position, units: Sequence[str], points: int) -> Mapping[str, int]:
    """Troop points to lose, the strongest first."""
    left = {unit: position.troops(unit) for unit in units if position.troops(unit)}
    lost: dict[str, int] = {}
    for _ in range(points):
        able = [unit for unit in left if left[unit]]
        if not able:
            break
        unit = max(able, key=lambda each: left[each])
        left[unit] -= 1
        lost[unit] = lost.get(unit, 0) + 1
    return lost


# ------------------------------------------------------------------- orders


@CITE.refusal("14")
def retreats_its_own(stage: OfUnits, position: Position, order: Retreat) -> Iterator[Violation]:
    for part, named in (("paths", order.paths), ("losses", order.losses)):
        for unit in named:
            if unit not in stage.units:
                yield Violation(
                    say("{unit} is not one of those who retreat", unit=called(position, unit)),
                    (part, unit), is_key=True,
                    hint=say("name {units}", units=every_unit(position, stage.units)),
                )  # fmt: skip


@CITE.refusal("15.A")
def retreats_where_it_may(
    stage: RetreatsSoFar, position: Position, order: Retreat
) -> Iterator[Violation]:
    """Each unit goes a way that is open to it after the losses and with all who leave, and no
    further than the result says.
    """
    going = [unit for unit, path in order.paths.items() if path]
    before = after_losses(position, order.losses)
    position = without_bridges(before, going)
    for path, units in by_way(order.paths).items():
        if len(path) > stage.length:
            yield Violation(
                say_many("number", "the retreat is of {number} hex",
                         "the retreat is of {number} hexes", number=stage.length),
                ("paths", units[0]), rule="14", hint=say("end it sooner"),
            )  # fmt: skip
            continue
        if path in retreats(position, units[0], len(path), tuple(units)):
            continue
        open_ways = {unit: retreats(position, unit, len(path)) for unit in units}
        barred = [unit for unit in units if path not in open_ways[unit]] or units
        for unit in barred:
            rule, why = _why(before, unit, path, going)
            yield Violation(
                say("{unit} cannot retreat this way: {why}", unit=called(position, unit), why=why),
                ("paths", unit), rule=rule,
                hint=say("it may be {ways}", ways=any_in_list(
                    " ".join(way) for way in open_ways[unit]))
                if open_ways[unit]
                else say("no way of that length is open: go fewer hexes, and lose points"),
            )  # fmt: skip
    yield from _crowds(position, order.paths)


def _why(
    position: Position, unit: str, path: Path, going: Collection[str]
) -> tuple[str, Said]:  # fmt: skip
    """The rule that bars a way, and what it says of it."""
    return (
        _why_no_step(position, unit, path, going)
        or _why_no_room(position, unit, path)
        or ("15.D", ENTERS_A_ZONE)
    )


def _why_no_step(
    position: Position, unit: str, path: Path, going: Collection[str] = ()
) -> tuple[str, Said] | None:
    """The rule that bars one of the steps of a way to a unit, or to one of `going`, if one does."""
    start, side, going = position.at(unit), position.side_of(unit), going or (unit,)
    alone = without_bridges(position, going)
    ground, here = position.ground, start
    for there in path:
        if there not in ground.around[here]:
            return "14", say("{there} is not next to {here}", there=there, here=here)
        if position.holder(there) == ENEMY[side]:
            return "14.p5", say("enemy units are in {hex}", hex=place(position, there))
        if not can_go(alone, unit, here, there):
            closed = movement.why_closed(position, side, here, there, going)
            crossed = ways.crossed(alone, here, there, side, going)
            between = next((BETWEEN[each] for each in crossed if each in (RIVER, *SLOPES)), None)
            if closed or between is None:
                return "14.p5", movement.why_prohibited(position, unit, here, there, going)
            return "14.p5", say("{what} lies between {here} and {there}", what=between, here=here,
                                there=there)  # fmt: skip
        if ground.distance(start, there) <= ground.distance(start, here):
            return "15.A", say("{there} is no farther from {start} than {here}", there=there,
                               start=start, here=here)  # fmt: skip
        if not goes_back(position, side, start, here, there):
            return "15.B", say("{there} is farther from your rear than {here}", there=there,
                               here=here)  # fmt: skip
        here = there
    return None


def _why_no_room(position: Position, unit: str, path: Path) -> tuple[str, Said] | None:
    if not stacking.excess_known(position, path[-1], (unit,)):
        return None
    return "15.C", say("{hex} would hold too many troop points", hex=place(position, path[-1]))


@CITE.check("14.p3")
def pays_for_what_is_left(
    stage: RetreatsSoFar, position: Position, order: Retreat
) -> Iterator[Violation]:
    """One troop point for each hex that the stack does not retreat, no more and no less."""
    # reading: a point for each hex that is not retreated, for the stack, not for each unit; so it
    # is at the edge of the map. Nobody is forced off it (10.p7): who could only go there pays
    # instead (14.p3), and is destroyed if that takes all its points.
    gone = min(len(order.paths.get(unit, ())) for unit in stage.units)
    due = min(stage.length - gone, position.troops_of(stage.units))
    given = sum(order.losses.values())
    if given != due:
        yield Violation(
            say_many("due",
                     "{due} troop point is due for hexes that it does not retreat, not {given}",
                     "{due} troop points are due for hexes that it does not retreat, not {given}",
                     due=due, given=given),
            ("losses",), hint=say("losses: {UNIT: POINTS}"),
        )  # fmt: skip
    for unit, points in order.losses.items():
        if unit in stage.units and not 0 < points <= position.troops(unit):
            yield Violation(
                say_many("troops", "{unit} has {troops} troop point",
                         "{unit} has {troops} troop points", unit=called(position, unit),
                         troops=position.troops(unit)),
                ("losses", unit), hint=say("from 1 to {troops}", troops=position.troops(unit)),
            )  # fmt: skip


# ------------------------------------------------------------------- before combat


@CITE.rule("12.2.p2")
def withdrawals(position: Position, unit: str) -> Mapping[str, Path]:
    """Each hex into which a unit may retreat before combat, with a cheapest way: as it could move,
    within its allowance, by the rules of retreat.
    """
    # reading: each retreat before combat has the whole allowance, whatever was spent today.
    # reading: it is a retreat, and keeps what 14 says of rivers and slopes, too.
    # reading: it enters an enemy zone only where no hex at all is open without one.
    safe = _open_ends(position, unit, shunning=True)
    if any(_is_in_view(position, path) for path in safe.values()):
        return safe
    return {**_open_ends(position, unit, shunning=False), **safe}


@CITE.serves("15.C")
def _is_in_view(position: Position, path: Path) -> bool:
    """Whether nobody lies face down on a way and at its end: then all know what it costs, and how
    much room there is.
    """
    return not any(map(position.tags_at, path))


@CITE.serves("15.C")
def surely_withdraws(position: Position, paths: Mapping[str, Path]) -> bool:
    """Whether units may retreat these ways before combat, whatever lies face down there."""
    return all(
        _is_in_view(position, path)
        and not (
            any(is_feared(position, position.side_of(unit), hex) for hex in path)
            and _open_ends(position, unit, shunning=True)
        )
        for unit, path in paths.items()
    )


@CITE.serves("12.2.p2")
def _open_ends(position: Position, unit: str, *, shunning: bool) -> Mapping[str, Path]:
    """The ways within the allowance that end where there is room, through enemy zones or not."""
    start, side = position.at(unit), position.side_of(unit)

    def near(here: str) -> Iterator[str]:
        for there in open_steps(position, unit, start, here):
            if not is_barred_to_armour(position, unit, there) and not (
                shunning and is_feared(position, side, there)
            ):
                yield there

    found = movement.cheapest_paths(position, unit, near, factors.allowance(position, unit))
    return {
        hex: path
        for hex, path in found.items()
        if not stacking.excess_known(position, hex, (unit,))
    }


@CITE.serves("12.2.p2")
def withdrawals_together(
    position: Position, units: Sequence[str]
) -> Mapping[str, Mapping[str, Path]]:
    """Each hex into which all units of a stack may retreat before combat, with the way of each."""
    ways = {unit: withdrawals(position, unit) for unit in units}
    return {
        hex: {unit: ways[unit][hex] for unit in units}
        for hex in ways[units[0]]
        if all(hex in those for those in ways.values())
        and not stacking.excess_known(position, hex, units)
    }


@CITE.serves("12.2.p2")
def withdrawals_apart(position: Position, units: Sequence[str]) -> Mapping[str, Path]:
    """A way for each unit of a stack, as far to the rear as those before it have left room; empty
    if one of them has none.
    """
    rear = ways.from_rear(position, position.side_of(units[0]))
    found: dict[str, Path] = {}
    for unit in units:
        free = [path for path in withdrawals(position, unit).values()
                if not _is_full(position, found, unit, path)]  # fmt: skip
        if not free:
            return {}
        found[unit] = min(free, key=lambda path: (rear.get(path[-1], len(rear)), path[-1]))
    return found


@CITE.serves("12.2.p2")
def is_barred_to_armour(position: Position, unit: str, hex: str) -> bool:
    """Whether a hex is in the zone of enemies with antitank points, and a tank or armour unit that
    does not outmatch them keeps out of it.
    """
    printed = position.printed(unit)
    if not printed.is_armoured:
        return False
    enemy = ENEMY[printed.side]
    own = fights.antitank_of(position, (unit,))
    lead = position.board.charts["attacks"]["superior_armour"]
    for near in position.ground.around[hex]:
        # reading: of enemies face down nobody knows antitank points, so they keep no tank away.
        units = [unit for unit in position.units_at(near, enemy) if not is_tag(unit)]
        if units and hex in zones.reached(position, near):
            theirs = fights.antitank_of(position, units)
            if theirs and own - theirs < lead:
                return True
    return False


@CITE.serves("12.2.p2")
def _why_not_out(position: Position, unit: str, path: Path) -> tuple[str, Said] | None:
    """The rule that bars a way out before combat, and what it says of it; None if it is open."""
    step = _why_no_step(position, unit, path)
    if step:
        return step
    for hex in path:
        if is_barred_to_armour(position, unit, hex):
            return "12.2.p2", say("{hex} is in a zone of enemies with antitank points that it does "
                                  "not outmatch", hex=place(position, hex))  # fmt: skip
    side = position.side_of(unit)
    if any(is_feared(position, side, hex) for hex in path) and any(
        _is_in_view(position, way) for way in _open_ends(position, unit, shunning=True).values()
    ):
        return "15.D", ENTERS_A_ZONE
    return _why_no_room(position, unit, path)


@CITE.refusal("12.2.p2")
def withdraws_as_a_whole(stage: OfAHex, position: Position, order: Withdraw) -> Iterator[Violation]:
    """All units of the hex go, or none."""
    if not order.paths:
        return
    there = position.units_at(stage.hex, stage.side)
    for unit in order.paths:
        if unit not in there:
            yield Violation(
                say("{unit} is not attacked", unit=called(position, unit)), ("paths", unit),
                is_key=True, hint=say("name {units}", units=every_unit(position, there)),
            )  # fmt: skip
    missing = [unit for unit in there if not order.paths.get(unit)]
    if missing:
        yield Violation(
            say("the whole stack goes, or none of it: {units}",
                units=units_in_list(position, missing)),
            ("paths",), hint=say("give each unit a path, or leave all out to stay"),
        )  # fmt: skip


@CITE.refusal("12.2.p2")
def withdraws_where_it_may(
    stage: OfAHex, position: Position, order: Withdraw
) -> Iterator[Violation]:
    for unit, path in order.paths.items():
        if unit not in position.units_at(stage.hex, stage.side) or not path:
            continue
        barred = _why_not_out(position, unit, path)
        way = (stage.hex, *path)
        by_road = movement.roads_count(position, (unit,), way)
        cost = movement.path_cost(position, (unit,), unit, way, by_road=by_road) or 0
        if barred:
            rule, why = barred
            open_hexes = withdrawals(position, unit)
            yield Violation(
                say("{unit} cannot retreat this way: {why}", unit=called(position, unit), why=why),
                ("paths", unit), rule=rule,
                hint=say("it may be {hexes}", hexes=any_in_list(sorted(open_hexes)))
                if open_hexes else say("no hex is open to it: it stays"),
            )  # fmt: skip
        elif cost > factors.allowance(position, unit):
            yield Violation(
                say_many("needs", "the path costs {unit} {needs} movement point, and it has {has}",
                         "the path costs {unit} {needs} movement points, and it has {has}",
                         unit=called(position, unit), needs=points_told(cost),
                    has=points_told(factors.allowance(position, unit))),
                ("paths", unit), hint=say("end it sooner"),
            )  # fmt: skip
    yield from _crowds(position, order.paths)


@CITE.audit("15.C")
@CITE.serves("15.C")
def _crowds(position: Position, paths: Mapping[str, Path]) -> Iterator[Violation]:
    """The fault of units that go different ways to one hex, which cannot hold them all."""
    for hex, units in _by_end(paths).items():
        if stacking.excess_known(position, hex, units):
            yield Violation(
                say("{hex} would hold too many troop points", hex=place(position, hex)),
                ("paths", units[-1]), rule="15.C", hint=say("send some elsewhere"),
            )  # fmt: skip


# ------------------------------------------------------------------- want of room


@CITE.rule("8.p3")
def asides(position: Position, unit: str, *, surely: bool = False) -> tuple[str, ...]:
    """The hexes next to a unit into which it may go for want of room: by the rules of retreat, so
    not away from its rear, into no enemy zone, where there is room, or `surely` is, whatever lies
    there face down; those nearest the rear first.
    """
    too_full = stacking.could_be_too_full if surely else stacking.excess_known
    here, side = position.at(unit), position.side_of(unit)
    rear = ways.from_rear(position, side)
    found = [
        there
        for there in open_steps(position, unit, here, here)
        if not zones.in_enemy_zone(position, there, side) and not too_full(position, there, (unit,))
    ]
    return tuple(sorted(found, key=lambda hex: rear.get(hex, len(rear))))


def set_aside(position: Position, paths: Mapping[str, Path]) -> Position:
    """The position after units have gone aside, in the order of the board."""
    for unit in position.board.in_order(paths):
        position = placed(position, (unit,), paths[unit][-1])
    return position


@CITE.refusal("8.p3")
def displaces_the_excess(stage: OfAHex, position: Position, order: Displace) -> Iterator[Violation]:
    """As many points leave the hex, or are lost, as are too many in it, and no unit more."""
    # reading: no hex with counters face down ever has to be cleared (`overfills_unseen`), only
    # those into which units go aside may have some.
    there = position.units_at(stage.hex, stage.side)
    wrong = False
    for part, named in (("paths", order.paths), ("losses", order.losses)):
        for unit in named:
            if unit not in there:
                wrong = True
                yield Violation(
                    say("{unit} is not in {hex}", unit=called(position, unit),
                        hex=place(position, stage.hex)),
                    (part, unit), is_key=True,
                    hint=say("name {units}", units=every_unit(position, there)),
                )  # fmt: skip
    going = [unit for unit, path in order.paths.items() if path]
    alone = without_bridges(position, going)
    for unit, path in order.paths.items():
        open_hexes = asides(alone, unit) if unit in there else ()
        if unit in there and (len(path) != 1 or path[0] not in open_hexes):
            wrong = True
            rule, why = _why_not_aside(position, unit, path, going)
            yield Violation(
                say("{unit} cannot go aside this way: {why}", unit=called(position, unit), why=why),
                ("paths", unit), rule=rule,
                hint=say("it may be {hexes}", hexes=any_in_list(open_hexes))
                if open_hexes else say("no hex is open to it: it may lose points"),
            )  # fmt: skip
    if not wrong:
        yield from _leaves_enough(stage, position, order)


def _why_not_aside(
    position: Position, unit: str, path: Path, going: Collection[str]
) -> tuple[str, Said]:  # fmt: skip
    """The rule that bars a way aside, and what it says of it."""
    if len(path) != 1:
        return "8.p3", say("it goes into a hex next to it")
    return (
        _why_no_step(position, unit, path, going)
        or _why_no_room(position, unit, path)
        or ("8.p3", say("{hex} is in an enemy zone of control", hex=place(position, path[0])))
    )


def _leaves_enough(stage: OfAHex, position: Position, order: Displace) -> Iterator[Violation]:
    """Nothing is too full when all have gone, and only units that could not go lose points."""
    now = set_aside(position, order.paths)
    for hex in dict.fromkeys(path[-1] for path in order.paths.values()):
        if stacking.excess_known(now, hex):
            yield Violation(
                say("{hex} would hold too many troop points", hex=place(position, hex)),
                ("paths",), rule="8", hint=say("send some elsewhere"),
            )  # fmt: skip
    for unit, points in order.losses.items():
        is_stuck = unit not in order.paths and not asides(now, unit, surely=True)
        if not is_stuck or not 0 < points <= position.troops(unit):
            yield Violation(
                say("{unit} loses no points for want of room", unit=called(position, unit)),
                ("losses", unit), hint=say("only units that cannot go aside do"),
            )  # fmt: skip
    over = stacking.excess(now, stage.hex)
    lost = sum(points for unit, points in order.losses.items() if unit not in order.paths)
    for unit in order.paths:
        if _is_spare(position, stage.hex, order.paths, unit, lost):
            yield Violation(
                say("{unit} has room where it is, once the others have gone",
                    unit=called(position, unit)),
                ("paths", unit), is_key=True, hint=say("leave it out: only what is too much goes"),
            )  # fmt: skip
    if lost > over:
        yield Violation(
            say_many("over", "no more than {over} troop point is lost for want of room",
                     "no more than {over} troop points are lost for want of room", over=over),
            ("losses",), hint=say("lose what is too much, and no more"),
        )  # fmt: skip
    if lost < over:
        yield Violation(
            say_many("over", "{hex} holds {over} troop point too many",
                     "{hex} holds {over} troop points too many", hex=place(position, stage.hex),
                     over=over - lost),
            ("paths",), hint=say("move units aside, or lose points where none can go"),
        )  # fmt: skip


@CITE.serves("15.C")
def surely_displaces(position: Position, order: Displace) -> bool:
    """Whether units may go aside so, and lose these points, whatever lies face down there."""
    now = set_aside(position, order.paths)
    return _have_room(position, order.paths) and not any(
        asides(now, unit) for unit in order.losses if unit not in order.paths
    )


def _is_spare(
    position: Position, hex: str, paths: Mapping[str, Path], unit: str, lost: int = 0
) -> bool:
    """Whether a unit need not go aside, where the others do and some points are lost."""
    others = {each: path for each, path in paths.items() if each != unit}
    return stacking.excess(set_aside(position, others), hex) <= lost


@CITE.serves("8.p3")
def no_more_aside(position: Position, hex: str, paths: Mapping[str, Path]) -> Mapping[str, Path]:
    """Those who go aside without any that have room where they are once the others have gone."""
    for unit in tuple(paths):
        if _is_spare(position, hex, paths, unit):
            paths = {each: path for each, path in paths.items() if each != unit}
    return paths


def default_displacement(position: Position, hex: str, side: Side) -> Displace:
    """What goes aside where its owner says nothing: the lowest units first, and only as many as
    have to.
    """
    paths: dict[str, Path] = {}
    now = position
    units = [unit for unit in reversed(position.units_at(hex, side)) if position.troops(unit)]
    units.sort(key=position.pontoons.__contains__)  # others may need the bridges
    for unit in units:
        open_hexes = asides(now, unit)
        crossed = {key_of(hex, there) for there, *_ in paths.values()}
        if stacking.excess(now, hex) and open_hexes and position.pontoons.get(unit) not in crossed:
            paths[unit] = (open_hexes[0],)
            now = placed(now, (unit,), open_hexes[0])
    if not stacking.excess(now, hex):
        return Displace(no_more_aside(position, hex, paths))
    over, losses = stacking.excess(now, hex), dict[str, int]()
    for unit in units:
        if over > 0 and unit not in paths and not asides(now, unit):
            losses[unit] = min(over, position.troops(unit))
            over -= losses[unit]
    return Displace(paths, losses)


# ------------------------------------------------------------------- headquarters


@CITE.rule("17.2")
def headquarters_goes(position: Position, unit: str) -> Path:
    """The way on which a headquarters goes back two hexes, else as far as one leads: the one that
    ends nearest its rear; empty where none does.
    """
    # reading: nobody is asked; of several ways it takes one that ends nearest the own edge.
    for number in range(HEADQUARTERS_GO, 0, -1):
        found = retreats(position, unit, number)
        if found:
            return by_rear(position, position.side_of(unit), found)[0]
    return ()


@CITE.serves("17.2")
def headquarters_flees(position: Position, unit: str) -> str:
    """Where a headquarters is put that finds no way: the nearest hex towards its rear without an
    enemy, or its zone; but not where it was beaten, unless there is no other.
    """
    # reading: without a way of retreat a headquarters is put on the nearest free hex to the rear.
    side, here = position.side_of(unit), position.at(unit)
    rear = ways.from_rear(position, side)
    free = [
        hex
        for hex in position.ground.hexes
        if hex != here
        and position.holder(hex) != ENEMY[side]
        and not zones.in_enemy_zone(position, hex, side)
        and rear.get(hex, len(rear)) <= rear.get(here, len(rear))
    ]
    return min(free or [here], key=lambda hex: (position.ground.distance(here, hex), hex))

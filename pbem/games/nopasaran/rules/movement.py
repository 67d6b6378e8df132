"""10: movement, step by step. Costs are in half movement points."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType

from pbem.board.hexsides import key_of
from pbem.board.movement import cheapest
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import RIVER, SUPPORTED_RIVER
from pbem.games.nopasaran.options import INTERDICT_EACH_HEX, MOSTLY_ROAD
from pbem.games.nopasaran.orders import Move
from pbem.games.nopasaran.position import DAMAGED, DESTROYED, NOTHING, March, Position
from pbem.games.nopasaran.rules import command, factors, stacking, ways, zones
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import (
    BETWEEN,
    GROUND,
    called,
    formation_called,
    in_list,
    mixed_today,
    named_twice,
    not_on_map,
    place,
    points_told,
)
from pbem.games.nopasaran.tables import (
    CAVALRY,
    DIVISION,
    ENEMY,
    ENGINEER,
    FORMATION,
    GUNS,
    INFANTRY,
    KINDS,
    PrintedUnit,
)
from pbem.messages import Said, say, say_many
from pbem.value import replace, value

Path = tuple[str, ...]
NEVER_PAYS = 1
"""Units of so many troop points, or fewer, never pay for entering a stack (10.p8)."""


# ------------------------------------------------------------------- what a step costs


@CITE.rule("10.p8")
def stack_cost(position: Position, units: Sequence[str], there: str) -> int:
    """What entering a hex with friendly units costs more: by their troop points, and nothing for
    units of one troop point in all. Enemies there, whom a scout or a mobile attack meets, cost
    nothing.
    """
    if position.troops_of(units) <= NEVER_PAYS:
        return 0
    friends = position.units_at(there, position.side_of(units[0]))
    troops = position.troops_of(unit for unit in friends if unit not in units)
    return stack_cost_of(position, troops)


@CITE.serves("10.p8")
def stack_cost_of(position: Position, troops: int) -> int:
    """What entering a hex with so many troop points of friendly units costs more."""
    steps = position.board.charts["steps"]
    if troops > 4:
        large: int = steps["large_stack"]
        return large
    return int(steps["stack"]) if troops > 2 else 0


def zone_charges(position: Position, side: Side) -> Mapping[str, int]:
    """The hexes in enemy zones, with what it costs to leave each, and to enter it."""
    return position.kept(f"charges/{side}", lambda now: _zone_charges(now, side))


@CITE.rule("9.p4")
def _zone_charges(position: Position, side: Side) -> Mapping[str, int]:
    charge: int = position.board.charts["steps"]["zone"]
    return dict.fromkeys(zones.zones(position)[ENEMY[side]], charge)


@CITE.serves("9.p4")
def zone_cost(position: Position, side: Side, here: str, there: str) -> int:
    """What enemy zones cost in a step: leaving one, and entering one."""
    charges = zone_charges(position, side)
    return charges.get(here, 0) + charges.get(there, 0)


def rain_cost(position: Position, printed: PrintedUnit) -> int:
    """What rain costs vehicles and artillery in each step off the road."""
    if printed.kind == GUNS:
        return position.sky.artillery
    return position.sky.vehicles if printed.is_vehicle else 0


@CITE.serves("10.p4")
def takes_road(position: Position, units: Sequence[str], here: str, there: str) -> bool:
    """Whether a step of these units is one by road: no friendly unit is in the way."""
    # reading: where friends are in the hex, a headquarters too, the step is none by road; the road
    # may be taken up again behind it.
    if (here, there) not in position.ground.road_steps:
        return False
    side = position.side_of(units[0])
    others = [unit for unit in position.units_at(there, side) if unit not in units]
    return not others and all(
        ways.road_cost(position, here, there, _kind(position, unit), side, going=units) is not None
        for unit in units
    )


def _kind(position: Position, unit: str) -> int:
    return position.printed(unit).goes


def step_cost(
    position: Position, units: Sequence[str], unit: str, here: str, there: str, *, by_road: bool
) -> int | None:
    """The half points that a step costs one of the units that move together; None where it is
    prohibited. `by_road`: whether roads count.
    """
    return Steps(position, units, unit).cost(here, there, by_road=by_road)


class Steps:
    """The steps of one of the units that move together: what is the same for all of them is looked
    up once.
    """

    def __init__(self, position: Position, units: Sequence[str], unit: str) -> None:
        printed = position.printed(unit)
        self.position, self.units, self.start = position, units, position.at(unit)
        self.unit = unit
        self.side, self._kind = printed.side, printed.goes
        self._rain = rain_cost(position, printed)
        self._zones = zone_charges(position, printed.side)
        self._roads, self._over_land = position.ground.road_steps, position.ground.over_land

    @CITE.serves("10")
    def cost(self, here: str, there: str, *, by_road: bool = True) -> int | None:
        """The half points of a step, by road where one may be taken; None if it is prohibited."""
        if by_road and self.is_by_road(here, there):
            cost = ways.road_cost(self.position, here, there, self._kind, self.side,
                                  going=self.units)  # fmt: skip
        else:
            cost = self._beside(here, there)
        if cost is None:
            return None
        return cost + self._zones.get(here, 0) + self._zones.get(there, 0)

    def is_by_road(self, here: str, there: str) -> bool:
        """What `takes_road` says of a step: most follow no road."""
        return (here, there) in self._roads and takes_road(self.position, self.units, here, there)

    def _beside(self, here: str, there: str) -> int | None:
        """The half points of a step off the road, but for those of zones."""
        over_land = self._over_land[here, there]
        if over_land is not None:
            plain = over_land[self._kind]
        else:
            plain = ways.ground_cost(self.position, here, there, self._kind, self.side,
                                     going=self.units)  # fmt: skip
        if plain is None:
            return None
        is_stack = there in self.position.stacks
        more = stack_cost(self.position, self.units, there) if is_stack else 0
        return plain + self._rain + more


Charges = Mapping[str, int]
"""What markers of interdiction cost, by their air units."""
NO_CHARGES: Charges = MappingProxyType({})
NONE_PAID: frozenset[str] = frozenset()


def interdicting(
    position: Position, units: Sequence[str], here: str, there: str, *, by_road: bool
) -> Charges:
    """The markers that a step meets, and what each costs."""
    is_road = by_road and takes_road(position, units, here, there)
    return markers_met(position, position.side_of(units[0]), there, is_road=is_road)


def markers_met(position: Position, side: Side, there: str, *, is_road: bool) -> Charges:
    """The markers that somebody of a side meets who enters a hex, by road or not, and what each
    costs.
    """
    by_road, beside = _markers(position, side)
    return (by_road if is_road else beside).get(there, NO_CHARGES)


def _markers(position: Position, side: Side) -> tuple[Mapping[str, Charges], Mapping[str, Charges]]:
    """The hexes in which a side meets markers if it comes by road, and if it does not."""
    return position.kept(f"markers/{side}", lambda now: _found_markers(now, side))


@CITE.rule("7.3.1")
def _found_markers(
    position: Position, side: Side
) -> tuple[Mapping[str, Charges], Mapping[str, Charges]]:
    """By road, those within three hexes; off it, those in the hex itself."""
    found: tuple[dict[str, dict[str, int]], ...] = {}, {}
    radius = position.board.charts["interdiction"]["radius"]
    for hex, markers in position.interdicted.items():
        for marker in markers:
            if marker.side == ENEMY[side]:
                for met, around in zip(found, (radius, 0), strict=True):
                    for each in position.ground.within(hex, around):
                        met.setdefault(each, {})[marker.unit] = 2 * marker.factor
    by_road, beside = found
    return by_road, beside


@CITE.serves("7.3.1")
def interdiction_cost(
    position: Position, units: Sequence[str], unit: str, path: Sequence[str], *, by_road: bool
) -> int:
    """What the markers of interdiction cost one of the units that move together on a path, in half
    points.
    """
    met: dict[str, int] = {}
    if position.interdicted:
        paid = paid_by(position, unit)
        for here, there in itertools.pairwise(path):
            charges = interdicting(position, units, here, there, by_road=by_road)
            for marker, charge in charges.items():
                if marker in paid:
                    continue
                # reading: each unit pays a marker once in an activation, in however many orders it
                # marches; option: in each hex.
                again = met.get(marker, 0) if INTERDICT_EACH_HEX in position.options else 0
                met[marker] = charge + again
    return sum(met.values())


@CITE.serves("7.3.1")
def paid_by(position: Position, unit: str) -> frozenset[str]:
    """The markers that a unit has paid in this activation, and pays no more."""
    march = position.cycle.marches.get(unit) if position.cycle else None
    return march.paid if march else NONE_PAID


@CITE.serves("6.2.p5", "7.3.1")
def march_after(
    position: Position, units: Sequence[str], unit: str, path: Sequence[str], *, by_road: bool
) -> March:
    """The march of a unit in this activation, with the path that it goes now."""
    paid = paid_by(position, unit)
    if INTERDICT_EACH_HEX not in position.options:
        for here, there in itertools.pairwise(path):
            paid = paid.union(interdicting(position, units, here, there, by_road=by_road))
    return March(factors.marching_level(position, unit).id, paid)


@CITE.rule("10")
def path_cost(
    position: Position,
    units: Sequence[str],
    unit: str,
    path: Sequence[str],
    *,
    by_road: bool = True,
    mending: Sequence[str] = (),
    cutting: Mapping[str, str] | None = None,
) -> int | None:
    """What a path costs one of the units that move together, in half points; None if a step of it
    is prohibited. The path begins with the hex where they stand.
    """  # fmt: skip
    spent = interdiction_cost(position, units, unit, path, by_road=by_road)
    goes, steps = Steps(position, units, unit), position.board.charts["steps"]
    for here, there in itertools.pairwise(path):
        cost = goes.cost(here, there, by_road=by_road)
        if cost is None:
            return None
        spent += cost
    # reading: repairing on the way and cutting rails is paid for by all who move together.
    # reading: 20.4, a road that is mended on the way is whole for the next move, not for this one.
    spent += sum(steps["repair_road"] for _ in mending)
    for state in (cutting or {}).values():
        spent += steps["destroy_rail" if state == DESTROYED else "damage_rail"]
    return spent


@CITE.serves("10.p4", "7.3.1")
def roads_count(
    position: Position, units: Sequence[str], path: Sequence[str],
    before: Mapping[str, int] = NOTHING,
) -> bool:  # fmt: skip
    """Whether roads count on a path: always, or only where most of it is by road; but not where
    interdiction makes it dearer than going beside the road. `before` has the lead of steps by road
    that units have from earlier marches.
    """
    # reading: the road rate is paid step by step; option: only if more than half of the steps are
    # by road, of all that each of the units marches in the activation.
    if MOSTLY_ROAD in position.options:
        lead = lead_of(position, units, path)
        if any(before.get(unit, 0) + lead <= 0 for unit in units):
            return False
    return not is_better_beside(position, units, path)


@CITE.serves("10.p4")
def lead_of(position: Position, units: Sequence[str], path: Sequence[str]) -> int:
    """By how many the steps of a path by road outnumber the others; 0 where it does not matter."""
    if MOSTLY_ROAD not in position.options:
        return 0
    return sum(1 if takes_road(position, units, here, there) else -1
               for here, there in itertools.pairwise(path))  # fmt: skip


def marched(position: Position) -> Mapping[str, int]:
    """By how many steps by road units have marched more than other steps in this activation."""
    return position.cycle.marched if position.cycle else NOTHING


@CITE.serves("10.p4")
def marches_by_road(position: Position, units: Sequence[str], path: Sequence[str]) -> bool:
    """Whether roads count on a march, with what its units have marched before."""
    return roads_count(position, units, path, marched(position))


@CITE.serves("7.3.1", "10.p4")
def is_better_beside(position: Position, units: Sequence[str], path: Sequence[str]) -> bool:
    """Whether all who move together pay less beside the roads of an interdicted path."""
    # reading: roads may be used, not must; a move goes by them or beside them as a whole, whichever
    # is cheaper.
    if not any(interdiction_cost(position, units, unit, path, by_road=True) for unit in units):
        return False
    beside, by_road = (
        [path_cost(position, units, unit, path, by_road=way) for unit in units]
        for way in (False, True)
    )
    return all(
        one is not None and other is not None and one < other
        for one, other in zip(beside, by_road, strict=True)
    )


# ------------------------------------------------------------------- orders


@CITE.serves("10")
def without_start(position: Position, order: Move) -> Move:
    """The move with the steps of its path alone: a player may write the hex where the units stand
    in front of them.
    """
    start = position.places.get(order.units[0]) if order.units else None
    return replace(order, path=order.path[1:]) if order.path[:1] == (start,) else order


@CITE.refusal("10")
def moves_its_own(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    if not order.units:
        yield Violation(say("no unit is named"), ("units",), hint=say("units: [UNIT, ...]"))
    if not order.path:
        yield Violation(say("the path is empty"), ("path",), hint=say("path: [HEX, ...]"))
    for at, unit, is_again in in_turn(order.units):
        if not position.at(unit):
            yield not_on_map(position, unit, ("units", at))
        elif is_again:
            yield named_twice(position, unit, ("units", at))


@CITE.check("5.5")
def acts_in_this_cycle(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Those who were activated, and who have neither attacked nor begun other work."""
    for at, unit in enumerate(order.units):
        yield from why_not_now(position, unit, ("units", at))


def why_not_now(position: Position, unit: str, path: tuple[str | int, ...]) -> Iterator[Violation]:
    """The fault of a unit that cannot act in this cycle, or has ended its action in it."""
    cycle = position.cycle
    assert cycle is not None
    if unit in position.mixed:
        yield mixed_today(position, unit, path)
    elif unit in position.acted and unit not in cycle.able:
        yield Violation(
            say("{unit} has acted today", unit=called(position, unit)), path, rule="5.5",
            hint=say("each unit acts in one activation a day"),
        )  # fmt: skip
    elif unit not in cycle.able:
        yield replace(_why_not_active(position, unit, cycle.formation), at=path)
    elif unit in cycle.attacked or unit in cycle.advanced:
        yield Violation(
            say("{unit} has attacked in this activation", unit=called(position, unit)), path,
            rule="5.5", hint=say("after an attack a unit only advances"),
        )  # fmt: skip
    elif unit in cycle.working:
        yield Violation(
            say("{unit} is at work", unit=called(position, unit)), path, rule="20",
            hint=say("engineers do one thing in an activation"),
        )  # fmt: skip
    elif ways.has_helped(position, unit):
        yield Violation(
            say("{unit} has helped others across a river today", unit=called(position, unit)),
            path, rule="20.9", hint=say("engineers that help do nothing else that day"),
        )  # fmt: skip


@CITE.serves("5.4.1", "5.5.p2", "5.5.p6")
def _why_not_active(position: Position, unit: str, activated: str) -> Violation:
    """The fault of a unit that does not act in the present activation: with whom it does."""
    piece = position.face(unit) if is_tag(unit) else unit
    own = position.commander_of(unit, piece) if piece else ""
    is_part = own not in ("", activated) and position.formation(own).level == FORMATION
    if not is_part or activated not in position.board.formations:
        return Violation(
            say("{unit} is not activated", unit=called(position, unit)), rule="5.4.1",
            hint=say("it acts when its own formation, or the one it is assigned to, is activated"),
        )  # fmt: skip
    formation, division = formation_called(position, own), position.parent(own)
    is_division = bool(division) and position.formation(division).level == DIVISION
    now = formation_called(position, activated)
    if activated == division:
        return Violation(
            say("{unit} is out of command, and does not act with {formation}",
                unit=called(position, unit), formation=now),
            rule="5.4.1.1", hint=say("it acts when {formation} is activated", formation=formation),
        )  # fmt: skip
    told = say("{unit} acts with {formation}, and {activated} is activated",
               unit=called(position, unit), formation=formation, activated=now)  # fmt: skip
    if own not in position.activated:
        return Violation(told, rule="5.4.1", hint=say(
            "write done, then activate {formation} in front of this order", formation=formation,
        ))  # fmt: skip
    hint = say("{formation} has been activated today, and acts no more", formation=formation)
    if is_division:
        hint = say("{formation} has been activated today: who was held back acts with {division}",
                   formation=formation, division=formation_called(position, division))  # fmt: skip
    return Violation(told, rule="5.5.p6", hint=hint)


@CITE.refusal("10")
def moves_in_one_go(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    for at, unit in enumerate(order.units):
        yield from why_halted(position, unit, ("units", at))


@CITE.serves("10")
def why_halted(position: Position, unit: str, path: tuple[str | int, ...]) -> Iterator[Violation]:
    """The fault of a unit that has begun to move, if others have moved since: each unit or stack
    completes its movement before the next one begins.
    """
    # reading: units that have left a stack have moved behind it, and one that joins a unit on its
    # way goes on with it; who comes onto the map has not begun to move.
    cycle = position.cycle
    if cycle is not None and unit in cycle.halted:
        yield Violation(
            say("{unit} has moved already, and others behind it", unit=called(position, unit)),
            path, rule="10",
            hint=say("a unit or a stack goes as far as it goes before the next one moves"),
        )  # fmt: skip


@CITE.refusal("10")
def moves_from_one_hex(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    hexes = {position.at(unit) for unit in order.units}
    if len(hexes) > 1:
        yield Violation(
            say("the units are in different hexes: {hexes}", hexes=in_list(sorted(hexes))),
            ("units",), hint=say("write a move for each hex"),
        )  # fmt: skip


@CITE.refusal("10")
def follows_the_map(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    here = position.at(order.units[0])
    for at, there in enumerate(order.path):
        if there not in position.ground.around[here]:
            near = in_list(position.ground.around[here])
            yield Violation(
                say("{there} is not next to {here}", there=there, here=here), ("path", at),
                hint=say("next to {here}: {near}", here=here, near=near),
            )  # fmt: skip
            return
        here = there


@CITE.check("8.p4")
def meets_no_enemy(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    for at, there in enumerate(order.path):
        if position.holder(there) == ENEMY[stage.side]:
            yield Violation(
                say("enemy units are in {hex}", hex=place(position, there)), ("path", at),
                hint=say("attack them, or go round them"),
            )  # fmt: skip
            return


@CITE.refusal("8.p3")
def ends_where_there_is_room(
    stage: OfASide, position: Position, order: Move
) -> Iterator[Violation]:
    yield from stacking.overfills_unseen(position, order.units, order.path[-1], ("path",))


@CITE.refusal("10.p5")
def enters_what_it_can(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    path = (position.at(order.units[0]), *order.path)
    by_road = marches_by_road(position, order.units, path)
    for at, (here, there) in enumerate(itertools.pairwise(path)):
        for unit in order.units:
            if step_cost(position, order.units, unit, here, there, by_road=by_road) is None:
                side = position.side_of(unit)
                pontoon = ways.pontoon_among(position, side, here, there, order.units)
                yield Violation(
                    why_prohibited(position, unit, here, there, order.units), ("path", at),
                    rule="20.6" if pontoon else "10.p5",
                    hint=say("the others cross while it stays") if pontoon
                    else say("a road or a bridge would lead there; go round"),
                )  # fmt: skip
                return


def why_closed(
    position: Position, side: Side, here: str, there: str, going: Collection[str]
) -> Said | None:
    """Why units cannot cross a river where a bridge seems to lead over it; None where none does."""
    if key_of(here, there) in position.ground.closed:
        return outside(here, there)
    pontoon = ways.pontoon_among(position, side, here, there, going)
    if not pontoon:
        return None
    return say("{pontoon} is the bridge between {here} and {there}, but not for itself and those "
               "who leave with it",
               pontoon=called(position, pontoon), here=here, there=there)  # fmt: skip


def outside(here: str, there: str) -> Said:
    """Why nothing is done with a bridge that the scenario closes."""
    return say("the bridge between {here} and {there} is outside this battle", here=here,
               there=there)  # fmt: skip


def why_prohibited(
    position: Position, unit: str, here: str, there: str, going: Collection[str] = ()
) -> Said:
    """Why a unit cannot go from a hex into the next one, by itself or as one of `going`."""
    printed = position.printed(unit)
    kind, going = KINDS.index(printed.kind), going or (unit,)
    closed = why_closed(position, printed.side, here, there, going)
    if closed:
        return closed
    for each in ways.crossed(position, here, there, printed.side, going):
        # Engineers beside a river do not help in every step across it.
        is_open = position.terrain(there).enter[kind] is not None
        what = RIVER if each == SUPPORTED_RIVER and is_open else each
        if position.ground.crossings[what].cross[kind] is None:
            if what == RIVER and ways.is_flooded(position):
                return say(
                    "{unit} cannot cross the river between {here} and {there}: it is in flood, and "
                    "engineers help nobody across [rule J.4]",
                    unit=called(position, unit), here=here, there=there,
                )  # fmt: skip
            return say(
                "{unit} cannot cross what lies between {here} and {there}: {what}",
                unit=called(position, unit), here=here, there=there, what=BETWEEN[what],
            )  # fmt: skip
    return say(
        "{unit} cannot enter {hex}: {ground}",
        unit=called(position, unit), hex=place(position, there),
        ground=GROUND[position.terrain(there).id],
    )  # fmt: skip


@CITE.check("16.2.b3")
def goes_away_if_demoralised(
    stage: OfASide, position: Position, order: Move
) -> Iterator[Violation]:
    """A demoralised unit ends its move farther from the enemy than it began it."""
    start, end = position.at(order.units[0]), order.path[-1]
    for at, unit in enumerate(order.units):
        if unit in position.demoralised and not leads_away(position, stage.side, start, end):
            yield Violation(
                say("{unit} is demoralised: it goes only away from the enemy",
                    unit=called(position, unit)),
                ("units", at), hint=say("end farther from the nearest enemy than {hex}", hex=start),
            )  # fmt: skip


@CITE.serves("16.2.b3")
def leads_away(position: Position, side: Side, start: str, end: str) -> bool:
    """Whether a hex is farther from the nearest enemy than another; any is, where none is left."""
    # reading: distance is counted in hexes to the nearest one with enemy units.
    enemies = position.held[ENEMY[side]]
    distance = position.ground.distance
    return not enemies or (
        min(distance(end, each) for each in enemies)
        > min(distance(start, each) for each in enemies)
    )


@CITE.rule("10.1")
def is_least_move(position: Position, units: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a move is the one hex that any unit may go that has not moved, whatever it costs."""
    # reading: prohibited ground stays prohibited; lack of supply is no obstacle.
    return len(path) == 1 and not any(
        position.spent.get(unit) or unit in position.walked for unit in units
    )


@CITE.refusal("10.p4")
def keeps_to_roads(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Units that have used roads in this activation go most of their way by them, in one order or
    in several.
    """
    # reading: option; only marches count: not how reinforcements arrive, nor the way into a hex
    # that is attacked or left.
    lead = lead_of(position, order.units, (position.at(order.units[0]), *order.path))
    for at, unit in enumerate(order.units):
        before = marched(position).get(unit, 0)
        if before > 0 >= before + lead:
            yield Violation(
                say("{unit} has used roads, and most of its way in this activation would not be "
                    "by road", unit=called(position, unit)),
                ("units", at),
                hint=say("by `{option}` roads count for a way that is mostly by road: end it "
                         "sooner, or go on by road", option=MOSTLY_ROAD),
            )  # fmt: skip


@CITE.refusal("10")
def has_the_points(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    # reading: the least move pays for the hex alone; cutting and repairing on it takes points that
    # the units have.
    is_least, works = is_least_move(position, order.units, order.path), order.cut or order.repair
    if is_least and not works:
        return
    path = (position.at(order.units[0]), *order.path)
    by_road = marches_by_road(position, order.units, path)
    for at, unit in enumerate(order.units):
        has = factors.left_to_spend(position, unit)
        needs = path_cost(position, order.units, unit, path, by_road=by_road,
                          mending=order.repair, cutting=order.cut)  # fmt: skip
        assert needs is not None
        if needs > has:
            yield Violation(
                say_many(
                    "needs", "the path costs {unit} {needs} movement point, and it has {has}",
                    "the path costs {unit} {needs} movement points, and it has {has}",
                    unit=called(position, unit), needs=points_told(needs), has=points_told(has),
                ),
                ("units", at),
                hint=say("leave out `cut` and `repair`: one hex is always open without them")
                if is_least
                else say("end the path sooner; friends bar the road in {hexes}",
                         hexes=in_list(place(position, hex) for hex in barred))
                if (barred := barred_by_friends(position, order.units, path))
                else say("end the path sooner: its points last as far as {hex}",
                         hex=place(position, last))
                if (last := _as_far_as(position, order, unit, path, has))
                else say("end the path sooner"),
            )  # fmt: skip


def _as_far_as(position: Position, order: Move, unit: str, path: Path, has: int) -> str:
    """The last hex of a path that a unit has the points for; empty where it leads into none.

    No step is free: no more of them are looked at than a unit has half points.
    """
    for end in range(min(len(path) - 1, has + 1), 1, -1):
        by_road = marches_by_road(position, order.units, path[:end])
        needs = path_cost(position, order.units, unit, path[:end], by_road=by_road,
                          mending=order.repair, cutting=order.cut)  # fmt: skip
        if needs is not None and needs <= has:
            return path[end - 1]
    return ""


@CITE.serves("10.p4")
def barred_by_friends(position: Position, units: Sequence[str], path: Path) -> tuple[str, ...]:
    """The hexes of a path into which a road leads that friends in them bar."""
    return tuple(
        there
        for here, there in itertools.pairwise(path)
        if (here, there) in position.ground.road_steps
        and set(position.units_at(there)) - {*units}
        and not takes_road(position, units, here, there)
    )


@CITE.check("20.3")
def cuts_rails(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Infantry and cavalry damage or destroy the rails of hexes that they enter."""
    entered = {*order.path}
    for hex, state in order.cut.items():
        if hex not in entered or hex not in position.ground.on_rails:
            yield Violation(
                say("no railway is cut in {hex}", hex=place(position, hex)), ("cut", hex),
                is_key=True, hint=say("name hexes of the path through which a railway runs"),
            )  # fmt: skip
        elif position.rails.get(hex) == DESTROYED or position.rails.get(hex) == state:
            yield Violation(
                say("the railway in {hex} is {state} already", hex=place(position, hex),
                    state=say("destroyed") if position.rails[hex] == DESTROYED
                    else say("damaged")),
                ("cut", hex), is_key=True, hint=say("leave it out"),
            )  # fmt: skip
        able = [unit for unit in order.units
                if position.printed(unit).type in (INFANTRY, CAVALRY)]  # fmt: skip
        if not able:
            yield Violation(
                say("none of these units is infantry or cavalry, which cut railways"),
                ("cut", hex), is_key=True, hint=say("engineers destroy rails with `engineer`"),
            )  # fmt: skip


@CITE.refusal("20.4")
def mends_roads(stage: OfASide, position: Position, order: Move) -> Iterator[Violation]:
    """Engineers repair damaged roads of hexes that they enter for two points more."""
    entered = {*order.path}
    for at, hex, is_again in in_turn(order.repair):
        path: tuple[str | int, ...] = ("repair", at)
        if is_again:
            yield Violation(say("{hex} is named twice", hex=place(position, hex)), path,
                            hint=say("name each hex once"))  # fmt: skip
            continue
        if hex not in entered or position.roads.get(hex) != DAMAGED:
            yield Violation(
                say("no road is repaired on the way in {hex}", hex=place(position, hex)), path,
                hint=say("name hexes of the path whose road is damaged"),
            )  # fmt: skip
        if not any(
            position.printed(unit).type == ENGINEER and unit not in position.disorganised
            for unit in order.units
        ):
            yield Violation(
                say("only engineers in good order repair a road"), path,
                hint=say("move engineers there"),
            )  # fmt: skip
        if not position.sky.engineers:
            yield Violation(say("nobody repairs in rain"), path, hint=say("wait for better days"))


# ------------------------------------------------------------------- what can be reached


def reachable(position: Position, unit: str) -> Mapping[str, Path]:
    """Each hex in which a unit could end its move by itself, with a cheapest path to it: with what
    is left to it today, and the least move of one hex.
    """
    start, enemies = position.at(unit), position.held[ENEMY[position.side_of(unit)]]

    def near(hex: str) -> Iterable[str]:
        return [each for each in position.ground.around[hex] if each not in enemies]

    most, before = factors.left_to_spend(position, unit), marched(position).get(unit, 0)
    found = cheapest_paths(position, unit, near, most, before)
    if is_least_move(position, (unit,), (start,)):
        for each in near(start):
            if step_cost(position, (unit,), unit, start, each, by_road=True) is not None:
                found.setdefault(each, (each,))
    return found


def cheapest_paths(
    position: Position, unit: str, near: Callable[[str], Iterable[str]], most: int, before: int = 0
) -> dict[str, Path]:
    """A cheapest path to each hex to which a unit could go by itself from hex to hex, as `near`
    allows, for so many half points, with such a lead of steps by road before; the nearest come
    first.
    """
    steps, found = Steps(position, (unit,), unit), dict[str, Path]()
    around = cache(lambda hex: tuple(near(hex)))
    if MOSTLY_ROAD in position.options:
        return _paths_by_their_whole(steps, around, most, before)
    for path in cheapest(steps.start, around, steps.cost, most):
        found[path[-1]] = path[1:]
    by_road, _ = _markers(position, position.side_of(unit))
    # Where no marker is met a step costs the same on every path.
    is_free = by_road.keys().isdisjoint(found)
    return found if is_free else _paths_by_their_whole(steps, around, most)


def _paths_by_their_whole(
    steps: Steps, near: Callable[[str], Iterable[str]], most: int, before: int = 0
) -> dict[str, Path]:
    """The same where a step may cost more or less by the other steps of the path."""
    found: dict[str, tuple[int, Path]] = {}
    for by_road in (True, False):
        tried = _Ways(steps, near, before, by_road=by_road)
        for hex, (cost, path) in tried.best(most).items():
            if hex not in found or cost < found[hex][0]:
                found[hex] = cost, path
    return {hex: path for hex, (_, path) in sorted(found.items(), key=lambda each: each[1][0])}


@value
class _Along:
    """A hex, and what matters of the way to it: its cost, by how many the steps by road outnumber
    the others, and the markers of interdiction that are paid.
    """

    hex: str
    spent: int = 0
    lead: int = 0
    paid: frozenset[str] = frozenset()


class _Ways:
    """The cheapest ways to each hex by all that matters of them, with or without the road rate."""

    def __init__(
        self, steps: Steps, near: Callable[[str], Iterable[str]], before: int, *, by_road: bool
    ) -> None:
        self.steps, self.near, self.before, self.by_road = steps, near, before, by_road
        options, (on_roads, beside) = steps.position.options, _markers(steps.position, steps.side)
        self.mostly, self.each_hex = MOSTLY_ROAD in options, INTERDICT_EACH_HEX in options
        self.on_roads, self.beside = on_roads, beside
        self._charges = {marker: each for met in on_roads.values() for marker, each in met.items()}
        self._cost = cache(partial(steps.cost, by_road=by_road))
        self._best: dict[str, list[_Along]] = {}

    def best(self, most: int) -> dict[str, tuple[int, Path]]:
        """The cheapest path to each hex and its cost, up to so many half points."""
        start, found = self.steps.start, dict[str, tuple[int, Path]]()
        paid = paid_by(self.steps.position, self.steps.unit)
        begun = _Along(start, lead=self.before, paid=paid)
        self._best[start] = [begun]
        for way in cheapest(begun, self._onward, lambda one, other: other.spent - one.spent, most):
            end = way[-1]
            is_allowed = not (self.mostly and self._needs_lead) or end.lead > 0
            if end.hex not in found and end.hex != start and is_allowed:
                found[end.hex] = end.spent, tuple(each.hex for each in way[1:])
        return found

    @property
    def _needs_lead(self) -> bool:
        """Whether most of the way has to be by road: for the road rate, or after it."""
        return self.by_road or self.before > 0

    def _onward(self, here: _Along) -> Iterator[_Along]:
        """The ways one step longer, of those than which none so far is as good."""
        if here not in self._best[here.hex]:
            return
        for hex in self.near(here.hex):
            cost = self._cost(here.hex, hex)
            if cost is None:
                continue
            longer, known = self._longer(here, hex, cost), self._best.get(hex, [])
            if not any(self._is_as_good(each, longer) for each in known):
                self._best[hex] = [each for each in known if not self._is_as_good(longer, each)]
                self._best[hex].append(longer)
                yield longer

    def _longer(self, here: _Along, hex: str, cost: int) -> _Along:
        """A way with one more step."""
        spent, paid, lead = here.spent + cost, here.paid, 0
        if self.mostly:
            lead = 1 if self.steps.is_by_road(here.hex, hex) else -1
        if hex in self.on_roads:
            is_road = self.by_road and self.steps.is_by_road(here.hex, hex)
            charges = (self.on_roads if is_road else self.beside).get(hex, NO_CHARGES)
            spent += sum(charges[marker] for marker in charges if marker not in paid)
            paid = paid if self.each_hex else paid.union(charges)
        return _Along(hex, spent, here.lead + lead, paid)

    def _is_as_good(self, one: _Along, other: _Along) -> bool:
        """Where most has to be by road, if it leads by as much, else by as little; and if it is as
        cheap once it has paid all that the other has paid.
        """
        if one.lead < other.lead if self._needs_lead else one.lead > other.lead:
            return False
        unpaid = other.paid - one.paid if other.paid else other.paid
        return one.spent + sum(map(self._charges.__getitem__, unpaid)) <= other.spent


def out_of_command(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of units that are out of command now."""
    return tuple(unit for unit in units if not command.in_command(position, unit))

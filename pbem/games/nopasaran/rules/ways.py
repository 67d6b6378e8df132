"""10: what a step from one hex into the next costs, by the ground and what lies between."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

from pbem.board.hexsides import key_of
from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import (
    BRIDGE,
    DAMAGED_BRIDGE,
    FOOT_AND_TRUCKS,
    PONTOON,
    RIVER,
    SLOPES,
    SUPPORTED_RIVER,
)
from pbem.games.nopasaran.position import DAMAGED, DESTROYED, HELP, Position
from pbem.games.nopasaran.tables import ENGINEER
from pbem.games.nopasaran.tables import PONTOON as PONTOON_UNIT


def state_of(position: Position, side: Side) -> Hashable:
    """All on which the steps of a side depend, but for the ground, and engineers that help across a
    river: what is broken, and its pontoon bridges.
    """
    return position.kept(f"ways/{side}", lambda now: (
        side, frozenset(now.roads), frozenset(now.bridges.items()),
        frozenset((bridged, now.at(unit)) for unit, bridged in now.pontoons.items()
                  if now.side_of(unit) == side and now.at(unit)),
    ))  # fmt: skip


@CITE.serves("20.6")
def pontoon_over(
    position: Position, side: Side, one: str, other: str, going: Collection[str] = ()
) -> bool:
    """Whether a pontoon unit of a side is a bridge between two hexes for `going`: as long as it is
    there, and so not for itself, or for those who leave with it.
    """
    return any(unit not in going for unit in _bridging(position, side, one, other))


@CITE.serves("20.6")
def pontoon_among(
    position: Position, side: Side, one: str, other: str, going: Collection[str]
) -> str:
    """The pontoon unit that is a bridge between two hexes, but not for `going`, for it goes with
    them; empty where there is none.
    """
    return next((unit for unit in _bridging(position, side, one, other) if unit in going), "")


def _bridging(position: Position, side: Side, one: str, other: str) -> Iterator[str]:
    key = key_of(one, other)
    return (
        unit
        for unit, bridged in position.pontoons.items()
        if bridged == key and position.side_of(unit) == side and position.at(unit) in (one, other)
    )


@CITE.serves("15.B", "20.6")
def from_rear(position: Position, side: Side) -> Mapping[str, int]:
    """How many hexes each is from the own edge of a side, over no river but by a bridge that bears
    somebody or by its own pontoon bridges.
    """
    # reading: the way to the rear is that of the moment, whoever stands on it.
    return position.kept(f"rear/{side}", lambda now: _from_rear(now, side))


def _from_rear(position: Position, side: Side) -> Mapping[str, int]:
    sides = (key for key, id in position.ground.bridge_at.items()
             if position.state_of_bridge(id) != DESTROYED)  # fmt: skip
    pontoons = (key for key in position.pontoons.values()
                if pontoon_over(position, side, *key.split("-")))  # fmt: skip
    return position.ground.from_rear(side, frozenset((*sides, *pontoons)))


@CITE.rule("20.9", "20.b8")
def who_helps(
    position: Position, side: Side, one: str, other: str, going: Collection[str] = ()
) -> str:
    """The engineer of a side that helps `going` across a river: beside it, in order, idle all day
    and not going itself; of several one that has helped today already. Empty where none can.
    """
    if not position.sky.engineers or is_flooded(position):
        return ""
    # reading: pontoon units help, too, unless they are a bridge already; who has fought today, in
    # attack or defence, or worked, does not help; who helps does nothing else that day.
    able = [
        unit
        for hex in (one, other)
        for unit in position.units_at(hex, side)
        if position.printed(unit).type in (ENGINEER, PONTOON_UNIT)
        and unit not in position.disorganised | position.walked | position.fought | position.busy
        and unit not in position.pontoons
        and unit not in going
        and (unit not in position.tasks or has_helped(position, unit))
    ]
    helped = [unit for unit in able if has_helped(position, unit)]
    return next(iter(helped or position.board.in_order(able)), "")


@CITE.serves("20.9")
def has_helped(position: Position, unit: str) -> bool:
    """Whether an engineer has helped across a river today: it does nothing else."""
    task = position.tasks.get(unit)
    return task is not None and task.kind == HELP


@CITE.rule("J.4")
def is_flooded(position: Position) -> bool:
    """Whether the rivers are too high for engineers to help across."""
    # reading: all of them, for the Jarama is named only where pontoon bridges are barred in rain.
    flood = position.special("J.4")
    if flood is None:
        return False
    first, last = flood["turns"]
    return bool(first <= position.day <= last)


@CITE.rule("11.5.1", "11.5.2")
def is_by_road(
    position: Position, here: str, there: str, side: Side, going: Collection[str] = ()
) -> bool:
    """Whether a road leads `going` from one hex to the next: it is whole in both, and there is a
    bridge for it where it meets a river.
    """
    if (here, there) not in position.ground.road_steps:
        return False
    # reading: a road that is damaged in one of the two hexes is no road between them.
    if here in position.roads or there in position.roads:
        return False
    bridge = position.bridge_between(here, there)
    return (
        bridge is None
        or position.state_of_bridge(bridge.id) != DESTROYED
        or pontoon_over(position, side, here, there, going)
    )


def crossed(
    position: Position, here: str, there: str, side: Side, going: Collection[str] = ()
) -> Iterator[str]:
    """What a step of `going` crosses that counts, as the chart calls it: a river by what leads over
    it.
    """
    for kind in position.ground.sides.between(here, there):
        if kind == RIVER:
            yield from _over_river(position, here, there, side, going)
        elif kind in SLOPES:
            yield kind


@CITE.rule("J.6")
def _over_river(
    position: Position, here: str, there: str, side: Side, going: Collection[str]
) -> Iterator[str]:
    bridge = position.bridge_between(here, there)
    state = position.state_of_bridge(bridge.id) if bridge else DESTROYED
    if key_of(here, there) in position.ground.closed:
        yield RIVER
    elif pontoon_over(position, side, here, there, going):
        yield PONTOON
    elif state != DESTROYED:
        yield BRIDGE
        if state == DAMAGED:
            yield DAMAGED_BRIDGE
    elif who_helps(position, side, here, there, going):
        yield SUPPORTED_RIVER
    else:
        yield RIVER


@CITE.rule("10.p5")
def ground_cost(
    position: Position,
    here: str,
    there: str,
    kind: int,
    side: Side,
    *,
    helped: bool = True,
    going: Collection[str] = (),
) -> int | None:
    """The half points of a step off the road: the hex and all that is crossed; None where it is
    prohibited. `helped`: whether engineers beside a river help across it; those who go do not help.
    """
    known = position.ground.over_land[here, there]
    if known is not None:
        return known[kind]
    cost = position.terrain(there).enter[kind]
    for each in crossed(position, here, there, side, going):
        if each == SUPPORTED_RIVER and not helped:
            return None
        more = position.ground.crossings[each].cross[kind]
        cost = None if cost is None or more is None else cost + more
    return cost


@CITE.rule("10.p4")
def road_cost(
    position: Position,
    here: str,
    there: str,
    kind: int,
    side: Side,
    *,
    going: Collection[str] = (),
) -> int | None:
    """The half points of a step by road, which takes the place of all others; None where no road
    leads, or where a damaged bridge bears no such unit.
    """
    if not is_by_road(position, here, there, side, going):
        return None
    cost: int = position.board.charts["steps"]["road"]
    if position.ground.over_land[here, there] is not None:
        return cost
    for each in crossed(position, here, there, side, going):
        if each == RIVER:
            return None
        if each == DAMAGED_BRIDGE:
            more = position.ground.crossings[each].cross[kind]
            if more is None:
                return None
            cost += more
    return cost


def could_enter(
    position: Position,
    here: str,
    there: str,
    kind: int,
    side: Side,
    *,
    helped: bool = True,
    going: Collection[str] = (),
) -> bool:
    """Whether a unit of a kind could go from one hex into the next, whoever is there. `helped`:
    whether engineers beside a river help across it; those who go do not help.
    """
    return (
        ground_cost(position, here, there, kind, side, helped=helped, going=going) is not None
        or road_cost(position, here, there, kind, side, going=going) is not None
    )


@CITE.rule("6.2.p3")
def command_cost(position: Position, here: str, there: str, side: Side) -> int | None:
    """The half points of a step of a line of command: the cheaper of foot and motorised."""
    # reading: a line goes over a river by a bridge or a pontoon; engineers help it over none.
    step = here, there
    if position.ground.over_land[step] is not None:
        over_land = position.ground.lines_over_land[step]
        by_road = road_cost(position, here, there, FOOT_AND_TRUCKS[0], side)
        if by_road is None or over_land is None:
            return over_land if by_road is None else by_road
        return min(by_road, over_land)
    found = [
        cost
        for kind in FOOT_AND_TRUCKS
        for cost in (
            road_cost(position, here, there, kind, side),
            ground_cost(position, here, there, kind, side, helped=False),
        )
        if cost is not None
    ]
    return min(found, default=None)

"""The rules that an order can break, each under its number, and what they compute.

What depends on a face asks what the counter could be: in the view of its owner that is one thing,
in the public one whatever its field allows. So an order passes if some counter could do it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from typing import Any, Protocol

from pbem.games.fog import events as e
from pbem.games.fog import orders as o
from pbem.games.fog.citations import CITE
from pbem.games.fog.position import AMBUSHES, ENEMY, GRID, Position

from pbem.board.lines import is_clear
from pbem.board.movement import cheapest, within
from pbem.board.stacking import surplus
from pbem.board.ways import best, ways
from pbem.engine.facedown import Spot
from pbem.engine.model import Side, Violation
from pbem.engine.rules import checks
from pbem.engine.tags import is_tag

RANGE = 2
RETREAT = 2


class OfASide(Protocol):
    """What a predicate asks of a stage of one side."""

    @property
    def side(self) -> Side:
        """The side that is asked."""


class HasAHex(Protocol):
    """What a predicate asks of a stage about one hex."""

    @property
    def hex(self) -> str:
        """The hex in question."""


class HasSpots(Protocol):
    """What a predicate asks of a stage in which tags are put back."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The new tags."""

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where hidden counters stood."""


# ------------------------------------------------------------------- counters and hexes


def yours(
    position: Position, side: Side, unit: str, at: tuple[str | int, ...], *, is_key: bool = False
) -> Iterator[Violation]:
    """That a counter is one of the side's on the map."""
    board = position.board
    is_there = unit in position.places and position.side_of(unit) == side
    if not is_there:
        known = unit in board.side_of or is_tag(unit)
        message = (
            f"{position.called(unit)} is none of your counters on the map"
            if known
            else f"no unit {unit}"
        )
        hint = "name one of your counters on the map"
        if position.mixed and unit in position.down.hidden:
            message = f"{unit} has just been mixed: nobody knows yet which counter it is"
            hint = "wait for your next phase"
        yield Violation(message, at, hint=hint, is_key=is_key)


def on_the_map(position: Position, hex: str, at: tuple[str | int, ...]) -> Iterator[Violation]:
    """That a hex is one of the map."""
    if hex not in position.board.hexes:
        yield Violation(f"there is no hex {hex}", at, hint="name a hex of the map")


@CITE.rule("1.2")
def step_cost(position: Position, here: str, there: str) -> int | None:
    """Points of a step: 1, or 2 into hills; 1 more over a river and up a slope; along a road 1.
    None over a cliff, and where hexes do not meet.
    """
    board = position.board
    if not board.graph.are_joined(here, there):
        return None
    crossed = board.sides.between(here, there, position.blown)
    wet = "river" in crossed and "bridge" not in crossed
    if "road" in crossed and not wet:
        return 1
    return 1 + (there in board.hills) + wet + ("up" in crossed)


@CITE.serves("3.2", "3.3")
def march_cost(position: Position, side: Side, path: Sequence[str]) -> int | None:
    """Points of a march; None where it is barred: it ends in the first hex of an enemy zone, and
    enters no enemy.
    """
    zone, spent = position.zone_of(ENEMY[side]), 0
    for at, (here, there) in enumerate(pairwise(path)):
        cost = step_cost(position, here, there)
        stopped = at > 0 and here in zone
        if cost is None or stopped or position.holder(there) == ENEMY[side]:
            return None
        spent += cost
    return spent


def marches_of(position: Position, unit: str) -> Iterator[tuple[str, ...]]:
    """A cheapest march of a counter to each hex it could reach."""
    side, zone = position.side_of(unit), position.zone_of(ENEMY[position.side_of(unit)])
    here = position.places[unit]
    most = max(position.board.printed(piece).moves for piece in position.could_be(unit))

    def near(hex: str) -> tuple[str, ...]:
        if hex != here and hex in zone:
            return ()
        return position.board.graph.neighbours(hex)

    def cost(one: str, other: str) -> int | None:
        return None if position.holder(other) == ENEMY[side] else step_cost(position, one, other)

    return (path[1:] for path in cheapest(here, near, cost, most))


@CITE.rule("2.2")
def is_overfull(position: Position, hex: str) -> bool:
    """Whether all counters of a hex are known to have more points than it holds."""

    def points(piece: str) -> int:
        return position.board.printed(piece).points

    at = dict.fromkeys(position.down.held(position.at(hex)), hex)
    return bool(surplus(at, points, lambda _: position.board.stacking))


@CITE.rule("7.1")
def is_supplied(position: Position, side: Side, hex: str) -> bool:
    """Whether a line leads to the own edge: it enters no enemy, no enemy zone without an own
    counter, and spends few points beside roads.
    """
    board, zone = position.board, position.zone_of(ENEMY[side])

    def beside_roads(here: str, there: str) -> int | None:
        cost = step_cost(position, here, there)
        held = position.holder(there)
        if cost is None or held == ENEMY[side] or (there in zone and held is None):
            return None
        return 0 if "road" in board.sides.between(here, there) else cost

    _, edge = board.edge(side)
    reached = within(hex, board.graph.neighbours, beside_roads, board.supply)
    return not reached.isdisjoint(edge)


# ------------------------------------------------------------------- set-up and reserves


@CITE.refusal("2.3")
def sets_up_its_own(stage: OfASide, position: Position, order: o.SetUp) -> Iterator[Violation]:
    waiting = position.waiting[stage.side]
    for unit, hex in order.units.items():
        yield from on_the_map(position, hex, ("units", unit))
        if unit not in waiting:
            message = f"{position.called(unit)} is none of your counters"
            hint = "name your own counters, each once"
            yield Violation(message, ("units", unit), hint=hint, is_key=True)
    wanted = len(waiting) - sum(
        unit in position.board.reserves for unit in position.board.army(stage.side)
    )
    if len(order.units) != wanted:
        message = f"{wanted} counters are set up, not {len(order.units)}"
        yield Violation(message, ("units",), hint="the reserve comes later")


@CITE.refusal("2.3")
def sets_up_where_it_may(stage: OfASide, position: Position, order: o.SetUp) -> Iterator[Violation]:
    board = position.board
    for unit, hex in order.units.items():
        if not any(board.may_begin_at(piece, hex) for piece in position.could_be(unit)):
            message = f"{position.called(unit)} cannot be set up in {hex}"
            hint = "your two rows; guns and sappers at the edge; no reserve"
            yield Violation(message, ("units", unit), hint=hint)


@CITE.refusal("2.2")
def sets_up_within_the_limit(
    stage: OfASide, position: Position, order: o.SetUp
) -> Iterator[Violation]:
    after = position.but(places={**position.places, **order.units})
    for hex in dict.fromkeys(order.units.values()):
        if is_overfull(after, hex):
            yield Violation(_too_many(position, hex), ("units",), hint="spread them")


def _too_many(position: Position, hex: str) -> str:
    return f"{hex} would hold more than {position.board.stacking} points"


@CITE.check("2.4")
def brings_in_its_reserve(
    stage: OfASide, position: Position, order: o.Arrive
) -> Iterator[Violation]:
    side, board = stage.side, position.board
    if order.unit not in position.waiting[side]:
        hint = "name a counter of your reserve"
        yield Violation(
            f"{position.called(order.unit)} is not in your reserve", ("unit",), hint=hint
        )
    elif not board.reserves.intersection(position.could_be(order.unit)):
        yield Violation(
            f"{position.called(order.unit)} is no reserve",
            ("unit",),
            hint="only the reserve arrives",
        )
    if position.turn < 2:
        yield Violation("the reserve comes on turn 2", (), hint="wait for it")


@CITE.refusal("2.4")
def comes_in_at_the_edge(
    stage: OfASide, position: Position, order: o.Arrive
) -> Iterator[Violation]:
    _, edge = position.board.edge(stage.side)
    if order.at not in edge or position.holder(order.at) == ENEMY[stage.side]:
        free = [hex for hex in edge if position.holder(hex) != ENEMY[stage.side]]
        yield Violation(f"{order.at} is not open", ("at",), hint=f"open are {', '.join(free)}")


# ------------------------------------------------------------------- marches


@CITE.refusal("3.2")
def marches_with_its_own(stage: OfASide, position: Position, order: o.March) -> Iterator[Violation]:
    yield from yours(position, stage.side, order.unit, ("unit",))


@CITE.refusal("3.2")
def is_free_to_move(stage: OfASide, position: Position, order: Any) -> Iterator[Violation]:
    if order.unit in position.moved:
        yield Violation(
            f"{position.called(order.unit)} has moved in this phase", ("unit",), hint="move others"
        )
    if order.unit in position.shaken:
        yield Violation(
            f"{position.called(order.unit)} is shaken",
            ("unit",),
            hint="it recovers after your phase",
        )


@CITE.refusal("5.1")
def is_not_being_mixed(stage: OfASide, position: Position, order: Any) -> Iterator[Violation]:
    units = order.units if isinstance(order, o.Attack) else (order.unit,)
    for unit in units:
        if unit in position.mixed:
            hint = "wait for your next phase"
            yield Violation(f"{position.called(unit)} has just been mixed", (), hint=hint)


@CITE.check("3.2")
def marches_where_it_may(stage: OfASide, position: Position, order: o.March) -> Iterator[Violation]:
    for at, hex in enumerate(order.path):
        if hex not in position.board.hexes:
            yield from on_the_map(position, hex, ("path", at))
            return
    if not order.path:
        yield Violation("a march goes somewhere", ("path",), hint="name the hexes of the path")
        return
    path = (position.places[order.unit], *order.path)
    cost = march_cost(position, stage.side, path)
    if cost is None:
        hint = "next to each other, over no cliff, into no enemy, not on from an enemy zone"
        yield Violation("the path is barred", ("path",), hint=hint)
        return
    most = max(position.board.printed(piece).moves for piece in position.could_be(order.unit))
    if cost > most:
        message = f"the march costs {cost} points, and {position.called(order.unit)} has {most}"
        yield Violation(message, ("path",), hint="end it sooner")


@CITE.refusal("2.2")
def ends_within_the_limit(stage: OfASide, position: Position, order: Any) -> Iterator[Violation]:
    at, field = (order.at, "at") if isinstance(order, o.Arrive) else (order.path[-1], "path")
    after = position.but(places={**position.places, order.unit: at})
    if is_overfull(after, at):
        yield Violation(_too_many(position, at), (field,), hint="end it elsewhere")


@CITE.refusal("1.3")
def works_with_sappers(stage: OfASide, position: Position, order: o.Blow) -> Iterator[Violation]:
    yield from yours(position, stage.side, order.unit, ("unit",))
    kinds = {position.board.kind_of.get(piece) for piece in position.could_be(order.unit)}
    if kinds and "sappers" not in kinds:
        yield Violation(
            f"{position.called(order.unit)} is no sappers", ("unit",), hint="name your sappers"
        )


@CITE.check("1.3")
def works_at_a_bridge(stage: OfASide, position: Position, order: o.Blow) -> Iterator[Violation]:
    if order.over not in bridges_at(position, position.places[order.unit]):
        hint = "name the hex on the other side of a bridge next to the sappers"
        yield Violation(f"no bridge leads to {order.over}", ("over",), hint=hint)


def bridges_at(position: Position, hex: str) -> tuple[str, ...]:
    """The hexes on the other sides of bridges that lead from a hex."""
    board = position.board
    return tuple(
        near
        for near in board.graph.neighbours(hex)
        if "bridge" in board.sides.between(hex, near, position.blown)
    )


# ------------------------------------------------------------------- mixing and saying


@CITE.check("5.1")
def mixes_stacks_at_rest(stage: OfASide, position: Position, order: o.Mix) -> Iterator[Violation]:
    if position.is_open:
        yield Violation("nothing is hidden in this game", ("at",), hint="leave it out")
        return
    if not order.at or len(set(order.at)) != len(order.at):
        yield Violation("name each hex once", ("at",), hint="at: [hex, ...]")
    if position.mixed:
        yield Violation("you have mixed in this phase", ("at",), hint="mix all stacks at once")
    for at, hex in enumerate(order.at):
        if why := why_not_mixed(position, stage.side, hex):
            yield Violation(f"{hex}: {why}", ("at", at), hint="mix stacks that have not moved")


def why_not_mixed(position: Position, side: Side, hex: str) -> str:
    """Why the counters of a hex cannot be mixed; empty if they can."""
    names = position.at(hex)
    if position.holder(hex) != side or len(names) < 2:
        return "there are no two counters of yours"
    if any(name in position.moved or name in position.shaken for name in names):
        return "a counter there has moved or is shaken"
    if not all(map(position.down.may_mix, names)):
        return "a counter there was mixed too often since it was shown"
    return ""


@CITE.refusal("3.4")
def says_zones_of_its_own(stage: OfASide, position: Position, order: Any) -> Iterator[Violation]:
    after = position
    if isinstance(order, o.SetUp):
        after = position.but(places={**position.places, **order.units})
    for at, hex in enumerate(order.zones):
        if why_said_in_vain(after, stage.side, hex):
            message = f"no hidden counter of yours in {hex} can have a zone"
            yield Violation(message, ("zones", at), hint="leave it out")


def why_said_in_vain(position: Position, side: Side, hex: str) -> bool:
    """Whether nothing in a hex could have a zone that has to be said."""
    hidden = [name for name in position.at(hex) if is_tag(name)]
    is_own = bool(hidden) and position.side_of(hidden[0]) == side
    printed = position.board.printed
    pieces = position.down.held(hidden) or [
        piece for name in hidden for piece in position.could_be(name)
    ]
    return not is_own or not any(printed(piece).zone for piece in pieces)


@CITE.refusal("6.6")
def says_points_it_could_have(
    stage: HasAHex, position: Position, order: o.Count
) -> Iterator[Violation]:
    if order.points not in could_have(position, stage.hex):
        message = f"what lies in {stage.hex} cannot have {order.points} points"
        yield Violation(message, ("points",), hint="the program says it")


def could_have(position: Position, hex: str) -> frozenset[str]:
    """The classes of points that a stack could have: of all of it, where this view knows that, else
    by what each counter may be.
    """
    if pieces := position.down.held(position.at(hex)):
        return frozenset({position.board.classed(pieces)})
    stacks = product(*map(position.could_be, position.at(hex)))
    return frozenset(map(position.board.classed, stacks))


@CITE.serves("6.5", "6.6")
def die_to_hit(position: Position, hex: str) -> int:
    """The least die with which a gun hits a stack."""
    return position.board.gunfire[position.troops(hex)]


@CITE.serves("3.4")
def said_too_early(position: Position, order: o.Halt) -> Iterator[Violation]:
    """What a halt that was ordered ahead says, and both players cannot be sure of: counters may
    have been lost, or come, since it was written.
    """
    printed, may_be = position.board.printed, position.down.may_be
    for hex in order.zones:
        if not any(all(printed(piece).zone for piece in may_be(name)) for name in position.at(hex)):
            message = f"what is said of {hex} was said before it was asked for"
            yield Violation(message, hint="say it with the orders of that phase")


# ------------------------------------------------------------------- ambushes


@CITE.check("4.1")
def lies_in_wait_somewhere(
    stage: OfASide, position: Position, order: o.Ambush
) -> Iterator[Violation]:
    if len(order.at) > AMBUSHES or len(set(order.at)) != len(order.at):
        yield Violation(f"at most {AMBUSHES} different hexes", ("at",), hint="leave others out")
    for at, hex in enumerate(order.at):
        yield from on_the_map(position, hex, ("at", at))


@CITE.rule("4.2")
def ambushes_due(position: Position, side: Side) -> tuple[str, ...]:
    """The lines of a side's list, as this view knows them, into which the enemy has come, and that
    are not told yet.
    """
    enemy = ENEMY[side]
    return tuple(
        slot
        for slot in position.slots_of_list(side)
        if slot not in position.told
        and (text := position.ambush(slot))
        and position.holder(text.strip('"')) == enemy
    )


@CITE.rule("4.3")
def ambushes_at(position: Position, side: Side, hex: str) -> tuple[str, ...]:
    """The lines of a side's list, as this view knows them, that name a hex and are not told yet."""
    return tuple(
        slot
        for slot in position.slots_of_list(side)
        if slot not in position.told and position.ambush(slot) == f'"{hex}"'
    )


def sprung(position: Position, side: Side) -> tuple[str, ...]:
    """The hexes in which a side's ambushes were told, and the enemy is there, each once: a changed
    program can seal a hex twice. An ambush springs once.
    """
    texts = [
        position.told[slot]
        for slot in position.slots_of_list(side)
        if slot in position.told and slot not in position.spent
    ]
    found = dict.fromkeys(text.strip('"') for text in texts)
    return tuple(hex for hex in found if position.holder(hex) == ENEMY[side])


# ------------------------------------------------------------------- fighting


@CITE.refusal("6.1")
def attacks_with_its_own(
    stage: OfASide, position: Position, order: o.Attack
) -> Iterator[Violation]:
    if not order.units or len(set(order.units)) != len(order.units):
        yield Violation("name each attacker once", ("units",), hint="units: [counter, ...]")
    for at, unit in enumerate(order.units):
        yield from yours(position, stage.side, unit, ("units", at))


@CITE.refusal("6.1")
def is_able_to_fight(stage: OfASide, position: Position, order: o.Attack) -> Iterator[Violation]:
    for at, unit in enumerate(order.units):
        if unit in position.fought or unit in position.shaken:
            message = f"{position.called(unit)} has fought in this phase, or is shaken"
            yield Violation(message, ("units", at), hint="attack with others")


@CITE.check("6.1")
def attacks_an_enemy_next_to_it(
    stage: OfASide, position: Position, order: o.Attack
) -> Iterator[Violation]:
    if position.holder(order.hex) != ENEMY[stage.side]:
        targets = ", ".join(targets_of(position, stage.side)) or "none"
        yield Violation(f"no enemy is in {order.hex}", ("hex",), hint=f"targets: {targets}")
        return
    for at, unit in enumerate(order.units):
        if not position.board.graph.are_joined(position.places[unit], order.hex):
            message = f"{position.called(unit)} is not next to {order.hex}, or a cliff is between"
            yield Violation(message, ("units", at), hint="attack with counters next to it")


def targets_of(position: Position, side: Side) -> tuple[str, ...]:
    """The hexes that a side could attack."""
    board = position.board
    return tuple(
        hex
        for hex in board.hexes
        if position.holder(hex) == ENEMY[side] and able_against(position, side, hex)
    )


def able_against(position: Position, side: Side, hex: str) -> tuple[str, ...]:
    """The counters of a side that could attack a hex now."""
    near = position.board.graph.neighbours(hex)
    barred = position.fought | position.shaken | position.mixed
    return tuple(
        unit
        for unit in position.units_of(side)
        if position.places[unit] in near and unit not in barred
    )


@CITE.check("1.4")
def shows_who_fights(stage: OfASide, position: Position, order: Any) -> Iterator[Violation]:
    units = order.units if isinstance(order, o.Attack) else (order.unit,)
    for unit in units:
        if not position.face(unit):
            yield Violation(
                f"{position.called(unit)} must be shown", (), hint="its owner's program does it"
            )


@CITE.rule("6.2")
def strengths(position: Position, hex: str, units: Sequence[str]) -> tuple[int, int]:
    """Attack and defence: attackers without supply count half, hills double the defence."""
    board = position.board

    def strength(name: str) -> int:
        return board.printed(position.face(name)).strength

    attack = 0
    for unit in units:
        supplied = is_supplied(position, position.side_of(unit), position.places[unit])
        attack += 2 * strength(unit) if supplied else strength(unit)
    defence = sum(map(strength, position.at(hex))) * (2 if hex in board.hills else 1)
    return attack, 2 * defence


@CITE.rule("6.3")
def retreats(position: Position, hex: str) -> tuple[tuple[str, ...], ...]:
    """The ways of a retreat that are open: through no enemy; best through no enemy zone, then
    nearer to the own edge.
    """
    side = position.holder(hex)
    assert side is not None
    enemy, edge = ENEMY[side], position.board.edge(side)[0]
    zone = position.zone_of(enemy)

    def near(here: str) -> Iterator[str]:
        for there in position.board.graph.neighbours(here):
            if position.holder(there) != enemy and step_cost(position, here, there) is not None:
                yield there

    def distance(way: Sequence[str]) -> int:
        return abs(GRID.place(way[-1])[1] - edge)

    return best(ways(hex, RETREAT, near), lambda way: sum(map(zone.__contains__, way)), distance)


@CITE.refusal("6.3")
def retreats_a_way_that_is_open(
    stage: HasAHex, position: Position, order: o.Retreat
) -> Iterator[Violation]:
    open_ways = retreats(position, stage.hex)
    if order.path not in open_ways:
        told = ", ".join("-".join(way) for way in open_ways)
        yield Violation("that way is not open", ("path",), hint=f"open: {told}")


@CITE.refusal("6.5")
def fires_with_a_gun(stage: OfASide, position: Position, order: o.Fire) -> Iterator[Violation]:
    yield from yours(position, stage.side, order.unit, ("unit",))
    kinds = {position.board.kind_of.get(piece) for piece in position.could_be(order.unit)}
    if kinds and "gun" not in kinds:
        yield Violation(f"{position.called(order.unit)} is no gun", ("unit",), hint="name your gun")
    if order.unit in position.fought or order.unit in position.shaken:
        message = f"{position.called(order.unit)} has fought in this phase, or is shaken"
        yield Violation(message, ("unit",), hint="it is ready in your next phase")


def may_be_guns(position: Position, side: Side) -> tuple[str, ...]:
    """The counters of a side that could fire now, as far as both players know."""
    barred = position.fought | position.shaken | position.mixed
    kind_of = position.board.kind_of
    return tuple(
        unit
        for unit in position.units_of(side)
        if unit not in barred and any(kind_of[one] == "gun" for one in position.down.may_be(unit))
    )


def is_a_gun(position: Position, unit: str) -> bool:
    """Whether a counter may be a gun, as this view knows."""
    return any(position.board.kind_of[one] == "gun" for one in position.could_be(unit))


@CITE.check("6.5")
def fires_at_what_it_sees(stage: OfASide, position: Position, order: o.Fire) -> Iterator[Violation]:
    seen = seen_from(position, stage.side, position.places[order.unit])
    if order.at not in seen:
        hint = f"it sees {', '.join(seen)}" if seen else "it sees no enemy"
        yield Violation(f"no enemy is in sight in {order.at}", ("at",), hint=hint)


def seen_from(position: Position, side: Side, hex: str) -> tuple[str, ...]:
    """The hexes with enemies that a gun sees: at most two away, with no hill between."""
    hills = position.board.hills
    return tuple(
        there
        for there in position.board.hexes
        if position.holder(there) == ENEMY[side]
        and GRID.distance(hex, there) <= RANGE
        and is_clear(GRID, hex, there, hills.__contains__)
    )


# ------------------------------------------------------------------- a lost key


@CITE.refusal("1.4")
def arranges_as_many(stage: HasSpots, position: Position, order: o.Arrange) -> Iterator[Violation]:
    """Each place gets as many new tags as counters stood there face down, of a kind that fits."""
    wanted = dict[str, int]()
    for hex, _ in stage.spots:
        wanted[hex] = wanted.get(hex, 0) + 1
    given = dict[str, int]()
    for unit, hex in order.units.items():
        if unit not in stage.tags:
            message = f"{position.called(unit)} is none of the new tags"
            yield Violation(message, ("units", unit), hint="name each once", is_key=True)
        given[hex] = given.get(hex, 0) + 1
    on_map = {hex: count for hex, count in wanted.items() if hex}
    if given != on_map:
        told = ", ".join(f"{hex}: {count}" for hex, count in sorted(on_map.items()))
        message = "the hexes need as many counters as stood there"
        yield Violation(message, ("units",), hint=told or "none")


@CITE.refusal("1.4")
def arranges_what_can_stand_there(
    stage: HasSpots, position: Position, order: o.Arrange
) -> Iterator[Violation]:
    """Each counter, as far as this view knows, is put where one stood that it may have been."""
    for tag in stage.tags:
        piece, hex = position.face(tag), order.units.get(tag, "")
        if piece and not any(piece in pieces for where, pieces in stage.spots if where == hex):
            message = f"{piece} cannot have stood in {hex or 'no hex'}"
            yield Violation(message, ("units", tag) if hex else ("units",), is_key=bool(hex))


PLACE_CHECKS = checks(
    (sets_up_its_own,), (sets_up_where_it_may, sets_up_within_the_limit, says_zones_of_its_own)
)
AMBUSH_CHECKS = checks((lies_in_wait_somewhere,))
MARCH_CHECKS = checks(
    (marches_with_its_own,), (is_free_to_move, is_not_being_mixed), (marches_where_it_may,),
    (ends_within_the_limit,),
)  # fmt: skip
ARRIVE_CHECKS = checks((brings_in_its_reserve,), (comes_in_at_the_edge,), (ends_within_the_limit,))
BLOW_CHECKS = checks(
    (works_with_sappers,), (is_free_to_move, is_not_being_mixed), (works_at_a_bridge,),
    (shows_who_fights,),
)  # fmt: skip
MIX_CHECKS = checks((mixes_stacks_at_rest,))
HALT_CHECKS = checks((says_zones_of_its_own,))
COUNT_CHECKS = checks((says_points_it_could_have,))
ATTACK_CHECKS = checks(
    (attacks_with_its_own,), (is_able_to_fight, is_not_being_mixed),
    (attacks_an_enemy_next_to_it,), (shows_who_fights,),
)  # fmt: skip
FIRE_CHECKS = checks(
    (fires_with_a_gun,), (is_not_being_mixed,), (fires_at_what_it_sees,), (shows_who_fights,)
)
RETREAT_CHECKS = checks((retreats_a_way_that_is_open,))
ARRANGE_CHECKS = checks((arranges_as_many,), (arranges_what_can_stand_there,))


def losses(position: Position, names: Sequence[str], why: str) -> e.CounterLost:
    """The loss of the weakest of some counters that are known."""
    board = position.board
    rank = partial(_weakness, position)
    weakest = min(names, key=rank)
    assert board.printed(position.face(weakest))
    return e.CounterLost(weakest, position.places[weakest], why)


def _weakness(position: Position, name: str) -> tuple[int, str]:
    return position.board.printed(position.face(name)).strength, name

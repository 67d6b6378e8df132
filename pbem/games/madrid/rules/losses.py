"""9.6: loss points, and how they are shared out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Lose
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import Suffering
from pbem.games.madrid.rules.retreat import NO_WISHES, allocate, faults, names_of
from pbem.messages import say, say_many


@CITE.rule("9.6.a")
def most_of(position: Position, unit: str) -> int:
    """The loss points that eliminating a unit takes."""
    chart = position.board.charts["losses"]
    points: int = chart["eliminate_fresh" if position.is_fresh(unit) else "eliminate_spent"]
    return points


@CITE.serves("9.6.a")
def points_of(position: Position, order: Lose) -> dict[str, int]:
    """The loss points that each unit of an order takes."""
    chart = position.board.charts["losses"]
    flip, retreat = chart["flip"], chart["retreat"]
    found = dict.fromkeys(order.spend, flip)
    found |= {u: retreat + (flip if position.is_fresh(u) else 0) for u in order.retreat}
    return found | {u: most_of(position, u) for u in order.eliminate}


@CITE.rule("9.6.e")
def largest(position: Position, units: Sequence[str], point: str, points: int) -> dict[str, int]:
    """How the largest sum of losses up to `points` can be taken: points by unit.

    No unit takes more than the point unit unless the point unit is eliminated. Artillery is
    eliminated only if all others are. Points that cannot be taken are ignored.
    """
    # reading: more and less are counted in points of this batch. A unit that was made to retreat is
    # not eliminated, so guns can then at most retreat.
    full = {unit: most_of(position, unit) for unit in units}
    last = [unit for unit in units if position.is_gun(unit)]
    first = [unit for unit in units if unit not in last]
    best: dict[str, int] = {}
    if points >= full[point]:
        others = [unit for unit in first if unit != point]
        if point in first:
            best = _filled([point, *others, *last], full, points)
        elif points >= full[point] + sum(full[unit] for unit in first):
            best = _filled([*first, point, *(u for u in last if u != point)], full, points)
    cap = min(full[point] - 1, points)
    most = {u: min(cap, full[u] - 1 if u in last else full[u]) for u in units}
    found = _filled([point, *(unit for unit in units if unit != point)], most, points)
    return found if sum(found.values()) > sum(best.values()) else best


def _filled(units: Sequence[str], most: Mapping[str, int], points: int) -> dict[str, int]:
    """The points shared out in this order: each unit is filled before the next."""
    found = {}
    for unit in units:
        found[unit] = min(points, most[unit])
        points -= found[unit]
    return {unit: taken for unit, taken in found.items() if taken}


@CITE.serves("9.6.e", "9.6.f")
def by_list(position: Position, units: Sequence[str], point: str, points: int) -> dict[str, int]:
    """The way to take the largest sum of losses that spares the units at the end of the list."""
    wanted = sum(largest(position, units, point, points).values())
    full = {unit: most_of(position, unit) for unit in units}
    order = (point, *units)
    found: list[dict[str, int]] = []
    for led, guns_die in product(range(full[point] + 1), (False, True)):
        most = full if led == full[point] else {u: min(led, full[u]) for u in units}
        most = {**most, point: led}
        least = {**dict.fromkeys(order, 0), point: led}
        for unit in units:
            if guns_die and not position.is_gun(unit):
                least[unit] = full[unit]
            elif not guns_die and position.is_gun(unit):
                most[unit] = min(most[unit], full[unit] - 1)
        room = {unit: most[unit] - least[unit] for unit in units}
        left = wanted - sum(least.values())
        if 0 <= left <= sum(room.values()) and min(room.values()) >= 0:
            more = _filled(units, room, left)
            found.append({unit: least[unit] + more.get(unit, 0) for unit in order})
    best = min(found, key=lambda taken: [taken[unit] for unit in reversed(units)])
    return {unit: taken for unit, taken in best.items() if taken}


@CITE.serves("9.6.a", "9.6.e", "9.6.f")
def nobody_stays(position: Position, units: Sequence[str], point: str, points: int) -> bool:
    """Whether every unit must leave, by elimination or retreat, however losses are shared."""
    chart = position.board.charts["losses"]

    def may_stay(unit: str) -> bool:
        spared_most = (*(each for each in units if each != unit), unit)
        leaves = chart["retreat"] + (chart["flip"] if position.is_fresh(unit) else 0)
        return by_list(position, spared_most, point, points).get(unit, 0) < leaves

    return not any(map(may_stay, units))


def shared_out(
    position: Position, side: Side, units: Sequence[str], point: str, points: int, back: str
) -> Lose:
    """A legal order for these losses: the point unit first, retreats to the first open place."""
    return as_order(position, side, largest(position, units, point, points), back)


@CITE.serves("9.6.a")
def as_order(
    position: Position, side: Side, taken: Mapping[str, int], back: str,
    wishes: Mapping[str, Sequence[str]] = NO_WISHES,
) -> Lose:  # fmt: skip
    """The order with which units take these points; `wishes` are as in `allocate`."""
    spend = [u for u, p in taken.items() if position.is_fresh(u) and p == 1]
    eliminate = [u for u, p in taken.items() if p == most_of(position, u)]
    out = [u for u in taken if u not in spend and u not in eliminate]
    retreat = allocate(position, side, position.board.in_order(out), back, wishes)
    return Lose(tuple(spend), retreat, tuple(eliminate))


@CITE.serves("9.6.c")
def is_settled(position: Position, units: Sequence[str], points: int) -> bool:
    """Whether nothing is left to choose but retreats: one unit, or all are eliminated."""
    return len(units) == 1 or points >= sum(most_of(position, unit) for unit in units)


# ------------------------------------------------------------------- checks


def _named(order: Lose) -> Iterator[tuple[str, tuple[str | int, ...], bool]]:
    """Each unit of the order with its place in it, and whether it is a key there."""
    yield from ((unit, ("spend", at), False) for at, unit in enumerate(order.spend))
    yield from ((unit, ("retreat", unit), True) for unit in order.retreat)
    yield from ((unit, ("eliminate", at), False) for at, unit in enumerate(order.eliminate))


@CITE.check("9.6.c")
def loses_of_those_hit(stage: Suffering, position: Position, order: Lose) -> Iterator[Violation]:
    """Player A's losses fall on units that took part, player B's on any in the area."""
    for unit, at, is_key in _named(order):
        if unit not in stage.units:
            hint = say("the losses are taken by {names}", names=names_of(position, stage.units))
            yield Violation(
                say("{unit} does not take these losses", unit=position.called(unit)),
                at,
                hint=hint,
                is_key=is_key,
            )


@CITE.check("9.6.b")
def hits_each_unit_once(stage: Suffering, position: Position, order: Lose) -> Iterator[Violation]:
    seen: set[str] = set()
    for unit, at, is_key in _named(order):
        if unit in seen:
            message = say("{unit} is named twice", unit=position.called(unit))
            hint = say("a unit is spent, retreats or is eliminated")
            yield Violation(message, at, hint=hint, is_key=is_key)
        seen.add(unit)


@CITE.refusal("9.6.a")
def spends_fresh_units(stage: Suffering, position: Position, order: Lose) -> Iterator[Violation]:
    for at, unit in enumerate(order.spend):
        if unit in stage.units and not position.is_fresh(unit):
            message = say("{unit} is already spent", unit=position.called(unit))
            yield Violation(message, ("spend", at), hint=say("it can retreat, or be eliminated"))


@CITE.check("9.6.d")
def takes_all_it_can(stage: Suffering, position: Position, order: Lose) -> Iterator[Violation]:
    """What takes more than can be taken, and not too much, breaks 9.6.f or 9.6.g."""
    wanted = sum(largest(position, stage.units, stage.point, stage.points).values())
    told = sum(points_of(position, order).values())
    if told < wanted or told > stage.points:
        hint = say("spent 1, retreat 1 more, eliminated 3 if fresh and 2 if spent")
        yield Violation(
            say_many(
                "points",
                "this takes {points} loss point, and it must take {wanted}",
                "this takes {points} loss points, and it must take {wanted}",
                points=told,
                wanted=wanted,
            )
            if wanted == stage.points
            else say_many(
                "points",
                "this takes {points} loss point; the most that can be taken is {wanted}",
                "this takes {points} loss points; the most that can be taken is {wanted}",
                points=told,
                wanted=wanted,
            ),
            (),
            hint=hint,
        )


@CITE.check("9.6.f")
def spares_others_more_than_the_point_unit(
    stage: Suffering, position: Position, order: Lose
) -> Iterator[Violation]:
    taken = points_of(position, order)
    if stage.point in order.eliminate:
        return
    most = taken.get(stage.point, 0)
    for unit, at, is_key in _named(order):
        if taken[unit] > most:
            name = position.unit(unit).name
            message = say(
                "{name} takes {taken}, and the point unit takes {most}",
                name=name,
                taken=taken[unit],
                most=most,
            )
            hint = say(
                "no unit may take more than the point unit, unless the point unit is eliminated"
            )
            yield Violation(message, at, hint=hint, is_key=is_key)


@CITE.check("9.6.g")
def eliminates_guns_last(stage: Suffering, position: Position, order: Lose) -> Iterator[Violation]:
    others = [unit for unit in stage.units if not position.is_gun(unit)]
    left = [unit for unit in others if unit not in order.eliminate]
    for at, unit in enumerate(order.eliminate):
        if position.is_gun(unit) and left:
            message = say(
                "{unit} is artillery, and other units are left", unit=position.called(unit)
            )
            hint = say("eliminate {names} first", names=names_of(position, left))
            yield Violation(message, ("eliminate", at), hint=hint)


@CITE.check("9.6.h")
def retreats_as_a_loss(stage: Suffering, position: Position, order: Lose) -> Iterator[Violation]:
    """A loss by retreat follows 9.7; a unit with nowhere to go is eliminated for its points."""
    # reading: a retreat without a place takes the points of a retreat, not of an elimination.
    for unit, rule, message, hint in faults(position, stage.side, order.retreat, stage.back):
        yield Violation(message, ("retreat", unit), rule=rule, hint=hint)

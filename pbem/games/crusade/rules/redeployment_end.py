"""9.1.2 and 16.4.2.4 for Strategic Redeployment: whether the remaining points allow a legal end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

from pbem.board.stacking import relief
from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, Redeploy
from pbem.games.crusade.position import OFF_MAP, RESERVE, Position
from pbem.games.crusade.rules import north, redeployment
from pbem.games.crusade.rules.asks import Redeploying
from pbem.games.crusade.rules.redeployment import cost, land_zone, may_sail
from pbem.games.crusade.rules.round_end import surplus_guests, too_full
from pbem.games.crusade.rules.stacking import full_words, room_in, surplus_in
from pbem.games.crusade.rules.supply import supply_key
from pbem.messages import marked, say
from pbem.value import replace

S = TypeVar("S", bound=Redeploying)

LASTING = (
    redeployment.starts_in_supply,
    redeployment.ends_in_supply,
    redeployment.only_divisions_sail,
    redeployment.only_divisions_rest,
    redeployment.keeps_heavy_units_off_the_islands,
    redeployment.is_joined_by_land,
    redeployment.sails_from_port_to_port,
    redeployment.keeps_the_isolated_limits,
)
"""The checks whose results last for the whole round, because control and supply do not change."""


def ways_from(stage: Redeploying, position: Position, unit: str) -> dict[str, Redeploy]:
    """The destinations of a unit on the map, including the Reserve Box, each with an order.

    All rules apply but those of points, of stacking and of what other units do. Computed once for
    each control of the map.
    """
    place, memo = position.place_of(unit), position.control.memo
    key = ("redeployment", unit, place, supply_key(position, stage.side), "N43" in position.played)
    if key not in memo:
        memo[key] = {
            order.to: order
            for order in _ways(position, unit, place)
            if not north.never_may_end(position, unit, order.to, control_stays=True)
            and not any(True for check in LASTING for _ in check(stage, position, order))
        }
    found: dict[str, Redeploy] = memo[key]
    return found


def _ways(position: Position, unit: str, place: str) -> Iterator[Redeploy]:
    yield Redeploy(unit, RESERVE, "to_reserve")
    if place in position.ports() and may_sail(position, unit, place):
        yield from (Redeploy(unit, port, "sea") for port in position.ports() if port != place)
    zone = land_zone(position, unit)
    rank = position.tables.map_rank
    for space in sorted(zone, key=lambda s: (rank.get(s, len(rank)), s)):
        if space != place:
            yield Redeploy(unit, space, "land")


def after_order(stage: S, position: Position, order: Redeploy) -> tuple[S, Position]:
    """The stage and position after a unit was redeployed."""
    place = position.place_of(order.unit)
    stage = replace(
        stage,
        halves=stage.halves - cost(position, order),
        moved=stage.moved | {order.unit},
        afr_moved=stage.afr_moved + position.type_of(order.unit).has("army_of_africa"),
        used=stage.used | {place},
    )
    gone = order.by in ("to_reserve", "border")
    return stage, position.with_unit(order.unit, RESERVE if gone else order.to)


# --- stacking -----------------------------------------------------------------------------------


@CITE.serves("9.1.2")
def stuck_in_redeployment(stage: Redeploying, position: Position) -> str:
    """A space with too many units, however the remaining points are used; else empty."""
    full = too_full(position, stage.side)
    if not full:
        return ""
    if _at_least(stage, position, full) > stage.halves:
        return full[0]
    if _rests_do(stage, position, full):
        return ""
    for africans in _who_of_africa(stage, position):
        units = tuple(u for u in _unmoved(stage, position) if u not in africans)
        needed = _cheapest(stage, position, full, units)
        if needed is not None and needed <= stage.halves:
            return ""
    return full[0]


def _unmoved(stage: Redeploying, position: Position) -> Iterator[str]:
    types = position.tables.units
    return (
        unit
        for unit, counter in position.counters.items()
        if counter.place not in OFF_MAP
        and types[unit].side == stage.side
        and unit not in stage.moved
    )


def _at_least(stage: Redeploying, position: Position, full: tuple[str, ...]) -> int:
    """Halves of a point below which nothing helps: as many units as are too many must leave."""
    least = 0
    for space in full:
        fares = sorted(
            _to_rest(position, unit) for unit in position.units_in(space) if unit not in stage.moved
        )
        least += sum(fares[: surplus_in(position, space)])
    return least


def _to_rest(position: Position, unit: str) -> int:
    """What it costs to leave the map; going elsewhere on it costs the same."""
    return cost(position, Redeploy(unit, RESERVE, "to_reserve"))


def _rests_do(stage: Redeploying, position: Position, full: tuple[str, ...]) -> bool:
    """Whether divisions of the full spaces can go to the Reserve Box themselves: the usual case."""
    left = stage.halves
    for space in full:
        resting = [
            unit
            for unit in position.units_in(space)
            if unit not in stage.moved
            and not position.type_of(unit).has("army_of_africa")
            and RESERVE in ways_from(stage, position, unit)
        ][: surplus_in(position, space)]
        if len(resting) < surplus_in(position, space):
            return False
        left -= sum(_to_rest(position, unit) for unit in resting)
    return left >= 0


def _who_of_africa(stage: Redeploying, position: Position) -> Iterator[frozenset[str]]:
    """Each choice of Army of Africa units that stay: in the first turns a card moves few."""
    limit = position.tables.tables["limits"]["army_of_africa_sr_per_card"]
    if position.turn > limit["last_turn"]:
        yield frozenset()
        return
    all_of_them = frozenset(
        unit for unit in _unmoved(stage, position) if position.type_of(unit).has("army_of_africa")
    )
    going = min(max(0, limit["value"] - stage.afr_moved), len(all_of_them))
    for gone in combinations(sorted(all_of_them), going):
        yield all_of_them - set(gone)


def _cheapest(
    stage: Redeploying, position: Position, full: tuple[str, ...], units: tuple[str, ...]
) -> int | None:
    """The fewest halves of a point that fix every overfull space; None if nothing does."""
    at = {unit: position.place_of(unit) for unit in units}
    price = {unit: _to_rest(position, unit) for unit in units}

    def room(place: str) -> int:
        return len(units) if place == RESERVE else room_in(position, place)

    surplus = {space: surplus_in(position, space) for space in full}
    ways = partial(ways_from, stage, position)
    total, stuck = relief(surplus, at, ways, price.__getitem__, room)
    return None if stuck else total


STUCK = marked(
    "{space} would have {units} units; the limit is {limit}, and the points left could not change "
    "that"
)


@CITE.refusal("9.1.2")
def leaves_a_legal_end(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """The stacking limit is suspended, but the remaining points must be able to restore it."""
    # reading: a full space may be entered as long as the remaining points can bring every space
    # back to three units, counting all ways but not the limits that several units share; so a unit
    # from the Reserve Box may wait for its place, too (12.1.8).
    stuck = stuck_in_redeployment(*after_order(stage, position, order))
    if stuck:
        after = after_order(stage, position, order)[1]
        at = ("to",) if stuck == order.to else ("unit",)
        yield Violation(
            full_words(after, stuck, STUCK),
            at,
        )


@CITE.refusal("9.1.2")
def leaves_no_space_too_full(
    stage: Redeploying, position: Position, order: Done
) -> Iterator[Violation]:
    """A round does not end with more than three units in a space, if that can be avoided."""
    full = too_full(position, stage.side)
    mending = stage.mending(position) if full else None
    if mending is not None:
        yield Violation(
            full_words(position, full[0]),
            hint=say("redeploy one of {position}", position=_units(position, full[0])),
        )


def _units(position: Position, space: str) -> str:
    return ", ".join(position.units_in(space))


# --- guests of the north ------------------------------------------------------------------------


def guests_to_go(stage: Redeploying, position: Position) -> tuple[tuple[str, Redeploy], ...]:
    """The surplus guests of spaces that have redeployed, each with an order that brings it home.

    Units of `stage.moved` go nowhere.
    """
    if not north.binds_guests(position):
        return ()
    there = {
        unit
        for place in stage.used
        for unit in position.units_in(place)
        if position.type_of(unit).region
    }
    if not there:
        return ()
    found = []
    for unit in _unmoved(stage, position):
        if unit in there:
            order = way_home(stage, position, unit)
            if order is not None:
                found.append((unit, order))
    return tuple(found)


@CITE.serves("16.4.2.4")
def homeward(stage: Redeploying, position: Position) -> int:
    """The number of surplus guests of these spaces that could go home with the remaining points."""
    most = 0
    for _, order in guests_to_go(stage, position):
        most = max(most, 1 + homeward(*after_order(stage, position, order)))
        if most >= surplus_guests(position):
            break
    return most


@CITE.serves("16.4.2.4")
def way_home(stage: Redeploying, position: Position, unit: str) -> Redeploy | None:
    """An order that brings a surplus guest home now, within points and room.

    None if there is none, or if the unit is not such a guest.
    """
    if not north.is_guest_too_many(position, unit):
        return None
    home = position.type_of(unit).region
    for end, order in ways_from(stage, position, unit).items():
        if end != RESERVE and position.space(end).region == home:
            after = after_order(stage, position, order)
            if after[0].halves >= 0 and not stuck_in_redeployment(*after):
                return order
    return None


@CITE.refusal("16.4.2.4")
def lets_guests_go_home(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """Surplus guests of a space that redeploys go home if they can: no order prevents it."""
    leaving = replace(stage, used=stage.used | {position.place_of(order.unit)})
    due = homeward(leaving, position)
    if not due:
        return
    able = guests_to_go(leaving, position)
    goes_home = any(unit == order.unit for unit, _ in able) and _is_home(position, order)
    if goes_home + homeward(*after_order(stage, position, order)) < due:
        unit, way = able[0]
        yield Violation(
            say("{unit} is one guest too many from another region and must go home now", unit=unit),
            at=("unit",),
            hint=say("redeploy {unit} to {space}", unit=unit, space=position.space(way.to).name),
        )


@CITE.refusal("16.4.2.1")
def keeps_to_its_region(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """The northern regions do not cooperate, and others stay out of the cut-off north."""
    if order.by in ("to_reserve", "border"):
        return
    can_go_home = way_home(stage, position, order.unit) is not None
    found = north.may_end(position, order.unit, order.to, can_go_home=can_go_home)
    if found is not None:
        yield Violation(found.message, at=("to",), rule=found.rule)


def _is_home(position: Position, order: Redeploy) -> bool:
    if order.by in ("to_reserve", "border"):
        return False
    return position.space(order.to).region == position.type_of(order.unit).region


@CITE.refusal("16.4.2.4")
def guests_have_gone_home(
    stage: Redeploying, position: Position, order: Done
) -> Iterator[Violation]:
    """Surplus guests of a space that has redeployed go home before the round ends."""
    for unit, way in guests_to_go(stage, position):
        yield Violation(
            say("{unit} is one guest too many from another region and must go home now", unit=unit),
            hint=say("redeploy {unit} to {space}", unit=unit, space=position.space(way.to).name),
        )
        return


END_CHECKS: tuple[tuple[Any, ...], ...] = (
    (keeps_to_its_region,), (leaves_a_legal_end, lets_guests_go_home)
)  # fmt: skip
DONE_CHECKS: tuple[tuple[Any, ...], ...] = ((leaves_no_space_too_full, guests_have_gone_home),)

"""9.1.2 and 16.4.2.4: whether movement, or redeployment, can still end legally.

Stacking is suspended while units move, so full spaces may exchange units. But an order must leave a
way to end with three units in a space. The search ignores the limits that several units share (one
guest for each region, two police divisions in the north, one Army of Africa unit near it), so no
order is refused that a legal end can follow. If only those limits make it impossible in the end,
`done` is accepted, and the enemy removes the surplus units (9.1.4).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.board.movement import cheapest
from pbem.board.stacking import relief
from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import OFF_MAP, STACKING_LIMIT, Position
from pbem.games.crusade.rules import north
from pbem.games.crusade.rules.asks import Moving
from pbem.games.crusade.rules.options_landing import owner_of_beach
from pbem.games.crusade.rules.options_operations import joins_the_attack
from pbem.games.crusade.rules.options_supply import may_lead_on
from pbem.games.crusade.rules.stacking import room_in, surplus_in
from pbem.games.crusade.tables import ENEMY
from pbem.value import replace

NEW_ENEMY_SPACES = 2


@CITE.rule("9.1.2")
def too_full(position: Position, side: Side) -> tuple[str, ...]:
    """The spaces in which a side now has too many units, in map order."""
    rank = position.tables.map_rank
    crowds = [place for place, units in position.stacks.items() if len(units) > STACKING_LIMIT]
    full = (
        place
        for place in crowds
        if place not in OFF_MAP
        and position.occupier(place) == side and not swallows(position, side, place)
    )  # fmt: skip
    return tuple(sorted(full, key=lambda place: (rank.get(place, len(rank)), place)))


# --- movement -----------------------------------------------------------------------------------


def walks(stage: Moving, position: Position, unit: str) -> dict[str, tuple[str, ...]]:
    """Where a unit could end its move, each with a shortest path.

    All rules apply but those of stacking and of what other units do.
    """
    start = position.place_of(unit)

    def near(here: tuple[str, int]) -> Iterator[tuple[str, int]]:
        space, hostile = here
        for there in next_to(position, (unit,), space):
            entered = hostile + (there in stage.hostile)
            if entered <= NEW_ENEMY_SPACES and position.occupier(there) != ENEMY[stage.side]:
                yield there, entered

    found: dict[str, tuple[str, ...]] = {}
    for path in cheapest((start, 0), near, lambda *_: 1, position.factors(unit).mf):
        end, _ = path[-1]
        if end != start and may_stop(stage, position, unit, end):
            found.setdefault(end, tuple(space for space, _ in path))
    return found


@CITE.serves("18.2.3")
def next_to(position: Position, units: tuple[str, ...], space: str) -> tuple[str, ...]:
    """The spaces that a step of these units may enter; the corridor serves only divisions."""
    near = position.neighbours(space)
    if any(position.type_of(unit).is_corps for unit in units):
        return near
    return (*near, *may_lead_on(position, position.side_of(units[0]), space))


def may_stop(stage: Moving, position: Position, unit: str, space: str) -> bool:
    """Whether a unit may end its move in a space; in one activated for combat only to attack."""
    marked = space in stage.attack and not joins_the_attack(position, (unit,))
    return not marked and not north.never_may_end(position, unit, space)


def idle(stage: Moving, position: Position) -> Iterator[str]:
    """The units of all activated spaces that may still move."""
    return (unit for space in stage.move for unit in stage.idle_units(position, space))


@CITE.serves("9.1.2")
def stuck_in_movement(stage: Moving, position: Position) -> str:
    """A space with too many units however the idle units move; empty if there is a way out."""
    full = too_full(position, stage.side)
    if not full:
        return ""
    at = {unit: position.place_of(unit) for unit in idle(stage, position)}
    ways = {unit: walks(stage, position, unit) for unit in at}

    def room(space: str) -> int:
        return len(at) if swallows(position, stage.side, space) else room_in(position, space)

    surplus = {space: surplus_in(position, space) for space in full}
    return relief(surplus, at, ways.__getitem__, lambda _: 0, room)[1]


def swallows(position: Position, side: Side, space: str) -> bool:
    """Whether it is an enemy beach head: entering it moves a unit on, or to the Reserve
    (8.5.4.3).
    """
    return space in position.beach_heads and owner_of_beach(space) != side


def after_walk(
    stage: Moving, position: Position, units: tuple[str, ...], path: tuple[str, ...]
) -> tuple[Moving, Position]:
    """The stage and position after a move, without what is captured on the way."""
    end = path[-1]
    for unit in units:
        position = position.with_unit(unit, end)
    return replace(stage, moved=stage.moved | set(units)), position


# --- guests go home -----------------------------------------------------------------------------


@CITE.serves("16.4.2.4")
def homeward(stage: Moving, position: Position) -> int:
    """The number of surplus guests of activated spaces that could still go home."""
    most = 0
    for unit, path in ways_home(stage, position):
        after = after_walk(stage, position, (unit,), path)
        most = max(most, 1 + homeward(*after))
        if most >= surplus_guests(position):
            break
    return most


def ways_home(stage: Moving, position: Position) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Idle surplus guests, each with every path home that lets movement end legally."""
    for unit in idle(stage, position) if north.binds_guests(position) else ():
        if north.is_guest_too_many(position, unit) and not north.is_released(position, unit):
            home = position.type_of(unit).region
            for end, path in walks(stage, position, unit).items():
                if position.space(end).region == home and not stuck_in_movement(
                    *after_walk(stage, position, (unit,), path)
                ):
                    yield unit, path


def surplus_guests(position: Position) -> int:
    """The number of guests beyond one for each region."""
    homes = {unit_type.region for unit_type in position.tables.units.values()} - {""}
    return sum(max(0, len(north.guests_of(position, home)) - 1) for home in homes)

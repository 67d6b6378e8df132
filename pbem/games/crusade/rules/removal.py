"""Units that events remove from the game: the price of a corps card, and what a card names."""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, RESERVE, Position
from pbem.games.crusade.rules.north import is_northern
from pbem.games.crusade.rules.reinforcement import corps_spaces
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.rules.supply import is_unit_supplied

# --- the price of corps -------------------------------------------------------------------------


@CITE.rule("8.5.2.5/a", "8.5.2.5/b", "8.5.2.5/c")
def removable(position: Position, card: str) -> tuple[str, ...]:
    """The divisions of which one pays for corps: on the map or in Reserve, else eliminated."""
    facts = position.card(card)
    divisions = tuple(
        unit
        for kind in facts.removes_division
        for unit, unit_type in position.tables.units.items()
        if unit_type.side == facts.side and unit_type.kind == kind
    )
    in_play = tuple(unit for unit in divisions if _can_be_withdrawn(position, unit))
    return in_play or tuple(u for u in divisions if position.place_of(u) == ELIMINATED)


def _can_be_withdrawn(position: Position, unit: str) -> bool:
    """Whether a division can pay: in the Reserve Box or in supply, except northern police."""
    place = position.place_of(unit)
    if place == RESERVE:
        return True
    kept = position.type_of(unit).has("kept_in_north")
    return (
        position.is_on_map(unit)
        and is_unit_supplied(position, unit)
        and not (kept and is_northern(position, place))
    )


@CITE.serves("8.5.2.2")
def places_for(position: Position, corps: tuple[str, ...]) -> int:
    """The number of a card's corps that would find a place; all go to the same spaces."""
    return sum(room_in(position, space) for space in corps_spaces(position, corps[0]))


def makes_room(position: Position, unit: str, corps: tuple[str, ...]) -> bool:
    """Whether all the corps find a place once this division is removed."""
    return not corps or places_for(position.with_unit(unit, REMOVED), corps) >= len(corps)


# --- what a card names --------------------------------------------------------------------------


def in_the_game(position: Position, side: Side, kind: str) -> tuple[str, ...]:
    """Units of a type or with a tag that are in the game: arrived, and not removed."""
    return tuple(
        unit
        for unit, unit_type in position.tables.units.items()
        if unit_type.side == side
        and (unit_type.id == kind or unit_type.has(kind))
        and position.place_of(unit) not in (POOL, REMOVED)
    )


def nearest_first(position: Position, units: tuple[str, ...]) -> tuple[str, ...]:
    """The units on the map; if there are none, those of the Reserve Box, else the eliminated
    ones.
    """
    on_map = tuple(unit for unit in units if position.is_on_map(unit))
    in_reserve = tuple(unit for unit in units if position.place_of(unit) == RESERVE)
    return on_map or in_reserve or units

"""13.3.5 and 13.3.6: units and spaces lost for lack of supply."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import ROUNDS, Position, in_stack_order
from pbem.games.crusade.rules.activation import occupied_spaces
from pbem.games.crusade.rules.options_decks import ends_early
from pbem.games.crusade.rules.supply import has_limited_supply, is_supplied
from pbem.games.crusade.tables import NATIONALIST


@CITE.serves("13.3.7", "6.0.C.1", "6.0.C.2")
def is_over(position: Position, side: Side) -> bool:
    """Whether a side has no attrition any more in this turn: it comes after its own last round."""
    if ends_early(position):
        return True
    goes_first = side == NATIONALIST and position.active != side
    return position.round == ROUNDS and (bool(position.segment) or goes_first)


@CITE.rule("13.3.5")
def lost_units(position: Position, side: Side) -> tuple[str, ...]:
    """The units of a side that attrition takes, in stack order."""
    exposed = (
        unit
        for space in occupied_spaces(position, side)
        if not is_supplied(position, side, space)
        for unit in position.units_in(space)
    )
    return in_stack_order(position, (unit for unit in exposed if not survives(position, unit)))


def survives(position: Position, unit: str) -> bool:
    """Whether a unit out of supply survives: at a friendly border, at home in Asturias, exempt."""
    side, place = position.side_of(unit), position.place_of(unit)
    return (
        lives_by_the_border(position, side, place)
        or lives_in_its_mountains(position, unit, place)
        or position.type_of(unit).has("insurrection")
    )


@CITE.rule("13.4.4")
def lives_by_the_border(position: Position, side: Side, space: str) -> bool:
    """Spaces connected to a friendly country keep their units and their side."""
    return has_limited_supply(position, side, space)


@CITE.rule("13.1.5")
def lives_in_its_mountains(position: Position, unit: str, place: str) -> bool:
    """Asturian divisions survive without supply in Asturias; empty spaces do not."""
    home = position.type_of(unit).attrition_home
    return bool(home) and position.space(place).region == home


@CITE.rule("13.3.6")
def lost_spaces(position: Position, side: Side, gone: Collection[str]) -> tuple[str, ...]:
    """The spaces that pass to the enemy: out of supply, and empty without the units lost."""
    return tuple(
        space
        for space in position.spaces_of(side)
        if not is_supplied(position, side, space)
        and not lives_by_the_border(position, side, space)
        and not set(position.units_in(space)) - set(gone)
    )

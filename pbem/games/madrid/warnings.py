"""What is legal and yet unwise (engine/warnings.py)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Order, Side, State
from pbem.engine.warnings import Danger
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.retreat import names_of, ways_out
from pbem.games.madrid.rules.supply import supplied_units

Table = State[Position]


def dangers(state: Table, side: Side) -> tuple[Danger, ...]:
    """Units out of supply, and units beside enemies that have nowhere to go."""
    position = state.position
    return (*_out_of_supply(position, side), *_cut_off(position, side))


def unwise(state: Table, order: Order) -> tuple[Danger, ...]:
    """Nothing: what an order costs is told by the advice."""
    return ()


def _places(position: Position, side: Side) -> list[str]:
    own = (unit for unit, printed in position.board.units.items() if printed.side == side)
    return list(dict.fromkeys(position.places[unit] for unit in own if position.is_on_map(unit)))


def _out_of_supply(position: Position, side: Side) -> Iterator[Danger]:
    supplied = supplied_units(position, side)
    for place in _places(position, side):
        units = [unit for unit in position.units_at(place, side) if unit not in supplied]
        if units:
            are = "is" if len(units) == 1 else "are"
            told = f"{names_of(position, units)} in {position.called(place)} {are} out of supply"
            yield Danger(told, "3.3.4")


def _cut_off(position: Position, side: Side) -> Iterator[Danger]:
    """Beside enemies in one area, with no area or box open to them."""
    for place in _places(position, side):
        if not position.has_enemies(place, side):
            continue
        ways = (each for group in ways_out(position, side, place) for each in group)
        if not any(position.room(each, side) for each in ways):
            told = f"units in {position.called(place)} cannot retreat: they would be eliminated"
            yield Danger(told, "9.7.d")

"""A set-up that is legal, as the default of the questions of set-up."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.model import Side
from pbem.games.ctv.orders import SetUp
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import setup, stacking
from pbem.games.ctv.tables import ARMOUR, BASQUE, COLUMN, HEADQUARTERS, ITALIAN, REPUBLICAN


def proposed(position: Position, side: Side, what: str) -> SetUp:
    """Each unit in the front hex where it covers most that is bare, then where fewest stand; but a
    headquarters that the line does not need stands with others, as near to its division as it can.
    """
    board, front = position.board, position.board.front[side]
    chart = board.charts["basques"]
    places: dict[str, str] = {}
    stacks: dict[str, list[str]] = {}

    def there(hex: str) -> list[str]:
        if hex not in stacks:
            stacks[hex] = list(position.stacks.get(hex, ()))
        return stacks[hex]

    def fits(unit: str, hex: str) -> bool:
        printed = position.printed(unit)
        if printed.nation == BASQUE and setup.distance_of_basques(position, hex) > chart["set_up"]:
            return False
        if printed.nation == ITALIAN and not setup.is_italian_ground(position, hex):
            return False
        together = [*there(hex), unit]
        if stacking.points(position, together) > board.terrain_of(hex).stacking:
            return False
        return not any(
            len(stacking.of_a_type(position, together, type)) > 1 for type in (ARMOUR, HEADQUARTERS)
        )

    own = [hex for hex in board.hexes if board.held[hex] == side]
    units = [
        unit
        for unit in setup.waiting(position, side, what)
        if position.printed(unit).type != COLUMN
    ]

    def apart(unit: str) -> Mapping[str, tuple[bool, int]]:
        """For each front hex: whether a headquarters would be alone there, and how far from units
        of its division; of any other unit nothing.
        """
        printed = position.printed(unit)
        if printed.type != HEADQUARTERS:
            return {}
        near = {at for each, at in places.items() if is_of(each, printed.division)}
        return {
            hex: (not there(hex), min([board.distance(hex, at) for at in near or (hex,)]))
            for hex in front
        }

    def is_of(unit: str, division: str) -> bool:
        printed = position.printed(unit)
        return printed.division == division and printed.type != HEADQUARTERS

    bits = {hex: board.masks.bit[hex] for hex in front}
    covers = {hex: here | board.zones.around(here) for hex, here in bits.items()}
    held = board.masks.of({*map(position.at, position.on_map(side))})
    bare = board.masks.of(front) & ~(held | board.zones.around(held))  # which nobody covers yet
    load = {hex: stacking.points(position, there(hex)) for hex in front}
    for unit in units:
        lonely = apart(unit)
        ranks = {
            hex: (-(covers[hex] & bare).bit_count(), *lonely.get(hex, ()), load[hex])
            for hex in front
        }
        order = sorted(front, key=ranks.__getitem__)
        hex = next((each for each in (*order, *own) if fits(unit, each)), None)
        if hex is not None:
            places[unit] = hex
            there(hex).append(unit)
            here = board.masks.bit[hex]
            bare &= ~(here | board.zones.around(here))
            if hex in load:
                load[hex] = stacking.points(position, there(hex))
    columns: list[str] = []
    trenches: tuple[str, ...] = ()
    if what == setup.FRONT:
        guns = [hex for unit, hex in places.items() if position.printed(unit).type == HEADQUARTERS]
        columns = list(dict.fromkeys(guns))[: board.columns_at_first(side)]
        if side == REPUBLICAN:
            number = board.scenarios[position.scenario]["trenches"]
            trenches = tuple(dict.fromkeys(places.values()))[:number]
    return SetUp(places, trenches, tuple(columns))

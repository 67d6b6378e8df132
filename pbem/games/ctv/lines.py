"""6: lines of supply, a matter of places alone: all units of a hex are in supply, or none.

Places are bits (`pbem/board/masks.py`), since a line is looked for after every step of every unit.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.model import Side
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.tables import ENEMY, SIDES, Tables

Occupied = Mapping[Side, int]
"""The hexes with ground units of each side, or other hexes of each, as bits."""


@CITE.rule("6.1", "6.2.1")
def reached(board: Tables, side: Side, occupied: Occupied, sources: int, zone: int) -> int:
    """The hexes to which a line leads from a source of a side: over no closed side, through no
    enemy ground unit, and through no hex of `zone`, the enemy's zones, without a friendly one.

    The same holds for the source, and it must not be in the enemy's hands (6.2).
    """
    own, enemy = occupied[side], occupied[ENEMY[side]]
    free = board.land & ~enemy & (~zone | own)
    return board.masks.flood(sources, free)


@CITE.rule("6.4")
def judged(board: Tables, occupied: Occupied, sources: Occupied) -> tuple[Occupied, Occupied]:
    """Where each side is in supply, at the first look and at the second.

    Zones cut lines, and units without supply have no zone: lines are looked for with the zones of
    all units first, then with those of the units that were found in supply. The second holds.
    """
    # reading: two passes; the second result stands, whoever it puts out of supply again.
    around = board.zones.around
    first = {
        side: reached(board, side, occupied, sources[side], around(occupied[ENEMY[side]]))
        for side in SIDES
    }
    second = dict(first)
    for side in SIDES:
        enemy = ENEMY[side]
        supplied = occupied[enemy] & first[enemy]
        if supplied != occupied[enemy]:
            # Fewer zones cut no line: what is reached at the first look is reached at the second.
            starts = sources[side] | first[side]
            second[side] = reached(board, side, occupied, starts, around(supplied))
    return first, second


def judged_for(board: Tables, side: Side, occupied: Occupied, sources: Occupied) -> int:
    """Where one side is in supply at the second look, which needs only its enemy's first."""
    enemy, around = ENEMY[side], board.zones.around
    first = reached(board, enemy, occupied, sources[enemy], around(occupied[side]))
    return reached(board, side, occupied, sources[side], around(occupied[enemy] & first))

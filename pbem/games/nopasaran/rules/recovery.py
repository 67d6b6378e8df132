"""17.3: who comes into order again by itself."""

from __future__ import annotations

from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import command


@CITE.serves("17.3")
def by_themselves(position: Position) -> tuple[str, ...]:
    """The disorganised units that need no die: headquarters, and those beside their own."""
    return tuple(
        unit
        for unit in position.board.in_order(position.disorganised)
        if position.printed(unit).is_headquarters or is_beside_its_own(position, unit)
    )


@CITE.serves("17.3")
def is_beside_its_own(position: Position, unit: str) -> bool:
    """Whether a unit in command is beside its own headquarters, or that of the formation it is
    assigned to, or those above them.
    """
    here = position.at(unit)
    if not here or not command.in_command(position, unit):
        return False
    for formation in {position.home(unit), position.commander(unit)}:
        above = formation
        while above:
            there = position.at(position.headquarters_of(above))
            if there and position.ground.distance(here, there) <= 1:
                return True
            above = position.parent(above)
    return False

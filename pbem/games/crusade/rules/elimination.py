"""11.3.3: which eliminated units can come back, and which leave the game."""

from __future__ import annotations

from pbem.games.crusade.citations import CITE
from pbem.games.crusade.events import UnitEliminated
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.allocations import PHANTOM
from pbem.games.crusade.rules.supply import is_supplied


@CITE.rule("11.3.3")
def is_lost_for_good(position: Position, unit: str, space: str, heir: str | None) -> bool:
    """Whether a unit eliminated in a space leaves the game; only a corps has an heir."""
    return bool(why_for_good(position, unit, space, heir))


@CITE.rule("13.3.4", "17.6.5")
def why_for_good(position: Position, unit: str, space: str, heir: str | None) -> str:
    """The rule by which a unit eliminated in a space leaves the game; empty if it does not."""
    unit_type = position.type_of(unit)
    if not is_supplied(position, unit_type.side, space):
        return "13.3.4"
    if unit_type.has("army_of_africa"):
        return "17.6.5"
    return "11.3.5" if heir == PHANTOM else ""


def eliminated(position: Position, unit: str, space: str, heir: str | None) -> UnitEliminated:
    """The event of a unit that dies in a space, with what becomes of it."""
    why = why_for_good(position, unit, space, heir)
    return UnitEliminated(unit, bool(why), why)

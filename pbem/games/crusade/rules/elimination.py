"""11.3.3: which eliminated units can come back, and which leave the game."""

from __future__ import annotations

from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.allocations import PHANTOM
from pbem.games.crusade.rules.supply import is_supplied


@CITE.rule("11.3.3", "13.3.4", "17.6.5")
def is_lost_for_good(position: Position, unit: str, space: str, heir: str | None) -> bool:
    """Whether a unit eliminated in a space leaves the game; only a corps has an heir."""
    unit_type = position.type_of(unit)
    return (
        not is_supplied(position, unit_type.side, space)
        or unit_type.has("army_of_africa")
        or heir == PHANTOM
    )

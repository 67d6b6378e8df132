"""16.5: what a winter turn changes."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import Tables


@CITE.rule("16.5.1")
def is_winter(position: Position) -> bool:
    return position.turn in winter_turns(position.tables)


def winter_turns(tables: Tables) -> tuple[int, ...]:
    """The turns that the calendar of the game marks."""
    return tuple(row["turn"] for row in tables.tables["turns"] if row["winter"])


@CITE.rule("16.5.3")
def is_severe(position: Position) -> bool:
    return position.has(f"severe_winter_{position.turn}")


@CITE.rule("16.5.2")
def winter_effects(position: Position) -> Mapping[str, int] | None:
    """`ops_cards`, `mountain_drm`, `famine_rm` of this turn; None when it is no winter."""
    if not is_winter(position):
        return None
    rows = position.tables.tables["winter"]
    effects: Mapping[str, int] = rows["severe" if is_severe(position) else "normal"]
    return effects

"""What players may write for the spaces, units and cards of the game."""

from __future__ import annotations

from functools import lru_cache

from pbem.board.names import Counter, Vocabulary
from pbem.engine.model import Side
from pbem.games.crusade.position import POOL, REMOVED, Position
from pbem.games.crusade.tables import INITIAL, Tables


def vocabulary(position: Position, side: Side) -> Vocabulary:
    """The names a side may use now: all spaces, every unit by id, its own also by type."""
    tables = position.tables
    return Vocabulary(
        printed={
            "space": _spaces(tables),
            "unit": {unit: unit for unit in tables.units},
            "card": _cards(tables, side),
        },
        aliases={"space": tables.aliases, "unit": _short_ids(tables, side)},
        counters=tuple(
            Counter(
                unit,
                unit_type.id,
                position.place_of(unit),
                "reduced" if position.is_reduced(unit) else "full",
            )
            for unit, unit_type in tables.units.items()
            if unit_type.side == side and position.place_of(unit) not in (POOL, REMOVED)
        ),
    )


@lru_cache(maxsize=4)
def _spaces(tables: Tables) -> dict[str, str]:
    return {space.id: space.name for space in tables.spaces.values()}


@lru_cache(maxsize=4)
def _cards(tables: Tables, side: Side) -> dict[str, str]:
    return {card.id: card.title for card in tables.cards.values() if card.side == side}


@lru_cache(maxsize=4)
def _short_ids(tables: Tables, side: Side) -> dict[str, str]:
    """`MIL-7` for `R-MIL-7`: types on both sides carry an initial a player may leave out."""
    prefix = f"{INITIAL[side]}-"
    return {
        unit.removeprefix(prefix): unit
        for unit, unit_type in tables.units.items()
        if unit_type.side == side and not unit_type.is_corps and unit.startswith(prefix)
    }

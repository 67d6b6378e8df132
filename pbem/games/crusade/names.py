"""The names players may write for the spaces, units and cards of the game."""

from __future__ import annotations

from functools import lru_cache, partial

from pbem.board.names import NamedUnit, Vocabulary
from pbem.engine.model import Order, Side
from pbem.games.crusade.orders import Deploy, Rebuild, Replace
from pbem.games.crusade.position import (
    ELIMINATED,
    MOROCCO,
    POOL,
    REMOVED,
    RESERVE,
    Combat,
    Position,
)
from pbem.games.crusade.tables import INITIAL, Tables
from pbem.messages import Said, marked, say


def vocabulary(
    position: Position,
    side: Side,
    order: type[Order] | None,
    combat: Combat | None,
    asked: tuple[str, ...] = (),
) -> Vocabulary:
    """The names a side may use in an order: all spaces, every unit by id, its own also by type.

    A type means a unit it could refer to: one of the combat in question, an eliminated one to be
    rebuilt, a reduced one to be restored, else any in play. `asked` are the units in question, if a
    stage names them.
    """
    tables = position.tables
    meant = frozenset(asked) or _meant(position, side, order, combat)
    return Vocabulary(
        printed={
            marked("space"): _spaces(tables),
            marked("unit"): {unit: unit for unit in tables.units},
            "card": _cards(tables, side),
        },
        aliases={
            "space": {"Reserve Box": RESERVE} | tables.aliases,
            "unit": _short_ids(tables, side),
        },
        counters=tuple(
            NamedUnit(
                unit,
                unit_type.id,
                position.place_of(unit),
                "reduced" if position.is_reduced(unit) else "full",
            )
            for unit, unit_type in tables.units.items()
            if unit in meant
        ),
        is_theirs=lambda id: any(
            id in known and known[id].side != side for known in (tables.units, tables.cards)
        ),
        only="reduced" if order is Replace else "",
        title=partial(_title, tables),
    )


def _title(tables: Tables, name: str) -> Said:
    """The printed name of a card, or of a unit that is the only one of its kind."""
    if name in tables.cards:
        return say(tables.cards[name].title)
    kind = tables.units.get(name)
    return say(kind.name) if kind is not None and kind.count == 1 else ""


def _meant(
    position: Position, side: Side, order: type[Order] | None, combat: Combat | None
) -> frozenset[str]:
    """The units that a type may mean."""
    own = [unit for unit, unit_type in position.tables.units.items() if unit_type.side == side]
    if order is Rebuild:
        return frozenset(u for u in own if position.place_of(u) == ELIMINATED)
    if order is Replace and (worn := [u for u in own if position.is_reduced(u)]):
        return frozenset(worn)
    if combat is None:
        # An order ahead or a deployment may name a unit that is not in play yet.
        out = (REMOVED,) if order in (None, Deploy) else (POOL, REMOVED)
        return frozenset(u for u in own if position.place_of(u) not in out)
    return frozenset(u for u in own if u in combat.origins or position.place_of(u) == combat.space)


@lru_cache(maxsize=4)
def _spaces(tables: Tables) -> dict[str, str]:
    """Spaces, and the boxes that may be named as a unit's place."""
    boxes = {RESERVE: "the Reserve Box", MOROCCO: "Morocco"}
    return {space.id: space.name for space in tables.spaces.values()} | boxes


@lru_cache(maxsize=4)
def _cards(tables: Tables, side: Side) -> dict[str, str]:
    """All cards, because the rules give better messages for enemy cards than "unknown"."""
    every = sorted(tables.cards.values(), key=lambda card: card.side != side)
    return {card.id: card.title for card in every}


@lru_cache(maxsize=4)
def _short_ids(tables: Tables, side: Side) -> dict[str, str]:
    """`MIL-7` for `R-MIL-7`: for types of both sides a player may omit the initial."""
    prefix = f"{INITIAL[side]}-"
    return {
        unit.removeprefix(prefix): unit
        for unit, unit_type in tables.units.items()
        if unit_type.side == side and not unit_type.is_corps and unit.startswith(prefix)
    }

"""Covered counters in a game file (engine/pieces.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.facedown import NOT_ARRANGED, Statement
from pbem.engine.hidden import Slots
from pbem.engine.model import Order, Side, State
from pbem.engine.pieces import SaidOf
from pbem.engine.tags import is_tag
from pbem.games.ctv.orders import Attack
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules.naming import counted, in_list, place
from pbem.games.ctv.stages.cover import Arranging
from pbem.games.ctv.tables import DECKS
from pbem.messages import Said, say


def decks(position: Position) -> frozenset[str]:
    """Both decks are of counters."""
    return frozenset() if position.is_open else frozenset(DECKS.values())


def groups(position: Position) -> Mapping[str, tuple[int, ...]]:
    """The groups of mixes: none are mixed here."""
    return position.down.groups


def meant(position: Position, order: Order) -> Order:
    """The order with present names."""
    found: Order = position.down.meant(order, "unit") if position.down.shown else order
    return found


def misfit(state: State[Position], slot: str, card: str) -> Said:
    """Why a counter cannot be the one that lay under a tag, or where a tag lies is not said yet."""
    position = state.position
    if not is_tag(slot):
        return ""
    side = position.side_of(slot)
    if any(isinstance(stage, Arranging) and stage.side == side for stage in state.agenda):
        return NOT_ARRANGED
    return position.down.misfit(slot, card, tuple(position.places))


def owes(state: State[Any], side: Side) -> Slots:
    """What is shown is shown with an order, or the game waits for it."""
    return ()


def listed(state: State[Any], side: Side, order: Order) -> tuple[Any, ...]:
    """There are no lists."""
    return ()


def said(position: Position, side: Side) -> tuple[SaidOf, ...]:
    """What a side has said of its covered counters, with attacks given ahead."""
    return position.down.said_of(
        DECKS[side], lambda unit: place(position, position.at(unit)), _told
    )


def _told(fact: Statement) -> Said:
    return say("they did not overstack their hex, and none was a headquarters that moves the "
               "column of an attack")  # fmt: skip


def said_with(position: Position, order: Order) -> tuple[Said, ...]:
    """What an attack that is given ahead says of the counters that stay behind."""
    if not isinstance(order, Attack):
        return ()
    return tuple(
        say("{units}: they do not overstack {hex}, and none is a headquarters that moves the "
            "column",
            units=in_list(counted(position, units)), hex=place(position, hex))
        for hex, units in order.beside.items()
    )  # fmt: skip

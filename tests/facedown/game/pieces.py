"""Counters face down and lists: the capability of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.fog.orders import Ambush, Halt
from pbem.games.fog.position import DECKS, Position
from pbem.games.fog.stages import Arranging, items_of

from pbem.engine.facedown import NOT_ARRANGED, Statement
from pbem.engine.hidden import Slots
from pbem.engine.model import Order, Side, State
from pbem.engine.pieces import SaidOf
from pbem.engine.tags import is_tag
from pbem.messages import Row, Said, say


def decks(position: Position) -> frozenset[str]:
    """Both decks are of counters."""
    return frozenset() if position.is_open else frozenset(DECKS.values())


def groups(position: Position) -> Mapping[str, tuple[int, ...]]:
    """The sizes of the stacks that were mixed."""
    return position.down.groups


def meant(position: Position, order: Order) -> Order:
    """The order with present names."""
    found: Order = position.down.meant(order, "unit")
    return found


def misfit(state: State[Position], slot: str, card: str) -> Said:
    """Why a card cannot be in a slot: by what its counter did, or by what was said of it; or why it
    cannot be shown yet.
    """
    position = state.position

    def is_true(fact: Statement) -> bool:
        if fact.about.startswith("points "):
            return position.board.classed(fact.tags) == fact.said
        return any(position.board.printed(piece).zone for piece in fact.tags)

    if is_tag(slot) and slot.split("/")[0] not in DECKS.values():
        return ""
    side = position.side_of(slot)
    if _is_arranging(state, side):
        return NOT_ARRANGED
    return position.down.misfit(slot, card, position.in_play, is_true, _told)


def _is_arranging(state: State[Any], side: Side) -> bool:
    return any(isinstance(stage, Arranging) and stage.side == side for stage in state.agenda)


def owes(state: State[Any], side: Side) -> Slots:
    """A counter that lies alone on an objective is shown to the enemy (1.4); under new secrets once
    it is said where it lies.
    """
    position: Position = state.position
    if _is_arranging(state, side):
        return ()
    return tuple(
        name
        for hex in position.board.objectives
        for name in position.at(hex)
        if is_tag(name)
        and len(position.at(hex)) == 1
        and position.side_of(name) == side
        and name not in position.mixed
    )


def listed(state: State[Position], side: Side, order: Order) -> tuple[Any, ...]:
    """The lines of the list of ambushes."""
    assert isinstance(order, Ambush)
    return items_of(order)


def said(position: Position, side: Side) -> tuple[SaidOf, ...]:
    """What a side has said of its counters: that they have a zone, and of what class they are."""

    def place(name: str) -> Said:
        in_reserve = name in position.waiting.get(side, ())
        return position.places.get(name) or (say("the reserve") if in_reserve else "")

    return position.down.said_of(DECKS[side], place, _told)


def _told(fact: Statement) -> Said:
    if fact.about.startswith("points "):
        return say("their points together are {points}", points=str(fact.said))
    return say("one of them has a zone of control")


def said_with(position: Position, order: Order) -> tuple[Said, ...]:
    """Where counters have a zone, as their player says at the end of their moves."""
    if not isinstance(order, Halt) or not order.zones:
        return ()
    return (say("a zone of control in {hexes}", hexes=Row(order.zones, ", ")),)

"""Counters face down in a game file (engine/pieces.py)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.engine.facedown import NOT_ARRANGED
from pbem.engine.hidden import Slots
from pbem.engine.model import Order, Side, State
from pbem.engine.pieces import SaidOf
from pbem.engine.tags import deck_of, is_tag
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import cover, papers
from pbem.games.nopasaran.rules.naming import place
from pbem.games.nopasaran.stages.cover import PuttingBack
from pbem.games.nopasaran.tables import DECKS
from pbem.late import Late
from pbem.messages import Said

if TYPE_CHECKING:
    from pbem.games.nopasaran import notes
else:  # it tells of the game, and to judge it does without
    notes = Late("pbem.games.nopasaran.notes")


def decks(position: Position) -> frozenset[str]:
    """Both decks are of counters."""
    return frozenset() if position.is_open else frozenset(DECKS.values())


def groups(position: Position) -> Mapping[str, tuple[int, ...]]:
    """The sizes of the groups that were mixed."""
    return position.down.groups


def meant(position: Position, order: Order) -> Order:
    """The order with present names."""
    return cover.meant(position, order)


def misfit(state: State[Position], slot: str, card: str) -> Said:
    """Why a counter cannot be the one that lay under a tag: by what it did, or by what was said of
    it; or why it cannot be shown yet.
    """
    position = state.position
    if not is_tag(slot) or deck_of(slot) not in DECKS.values():
        return ""
    side = position.side_of(slot)
    if any(isinstance(stage, PuttingBack) and stage.side == side for stage in state.agenda):
        return NOT_ARRANGED
    in_play = tuple(position.hexes)
    return position.down.misfit(slot, card, in_play, partial(cover.is_true, position),
                                lambda fact: notes.said_in_words(position, fact))  # fmt: skip


def owes(state: State[Any], side: Side) -> Slots:
    """What is shown is shown with an order, or the game waits for it."""
    return ()


def listed(state: State[Any], side: Side, order: Order) -> tuple[Any, ...]:
    """The lines of a list of assignments or missions."""
    return papers.lines_of(state.position, side, order)


def said(position: Position, side: Side) -> tuple[SaidOf, ...]:
    """What a side has said of its counters face down: with its moves, and when it was asked."""

    def where(unit: str) -> Said:
        hex = position.at(unit)
        return place(position, hex) if hex else ""

    return position.down.said_of(DECKS[side], where, partial(notes.said_in_words, position))


def said_with(position: Position, order: Order) -> tuple[Said, ...]:
    """What an order says of counters face down, in words."""
    return tuple(notes.said_with(position, order))

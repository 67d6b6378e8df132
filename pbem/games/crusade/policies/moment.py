"""The basis of every policy: the time in the turn, and what both players see."""

from __future__ import annotations

from pbem.games.crusade.position import ROUNDS, Position
from pbem.value import replace


def now(position: Position) -> tuple[int, int]:
    """The turn and the round; anything before a turn's first round belongs to the turn before."""
    begins = position.tables.sheet(position.scenario)["first_turn"]
    if position.round == 0 and position.turn > begins:
        return position.turn - 1, ROUNDS
    return position.turn, position.round


def as_both_see(position: Position) -> Position:
    """The table without the knowledge of any single view."""
    return replace(position, secret={}) if position.secret else position

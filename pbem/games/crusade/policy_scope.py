"""How long a standing policy is in force, which stands openly in the game file."""

from __future__ import annotations

import re

from pbem.games.crusade.position import ROUNDS, Position

TURN_END = "turn_end"
"""The slot of what a side does between its last round of a turn and its first of the next."""

UNTIL = re.compile(r"turn (\d{1,2})(?: round (\d))?")


def is_in_force(position: Position, until: str) -> bool:
    """Whether the turn, or round of a turn, until which a policy speaks is not over yet."""
    named = UNTIL.fullmatch(until)
    if named is None:
        return False
    turn, number = now(position)
    last = int(named[2]) if named[2] else ROUNDS
    return (turn, number) <= (int(named[1]), last)


def now(position: Position) -> tuple[int, int]:
    """The turn and the round; what comes before a turn's first round belongs to the turn before."""
    begins = position.tables.sheet(position.scenario)["first_turn"]
    if position.round == 0 and position.turn > begins:
        return position.turn - 1, ROUNDS
    return position.turn, position.round

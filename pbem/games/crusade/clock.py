"""Turn, phase and round of a position."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbem.engine.clock import Clock
from pbem.engine.model import Side
from pbem.games.crusade.position import ROUNDS, Position
from pbem.games.crusade.rules.cards import hands_dealt
from pbem.games.crusade.tables import PEOPLE, Tables
from pbem.messages import Message, Said, say

SEGMENTS: Mapping[str, Message] = {
    "set_up": say("set-up"),
    "corps": say("the first corps"),
    "draw": say("Draw Strategy Cards Phase"),
    "action": say("Action Phase"),
    "attrition": say("Attrition Phase"),
    "war_status": say("War Status Phase"),
    "replacements": say("Replacements Phase"),
    "end_of_turn": say("End of Turn Phase"),
}


def clock(position: Position) -> Clock:
    """The moment of a position; its span is a side's round, or the part between two rounds."""
    turn, number = now(position)
    return Clock(
        turn=position.turn,
        span=f"{turn}/{position.active}/{number}{hands_dealt(position)}",
        owner=position.active,
        chapter=_turn(position.tables, position.turn, position.phase),
        heading=_heading(position),
        is_between=bool(position.segment),
    )


def now(position: Position) -> tuple[int, int]:
    """The turn and the round; anything before a turn's first round belongs to the turn before."""
    begins = position.tables.sheet(position.scenario)["first_turn"]
    if position.round == 0 and position.turn > begins:
        return position.turn - 1, ROUNDS
    return position.turn, position.round


def _heading(position: Position) -> Said:
    """The heading within the turn: "Nationalist round 3", "Redeployment"; empty between the
    parts.
    """
    if position.result is not None:
        return say("the end")
    if position.segment:
        return SEGMENTS[position.segment]
    return _round(position.active, position.round) if position.round else ""


@lru_cache(maxsize=64)
def _round(side: Side, number: int) -> Message:
    return say("{side} round {number}", side=say(PEOPLE[side]), number=number)


@lru_cache(maxsize=64)
def _turn(tables: Tables, turn: int, phase: str) -> Message:
    """The turn in words: "Turn 1, August 1936 (War of the Columns)"."""
    month = next(row["name"] for row in tables.tables["turns"] if row["turn"] == turn)
    named = next(row["name"] for row in tables.tables["phases"] if row["id"] == phase)
    return say("Turn {number}, {month} ({phase})", number=turn, month=say(month), phase=say(named))

"""How the game is told: the log, the story of a turn, and the table at a glance.

A status report needs no line of a log, so these are loaded when the first event is told.
"""

from __future__ import annotations

from pbem.engine.model import Event, Side
from pbem.engine.narration import Passage
from pbem.games.crusade.position import Position
from pbem.games.crusade.summary import own, summary
from pbem.messages import Message

__all__ = ["narrate", "own", "passage", "summary"]


def narrate(
    event: Event[Position], position: Position, viewer: Side | None = None
) -> Message | None:
    """What is told of an event: the same to everybody."""
    from pbem.games.crusade.narrative import narrate as told

    return told(event, position)


def passage(event: Event[Position], position: Position) -> Passage | None:
    """What an event is to the battles and arrivals of its turn."""
    from pbem.games.crusade.passages import passage as found

    return found(event, position)

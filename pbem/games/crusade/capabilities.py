"""The narration of the game; each part is loaded on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.model import Event, Side
from pbem.games.crusade.position import Position
from pbem.late import Late
from pbem.messages import Message

if TYPE_CHECKING:
    import pbem.games.crusade.passages as PASSAGES
    import pbem.games.crusade.summary as SUMMARY
    from pbem.engine.narration import Passage
else:
    PASSAGES = Late("pbem.games.crusade.passages")
    SUMMARY = Late("pbem.games.crusade.summary")


class CrusadeNarration:
    """The prose of the log and of the status (games/system.py)."""

    def narrate(
        self, event: Event[Position], position: Position, viewer: Side | None = None
    ) -> Message | None:
        from pbem.games.crusade.narrative import narrate

        return narrate(event, position)

    def passage(self, event: Event[Position], position: Position) -> Passage | None:
        found: Passage | None = PASSAGES.passage(event, position)
        return found

    def summary(self, position: Position) -> tuple[Message, ...]:
        return tuple(SUMMARY.summary(position))

    def own(self, position: Position, side: Side) -> tuple[Message, ...]:
        return tuple(SUMMARY.own(position, side))


NARRATION = CrusadeNarration()

"""What happened, and what is on the table, in words."""

from __future__ import annotations

from typing import Any

from pbem.engine.model import Event, Side
from pbem.engine.narration import Passage
from pbem.games.ctv.position import Position
from pbem.messages import Message, Said


class InWords:
    """The capability: nothing is told yet."""

    def narrate(self, event: Event[Any], position: Position) -> Message | None:
        return None

    def passage(self, event: Event[Any], position: Position) -> Passage | None:
        return None

    def summary(self, position: Position) -> tuple[Said, ...]:
        return ()

    def own(self, position: Position, side: Side) -> tuple[Said, ...]:
        return ()


NARRATION = InWords()

"""What a player can note of counters face down: when and where each unit was seen last, and what
lies there now, as far as both players know.

Nothing of it is kept with a position: it follows from the story of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pbem.engine.model import Event, Side
from pbem.messages import Message, Said


class Sightings(Protocol):
    """The capability of a game in which counters that were seen lie face down again."""

    def lost(self, event: Event[Any], before: Any) -> Mapping[str, Message]:
        """The units that lie face down from an event on, each with when and where it was seen last;
        `before` is the position before the event.
        """
        return {}

    def known(self, position: Any, side: Side, last: Mapping[str, Message]) -> tuple[Said, ...]:
        """What the enemy of a side knows of its counters face down, in lines; none where none lie
        so. `last` has what `lost` told of each unit last.
        """
        return ()


class NoSightings(Sightings):
    """The null form: what was seen once stays in view, or nobody keeps notes of it."""


NO_SIGHTINGS = NoSightings()

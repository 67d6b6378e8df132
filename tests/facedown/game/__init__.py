"""Fog on the Ridge: a small hex game with counters face down, made to show that the house holds
one.
"""

from collections.abc import Mapping
from typing import Any

from pbem.games.system import GameSystem


def open_system(tables: Mapping[str, Any]) -> GameSystem:
    """The game system over its data."""
    from pbem.games.fog.system import FogOnTheRidge

    return FogOnTheRidge(tables)


__all__ = ["open_system"]

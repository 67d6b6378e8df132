"""Storm over Madrid 1936: areas, impulses in turn, event chits."""

from collections.abc import Mapping
from typing import Any

from pbem.games.system import GameSystem


def open_system(tables: Mapping[str, Any]) -> GameSystem:
    """Returns the game system over its data."""
    from pbem.games.madrid.system import StormOverMadrid

    return StormOverMadrid(tables)


__all__ = ["open_system"]

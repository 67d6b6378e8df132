"""Two Hills: hexes, areas and chits, made to show that the house holds a second game."""

from collections.abc import Mapping
from typing import Any

from pbem.games.system import GameSystem


def open_system(tables: Mapping[str, Any]) -> GameSystem:
    """The game system over its data."""
    from pbem.games.toy.system import TwoHills

    return TwoHills(tables)


__all__ = ["open_system"]

"""Corpo Truppe Volontarie: Santander 1937: hexes, zones of control, supply, bombardment."""

from collections.abc import Mapping
from typing import Any

from pbem.games.system import GameSystem


def open_system(tables: Mapping[str, Any]) -> GameSystem:
    """Returns the game system over its data."""
    from pbem.games.ctv.system import Santander

    return Santander(tables)


__all__ = ["open_system"]

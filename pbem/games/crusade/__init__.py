"""Crusade and Revolution: card-driven, point to point, two hidden hands."""

from collections.abc import Mapping
from typing import Any

from pbem.games.system import GameSystem


def open_system(tables: Mapping[str, Any]) -> GameSystem:
    """Returns the game system over its data."""
    from pbem.games.crusade.system import Crusade

    return Crusade(tables)


__all__ = ["open_system"]

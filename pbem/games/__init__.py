"""The game systems, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pbem.games.system import GameSystem


def _opened_by(module: str) -> Callable[[Mapping[str, Any]], GameSystem]:
    """The `open_system` of a game package, imported only when that game is played."""

    def open_system(tables: Mapping[str, Any]) -> GameSystem:
        system: GameSystem = import_module(module).open_system(tables)
        return system

    return open_system


GAMES: Mapping[str, Callable[[Mapping[str, Any]], GameSystem]] = {
    "crusade": _opened_by("pbem.games.crusade"),
}

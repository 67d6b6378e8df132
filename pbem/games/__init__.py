"""The game systems, one line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from pbem.games.system import GameSystem
from pbem.value import value


@value
class GamePackage:
    """A game package, whose parts are loaded on demand."""

    package: str

    def open(self, tables: Mapping[str, Any], fixes: Iterable[int] | None = None) -> GameSystem:
        """The game over its data as plain values: `open_system` of the package.

        It is played by the fixes with these numbers (engine/fixes.py), None: by all there are.
        """
        system: GameSystem = import_module(self.package).open_system(tables)
        if system.fixes:
            every = (fix.number for fix in system.fixes)
            system.tables.fixes = frozenset(every if fixes is None else fixes)
        return system


GAMES: Mapping[str, GamePackage] = {
    "crusade": GamePackage("pbem.games.crusade"),
    "ctv": GamePackage("pbem.games.ctv"),
    "madrid": GamePackage("pbem.games.madrid"),
    "nopasaran": GamePackage("pbem.games.nopasaran"),
}
"""Crusade and Revolution: card-driven, point to point, two hidden hands.
Santander 1937 (Corpo Truppe Volontarie): hexes, zones of control, supply, bombardment.
Storm over Madrid 1936: areas, impulses in turn, event chits.
¡No Pasarán!: battalions on hexes, lines of command, a die for initiative before each activation.
"""

"""What Fog on the Ridge says of its data: its parts, and what must fit between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem


def checks(folder: Folder) -> Iterator[Problem]:
    """Names that exist, and hexsides between hexes that meet."""
    yield from folder.doubled("units.yaml", "units")
    kinds = folder.value("units")["kinds"]
    for at, unit in enumerate(folder.value("units")["units"]):
        message = f"no kind is called {unit['kind']}"
        path = ("units", at, "kind")
        yield from folder.unknown("units.yaml", path, unit["kind"], kinds, "unknown-kind", message)
    yield from _hexsides(folder)


def _hexsides(folder: Folder) -> Iterator[Problem]:
    from pbem.games.fog.position import GRID, hexes

    known = hexes(folder.value("map"))
    for name in ("hills", "objectives"):
        for at, hex in enumerate(folder.value("map")[name]):
            message = f"there is no hex {hex}"
            yield from folder.unknown("map.yaml", (name, at), hex, known, "unknown-hex", message)
    for kind, chains in folder.value("map")["hexsides"].items():
        for at, chain in enumerate(chains):
            path = ("hexsides", kind, at)
            for hex in chain:
                message = f"there is no hex {hex}"
                yield from folder.unknown("map.yaml", path, hex, known, "unknown-hex", message)
            for one, other in pairwise(chain):
                if one in known and other in known and GRID.distance(one, other) != 1:
                    message = f"{one} and {other} do not meet"
                    yield folder.problem("map.yaml", path, "no-hexside", message)


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """A scenario says nothing that could be wrong."""
    return iter(())


DATA = GameData(
    slug="fog",
    parts=("game", "map", "units", "tables"),
    checks=checks,
    scenario_checks=scenario_checks,
    accounts=Accounts(),
)

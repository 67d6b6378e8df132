"""What Two Hills says of its data: its parts, and what must fit between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem


def checks(folder: Folder) -> Iterator[Problem]:
    """Areas hold hexes that exist, each in one area; no unit is listed twice."""
    yield from folder.doubled("units.yaml", "units")
    yield from folder.doubled("chits.yaml", "chits")
    for area, hexes in folder.value("map")["areas"].items():
        for index, hex in enumerate(hexes):
            message = f"there is no hex {hex}"
            yield from folder.unknown(
                "map.yaml", ("areas", area, index), hex, _hexes(folder), "unknown-hex", message
            )


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Units that exist, each in a hex of its own."""
    units = [each["id"] for each in folder.value("units")["units"]]
    taken: set[str] = set()
    for unit, hex in plain["units"].items():
        path = ("units", unit)
        message = f"no unit is named {unit}"
        yield from folder.unknown(file, path, unit, units, "unknown-unit", message)
        message = f"there is no hex {hex}"
        yield from folder.unknown(file, path, hex, _hexes(folder), "unknown-hex", message)
        if hex in taken:
            yield folder.problem(file, path, "stacking", f"{hex} holds a unit already")
        taken.add(hex)


def _hexes(folder: Folder) -> tuple[str, ...]:
    from pbem.games.toy.position import hexes

    return hexes(folder.value("map"))


DATA = GameData(
    slug="toy",
    parts=("game", "map", "units", "chits"),
    checks=checks,
    scenario_checks=scenario_checks,
    accounts=Accounts(),
)

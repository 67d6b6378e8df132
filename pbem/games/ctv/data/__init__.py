"""The parts of Santander 1937's data, and how they must fit together.

The checks are loaded on demand: playing needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem

ACCOUNTS = Accounts(
    entry_by_entry=frozenset({"armour"}), called=(("id",), ("name",), ("turn",), ("up_to",))
)


def checks(folder: Folder) -> Iterator[Problem]:
    """Every mismatch between map, units and charts."""
    from pbem.games.ctv.data.cross import crossed
    from pbem.games.ctv.data.parts import printed

    return crossed(printed(folder))


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario."""
    from pbem.games.ctv.data.cross import scenario_problems
    from pbem.games.ctv.data.parts import printed

    return scenario_problems(printed(folder), file, plain)


def is_needed(listed: str, name: str) -> bool:
    """Whether the rules need an entry: Santander, and all outside the map and the counter mix."""
    return listed not in ("hexes", "roads", "rivers", "units") or name == "1211"


DATA = GameData(
    slug="ctv",
    parts=("game", "map", "units", "tables"),
    checks=checks,
    scenario_checks=scenario_checks,
    is_needed=is_needed,
    accounts=ACCOUNTS,
)

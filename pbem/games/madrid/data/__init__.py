"""The parts of Storm over Madrid's data, and how they must fit together.

The checks are loaded on demand: playing needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem

ACCOUNTS = Accounts(called=(("id",), ("a", "b"), ("turn",)))


def checks(folder: Folder) -> Iterator[Problem]:
    """Every mismatch between map, units, chits and tracks."""
    from pbem.games.madrid.data.cross import crossed, printed

    return crossed(printed(folder))


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario."""
    from pbem.games.madrid.data.cross import printed, scenario_problems

    return scenario_problems(printed(folder), file, plain)


def is_needed(listed: str, name: str) -> bool:
    """Whether the rules need an entry: Madrid, and all outside the map and the counter mix."""
    return listed not in ("areas", "boundaries", "units") or name == "AA"


DATA = GameData(
    slug="madrid",
    parts=("game", "map", "units", "chits", "tables"),
    checks=checks,
    scenario_checks=scenario_checks,
    is_needed=is_needed,
    accounts=ACCOUNTS,
)

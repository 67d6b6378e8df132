"""What Storm over Madrid says of its data: the parts, and what must fit between them.

The checks are loaded when somebody asks for them: a game is played without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem

ACCOUNTS = Accounts(called=(("id",), ("a", "b"), ("turn",)))


def checks(folder: Folder) -> Iterator[Problem]:
    """Every problem between map, units, chits and tracks."""
    from pbem.games.madrid.data.cross import crossed, printed

    return crossed(printed(folder))


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario."""
    from pbem.games.madrid.data.cross import printed, scenario_problems

    return scenario_problems(printed(folder), file, plain)


def is_needed(listed: str, name: str) -> bool:
    """Whether the rules cannot do without an entry: Madrid, and all that is no part of the map or
    of the counter mix."""
    return listed not in ("areas", "boundaries", "units") or name == "AA"


DATA = GameData(
    slug="madrid",
    parts=("game", "map", "units", "chits", "tables"),
    checks=checks,
    scenario_checks=scenario_checks,
    is_needed=is_needed,
    accounts=ACCOUNTS,
)

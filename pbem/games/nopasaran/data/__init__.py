"""The parts of ¡No Pasarán!'s data, and how they must fit together.

The checks are loaded on demand: playing needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem

ACCOUNTS = Accounts(called=(("id",), ("name",), ("rule",), ("turn",), ("up_to",), ("hex",)))


def checks(folder: Folder) -> Iterator[Problem]:
    """Every mismatch between maps, units and charts."""
    from pbem.games.nopasaran.data.cross import crossed
    from pbem.games.nopasaran.data.parts import printed

    return crossed(printed(folder))


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario."""
    from pbem.games.nopasaran.data.battles import scenario_problems
    from pbem.games.nopasaran.data.parts import printed

    return scenario_problems(printed(folder), file, plain)


def is_needed(listed: str, name: str) -> bool:
    """Whether the rules need an entry: all rows of the charts, and nothing of maps and armies."""
    return listed in ("kinds", "types", "levels", "states", "rules")


DATA = GameData(
    slug="nopasaran",
    parts=("game", "map", "units", "tables"),
    checks=checks,
    scenario_checks=scenario_checks,
    is_needed=is_needed,
    accounts=ACCOUNTS,
)

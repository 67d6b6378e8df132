"""Crusade's declaration of its data: the parts, their cross-checks, and their accounts.

The checks are loaded only when they are used: they know the rules, and a game is played without
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem

ACCOUNTS = Accounts(
    groups={
        "vp_rm": ("vp", "rm"),
        "limits": (
            "needs", "blocked_by", "only_phases", "not_before_turn", "rm_max", "control",
            "government", "source_joined_to",
        ),
    },
    entry_by_entry=frozenset({"connections"}),
    called=(("id",), ("a", "b"), ("turn",), ("space",), ("result",)),
)  # fmt: skip


def checks(folder: Folder) -> Iterator[Problem]:
    """Every problem between map, units, cards and charts."""
    from pbem.games.crusade.data.cross import crossed
    from pbem.games.crusade.data.parts import printed

    return crossed(printed(folder))


def scenario_checks(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario, together with the one it shares data with."""
    from pbem.games.crusade.data.parts import printed
    from pbem.games.crusade.data.setups import scenario_problems

    return scenario_problems(printed(folder), file, plain)


def is_needed(listed: str, name: str) -> bool:
    """Whether the rules cannot do without an entry."""
    from pbem.games.crusade.data.cross import is_needed

    return is_needed(listed, name)


DATA = GameData(
    slug="crusade",
    parts=("game", "map", "units", "cards", "tables"),
    checks=checks,
    scenario_checks=scenario_checks,
    is_needed=is_needed,
    accounts=ACCOUNTS,
)

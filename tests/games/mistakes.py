"""Mistakes in orders, and the exact text a player is shown; for the lists of them of every game.

The texts stand in tests/golden/GAME_errors.txt; PBEM_GOLDEN=write rewrites them. Read them aloud.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.model import Decision, Order, State
from pbem.games.system import GameSystem
from pbem.orders.fields import Names
from pbem.orders.parse import OrdersFile, parse
from pbem.play.prepare import prepare
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source, render_all

GOLDEN = Path(__file__).parents[1] / "golden"
Mistake = tuple[str, str]
"""What is wrong, in a few words, and the text shown for it."""


def shown(system: GameSystem, state: State[Any], order: str) -> str:
    """What `pbem check` prints of an orders file with this order."""
    source = Source("orders.yaml", f"orders:\n  - {order}\n")
    asked = Table(system, dict(zip("AB", system.sides, strict=True)), state)
    player = asked.player_of(asked.decision.side) if asked.decision else "A"

    def behind(before: OrdersFile) -> Decision | None:
        return None if before.orders else asked.decision

    def names(kind: type[Order]) -> Names:
        return asked.names_of(player, kind)

    with pytest.raises(Refused) as refused:
        prepare(parse(source, system.verbs, asked=behind, names=names), asked, player)
    return render_all(refused.value.problems)


def check_texts(slug: str, mistakes: Iterable[Mistake]) -> None:
    """Compares the texts with the golden file of a game, or writes it if that is asked for."""
    golden = GOLDEN / f"{slug}_errors.txt"
    found = "\n".join(f"## {name}\n\n{text}\n" for name, text in mistakes)
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")

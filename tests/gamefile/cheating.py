"""What a player with a changed program does to the steps of an honest entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.prospect import prospect
from pbem.gamefile.secrets import Secrets
from tests.gamefile.players import KEYS, tried

Step = dict[str, Any]
Steps = list[Step]


def changed(steps: Steps, kind: str, change: Callable[[Step], Step]) -> Steps:
    """The steps with the first of a kind changed."""
    at = next(at for at, step in enumerate(steps) if step["do"] == kind)
    return [*steps[:at], change(steps[at]), *steps[at + 1 :]]


def without(steps: Steps, *kinds: str) -> Steps:
    return [step for step in steps if step["do"] not in kinds]


def given(*orders: dict[str, Any]) -> Step:
    """A list of orders, signed as it is."""
    return {"do": "orders", "list": list(orders)}


def head(fold: Fold, player: str) -> Steps:
    """What the player owes first of all, as their program pays it."""
    draft = prospect(fold, KEYS[player]).draft
    assert draft is not None
    return [dict(step) for step in draft.steps]


def secrets(fold: Fold, player: str) -> Secrets:
    return Secrets.in_game(fold.machine, KEYS[player], player)


def opening(fold: Fold, player: str, slot: str) -> Step:
    """The step that shows what is in a slot."""
    return secrets(fold, player).open(fold.machine.hidden.decks, slot)


def audit(fold: Fold, player: str) -> Step:
    """The step that shows all that a player has kept secret."""
    return {"do": "audit", "gsec": secrets(fold, player).game.hex()}


def refused(fold: Fold, player: str, steps: Steps) -> FileRefused:
    """Why the steps are refused."""
    with pytest.raises(FileRefused) as caught:
        tried(fold, player, steps)
    return caught.value

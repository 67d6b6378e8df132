"""The sample game of twelve entries that the vectors and the mutations are made from."""

from __future__ import annotations

from functools import lru_cache

from pbem.gamefile.fold import Fold
from tests.gamefile.players import policy, proposed, write


@lru_cache(maxsize=1)
def mini_game() -> Fold:
    """Twelve entries: the beginning, two fights, a free choice between, a void beacon, a draw."""
    fold = proposed()
    fold = write(fold, "B")
    fold = write(fold, "A", say=("Good luck.",))
    fold = write(fold, "B")
    fold = write(
        fold, "A", {"attack": {"force": 4}}, {"advance": {"go": True}}, {"attack": {"force": 3}}
    )
    fold = write(fold, "B", {"card": {"use": None}}, say=("No card for the caf\u00e9.",))
    fold = write(fold, "A")
    defence = policy("defence", {"ask_from_force": 9}, None, card=None, stand="hold")
    fold = write(fold, "B", {"stand": {"how": "fall_back"}}, policies=(defence,))
    fold = write(fold, "A", void=True)
    fold = write(fold, "B")
    fold = write(fold, "A", {"draw": {}}, {"attack": {"force": 12}}, {"pass": {}})
    return write(fold, "B", say=("So be it.",))

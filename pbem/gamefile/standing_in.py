"""The entries with which a player names a deputy, or brings in what a director has ruled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile import deputies
from pbem.gamefile.draft import Draft
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.generations import origin
from pbem.gamefile.keys import KeyPair


def with_deputy(
    fold: Fold, key: KeyPair, deputy: bytes | None, *, tool: str, time: str | None = None,
    ends: bool = False, hands_over: bool = True,
) -> Fold:  # fmt: skip
    """The fold after an entry in which the owner of `key` names a deputy, or withdraws theirs.

    `deputy` is a public key; the secrets of the game are put in a box for its owner if the player
    `hands_over` them. Raises FileRefused as the fold does, and E-KEY where the key does not give
    the secrets.
    """
    player = fold.player_of(key.public)
    draft = Draft(fold.machine, player, key)
    step: dict[str, Any] = {"do": "deputy", "pub": None if deputy is None else deputy.hex()}
    if deputy is not None:
        draft.again().add(step)  # judged before anything is sealed for a key that will not do
        if ends:
            step["ends"] = True
        if hands_over:
            _, context = origin(fold.machine, player)
            place = deputies.place_of(player, context, draft.machine.entry.seq)
            step["secrets"] = deputies.boxed(key, deputy, place, draft.secrets.game)
    draft.add(step)
    return after(fold, draft.sign(tool, time))


def with_ruling(
    fold: Fold, key: KeyPair, step: Mapping[str, Any], *, tool: str, time: str | None = None
) -> Fold:
    """The fold after an entry in which a player brings a ruling of the director.

    `step` is a `ruling`, or a `rotate` that the director has signed. Raises FileRefused as the
    fold does.
    """
    draft = Draft(fold.machine, fold.player_of(key.public), key)
    draft.add(dict(step))
    return after(fold, draft.sign(tool, time))

"""--pass-over: writing where notes of the other player lie, as if they had never been laid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile import notes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.referee import PLAYERS
from pbem.gamefile.witness import said_beside

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play.game import Game

_WANTED = [False]


def wanted(yes: bool = False) -> None:
    """From now on the command passes over what lies beside the turn, or does not."""
    _WANTED[0] = yes


def is_wanted() -> bool:
    """Whether --pass-over was said."""
    return _WANTED[0]


def passed_over(game: Game, key: KeyPair) -> tuple[Game, tuple[str, ...]]:
    """The game without the notes at its end, and what to say of them; as it is unless --pass-over.

    Raises FileRefused: E-TURN where the owner of the key has not the pen, E-KEY for a key that has
    no seat there.
    """
    if not is_wanted():
        return game, ()
    from pbem.gamefile.fold import replay
    from pbem.play.game import table_for, with_fold

    fold = game.fold
    lying = [fold.entries[seq] for seq in notes.trailing(fold.machine)]
    before = fold
    if lying:
        before = replay(fold.entries[: lying[0].seq], table_for)
    player = before.player_of(key.public)
    if before.machine.holder != player:
        (them,) = (each for each in PLAYERS if each != player)
        raise FileRefused(
            "E-TURN",
            f"the {game.side_of(them)} player has the pen, so you cannot pass over what lies "
            "beside the turn",
            rule="T1", hint="what you laid there yourself counts once they have written on it",
        )  # fmt: skip
    said = tuple(
        f"passed over, and void: entry {each.seq} of the {game.side_of(each.by)} player "
        f"({'; '.join(said_beside(each))})"
        for each in lying
    )
    return with_fold(before) if lying else game, said

"""--pass-over: writing as if notes of the other player had never been made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile import notes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.witness import said_beside

if TYPE_CHECKING:
    from pbem.cli.request import Request
    from pbem.gamefile.keys import KeyPair
    from pbem.play.game import Game


def passed_over(game: Game, key: KeyPair, request: Request) -> tuple[Game, tuple[str, ...]]:
    """The game without the notes at its end, and a remark; unchanged unless --pass-over.

    Raises FileRefused: E-TURN if the owner of the key does not have the pen, E-KEY for a key
    without a seat.
    """
    if not request.pass_over:
        return game, ()
    from pbem.gamefile.fold import replay

    fold = game.fold
    lying = [fold.entries[seq] for seq in notes.trailing(fold.machine)]
    before = fold
    if lying:
        before = replay(fold.entries[: lying[0].seq], game.opening)
    player = before.player_of(key.public)
    if before.machine.holder != player:
        (them,) = (each for each in PLAYERS if each != player)
        raise FileRefused(
            "E-TURN",
            f"{game.called(them)} must write next, so you cannot pass over "
            "what was written out of turn",
            rule="T1", hint="what you wrote out of turn yourself counts once they have followed it",
        )  # fmt: skip
    said = tuple(
        f"passed over, and void: entry {each.seq} of {game.called(each.by)} "
        f"({'; '.join(said_beside(each))})"
        for each in lying
    )
    return game.after(before) if lying else game, said

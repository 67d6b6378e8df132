"""--pass-over: writing as if notes of the other player had never been made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile import notes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.witness import said_beside
from pbem.messages import Row, Said, say

if TYPE_CHECKING:
    from pbem.cli.request import Request
    from pbem.gamefile.keys import KeyPair
    from pbem.play.game import Game


def passed_over(game: Game, key: KeyPair, request: Request) -> tuple[Game, tuple[Said, ...]]:
    """The game without the notes at its end, and a remark; unchanged unless --pass-over.

    Raises FileRefused: E-TURN if the owner of the key does not have the pen, E-KEY for a key
    without a seat.
    """
    if not request.pass_over:
        return game, ()

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
            say(
                "{them} must write next, so you cannot pass over what was written out of turn",
                them=game.called(them),
            ),
            rule="T1",
            hint=say("what you wrote out of turn yourself counts once they have followed it"),
        )
    said = tuple(
        (say(
            "passed over, and void: entry {entry} of {player} ({held})",
            entry=each.seq, player=game.called(each.by), held=Row(tuple(said_beside(each)), "; "),
        ))
        for each in lying
    )  # fmt: skip
    return game.after(before) if lying else game, said

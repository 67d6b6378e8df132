"""The shared beginning of commands that add an entry with a key; reply.py has the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.cli import meant, report
from pbem.cli.game_file import load_game
from pbem.cli.keyfiles import load_key
from pbem.cli.passing import passed_over
from pbem.cli.reply import put, tell, what_now
from pbem.cli.report import about
from pbem.cli.request import Misused, Request
from pbem.cli.seats import player_with
from pbem.cli.signing import one_at_a_time, signed
from pbem.messages import Said, say
from pbem.play.game import Game

if TYPE_CHECKING:
    from pbem.cli.files import StrPath
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame


def game_for_two(request: Request) -> Game:
    """The verified game of a file. Raises a usage error for a solo game."""
    game = load_game(request.game_file, request)
    if game.fold.is_solo:
        raise Misused(
            say("a solo game has nobody to agree with: continue from an earlier file instead")
        )
    return game


def entry_by_key(
    request: Request, write: Callable[[Game, KeyPair, str], AnsweredGame], *, what: Said,
    asks: bool = True,
) -> None:  # fmt: skip
    """Adds the entry that `write` makes from the game, the key and its owner's seat, and sends it.

    `what` is what is sent, with its article. If it `asks`, a player who takes over from their
    deputy is warned; `write` may ask more, and raise Declined. Raises a usage error without a key,
    and Refused.
    """
    if request.key_file is None:
        raise Misused(
            say("{what} needs your key: --key FILE; pbem init keeps it for a folder", what=what)
        )
    game = game_for_two(request)
    key = load_key(request.key_file, request)
    with about(request.game_file):
        game, passed = passed_over(game, key, request)
    with about(request.key_file):
        player = player_with(game, key, request, passes_over=True)
    assert player is not None
    told = meant.taking_over(game, key, player) if asks else ""

    def written() -> AnsweredGame:
        return meant.before_the_deputy(told, write(game, key, player), request)

    if (done := signed_beside(game, player, written, request)) is None:
        return
    made, path = done
    tell(game, made.game, player, path, request, notes=(*passed, *made.notes),
         what_now=what_now(made.game, player, request))  # fmt: skip


def signed_beside(
    game: Game, player: str, make: Callable[[], AnsweredGame], request: Request
) -> tuple[AnsweredGame, StrPath] | None:
    """The entry that `make` signs, in turn or beside it, and the file that has it; None where the
    player was asked and does not mean it, which is told.
    """
    try:
        with one_at_a_time(game, request):
            made = signed(game, player, make, request, beside=True)
            return made, put(made.game, player, request)
    except meant.Declined as declined:
        report.tell(declined.told)
        return None

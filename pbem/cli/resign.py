"""pbem resign: resigns the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import meant
from pbem.cli.options import takes
from pbem.cli.request import SIGNING, Misused, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.messages import say
from pbem.play.game import Game
from pbem.play.titles import title

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame


@click.command("resign")
@takes("game_file", *SIGNING)
@click.option("--yes", is_flag=True, help="Resign without asking; a script needs it.")
def command(request: Request, yes: bool) -> None:
    """Resign: the game ends, and your opponent has won. You are asked first.

    Where nobody can be asked (in a script, in a pipe, with --json), nothing is signed without
    --yes.

    You may resign at any time, even while you owe something. In your own turn this ends the game
    for good. Beside the turn it counts once your opponent has written on it; until then they may
    pass it over and play on. So you show nothing hidden before that, and can resign again.

    Example: pbem resign game.pbem.json --key ana.key
    """
    from pbem.play.answer import agreed

    def resigned(game: Game, key: KeyPair, _: str) -> AnsweredGame:
        made = agreed(game, key, None, resign=True, time=time_to_write(game))
        if not yes:
            _ask(game, request)
        return made

    entry_by_key(request, resigned, what=say("a resignation"), asks=not yes)


def _ask(game: Game, request: Request) -> None:
    """Raises Declined unless the player at the terminal means it: nobody resigns by a slip.

    Raises Misused where nobody can be asked.
    """
    if not meant.can_ask(request):
        raise Misused(
            say("nothing was signed: nobody can be asked here, and a resignation cannot be taken "
                "back; with --yes it is signed")
        )  # fmt: skip
    meant.check(
        say("Resign {title}? It cannot be taken back", title=title(game)),
        say("nothing was signed: you play on"),
    )

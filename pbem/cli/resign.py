"""pbem resign: resigns the game."""

from __future__ import annotations

import click

from pbem.cli.options import takes
from pbem.cli.request import SIGNING, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.messages import say


@click.command("resign")
@takes("game_file", *SIGNING)
def command(request: Request) -> None:
    """Resign: the game ends, and your opponent has won.

    You may resign at any time, even while you owe something. In your own turn this ends the game
    for good. Beside the turn it counts once your opponent has written on it; until then they may
    pass it over and play on. So you show nothing hidden before that, and can resign again.

    Example: pbem resign game.pbem.json --key ana.key
    """
    from pbem.play.answer import agreed

    entry_by_key(
        request,
        lambda game, key, _: agreed(game, key, None, resign=True, time=time_to_write()),
        what=say("a resignation"),
    )

"""pbem claim: puts on record what the opponent owes."""

from __future__ import annotations

import click

from pbem.cli.options import takes
from pbem.cli.request import SIGNING, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.messages import say


@click.command("claim")
@takes("game_file", *SIGNING)
def command(request: Request) -> None:
    """Record that your opponent owes something and has not sent it.

    The claim is signed and lists what they owe according to the file. It decides nothing, because
    no clock can be trusted; the organizer of the match may use it. It ends when they send what they
    owe. It is written beside the turn: an entry that crosses it in the mail passes it over, and
    you can claim again.

    Example: pbem claim game.pbem.json --key ana.key
    """
    from pbem.play.answer import agreed

    entry_by_key(
        request,
        lambda game, key, _: agreed(game, key, None, claim=True, time=time_to_write()),
        what=say("a claim"),
    )

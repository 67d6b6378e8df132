"""pbem claim: puts on record what the opponent owes."""

from __future__ import annotations

import click

from pbem.cli.options import takes
from pbem.cli.request import SIGNING, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.messages import say


@click.command("claim")
@takes(
    "game_file",
    click.option("--silence", is_flag=True,
                 help="Claim by the terms for silence: the days agreed on are over."),
    *SIGNING,
)  # fmt: skip
def command(request: Request, silence: bool) -> None:
    """Record that your opponent owes something and has not sent it.

    The claim is signed and lists what they owe according to the file. It decides nothing, because
    no clock can be trusted; the organizer of the match may use it. It ends when they send what they
    owe. It is written beside the turn: an entry that crosses it in the mail passes it over, and
    you can claim again.

    With terms for silence (pbem new --silence; pbem status counts the days), --silence claims what
    they say. If that is the result, the game is over unless your opponent answers after all, which
    undoes the claim: they accept it with pbem audit. Only a director (pbem ruling) can make it
    final without them.

    Example: pbem claim game.pbem.json --key ana.key

    Example: pbem claim --silence
    """
    from pbem.play.answer import agreed

    entry_by_key(
        request,
        lambda game, key, _: agreed(
            game, key, None, claim=True, silence=silence, time=time_to_write(game)
        ),
        what=say("a claim"),
    )

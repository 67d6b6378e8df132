"""pbem answer: yes or no to what the opponent offers."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.options import GAME, signing_options
from pbem.cli.sending import entry_by_key
from pbem.cli.shared import read_source


@click.command("answer")
@click.argument("game_file", metavar="GAME", type=GAME)
@click.argument("reply", metavar="yes|no", type=click.Choice(["yes", "no"]))
@click.argument("orders_file", metavar="[ORDERS]", type=GAME, required=False)
@signing_options
def command(
    game_file: Path, reply: str, orders_file: Path | None, key_file: Path | None,
    output: Path | None, last: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Answer the open offer of your opponent (pbem status shows it), in your own turn.

    What you owe without a choice is sent in front of it. When it is your turn a no goes with your
    ORDERS; orders alone let the offer lapse. A yes to a take-back brings the game back at once; a
    yes to new secrets goes on with those of your present key (--secrets OLD still pays what you
    owe, if you have the old key; else it is burnt).

    Example: pbem answer game.pbem.json yes --key beto.key
    """
    from pbem.play.answer import agreed

    orders = read_source(orders_file) if orders_file else None
    entry_by_key(
        game_file, key_file, output, last, as_json,
        lambda game, key, _: agreed(game, key, orders, reply=reply == "yes"), what="an answer",
    )  # fmt: skip

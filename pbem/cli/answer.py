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
    """Answer your opponent's offer (pbem status shows it) in your own turn.

    Whatever you owe and cannot choose is sent first. When orders are due, a no goes with your
    ORDERS; orders alone let the offer lapse. A yes to a take-back takes the game back at once. A
    yes to new secrets continues with those of your present key; with --secrets OLD, if you still
    have the old key, what you owe is paid with it, and otherwise discarded.

    Example: pbem answer game.pbem.json yes --key beto.key
    """
    from pbem.play.answer import agreed

    orders = read_source(orders_file) if orders_file else None
    entry_by_key(
        game_file, key_file, output, last, as_json,
        lambda game, key, _: agreed(game, key, orders, reply=reply == "yes"), what="an answer",
    )  # fmt: skip

"""pbem apply: the main job."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.options import GAME, opponent_option, signing_options, spare_option


@click.command("apply")
@click.argument("game_file", metavar="GAME", type=GAME)
@click.argument("orders_file", metavar="[ORDERS]", type=GAME, required=False)
@signing_options
@opponent_option
@spare_option
def command(
    game_file: Path, orders_file: Path | None, key_file: Path | None, output: Path | None,
    last: Path | None, opponent: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Answer what you owe, carry out your orders, write the next game file.

    Without ORDERS it does only what needs no choice: accept or begin a game, roll the dice. What
    you send is final. A solo game needs no key.

    Example: pbem apply game.pbem.json orders.yaml --key ana.key -o reply.pbem.json
    """
    from pbem.cli.reply import KeyMissing, reply

    try:
        reply(game_file, orders_file, key_file, output, last, opponent, as_json)
    except KeyMissing as missing:
        raise click.UsageError(str(missing)) from None

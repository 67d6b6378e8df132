"""pbem form: an orders file to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import files, report
from pbem.cli.options import GAME, data_option, key_option
from pbem.cli.shared import about, load_game, load_key, player_with, read_orders, warn_seen


@click.command("form")
@click.argument("game_file", metavar="GAME", type=GAME)
@data_option
@key_option
@click.option(
    "--after", type=GAME, help="Orders you have ready: ask on behind them, and put them on top."
)
@click.option("-o", "--output", type=GAME, help="The orders file to write; else it is printed.")
def command(
    game_file: Path, key_file: Path | None, after: Path | None, output: Path | None
) -> None:
    """Write the YAML form of the decision now due, with the legal values in comments.

    Example: pbem form game.pbem.json --key ana.key -o orders.yaml
    """
    from pbem.play.forms import form_after, present_form

    game = load_game(game_file)
    key = load_key(key_file) if key_file else None
    with about(key_file or game_file):
        player = player_with(game, key)
    with about(game_file):
        warn_seen(game, player, None, game_file, as_json=False)
        if after is None:
            text = present_form(game, key)
        else:
            text = form_after(game, key, read_orders(after, game))
    if output is None:
        click.echo(text, nl=False)
    else:
        files.write_new(output, text.encode())
        report.say(f"written: {output}")

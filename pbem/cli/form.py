"""pbem form: an orders file to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import files, report
from pbem.cli.shared import GAME, data_option, key_option, load_game, load_key, player_with


@click.command("form")
@click.argument("game_file", metavar="GAME", type=GAME)
@data_option
@key_option
@click.option("-o", "--output", type=GAME, help="The orders file to write; else it is printed.")
def command(game_file: Path, key_file: Path | None, output: Path | None) -> None:
    """Write the YAML form of the decision now due, with the legal values in comments.

    Example: pbem form game.pbem.json --key ana.key -o orders.yaml
    """
    from pbem.play.forms import present_form

    game = load_game(game_file)
    key = load_key(key_file) if key_file else None
    player_with(game, key)
    text = present_form(game, key)
    if output is None:
        click.echo(text, nl=False)
    else:
        files.write_new(output, text.encode())
        report.say(f"written: {output}")

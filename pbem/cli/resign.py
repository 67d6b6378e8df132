"""pbem resign: the game is given up."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.options import entry_options
from pbem.cli.sending import entry_by_key


@click.command("resign")
@entry_options
def command(
    game_file: Path, key_file: Path | None, output: Path | None, last: Path | None, as_json: bool
) -> None:
    """Resign: the game ends at once, and your opponent has won.

    It may be done in turn and beside it, also while you owe something. Nothing is sent by us: the
    game ends for your opponent when he has the file.

    Example: pbem resign game.pbem.json --key ana.key
    """
    from pbem.play.answer import agreed

    entry_by_key(
        game_file, key_file, output, last, as_json,
        lambda game, key, _: agreed(game, key, None, resign=True), what="a resignation",
    )  # fmt: skip

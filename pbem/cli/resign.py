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
    """Resign: the game ends, and your opponent has won.

    You may resign at any time, even while you owe something. In your own turn this ends the game
    for good. Beside the turn it counts once your opponent has written on it; until then they may
    pass it over and play on. So you show nothing hidden before that, and can resign again.

    Example: pbem resign game.pbem.json --key ana.key
    """
    from pbem.play.answer import agreed

    entry_by_key(
        game_file, key_file, output, last, as_json,
        lambda game, key, _: agreed(game, key, None, resign=True), what="a resignation",
    )  # fmt: skip

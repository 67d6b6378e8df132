"""pbem log: the story so far."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.options import GAME, data_option
from pbem.cli.shared import check_there, load_game


@click.command("log")
@click.argument("game_file", metavar="GAME", type=GAME)
@data_option
@click.option("--from", "first", type=click.IntRange(0), default=0, help="First entry to tell.")
@click.option("--to", "last", type=click.IntRange(0), default=None, help="Last entry to tell.")
@click.option(
    "--format", "style", default="text", show_default=True,
    type=click.Choice(["text", "markdown", "html", "bbcode", "json"]), help="How it is written.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(game_file: Path, first: int, last: int | None, style: str, as_json: bool) -> None:
    """Tell what happened, entry by entry, with every order, die and result.

    Example: pbem log game.pbem.json --from 4
    """
    from pbem.play.story import story
    from pbem.play.terms import terms
    from pbem.render.formats import rendered
    from pbem.value import replace

    if last is not None and first > last:
        raise click.UsageError(f"--from {first} comes behind --to {last}")
    game = load_game(game_file, whole=True)
    check_there(game, first)
    told = story(game, first, last)
    told = replace(told, notes=(*told.notes, *terms(game)))
    click.echo(rendered(told, "json" if as_json else style), nl=False)

"""pbem log: the story so far."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli.languages import takes_language
from pbem.cli.options import takes
from pbem.cli.request import Request
from pbem.cli.shared import check_there, load_game


@click.command("log")
@takes(
    "game_file", "data",
    click.option("--from", "first", type=click.IntRange(0), default=0,
                 help="The first entry to include."),
    click.option("--to", "last", type=click.IntRange(0), default=None,
                 help="The last entry to include."),
    click.option("--turn", type=click.IntRange(0), help="Only this turn."),
    click.option("--brief", is_flag=True, help="Leave out orders and dice."),
    click.option("--format", "style", default="text", show_default=True, help="The output format.",
                 type=click.Choice(["text", "markdown", "html", "bbcode", "journal", "json"])),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    takes_language,
)  # fmt: skip
def command(
    request: Request, first: int, last: int | None, turn: int | None, brief: bool, style: str,
    as_json: bool, lang: Any,
) -> None:  # fmt: skip
    """Tell the story of the game, entry by entry, with every order, die and result.

    Example: pbem log game.pbem.json --from 4
    """
    from pbem.play.story import only_turn, story
    from pbem.play.terms import terms
    from pbem.render.formats import rendered
    from pbem.value import replace

    if last is not None and first > last:
        raise click.UsageError(f"--from {first} is after --to {last}")
    is_whole = turn is not None
    game = load_game(request.game_file, request, whole=is_whole, told="" if is_whole else "log")
    check_there(game, first)
    told = story(game, first, last)
    if turn is not None:
        found = only_turn(told, game, turn)
        if found is None:
            where = "the file has" if first == 0 and last is None else "these entries have"
            raise click.UsageError(f"{where} nothing from turn {turn}")
        told = found
    told = told.in_brief() if brief else told
    told = replace(told, notes=(*told.notes, *terms(game)))
    if style == "html" and not as_json:
        from pbem.cli.pages import log_as_page

        click.echo(log_as_page(told, lang), nl=False)
    else:
        click.echo(rendered(told, "json" if as_json else style, lang), nl=False)

"""pbem log: the story so far."""

from __future__ import annotations

from pbem.cli import report
from pbem.cli.languages import language_here
from pbem.cli.request import CHOICE, FLAG, NUMBER, Misused, OptionRow, Request, declared
from pbem.cli.shared import check_there, load_game
from pbem.play.story import only_turn, story, turns_in
from pbem.play.terms import terms
from pbem.render.formats import rendered
from pbem.value import replace
from pbem.words import listing

STYLES = ("text", "markdown", "html", "bbcode", "journal", "json")


@declared(
    "log", "game_file", "data",
    ("first", OptionRow(("--from",), NUMBER, "The first entry to include.", default=0)),
    ("last", OptionRow(("--to",), NUMBER, "The last entry to include.")),
    ("turn", OptionRow(("--turn",), NUMBER, "Only this turn.")),
    ("brief", OptionRow(("--brief",), FLAG, "Leave out orders and dice.")),
    ("style", OptionRow(("--format",), CHOICE, "The output format.", choices=STYLES,
                        default="text")),
    ("json", OptionRow(("--json",), FLAG, "The same as --format json.")),
)  # fmt: skip
def command(
    request: Request, first: int, last: int | None, turn: int | None, brief: bool, style: str,
    json: bool,
) -> None:  # fmt: skip
    """Tell the story of the game, entry by entry, with every order, die and result.

    Example: pbem log game.pbem.json --from 4
    """
    if last is not None and first > last:
        raise Misused(f"--from {first} is after --to {last}")
    is_whole = turn is not None
    game = load_game(request.game_file, request, whole=is_whole, told="" if is_whole else "log")
    check_there(game, first)
    told = story(game, first, last)
    if turn is not None:
        found = only_turn(told, game, turn)
        if found is None:
            where = "the file has" if first == 0 and last is None else "these entries have"
            known = listing(sorted(turns_in(told, game)), "or")
            hint = f": it may be turn {known}" if known else ""
            raise Misused(f"{where} nothing from turn {turn}{hint}")
        told = found
    told = told.in_brief() if brief else told
    told = replace(told, notes=(*told.notes, *terms(game)))
    language = language_here()
    if style == "html" and not json:
        from pbem.cli.pages import log_as_page

        report.text(log_as_page(told, language))
    else:
        report.text(rendered(told, "json" if json else style, language))

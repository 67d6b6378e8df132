"""pbem log: the story so far."""

from __future__ import annotations

from pbem.cli import report
from pbem.cli.game_file import check_there, load_game
from pbem.cli.languages import language_here
from pbem.cli.request import CHOICE, FLAG, KEY, NUMBER, Misused, OptionRow, Request, declared
from pbem.cli.shown import as_decided, asked_view
from pbem.messages import say
from pbem.play.story import only_turn, story, turns_in
from pbem.play.terms import in_short, terms
from pbem.play.titles import there_are
from pbem.problems import Problem, UnknownName
from pbem.render.formats import rendered
from pbem.value import replace

STYLES = ("text", "markdown", "html", "fragment", "bbcode", "journal", "json")


@declared(
    "log", "game_file", "data", *KEY,
    ("first", OptionRow(("--from",), NUMBER, "The first entry to include.", default=0)),
    ("last", OptionRow(("--to", "--entry"), NUMBER, "The last entry to include.")),
    ("turn", OptionRow(("--turn",), NUMBER, "Only this turn.")),
    ("brief", OptionRow(("--brief",), FLAG, "Only the story: no orders, dice, seals and keys.")),
    ("style", OptionRow(("--format",), CHOICE, "The output format.", choices=STYLES,
                        default="text")),
    ("json", OptionRow(("--json",), FLAG, "The same as --format json.")),
)  # fmt: skip
def command(
    request: Request, first: int, last: int | None, turn: int | None, brief: bool, style: str,
    json: bool,
) -> None:  # fmt: skip
    """Tell the story of the game, entry by entry, with every order, die and result.

    It is the story that both players may read. Where counters lie face down, a key that you name
    with --key tells it by the names of your own, and a line says so: that one is for you alone.

    If the dice of your next mail have fallen, your key tells them too, and a line says so: send
    that mail before you show them to anybody, or leave them out with --to.

    Example: pbem log game.pbem.json --from 4
    """
    if last is not None and first > last:
        raise Misused(say("--from {first} is after --to {last}", first=first, last=last))
    is_whole = turn is not None
    game = load_game(request.game_file, request, whole=is_whole, told="" if is_whole else "log")
    check_there(game, first)
    if last is not None:
        check_there(game, last)
    viewer = asked_view(game, request)
    if viewer.side is not None:  # only the public story is kept between commands
        game = load_game(request.game_file, request, whole=True)
    if last is None:
        game = as_decided(game, request)
    told = story(game, first, last, viewer, has_terms=not brief)
    if turn is not None:
        found = only_turn(told, game, turn)
        if found is None:
            is_all = first == 0 and last is None
            nothing = say(
                "the file has nothing from turn {turn}"
                if is_all
                else "these entries have nothing from turn {turn}",
                turn=turn,
            )
            turns = sorted(turns_in(told, game))
            raise UnknownName(Problem("unknown-turn", nothing, hint=there_are(turns)))
        told = found
    told = told.in_brief() if brief else told
    agreed = (in_short(game),) if brief else terms(game)
    told = replace(told, notes=(*told.notes, *agreed))
    language = language_here()
    if style == "html" and not json:
        from pbem.cli.pages import log_as_page

        report.page(log_as_page(told, language))
    elif json or style == "json":
        report.json_text(rendered(told, "json", language))
    else:
        report.text(rendered(told, style, language))

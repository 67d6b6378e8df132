"""pbem summary: a turn on one page."""

from __future__ import annotations

from pbem.cli import report
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_here
from pbem.cli.pages import log_as_page
from pbem.cli.report import about
from pbem.cli.request import CHOICE, KEY, NUMBER, TEXT, OptionRow, Request, declared
from pbem.cli.seats import own_key
from pbem.cli.shown import ENTRY, as_decided, asked_view, shown
from pbem.engine.model import Side
from pbem.messages import Language
from pbem.play.summary import KeptTurns, Summary, as_log, pictured, summary
from pbem.play.systems import known_side
from pbem.play.turns import is_known
from pbem.render.formats import rendered
from pbem.render.log_page import Map


@declared(
    "summary", "game_file", "data", *KEY, ENTRY,
    ("turn", OptionRow(("--turn",), NUMBER, "This turn; by default the last finished one.")),
    ("side", OptionRow(("--side",), TEXT,
                       "Add the hand of this side; needs the key of its player.")),
    ("style", OptionRow(("--format",), CHOICE, "The output format.", default="text",
                        choices=("text", "markdown", "html", "fragment", "bbcode", "journal"))),
    "as_json",
)  # fmt: skip
def command(
    request: Request, entry: int | None, turn: int | None, side: str | None, style: str
) -> None:
    """Sum up a turn on one page: ground, battles, losses, cards, tracks, and what comes next.

    Without --turn it is the last finished turn, or the present one if none is finished yet. It
    shows only what both players know, so you can post it in a forum: as bbcode, as markdown, or in
    HTML as a fragment. With --format html it is a page for a browser, with the map before and
    after. --side adds your own hand. Where counters lie face down, a key that you name with --key
    adds the names of your own, and a line says so.

    If the dice of your next mail have fallen, your key shows the turn with them, and a line says
    so: send that mail before you post it, or leave them out with --entry.

    Example: pbem summary game.pbem.json --turn 3 --format bbcode
    """
    is_usual = turn is None and side is None
    game = load_game(request.game_file, request, whole=not is_usual,
                     told="summary" if is_usual else "")  # fmt: skip
    if is_usual and not is_known(game, KeptTurns):
        game = load_game(request.game_file, request, whole=True)
    if side is not None:
        known_side(game.opened, side)
    elif (viewer := asked_view(game, request)).side is not None:
        side, game = viewer.side, load_game(request.game_file, request, whole=True)
    if side is None:
        key, game = None, as_decided(game, request, entry)
    else:
        key, _ = own_key(game, request)
        game = shown(game, key, entry)
    with about(request.game_file):
        found = summary(game, turn, None if side is None else Side(side), key)
    if request.as_json:
        report.as_json(found.plain())
    elif style == "html":
        report.page(_page(found, language_here()))
    else:
        report.text(rendered(as_log(found), style, language_here()))


def _page(found: Summary, lang: Language) -> str:
    """The summary as a page for a browser, with the map if the game has one."""
    maps = [
        Map(caption, each.board, each.sheet, each.scene, each.title, each.heading, each.before,
            each.strokes)
        for caption, each in (pictured(found) if found.board.spots else ())
    ]  # fmt: skip
    return log_as_page(as_log(found), lang, maps)

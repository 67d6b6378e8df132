"""pbem luck: the results of the dice against the expected ones."""

from __future__ import annotations

from pbem.cli import report
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_here
from pbem.cli.request import FLAG, KEY, Misused, OptionRow, Request, declared
from pbem.cli.shown import ENTRY, as_decided
from pbem.messages import say
from pbem.play.luck import KeptLuck, lines, luck, plain
from pbem.play.now import told_ahead
from pbem.play.titles import title
from pbem.play.turns import is_known


@declared(
    "luck", "game_file", "data", *KEY, ENTRY,
    ("clock", OptionRow(("--clock",), FLAG, "Show instead how long each player took.")),
    "as_json",
)  # fmt: skip
def command(request: Request, entry: int | None, clock: bool) -> None:
    """Show what the dice have brought, against what was to be expected.

    Every attack is listed with its exact odds (as pbem odds counts them when it is ordered) and its
    result: a card or an answer that comes later changes the result but not the odds. The last
    column is the chance of a result that is at least as good for the attacker. Below are all dice,
    by what they were rolled for.

    If the dice of your next mail have fallen, your key counts them too, and a line says so; --entry
    leaves them out.

    --clock shows how long each player took for their answers, as far as both have dated their
    entries (pbem init --dated). The times are the word of each author: nobody can check them.

    Example: pbem luck game.pbem.json
    """
    if clock and entry is not None:
        raise Misused(say("--clock is of the whole file: leave --entry out"))
    game = load_game(request.game_file, request, told="" if clock else "luck")
    if clock:
        from pbem.play import ledger

        dated = ledger.ledger(game)
        if request.as_json:
            report.as_json(ledger.plain(dated))
        else:
            report.tell(title(game), *ledger.lines(game, dated))
        return
    if not is_known(game, KeptLuck):
        game = load_game(request.game_file, request, whole=True)
    game = as_decided(game, request, entry)
    found = luck(game)
    if request.as_json:
        report.as_json({"ahead": game.fold.is_ahead, **plain(found)})
    else:
        report.tell(title(game), *told_ahead(game), *lines(game, found, language_here()))

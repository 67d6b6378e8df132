"""pbem luck: the results of the dice against the expected ones."""

from __future__ import annotations

from pbem.cli import report
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_here
from pbem.cli.request import FLAG, OptionRow, Request, declared
from pbem.play.luck import KeptLuck, lines, luck, plain
from pbem.play.titles import title
from pbem.play.turns import is_known


@declared(
    "luck", "game_file", "data",
    ("clock", OptionRow(("--clock",), FLAG, "Show instead how long each player took.")),
    "as_json",
)  # fmt: skip
def command(request: Request, clock: bool) -> None:
    """Show what the dice have brought, against what was to be expected.

    Every attack is listed with its exact odds (as pbem odds counts them when it is ordered) and its
    result: a card or an answer that comes later changes the result but not the odds. The last
    column is the chance of a result that is at least as good for the attacker. Below are all dice,
    by what they were rolled for.

    --clock shows how long each player took for their answers, as far as both have dated their
    entries (pbem init --dated). The times are the word of each author: nobody can check them.

    Example: pbem luck game.pbem.json
    """
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
    found = luck(game)
    if request.as_json:
        report.as_json(plain(found))
    else:
        report.tell(title(game), *lines(game, found, language_here()))

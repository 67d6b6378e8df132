"""pbem luck: the results of the dice against the expected ones."""

from __future__ import annotations

import click

from pbem.cli import report
from pbem.cli.options import takes
from pbem.cli.request import Request
from pbem.cli.shared import load_game
from pbem.play.luck import lines, luck, plain
from pbem.play.story import title


@click.command("luck")
@takes("game_file", "data", "as_json")
def command(request: Request) -> None:
    """Show what the dice have brought, against what was to be expected.

    Every attack is listed with its exact odds (as pbem odds counts them when it is ordered) and its
    result: a card or an answer that comes later changes the result but not the odds. The last
    column is the chance of a result that is at least as good for the attacker. Below are all dice,
    by what they were rolled for.

    Example: pbem luck game.pbem.json
    """
    game = load_game(request.game_file, request, whole=True)
    found = luck(game)
    if request.as_json:
        report.as_json(plain(found))
    else:
        report.say(str(title(game)), *lines(game, found))

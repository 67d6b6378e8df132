"""pbem solo: a practice game."""

from __future__ import annotations

import secrets

import click

from pbem.cli import choices, files, report
from pbem.cli.game_file import keep_data, name_here
from pbem.cli.languages import language_here
from pbem.cli.options import takes
from pbem.cli.request import Misused, Request
from pbem.cli.status import lines
from pbem.gamefile.compose import Proposal, propose_solo
from pbem.messages import say
from pbem.play.game import opening, tool, with_fold
from pbem.play.practice import against_side, replied
from pbem.play.systems import known_options, known_side, named_options


@click.command("solo")
@takes(
    *choices.OF_A_NEW_GAME,
    choices.RULES,
    click.option("--against", type=click.Choice(["bot"]),
                 help="Play against pbem: it answers for the other side, and says why."),
    click.option("--side", shell_complete=choices.completes(choices.sides, of="system"),
                 help="Your side, against the bot; by default the first one."),
    "data",
    click.option("--seed", default="", help="A text that fixes the dice; random by default."),
    "output", "as_json",
)  # fmt: skip
def command(
    request: Request,
    system: str | None,
    scenario: str | None,
    options: tuple[str, ...],
    against: str | None,
    side: str | None,
    seed: str,
) -> None:
    """Start a practice game of SCENARIO of SYSTEM, with both sides on this machine.

    Every report calls it a solo game, because its dice prove nothing. Against the bot you order one
    side; pbem plays the other with what that side may know, and tells its reasons in the log.

    Example: pbem solo madrid scenario_1 --against bot --side republican -o practice.pbem.json
    """
    game, scenario = choices.game_and_scenario(request, system, scenario)
    options = named_options(game, (*filter(None, [game.system.hidden.open_option]), *options))
    known_options(game, scenario, options)
    sides = game.system.sides
    if side is not None and against is None:
        raise Misused(say("--side needs --against bot: otherwise you play both sides"))
    if against is not None:
        known_side(game, side or sides[0])
        options = (*options, against_side(game, side or sides[0]))
    proposal = Proposal(
        ruleset=game.ruleset, data=game.digest, fixes=game.fixes, scenario=scenario,
        sides={"a": sides[0], "b": sides[1]},
        options=dict.fromkeys(options, True),
    )  # fmt: skip
    fold = propose_solo(
        proposal, seed or secrets.token_hex(16), opening(request.library), tool=tool()
    )
    begun = replied(with_fold(fold, library=request.library), language_here())
    path = request.output or name_here(begun)
    files.write_new(path, begun.bytes())
    keep_data(game, request)
    if request.as_json:
        report.as_json({"file": str(path), "scenario": scenario, "solo": True})
    else:
        report.tell(*lines(begun, None), say("written: {path}", path=str(path)))

"""pbem solo: a practice game."""

from __future__ import annotations

import secrets

import click

from pbem.cli import files, report
from pbem.cli.options import takes
from pbem.cli.request import Request
from pbem.cli.shared import file_name, keep_data


@click.command("solo")
@takes(
    click.argument("system"),
    click.argument("scenario"),
    click.option("--option", "options", multiple=True, help="A rules option (see pbem games)."),
    "data",
    click.option("--seed", default="", help="A text that fixes the dice; random by default."),
    "output", "as_json",
)  # fmt: skip
def command(
    request: Request, system: str, scenario: str, options: tuple[str, ...], seed: str
) -> None:
    """Start a practice game of SCENARIO of SYSTEM, with both sides on this machine.

    Every report calls it a solo game, because its dice prove nothing.

    Example: pbem solo crusade campaign -o practice.pbem.json
    """
    from pbem.cli.status import lines
    from pbem.gamefile.compose import Proposal, propose_solo
    from pbem.play.game import TOOL, opening, with_fold
    from pbem.play.systems import known_options, known_scenario

    game = request.library.to_begin(system)
    known_scenario(game, scenario)
    options = (*filter(None, [game.system.hidden.open_option]), *options)
    known_options(game, scenario, options)
    sides = game.system.sides
    proposal = Proposal(
        ruleset=game.ruleset, data=game.digest, scenario=scenario,
        sides={"a": sides[0], "b": sides[1]},
        options=dict.fromkeys(options, True),
    )  # fmt: skip
    fold = propose_solo(
        proposal, seed or secrets.token_hex(16), opening(request.library), tool=TOOL
    )
    begun = with_fold(fold, library=request.library)
    path = request.output or file_name(begun)
    files.write_new(path, begun.bytes())
    keep_data(game, request)
    if request.as_json:
        report.as_json({"file": str(path), "scenario": scenario, "solo": True})
    else:
        report.say(*lines(begun, None), f"written: {path}")

"""pbem solo: a practice game."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from pbem.cli import files, report
from pbem.cli.options import NEW_FILE, data_option, json_option
from pbem.cli.shared import file_name, keep_data


@click.command("solo")
@click.argument("system")
@click.argument("scenario")
@click.option("--option", "options", multiple=True, help="A rules option (see pbem games).")
@data_option
@click.option("--seed", default="", help="A text that fixes the dice; left out, it is drawn.")
@click.option("-o", "--output", type=NEW_FILE, help="The game file to write.")
@json_option
def command(
    system: str, scenario: str, options: tuple[str, ...], seed: str, output: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Begin a practice game of SCENARIO of SYSTEM, with both seats on this machine.

    Every report calls it a solo game, because its dice prove nothing.

    Example: pbem solo crusade campaign -o practice.pbem.json
    """
    from pbem.cli.status import lines
    from pbem.gamefile.compose import Proposal, propose_solo
    from pbem.play.game import TOOL, table_for, with_fold
    from pbem.play.systems import known_options, known_scenario, opened_to_begin

    game = opened_to_begin(system)
    known_scenario(game, scenario)
    known_options(game, scenario, options)
    sides = game.system.sides
    proposal = Proposal(
        ruleset=game.ruleset, data=game.digest, scenario=scenario,
        sides={"a": sides[0], "b": sides[1]},
        options=dict.fromkeys((*filter(None, [game.system.hidden.open_option]), *options), True),
    )  # fmt: skip
    begun = with_fold(propose_solo(proposal, seed or secrets.token_hex(16), table_for, tool=TOOL))
    path = output or Path(file_name(begun))
    files.write_new(path, begun.bytes())
    keep_data(game)
    if as_json:
        report.as_json({"file": str(path), "scenario": scenario, "solo": True})
    else:
        report.say(*lines(begun, None), f"written: {path}")

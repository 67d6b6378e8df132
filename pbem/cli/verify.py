"""pbem verify: everything, checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import report
from pbem.cli.exits import Exit
from pbem.cli.options import GAME, data_option, json_option
from pbem.cli.shared import load_game, read_game_file

if TYPE_CHECKING:
    from pbem.gamefile.fold import Fold


@click.command("verify")
@click.argument("game_file", metavar="GAME", type=GAME)
@data_option
@click.option("--last", type=GAME, help="The last file you sent: nothing older passes for new.")
@json_option
def command(game_file: Path, last: Path | None, as_json: bool) -> None:
    """Check every link, signature, reveal, die and rule of GAME; say the first thing wrong.

    Example: pbem verify game.pbem.json --last sent.pbem.json
    """
    from pbem.gamefile.verify import examine
    from pbem.play.game import table_for

    raw = read_game_file(game_file)
    sent = load_game(last).fold.entries if last else None
    found = examine(raw, table_for, last=sent)
    if as_json:
        report.as_json(
            {
                "good": found.is_good,
                "findings": [finding.plain() for finding in found.findings],
                "proven": found.proven.plain() if found.proven else None,
                **_names(found.fold),
            }
        )
    else:
        if found.proven:
            report.say(*found.proven.sentences())
            names = _names(found.fold)
            if names["words"]:
                report.say(f"game {names['fingerprint']}; in words: {names['words']}")
        report.problems((finding.problem for finding in found.findings), as_json=False)
    if not found.is_good:
        raise click.exceptions.Exit(Exit.UNVERIFIED)


def _names(fold: Fold | None) -> dict[str, str | None]:
    """The fingerprint of the game, in digits and in words; the players compare it aloud, once."""
    from pbem.gamefile.spoken import game_words

    game = fold.game if fold else None
    digits = fold.fingerprint if fold else None
    return {"fingerprint": digits, "words": game_words(game) if game else None}

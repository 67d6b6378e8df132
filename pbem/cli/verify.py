"""pbem verify: everything, checked."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import report
from pbem.cli.exits import Exit
from pbem.cli.options import GAME, data_option, json_option
from pbem.cli.shared import load_game, read_game_file

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("verify")
@click.argument("game_file", metavar="[GAME]", type=GAME, required=False)
@data_option
@click.option("--many", "folder", metavar="FOLDER", type=FOLDER, help="All games of a folder.")
@click.option("--jobs", type=click.IntRange(1, 512), help="With --many: how many at a time.")
@click.option("--last", type=GAME, help="The last file you sent; an older position is refused.")
@click.option(
    "--without-rules",
    is_flag=True,
    help="Leave out what needs the game's rules and data, if you do not have them.",
)
@json_option
def command(
    game_file: Path | None, folder: Path | None, jobs: int | None, last: Path | None,
    without_rules: bool, as_json: bool,
) -> None:  # fmt: skip
    """Check every link, signature, reveal, die and rule of GAME, and name the first fault.

    With --many every file of FOLDER and below it is checked, on all cores. Each has a line, which
    says where the game stands, or what is wrong; with --json each is a JSON object in a line of its
    own. Files of one game are compared. Other files are named and skipped. The exit code is 3 if
    any game does not verify.

    Example: pbem verify game.pbem.json --last sent.pbem.json
    """
    if folder is not None:
        if game_file or last:
            raise click.UsageError("--many takes a folder, and neither GAME nor --last beside it")
        from pbem.cli.many import verify_folder

        if not verify_folder(folder, jobs, without_rules, as_json):
            raise click.exceptions.Exit(Exit.UNVERIFIED)
        return
    if game_file is None:
        raise click.UsageError("name the GAME to verify, or a folder of games with --many")
    if jobs is not None:
        raise click.UsageError("--jobs goes with --many")
    _verify(game_file, last, without_rules, as_json)


def _verify(game_file: Path, last: Path | None, without_rules: bool, as_json: bool) -> None:
    from pbem.gamefile.verify import examine, examine_bare
    from pbem.play.game import table_for

    if without_rules and last:
        raise click.UsageError("--last compares positions, so it needs the rules: give one of them")
    raw = read_game_file(game_file)
    if without_rules:
        found = examine_bare(raw)
    else:
        sent = load_game(last).fold if last else None
        found = examine(raw, table_for, last=sent)
    if as_json:
        report.as_json(
            {
                "good": found.is_good,
                "findings": [finding.plain() for finding in found.findings],
                "proven": found.proven.plain() if found.proven else None,
                **_names(found.game),
            }
        )
    else:
        if found.proven:
            report.say(*found.proven.sentences())
            names = _names(found.game)
            if names["words"]:
                report.say(f"game {names['fingerprint']}; in words: {names['words']}")
        report.problems((finding.problem for finding in found.findings), as_json=False)
    if not found.is_good:
        raise click.exceptions.Exit(Exit.UNVERIFIED)


def _names(game: str | None) -> dict[str, str | None]:
    """The fingerprint of the game, in digits and in words; the players compare it aloud, once."""
    from pbem.gamefile.keys import game_fingerprint
    from pbem.gamefile.spoken import game_words

    if game is None:
        return {"fingerprint": None, "words": None}
    return {"fingerprint": game_fingerprint(game), "words": game_words(game)}

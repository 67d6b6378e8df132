"""pbem verify: everything, checked."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import folder as folders
from pbem.cli import report
from pbem.cli.exits import Exit
from pbem.cli.game_file import load_game, read_game_file
from pbem.cli.options import GAME, takes
from pbem.cli.request import Misused, Request
from pbem.gamefile.fingerprint_words import game_words
from pbem.gamefile.keys import game_fingerprint
from pbem.gamefile.verify import examine, examine_without_rules
from pbem.messages import say
from pbem.play.game import opening

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("verify")
@takes(
    click.argument("game", metavar="[GAME]", type=GAME, required=False),
    "data",
    click.option("--many", "folder", metavar="FOLDER", type=FOLDER, help="All games of a folder."),
    click.option("--jobs", type=click.IntRange(1, 512), help="With --many: how many at a time."),
    "last",
    click.option("--without-rules", is_flag=True,
                 help="Leave out what needs the game's rules and data, if you do not have them."),
    "as_json",
)  # fmt: skip
def command(
    request: Request, game: Path | None, folder: Path | None, jobs: int | None,
    without_rules: bool,
) -> None:  # fmt: skip
    """Check every link, signature, reveal, die and rule of GAME, and name the first fault.

    With --many every file of FOLDER and below it is checked, on all cores. Each has a line, which
    says where the game stands, or what is wrong; with --json each is a JSON object in a line of its
    own. Files of one game are compared. Other files are named and skipped. The exit code is 3 if
    any game does not verify.

    Example: pbem verify game.pbem.json --last sent.pbem.json
    """
    if folder is not None:
        if game or request.last:
            raise Misused(say("--many takes a folder, without GAME or --last"))
        from pbem.cli.many import verify_folder

        if not verify_folder(folder, jobs, without_rules, request):
            raise click.exceptions.Exit(Exit.UNVERIFIED)
        return
    if jobs is not None:
        raise Misused(say("--jobs needs --many"))
    _verify(game or Path(folders.only_game()), without_rules, request)


def _verify(path: Path, without_rules: bool, request: Request) -> None:
    if without_rules and request.last:
        raise Misused(
            say("--last compares positions, which needs the rules: use only one of the two")
        )
    raw = read_game_file(path)
    if without_rules:
        found = examine_without_rules(raw)
    else:
        sent = load_game(request.last, request).fold if request.last else None
        found = examine(raw, opening(request.library), last=sent)
    if request.as_json:
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
            report.tell(*found.proven.sentences())
            names = _names(found.game)
            if names["words"]:
                report.tell(
                    say(
                        "game {fingerprint}; in words: {words}",
                        fingerprint=names["fingerprint"],
                        words=names["words"],
                    )
                )
        report.problems((finding.problem for finding in found.findings), as_json=False)
    if not found.is_good:
        raise click.exceptions.Exit(Exit.UNVERIFIED)


def _names(game: str | None) -> dict[str, str | None]:
    """The fingerprint of the game, in digits and in words; the players compare it aloud, once."""
    if game is None:
        return {"fingerprint": None, "words": None}
    return {"fingerprint": game_fingerprint(game), "words": game_words(game)}

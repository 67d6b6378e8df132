"""pbem verify: everything, checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pbem.cli import report
from pbem.cli.exits import Exit, hold
from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game, read_game_file
from pbem.cli.request import (
    FLAG,
    FOLDER,
    NEW_FILE,
    NUMBER,
    PLACE,
    BadValue,
    Misused,
    OptionRow,
    Request,
    declared,
)
from pbem.gamefile.fingerprint_words import game_words
from pbem.gamefile.keys import game_fingerprint
from pbem.gamefile.verify import examine, examine_without_rules
from pbem.late import Late
from pbem.messages import say
from pbem.platforms import quote
from pbem.play.game import opening
from pbem.text.wording import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.cli import folder as folders
else:
    folders = Late("pbem.cli.folder")

MOST_JOBS = 512


@declared(
    "verify", ("game", OptionRow((), PLACE, metavar="[GAME]")),
    "data",
    ("folder", OptionRow(("--many",), FOLDER, "All games of a folder.", metavar="FOLDER")),
    ("jobs", OptionRow(("--jobs",), NUMBER, "With --many: how many at a time.", least=1)),
    ("ledger", OptionRow(
        ("--ledger",), NEW_FILE, "With --many: a file that keeps what was found; a run that was "
        "interrupted goes on from it.",
    )),
    "last",
    ("without_rules", OptionRow(
        ("--without-rules",), FLAG,
        "Leave out what needs the game's rules and data, if you do not have them.",
    )),
    "as_json",
)  # fmt: skip
def command(
    request: Request, game: StrPath | None, folder: Path | None, jobs: int | None,
    ledger: StrPath | None, without_rules: bool,
) -> Exit:  # fmt: skip
    """Check every link, signature, reveal, die and rule of GAME, and name the first fault.

    With --many every file of FOLDER and below it is checked, on all cores, the largest first. Each
    has a line as soon as it is known, which says where the game stands, or what is wrong; with
    --json each is a JSON object in a line of its own. With --ledger a run that was interrupted goes
    on: files that verified, and have not changed, are not judged again. Files of one game are
    compared. Other files are named and skipped. The exit code is 3 if
    any game does not verify.

    Example: pbem verify game.pbem.json --last sent.pbem.json
    """
    if folder is not None:
        if game or request.last:
            raise Misused(say("--many takes a folder, without GAME or --last"))
        return _verify_folder(folder, jobs, without_rules, ledger, request)
    if jobs is not None:
        raise Misused(say("--jobs needs --many"))
    if ledger is not None:
        raise Misused(say("--ledger needs --many"))
    if game and os.path.isdir(game):
        raise Misused(
            say(
                "{folder} is a directory; pbem verify --many {folder} verifies all games in it",
                folder=quote(str(game)),
            )
        )
    return _verify(game or folders.only_game(), without_rules, request)


def _verify_folder(
    folder: Path, jobs: int | None, without_rules: bool, ledger: StrPath | None, request: Request
) -> Exit:
    from pbem.cli.many import verify_folder

    if not os.path.isdir(folder):
        raise BadValue("--many", say("there is no folder {folder}", folder=quoted(str(folder))))
    if jobs is not None and jobs > MOST_JOBS:
        raise BadValue("--jobs", say("{most} at the most", most=MOST_JOBS))
    stands = verify_folder(folder, jobs, without_rules, ledger, request)
    return Exit.DONE if stands else Exit.UNVERIFIED


def _verify(path: StrPath, without_rules: bool, request: Request) -> Exit:
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
        hold(found)
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
    return Exit.DONE if found.is_good else Exit.UNVERIFIED


def _names(game: str | None) -> dict[str, str | None]:
    """The fingerprint of the game, in digits and in words; the players compare it aloud, once."""
    if game is None:
        return {"fingerprint": None, "words": None}
    return {"fingerprint": game_fingerprint(game), "words": game_words(game)}

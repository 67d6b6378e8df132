"""What is new in a folder of mails, or in a mailbox with several games."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from pbem.cli import files, folder, read, report
from pbem.cli.game_file import load_game
from pbem.cli.report import Unverified
from pbem.cli.request import Request
from pbem.mail.inbox import AllFound, all_in
from pbem.mail.mailbox import mailbox
from pbem.mail.search import GivenFile, digits_of, names_of
from pbem.messages import say
from pbem.play.game import Game
from pbem.play.systems import DataRefused
from pbem.problems import Problem, Refused, Span, reason


def take_new(request: Request, given: Path) -> list[tuple[Path, Game]] | AllFound | None:
    """Takes what is new for the games of this folder out of a mail folder (Maildir, MH, any folder
    of mails) or a mailbox with several games; returns the files written, each with its game.

    What was found in a mailbox with one game at most is returned as it is, for `read.take`; None
    for another file. What cannot be read is reported, and raised as Refused if nothing else is new.
    """
    is_folder = os.path.isdir(given)
    sheets = _mails_in(given) if is_folder else [read.sheet_of(given)]
    if not is_folder and mailbox(sheets[0].raw) is None:
        return None
    known, wanted = {}, set[str]()
    for each, entries in read.games_here():
        wanted |= names_of(entries)
        if not each.others[folder.FORKED]:
            known[each.first] = each, digits_of(entries)
    found = all_in(sheets, frozenset(wanted))
    chains = found.chains
    if not is_folder and len(chains) < 2:
        return found
    new, strange, done = [], 0, []
    failed: list[Problem] = []
    passed: list[Problem] = []  # what crossed an entry that counts, and is no fault
    for chain in chains:
        ours = next(
            (
                each
                for first, (each, digits) in known.items()
                if chain.first == first or (not chain.first and chain.digits == digits)
            ),
            None,
        )
        if ours is None:
            strange += 1
        elif chain.last >= ours.entries:
            new.append((ours.newest, chain))
    for newest, chain in sorted(new, key=lambda each: each[0]):
        base = newest, load_game(newest, request)
        try:
            taken = found.taken(chain, partial(read.verified, library=request.library), base)
            done.append(read.finished(request, taken, (given,), None, None))
        except DataRefused:
            raise
        except Refused as refused:  # one bad mail does not keep the others from being read
            told = [read.placed(each, (given,)) for each in refused.problems]
            (passed if all(each.code == "E-ROLLBACK" for each in told) else failed).extend(told)
    if failed and not done:
        raise Unverified(*failed)
    report.problems([*failed, *passed], as_json=False)
    if strange:
        report.tell(
            say("{number} more games in {path} are not in this folder; pbem read takes one out of "
                "its mail", number=strange, path=str(given))
            if strange > 1
            else say("1 more game in {path} is not in this folder; pbem read takes it out of its "
                     "mail", path=str(given))
        )  # fmt: skip
    if not done:
        report.tell(say("nothing in {path} is new for a game of this folder", path=str(given)))
    return done


def _mails_in(given: Path) -> list[GivenFile]:
    """The mails of a folder that name this program, the newest first, as far as there is room.

    Each that is written here names it, in its subject, its block and the name of its attachment.
    """
    places = [given / name for name in ("new", "cur") if os.path.isdir(given / name)] or [given]
    names: list[tuple[int, str]] = []
    try:
        for place in places:
            with os.scandir(place) as inside:
                names += [(each.stat().st_mtime_ns, each.path) for each in inside
                          if each.name[:1] != "." and each.is_file()]  # fmt: skip
    except OSError as error:
        raise Refused(
            Problem("no-folder", say("the folder cannot be read: {reason}", reason=reason(error)),
                    Span(str(given), 0, 0))
        ) from None  # fmt: skip
    room, left = read.LETTER_LIMIT, 0
    found: list[GivenFile] = []
    for at, (_, name) in enumerate(sorted(names, reverse=True)):
        raw = files.beginning(name, min(room, read.LETTER_LIMIT) + 1)
        if len(raw) > room or at >= folder.MOST_FILES:
            left += 1
        elif b"pbem" in raw.lower():
            found.append(read.sheet_of(Path(name)))
            room -= len(raw)
    if left:
        report.warn(
            say("note: {number} mails in {path} were not looked at, the oldest or largest; pbem "
                "turn takes each by itself", number=left, path=str(given))
        )  # fmt: skip
    return found

"""What is new in a folder of mails, or in a mailbox with several games."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli import folder, read, report
from pbem.cli.game_file import load_game
from pbem.cli.report import Unverified
from pbem.cli.request import Request
from pbem.late import Late
from pbem.mail.inbox import AllFound, all_in, problems_of
from pbem.mail.mailbox import mailbox
from pbem.mail.search import digits_of, names_of
from pbem.messages import Row, say
from pbem.play.game import Game
from pbem.play.systems import DataRefused
from pbem.problems import Problem, Refused

if TYPE_CHECKING:
    from pbem.cli import mail_folders
else:  # which a single mail does without
    mail_folders = Late("pbem.cli.mail_folders")


def take_new(request: Request, given: Path) -> list[tuple[Path, Game, bytes]] | AllFound | None:
    """Takes what is new for the games of this folder out of a mail folder (Maildir, MH, any folder
    of mails) or a mailbox with several games; returns what `read.take` does, of each.

    What was found in a mailbox with one game at most is returned as it is, for `read.take`; None
    for another file. What cannot be read is reported. If nothing else is new, what names a game of
    this folder, or was not read, is raised as Refused.
    """
    is_folder = os.path.isdir(given)
    sheets = read.sheets_of((given,))
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
    told = [miss for miss in found.misses if not miss.is_aside]
    failed = [each for miss in told if not miss.is_strange for each in problems_of(miss)]
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
        try:
            base = newest, load_game(newest, request)
            taken = found.taken(chain, partial(read.verified, library=request.library), base)
            done.append(read.finished(request, taken, (given,), None, None))
        except DataRefused:
            raise
        except Refused as refused:  # one bad mail or file does not keep the others from being read
            why = [read.placed(each, (given,)) for each in refused.problems]
            (passed if all(each.code == "E-ROLLBACK" for each in why) else failed).extend(why)
    if failed and not done:
        raise Unverified(*failed)
    others = [miss for miss in (told if done else found.misses) if miss.is_strange or miss.is_aside]
    passed += [each for miss in others for each in problems_of(miss)]
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
        report.tell(
            say("nothing in {path} is new for a game of this folder; pbem turn without a name goes "
                "on with it", path=str(given))
            if len(known) == 1 and is_folder
            else say("nothing in {path} is new for a game of this folder", path=str(given))
        )  # fmt: skip
        if is_folder and (inside := mail_folders.folders_of_mails(given)):
            report.tell(say("what is in its folders was not looked at: {folders}",
                            folders=Row(inside)))  # fmt: skip
    return done

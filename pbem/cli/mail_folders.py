"""The mails of a folder, as mail programs keep them: Maildir, MH, or one file a mail."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from pbem.cli import files, report
from pbem.mail.containers import is_packed
from pbem.mail.search import GivenFile
from pbem.messages import Row, Said, say, say_many
from pbem.problems import Problem, Refused, Span, reason

MOST_FILES = 5000
"""How many mails of a folder are looked at, or entries of it for folders."""
ROOM = 64 << 20
"""How many bytes of them are."""
_A_FEW = 8
_NAMES_US = re.compile(rb"p\0?b\0?e\0?m|cGJlb|BiZW|wYmVt|UEJFT|BCRU|QQkVN", re.I)
"""How a mail names this program: in its subject, its block or the name of its attachment, in
letters of one byte or two, or as base64.
"""


def mails_in(given: Path) -> list[GivenFile]:
    """The mails of a folder that name this program or are packed, as some servers keep them, the
    newest first, as far as there is room.

    Raises Refused for a folder that has none, but only folders in it that do.
    """
    places = [given / "new", given / "cur"] if _is_maildir(given) else [given]
    there: list[tuple[int, str, int]] = []
    try:
        for place in places:
            with os.scandir(place) as inside:
                for each in inside:
                    with suppress(OSError):  # a link that leads round in a circle
                        if each.name[:1] != "." and each.is_file():
                            about = each.stat()
                            there.append((about.st_mtime_ns, each.path, about.st_size))
    except OSError as error:
        raise _no_folder(
            given, say("the folder cannot be read: {reason}", reason=reason(error))
        ) from None
    room, left = ROOM, max(0, len(there) - MOST_FILES)
    found: list[tuple[str, bytes]] = []
    for _, name, size in sorted(there, reverse=True)[:MOST_FILES]:
        raw = files.beginning(name, room + 1) if size <= room else b""
        if size > room or len(raw) > room:
            left += 1
        elif is_packed(raw) or _NAMES_US.search(raw):
            found.append((name, raw))
            room -= len(raw)
    if not found and (folders := folders_of_mails(given)):
        raise _no_folder(
            given, say("there is no mail with a game in it, but there are folders: {folders}",
                       folders=Row(folders)),
            say("name the one with the mails"),
        )  # fmt: skip
    if left:
        report.warn(
            say_many("number", "note: {number} mail in {path} was not looked at, the oldest or "
                     "largest; pbem turn takes it by itself", "note: {number} mails in {path} were "
                     "not looked at, the oldest or largest; pbem turn takes each by itself",
                     number=left, path=str(given))
        )  # fmt: skip
    return [
        GivenFile(name, raw, str(given), number)
        for (name, raw), number in zip(found, range(len(found), 0, -1), strict=True)
    ]


def folders_of_mails(given: Path) -> tuple[str, ...]:
    """A few folders inside a folder that may hold mails: with files, or a Maildir."""
    if _is_maildir(given):
        return ()
    found: list[str] = []
    for name in sorted(os.listdir(given))[:MOST_FILES]:
        path = given / name
        if not os.path.isdir(path):
            continue
        try:
            with os.scandir(path) as inside:
                if any(each.is_file() or each.name in ("new", "cur") for each in inside):
                    found.append(str(path))
        except OSError:
            continue
    return tuple(found[:_A_FEW])


def _is_maildir(given: Path) -> bool:
    return all(os.path.isdir(given / name) for name in ("new", "cur"))


def _no_folder(given: Path, what: Said, hint: Said = "") -> Refused:
    return Refused(Problem("no-folder", what, Span(str(given), 0, 0), hint=hint))

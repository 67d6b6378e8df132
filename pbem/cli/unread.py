"""Mails that lie unread beside a game, as far as their dates tell."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from pbem.cli import addresses, files, kinds, report
from pbem.mail.sender import written_by
from pbem.messages import say
from pbem.platforms import as_typed

MOST_LOOKED_INTO = 50
"""The number of files newer than a game of which the beginning is read."""
DRAFT = b"\nX-Unsent:"
"""What is in the head of every message that is written here to be sent."""


def note_unread() -> None:
    """Notes the newest mail of this folder that came after all its games: its reader may think that
    it was read with them.
    """
    for name in islice(_newest_first(), MOST_LOOKED_INTO):
        head = files.beginning(name, kinds.MOST_LOOKED_AT)
        kind = kinds.kind_of(head, name)[0]
        if kind == kinds.GAME:
            return
        if kind == kinds.MESSAGE and DRAFT not in head and _is_from_another(head):
            report.warn(
                say(
                    "note: {file} is newer than every game file here; if you have not read it yet: "
                    "{command}",
                    file=name,
                    command=as_typed(("pbem", "turn", name)),
                )
            )
            return


def _is_from_another(head: bytes) -> bool:
    found = written_by(head)
    return found is None or addresses.not_own(found) is not None


def _newest_first() -> Iterator[str]:
    """The files of this folder without hidden ones; of those with one date, mails come last."""
    try:
        with os.scandir(os.curdir) as inside:
            found = [
                (-each.stat().st_mtime_ns, each.name.endswith(".eml"), each.name)
                for each in inside
                if each.name[:1] != "." and each.is_file()
            ]
    except OSError:
        return
    yield from (name for _, _, name in sorted(found))

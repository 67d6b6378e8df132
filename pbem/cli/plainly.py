"""`pbem apply` called in plain words is read without click.

click takes longer to load than a round of orders takes to judge (decisions/ tells what was
measured). It stays the only one who explains, completes and complains: whatever is not plain here,
or not right, is left to it. A test holds this table against what click knows of the command.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

ARGUMENTS = ("game_file", "orders_file")
VALUES = {"--key": "key_file", "-o": "output", "--output": "output", "--last": "last"}
FLAGS = {"--json": "as_json"}
ASIDE = ("PBEM_DATA", "_PBEM_COMPLETE")
"""Variables that say more than the words do."""


def plainly_called(argv: Sequence[str]) -> Callable[[], None] | None:
    """The call that the words amount to; None where click is to read them."""
    if argv[:1] != ["apply"] or any(name in os.environ for name in ASIDE):
        return None
    found = _read(argv[1:])
    if found is None or "game_file" not in found or "key_file" not in found:
        return None
    return partial(_reply, **found)


def _reply(**given: Any) -> None:
    from pbem.cli import keyfiles, newkeys, passing
    from pbem.cli.reply import reply
    from pbem.cli.signing import without_record
    from pbem.play.systems import offer

    offer(None)
    keyfiles.take_from(None)
    without_record(False)
    for which in ("secrets", "spare"):
        newkeys.name(which)
    passing.wanted(False)
    reply(**given)


def _read(words: Sequence[str]) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    left, names = iter(words), iter(ARGUMENTS)
    given: str | None
    for word in left:
        if word in FLAGS:
            name, given = FLAGS[word], None
        elif word in VALUES:
            name, given = VALUES[word], next(left, "")
        else:
            name, given = next(names, ""), word
        if not name or name in found or not (given is None or _is_plain_path(given)):
            return None
        found[name] = True if given is None else given
    return found


def _is_plain_path(text: str) -> bool:
    """Whether a path is written as it is printed, and is no folder and nothing forbidden."""
    parts = text.split("/")
    if text.startswith("-") or "." in parts or "" in parts[1:] or not text:
        return False
    return not os.path.exists(text) or (not os.path.isdir(text) and os.access(text, os.R_OK))

"""`pbem apply` called in plain words is read without click.

click takes longer to load than a round of orders takes to judge (decisions/ tells what was
measured). It stays the only one who explains, completes and complains: whatever is not plain here,
or not right, is left to it. Both read the words by one table (request.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pbem.cli.request import APPLY, FILE, FLAG, NEW_FILE, OPTIONS, Request, filled

PLAIN = (FILE, NEW_FILE, FLAG)
"""The kinds of options that are read here."""
ARGUMENTS = tuple(name for name in APPLY if not OPTIONS[name].words)
NAMES = {
    word: name for name in APPLY if OPTIONS[name].kind in PLAIN for word in OPTIONS[name].words
}
GAMES = (".json", ".gz")
ASIDE = ("_PBEM_COMPLETE", *filter(None, (OPTIONS[name].variable for name in APPLY)))
"""Variables that say more than the words do."""


def fast_call(argv: Sequence[str]) -> Callable[[], None] | None:
    """The call that the words amount to; None where click is to read them."""
    if argv[:1] != ["apply"] or any(name in os.environ for name in ASIDE):
        return None
    found = _read(argv[1:])
    if found is None or "game_file" not in found or "key_file" not in found:
        return None
    if "orders_file" not in found and not found["game_file"].endswith(GAMES):
        return None  # it may be the orders, and the game is to be found
    if "bot" in found and "orders_file" in found:
        return None  # wrong usage, which click explains
    return partial(_reply, filled(found))


def _reply(request: Request) -> None:
    from pbem.cli.reply import reply

    reply(request)


def _read(words: Sequence[str]) -> dict[str, Any] | None:
    """What each row of the table was given; None where something is not plain."""
    found: dict[str, Any] = {}
    left, arguments = iter(words), iter(ARGUMENTS)
    for word in left:
        name = NAMES.get(word) or next(arguments, "")
        if not name:
            return None
        option = OPTIONS[name]
        if option.kind == FLAG:
            found[name] = True
            continue
        given = next(left, "") if option.words else word
        if (name in found and not option.is_repeated) or not _is_plain_path(given):
            return None
        found[name] = (*found.get(name, ()), given) if option.is_repeated else given
    return found


def _is_plain_path(text: str) -> bool:
    """Whether a path is written as it is printed, and is no folder and nothing forbidden."""
    parts = text.split("/")
    if text.startswith("-") or "." in parts or "" in parts[1:] or not text:
        return False
    return not os.path.exists(text) or (not os.path.isdir(text) and os.access(text, os.R_OK))

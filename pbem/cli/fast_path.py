"""Reads commands declared by rows without click, if they are written in plain words.

click takes longer to load than a round of orders takes to judge (see decisions/). Only click
explains, completes and complains: whatever is not plain here, or wrong, is left to it. Both read
the words by the same rows (request.py).

Measured: 20 percent of the instructions of a cold `apply`, 24 of `status` (page 22).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem.cli import request
from pbem.cli.request import COMMANDS, DASH, DeclaredCommand, OptionRow
from pbem.messages import LANGUAGES

if TYPE_CHECKING:
    from pbem.cli.exits import Exit

PLAIN = (
    request.FILE, request.NEW_FILE, request.PRINTABLE, request.NUMBER, request.CHOICE, request.FLAG
)  # fmt: skip
"""The kinds of options that are read here; all arguments are."""
GAMES = (".json", ".gz")
MOST_DIGITS = 9
ASIDE = "_PBEM_COMPLETE"


def fast_call(argv: Sequence[str]) -> Callable[[], Exit | None] | None:
    """The call that the words mean; None if click must read them."""
    if not argv or argv[0] not in COMMANDS or ASIDE in os.environ:
        return None
    command = import_module(f"pbem.cli.{argv[0].replace('-', '_')}").command
    if not isinstance(command, DeclaredCommand) or _is_said_aside(command):
        return None
    found = _read(argv[1:], command.rows)
    if found is None or not _names_its_game(found, command.rows):
        return None
    return partial(command.called, found)


def _is_said_aside(command: DeclaredCommand) -> bool:
    """Whether environment variables add to the words: a language that we speak does not."""
    variables = [row.variable for row in command.rows.values() if row.variable]
    speaks = os.environ.get(request.LANG.variable or "", "") in ("", *LANGUAGES)
    return any(
        each in os.environ and not (speaks and each == request.LANG.variable) for each in variables
    )


def _names_its_game(found: Mapping[str, Any], rows: Mapping[str, OptionRow]) -> bool:
    """Whether the first argument is there, and is the game rather than the argument after it."""
    first, *others = (name for name, row in rows.items() if not row.words)
    return first in found and (
        found[first].endswith(GAMES) or all(other in found for other in others)
    )


def _read(words: Sequence[str], rows: Mapping[str, OptionRow]) -> dict[str, Any] | None:
    """The value of each row; None if something is not plain."""
    names = {word: name for name, row in rows.items() if row.kind in PLAIN for word in row.words}
    arguments = (name for name, row in rows.items() if not row.words)
    found: dict[str, Any] = {}
    left = iter(words)
    for word in left:
        name = names.get(word) or next(arguments, "")
        if not name:
            return None
        row = rows[name]
        if row.kind == request.FLAG:
            found[name] = True
            continue
        given = next(left, "") if row.words else word
        if (name in found and not row.is_repeated) or not _is_plain(given, row):
            return None
        value = int(given) if row.kind == request.NUMBER else given
        found[name] = (*found.get(name, ()), value) if row.is_repeated else value
    return found


def _is_plain(text: str, row: OptionRow) -> bool:
    """Whether a word is what its row takes, in the usual spelling."""
    match row.kind:
        case request.NUMBER:
            is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
            return is_number and int(text) >= row.least
        case request.CHOICE:
            return text in row.choices
        case request.TEXT:
            return bool(text) and not text.startswith("-")
        case request.PRINTABLE if text == DASH:
            return True
    return _is_plain_path(text)


def _is_plain_path(text: str) -> bool:
    """Whether a path is written as it is printed, and is not a folder and not forbidden."""
    parts = text.split("/")
    if text.startswith("-") or "." in parts or "" in parts[1:] or not text:
        return False
    return not os.path.exists(text) or (not os.path.isdir(text) and os.access(text, os.R_OK))

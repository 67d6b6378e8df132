"""Canonical bytes: one value, one byte string, on every machine.

The values are a small part of JSON (no floats, plain lower-case keys, bounded integers). For that
part RFC 8785 is what the standard encoder writes with sorted keys and no white space. Anything
outside it is refused, never repaired.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from pbem.gamefile.errors import FileRefused
from pbem.messages import say

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 16
MAX_STRING = 4096
MAX_ARRAY = 4096
MAX_ENTRY_BYTES = 256 * 1024
MAX_VALUES = (32 << 20) // 5
"""As many as fit into the largest file: as it is written, each takes five bytes or more."""
_LONGEST_INTEGER = 17  # a sign and the sixteen digits of 2**53 - 1

_key = re.compile(r"[a-z][a-z0-9_]{0,39}").fullmatch  # fullmatch: "$" lets a trailing LF pass
_OUTLAWED = "[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
_TEXT = re.compile(rb'"[^"]*"')
_encoder = partial(
    json.JSONEncoder, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False,
    check_circular=False,  # what nests without end is refused before, by its depth
)  # fmt: skip
_encode = _encoder().encode
_GAP = "\0"
"""What stands for a part whose text is known: no text of the domain has this character."""
_GAP_TEXT = _encode(_GAP)


def canonical(value: Any) -> bytes:
    """The canonical bytes (UTF-8) of a value of the domain.

    Raises FileRefused with E-CANON for what is outside the domain and E-LIMIT for what is too deep
    or too long.
    """
    check_domain(value)
    return text_of(value).encode("utf-8")


def encoded(value: Any) -> bytes:
    """The canonical bytes of a value that has passed `check_domain` already, or is our own."""
    return text_of(value).encode("utf-8")


def text_of(value: Any) -> str:
    """The canonical text of a value that has passed `check_domain` already, or is our own."""
    return _encode(value)


class Written:
    """A part of a value whose canonical text is known already."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def text_with(value: Any) -> str:
    """The canonical text of a value that has parts which are `Written`."""
    known: list[str] = []

    def gap(part: Written) -> str:
        known.append(part.text)  # the encoder asks for them in the order of the text
        return _GAP

    between = _encoder(default=gap).encode(value).split(_GAP_TEXT)
    parts = [""] * (len(between) + len(known))
    parts[::2], parts[1::2] = between, known
    return "".join(parts)


def text_of_list(known: Iterable[str]) -> str:
    """The canonical text of a list whose items' texts are known."""
    return "[" + ",".join(known) + "]"


def check_domain(value: Any, depth: int = MAX_DEPTH) -> None:
    """Refuses a value that is not of the domain; `depth` is how many levels it may nest.

    Raises FileRefused: E-CANON, E-LIMIT.
    """
    kind = type(value)
    if kind is str:
        if len(value) > MAX_STRING:
            raise FileRefused(
                "E-LIMIT",
                say("a text is longer than {max_string} characters", max_string=MAX_STRING),
            )
        if not value.isprintable() and re.search(_OUTLAWED, value):
            raise FileRefused(
                "E-CANON",
                say(
                    "a control character or half a character in {value}",
                    value=format(ascii(value), ".60"),
                ),
            )
    elif kind is int:
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise FileRefused("E-CANON", say("an integer is larger than 2^53 - 1"))
    elif kind is dict:
        _check_depth(depth)
        for key, inner in value.items():
            if type(key) is not str or not _key(key):
                raise FileRefused(
                    "E-CANON", say("{key} is not a member name", key=format(ascii(key), ".60"))
                )
            check_domain(inner, depth - 1)
    elif kind is list:
        _check_depth(depth)
        if len(value) > MAX_ARRAY:
            raise FileRefused(
                "E-LIMIT", say("a list is longer than {max_array} items", max_array=MAX_ARRAY)
            )
        for inner in value:
            check_domain(inner, depth - 1)
    elif not (value is None or kind is bool):
        raise FileRefused(
            "E-CANON", say("{name} is not a kind of value the file knows", name=kind.__name__)
        )


def _check_depth(left: int) -> None:
    if left <= 0:
        raise FileRefused(
            "E-LIMIT",
            say("values are nested more than {max_depth} levels deep", max_depth=MAX_DEPTH),
        )


def parse(raw: bytes) -> Any:
    """The JSON value in raw bytes, read strictly; the domain is not checked yet.

    Raises FileRefused: E-DAMAGED for what is not JSON, E-CANON for doubled members and for numbers
    that are not plain integers, E-LIMIT for too many values. Never anything else, whatever the
    bytes.
    """
    _check_values(raw)
    try:
        text = raw.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise FileRefused(
            "E-DAMAGED", say("the text is not UTF-8"), hint=say("ask for it again")
        ) from None
    try:
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_int=_integer,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except RecursionError:
        raise FileRefused(
            "E-DAMAGED", say("the text is nested too deeply to be a game file")
        ) from None
    except json.JSONDecodeError as error:
        raise _unreadable(error) from None


def _check_values(raw: bytes) -> None:
    """Refuses bytes of more values than a file can hold.

    A few packed kilobytes of brackets would otherwise fill a gigabyte when they are parsed.
    """
    if _has_too_many(raw):
        bare = raw.replace(rb"\\", b"").replace(rb"\"", b"")
        if _has_too_many(_TEXT.sub(b"", bare)):
            raise FileRefused("E-LIMIT", say("the file has more values than a game can have"))


def _has_too_many(raw: bytes) -> bool:
    return sum(map(raw.count, (b",", b":", b"[", b"{"))) > MAX_VALUES


def _unreadable(error: json.JSONDecodeError) -> FileRefused:
    odd = error.doc[error.pos : error.pos + 1]
    if error.msg.startswith("Invalid control") and odd not in "\t\r\n":
        return FileRefused(
            "E-CANON", say("a control character in line {lineno}", lineno=error.lineno)
        )
    if not error.doc.strip():
        return FileRefused("E-DAMAGED", say("the file is empty"), hint=say("ask for it again"))
    # A raw line end inside a text is what mail programs do, not what a forger does.
    return FileRefused(
        "E-DAMAGED",
        say(
            "line {lineno}, column {colno} cannot be read: the file was cut off or "
            "changed on the way",
            lineno=error.lineno,
            colno=error.colno,
        ),
        hint=say("ask for it again"),
    )


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        times = Counter(name for name, _ in pairs)
        doubled = next(name for name in times if times[name] > 1)
        raise FileRefused(
            "E-CANON", say("member {doubled} is there twice", doubled=format(ascii(doubled), ".60"))
        )
    return members


def _integer(digits: str) -> int:
    if digits == "-0" or len(digits) > _LONGEST_INTEGER:
        raise FileRefused(
            "E-CANON", say("{digits} is not an integer the file may contain", digits=digits[:20])
        )
    return int(digits)


def _no_number(text: str) -> Any:
    raise FileRefused(
        "E-CANON", say("{what} is not an integer the file may contain", what=text[:20])
    )

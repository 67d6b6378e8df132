"""The game file: bytes to entries by one strict reader, entries to bytes by one writer.

Nothing here opens a file. The stored layout is free (line ends, indentation, escapes), because the
canonical form of the content is signed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring_ascii
from typing import Any

from pbem.gamefile import canonical, shapes
from pbem.gamefile.chain import ZEROS, Entry, as_stored, check_intact, check_link, linked
from pbem.gamefile.errors import FileRefused
from pbem.messages import say

FORMAT = "pbem-game/1"
MAX_BYTES = 32 * 1024 * 1024
MAX_COMPRESSED = MAX_BYTES
MAX_ENTRIES = 20_000
LINE = 60
HEAD = b'{\n "entries": ['
TAIL = b'\n ],\n "format": "pbem-game/1"\n}\n'
"""How a file the writer has laid out begins and ends."""
ENTRY_ENDS = b"\n  }"
"""How an entry in it ends: nothing within one is indented by so little."""
_GZIP = b"\x1f\x8b"
_HALF = 44
_AT_ONCE = 1 << 20


def read(raw: bytes) -> list[Entry]:
    """The entries of a game file, plain or gzipped: shaped, but neither checked nor folded.

    Raises FileRefused (E-LIMIT, E-DAMAGED, E-CANON, E-SCHEMA, E-VERSION), never anything else.
    """
    return _guarded(raw, ZEROS)


def _guarded(raw: bytes, before: str) -> list[Entry]:
    try:
        return _read(raw, before)
    except FileRefused:
        raise
    except Exception as error:  # whatever a hostile file provokes is a fault of the file
        raise FileRefused("E-SCHEMA", say("the file cannot be read as a game file")) from error


def write(entries: Sequence[Entry]) -> bytes:
    """The bytes of a game file: ASCII, indented by one, sorted members, LF.

    Raises FileRefused (E-LIMIT) for a file that `read` would refuse.
    """
    return _within_limits(laid_out(_document(entries)), len(entries))


def extended(beginning: bytes, known: int, entries: Sequence[Entry]) -> bytes:
    """The bytes of a game file whose first `known` entries `write` laid out as `beginning` before,
    without its tail; b"" if it did not.

    That part is not laid out again, which is most of the work. Raises FileRefused as `write` does.
    """
    if not beginning or known == len(entries):
        return write(entries)
    whole = beginning + b"," + laid_out(_document(entries[known:]))[len(HEAD) :]
    return _within_limits(whole, len(entries))


def written_size(entries: Sequence[Entry]) -> int:
    """The length of what `write` makes of entries, without making it: a small file in another
    layout may become many times as long.

    Raises FileRefused (E-LIMIT) if it is more than a file may have.
    """
    size = len(HEAD) - 1 + sum(map(stored_size, entries)) + len(TAIL)
    if size > MAX_BYTES:
        raise _too_large()
    return size


def stored_size(entry: Entry) -> int:
    """The bytes that an entry takes in a file, with the comma in front of it."""
    body, payload = entry.stored_body, as_stored(entry.payload)
    # Within ASCII it is as long as what is signed, which is made already.
    tight = len(body) if body.isascii() else len(_tight(payload))
    around = map(encode_basestring_ascii, (*_halves(entry.sig), entry.sum))
    return _FRAME + sum(map(len, around)) + tight + _loosened(payload, _DEPTH + 1)


_tight = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode
_COMMA = ",\n  "
_DEPTH = 2
"""How deep an entry is in the file: in a list that is a member of an object."""


def _loosened(value: Any, depth: int) -> int:
    """The number of spaces and line ends that `laid_out` adds to an object or a list at such a
    depth.
    """
    parts, found = value, 0
    if type(value) is dict:
        parts, found = value.values(), len(value)  # the space after each colon
    if parts:
        found += len(parts) * (depth + 2) + depth + 1
        for part in parts:
            if type(part) is dict or type(part) is list:
                found += _loosened(part, depth + 1)
    return found


_FRAME = len(_COMMA + '{"payload":,"sig":[,],"sum":}') + _loosened(
    {"payload": 0, "sig": [0, 0], "sum": 0}, _DEPTH
)
"""The bytes of a stored entry without its payload, the texts of its signature, and its sum."""


def first_id(raw: bytes) -> str | None:
    """The id of the first entry of a file as `write` lays it out, of which this may be only the
    beginning; None for any other file, and where that entry is damaged or begins no game.
    """
    try:
        first = first_entry(raw)
        if first is not None:
            check_begins(first)
    except FileRefused:
        return None
    return None if first is None else first.id


def first_entry(raw: bytes) -> Entry | None:
    """The first entry of such a file, as far as it can be read; None for any other file.

    Raises FileRefused for what is no entry.
    """
    end = raw.find(ENTRY_ENDS) + len(ENTRY_ENDS)
    if not raw.startswith(HEAD):
        return None
    return _entry(0, canonical.parse(raw[len(HEAD) : end]), ZEROS)


def check_begins(first: Entry) -> None:
    """Refuses an entry that is damaged, or that can be the first of no game.

    Raises FileRefused: E-DAMAGED, E-LIMIT, E-SCHEMA, E-VERSION, E-GAME, E-CHAIN.
    """
    try:
        check_intact(first)
        shapes.check_payload(first.payload)
        check_link(first, seq=0, prev=ZEROS, game=ZEROS)
    except FileRefused as refused:
        raise refused.placed(entry=0) from None


def entries_alike(raw: bytes, whole: bytes) -> int:
    """How many entries a file has of those in `whole`, which `write` laid out, if it is the
    beginning of that file or all of it, byte by byte; 0 for any other file.
    """
    known = raw.removesuffix(TAIL)
    if known == raw or not (known.endswith(ENTRY_ENDS) and whole.startswith(known)):
        return 0
    return known.count(ENTRY_ENDS)


def read_behind(raw: bytes, length: int, known: Sequence[Entry]) -> list[Entry]:
    """The entries of a file after the `known` ones, which fill its first `length` bytes.

    Those bytes must have been read and verified before (without the tail). The rest is read as
    strictly as in `read`, and the limits apply to the whole. Raises FileRefused as `read` does.
    """
    rest = raw[length:]
    if rest == TAIL:
        return []
    if not (raw.startswith(HEAD) and rest.startswith(b",")):
        raise FileRefused(
            "E-DAMAGED", say("after the known part, the file does not continue as a list")
        )
    found = _guarded(HEAD + rest[1:], known[-1].id)
    _check_number(len(known) + len(found))
    inflated(raw)
    return found


def laid_out(document: dict[str, Any]) -> bytes:
    """The bytes of a file of JSON: ASCII, indented by one, sorted members, LF."""
    return _spread(document, "\n").encode("ascii") + b"\n"


def _document(entries: Iterable[Entry]) -> dict[str, Any]:
    return {"format": FORMAT, "entries": [stored(entry) for entry in entries]}


def _spread(value: Any, end: str) -> str:
    """Writes as `json.dumps` with `indent=1` and `sort_keys` does, in half the time."""
    if type(value) is str:
        return encode_basestring_ascii(value)
    line = end + " "
    if value and isinstance(value, dict):
        parts = [
            f"{encode_basestring_ascii(name)}: {_spread(part, line)}"
            for name, part in sorted(value.items())
        ]
        return f"{{{line}{f',{line}'.join(parts)}{end}}}"
    if value and isinstance(value, list | tuple):
        return f"[{line}{f',{line}'.join([_spread(part, line) for part in value])}{end}]"
    return _tight(value)


def _within_limits(raw: bytes, count: int) -> bytes:
    _check_number(count)
    _check_length(raw)
    return raw


def _check_number(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise FileRefused(
            "E-LIMIT", say("the file has more than {max_entries} entries", max_entries=MAX_ENTRIES)
        )


def _check_length(raw: bytes) -> None:
    if len(raw) > MAX_BYTES:
        raise _too_large()


def _too_large() -> FileRefused:
    return FileRefused(
        "E-LIMIT", say("the file is larger than {max_bytes} MiB", max_bytes=MAX_BYTES >> 20)
    )


def lines(text: str) -> list[str]:
    """Free text as the file has it: lines of at most 60 characters, no control characters."""
    import textwrap

    found: list[str] = []
    for line in text.replace("\t", " ").splitlines():
        clean = "".join(char for char in line if char.isprintable())
        found += textwrap.wrap(clean, LINE) or [""]
    return found


def _read(raw: bytes, before: str) -> list[Entry]:
    raw = inflated(raw)
    document = canonical.parse(raw)
    if type(document) is not dict:
        raise FileRefused("E-SCHEMA", say("this is not a game file"))
    named = document.get("format")
    if type(named) is str and named.startswith("pbem-game/") and named != FORMAT:
        raise FileRefused(
            "E-VERSION",
            say("the format is {named} and needs a newer pbem", named=format(ascii(named), ".40")),
        )
    if named != FORMAT:
        raise FileRefused("E-SCHEMA", say("this is not a game file: it does not name the format"))
    if set(document) != {"format", "entries"} or type(document["entries"]) is not list:
        raise FileRefused(
            "E-SCHEMA", say("a game file has only the members 'format' and 'entries'")
        )
    stored = document["entries"]
    if not stored:
        raise FileRefused("E-SCHEMA", say("the file has no entries"))
    _check_number(len(stored))
    found = []
    for number, value in enumerate(stored):
        found.append(_entry(number, value, before))
        before = found[-1].id
    return found


def inflated(raw: bytes, most: int = MAX_BYTES) -> bytes:
    """The bytes of a game file, unpacked where they are gzip.

    Raises FileRefused (E-LIMIT, E-DAMAGED) for more than a file may hold, and for more than `most`
    bytes of a packed one.
    """
    if raw.startswith(_GZIP):
        if len(raw) > MAX_COMPRESSED:
            raise FileRefused(
                "E-LIMIT",
                say(
                    "the file is larger than {max_compressed} MiB",
                    max_compressed=MAX_COMPRESSED >> 20,
                ),
            )
        raw = _gunzip(raw, most)
    _check_length(raw)
    return raw


def _gunzip(raw: bytes, most: int) -> bytes:
    import zlib

    inflate = zlib.decompressobj(31)
    plain = bytearray()
    try:
        while raw and len(plain) <= most:  # in parts: a bomb ends early
            plain += inflate.decompress(raw, min(_AT_ONCE, most + 1 - len(plain)))
            raw = inflate.unconsumed_tail
    except zlib.error:
        raise FileRefused("E-DAMAGED", say("the gzip file is damaged; ask for it again")) from None
    if len(plain) > most:
        raise _too_large()
    if not inflate.eof or inflate.unused_data:
        raise FileRefused(
            "E-DAMAGED",
            say("the gzip file is cut off or something follows it"),
            hint=say("ask for it again"),
        )
    return bytes(plain)


def _entry(number: int, value: Any, before: str) -> Entry:
    try:
        shapes.check_envelope(value)
        canonical.check_domain(value["payload"])
        sig = value["sig"]
        whole = "".join(sig) if type(sig) is list else sig
        return Entry(linked(value["payload"], before), whole, value["sum"])
    except FileRefused as refused:
        raise refused.placed(entry=number) from None


def stored(entry: Entry) -> dict[str, Any]:
    """An entry as it is stored in a file, after the previous one."""
    return {"payload": as_stored(entry.payload), "sig": _halves(entry.sig), "sum": entry.sum}


def _halves(sig: str) -> list[str]:
    return [sig[:_HALF], sig[_HALF:]]


def listed(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Entries as they are stored without all earlier ones: the first has the whole `prev`."""
    found = [stored(entry) for entry in entries]
    if entries[0].seq:
        found[0]["payload"] = entries[0].payload
    return found

"""Armour: the last entries of a game as a block of text that can be pasted into a mail.

The block has few entries (those after a given one), so it needs the game file that they continue.
White space, line ends and quotation marks mean nothing in it. Check digits of each line locate
damage, and a digest covers the whole. That says nothing about who wrote the entries: the fold
judges them like those of a file.
"""

from __future__ import annotations

import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from pbem.gamefile import format
from pbem.gamefile.chain import ZEROS, Entry, check_intact
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import game_fingerprint
from pbem.mail.repairs import (
    NOTHING,
    from_html,
    from_quoted_printable,
    unquoted,
    without_invisible,
    without_mark,
)
from pbem.mail.work import JUDGING, Work
from pbem.messages import Said, marked, say
from pbem.value import replace, value

BEGIN = "-----BEGIN PBEM ENTRIES-----"
END = "-----END PBEM ENTRIES-----"
LINE = 60
CHECK = 4
DIGEST = 48
"""Hex digits of the digest in the header: the line fits where mail programs break lines."""
HEADER_LINES = 4
ENDS = 2
"""What is left of the first and of the last line of a block when it is taken out of them."""
MAX_PACKED = 1 << 20
MAX_INFLATED = 4 << 20
MAX_TEXT = 4 << 20

_BEGIN = re.compile(r"-{2,5}BEGIN\s{1,4}PBEM\s{1,4}ENTRIES-{2,5}")
_END = re.compile(r"(?:-\s)?-{2,5}END\s{1,4}PBEM\s{1,4}ENTRIES-{2,5}")
"""The lines of the frame: a mail program may change blanks or make one dash of two, and PGP puts
`- ` before dashes."""
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))

_BEFORE_BEGIN = 200
"""How far in front of a block its line may begin."""
VIEWS = 9
"""The number of times a text is read: as it is, and with each of three repairs."""
ASK = say("ask for the attachment, or for the block again")
_NO_MEANING = re.compile(r"(?:[\s>|]|\\[nrt])+")
"""What a block is read without: blanks, marks of a reply, line ends that were written as `\\n`."""
_INVISIBLE = re.compile(rf"[{NOTHING}]")
_HIDDEN = "no-break spaces"
_MOST_OF_A_MARK = 40
_HEADER = re.compile(
    r"Game:([0-9]{20})From:([0-9]{1,5})To:([0-9]{1,5})Bytes:([0-9]{1,7})Lines:([0-9]{1,5})"
    r"Digest:sha256:([0-9a-f]{48})"
)
_NAMES = ("Game", "From", "To", "Bytes", "Lines", "Digest")
_NAMED = re.compile(r"^[ \t>|]*([A-Za-z][A-Za-z0-9-]*):", re.M)
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}").fullmatch


@value
class Block:
    """The content of an armour: entries `first` to `last`, in order, with correct digests.

    `game` are the twenty digits of the game, `repairs` what had to be repaired in the text.
    """

    game: str
    first: int
    last: int
    entries: tuple[Entry, ...]
    repairs: tuple[str, ...] = ()


def encode(entries: Sequence[Entry]) -> str:
    """The block of consecutive entries: ASCII, LF, lines of at most 79.

    Raises FileRefused (E-LIMIT) for what `decode` would refuse.
    """
    plain = content(entries)
    packed = zlib.compress(plain, 9)
    if len(plain) > MAX_INFLATED or len(packed) > MAX_PACKED:
        raise FileRefused(
            "E-LIMIT",
            say("these entries are too long for a block"),
            hint=say("attach the file, or begin with a later entry: --after"),
        )
    return framed(packed, entries)


def content(entries: Sequence[Entry]) -> bytes:
    """What is packed: a game file of these entries alone, without white space."""
    found = [
        {**each, "sig": entry.sig}
        for entry, each in zip(entries, format.listed(entries), strict=True)
    ]
    document = {"format": format.FORMAT, "entries": found}
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return text.encode("ascii")


def framed(packed: bytes, entries: Sequence[Entry]) -> str:
    """The block around zlib data; separate, because compressors differ and the frame does not."""
    coded = binascii.b2a_base64(packed, newline=False).decode("ascii")
    rows = [coded[at : at + LINE] for at in range(0, len(coded), LINE)]
    return "\n".join(
        [
            BEGIN,
            f"Game: {game_digits(entries[-1])}",
            f"From: {entries[0].seq}  To: {entries[-1].seq}",
            f"Bytes: {len(packed)}  Lines: {len(rows)}",
            f"Digest: sha256:{_digest(packed)}",
            "",
            *(f"{row} {line_check(number, row)}" for number, row in enumerate(rows, start=1)),
            END,
            "",
        ]
    )


def line_check(number: int, row: str) -> str:
    """The check digits of a line: its number (from 1) is in them, so a line knows its place."""
    return hashlib.sha256(f"{number}\n{row}".encode("ascii", "replace")).hexdigest()[:CHECK]


def _digest(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()[:DIGEST]


def game_digits(entry: Entry) -> str:
    """The twenty digits of the game an entry belongs to; zeros before there is one."""
    payload = entry.payload
    game = {0: ZEROS, 1: entry.id}.get(payload["seq"], payload["game"])
    return game_fingerprint(game).replace(" ", "")


def blocks_in(text: str) -> int:
    """The number of blocks that begin in a text."""
    return sum(1 for _ in _BEGIN.finditer(text))


def decode(text: str, work: Work | None = None) -> Block:
    """The one block of a text.

    Raises FileRefused: E-TRANSPORT for no block, several, or a damaged one; E-LIMIT, for too little
    `work` too; and what `format.read` says of the entries in it. Never anything else.
    """
    work = work or Work()
    try:
        work.spend(VIEWS * len(text))
        block = _decode(_readable(text), work)
        if _has_invisible(text) and _HIDDEN not in block.repairs:
            block = replace(block, repairs=(*block.repairs, _HIDDEN))
        return block
    except FileRefused:
        raise
    except Exception as error:  # whatever a hostile text provokes is a fault of the text
        raise FileRefused("E-TRANSPORT", say("the block cannot be read"), hint=ASK) from error


def decode_each(text: str, work: Work, most: int) -> Iterator[Block | FileRefused]:
    """Each block of a text, up to the one after it, or why it is none; `most` are looked at.

    Raises FileRefused (E-LIMIT) where there are more, and when `work` is spent.
    """
    work.spend(len(text))
    pieces = _pieces(_readable(text))
    if len(pieces) < 2:
        try:
            yield decode(text, work)
        except FileRefused as refused:
            work.spend(VIEWS * len(text))
            several = (_pieces(view) for _, view in _repaired_views(text))
            pieces = next((found for found in several if len(found) > 1), [])
            if not pieces:
                yield refused
    for piece in pieces[:most] if len(pieces) > 1 else ():
        try:
            yield decode(piece, work)
        except FileRefused as refused:
            yield refused
    if len(pieces) > most:
        raise FileRefused(
            "E-LIMIT", say("it has more blocks than are read of one text ({most})", most=most)
        )


def _readable(text: str) -> str:
    """A text without what nobody sees, with plain dashes, if that leaves a block in it."""
    plain = without_invisible(text).translate(_DASHES)
    return plain if blocks_in(plain) else text


def _pieces(text: str) -> list[str]:
    """A text, from the line in which a block begins to that of the next."""
    begins = []
    for begin in _BEGIN.finditer(text):
        line = max(0, begin.start() - _BEFORE_BEGIN)
        begins.append(text.rfind("\n", line, begin.start()) + 1 or begin.start())
    return [text[begin:end] for begin, end in pairwise([*begins, len(text)])]


def _decode(text: str, work: Work) -> Block:
    try:
        return _block(text, work)
    except FileRefused as error:
        refused = error
    for name, repaired in _repaired_views(text):
        try:
            block = _block(repaired, work)
        except FileRefused as error:
            refused = error  # the nearer to what was sent, the better it says what is wrong
        else:
            return replace(block, repairs=(name, *block.repairs))
    raise refused


def _repaired_views(text: str) -> Iterator[tuple[str, str]]:
    """Each form that the text may have had before mail changed it; the repair, and its result."""
    repairs: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("quoted-printable", lambda text: from_quoted_printable(unquoted(text))),
        ("HTML", from_html),
        ("HTML", lambda text: from_html(from_html(from_quoted_printable(unquoted(text))))),
    )
    for name, repair in repairs if len(text) <= MAX_TEXT else ():
        changed = _readable(repair(text))
        if blocks_in(changed) and _NO_MEANING.sub("", changed) != _NO_MEANING.sub("", text):
            yield name, changed


def _block(text: str, work: Work) -> Block:
    mark, lines = _between(text)
    if mark:
        lines = without_mark(lines, mark)
    stream = _NO_MEANING.sub("", lines)
    head = _HEADER.match(stream)
    if head is None or ":" in stream[head.end() :]:  # no line of the body has one
        raise _header_fault(lines)
    game, first, last, size, rows = head[1], *(int(head[number]) for number in (2, 3, 4, 5))
    if last < first or last >= format.MAX_ENTRIES:
        raise _transport(
            say("the block says that it contains entries {first} to {last}", first=first, last=last)
        )
    if size > MAX_PACKED:
        raise FileRefused(
            "E-LIMIT",
            say("the block is larger than {max_packed} KiB", max_packed=MAX_PACKED >> 10),
            hint=ASK,
        )
    packed = _packed(stream[head.end() :], size, rows)
    if _digest(packed) != head[6]:
        raise _transport(
            say("the block does not match its digest: one of them was changed on the way")
        )
    block = Block(game, first, last, _entries(packed, work))
    _check_header(block)
    return replace(block, repairs=_repaired(lines, rows, is_quoted=bool(mark)))


def _between(text: str) -> tuple[str, str]:
    """What is between the only BEGIN and its END, and the mark of a reply before each line of it:
    what stands before BEGIN and is before the next line too, such as `Ana> ` or `* `.
    """
    begins = blocks_in(text)
    if begins > 1:
        raise FileRefused(
            "E-TRANSPORT",
            say("there are {begins} blocks in one text: which one do you mean?", begins=begins),
            hint=say("keep only the one that you want to read"),
        )
    if not begins:
        raise _transport(say("there is no block here: none begins with {begin}", begin=BEGIN))
    begin = _BEGIN.search(text)
    assert begin is not None
    end = _END.search(text, begin.end())
    if end is None:
        raise _transport(say("the block is cut off: its last line is missing"))
    if end.start() - begin.end() > MAX_TEXT:
        raise FileRefused(
            "E-LIMIT",
            say("the block is larger than {max_text} MiB", max_text=MAX_TEXT >> 20),
            hint=ASK,
        )
    lines = text[begin.end() : end.start()]
    above = text.rfind("\n", max(0, begin.start() - _MOST_OF_A_MARK), begin.start()) + 1
    mark = text[above or max(0, begin.start() - _MOST_OF_A_MARK) : begin.start()]
    is_mark = _NO_MEANING.sub("", mark) and lines.lstrip().startswith(mark.strip())
    return mark if is_mark else "", lines


def _packed(body: str, size: int, rows: int) -> bytes:
    """The zlib data of a body without white space; each line must match its check digits."""
    letters = (size + 2) // 3 * 4
    if rows != -(-letters // LINE) or not size:
        raise _transport(
            say(
                "the block says that {size} bytes fill {rows} lines, which they do not",
                size=size,
                rows=rows,
            )
        )
    found = []
    for number in range(1, rows + 1):
        at = (number - 1) * (LINE + CHECK)
        room = min(LINE, letters - (number - 1) * LINE)
        row, check = body[at : at + room], body[at + room : at + room + CHECK]
        if line_check(number, row) != check or not _BASE64(row):
            raise _transport(_line_fault(body, at, room, number, rows))
        found.append(row)
    if len(body) != letters + rows * CHECK:
        raise _transport(
            say("there is something between the last line, {rows}, and the end", rows=rows)
        )
    packed = binascii.a2b_base64("".join(found), strict_mode=True)
    if binascii.b2a_base64(packed, newline=False).decode("ascii") != "".join(found):
        raise _transport(say("line {rows} of {rows} is damaged", rows=rows))
    if len(packed) != size:
        raise _transport(
            say(
                "the block says that it has {size} bytes, and has {number}",
                size=size,
                number=len(packed),
            )
        )
    return packed


def _line_fault(body: str, at: int, room: int, number: int, rows: int) -> Said:
    """Whether a line was changed, or replaced by another."""
    row, check = body[at : at + room], body[at + room : at + room + CHECK]
    for other in range(max(1, number - 50), min(rows, number + 50) + 1):
        if other != number and line_check(other, row) == check:
            return say(
                "line {number} of {rows} is missing or out of place: line {other} is there instead",
                number=number,
                rows=rows,
                other=other,
            )
    if not row or len(body) <= at:
        return say("the block is cut off before line {number} of {rows}", number=number, rows=rows)
    return say("line {number} of {rows} is damaged", number=number, rows=rows)


def _header_fault(lines: str) -> FileRefused:
    """The faulty line of the header."""
    named = [found[1] for found in _NAMED.finditer(lines[:2000])]
    strange = [name for name in named if name not in _NAMES]
    if strange:
        return _transport(
            say(
                "the header of the block has a line {strange}, unknown here",
                strange=ascii(strange[0])[:40],
            )
        )
    doubled = next((name for name in _NAMES if named.count(name) > 1), None)
    if doubled:
        return _transport(
            say("the header of the block has the line {doubled} twice", doubled=ascii(doubled))
        )
    return _transport(
        say("the header of the block is damaged, or there is something else in the block")
    )


def _entries(packed: bytes, work: Work) -> tuple[Entry, ...]:
    inflate = zlib.decompressobj()
    try:
        plain = inflate.decompress(packed, min(MAX_INFLATED, work.left // JUDGING) + 1)
    except zlib.error:
        raise _transport(say("the content of the block cannot be unpacked")) from None
    work.spend(JUDGING * len(plain))
    if len(plain) > MAX_INFLATED:
        raise FileRefused(
            "E-LIMIT",
            say(
                "the block unpacks to more than {max_inflated} MiB", max_inflated=MAX_INFLATED >> 20
            ),
        )
    if not inflate.eof or inflate.unused_data:
        raise _transport(say("the content of the block cannot be unpacked"))
    entries = tuple(format.read(plain))
    for entry in entries:
        check_intact(entry)
    return entries


def _check_header(block: Block) -> None:
    """Refuses a header that contradicts the entries: the digest does not cover it."""
    numbers = [_member(entry, "seq") for entry in block.entries]
    if numbers != list(range(block.first, block.last + 1)):
        raise _transport(
            say(
                "the block says that it contains entries {first} to {last}, but it contains others",
                first=block.first,
                last=block.last,
            )
        )
    if not isinstance(_member(block.entries[-1], "game"), str) or (
        game_digits(block.entries[-1]) != block.game
    ):
        raise _transport(say("the block names a different game from the one its entries belong to"))


def _member(entry: Entry, name: str) -> Any:
    return entry.payload.get(name) if type(entry.payload) is dict else None


def _has_invisible(text: str) -> bool:
    """Whether there is anything nobody sees in a block, or before the line it begins with."""
    begin = _BEGIN.search(text)
    end = _END.search(text, begin.end()) if begin else None
    where = (begin.start() if begin else 0, end.end() if end else len(text))
    return _INVISIBLE.search(text, *where) is not None


def _repaired(lines: str, rows: int, *, is_quoted: bool) -> tuple[str, ...]:
    """The repairs to a block that is sound all the same, for the report."""
    found = []
    if is_quoted or re.search(r"^[ \t]*[>|]", lines, re.M):
        found.append("quoted reply")
    if re.search("[\u00a0\u202f]", lines):
        found.append(_HIDDEN)
    written = [line for line in lines.splitlines() if _NO_MEANING.sub("", line)]
    blank = len(lines.replace("\r\n", "\n").split("\n")) - len(written)
    if len(written) != rows + HEADER_LINES or (blank > ENDS + 1 and not found):
        found.append(marked("line breaks"))
    return tuple(found)


def _transport(message: Said) -> FileRefused:
    return FileRefused("E-TRANSPORT", message, hint=ASK)

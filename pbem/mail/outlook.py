"""What Outlook sends: winmail.dat (TNEF), and the packed RTF that a text may have in it.

Both are read as far as they hold texts and files; fonts, pictures and layout mean nothing here.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from pbem.gamefile import format
from pbem.gamefile.errors import FileRefused
from pbem.mail.packed import MAX_MEMBERS, RTF, STORED_RTF, TNEF, Packed
from pbem.mail.work import A_PART, Work
from pbem.messages import say

# Attributes, one after the other, each with its length.
_ATTRIBUTE = struct.Struct("<BII")
_NEXT_FILE, _TITLE, _DATA, _BODY = 0x69002, 0x18010, 0x6800F, 0x2800C
_OF_A_FILE, _OF_THE_MESSAGE = 0x69005, 0x69003
_CHECKSUM = 2
_TEXTS = re.compile(rb"[\x1e\x1f]\x00\x00\x10|\x02\x01[\x09\x13]\x10")
"""The names of the properties that are texts: plain, of two bytes a letter, HTML, packed RTF."""
_SIZES = struct.Struct("<II")

# Packed RTF: a letter, or a place in what was unpacked last.
_PACKED_HEAD = struct.Struct("<II4sI")
_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    b"\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_ROOM, _LEAST_COPY = 4096, 2

_TOKEN = re.compile(
    rb"\\([a-z]{1,32})(-?[0-9]{1,10})?[ ]?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]++)",
    re.I,
)
_LINE_ENDS = frozenset({b"par", b"line", b"row", b"sect", b"page"})
_SIGNS = {b"tab": "\t", b"lquote": "'", b"rquote": "'", b"ldblquote": '"', b"rdblquote": '"',
          b"emdash": "\u2014", b"endash": "\u2013", b"bullet": "\u2022"}  # fmt: skip
_NO_TEXT = frozenset({b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"listtable",
                      b"themedata", b"datastore", b"latentstyles", b"generator"})  # fmt: skip


def of_tnef(raw: bytes, work: Work) -> Iterator[Packed]:
    """The files attached, the text, and what is inside an attached message.

    Raises FileRefused: E-LIMIT when `work` is spent or there are too many, E-DAMAGED.
    """
    work.spend(len(raw))
    name, at = "", len(TNEF) + 2
    count = 0
    while at + _ATTRIBUTE.size <= len(raw):
        _, what, size = _ATTRIBUTE.unpack_from(raw, at)
        at += _ATTRIBUTE.size
        content = raw[at : at + size]
        if what == _NEXT_FILE:
            name = ""
        elif what == _TITLE:
            name = content.rstrip(b"\0").decode("utf-8", "replace")
        for member in _in_attribute(what, name, content):
            count += 1
            if count > MAX_MEMBERS:
                raise FileRefused("E-LIMIT", say("there are too many files in it"))
            work.spend(A_PART + len(member.content))
            yield member
        if at + size > len(raw):
            raise FileRefused(
                "E-DAMAGED",
                say("it is in Outlook's own format, and cut off"),
                hint=say("ask for the mail as plain text, with the file attached"),
            )
        at += size + _CHECKSUM


def _in_attribute(what: int, name: str, content: bytes) -> Iterator[Packed]:
    if what in (_DATA, _BODY):
        yield Packed(name if what == _DATA else "", content)
    elif what == _OF_A_FILE and TNEF in content:
        yield Packed(name, content[content.find(TNEF) :])
    elif what == _OF_THE_MESSAGE:
        at = 0
        while found := _TEXTS.search(content, at):
            at = found.start() + 1
            if found.start() + 12 > len(content):
                return
            count, size = _SIZES.unpack_from(content, found.start() + 4)
            begin = found.start() + 12
            if count == 1 and size and begin + size <= len(content):
                yield Packed("", content[begin : begin + size])
                at = begin + size


def text_of_rtf(raw: bytes, work: Work) -> bytes:
    """The text of it as UTF-8. Raises FileRefused: E-LIMIT, E-DAMAGED."""
    if not raw.startswith(RTF):
        raw = _unpacked(raw, work)
    work.spend(4 * len(raw))
    return "".join(_text(raw)).encode("utf-8", "replace")


def _unpacked(raw: bytes, work: Work) -> bytes:
    if len(raw) < _PACKED_HEAD.size:
        raise _damaged()
    _, size, kind, _ = _PACKED_HEAD.unpack_from(raw)
    if size > format.MAX_BYTES:
        raise FileRefused(
            "E-LIMIT",
            say("the file is larger than {max_bytes} MiB", max_bytes=format.MAX_BYTES >> 20),
        )
    packed = raw[_PACKED_HEAD.size :]
    if kind == STORED_RTF:
        return packed[:size]
    # Each two bytes give seventeen at most, one by one in Python: it is paid for before.
    work.spend(40 * min(size, 9 * len(packed)))
    room = bytearray(_DICTIONARY) + bytes(_ROOM - len(_DICTIONARY))
    written, at, plain = len(_DICTIONARY), 0, bytearray()
    while at < len(packed):
        kinds = packed[at]
        at += 1
        for bit in range(8):
            if len(plain) >= size or at >= len(packed):
                return bytes(plain[:size])
            if not kinds >> bit & 1:
                found = packed[at : at + 1]
                at += 1
                room[written] = found[0]
                written = (written + 1) % _ROOM
                plain += found
                continue
            if at + 2 > len(packed):
                raise _damaged()
            where = packed[at] << 8 | packed[at + 1]
            at += 2
            begin, length = where >> 4, (where & 15) + _LEAST_COPY
            if begin == written:
                return bytes(plain[:size])
            for step in range(length):
                letter = room[(begin + step) % _ROOM]
                room[written] = letter
                written = (written + 1) % _ROOM
                plain.append(letter)
    return bytes(plain[:size])


def _damaged() -> FileRefused:
    return FileRefused(
        "E-DAMAGED",
        say("its text is in Outlook's own format, and damaged"),
        hint=say("ask for the mail as plain text, with the file attached"),
    )


def _text(raw: bytes) -> Iterator[str]:
    """The words of a text in RTF: what is in a group of fonts, pictures or HTML is none."""
    depth, hidden = 0, 0
    skipped = 0
    is_first, is_off = False, False
    for token in _TOKEN.finditer(raw):
        word, number, code, sign, brace, plain = token.groups()
        if brace:
            depth += 1 if brace == b"{" else -1
            is_first = brace == b"{"
            if hidden and depth < hidden:
                hidden = 0
            continue
        if is_first and not hidden and (sign == b"*" or word in _NO_TEXT):
            hidden = depth
        is_first = False
        if hidden:
            continue
        if word == b"htmlrtf":
            is_off = number != b"0"
        elif is_off:
            continue
        elif word == b"u" and number:
            yield chr(int(number) % 0x10000)
            skipped = 1
        elif word in _LINE_ENDS or sign in (b"\n", b"\r"):
            yield "\n"
        elif word in _SIGNS:
            yield _SIGNS[word]
        elif code or plain:
            found = bytes([int(code, 16)]) if code else plain or b""
            yield found[skipped:].decode("cp1252", "replace")
            skipped = 0
        elif sign in (b"\\", b"{", b"}"):
            yield sign.decode()
        elif sign == b"~":
            yield " "

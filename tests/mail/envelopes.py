"""What mail programs, servers and people put around a game: each layer as a function of bytes."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import quopri
import re
import struct
import zipfile
from collections.abc import Callable, Mapping
from functools import cache

Change = Callable[[bytes], bytes]
TEXT = b"Content-Type: text/plain; charset=utf-8"
HEAD = b"Return-Path: <b@example.org>\nFrom: Beto <b@example.org>\nTo: a@example.org\nSubject: s\n"
NAMED = b'Content-Disposition: attachment; filename="game.pbem.json"'


def message(part: bytes, before: bytes = HEAD) -> bytes:
    """A mail with a text, this part, and a picture behind it."""
    png = base64.encodebytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    return (
        before + b"MIME-Version: 1.0\n"
        b'Content-Type: multipart/mixed; boundary="=_b"\n\nThis is MIME.\n'
        b"--=_b\n" + TEXT + b"\n\nHello Ana: here it is.\n\n"
        b"--=_b\n" + part + b"\n"
        b"--=_b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + png + b"\n"
        b"--=_b--\n"
    )


def alone(part: bytes) -> bytes:
    """A mail of this part alone."""
    return HEAD + b"MIME-Version: 1.0\n" + part + b"\n"


def coded(kind: bytes, label: bytes, body: bytes) -> bytes:
    return kind + b"\nContent-Transfer-Encoding: " + label + b"\n" + NAMED + b"\n\n" + body


FILE = b"Content-Type: application/octet-stream"


def in_base64(content: bytes) -> bytes:
    return coded(FILE, b"base64", base64.encodebytes(content))


def uuencoded(content: bytes, name: bytes = b"game.pbem.json") -> bytes:
    lines = (binascii.b2a_uu(content[at : at + 45]) for at in range(0, len(content), 45))
    return b"begin 644 " + name + b"\n" + b"".join(lines) + b"`\nend\n"


def padded_line_by_line(content: bytes) -> bytes:
    rows = (base64.b64encode(content[at : at + 40]) for at in range(0, len(content), 40))
    return coded(FILE, b"base64", b"\n".join(rows) + b"\n")


PARTS: Mapping[str, Change] = {
    "base64": in_base64,
    "base64, packed": lambda raw: in_base64(gzip.compress(raw)),
    "base64 in long lines": lambda raw: coded(FILE, b"base64", base64.b64encode(raw)),
    "base64 padded line by line": padded_line_by_line,
    "base64 padded, packed": lambda raw: padded_line_by_line(gzip.compress(raw)),
    "base64 for addresses": lambda raw: coded(FILE, b"base64", base64.urlsafe_b64encode(raw)),
    "base64 and a footer": lambda raw: in_base64(gzip.compress(raw))
    + b"\n_______________________________________________\nGames mailing list: wargames@x.org\n",
    "quoted-printable": lambda raw: coded(TEXT, b"quoted-printable", quopri.encodestring(raw)),
    "7bit": lambda raw: coded(TEXT, b"7bit", raw),
    "no label": lambda raw: TEXT + b"\n\n" + raw,
    "no header": lambda raw: b"\n" + raw,
    "binary": lambda raw: coded(FILE, b"binary", gzip.compress(raw)),
    "uuencode": lambda raw: coded(FILE, b"x-uuencode", uuencoded(raw)),
    "uuencode, packed": lambda raw: coded(
        FILE, b"uuencode", uuencoded(gzip.compress(raw), b"g.gz")
    ),
    "uuencode in a text": lambda raw: TEXT + b"\n\nHello,\n\n" + uuencoded(raw) + b"\nBye\n",
    "wrong label": lambda raw: coded(b"Content-Type: image/png", b"7bit", base64.encodebytes(raw)),
    "called quoted": lambda raw: coded(TEXT, b"quoted-printable", base64.encodebytes(raw)),
    "called base64": lambda raw: coded(FILE, b"base64", raw),
    "zip": lambda raw: in_base64(zipped(raw)),
    "zip of a packed one": lambda raw: in_base64(zipped(gzip.compress(raw), "game.pbem.json.gz")),
    "zip called gzip": lambda raw: coded(
        b"Content-Type: application/gzip", b"base64", base64.encodebytes(zipped(raw))
    ),
    "winmail.dat": lambda raw: coded(
        b"Content-Type: application/ms-tnef", b"base64", base64.encodebytes(winmail(raw))
    ),
    "winmail.dat under another label": lambda raw: in_base64(winmail(gzip.compress(raw))),
    "winmail.dat with a text in packed RTF": lambda raw: in_base64(
        winmail_of(b"\x02\x01\x09\x10", packed_rtf(raw))
    ),
    "winmail.dat with a text in RTF": lambda raw: in_base64(
        winmail_of(b"\x02\x01\x09\x10", packed_rtf(raw, is_stored=True))
    ),
    "winmail.dat with a text of two bytes a letter": lambda raw: in_base64(
        winmail_of(b"\x1f\x00\x00\x10", raw.decode().encode("utf-16-le") + b"\0\0")
    ),
    "winmail.dat with a page": lambda raw: in_base64(
        winmail_of(b"\x02\x01\x13\x10", page(raw, "<br>\n"))
    ),
    "RTF": lambda raw: coded(b"Content-Type: text/rtf", b"base64", base64.encodebytes(rtf(raw))),
    "a message as a file": lambda raw: in_base64(message(in_base64(raw))),
    "a message": lambda raw: b"Content-Type: message/rfc822\n\n" + message(in_base64(raw)),
    "a coded message": lambda raw: coded(
        b"Content-Type: message/rfc822", b"base64", base64.encodebytes(message(in_base64(raw)))
    ),
    "a global message": lambda raw: b"Content-Type: message/global\n\n" + message(in_base64(raw)),
    "a digest": lambda raw: b'Content-Type: multipart/digest; boundary="d"\n\n--d\n\n'
    + message(in_base64(raw)) + b"\n--d--\n",
    "a mail quoted whole": lambda raw: TEXT + b"\n\nHe wrote:\n\n"
    + re.sub(rb"(?m)^", b"> ", message(in_base64(raw))),
    "two bytes a letter": lambda raw: coded(
        b"Content-Type: text/plain; charset=utf-8", b"base64",
        base64.encodebytes(("\u2019 " + raw.decode()).encode("utf-16")),
    ),
    "two bytes a letter, no mark": lambda raw: coded(
        b"Content-Type: text/plain; charset=utf-16", b"base64",
        base64.encodebytes(raw.decode().encode("utf-16-be")),
    ),
    "four bytes a letter": lambda raw: in_base64(raw.decode().encode("utf-32")),
    "UTF-7": lambda raw: coded(
        b"Content-Type: text/plain; charset=utf-7", b"7bit", raw.decode().encode("utf-7")
    ),
    "called UTF-16": lambda raw: coded(
        b"Content-Type: text/plain; charset=utf-16", b"base64", base64.encodebytes(raw)
    ),
    "base64 in a text": lambda raw: TEXT + b"\n\nHere:\n\n" + base64.encodebytes(raw) + b"Bye\n",
    "base64 in a reply, packed": lambda raw: TEXT + b"\n\nYou wrote:\n" + re.sub(
        rb"(?m)^(?=.)", b"> ", base64.encodebytes(gzip.compress(raw))
    ),
    "uuencoded with base64": lambda raw: TEXT + b"\n\nbegin-base64 644 g\n"
    + base64.encodebytes(raw) + b"====\n",
    "uuencode in a reply": lambda raw: TEXT + b"\n\nYou wrote:\n" + re.sub(
        rb"(?m)^", b"> ", uuencoded(raw)
    ),
    "in an address of a page": lambda raw: b"Content-Type: text/html\n\n<html><a href="
    + b'"data:application/json;base64,' + base64.b64encode(raw) + b'">turn</a></html>',
    "forwarded five times": lambda raw: forwarded(message(in_base64(raw)), 5),
    "a digest behind the end": lambda raw: b'Content-Type: multipart/mixed; boundary="e"\n\n'
    + b"--e\n\nHi\n--e--\n--e\n" + in_base64(raw) + b"\n--e--\n",
}  # fmt: skip
"""A part with the game in it, as one program or another writes it."""


def forwarded(raw: bytes, times: int) -> bytes:
    """A part with a mail that has one attached that has one attached, each with a text."""
    for _ in range(times):
        raw = HEAD + (
            b'Content-Type: multipart/mixed; boundary="f"\n\n--f\n\nSee below.\n'
            b"--f\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        ) + base64.encodebytes(raw) + b"\n--f--\n"  # fmt: skip
    return b"Content-Type: message/rfc822\n\n" + raw


def zipped(content: bytes, name: str = "turn 4/game.pbem.json") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", "my turn")
        archive.writestr(name, content)
    return file.getvalue()


def winmail(content: bytes, name: bytes = b"game.pbem.json") -> bytes:
    """A winmail.dat as Outlook writes it: the parts of the format that matter."""

    def attribute(level: int, what: int, data: bytes) -> bytes:
        return (
            struct.pack("<BII", level, what, len(data))
            + data
            + struct.pack("<H", sum(data) & 0xFFFF)
        )

    return (
        b"\x78\x9f\x3e\x22\x01\x00"
        + attribute(1, 0x00089006, b"\x00\x00\x01\x00")
        + attribute(1, 0x00078008, b"IPM.Microsoft Mail.Note\0")
        + attribute(2, 0x00069002, b"\x01\x00" + bytes(12))
        + attribute(2, 0x00018010, b"photo.jpg\0") + attribute(2, 0x0006800F, b"\xff\xd8" * 9)
        + attribute(2, 0x00069002, b"\x01\x00" + bytes(12))
        + attribute(2, 0x00018010, name + b"\0") + attribute(2, 0x0006800F, content)
        + attribute(2, 0x00069005, b"\0" * 16)
    )  # fmt: skip


def rtf(content: bytes) -> bytes:
    """A text as a word processor writes it: fonts, a picture, line ends of its own."""
    text = (
        re.sub(rb"([\\{}])", rb"\\\1", content).replace(b" ", b"\\~").replace(b"\n", b"\\par\r\n")
    )
    return (
        b"{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}{\\pict 89504e47}\\f0\\fs20 "
        b"Caf\\'e9, \\u8217?s turn\\tab here:\\par\r\n" + text + b"}"
    )


KNOWN_BEFORE = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier"
    b"{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What every packed RTF may name, as its specification has it."""


@cache
def packed_rtf(content: bytes, *, is_stored: bool = False) -> bytes:
    """The same as Outlook packs it: what stands in the last 4096 bytes is only named."""
    plain = rtf(content)
    if is_stored:
        return struct.pack("<II4sI", len(plain) + 12, len(plain), b"MELA", 0) + plain
    behind = KNOWN_BEFORE
    all_of_it, at = behind + plain, len(behind)
    pieces: list[tuple[int, bytes]] = []
    while at < len(all_of_it):
        size = 17
        while (
            size > 1
            and (found := all_of_it.rfind(all_of_it[at : at + size], max(0, at - 4000), at)) < 0
        ):
            size -= 1
        if size > 1 and at + size <= len(all_of_it):
            pieces.append((1, struct.pack(">H", found % 4096 << 4 | size - 2)))
            at += size
        else:
            pieces.append((0, all_of_it[at : at + 1]))
            at += 1
    pieces.append((1, struct.pack(">H", at % 4096 << 4)))
    packed = b"".join(
        bytes([sum(bit << place for place, (bit, _) in enumerate(pieces[first : first + 8]))])
        + b"".join(each for _, each in pieces[first : first + 8])
        for first in range(0, len(pieces), 8)
    )
    return struct.pack("<II4sI", len(packed) + 12, len(plain), b"LZFu", 0) + packed


def winmail_of(name: bytes, content: bytes) -> bytes:
    """A winmail.dat that has a text, and no file: one property of the message with this name."""
    data = struct.pack("<I", 2) + b"\x03\x00\xde\x3f\xe9\xfd\0\0" + name
    data += struct.pack("<II", 1, len(content)) + content + bytes(-len(content) % 4)
    return (
        b"\x78\x9f\x3e\x22\x01\x00"
        + struct.pack("<BII", 1, 0x00069003, len(data))
        + data
        + struct.pack("<H", sum(data) & 0xFFFF)
    )


def label(text: bytes) -> Change:
    """The same mail with the label of its coding written in another way."""
    return lambda raw: re.sub(
        rb"(?i)(Content-Transfer-Encoding:) ([\w-]+)", lambda found: found[1] + text % found[2], raw
    )


def with_gap(gap: bytes) -> Change:
    """The same with something between the lines of each header of a part."""
    return lambda raw: raw.replace(
        b"\nContent-Transfer-Encoding", gap + b"Content-Transfer-Encoding"
    )


DAMAGES: Mapping[str, Change] = {
    "none": lambda raw: raw,
    "a semicolon": label(b" %b;"),
    "quotation marks": label(b' "%b"'),
    "a comment": label(b" %b (how it is coded)"),
    "a comment before": label(b" (coded) %b"),
    "blanks behind": label(b" %b  \t "),
    "no blank": label(b"%b"),
    "capitals": lambda raw: label(b" %b")(raw).replace(b"base64\n", b"BASE64\n"),
    "typed twice": label(b" %b\nContent-Transfer-Encoding: 7bit"),
    "typed twice, the other way": label(b" 7bit\nContent-Transfer-Encoding: %b"),
    "folded": label(b"\n  %b"),
    "a gap": with_gap(b"\n\n"),
    "a line of one blank": with_gap(b"\n \n"),
    "a body after a line of one blank": lambda raw: raw.replace(b"\n\n", b"\n \n"),
    "more empty lines": lambda raw: raw.replace(b"\n\n", b"\n\n\n\n"),
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "CR alone": lambda raw: raw.replace(b"\n", b"\r"),
    "the end is missing": lambda raw: raw.replace(b"--=_b--\n", b""),
    "the boundary is not named": lambda raw: raw.replace(b'; boundary="=_b"', b""),
    "another boundary is named": lambda raw: raw.replace(b'boundary="=_b"', b'boundary="=_c"'),
    "the end in the middle": lambda raw: raw.replace(b"it is.\n\n", b"it is.\n\n--=_b--\n\n"),
    "no header of a mail": lambda raw: raw[raw.index(b"MIME-Version") :],
}
"""Damage to a mail as bytes; what a part holds stays as it is."""


def box(*messages: bytes, line: bytes = b"From b@example.org Sat Nov 28 10:00:00 2026\n",
        between: bytes = b"\n") -> bytes:  # fmt: skip
    return between.join(line + each for each in messages)


OTHER = HEAD + b"Date: x\n\nSee you: on Sunday.\n"
PLIST = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict/></plist>\n'


def page(raw: bytes, line_end: str) -> bytes:
    """What a webmail shows as the original of a mail, saved as a page."""
    text = html.escape(raw.decode("latin-1")).replace("\n", line_end)
    return f"<html><head><title>Original</title></head><body><p>{text}</p></html>".encode()


def wrapped(raw: bytes) -> bytes:
    return b"%d\n" % len(raw) + raw + PLIST


TRANSPORTS: Mapping[str, Change] = {
    "a message": lambda raw: raw,
    "empty lines before": lambda raw: b"\r\n\n" + raw,
    "forty bytes before": lambda raw: b"\0\x01saved by a program of nobody's \xff\xfe!\n" + raw,
    "forty bytes in the line": lambda raw: b"\0\x01saved by a program of nobody's \xff!  " + raw,
    "a line before": lambda raw: b"-- forwarded by the gateway --\n" + raw,
    "a From line": lambda raw: b"From b@example.org Sat Nov 28 10:00:00 2026\n" + raw,
    "a quoted From line": lambda raw: b">From b@example.org Sat Nov 28 10:00:00 2026\n" + raw,
    "emlx": wrapped,
    "mailbox": lambda raw: box(OTHER, raw, OTHER),
    "mailbox, bare From lines": lambda raw: box(OTHER, raw, OTHER, line=b"From \n"),
    "mailbox, From alone": lambda raw: box(OTHER, raw, OTHER, line=b"From\n"),
    "mailbox without empty lines": lambda raw: box(OTHER, raw, OTHER, between=b""),
    "mailbox of Thunderbird": lambda raw: box(
        OTHER, raw, OTHER, line=b"From - Sat Nov 28 10:00:00 2026\nX-Mozilla-Status: 0001\n"
    ),
    "one behind the other": lambda raw: OTHER + raw + OTHER,
    "one behind another with parts": lambda raw: message(in_base64(b"no game")) + raw,
    "three behind each other": lambda raw: message(in_base64(b"x")) * 2 + b"\n\n" + raw,
    "in a mailbox, one behind the other": lambda raw: box(OTHER, OTHER + b"\n" + raw),
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "two bytes a letter": lambda raw: raw.decode("latin-1").encode("utf-16"),
    "mailbox of two bytes a letter": lambda raw: box(OTHER, raw).decode("latin-1").encode(
        "utf-16-be"
    ),
    "its source as a page": lambda raw: page(raw, "\n").replace(b"<p>", b"<pre>"),
    "its source as a page of lines": lambda raw: page(raw, "<br>\n"),
    "packed": gzip.compress,
    "packed mailbox": lambda raw: gzip.compress(box(OTHER, raw)),
    "zip": lambda raw: zipped(raw, "turn.eml"),
    "zip of a mailbox": lambda raw: zipped(box(OTHER, raw), "in.mbox"),
    "text of a mailbox message": lambda raw: box(
        OTHER, OTHER + b"\n> " + raw.replace(b"\n", b"\n> ")
    ),
}  # fmt: skip
"""How a mail is stored or sent on."""

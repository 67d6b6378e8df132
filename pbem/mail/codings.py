"""Transfer codings, whatever has been done to them: base64, quoted-printable, uuencode.

A label may be spelt in any way, and what is coded may have something behind it that is not: the
footer of a mailing list, the next message. That is given back beside what was decoded.
"""

from __future__ import annotations

import binascii
import quopri
import re
import string
from collections.abc import Iterator

_NAME = re.compile(r'[\s"\'<(]*([a-z0-9-]+)', re.I)
_COMMENT = re.compile(r"\([^()]*\)")
_UU = frozenset({"x-uuencode", "uuencode", "uue", "x-uue"})
_URL_LETTERS = bytes.maketrans(b"-_", b"+/")
_NOT_BASE64 = bytes(set(range(256)) - {*b"+/=", *(string.ascii_letters + string.digits).encode()})
_BASE64_LINE = rb"[ \t>|]*+[A-Za-z0-9+/_-]*+=*+[ \t]*+(?![^\r\n])"
"""A line of nothing else; quotation marks before it mean nothing."""
_IS_BASE64_LINE = re.compile(_BASE64_LINE)
_MOST_BASE64 = re.compile(rb"[A-Za-z0-9+/\r\n]*+")
_BEHIND_BASE64 = re.compile(rb"\n(?!" + _BASE64_LINE + rb")|\r(?!\n|" + _BASE64_LINE + rb")")
_BASE64_BEGINS = re.compile(
    rb"\s*+(?:[A-Za-z0-9+/]{16,}+={0,2}[ \t]*+(?:\r\n|\r(?!\n)|\n|\Z)){1,20}"
)
_BASE64_RUN = re.compile(
    rb";base64,([A-Za-z0-9+/]++={0,2})|"
    rb"(?:(?:^|(?<=\r))[ \t>|]*+[A-Za-z0-9+/]{40,}+={0,2}[ \t]*+(?:\r\n|\r(?!\n)|\n|\Z))+"
    rb"(?:[ \t>|]*+[A-Za-z0-9+/]++={0,2}[ \t]*+(?![^\r\n]))?",
    re.M,
)
"""Lines of at least forty letters, and the shorter one that ends them."""
_UU_BEGINS = re.compile(rb"(?:^|(?<=\r))begin [0-7]{1,6} ([^\r\n]{1,200})(?:\r\n?|\n)", re.M)
_UU_QUOTED = re.compile(
    rb"(?:^|(?<=\r))([ \t]{0,9}[>|][ \t>|]{0,30})begin [0-7]{1,6} [^\r\n]{1,200}(?=[\r\n]|\Z)", re.M
)
_LINE_END = re.compile(rb"\r\n?")
_UU_ENDS = re.compile(rb"(?:^|(?<=\r))(?:end[ \t]*+(?:$|\r)|[^ -`\r\n])", re.M)
_PADDED = re.compile(rb"([^=]*+)(=++|\Z)")
_LINE = re.compile(rb"[^\r\n]++")
_A_LINE = 61
"""The letters of a uuencoded line."""


def coding_named(label: str) -> str:
    """The coding that a header names, in lower case, without what stands around its name."""
    found = _NAME.match(_COMMENT.sub(" ", label))
    return found[1].lower() if found else ""


def decoded(body: bytes, coding: str) -> tuple[bytes, bytes]:
    """What a body contains, and what stands behind that and is not coded in this way."""
    if coding in ("base64", "b64", "base-64"):
        end = _base64_end(body)
        return from_base64(body[:end]), body[end:]
    if coding in ("quoted-printable", "qp", "quotedprintable"):
        return quopri.decodestring(body), b""
    if coding in _UU:
        for _, content in uuencoded(body):
            return content, b""
    return body, b""


def from_base64(body: bytes, *, for_addresses: bool = False) -> bytes:
    """Decodes base64 whatever stands between its letters, each padded piece by itself.

    `for_addresses`: with the two letters that addresses may have, `-` and `_`.
    """
    if for_addresses:
        body = body.translate(_URL_LETTERS)
    letters = body.translate(None, _NOT_BASE64)
    found: list[bytes] = []
    piece: list[bytes] = []
    size = 0
    for part in _PADDED.finditer(letters):
        piece.append(part[1])
        size += len(part[1])
        # What would not be enough is no padding, and means nothing.
        if size % 4 > 1 and size % 4 + len(part[2]) >= 4:
            found.append(_unpadded(b"".join(piece)))
            piece, size = [], 0
    return b"".join((*found, _unpadded(b"".join(piece))))


def looks_like_base64(body: bytes) -> bool:
    """Whether a text begins with whole lines of it, as where a label was lost."""
    begin = _BASE64_BEGINS.match(body, 0, 2_000)
    return begin is not None and (begin.end() >= len(body) or begin.end() > 100)


def base64_within(text: bytes) -> Iterator[bytes]:
    """What each run of whole lines of base64 in a text stands for, quoted or not, and each address
    that has its content in it.
    """
    for run in _BASE64_RUN.finditer(text):
        yield from_base64(run[1] or run[0])


def uuencoded(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each file that is uuencoded in a text: its name, its content as far as it can be read."""
    quoted = _UU_QUOTED.search(body)
    if quoted is not None:  # a line of code may begin with such a mark, too: only these are taken
        body = _LINE_END.sub(b"\n", body)
        body = re.sub(rb"^" + re.escape(quoted[1]), b"", body, flags=re.M)
    at = 0
    while begin := _UU_BEGINS.search(body, at):
        end = _UU_ENDS.search(body, begin.end())
        at = end.start() if end else len(body)
        found = bytearray()
        for line in _LINE.finditer(body, begin.end(), at):
            found += _uu_line(line[0])
        yield begin[1], bytes(found)


def _base64_end(body: bytes) -> int:
    if not _IS_BASE64_LINE.match(body):
        return len(body)
    most = _MOST_BASE64.match(body).end()  # type: ignore[union-attr]
    behind = _BEHIND_BASE64.search(body, max(body.rfind(b"\n", 0, most), 0))
    end = behind.end() if behind else len(body)
    return end if end and body[:end].strip() else len(body)


def _unpadded(letters: bytes) -> bytes:
    """One piece without its padding; a single letter at its end means nothing."""
    whole, rest = len(letters) // 4 * 4, len(letters) % 4
    return binascii.a2b_base64(letters[:whole] + (letters[whole:] + b"==" if rest > 1 else b""))


def _uu_line(line: bytes) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:  # a blank too many at the end, as some programs write
        size = (((line[0] - 32) & 63) * 4 + 5) // 3
        try:
            return binascii.a2b_uu(line[:size])
        except binascii.Error:
            return b""

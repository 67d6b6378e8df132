"""The damage that mail programs do to a text, and how each kind is undone.

A repair is a guess and is never trusted: digests are checked after it. Each takes time in
proportion to the text, whatever the text is.
"""

from __future__ import annotations

import html
import quopri
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from pbem.messages import marked

_CHARSET = re.compile(
    r"utf-[78]|utf-16(?:le|be)?|us-ascii|(?:iso-8859-|windows-)[0-9]{1,4}"
).fullmatch
"""The accepted character sets: some that Python knows are slow, or are not character sets."""
_QUOTE = re.compile(r"^[ \t]*(?:[>|][ \t]?)+", re.M)
_SOFT_BREAK = re.compile(r"=(?:3D|[ \t]*\r?$)", re.M | re.I)
_FOREMOST = re.compile(r"^([^\n{}\"]{1,40}?)\{[ \t]*\r?\n\1[ \t]*\"(?:entries|format)\"", re.M)
"""The first lines of a game file with the same marks before them."""
_BLANKS = re.compile("[\t\x0b\x0c\x85\u00a0\u2000-\u200a\u202f\u205f\u3000]")
NOTHING = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
"""Invisible characters that mail programs put in, as a range of a pattern."""
_NOTHING = re.compile(f"[{NOTHING}]")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_WIDE = {
    (0, 1, 1, 1): "utf-32-le", (1, 1, 1, 0): "utf-32-be",
    (0, 1, 0, 1): "utf-16-le", (1, 0, 1, 0): "utf-16-be",
}  # fmt: skip
"""Which of four bytes are nearly always zero in a text of letters of two or four bytes."""
_TELLING = 512
_FIRST = ("7", "16", "16le", "16be")
"""What may be taken for UTF-8 too, where it is named."""
_BREAK = re.compile(r"<(?:br|/p|/div|/tr|/li|/pre)\b[^<>]*>", re.I)
_TAG = re.compile(r"<(?:!--|/?[a-z])[^<>]*>", re.I)
_LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}")
_BACKSLASH, _QUOTATION = "\0", "\1"
"""Placeholders for escaped characters while texts are searched; JSON has neither of them."""
_BROKEN_CLOSELY = re.compile(r"\r?\n[ \t]*")
_CODE = re.compile(r"[0-9a-f]{16,}|[0-9A-Za-z+/]{40,}={0,2}").fullmatch
_CURLY = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'))


def narrowed(raw: bytes) -> bytes:
    """A text of two or four bytes a letter as UTF-8, whatever its label; else what was given.

    Without the mark that such texts begin with.
    """
    head = raw[:_TELLING]
    if b"\0" not in head:
        return raw.removeprefix(b"\xef\xbb\xbf")
    least = len(head) // 4 * 3 // 4
    one, two, three, four = (int(head[at::4].count(0) > least) for at in range(4))
    name = _WIDE.get((one, two, three, four)) if least else None
    if name is None:
        return raw
    return raw.decode(name, "replace").removeprefix("\ufeff").encode("utf-8", "replace")


def decoded(raw: bytes, charset: str = "utf-8") -> str:
    """Bytes as text: by their byte order mark, as declared, or as western machines write."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    named = charset.lower() if _CHARSET(charset.lower()) else "utf-8"
    if named.startswith("utf-16") and b"\0" not in raw[:_TELLING]:
        named = "utf-8"
    for name in (named, "utf-8-sig") if named[4:] in _FIRST else ("utf-8-sig", named):
        try:
            return raw.decode(name)
        except (LookupError, ValueError):
            continue
    return raw.decode("cp1252", "replace")


def unquoted(text: str) -> str:
    """The text without the marks that a reply puts before lines: `> `, `>>`, `> > `, `| `.

    Before a game file they may be any others, such as `Ana> ` or `: `, the same before each line.
    """
    first = _FOREMOST.search(text)
    if first is not None and first[1].strip():
        text = without_mark(text, first[1])
    return _QUOTE.sub("", text)


def without_mark(text: str, mark: str) -> str:
    """The text without this mark before its lines."""
    return re.sub(rf"^[ \t]*{re.escape(mark.strip())}[ \t]?", "", text, flags=re.M)


def from_quoted_printable(text: str) -> str:
    """Decodes text that looks as if decoding was forgotten: `=3D`, `=` at the end of a line."""
    if not _SOFT_BREAK.search(text):
        return text
    return decoded(quopri.decodestring(text.encode("utf-8", "replace")))


def plain_blanks(text: str) -> str:
    """The text with ordinary blanks for all others, and without invisible characters."""
    return without_invisible(_BLANKS.sub(" ", text))


def without_invisible(text: str) -> str:
    """The text without invisible characters, with one kind of line end."""
    return _NOTHING.sub("", _LINE_ENDS.sub("\n", text))


def from_html(text: str) -> str:
    """The text of a page: line ends where it shows some, no tags, no entities."""
    broken = _TAG.sub("", _BREAK.sub("\n", text))
    return html.unescape(_LONG_NUMBER.sub("", broken))


def straight_quotes(text: str) -> str:
    """The text with `"` for what a word processor makes of it."""
    return text.translate(_CURLY)


def joined(text: str) -> str:
    """JSON texts joined again after line wrapping: codes without a gap, words with one."""
    return _each_text(text, _joined)


def joined_closely(text: str) -> str:
    """The same without any gap, for a program that breaks words, or keeps the blank."""
    return _each_text(text, lambda inner: _BROKEN_CLOSELY.sub("", inner))


def _each_text(text: str, change: Callable[[str], str]) -> str:
    """The text after changing every JSON text in it that continues over the end of a line."""
    if "\n" not in text:
        return text
    parts = text.replace("\\\\", _BACKSLASH).replace('\\"', _QUOTATION).split('"')
    for at in range(1, len(parts), 2):
        if "\n" in parts[at]:
            parts[at] = change(parts[at])
    return '"'.join(parts).replace(_QUOTATION, '\\"').replace(_BACKSLASH, "\\\\")


def _joined(inner: str) -> str:
    lines = _lines_of(inner)
    whole = "".join(lines)
    return whole if _CODE(whole) else " ".join(lines)


def _lines_of(inner: str) -> list[str]:
    """The lines of a text, stripped.

    They are stripped line by line: a pattern that begins with blanks would scan a run of them once
    for each blank.
    """
    first, *others = inner.split("\n")
    lines = [first, *(line.lstrip(" \t") for line in others)]
    return [*(line.removesuffix("\r").rstrip(" \t") for line in lines[:-1]), lines[-1]]


REPAIRS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        marked("quoted reply"): unquoted,
        "quoted-printable": from_quoted_printable,
        marked("no-break spaces"): plain_blanks,
        "HTML": from_html,
        marked("broken lines"): joined,
        marked("broken words"): joined_closely,
        marked("curly quotes"): straight_quotes,
    }
)
"""Name, as it is reported, and function, in the order in which they are tried one by one."""

TOGETHER = (
    "quoted-printable", "HTML", "no-break spaces", "quoted reply", "curly quotes", "broken lines",
)  # fmt: skip
"""The order in which damages on top of each other come off: the outermost first."""

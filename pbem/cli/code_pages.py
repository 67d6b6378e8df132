"""Output for a terminal or pipe that is not UTF-8: what its code page lacks is replaced.

Such are the terminals of Windows (cp437, cp1250, cp932) and a pipe under PYTHONIOENCODING=ascii. A
letter loses its accent and a sign becomes the one most like it, of the same width where that can
be, so that a board keeps its columns. JSON loses nothing: there it is written as an escape.
"""

from __future__ import annotations

import codecs
import sys
from typing import Any, TextIO
from unicodedata import combining, normalize

PLAIN, ESCAPED = "pbem-plain", "pbem-escaped"
"""The names under which Python finds how to replace what cannot be encoded."""
UNKNOWN = "?"
LIKE = {
    "−": "-", "–": "-", "—": "-", "…": ".", "½": ".5", "▶": ">", "◀": "<", "→": ">", "❚": "|",
    "•": "*", "·": ".", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "«": '"',
    "»": '"', "¿": "?", "¡": "!", "×": "x",
}  # fmt: skip
"""Signs of our texts, and what stands for them."""


def fit() -> None:
    """Lets standard output and error replace what they cannot print, and input what it cannot
    read.
    """
    codecs.register_error(PLAIN, _plain)
    codecs.register_error(ESCAPED, _escaped)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stdin else PLAIN)


def as_ascii_json(text: str) -> str:
    """JSON with an escape for each character that is not ASCII: whoever reads it need not know the
    code page.
    """
    return text.encode("ascii", ESCAPED).decode("ascii")


def printable_in(stream: TextIO, text: str) -> str:
    """A text of what a stream can print."""
    return text.encode(stream.encoding, PLAIN).decode(stream.encoding)


def _plain(fault: UnicodeError) -> tuple[str, int]:
    at, lost = _lost(fault)
    return "".join(map(_like, lost)), at


def _escaped(fault: UnicodeError) -> tuple[str, int]:
    at, lost = _lost(fault)
    units = lost.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), at


def _lost(fault: UnicodeError) -> tuple[int, str]:
    """Where to go on, and what cannot be encoded."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    return fault.end, fault.object[fault.start : fault.end]


def _like(letter: str) -> str:
    if letter in LIKE:
        return LIKE[letter]
    if combining(letter):
        return ""
    parts: Any = normalize("NFKD", letter)
    bare = "".join(each for each in parts if not combining(each))
    return bare if bare.isascii() and bare else UNKNOWN

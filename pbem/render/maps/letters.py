"""How wide words are: an estimate that no usual font exceeds by much.

A picture names several fonts, and which one is used is not known when it is written.
"""

from __future__ import annotations

WIDTHS = {
    30: "ijlIíÍJ' ,.·/:;\\|", 38: "ft()[]-!¡r", 50: "\"*_`–szc?¿", 58: "kFLvxy", 63: "aoeTYPESáóéÉ",
    86: "w#+<=>^~×M", 99: "mW%@…",
}  # fmt: skip
"""Letters by their width in DejaVu Sans, the widest of the fonts, in hundredths of their size."""
OTHERS, CAPITALS = 64, 76
BOLD = 113
"""How wide bold words are, in hundredths of others."""
_KNOWN = {letter: width for width, letters in WIDTHS.items() for letter in letters}


def wide(words: str, size: int, *, is_bold: bool = False) -> int:
    """How wide a line is, in the unit of `size`, rounded up."""
    across = sum(_letter(letter) for letter in words) * size
    return -(-across * (BOLD if is_bold else 100) // 10_000)


def _letter(letter: str) -> int:
    return _KNOWN.get(letter, CAPITALS if letter.isupper() else OTHERS)

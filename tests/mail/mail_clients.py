"""What mail programs do to a text, and what happens to a block of armour, each as a function."""

from __future__ import annotations

import html
import quopri
import re
import textwrap
from collections.abc import Callable, Mapping


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def replied_to(text: str) -> str:
    """A reply below, with the words of both around it, braces among them."""
    return f"Ana {{the general}} wrote:\n{quoted(quoted(text, '>'))}\nSo be it {{Beto}}.\n"


def quoted_printable(text: str) -> str:
    """As a program writes it that breaks lines early: those of a block fit into the usual ones."""
    coded = quopri.encodestring(text.encode()).decode()
    return re.sub(r"(?m)^([^=\n]{50})(?=[^=\n]{4})", r"\1=\n", coded)


def as_html(text: str) -> str:
    body = html.escape(text).replace("\n", "<br>\n").replace("  ", "&nbsp; ")
    return (
        "<!DOCTYPE html><html><head><title>x</title></head><body><p>Hi Ana,</p>\n"
        f'<div style="font: 1em">{body}</div></body></html>\n'
    )


def no_break_spaces(text: str) -> str:
    return text.replace(" ", "\u00a0")


def curly(text: str) -> str:
    parts = text.split('"')
    marks = ["\u201c", "\u201d"] * (len(parts) // 2)
    return "".join(part + mark for part, mark in zip(parts, [*marks, ""], strict=False))


def wrapped(text: str, width: int) -> str:
    """Broken at blanks, as most programs do; a word that is too long stays whole."""
    lines = (
        textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(part for parts in lines for part in parts)


def broken(text: str, width: int) -> str:
    """Broken anywhere, as some do."""
    return "".join(
        f"{line[at : at + width]}\n"
        for line in text.splitlines()
        for at in range(0, max(1, len(line)), width)
    )


def around(text: str) -> str:
    return f"Dear Ana,\n\nhere it is.\n\n{text}\n-- \nBeto\n"


def dash_escaped(text: str) -> str:
    """What PGP does to a signed text."""
    return "".join(
        f"- {line}" if line.startswith("-") else line for line in text.splitlines(keepends=True)
    )


def double_spaced(text: str) -> str:
    return text.replace("\n", "\n\n")


def stuffed(text: str) -> str:
    """format=flowed: a blank in front, blanks behind."""
    return "".join(f" {line}  \n" for line in text.splitlines())


def in_each_line(text: str, sign: str, width: int = 25) -> str:
    """Something that nobody sees, within the words."""
    return "\n".join(
        sign.join(line[at : at + width] for at in range(0, len(line), width))
        for line in text.split("\n")
    )


HARMLESS: Mapping[str, Callable[[str], str]] = {
    "carriage returns": crlf,
    "quoted": quoted,
    "quoted twice, with words around": replied_to,
    "words around": around,
    "blanks at both ends": stuffed,
    "quoted-printable": quoted_printable,
    "double spacing": double_spaced,
    "no-break spaces": no_break_spaces,
    "dash escape": dash_escaped,
    "wrapped at 62": lambda text: wrapped(text, 62),
    "broken at 62": lambda text: broken(text, 62),
    "HTML": as_html,
    "quoted HTML": lambda text: as_html(quoted(text)),
    "quoted by name": lambda text: around(quoted(text, "Ana> ")),
    "quoted by initials, twice": lambda text: quoted(quoted(text, "AB> "), "> "),
    "quoted with a sign": lambda text: quoted(text, "* "),
    "quoted with a bar": lambda text: quoted(text, "\u2502 "),
    "quoted, then broken": lambda text: broken(quoted(text), 58),
    "quoted in depths that change": lambda text: "".join(
        ">" * (at % 4) + f" {line}\n" for at, line in enumerate(text.splitlines())
    ),
    "set from right to left": lambda text: quoted(text, "\u200f"),
    "isolated": lambda text: quoted(text.replace("\n", "\u2069\n"), "\u2066"),
    "a byte order mark in each line": lambda text: quoted(text, "\ufeff"),
    "soft hyphens": lambda text: in_each_line(text, "\u00ad"),
    "zero width spaces": lambda text: in_each_line(text, "\u200b"),
    "variation selectors": lambda text: in_each_line(text, "\ufe0f"),
    "no line ends at all": lambda text: text.replace("\n", ""),
    "line separators": lambda text: text.replace("\n", "\u2028"),
    "long dashes": lambda text: text.replace("-----", "\u2014\u2014-"),
    "tabs": lambda text: text.replace(" ", "\t"),
    "HTML with soft hyphens": lambda text: as_html(in_each_line(text, "\u00ad")),
    "HTML with places to break": lambda text: (
        as_html(text).replace("</div>", "<wbr></div>").replace("ENTRIES", "ENT<wbr>RIES")
    ),
    "HTML shown as text, in HTML": lambda text: as_html(as_html(text)),
    "HTML in quoted-printable": lambda text: quoted_printable(as_html(text)),
}
"""What an armour stands."""


def line_of(text: str, number: int, change: Callable[[list[str], int], None]) -> str:
    """The text with something done to line `number` of the body, counted from 1."""
    lines = text.split("\n")
    change(lines, lines.index("") + number)
    return "\n".join(lines)


def one_letter(lines: list[str], at: int) -> None:
    lines[at] = ("B" if lines[at][0] == "A" else "A") + lines[at][1:]


def dropped(lines: list[str], at: int) -> None:
    del lines[at]


def doubled(lines: list[str], at: int) -> None:
    lines.insert(at, lines[at])


def swapped(lines: list[str], at: int) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def cut_short(lines: list[str], at: int) -> None:
    del lines[at:]


def words_between(lines: list[str], at: int) -> None:
    lines.insert(at, "Ana, did you see this?")


def other_digit(text: str) -> str:
    at = text.index("sha256:") + 20
    return text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]


DAMAGED: Mapping[str, tuple[Callable[[str], str], str]] = {
    "one letter changed": (
        lambda text: line_of(text, 7, one_letter), "line 7 of {lines} is damaged"),
    "a line dropped": (
        lambda text: line_of(text, 7, dropped),
        "line 7 of {lines} is missing or out of place: line 8 is there instead"),
    "two lines swapped": (
        lambda text: line_of(text, 7, swapped),
        "line 7 of {lines} is missing or out of place: line 8 is there instead"),
    "a line twice": (
        lambda text: line_of(text, 7, doubled),
        "line 8 of {lines} is missing or out of place: line 7 is there instead"),
    "the digest edited": (
        other_digit, "the block does not match its digest: one of them was changed on the way"),
    "a header line that is unknown": (
        lambda text: text.replace("\nBytes:", "\nComment: hello\nBytes:"),
        "the header of the block has a line 'Comment', unknown here"),
    "Bytes wrong": (
        lambda text: text.replace("Bytes: ", "Bytes: 9"),
        "the block says that {bytes} bytes fill {lines} lines, which they do not"),
    "From and To wrong": (
        lambda text: text.replace("From: 4  To: 4", "From: 5  To: 5"),
        "the block says that it contains entries 5 to 5, but it contains others"),
    "two blocks": (
        lambda text: text + text, "there are 2 blocks in one text: which one do you mean?"),
    "the end missing": (
        lambda text: line_of(text, 9, cut_short),
        "the block is cut off: its last line is missing"),
    "words behind the lines": (
        lambda text: text.replace("\n-----END", "\nBest wishes\n-----END"),
        "there is something between the last line, {lines}, and the end"),
    "words between the lines": (
        lambda text: line_of(text, 3, words_between), "line 3 of {lines} is damaged"),
    "another game named": (
        lambda text: re.sub("Game: [0-9]{20}", f"Game: {7:020}", text),
        "the block names a different game from the one its entries belong to"),
}  # fmt: skip
"""What an armour does not stand, and what is said; {lines} and {bytes} as the block has them."""

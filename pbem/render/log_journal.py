"""The log as a journal in columns, as players know it from card tracking servers: a numbered row
for each order, roll and message, with what came of it below.

The number is that of the entry in the game file, with that of the row. There is no column for the
time: a game file has no clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from pbem.messages import Message, say
from pbem.render.blocks import Reader
from pbem.render.log import NO_ENTRY, Kind, Log, Paragraph
from pbem.render.log_text import underlined, wrapped
from pbem.value import value

TITLES: dict[Kind, Message] = {
    "order": say("Order"),
    "event": say("Result"),
    "roll": say("Dice"),
    "lapse": say("Lapsed"),
    "note": say("Note"),
    "say": say("Message"),
    "quiet": say("Result"),
}
BEHIND: frozenset[Kind] = frozenset({"order", "roll"})
"""The kinds of lines whose results share their row."""
MARKS: dict[Kind, str] = {"order": "> ", "say": "| "}
"""What a player wrote has its mark on every line, so that it cannot pass for the referee's."""
GAP, WIDEST = "  ", 24


@value
class JournalRow:
    """A row: its cells (number, player, title), and its lines, each with a mark."""

    cells: tuple[str, str, str]
    lines: tuple[tuple[str, str], ...]


def journal(log: Log, reader: Reader) -> str:
    """The whole log."""
    counted: Counter[int] = Counter()
    parts = [
        (reader.words(chapter.title), reader.heading(each.heading), [*_rows(each, reader, counted)])
        for chapter in log.chapters
        for each in chapter.paragraphs
    ]
    cells = [row.cells for _, _, rows in parts for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    found = [*underlined(reader.words(log.title), "=")]
    found += chain.from_iterable(wrapped(reader.words(note), "", "") for note in log.notes)
    chapter, section = "", ""
    for title, heading, rows in parts:
        if title != chapter:
            found += ["", *underlined(title, "-")]
        if (title, heading) != (chapter, section):
            found += wrapped(heading, "* ", "  ")
        chapter, section = title, heading
        found += chain.from_iterable(_told(row, widths) for row in rows)
    return "\n".join(found) + "\n"


def _rows(paragraph: Paragraph, reader: Reader, counted: Counter[int]) -> Iterator[JournalRow]:
    lines, last = list[tuple[Kind, tuple[str, ...]]](), ""
    for line, told in reader.lines(paragraph):
        if lines and not (line.kind == "event" and (last == "event" or lines[0][0] in BEHIND)):
            yield _row(lines, paragraph, reader, counted)
            lines = []
        lines.append((line.kind, told))
        last = line.kind
    if lines:
        yield _row(lines, paragraph, reader, counted)


def _row(
    lines: list[tuple[Kind, tuple[str, ...]]], paragraph: Paragraph, reader: Reader,
    counted: Counter[int],
) -> JournalRow:  # fmt: skip
    counted[paragraph.seq] += 1
    number = f"{paragraph.seq}.{counted[paragraph.seq]}" if paragraph.seq != NO_ENTRY else ""
    player, title = reader.words(paragraph.side), reader.words(TITLES[lines[0][0]])
    return JournalRow(
        (number, player[:WIDEST], title),
        tuple((MARKS.get(kind, ""), text) for kind, told in lines for text in told),
    )


def _told(row: JournalRow, widths: list[int]) -> Iterator[str]:
    """The row in its columns; only its first line has all of them."""
    first = "".join(
        f"{cell:{width}}{GAP}" for cell, width in zip(row.cells, widths, strict=True) if width
    )
    begin, indent = first, " " * len(first)
    for mark, text in row.lines:
        yield from wrapped(text, begin + mark, indent + mark)
        begin = indent

"""The log for a terminal or a plain mail: no colours, no line wider than its reader wants."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.render.blocks import WIDTH, Reader
from pbem.render.log import Chapter, Log, Paragraph
from pbem.words import to_lines

MARKS = {
    "order": "  > ", "event": "    ", "roll": "  # ", "lapse": "  ~ ", "note": "  ! ",
    "quiet": "    ",
}  # fmt: skip
FURTHER = {"order": "  >   "}
"""What stands before a line says what it is. Whatever a player wrote, their words (`|`) and their
orders (`>`), has its mark on every line, so that nothing in it can pass for the referee's."""


def text(log: Log, reader: Reader) -> str:
    """The whole log."""
    lines = list(underlined(reader.words(log.title), "=", reader.width))
    for note in log.notes:
        told = reader.words(note)
        indent = " " * (len(told) - len(told.lstrip()))
        lines += wrapped(told.lstrip(), indent, indent and indent + "  ", reader.width)
    for chapter in log.chapters:
        lines += ["", *_chapter(chapter, reader)]
    return "\n".join(lines) + "\n"


def _chapter(chapter: Chapter, reader: Reader) -> Iterator[str]:
    yield from underlined(reader.words(chapter.title), "-", reader.width)
    for paragraph in chapter.paragraphs:
        yield ""
        yield from _paragraph(paragraph, reader)


def _paragraph(paragraph: Paragraph, reader: Reader) -> Iterator[str]:
    source = reader.source(paragraph)
    source = f"[{source}]" if source else ""
    heading = reader.heading(paragraph.heading)
    room = reader.width - len(heading) - len(source) if source else 0
    if room > 0:
        yield f"{heading}{' ' * room}{source}"
    else:
        yield from wrapped(f"{heading} {source}".rstrip(), "", "", reader.width)
    for line, told in reader.lines(paragraph):
        if line.kind == "say":
            yield from wrapped(f"{reader.speaker(line, paragraph)}:", "    ", "    ", reader.width)
            for said in told:
                yield from wrapped(said, "    | ", "    | ", reader.width)
        else:
            mark = MARKS[line.kind] + (f"{reader.lead('lapse')}: " if line.kind == "lapse" else "")
            further = FURTHER.get(line.kind, "    ")
            for said in told:
                yield from wrapped(said, mark, further, reader.width)
                mark = further


def wrapped(words: str, first: str, others: str, width: int = WIDTH) -> list[str]:
    """A line that fits stays as it is; ids are never cut at their hyphens."""
    whole = f"{first}{words}".rstrip()
    if len(whole) <= width:
        return [whole]
    return to_lines(words, width, first, others)


def underlined(title: str, mark: str, width: int = WIDTH) -> tuple[str, ...]:
    """A heading in lines, with a row of a mark below it."""
    shown = wrapped(title, "", "", width)
    return *shown, mark * max(map(len, shown))

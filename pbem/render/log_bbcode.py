"""The log in BBCode, for the forums where wargamers post their sessions."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.render.blocks import readable, speaker, written_by
from pbem.render.log import Line, Log, Paragraph
from pbem.render.safe import visible, visible_lines

BRACKETS = str.maketrans("[]", "［］")
"""BBCode has no escape that every forum knows, so a bracket in a text becomes a wide one."""


def bbcode(log: Log) -> str:
    """The whole log."""
    return "\n".join(_parts(log)) + "\n"


def escaped(text: str) -> str:
    return visible(text).translate(BRACKETS)


def _parts(log: Log) -> Iterator[str]:
    yield f"[size=150][b]{escaped(log.title)}[/b][/size]"
    for note in log.notes:
        yield f"[i]{escaped(note)}[/i]"
    for chapter in log.chapters:
        yield f"\n[size=120][b]{escaped(chapter.title)}[/b][/size]"
        for paragraph in chapter.paragraphs:
            yield from _paragraph(paragraph)


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    yield f"\n[b]{escaped(paragraph.heading)}[/b] [i]({escaped(written_by(paragraph))})[/i]"
    if paragraph.lines:
        yield "[list]"
        for line in readable(paragraph.lines):
            yield f"[*]{_words(line, paragraph)}"
        yield "[/list]"


def _words(line: Line, paragraph: Paragraph) -> str:
    words = "\n".join(each.translate(BRACKETS) for each in visible_lines(line.text))
    if line.kind == "say":
        return f"{speaker(line, paragraph).translate(BRACKETS)}: [quote]{words}[/quote]"
    if line.kind in ("order", "roll"):
        return f"[i]{words}[/i]"
    return f"Lapsed: {words}" if line.kind == "lapse" else words

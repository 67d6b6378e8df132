"""The log in BBCode, for the forums where wargamers post their sessions."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.render.blocks import Reader
from pbem.render.log import Kind, Log, Paragraph

BRACKETS = str.maketrans("[]", "［］")
"""BBCode has no escape that every forum knows, so a bracket in a text becomes a wide one."""


def bbcode(log: Log, reader: Reader) -> str:
    """The whole log."""
    return "\n".join(_parts(log, reader)) + "\n"


def escaped(text: str) -> str:
    """Text in which a forum finds no tag of its own."""
    return text.translate(BRACKETS)


def _parts(log: Log, reader: Reader) -> Iterator[str]:
    yield f"[size=150][b]{escaped(reader.words(log.title))}[/b][/size]"
    for note in log.notes:
        yield f"[i]{escaped(reader.words(note))}[/i]"
    for chapter in log.chapters:
        yield f"\n[size=120][b]{escaped(reader.words(chapter.title))}[/b][/size]"
        for paragraph in chapter.paragraphs:
            yield from _paragraph(paragraph, reader)


def _paragraph(paragraph: Paragraph, reader: Reader) -> Iterator[str]:
    heading, source = reader.heading(paragraph.heading), reader.source(paragraph)
    source = f" [i]({escaped(source)})[/i]" if source else ""
    yield f"\n[b]{escaped(heading)}[/b]{source}"
    if paragraph.lines:
        yield "[list]"
        for line, told in reader.lines(paragraph):
            words = "\n".join(map(escaped, told))
            if line.kind == "say":
                words = f"{escaped(reader.speaker(line, paragraph))}: [quote]{words}[/quote]"
            yield f"[*]{_marked(line.kind, words, reader)}"
        yield "[/list]"


def _marked(kind: Kind, words: str, reader: Reader) -> str:
    if kind in ("order", "roll"):
        return f"[i]{words}[/i]"
    return f"{escaped(reader.lead(kind))}: {words}" if kind == "lapse" else words

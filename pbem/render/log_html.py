"""The log as a fragment of HTML for any page, without script, style or address in it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pbem.messages import say
from pbem.render.blocks import Reader
from pbem.render.log import Line, Log, Paragraph

CODE = say("en")
"""The code of the language of a page: a catalogue has its own."""


def html(log: Log, reader: Reader) -> str:
    """The whole log."""
    return "\n".join(_parts(log, reader)) + "\n"


def _parts(log: Log, reader: Reader) -> Iterator[str]:
    yield '<article class="pbem-log">'
    yield f"<h1>{escape(reader.words(log.title))}</h1>"
    for note in log.notes:
        yield f'<p class="note">{escape(reader.words(note))}</p>'
    for chapter in log.chapters:
        yield f"<section>\n<h2>{escape(reader.words(chapter.title))}</h2>"
        for paragraph in chapter.paragraphs:
            yield from _paragraph(paragraph, reader)
        yield "</section>"
    yield "</article>"


def _paragraph(paragraph: Paragraph, reader: Reader) -> Iterator[str]:
    source = escape(reader.source(paragraph))
    source = f" <small>{source}</small>" if source else ""
    yield f"<h3>{escape(reader.heading(paragraph.heading))}{source}</h3>"
    if paragraph.lines:
        yield "<ul>"
        for line, told in reader.lines(paragraph):
            yield f'<li class="{line.kind}">{marked(line, told, paragraph, reader)}</li>'
        yield "</ul>"


def marked(line: Line, told: tuple[str, ...], paragraph: Paragraph, reader: Reader) -> str:
    """A line with its texts (from `Reader.lines`), marked up by its kind."""
    words = "<br>".join(map(escape, told))
    if line.kind == "say":
        return f"{escape(reader.speaker(line, paragraph))}: <q>{words}</q>"
    if line.kind == "order":
        return f"<code>{words}</code>"
    if line.kind == "roll":
        return f"<em>{words}</em>"
    return f"{escape(reader.lead(line.kind))}: {words}" if line.kind == "lapse" else words

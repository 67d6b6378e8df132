"""The log as a fragment of HTML that can stand in any page: no script, style or address in it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pbem.render.blocks import readable, speaker, written_by
from pbem.render.log import Line, Log, Paragraph
from pbem.render.safe import visible, visible_lines


def html(log: Log) -> str:
    """The whole log."""
    return "\n".join(_parts(log)) + "\n"


def escaped(text: str) -> str:
    return escape(visible(text))


def _parts(log: Log) -> Iterator[str]:
    yield '<article class="pbem-log">'
    yield f"<h1>{escaped(log.title)}</h1>"
    for note in log.notes:
        yield f'<p class="note">{escaped(note)}</p>'
    for chapter in log.chapters:
        yield f"<section>\n<h2>{escaped(chapter.title)}</h2>"
        for paragraph in chapter.paragraphs:
            yield from _paragraph(paragraph)
        yield "</section>"
    yield "</article>"


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    source = f"<small>{escaped(written_by(paragraph))}</small>"
    yield f"<h3>{escaped(paragraph.heading)} {source}</h3>"
    if paragraph.lines:
        yield "<ul>"
        for line in readable(paragraph.lines):
            yield f'<li class="{line.kind}">{_words(line, paragraph)}</li>'
        yield "</ul>"


def _words(line: Line, paragraph: Paragraph) -> str:
    words = "<br>".join(escape(each) for each in visible_lines(line.text))
    if line.kind == "say":
        return f"{escape(speaker(line, paragraph))}: <q>{words}</q>"
    if line.kind == "order":
        return f"<code>{words}</code>"
    if line.kind == "roll":
        return f"<em>{words}</em>"
    return f"Lapsed: {words}" if line.kind == "lapse" else words

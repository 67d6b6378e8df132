"""The log in Markdown (CommonMark), for forums and notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.render.blocks import Reader
from pbem.render.log import Kind, Log, Paragraph

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_AT_START = re.compile(r"^(\s*)([-+=])|^(\s*\d+)([.)])")


def markdown(log: Log, reader: Reader) -> str:
    """The whole log."""
    parts = [f"# {escaped(reader.words(log.title))}"]
    parts += [f"*{escaped(reader.words(note))}*" for note in log.notes]
    for chapter in log.chapters:
        parts.append(f"## {escaped(reader.words(chapter.title))}")
        for paragraph in chapter.paragraphs:
            parts += _paragraph(paragraph, reader)
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """The text escaped so that Markdown shows it unchanged."""
    plain = _SPECIAL.sub(r"\\\1", text)
    return _AT_START.sub(lambda m: f"{m[1] or m[3] or ''}\\{m[2] or m[4]}", plain)


def _paragraph(paragraph: Paragraph, reader: Reader) -> Iterator[str]:
    yield f"### {escaped(reader.heading(paragraph.heading))}"
    if source := reader.source(paragraph):
        yield f"*{escaped(source)}*"
    items = []
    for line, told in reader.lines(paragraph):
        if line.kind == "say":
            said = [f"  > {escaped(each)}  " for each in told]
            speaker = escaped(reader.speaker(line, paragraph))
            items.append("\n".join([f"- {speaker}:", "", *said, ""]))
        else:
            items.append(f"- {_item(line.kind, ' '.join(told), reader)}")
    if items:
        yield "\n".join(items)


def _item(kind: Kind, words: str, reader: Reader) -> str:
    if kind == "roll":
        return f"*{escaped(words)}*"
    if kind in ("event", "quiet"):
        return escaped(words)
    return f"*{reader.lead(kind)}:* {_code(words) if kind == 'order' else escaped(words)}"


def _code(text: str) -> str:
    """A code span, fenced by more backticks than the text has in a row."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"

"""The log in Markdown (CommonMark), for forums and notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.render.blocks import readable, speaker, written_by
from pbem.render.log import Line, Log, Paragraph
from pbem.render.safe import visible, visible_lines

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_AT_START = re.compile(r"^(\s*)([-+=])|^(\s*\d+)([.)])")
LEADS = {"order": "*Ordered:* ", "event": "", "roll": "", "lapse": "*Lapsed:* ", "note": "*Note:* "}


def markdown(log: Log) -> str:
    """The whole log."""
    parts = [f"# {escaped(log.title)}", *(f"*{escaped(note)}*" for note in log.notes)]
    for chapter in log.chapters:
        parts.append(f"## {escaped(chapter.title)}")
        for paragraph in chapter.paragraphs:
            parts += _paragraph(paragraph)
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """The text so that Markdown shows it as it stands."""
    plain = _SPECIAL.sub(r"\\\1", visible(text))
    return _AT_START.sub(lambda m: f"{m[1] or m[3] or ''}\\{m[2] or m[4]}", plain)


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    yield f"### {escaped(paragraph.heading)}"
    yield f"*{escaped(written_by(paragraph))}*"
    items = [_item(line, paragraph) for line in readable(paragraph.lines)]
    if items:
        yield "\n".join(items)


def _item(line: Line, paragraph: Paragraph) -> str:
    if line.kind == "say":
        said = [f"  > {escaped(each)}  " for each in visible_lines(line.text)]
        return "\n".join([f"- {escaped(speaker(line, paragraph))}:", "", *said, ""])
    words = " ".join(visible_lines(line.text))
    if line.kind == "roll":
        return f"- *{escaped(words)}*"
    return f"- {LEADS[line.kind]}{_code(words) if line.kind == 'order' else escaped(words)}"


def _code(text: str) -> str:
    """A code span, fenced by more backticks than the text has in a row."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"

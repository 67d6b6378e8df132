"""The log for a terminal or a plain mail: no colours, at most 100 wide."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.render.blocks import readable, speaker, written_by
from pbem.render.log import Chapter, Line, Log, Paragraph
from pbem.render.safe import visible, visible_lines

WIDTH = 100
MARKS = {"order": "  > ", "event": "    ", "roll": "  # ", "lapse": "  ~ lapsed: ", "note": "  ! "}
FURTHER = {"order": "  >   "}
"""What stands before a line says what it is. Whatever a player wrote, their words (`|`) and their
orders (`>`), has its mark on every line, so that nothing in it can pass for the referee's."""


def text(log: Log) -> str:
    """The whole log."""
    lines = list(_underlined(log.title, "="))
    for note in log.notes:
        lines += _wrapped(note, "", "")
    for chapter in log.chapters:
        lines += ["", *_chapter(chapter)]
    return "\n".join(lines) + "\n"


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from _underlined(chapter.title, "-")
    for paragraph in chapter.paragraphs:
        yield ""
        yield from _paragraph(paragraph)


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    source = f"[{visible(written_by(paragraph))}]"
    heading = visible(paragraph.heading)
    room = WIDTH - len(heading) - len(source)
    if room > 0:
        yield f"{heading}{' ' * room}{source}"
    else:
        yield from _wrapped(f"{heading} {source}", "", "")
    for line in readable(paragraph.lines):
        yield from _line(line, paragraph)


def _line(line: Line, paragraph: Paragraph) -> Iterator[str]:
    if line.kind == "say":
        yield from _wrapped(f"{speaker(line, paragraph)}:", "    ", "    ")
        for said in visible_lines(line.text):
            yield from _wrapped(said, "    | ", "    | ")
        return
    mark = MARKS[line.kind]
    further = FURTHER.get(line.kind, "    ")
    for said in visible_lines(line.text):
        yield from _wrapped(said, mark, further)
        mark = further


def _wrapped(words: str, first: str, others: str) -> list[str]:
    """A line that fits stays as it is; ids are never cut at their hyphens."""
    whole = f"{first}{visible(words)}".rstrip()
    if len(whole) <= WIDTH:
        return [whole]
    import textwrap

    return textwrap.wrap(
        visible(words),
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=True,
    )


def _underlined(title: str, mark: str) -> tuple[str, ...]:
    shown = _wrapped(title, "", "")
    return *shown, mark * max(map(len, shown))

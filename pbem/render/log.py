"""The log of any game: chapters, paragraphs, lines. Renderers only read it.

Texts are kept as they were written, messages as values; the renderer turns them into words of a
language, and makes them safe (blocks.py, safe.py).
"""

from __future__ import annotations

from typing import Literal

from pbem.messages import Said
from pbem.value import replace, value

Kind = Literal["order", "event", "roll", "lapse", "note", "say", "quiet"]
"""What a line is: an order as it was written, a fact, a die, a pre-declared order that lapsed, a
remark of the referee, what a player says to the other in their own words, or that nothing
happens."""


@value
class Line:
    """One line. A roll has its purpose in `text`, and the place of its proof; `by` is the author of
    a remark. A message is shown as a sentence, a text unchanged. What `is_formal` keeps the game
    fair, such as a seal or a proof, and tells nothing of it.
    """

    text: Said
    kind: Kind = "event"
    beacon: int = 0
    label: str = ""
    face: str = ""
    by: Said = ""
    is_formal: bool = False


NO_ENTRY = -1


@value
class Paragraph:
    """The content of one round, or of one entry of the game file; `side` wrote it (empty:
    nobody).

    `seq` is the number of the entry; NO_ENTRY if it is not about one.
    """

    heading: Said
    seq: int
    side: Said
    lines: tuple[Line, ...] = ()


@value
class Chapter:
    """A turn."""

    title: Said
    paragraphs: tuple[Paragraph, ...] = ()


SPARED: tuple[Kind, ...] = ("order", "roll", "quiet")
"""What a log leaves out that tells the story alone."""


@value
class Log:
    """A whole log; `notes` are under the title (practice game, open hands, options)."""

    title: Said
    chapters: tuple[Chapter, ...] = ()
    notes: tuple[Said, ...] = ()

    def in_brief(self) -> Log:
        """The story without the orders, dice and formalities behind it."""
        chapters = (
            replace(chapter, paragraphs=tuple(filter(None, map(_in_brief, chapter.paragraphs))))
            for chapter in self.chapters
        )
        return replace(self, chapters=tuple(each for each in chapters if each.paragraphs))


def _in_brief(paragraph: Paragraph) -> Paragraph | None:
    lines = tuple(line for line in paragraph.lines if not (line.is_formal or line.kind in SPARED))
    return replace(paragraph, lines=lines) if lines else None

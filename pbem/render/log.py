"""The log of a game as any game may fill it: chapters, paragraphs, lines. Renderers only read it.

Texts are kept as they were said, messages as values; whoever shows them makes words of them, in a
language, and makes them safe (blocks.py, safe.py).
"""

from __future__ import annotations

from typing import Literal

from pbem.messages import Said
from pbem.value import replace, value

Kind = Literal["order", "event", "roll", "lapse", "note", "say"]
"""What a line is: an order as it was written, a fact, a die, a pre-declared order that lapsed,
a remark of the referee, or what a player says to the other in their own words."""


@value
class Line:
    """One line. A roll says in `text` what it was for, and where its proof is found; `by` is who
    says something in their own words. A message is told as a sentence, a text as it stands."""

    text: Said
    kind: Kind = "event"
    beacon: int = 0
    label: str = ""
    face: str = ""
    by: Said = ""


@value
class Paragraph:
    """What one round, or one entry of the game file, brought; `side` wrote it (empty: nobody)."""

    heading: Said
    seq: int
    side: Said
    lines: tuple[Line, ...] = ()


@value
class Chapter:
    """A turn."""

    title: Said
    paragraphs: tuple[Paragraph, ...] = ()


SPARED: tuple[Kind, ...] = ("order", "roll")
"""What a log leaves out that tells the story alone."""


@value
class Log:
    """A whole log; `notes` are under the title (practice game, open hands, options)."""

    title: Said
    chapters: tuple[Chapter, ...] = ()
    notes: tuple[Said, ...] = ()

    def in_brief(self) -> Log:
        """The story without the orders and the dice behind it."""
        chapters = (
            replace(chapter, paragraphs=tuple(filter(None, map(_in_brief, chapter.paragraphs))))
            for chapter in self.chapters
        )
        return replace(self, chapters=tuple(each for each in chapters if each.paragraphs))


def _in_brief(paragraph: Paragraph) -> Paragraph | None:
    lines = tuple(line for line in paragraph.lines if line.kind not in SPARED)
    return replace(paragraph, lines=lines) if lines else None

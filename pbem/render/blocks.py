"""What all readable forms of the log share: the log in one language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from pbem.messages import ENGLISH, Language, Message, Row, Said, heading, say, sentence, words
from pbem.render.grouping import grouped
from pbem.render.log import NO_ENTRY, Kind, Line, Paragraph
from pbem.render.safe import visible_lines
from pbem.words import visible

WIDTH = 100
"""The columns of a log in a terminal."""
LEADS: Mapping[Kind, Message] = {
    "order": say("Ordered"),
    "lapse": say("Lapsed"),
    "note": say("Note"),
}


class Reader:
    """The reader of a log in a language; every text it returns is safe to show.

    `width` is the length of the longest line where the form has lines of its own.
    """

    def __init__(self, language: Language = ENGLISH, width: int = WIDTH) -> None:
        self.language, self.width = language, width

    def words(self, said: Said) -> str:
        """A title, a heading, a note, in one line."""
        return visible(words(said, self.language))

    def heading(self, said: Said) -> str:
        """What stands above a paragraph."""
        return visible(heading(said, self.language))

    def lines(self, paragraph: Paragraph) -> Iterator[tuple[Line, tuple[str, ...]]]:
        """The lines for a reader, each with its text in lines: joined where possible, with dice
        that are rolled together in one.
        """
        for line in _with_dice_together(grouped(paragraph.lines)):
            if isinstance(line.text, str):
                yield line, visible_lines(line.text)
            else:
                tell = words if line.kind == "order" else sentence
                yield line, (visible(tell(line.text, self.language)),)

    def speaker(self, line: Line, paragraph: Paragraph) -> str:
        """The speaker, as a reader knows them."""
        return self.words(line.by or paragraph.side) or self.words(say("A player"))

    def lead(self, kind: Kind) -> str:
        """The heading of an order, a lapsed order or a note."""
        return self.words(LEADS[kind])

    def source(self, paragraph: Paragraph) -> str:
        """The paragraph's place in the game file: "entry 14, Nationalists"; empty if none."""
        if paragraph.seq == NO_ENTRY:
            return ""
        entry = say("entry {number}", number=paragraph.seq)
        return self.words(
            say("{entry}, {side}", entry=entry, side=paragraph.side) if paragraph.side else entry
        )


def _with_dice_together(lines: Iterable[Line]) -> Iterator[Line]:
    for (kind, beacon), run in groupby(lines, key=lambda line: (line.kind, line.beacon)):
        if kind == "roll":
            rolls = tuple(run)
            yield Line(_dice(beacon, rolls), "roll", beacon, " ".join(r.label for r in rolls))
        else:
            yield from run


def _dice(beacon: int, rolls: tuple[Line, ...]) -> Message:
    told = tuple(
        say("{face} for {purpose} ({label})", face=roll.face, purpose=roll.text, label=roll.label)
        for roll in rolls
    )
    return say("Beacon {number} gives {dice}", number=beacon, dice=Row(told, "; "))

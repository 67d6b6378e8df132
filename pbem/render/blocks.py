"""What every readable form of the log shares: the dice of a roll in one sentence, the headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from pbem.render.grouping import grouped
from pbem.render.log import Line, Paragraph
from pbem.render.safe import visible


def readable(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines as a reader wants them: told together, and dice thrown together in one line."""
    return tuple(_with_dice_together(grouped(lines)))


def _with_dice_together(lines: Iterable[Line]) -> Iterator[Line]:
    for (kind, beacon), run in groupby(lines, key=lambda line: (line.kind, line.beacon)):
        if kind == "roll":
            yield Line(_dice(beacon, tuple(run)), "roll")
        else:
            yield from run


def _dice(beacon: int, rolls: tuple[Line, ...]) -> str:
    told = "; ".join(f"{roll.face} for {roll.text} ({roll.label})" for roll in rolls)
    return f"Beacon {beacon} gives {told}."


def speaker(line: Line, paragraph: Paragraph) -> str:
    """Who says it, as a reader knows them."""
    return visible(line.by or paragraph.side) or "A player"


def written_by(paragraph: Paragraph) -> str:
    """Where the paragraph stands in the game file: "entry 14, Nationalists"."""
    return f"entry {paragraph.seq}" + (f", {paragraph.side}" if paragraph.side else "")

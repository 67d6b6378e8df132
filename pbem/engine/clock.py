"""Where a game is in time: the chapters of a log, and the end of orders given ahead."""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.messages import Said, say
from pbem.value import value


@value
class Clock:
    """A moment of a game, in numbers and in words.

    A span is the part of a turn in which one side acts: a round, an impulse, a phase. `span`
    identifies it within the whole game, so it changes as soon as the next span begins. `owner` is
    the side whose span it is; between two spans it is the owner of the last one.
    """

    turn: int
    """Counted as the game counts its turns; 0 for what comes before the first."""
    span: str
    owner: Side
    chapter: Said
    """The turn in words, as a log divides a game: "Turn 3, October 1936 (War of the Columns)"."""
    heading: Said = ""
    """What is going on within the chapter, for example "Nationalist round 2"; may be empty."""
    is_between: bool = False
    """Whether the game is between two spans: dice rolled now are for what the heading names, and
    belong to neither side's round."""

    @property
    def words(self) -> Said:
        """Chapter and heading in one line."""
        if not self.heading:
            return self.chapter
        return say("{chapter}, {heading}", chapter=self.chapter, heading=self.heading)

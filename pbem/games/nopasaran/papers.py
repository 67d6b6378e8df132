"""5.1, 5.2.1: what each side writes on paper in the morning, line by line, and tells when it is
used.

In a game with counters face down assignments and missions are sealed lists. Both players know what
was told; whoever wrote a list knows the other lines, too. Everything here goes by what one view of
a position knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from pbem.engine.facedown import FaceDown
from pbem.engine.model import Side
from pbem.engine.tags import is_tag, place_of
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.tables import CORPS, DECKS, DIVISION, FORMATION, Tables
from pbem.value import value

ASSIGN, AIR = "assign", "air"
LISTS: Mapping[str, tuple[Side, str]] = {
    f"{kind}_{deck}": (side, kind) for side, deck in DECKS.items() for kind in (ASSIGN, AIR)
}
"""The names of the lists, with whose they are and what is on them."""
NAMES: Mapping[tuple[Side, str], str] = {whose: name for name, whose in LISTS.items()}
LINES = 32
"""The lines of a list of assignments."""
FITS: Mapping[str, str] = {FORMATION: DIVISION, DIVISION: CORPS}
"""What a formation of each level is lent to."""


@value
class Paper:
    """A list that was sealed: the beginning of its slots, the day it is for, and the last mix of
    its author's counters before it: newer tags it cannot name. `before` is that of the day before.
    """

    slot: str
    day: int
    mix: int
    before: Paper | None = None


class WithPapers(Protocol):
    """What is asked here of a position."""

    @property
    def board(self) -> Tables: ...
    @property
    def day(self) -> int: ...
    @property
    def papers(self) -> Mapping[str, Paper]: ...
    @property
    def told(self) -> Mapping[str, str]: ...
    @property
    def notes(self) -> Mapping[str, str]: ...
    @property
    def down(self) -> FaceDown: ...
    @property
    def moved_to(self) -> Mapping[str, str]: ...
    @property
    def unled(self) -> tuple[int, frozenset[str]]: ...
    def face(self, unit: str) -> str:
        """The unit of a name; empty where this view does not know it."""
        ...

    def aircraft(self, side: Side) -> tuple[str, ...]:
        """The air units of a side in this battle."""
        ...

    def is_gone(self, unit: str) -> bool:
        """Whether a unit is destroyed, or is not in this battle."""
        ...

    def lender(self, who: str) -> str:
        """The formation that a formation or a unit belongs to, and is lent by."""
        ...


def of_today(position: WithPapers, side: Side, kind: str) -> str:
    """The slots of a side's list of today begin so; empty if there is none."""
    paper = position.papers.get(NAMES[side, kind])
    return paper.slot if paper is not None and paper.day == position.day else ""


def size_of(number: int) -> int:
    """The places of a list for so many things."""
    size = 2
    while size < number:
        size *= 2
    return size


def slots_of_lists(position: WithPapers, side: Side) -> Iterator[str]:
    """The slots of a side's lists by which anything goes: the last ones, and those before them."""
    sizes = {ASSIGN: LINES, AIR: size_of(len(position.aircraft(side)))}
    for kind, size in sizes.items():
        paper = position.papers.get(NAMES[side, kind])
        while paper is not None:
            yield from (f"{paper.slot}/{at}" for at in range(size))
            paper = paper.before


def lines(position: WithPapers, slot: str, size: int) -> Iterator[tuple[str, Any]]:
    """The lines of a list that this view knows, by slot."""
    for at in range(size):
        key = f"{slot}/{at}"
        text = position.told.get(key, position.notes.get(key))
        if text is not None:
            yield key, json.loads(text)


def whole(position: WithPapers, side: Side, kind: str) -> list[Any] | None:
    """All lines of the last list of a side; None in a view that does not know them all."""
    paper = position.papers[NAMES[side, kind]]
    size = LINES if kind == ASSIGN else size_of(len(position.aircraft(side)))
    found = [line for _, line in lines(position, paper.slot, size)]
    return found if len(found) == size else None


# ------------------------------------------------------------------- assignments


def pair(line: Any) -> tuple[str, str]:
    """The two names of a line; empty ones for a line that says nothing, or makes no sense."""
    if isinstance(line, list) and len(line) == 2 and all(isinstance(each, str) for each in line):
        return line[0], line[1]
    return "", ""


def assignment(board: Tables, side: Side, paper: Paper, line: Any) -> tuple[str, str]:
    """Who acts with which formation by a line of a list; empty for a line that assigns nothing that
    could be.
    """
    who, to = pair(line)
    goal = board.formations.get(to)
    if goal is None or goal.side != side:
        return "", ""
    if is_tag(who):
        deck, epoch, _ = place_of(who)
        fits = deck == DECKS[side] and epoch <= paper.mix
    elif who in board.units:
        fits = board.units[who].side == side and not board.units[who].is_headquarters
    else:
        lent = board.formations.get(who)
        return (who, to) if lent and lent.side == side and FITS.get(lent.level) == goal.level else (
            "", ""
        )  # fmt: skip
    return (who, to) if fits and (goal.level == FORMATION or goal.is_troops) else ("", "")


def named(position: WithPapers, who: str) -> str:
    """Who is meant by a line, by the name that this view knows: a tag stays one if it does not."""
    return position.face(who) or position.down.present(who)


def untold(position: WithPapers, side: Side) -> Iterator[tuple[str, str, str]]:
    """The slot of each assignment of today that this view knows and that is not told yet, who is
    assigned by the name that this view knows, and the formation.
    """
    # reading: 6.4, of a counter face down that a headquarters out of command would lend its player
    # alone knows so: the line is never told, and to have told or used it is for the audit.
    paper = position.papers.get(NAMES[side, ASSIGN])
    if paper is None or paper.day != position.day:
        return
    for key, line in lines(position, paper.slot, LINES):
        who, to = assignment(position.board, side, paper, line)
        if who and key not in position.told:
            name, both = named(position, who), position.down.present(who)
            if is_led(position, paper.day, name, to) == is_led(position, paper.day, both, to):
                yield key, name, to


def written(position: WithPapers, side: Side, paper: Paper | None) -> Mapping[str, str]:
    """What a list of assignments comes to as this view knows it: who acts with which formation."""
    found: dict[str, str] = {}
    for _, line in lines(position, paper.slot, LINES) if paper else ():
        assert paper is not None
        who, to = assignment(position.board, side, paper, line)
        name = named(position, who)
        if who and name not in found and not is_over(position, paper, name, to):
            found[name] = to
    return found


def assigned(position: WithPapers, side: Side) -> Mapping[str, str]:
    """What a side has assigned today as this view knows, or yesterday as long as today's list is
    not written.
    """
    return written(position, side, position.papers.get(NAMES[side, ASSIGN]))


def is_over(position: WithPapers, paper: Paper, name: str, to: str) -> bool:
    """Whether a line holds no more, or never did: its unit is gone, a headquarters was out of
    command on that day, or it went over for good. `name` is what is known of whom it names.
    """
    is_done = position.moved_to.get(name) == to or position.is_gone(name)
    return is_done or not is_led(position, paper.day, name, to)


@CITE.serves("6.4")
def is_led(position: WithPapers, at: int, name: str, to: str) -> bool:
    """Whether the headquarters that lends somebody and the one that gets them were in command on
    a day, if it was judged. Of a counter that this view does not know only the other is known.
    """
    day, unled = position.unled
    lenders = () if is_tag(name) else (position.lender(name),)
    return day != at or unled.isdisjoint((*lenders, to))


# ------------------------------------------------------------------- missions


PICKS = "+picks"
"""Behind the mission in a line: its player picks what is shown (7.3.4)."""


def flight(line: Any) -> tuple[str, str, bool]:
    """The mission and target of a line, and whether its player picks what is shown; empty names for
    a line that says nothing, or makes no sense.
    """
    mission, target = pair(line)
    return mission.removesuffix(PICKS), target, mission.endswith(PICKS)


def missions(
    position: WithPapers, side: Side, aircraft: tuple[str, ...]
) -> Iterator[tuple[str, str, tuple[str, str, bool]]]:
    """The slot, air unit and flight of each line of today's list that this view knows and that is
    not told yet.
    """
    slot = of_today(position, side, AIR)
    if slot:
        for key, line in lines(position, slot, size_of(len(aircraft))):
            at = int(key.rpartition("/")[2])
            flown = flight(line)
            if flown[0] and at < len(aircraft) and key not in position.told:
                yield key, aircraft[at], flown

"""Joins lines that say the same of several units or places.

"Infantry INF-1 advances into Riotinto." and the same of INF-2 become "Infantry INF-1 and INF-2
advance into Riotinto." An aside goes to the line after it, and a unit that is reduced and at once
eliminated gets one line. The narration declares what may be joined (engine/narration.py); only
adjacent lines are, and nothing they say is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pbem.engine.narration import Told
from pbem.messages import Message, Row, say
from pbem.render.log import Line
from pbem.value import replace

Joining = Callable[[Told, Told], Told | None]


def grouped(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines, joined where they can be."""
    return tuple(_merged(_together, _merged(_at_once, _with_asides(lines))))


def _with_asides(lines: Iterable[Line]) -> Iterator[Line]:
    asides: list[Line] = []
    for line in lines:
        told = _told(line)
        if told is not None and told.is_aside:
            asides.append(line)
        elif asides and line.kind == "event" and isinstance(line.text, Message):
            words = Row(tuple(aside.text for aside in asides), "; ")
            yield replace(line, text=say("{told} ({asides})", told=line.text, asides=words))
            asides = []
        else:
            yield from asides
            asides = []
            yield line
    yield from asides


def _merged(join: Joining, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each joined to the one before it as long as `join` makes one of them."""
    held: Line | None = None
    for line in lines:
        both = _joined(join, held, line)
        if held is not None and both is None:
            yield held
        held = both or line
    if held is not None:
        yield held


def _joined(join: Joining, held: Line | None, line: Line) -> Line | None:
    one, other = _told(held), _told(line)
    both = join(one, other) if one is not None and other is not None else None
    return None if both is None else replace(line, text=both)


def _told(line: Line | None) -> Told | None:
    return line.text if line is not None and isinstance(line.text, Told) else None


def _at_once(one: Told, other: Told) -> Told | None:
    """Joins two things that happen to the same unit or place at once."""
    if one.parts == other.parts:
        for following, text, many in one.then:
            if other.text == following:
                return replace(one, text=text, many=many, then=())
    return None


def _together(one: Told, other: Told) -> Told | None:
    """Joins the same about several things; None where that is wrong, or one of them came
    already.
    """
    if not one.joins or replace(one, parts=()) != replace(other, parts=()):
        return None
    mine, theirs = dict(one.parts), dict(other.parts)
    things, more = mine.pop(one.joins), theirs.pop(one.joins)
    if mine != theirs or not set(things).isdisjoint(more):
        return None
    return one.with_part(one.joins, (*things, *more))

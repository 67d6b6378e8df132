"""The boundary of reports: what only tells more about a game never stops an entry.

A report is made from what was judged already. One that fails is a bug; but the entry can still be
written, mailed and read, and the report becomes a line that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pbem.messages import Message, marked, say

T = TypeVar("T")
UNTOLD = marked("something happened here that pbem cannot describe; this is a bug: {fault}")
"""Said in the place of what happened in the game."""
NO_MORE = marked("pbem cannot say more here; this is a bug, and the game is not affected: {fault}")
"""Said in the place of what would help a player."""
LONGEST = 200


def reported(report: Callable[..., T], *given: Any, failing: Callable[[Message], T]) -> T:
    """What a report makes of what is given; of one that fails, what `failing` makes of the line
    that says so. `report` must not be a generator: it would fail outside.
    """
    try:
        return report(*given)
    except Exception as fault:
        return failing(bug(fault, NO_MORE))


def untold(report: Iterator[T], failing: Callable[[Message], T]) -> Iterator[T]:
    """A report of what happened, line by line; where it fails, the line that says so ends it."""
    try:
        yield from report
    except Exception as fault:
        yield failing(bug(fault, UNTOLD))


def bug(fault: Exception, text: str) -> Message:
    """The line in the place of a report that failed."""
    return say(text, fault=f"{type(fault).__name__}: {fault}"[:LONGEST])


def alone(line: Message) -> tuple[Message, ...]:
    """The line as the whole report."""
    return (line,)


def nothing(line: Message) -> None:
    """No report, where there is no room for a line."""

"""The days of a turn, as a log and a calendar name them: "18 to 22 October 1936"."""

from __future__ import annotations

from functools import cache

from pbem.messages import Message, say

MONTHS = (
    say("January"), say("February"), say("March"), say("April"), say("May"), say("June"),
    say("July"), say("August"), say("September"), say("October"), say("November"),
    say("December"),
)  # fmt: skip


@cache
def days(first: str, last: str) -> Message:
    """From one day to another, each given as 1936-10-18; what they share is said once."""
    (year, month, day), (then, other, end) = _parts(first), _parts(last)
    if year != then:
        return say("{first} {month} {year} to {last} {other} {then}", first=day, month=month,
                   year=year, last=end, other=other, then=then)  # fmt: skip
    if month != other:
        return say("{first} {month} to {last} {other} {year}", first=day, month=month, last=end,
                   other=other, year=year)  # fmt: skip
    if day != end:
        return say("{first} to {last} {month} {year}", first=day, last=end, month=month, year=year)
    return say("{day} {month} {year}", day=day, month=month, year=year)


def _parts(day: str) -> tuple[int, Message, int]:
    """Year, month and day of a text such as 1936-10-18."""
    year, month, number = map(int, day.split("-"))
    return year, MONTHS[month - 1], number

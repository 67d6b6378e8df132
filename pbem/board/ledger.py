"""Modifiers of a die or a column: each with its name, their sum, and the die in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.messages import Message, Row, Said, say

Ledger = tuple[tuple[str, int], ...]
"""Each cause by name, with its number; none of 0."""


def counted(entries: Iterable[tuple[str, int]]) -> Ledger:
    """The entries that count for anything."""
    return tuple((cause, number) for cause, number in entries if number)


def total(ledger: Ledger) -> int:
    """All numbers of a ledger in one sum."""
    return sum(number for _, number in ledger)


def die_told(die: int, ledger: Ledger, modified: int, called: Callable[[str], Said]) -> Message:
    """A die with its modifiers: "die 3", or "die 3, −1 (winter) = 2"."""
    if not ledger:
        return say("die {die}", die=die)
    modifiers = Row(
        tuple(
            say("{number} ({what})", number=f"{number:+d}".replace("-", "−"), what=called(cause))
            for cause, number in ledger
        )
    )
    return say(
        "die {die}, {modifiers} = {modified}", die=die, modifiers=modifiers, modified=modified
    )

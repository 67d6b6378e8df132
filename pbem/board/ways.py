"""Ways of a fixed length, such as retreats, and those that rank best by a list of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Way = tuple[str, ...]
"""The places of a way, without the one where it begins."""


def ways(start: str, length: int, near: Callable[[str], Iterable[str]]) -> Iterator[Way]:
    """Every way of so many steps that comes to no place twice, in the order of `near`.

    `near` returns the places that are open from a place. The number of ways grows with the power
    of the length: it is meant for the one to three steps of a retreat.
    """

    def onward(way: Way) -> Iterator[Way]:
        if len(way) == length:
            yield way
            return
        for there in near(way[-1] if way else start):
            if there != start and there not in way:
                yield from onward((*way, there))

    if length:
        yield from onward(())


def best(options: Iterable[T], *rules: Callable[[T], int]) -> tuple[T, ...]:
    """The options that break a list of rules least, the most important rule first.

    Each rule says how much an option breaks it, 0 if not at all. Those that are as good as one
    another stay in their order: their owner may choose.
    """
    left = tuple(options)
    for rule in rules:
        if len(left) < 2:
            break
        broken = [rule(option) for option in left]
        least = min(broken)
        left = tuple(option for option, much in zip(left, broken, strict=True) if much == least)
    return left

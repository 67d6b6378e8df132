"""Connected zones and distances: floods over any kind of neighbourhood.

A place is anything that can be a key: a space, a hex, or a space together with what was met on the
way there. `near` returns the neighbours of a place.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def flood(
    starts: Iterable[T], near: Callable[[T], Iterable[T]], allowed: Container[T] | None = None
) -> frozenset[T]:
    """The starts, and everything reached from any of them through allowed places only."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        for place in near(waiting.pop()):
            if place not in found and (allowed is None or place in allowed):
                found.add(place)
                waiting.append(place)
    return frozenset(found)


def outward(
    starts: Iterable[T], near: Callable[[T], Iterable[T]], allowed: Container[T] | None = None
) -> Iterator[tuple[T, int]]:
    """Each place in reach through allowed ones, with its distance from the nearest start.

    The nearest come first; of equally near ones those that `near` returns first. It is computed
    only as far as it is used.
    """
    edge = list(dict.fromkeys(starts))
    found, length = set(edge), 0
    yield from ((place, length) for place in edge)
    while edge:
        length += 1
        onward: list[T] = []
        for here in edge:
            for place in near(here):
                if place not in found and (allowed is None or place in allowed):
                    found.add(place)
                    onward.append(place)
                    yield place, length
        edge = onward

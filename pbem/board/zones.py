"""Connected zones and distances: floods over any kind of neighbourhood.

A zone of a set of places has all of them that are connected through others of the set. One place
more or less changes few zones: `joined` and `parted` find the others unchanged.

A place is anything that can be a key: a space, a hex, or a space together with what was met on the
way there. `near` returns the neighbours of a place.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

Near = Callable[[T], Iterable[T]]
"""The neighbours of a place; whatever is next to a place has it as a neighbour, too."""


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


def zones(places: Iterable[T], near: Near[T]) -> tuple[frozenset[T], ...]:
    """The zones of a set of places, in no order."""
    left = set(places)
    found: list[frozenset[T]] = []
    while left:
        found.append(flood((next(iter(left)),), near, left))
        left -= found[-1]
    return tuple(found)


def joined(known: Iterable[frozenset[T]], place: T, near: Near[T]) -> tuple[frozenset[T], ...]:
    """The zones after a place was added, which was in none of them."""
    beside, apart, together = tuple(near(place)), [], {place}
    for zone in known:
        if zone.isdisjoint(beside):
            apart.append(zone)
        else:
            together |= zone
    return (*apart, frozenset(together))


def parted(known: Iterable[frozenset[T]], place: T, near: Near[T]) -> tuple[frozenset[T], ...]:
    """The zones after a place was taken away."""
    found: list[frozenset[T]] = []
    for zone in known:
        found += _pieces(zone, place, near) if place in zone else [zone]
    return tuple(found)


def _pieces(zone: frozenset[T], place: T, near: Near[T]) -> Iterator[frozenset[T]]:
    """What is left of a zone without one place: a piece for each of its sides, unless they are
    connected another way, which is looked for no further than needed.
    """
    left = zone - {place}
    sides = set(left.intersection(near(place)))
    while len(sides) > 1:
        piece: set[T] = set()
        for each, _ in outward((next(iter(sides)),), near, left):
            piece.add(each)
            sides.discard(each)
            if not sides:  # whatever is left is connected to one of them
                break
        else:
            yield frozenset(piece)
            left -= piece
    if left:
        yield left

"""Sets of places as whole numbers, a bit each, for floods that are asked for thousands of times.

Steps between places are kept by the distance between their bits. A regular map has few distances (a
map of hexes row by row has eight), so all steps out of a set of places are a handful of shifts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Mask = int


class Masks:
    """The bits of places (`bit`), and the steps between them. `near` returns the places around one.

    A map of hexes is best given whole, row by row, the sea too: then its steps have few distances.
    """

    def __init__(self, places: Sequence[str], near: Callable[[str], Iterable[str]]) -> None:
        self.places = tuple(places)
        self._at = {place: at for at, place in enumerate(self.places)}
        self.bit = {place: 1 << at for place, at in self._at.items()}
        steps: dict[int, int] = {}
        for place, at in self._at.items():
            for there in near(place):
                by = self._at[there] - at
                steps[by] = steps.get(by, 0) | 1 << at
        self._forth = tuple((by, mask) for by, mask in sorted(steps.items()) if by > 0)
        self._back = tuple((-by, mask) for by, mask in sorted(steps.items()) if by < 0)

    def of(self, places: Iterable[str]) -> Mask:
        """The mask of these places."""
        found = 0
        for place in places:
            found |= self.bit[place]
        return found

    def within(self, mask: Mask) -> tuple[str, ...]:
        """The places of a mask, in order."""
        found = []
        while mask:
            low = mask & -mask
            found.append(self.places[low.bit_length() - 1])
            mask ^= low
        return tuple(found)

    def around(self, mask: Mask) -> Mask:
        """The places that are one step from any of these."""
        found = 0
        for by, out in self._forth:
            found |= (mask & out) << by
        for by, out in self._back:
            found |= (mask & out) >> by
        return found

    def flood(self, starts: Mask, allowed: Mask) -> Mask:
        """The allowed starts, and everything reached from any of them through allowed places."""
        found = starts & allowed
        before = 0
        while found != before:
            before = found
            # Each step goes on from where the one before it has led: a few rounds do.
            for by, out in self._forth:
                found |= (found & out) << by & allowed
            for by, out in self._back:
                found |= (found & out) >> by & allowed
        return found

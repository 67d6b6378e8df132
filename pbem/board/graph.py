"""Spaces joined by links of several kinds: neighbours, connected zones, distances."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import takewhile

from pbem.board.zones import flood, outward

Kinds = frozenset[str] | None
"""The kinds of links that count; None: all."""


class Graph:
    """An undirected map. Whatever it lists is in the order in which the spaces were given.

    Two spaces may be joined by links of more than one kind.
    """

    def __init__(self, spaces: Sequence[str], links: Iterable[tuple[str, str, str]]) -> None:
        self.spaces = tuple(spaces)
        self._rank = {space: rank for rank, space in enumerate(self.spaces)}
        assert len(self._rank) == len(self.spaces), "a space is listed twice"
        self._kinds: dict[tuple[str, str], tuple[str, ...]] = {}
        self._nearby: dict[Kinds, Mapping[str, tuple[str, ...]]] = {}
        for one, other, kind in links:
            assert one in self._rank and other in self._rank and one != other, (one, other, kind)
            self._kinds[one, other] = (*self._kinds.get((one, other), ()), kind)
            self._kinds[other, one] = (*self._kinds.get((other, one), ()), kind)

    def __contains__(self, space: object) -> bool:
        return space in self._rank

    def kinds_of(self, one: str, other: str) -> tuple[str, ...]:
        """The kinds of all links between two spaces; none if they are not joined."""
        return self._kinds.get((one, other), ())

    def kind_of(self, one: str, other: str) -> str | None:
        """The kind of the (first) link between two spaces, or None."""
        return self.kinds_of(one, other)[0] if (one, other) in self._kinds else None

    def are_joined(self, one: str, other: str) -> bool:
        """Whether a link joins the two spaces."""
        return bool(self.kinds_of(one, other))

    def neighbours(self, space: str, kinds: Kinds = None) -> tuple[str, ...]:
        """The spaces next to this one by links of these kinds."""
        return self._by(kinds)[space]

    def _by(self, kinds: Kinds) -> Mapping[str, tuple[str, ...]]:
        """The neighbours of every space by these kinds of links; made once for each set of
        kinds.
        """
        if kinds not in self._nearby:
            near: dict[str, list[str]] = {space: [] for space in self.spaces}
            for (one, other), joined in self._kinds.items():
                if kinds is None or not kinds.isdisjoint(joined):
                    near[one].append(other)
            self._nearby[kinds] = {
                space: tuple(sorted(others, key=self._rank.__getitem__))
                for space, others in near.items()
            }
        return self._nearby[kinds]

    def in_order(self, spaces: Iterable[str]) -> tuple[str, ...]:
        """The spaces in map order: the order that breaks every tie."""
        return tuple(sorted(spaces, key=self._rank.__getitem__))

    # -------------------------------------------------------- what hangs together

    def zone(
        self, start: str, allowed: Container[str] | None = None, kinds: Kinds = None
    ) -> frozenset[str]:
        """The start, and every space that is reached from it through allowed spaces only."""
        return self.reach((start,), allowed, kinds)

    def reach(
        self, starts: Iterable[str], allowed: Container[str] | None = None, kinds: Kinds = None
    ) -> frozenset[str]:
        """The starts, and all that is reached from any of them through allowed spaces only."""
        return flood(starts, self._by(kinds).__getitem__, allowed)

    # -------------------------------------------------------- how far

    def distances(
        self,
        starts: Iterable[str],
        allowed: Container[str] | None = None,
        kinds: Kinds = None,
        most: int | None = None,
    ) -> dict[str, int]:
        """Links from the nearest start to every space in reach (through allowed spaces)."""
        way_out = outward(starts, self._by(kinds).__getitem__, allowed)
        return dict(way_out if most is None else takewhile(lambda each: each[1] <= most, way_out))

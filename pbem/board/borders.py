"""Borders between the cells of a map, which share their corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Point = tuple[int, int]
Ring = Sequence[Point]


def sides(ring: Ring) -> list[tuple[Point, Point]]:
    """The sides of a closed ring of corners, in its order."""
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def borders(cells: Mapping[str, Ring]) -> tuple[tuple[str, str, tuple[Point, Point]], ...]:
    """Each side that two cells have in common, with both cells; whole sides only."""
    first: dict[frozenset[Point], str] = {}
    found = []
    for cell, ring in cells.items():
        for side in sides(ring):
            ends = frozenset(side)
            if ends in first:
                found.append((first[ends], cell, side))
            else:
                first[ends] = cell
    return tuple(found)

"""Straight lines over a map of hexes."""

from __future__ import annotations

from collections.abc import Callable

from pbem.board.hexes import Grid


def is_clear(grid: Grid, one: str, other: str, blocks: Callable[[str], bool]) -> bool:
    """Whether a straight line between the centres of two hexes meets no hex that blocks it.

    The two ends never block. Where the line runs along a hexside, it is blocked if both hexes
    beside it are.
    """
    return not any(all(map(blocks, step)) for step in grid.line(one, other)[1:-1])

"""Where the hexes of a map are drawn on a sheet: their cells, the sides between them, slopes, and
the words above the counters. Places are whole numbers, x to the east and y to the south.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from textwrap import wrap

from pbem.board.borders import Point, borders
from pbem.board.hexes import Grid

Line = tuple[Point, ...]
Block = tuple[tuple[str, ...], tuple[int, ...], Point, int, str]
"""Lines, the width of each, the upper left corner from the middle of the hex, the size of the
letters, and `m`: the lines are in the middle.
"""
SIZE = 400
"""Of a hexside."""
NAME, LETTER, LONGEST, DISC = 80, 44, 15, 190
"""The size of a name, the width of a letter, the letters of a line, and the room of its points."""
TICK = 90
"""The length of a tick of a slope."""


class HexSheet:
    """The sheet of some hexes of a grid. `first` is the place of the hex in their north-west
    corner; `corner` are hexes among which that is looked for, if others than those drawn.
    """

    def __init__(
        self, grid: Grid, hexes: Iterable[str], first: Point, corner: Iterable[str] = ()
    ) -> None:
        self.hexes = tuple(hexes)
        self._grid, self._first, self._among = grid, first, tuple(corner) or self.hexes

    @cached_property
    def _corner(self) -> Point:
        """The centre of the hex in the north-west corner, drawn or not."""
        lines, places = zip(*map(self._grid.place, self._among), strict=True)
        return self._grid.centre(self._grid.name(min(lines), min(places)), SIZE)

    def at(self, hex: str) -> Point:
        """The middle of a hex."""
        return self._moved(self._grid.centre(hex, SIZE))

    def _moved(self, point: Point) -> Point:
        (across, down), (left, top) = self._corner, self._first
        return point[0] - across + left, point[1] - down + top

    @cached_property
    def cells(self) -> Mapping[str, Line]:
        """The six corners of each hex."""
        return {hex: tuple(map(self._moved, self._grid.corners(hex, SIZE))) for hex in self.hexes}

    @cached_property
    def edges(self) -> tuple[tuple[str, str, Line], ...]:
        """Each side that two hexes have in common, with both hexes."""
        return borders(self.cells)

    @cached_property
    def _sides(self) -> Mapping[frozenset[str], Line]:
        return {frozenset((one, other)): line for one, other, line in self.edges}

    def side(self, pair: frozenset[str]) -> Line:
        """The side between two hexes; raises KeyError where one of them is not drawn."""
        return self._sides[pair]

    def sides(self, pairs: Iterable[frozenset[str]]) -> tuple[Line, ...]:
        """Those sides of some that are drawn, in their order on the sheet."""
        wanted = set(pairs)
        return tuple(line for pair, line in self._sides.items() if pair in wanted)

    @cached_property
    def ends(self) -> Point:
        """The eastern and southern ends of what is drawn."""
        every = [point for ring in self.cells.values() for point in ring]
        return max(x for x, _ in every), max(y for _, y in every)

    def crossing(self, one: str, other: str) -> tuple[Point, Point]:
        """The middle of the side between two hexes, and the way over it."""
        (x, y), (east, south) = self.at(one), self.at(other)
        return ((x + east) // 2, (y + south) // 2), (east - x, south - y)

    def slope(self, low: str, high: str, number: int) -> tuple[Line, ...]:
        """So many ticks from the side between two hexes down into the lower one."""
        (x, y), (across, down) = self.side(frozenset((low, high)))
        _, (east, south) = self.crossing(high, low)
        far = east * east + south * south
        tick = round(east * TICK / far**0.5), round(south * TICK / far**0.5)
        found = []
        for at in range(1, number + 1):
            top = x + (across - x) * at // (number + 1), y + (down - y) * at // (number + 1)
            found.append((top, (top[0] + tick[0], top[1] + tick[1])))
        return tuple(found)

    @staticmethod
    def block(words: str, *, has_points: bool) -> Block:
        """The words of a hex in lines above its counters; `has_points`: a disc stands behind."""
        lines = wrap(words, LONGEST - (DISC // LETTER if has_points else 0),
                     break_long_words=False)  # fmt: skip
        widths = [LETTER * len(line) for line in lines]
        if has_points:
            widths[-1] += DISC
        down = -SIZE * 8 // 10 - NAME * max(0, len(lines) - 2)
        return tuple(lines), tuple(widths), (-max(widths) // 2, down), NAME, "m"

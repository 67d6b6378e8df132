"""Hexes by the numbers printed in them.

On most maps the columns stand upright: each hex has a neighbour above and below, and every second
column is shifted down by half a hex ("2006" is column 20, row 06). On others the rows lie straight,
and every second row is shifted to the east ("2006" is row 20, place 06). One is the other in a
mirror: a number is a line and a place in it, and all arithmetic is the same. Distances and straight
lines are computed in three axes that add up to nothing; see Amit Patel, "Hexagonal Grids".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from pbem.board.graph import Graph
from pbem.value import value

Cube = tuple[int, int, int]
Steps = dict[str, Cube]

AROUND: dict[str, Steps] = {
    "columns": {
        "n": (0, 1, -1), "ne": (1, 0, -1), "se": (1, -1, 0),
        "s": (0, -1, 1), "sw": (-1, 0, 1), "nw": (-1, 1, 0),
    },
    "rows": {
        "ne": (-1, 0, 1), "e": (0, -1, 1), "se": (1, -1, 0),
        "sw": (1, 0, -1), "w": (0, 1, -1), "nw": (-1, 1, 0),
    },
}  # fmt: skip
"""The hexsides by name, clockwise, with the step over each: for upright columns and for rows that
lie straight.
"""


@value
class Grid:
    """The numbering of a map's hexes: which lines are shifted by half a hex, which way the lines
    run, and how numbers are written.
    """

    shifted: Literal["even", "odd"]
    lines: Literal["columns", "rows"] = "columns"
    digits: int = 2
    """Of the line (unless it is a letter), and of the place in it."""
    lettered: bool = False
    """Whether lines have letters: "G13" is the thirteenth place of line 7. Then there are 26."""

    def name(self, line: int, place: int) -> str:
        """The printed number of a hex."""
        return f"{self._line_name(line)}{place:0{self.digits}}"

    def _line_name(self, line: int) -> str:
        return chr(ord("A") + line - 1) if self.lettered else f"{line:0{self.digits}}"

    def place(self, hex: str) -> tuple[int, int]:
        """The line of a hex and its place in it. Raises ValueError for a number that is not on this
        grid.
        """
        width = 1 if self.lettered else self.digits
        line, place = hex[:width], hex[width:]
        written = line.isupper() if self.lettered else line.isdigit()
        if not (hex.isascii() and written and place.isdigit() and len(place) == self.digits):
            raise ValueError(f"{hex!r} is not a hex")
        return ord(line) - ord("A") + 1 if self.lettered else int(line), int(place)

    def cube(self, hex: str) -> Cube:
        """The hex in three axes."""
        line, place = self.place(hex)
        # Half the lines before this one are shifted; places count away from the first.
        r = place - self._half_of(line)
        return line, -line - r, r

    def hex(self, cube: Cube) -> str:
        """The hex of three axes."""
        line, _, r = cube
        return self.name(line, r + self._half_of(line))

    def _half_of(self, line: int) -> int:
        odd = line & 1
        return (line - odd if self.shifted == "odd" else line + odd) // 2

    @cached_property
    def _steps(self) -> tuple[Cube, ...]:
        return tuple(AROUND[self.lines].values())

    def around(self, hex: str) -> tuple[str, ...]:
        """The six hexes around, clockwise from the one over the first side of AROUND; none is left
        out at an edge.
        """
        here = self.cube(hex)
        return tuple(self.hex(_plus(here, step)) for step in self._steps)

    def side(self, one: str, other: str) -> str:
        """The hexside of `one` that it shares with `other`, by its name in AROUND.

        Raises ValueError where the two are not adjacent.
        """
        a, b = self.cube(one), self.cube(other)
        step = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
        for side, over in AROUND[self.lines].items():
            if over == step:
                return side
        raise ValueError(f"{one} and {other} share no hexside")

    def distance(self, one: str, other: str) -> int:
        """The distance between two hexes; 1 if they are adjacent."""
        a, b = self.cube(one), self.cube(other)
        return max(abs(x - y) for x, y in zip(a, b, strict=True))

    def ring(self, hex: str, radius: int) -> tuple[str, ...]:
        """The hexes at exactly this distance, clockwise from the one over the first of AROUND."""
        if radius == 0:
            return (hex,)
        here = self.cube(hex)
        for _ in range(radius):
            here = _plus(here, self._steps[0])
        found = []
        for turn in range(6):
            for _ in range(radius):
                found.append(self.hex(here))
                here = _plus(here, self._steps[(turn + 2) % 6])
        return tuple(found)

    def within(self, hex: str, radius: int) -> tuple[str, ...]:
        """The hexes at this distance or less, ring by ring."""
        return tuple(each for far in range(radius + 1) for each in self.ring(hex, far))

    def line(self, one: str, other: str) -> tuple[tuple[str, ...], ...]:
        """The hexes that a straight line between the centres of two hexes runs through, step by
        step.

        Each step is one hex, or the two on both sides where the line runs along a hexside. Both
        ends are steps.
        """
        a, b, steps = self.cube(one), self.cube(other), self.distance(one, other)
        return tuple(
            tuple(sorted(self.hex(each) for each in _nearest(a, b, at, steps)))
            for at in range(steps + 1)
        )

    def graph(self, hexes: Iterable[str], barred: Iterable[frozenset[str]] = ()) -> Graph:
        """The map of these hexes, joined where they are adjacent and no hexside bars the way."""
        field, closed = dict.fromkeys(hexes), set(barred)
        return Graph(tuple(field), self._links(field, closed))

    def centre(self, hex: str, size: int) -> tuple[int, int]:
        """The middle of a hex whose sides are `size` long, an even number; y grows downwards."""
        line, place = self.place(hex)
        low = (line & 1) == (self.shifted == "odd")
        return self._turned((line * 3 * size // 2, (2 * place + low) * _half_height(size)))

    def corners(self, hex: str, size: int) -> tuple[tuple[int, int], ...]:
        """Its six corners, clockwise from the western one (for straight rows, the northern one);
        those of neighbours are the same.
        """
        (x, y), half, high = self._turned(self.centre(hex, size)), size // 2, _half_height(size)
        ring = (
            (x - size, y), (x - half, y - high), (x + half, y - high),
            (x + size, y), (x + half, y + high), (x - half, y + high),
        )  # fmt: skip
        return ring if self.lines == "columns" else (ring[0][::-1], *(p[::-1] for p in ring[:0:-1]))

    def _turned(self, point: tuple[int, int]) -> tuple[int, int]:
        """A point of upright columns on this map: straight rows are their mirror image."""
        return point if self.lines == "columns" else point[::-1]

    def _links(
        self, field: dict[str, None], closed: set[frozenset[str]]
    ) -> Iterator[tuple[str, str, str]]:
        for hex in field:
            for near in self.around(hex)[:3]:  # each link once
                if near in field and frozenset((hex, near)) not in closed:
                    yield hex, near, "adjacent"


def _half_height(size: int) -> int:
    """Half of the square root of three, in whole numbers."""
    return size * 8660 // 10000


def _plus(cube: Cube, step: Cube) -> Cube:
    return cube[0] + step[0], cube[1] + step[1], cube[2] + step[2]


def _nearest(a: Cube, b: Cube, at: int, steps: int) -> tuple[Cube, ...]:
    """The hex that holds the point `at` of `steps` on the way from a to b; two if it is on a side.

    In whole numbers: all three axes are multiplied by twice the number of steps.
    """
    if steps == 0:
        return (a,)
    point = [2 * (x * (steps - at) + y * at) for x, y in zip(a, b, strict=True)]
    whole = 2 * steps
    low = [p // whole for p in point]
    rest = [p - whole * n for p, n in zip(point, low, strict=True)]
    near: list[tuple[int, Cube]] = []
    for add in _ADDED:
        cube = low[0] + add[0], low[1] + add[1], low[2] + add[2]
        if sum(cube) == 0:
            off = [abs(r - whole * n) for r, n in zip(rest, add, strict=True)]
            near.append((max(off), cube))
    least = min(far for far, _ in near)
    return tuple(cube for far, cube in near if far == least)


_ADDED = tuple((x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1))

"""Hexes by the numbers printed in them: "2006" is column 20, row 06.

Columns stand upright, as on most wargame maps: each hex has a neighbour above and below, and every
second column is shifted down by half a hex. Distances and lines are computed in three axes that
add up to nothing; see Amit Patel, "Hexagonal Grids".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pbem.board.graph import Graph
from pbem.value import value

Cube = tuple[int, int, int]
DIRECTIONS: tuple[Cube, ...] = (
    (0, 1, -1), (1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0),
)  # fmt: skip
"""Around a hex, clockwise from the one above it."""
NAMES = ("n", "ne", "se", "s", "sw", "nw")
"""The names of the hexsides in those directions."""


@value
class Grid:
    """The numbering of a map's hexes: which columns are shifted down, and how numbers are
    written.
    """

    shifted: Literal["even", "odd"]
    digits: int = 2
    """Of the column, and of the row."""

    def name(self, column: int, row: int) -> str:
        """The printed number of a hex."""
        return f"{column:0{self.digits}}{row:0{self.digits}}"

    def place(self, hex: str) -> tuple[int, int]:
        """Column and row of a hex. Raises ValueError for a number that is not on this grid."""
        if len(hex) != 2 * self.digits or not (hex.isascii() and hex.isdigit()):
            raise ValueError(f"{hex!r} is not a hex")
        return int(hex[: self.digits]), int(hex[self.digits :])

    def cube(self, hex: str) -> Cube:
        """The hex in three axes."""
        column, row = self.place(hex)
        odd = column & 1
        # Half the columns before this one are shifted; rows count downwards.
        r = row - (column - odd if self.shifted == "odd" else column + odd) // 2
        return column, -column - r, r

    def hex(self, cube: Cube) -> str:
        """The hex of three axes."""
        column, _, r = cube
        odd = column & 1
        return self.name(column, r + (column - odd if self.shifted == "odd" else column + odd) // 2)

    def around(self, hex: str) -> tuple[str, ...]:
        """The six hexes around, clockwise from the one above; none is left out at an edge."""
        here = self.cube(hex)
        return tuple(self.hex(_plus(here, step)) for step in DIRECTIONS)

    def side(self, one: str, other: str) -> str:
        """The hexside of `one` that it shares with `other`: "n", "ne", ...

        Raises ValueError where the two are not adjacent.
        """
        a, b = self.cube(one), self.cube(other)
        step = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
        if step not in DIRECTIONS:
            raise ValueError(f"{one} and {other} share no hexside")
        return NAMES[DIRECTIONS.index(step)]

    def distance(self, one: str, other: str) -> int:
        """The distance between two hexes; 1 if they are adjacent."""
        a, b = self.cube(one), self.cube(other)
        return max(abs(x - y) for x, y in zip(a, b, strict=True))

    def ring(self, hex: str, radius: int) -> tuple[str, ...]:
        """The hexes at exactly this distance, clockwise from the one straight above."""
        if radius == 0:
            return (hex,)
        here = self.cube(hex)
        for _ in range(radius):
            here = _plus(here, DIRECTIONS[0])
        found = []
        for turn in range(6):
            for _ in range(radius):
                found.append(self.hex(here))
                here = _plus(here, DIRECTIONS[(turn + 2) % 6])
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
        column, row = self.place(hex)
        low = (column & 1) == (self.shifted == "odd")
        return column * 3 * size // 2, (2 * row + low) * _half_height(size)

    def corners(self, hex: str, size: int) -> tuple[tuple[int, int], ...]:
        """Its six corners, clockwise from the western one; those of neighbours are the same."""
        (x, y), half, high = self.centre(hex, size), size // 2, _half_height(size)
        return (
            (x - size, y), (x - half, y - high), (x + half, y - high),
            (x + size, y), (x + half, y + high), (x - half, y + high),
        )  # fmt: skip

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

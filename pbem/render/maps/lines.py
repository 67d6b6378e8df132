"""Lines of a picture as SVG paths: rings, rivers, fronts, arrows. Points are tenths of a pixel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, dist, hypot, sin

from pbem.engine.picture import Line, Point

Spot = tuple[float, float]
"""A point that was computed, in the same unit."""
SHORTEST_FRONT = 140
ROUNDED = 90
"""How far a corner of the front is rounded."""
HALF_WIDTH, HALF_HEIGHT = 190, 145
"""Of a counter with its rim."""
HEAD_ALONE = 70
"""An arrow that would be shorter is a head alone."""


def number(tenths: float) -> str:
    """A coordinate in pixels, with one decimal at most."""
    whole = round(tenths)
    sign, whole = ("-", -whole) if whole < 0 else ("", whole)
    return f"{sign}{whole // 10}" + (f".{whole % 10}" if whole % 10 else "")


def at(x: float, y: float) -> str:
    """A point of a path."""
    return f"{number(x)} {number(y)}"


def path(points: Line, *, closed: bool = False) -> str:
    """A straight line from point to point, written as steps, which are shorter than coordinates."""
    (x, y), told = points[0], []
    for east, south in points[1:]:
        across, down = number(east - x), number(south - y)
        told.append(across if across[0] == "-" else f" {across}")
        told.append(down if down[0] == "-" else f" {down}")
        x, y = east, south
    return f"M{at(*points[0])}l{''.join(told).lstrip()}{'z' if closed else ''}"


def rings(found: Iterable[Line]) -> str:
    """Closed rings as one path."""
    return "".join(path(ring, closed=True) for ring in found)


def smooth(points: Sequence[Spot]) -> str:
    """A curve through all points: Catmull-Rom, written as cubic Bézier curves."""
    told = [f"M{at(*points[0])}"]
    last = len(points) - 1
    for here in range(last):
        before, a, b, behind = (
            points[each] for each in (max(here - 1, 0), here, here + 1, min(here + 2, last))
        )
        one = a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6
        two = b[0] - (behind[0] - a[0]) / 6, b[1] - (behind[1] - a[1]) / 6
        told.append(f"C{at(*one)} {at(*two)} {at(*b)}")
    return "".join(told)


def rounded(points: Line) -> str:
    """A straight line from point to point, with rounded corners."""
    told = [f"M{at(*points[0])}"]
    for p, q, s in zip(points, points[1:], points[2:], strict=False):
        to, on = dist(p, q), dist(q, s)
        cut = min(ROUNDED, to / 2, on / 2)
        if cut < 5:
            told.append(f"L{at(*q)}")
            continue
        a = q[0] + (p[0] - q[0]) * cut / to, q[1] + (p[1] - q[1]) * cut / to
        b = q[0] + (s[0] - q[0]) * cut / on, q[1] + (s[1] - q[1]) * cut / on
        told.append(f"L{at(*a)}Q{at(*q)} {at(*b)}")
    return "".join(told) + f"L{at(*points[-1])}"


# --- the front ----------------------------------------------------------------------------------


def chains(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines joined at their common ends, as far as just two meet there; not the shortest ones."""
    ends: dict[Point, list[int]] = {}
    for which, line in enumerate(lines):
        for end in (line[0], line[-1]):
            ends.setdefault(_near(end), []).append(which)
    used: set[int] = set()
    loose = sorted(
        range(len(lines)),
        key=lambda each: min(len(ends[_near(lines[each][0])]), len(ends[_near(lines[each][-1])])),
    )
    for first in loose:
        if first in used:
            continue
        used.add(first)
        chain = [*lines[first]]
        for _ in range(2):
            _lengthened(chain, lines, ends, used)
            chain.reverse()
        if sum(dist(a, b) for a, b in pairwise(chain)) > SHORTEST_FRONT:
            yield tuple(chain)


def _near(point: Point) -> Point:
    """Ends that are one pixel apart are the same."""
    return round(point[0] / 10), round(point[1] / 10)


def _lengthened(
    chain: list[Point], lines: Sequence[Line], ends: Mapping[Point, list[int]], used: set[int]
) -> None:
    """Extends a chain while exactly one other line begins at its end."""
    while len(there := ends[_near(chain[-1])]) <= 2:
        more = [each for each in there if each not in used]
        if not more:
            return
        used.add(more[0])
        line = lines[more[0]]
        chain += line[1:] if _near(line[0]) == _near(chain[-1]) else line[-2::-1]


# --- ways -------------------------------------------------------------------------------------


def entry(ring: Line, centre: Point, sides: Iterable[tuple[Point, Point]]) -> tuple[Point, Point]:
    """Where a way leaves a ring around its centre, and where it reaches one of the sides.

    It is reached at a quarter, half or three quarters, where that is nearest.
    """
    gate = min(
        ((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
         for a, b in sides for part in (0.25, 0.5, 0.75)),
        key=lambda each: dist(centre, each),
    )  # fmt: skip
    wide, high = (max(abs(each[way] - centre[way]) for each in ring) for way in (0, 1))
    across, down = abs(gate[0] - centre[0]) or 1, abs(gate[1] - centre[1]) or 1
    far = min(wide / across, high / down) * dist(centre, gate)
    return whole(towards(centre, gate, far)), whole(gate)


def whole(spot: Spot) -> Point:
    """The nearest point."""
    return round(spot[0]), round(spot[1])


# --- arrows -------------------------------------------------------------------------------------


def rim(centre: Spot, to: Spot) -> float:
    """The distance from a counter's centre to its edge, in the direction of a point."""
    x, y = abs(to[0] - centre[0]), abs(to[1] - centre[1])
    length = hypot(x, y) or 1
    return min(HALF_WIDTH * length / (x or 1e-9), HALF_HEIGHT * length / (y or 1e-9))


def towards(centre: Spot, to: Spot, far: float) -> Spot:
    """The point at a distance from one point in the direction of another."""
    length = dist(centre, to) or 1
    return (
        centre[0] + (to[0] - centre[0]) * far / length,
        centre[1] + (to[1] - centre[1]) * far / length,
    )


def arrow(points: Sequence[Spot], gap: float, head: float) -> tuple[str, str]:
    """Shaft and head of an arrow between counters, trimmed at their rims.

    `gap` is left before the last one. A single leg is bent a little, so that its road is seen.
    """
    begin = towards(points[0], points[1], rim(points[0], points[1]) - 10)
    end = towards(points[-1], points[-2], rim(points[-1], points[-2]) + gap)
    way = [begin, *points[1:-1], end]
    if len(way) == 2:
        forward = (end[0] - begin[0]) * (points[1][0] - points[0][0]) + (end[1] - begin[1]) * (
            points[1][1] - points[0][1]
        )
        if forward < HEAD_ALONE * dist(points[0], points[1]):
            middle = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
            begin, end = towards(middle, points[0], 40), towards(middle, points[0], 30)
        bend = (
            (begin[0] + end[0]) / 2 - (end[1] - begin[1]) * 0.12,
            (begin[1] + end[1]) / 2 + (end[0] - begin[0]) * 0.12,
        )
        shaft = f"M{at(*begin)}Q{at(*bend)} {at(*end)}"
        angle = atan2(end[1] - bend[1], end[0] - bend[0])
    else:
        shaft = smooth(way)
        angle = atan2(way[-1][1] - way[-2][1], way[-1][0] - way[-2][0])
    return shaft, _head(end, angle, head)


def _head(end: Spot, angle: float, size: float) -> str:
    (x, y), across, down = end, cos(angle) * size, sin(angle) * size
    tip = x + across * 1.1, y + down * 1.1
    left, right = (x - down * 0.8, y + across * 0.8), (x + down * 0.8, y - across * 0.8)
    return f"M{at(*tip)}L{at(*left)} {at(*right)}z"

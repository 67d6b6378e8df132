"""Places on a map sheet: an equidistant conic projection, true along its meridians.

Snyder, "Map Projections: A Working Manual" (USGS 1395), pages 111 to 115, for a globe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, radians, sin
from typing import Any

Point = tuple[int, int]
TENTHS = 10


class Conic:
    """From thousandths of a degree, north and east, to tenths of a pixel, east and south.

    `plain` has the two standard `parallels`, the middle `meridian`, `scale` in pixels a degree,
    and the point `at` of the sheet where the parallel `north` meets the meridian.
    """

    def __init__(self, plain: Mapping[str, Any]) -> None:
        south, north = (radians(each / 1000) for each in plain["parallels"])
        self._cone = (cos(south) - cos(north)) / (north - south)
        self._top = cos(south) / self._cone + south
        self._meridian = radians(plain["meridian"] / 1000)
        self._scale = plain["scale"] / radians(1)
        self._radius = self._top - radians(plain["north"] / 1000)
        self._x, self._y = plain["at"]

    def point(self, place: Iterable[int]) -> Point:
        """The point of a place."""
        north, east = place
        radius = self._top - radians(north / 1000)
        turned = self._cone * (radians(east / 1000) - self._meridian)
        x = self._x + self._scale * radius * sin(turned)
        y = self._y + self._scale * (radius * cos(turned) - self._radius)
        return round(x * TENTHS), round(y * TENTHS)

    def line(self, places: Iterable[Iterable[int]]) -> tuple[Point, ...]:
        """The points of several places."""
        return tuple(map(self.point, places))

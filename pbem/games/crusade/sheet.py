"""Where everything on the map is drawn: degrees of picture.json to points of a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.board.conic import TENTHS, Conic
from pbem.engine import picture as p
from pbem.games.crusade.tables import Space
from pbem.messages import say

MAINLAND = "mainland"
FURNITURE = ("title", "legend", "tracks")
SIZES = (110, 120, 145)
"""Sizes of labels, by the weight of the space: others, capitals, Main Cities."""


def points(spaces: Mapping[str, Space], drawing: p.Drawing) -> dict[str, p.Point]:
    """The point of each space: where it is drawn, else its location; insets are moved."""
    conic, moved = Conic(drawing["conic"]), _moved(drawing)
    drawn = {name: conic.point(place) for name, place in drawing["drawn"].items()}
    new = {
        name: _plus(conic.point(space.at), moved.get(name, (0, 0)))
        for name, space in spaces.items()
        if name not in drawn
    }
    return {**drawn, **new}


def sheet(spaces: Mapping[str, Space], drawing: p.Drawing) -> p.Sheet:
    """The whole sheet."""
    conic, at, moved = Conic(drawing["conic"]), points(spaces, drawing), _moved(drawing)
    land = {
        name: tuple(_plus(point, moved.get(name, (0, 0))) for point in conic.line(ring))
        for name, ring in drawing["land"].items()
    }
    cells = {
        name: tuple(map(conic.line, rings))
        for name, rings in drawing["cells"].items()
        if name in spaces
    }
    islands = {name: (ring,) for name, ring in land.items() if name in spaces}
    scenery = [ring for name, ring in land.items() if name != MAINLAND and name not in spaces]
    return p.Sheet(
        size=_tenths(drawing["conic"]["size"]),
        is_sea=True,
        cells={**cells, **islands},
        edges=tuple((a, b, conic.line(line)) for a, b, line in drawing["edges"]),
        land=tuple(ring for ring in land.values() if ring not in scenery),
        foreign=(*map(conic.line, drawing["foreign"].values()), *scenery),
        rivers=tuple(
            p.River(round(each["width"] * TENTHS), tuple(_course(each["course"], conic, at)))
            for each in drawing["rivers"].values()
        ),
        crossings=tuple(_crossings(drawing["rivers"].values(), at)),
        labels={
            name: _label(label, spaces[name])
            for name, label in drawing["labels"].items()
            if name in spaces
        },
        texts=tuple(
            p.Text(kind, say(words), _tenths(where), turned)
            for kind, words, where, turned in drawing["texts"]
        ),
        insets=tuple(map(_inset, drawing["insets"])),
        boxes={
            name if name in FURNITURE else say(name): _tenths(corner)
            for name, corner in drawing["boxes"].items()
        },
    )


def _inset(inset: Mapping[str, Any]) -> p.Inset:
    title: str = inset["title"]
    return p.Inset(say(title), _tenths(inset["at"]), _tenths(inset["size"]))


def _moved(drawing: p.Drawing) -> dict[str, p.Point]:
    """The offset of an inset."""
    insets = drawing["insets"]
    return {name: _tenths(inset["moved"]) for inset in insets for name in inset["of"]}


def _tenths(pixels: Iterable[float]) -> p.Point:
    x, y = pixels
    return round(x * TENTHS), round(y * TENTHS)


def _plus(point: p.Point, by: p.Point) -> p.Point:
    return point[0] + by[0], point[1] + by[1]


def _course(course: Iterable[Any], conic: Conic, at: Mapping[str, p.Point]) -> Iterator[p.Point]:
    """The points of a river: places, spaces it runs through, links it crosses."""
    for step in course:
        if not isinstance(step, Mapping):
            yield conic.point(step)
        elif "s" in step:
            yield at[step["s"]]
        else:
            yield _on_the_way(step, at)


def _on_the_way(step: Mapping[str, Any], at: Mapping[str, p.Point]) -> p.Point:
    """The point at a percentage of a link."""
    (ax, ay), (bx, by) = (at[space] for space in step["x"])
    return ax + (bx - ax) * step["at"] // 100, ay + (by - ay) * step["at"] // 100


def _crossings(
    rivers: Iterable[Mapping[str, Any]], at: Mapping[str, p.Point]
) -> Iterator[tuple[p.Point, p.Point]]:
    """Each link that a river crosses, once: two rivers may meet on it."""
    crossed: set[tuple[str, ...]] = set()
    for river in rivers:
        for step in river["course"]:
            if isinstance(step, Mapping) and "x" in step and tuple(step["x"]) not in crossed:
                crossed.add(tuple(step["x"]))
                (ax, ay), (bx, by) = (at[space] for space in step["x"])
                yield _on_the_way(step, at), (bx - ax, by - ay)


def _label(label: Mapping[str, Any], space: Space) -> p.Label:
    weight = 2 if space.main_city else 1 if space.capital else 0
    widths = tuple(round(width * TENTHS) for width in label["widths"])
    return p.Label(
        tuple(map(say, label["lines"]) if space.dormant else label["lines"]),
        widths,
        _tenths(label["at"]),
        SIZES[weight],
        label["align"],
    )

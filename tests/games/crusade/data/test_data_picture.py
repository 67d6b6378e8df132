"""The geometry of the map: complete, true to map.yaml, and no part of what a game pins."""

from __future__ import annotations

import math
import shutil
from itertools import pairwise
from pathlib import Path

from pbem.gamedata import load
from pbem.gamedata.where import data_folder
from tests.contract.playing import system

DRAWN = load.drawing("crusade")
TABLES = system("crusade").tables
MAINLAND = [each.id for each in TABLES.spaces.values() if not each.dormant and not each.balearic]


def test_every_space_has_its_place_its_label_and_its_region() -> None:
    spaces = set(TABLES.spaces)
    regions = [space for group in DRAWN["regions"].values() for space in group]
    assert set(DRAWN["drawn"]) == set(DRAWN["labels"]) == set(regions) == spaces
    assert len(regions) == len(spaces)
    assert set(DRAWN["cells"]) == set(MAINLAND)


def test_the_northern_front_is_a_region() -> None:
    assert set(TABLES.northern_front) <= set(DRAWN["regions"]["The North"])


def test_cells_meet_at_their_edges() -> None:
    assert {side for a, b, _ in DRAWN["edges"] for side in (a, b)} == set(MAINLAND)
    for a, b, line in DRAWN["edges"]:
        corners = [{tuple(corner) for ring in DRAWN["cells"][cell] for corner in ring}
                   for cell in (a, b)]  # fmt: skip
        for end in (tuple(line[0]), tuple(line[-1])):
            assert any(near(end, each) for each in corners[0] | corners[1]), (a, b)


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return abs(one[0] - other[0]) <= 2 and abs(one[1] - other[1]) <= 2


def test_a_river_crosses_each_link_that_map_yaml_calls_one() -> None:
    crossed = [
        frozenset(step["x"])
        for river in DRAWN["rivers"].values()
        for step in river["course"]
        if isinstance(step, dict) and "x" in step
    ]
    graph = TABLES.graph
    wet = {
        frozenset((a, b))
        for a in graph.spaces
        for b in graph.neighbours(a)
        if "river" in graph.kinds_of(a, b)
    }
    assert set(crossed) == wet and len(wet) == 55


def test_no_space_is_drawn_far_from_its_place() -> None:
    for space in MAINLAND:
        north, east = TABLES.spaces[space].at
        drawn = DRAWN["drawn"][space]
        assert abs(drawn[0] - north) < 130 and abs(drawn[1] - east) < 190, space


def test_the_geometry_counts_for_no_digest(tmp_path: Path) -> None:
    counted = load.counted_files(data_folder("crusade"))
    assert "picture.json" not in counted
    shutil.copytree(data_folder("crusade"), tmp_path / "crusade")
    (tmp_path / "crusade" / "picture.json").write_text("{}", encoding="utf-8")
    assert load.counted_files(tmp_path / "crusade") == counted


def test_every_part_of_it_says_where_it_comes_from() -> None:
    told = ", ".join(DRAWN["provenance"]).split(", ")
    assert set(told) == set(DRAWN) - {"units", "provenance", "conic", "scenario"}


def test_a_drawn_river_crosses_links_where_the_map_has_a_river_and_nowhere_else() -> None:
    """But for nine pixels around a space, where a river may run through it."""
    picture = system("crusade").picture
    at = {spot.id: spot.at for spot in picture.board(DRAWN).spots}
    rivers = [curve(river.course) for river in picture.sheet(DRAWN).rivers]
    graph, wrong = TABLES.graph, []
    for a in graph.spaces:
        for b in graph.neighbours(a):
            kind = graph.kind_of(a, b)
            if a < b and kind in ("road", "river"):
                crossed = any(crosses(river, at[a], at[b]) for river in rivers)
                wrong += [(a, b)] if crossed != (kind == "river") else []
    assert wrong == []


Dot = tuple[float, float]


def curve(points: tuple[Dot, ...], steps: int = 12) -> list[Dot]:
    """The points of a Catmull-Rom curve, as it is drawn."""
    found, last = [], len(points) - 1
    for here in range(last):
        p, a, b, q = (points[i] for i in (max(here - 1, 0), here, here + 1, min(here + 2, last)))
        for step in range(steps):
            t = step / steps
            x, y = (
                0.5 * (2 * a[i] + (b[i] - p[i]) * t
                       + (2 * p[i] - 5 * a[i] + 4 * b[i] - q[i]) * t**2
                       + (3 * a[i] - p[i] - 3 * b[i] + q[i]) * t**3)
                for i in (0, 1)
            )  # fmt: skip
            found.append((x, y))
    return [*found, points[-1]]


def crosses(river: list[Dot], a: Dot, b: Dot) -> bool:
    return any(
        math.dist(met, a) > 90 and math.dist(met, b) > 90
        for one, other in pairwise(river)
        if (met := meeting(one, other, a, b)) is not None
    )


def meeting(p: Dot, q: Dot, a: Dot, b: Dot) -> Dot | None:
    """Where two straight lines cut each other between their ends."""
    (rx, ry), (sx, sy) = (q[0] - p[0], q[1] - p[1]), (b[0] - a[0], b[1] - a[1])
    across = rx * sy - ry * sx
    if across == 0:
        return None
    t = ((a[0] - p[0]) * sy - (a[1] - p[1]) * sx) / across
    u = ((a[0] - p[0]) * ry - (a[1] - p[1]) * rx) / across
    return (p[0] + rx * t, p[1] + ry * t) if 0 <= t <= 1 and 0 <= u <= 1 else None


def test_no_two_counters_touch_and_labels_leave_them_room() -> None:
    picture = system("crusade").picture
    spots = {spot.id: spot for spot in picture.board(DRAWN).spots}
    labels = picture.sheet(DRAWN).labels
    for name in MAINLAND:
        (x, y), label = spots[name].at, labels[name]
        left, top = x + label.at[0], y + label.at[1]
        right, low = left + max(label.widths), top + len(label.lines) * label.size * 1.04
        for other in MAINLAND:
            east, south = spots[other].at
            if other > name:
                assert abs(x - east) >= 360 or abs(y - south) >= 270, (name, other)
            overlap = min(right, east + 180) - max(left, east - 180)
            depth = min(low, south + 135) - max(top, south - 135)
            assert overlap <= 20 or depth <= 20, f"{name} covers the counter of {other}"

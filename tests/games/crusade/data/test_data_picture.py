"""The geometry of the map: complete, true to map.yaml, and no part of what a game pins."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("space", MAINLAND)
def test_no_space_is_drawn_far_from_its_place(space: str) -> None:
    north, east = TABLES.spaces[space].at
    drawn = DRAWN["drawn"][space]
    assert abs(drawn[0] - north) < 130 and abs(drawn[1] - east) < 190


def test_the_geometry_counts_for_no_digest(tmp_path: Path) -> None:
    assert "picture.json" not in load.counted_files(data_folder("crusade"))
    shutil.copytree(data_folder("crusade"), tmp_path / "crusade")
    (tmp_path / "crusade" / "picture.json").write_text("{}", encoding="utf-8")
    counted = load.counted_files(tmp_path / "crusade")
    assert load.rules_digest(counted) == load.load("crusade").digest


def test_every_part_of_it_says_where_it_comes_from() -> None:
    told = ", ".join(DRAWN["provenance"]).split(", ")
    assert set(told) == set(DRAWN) - {"units", "provenance", "conic"}

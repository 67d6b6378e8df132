"""Hexes by their printed numbers: neighbours, sides, distances, rings and lines."""

from collections import deque
from itertools import pairwise

import pytest

from pbem.board.hexes import AROUND, Grid

EVEN, ODD = Grid("even"), Grid("odd")
ROWS = Grid("odd", "rows")
LETTERED = Grid("even", "rows", lettered=True)
GRIDS = pytest.mark.parametrize("grid", [EVEN, ODD, ROWS, Grid("even", "rows")])
FIELD = [EVEN.name(column, row) for column in range(1, 12) for row in range(1, 12)]


@pytest.mark.parametrize(
    ("grid", "hex", "around"),
    [
        (EVEN, "2006", ("2005", "2106", "2107", "2007", "1907", "1906")),
        (EVEN, "2106", ("2105", "2205", "2206", "2107", "2006", "2005")),
        (ODD, "2006", ("2005", "2105", "2106", "2007", "1906", "1905")),
        (ODD, "2106", ("2105", "2206", "2207", "2107", "2007", "2006")),
        (ROWS, "2006", ("1906", "2007", "2106", "2105", "2005", "1905")),
        (ROWS, "2105", ("2006", "2106", "2206", "2205", "2104", "2005")),
        (LETTERED, "G13", ("F13", "G14", "H13", "H12", "G12", "F12")),
        (LETTERED, "H14", ("G15", "H15", "I15", "I14", "H13", "G14")),
    ],
)
def test_the_six_hexes_around(grid, hex, around):
    assert grid.around(hex) == around
    assert tuple(grid.side(hex, each) for each in around) == tuple(AROUND[grid.lines])
    assert all(hex in grid.around(each) for each in around)


@GRIDS
def test_a_distance_is_the_shortest_way(grid):
    found, todo = {"0606": 0}, deque(["0606"])
    while todo:
        here = todo.popleft()
        for near in grid.around(here):
            if near in FIELD and near not in found:
                found[near] = found[here] + 1
                todo.append(near)
    assert {hex: grid.distance("0606", hex) for hex in FIELD} == found


def test_a_ring_goes_round_and_holds_all_of_its_distance():
    for radius in range(4):
        ring = EVEN.ring("0606", radius)
        assert set(ring) == {hex for hex in FIELD if EVEN.distance("0606", hex) == radius}
        assert len(ring) == len(set(ring)) == (6 * radius or 1)
        if radius:
            assert all(EVEN.distance(a, b) == 1 for a, b in pairwise(ring))
    assert EVEN.ring("0606", 2)[0] == "0604"
    assert set(EVEN.within("0606", 2)) == {h for h in FIELD if EVEN.distance("0606", h) <= 2}


def test_a_line_runs_through_hexes_and_along_sides():
    assert EVEN.line("0606", "0606") == (("0606",),)
    assert EVEN.line("0606", "0609") == (("0606",), ("0607",), ("0608",), ("0609",))
    # To the second column at the same height it runs along the side between two hexes.
    assert EVEN.line("0606", "0806") == (("0606",), ("0706", "0707"), ("0806",))


@GRIDS
def test_a_line_is_the_same_from_both_ends(grid):
    for hex in FIELD:
        line = grid.line("0606", hex)
        assert len(line) == grid.distance("0606", hex) + 1
        assert tuple(map(set, reversed(line))) == tuple(map(set, grid.line(hex, "0606")))
        for at, step in enumerate(line):
            assert all(grid.distance("0606", each) == at for each in step)


def test_a_map_has_its_hexes_joined_but_for_barred_sides():
    board = EVEN.graph(["2006", "2106", "2107", "2007"], [frozenset(("2006", "2106"))])
    assert board.neighbours("2006") == ("2107", "2007")
    assert board.neighbours("2106") == ("2107",)


@pytest.mark.parametrize("wrong", ["206", "20066", "2o06", "٢٠٠٦", ""])
def test_what_is_no_number_of_a_hex(wrong):
    with pytest.raises(ValueError, match="is not a hex"):
        EVEN.place(wrong)


@pytest.mark.parametrize("wrong", ["g13", "G1", "G113", "713", "É13", "13", ""])
def test_what_is_no_hex_of_lettered_lines(wrong):
    with pytest.raises(ValueError, match="is not a hex"):
        LETTERED.place(wrong)


@GRIDS
def test_names_of_sides_are_where_they_are_drawn(grid):
    """Each name tells which way the neighbour's centre lies, and neighbours share two corners."""
    x, y = grid.centre("0606", 200)
    for side, near in zip(AROUND[grid.lines], grid.around("0606"), strict=True):
        east, south = (a - b for a, b in zip(grid.centre(near, 200), (x, y), strict=True))
        told = ("n" if south < 0 else "s" if south > 0 else "") + (
            "e" if east > 0 else "w" if east < 0 else ""
        )
        assert told == side
        assert len(set(grid.corners("0606", 200)) & set(grid.corners(near, 200))) == 2


@GRIDS
def test_corners_go_round_clockwise(grid):
    (x, y), ring = grid.centre("0606", 200), grid.corners("0606", 200)
    turns = [(a - x) * (d - y) - (b - y) * (c - x)
             for (a, b), (c, d) in zip(ring, (*ring[1:], ring[0]), strict=True)]  # fmt: skip
    assert all(turn > 0 for turn in turns)  # y grows downwards


def test_hexes_apart_share_no_side():
    with pytest.raises(ValueError, match="share no hexside"):
        EVEN.side("2006", "2008")


def test_a_hex_is_as_high_as_the_root_of_three() -> None:
    assert EVEN.corners("0101", 20_000)[1][1] - EVEN.centre("0101", 20_000)[1] == -17_320

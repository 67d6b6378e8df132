"""Lines: the cheapest within limits, and straight ones."""

from itertools import pairwise, product

import pytest

from pbem.board.hexes import Grid
from pbem.board.lines import cheapest_line, is_clear

GRID = Grid("even")
FIELD = frozenset(GRID.name(column, row) for column, row in product(range(1, 7), range(1, 7)))
ROAD = ("0101", "0201", "0301", "0401", "0501", "0601")


def near(hex: str) -> tuple[str, ...]:
    return tuple(each for each in GRID.around(hex) if each in FIELD)


def toll(here: str, there: str) -> tuple[int, str] | None:
    if there == "0402":
        return None
    on_road = here in ROAD and there in ROAD
    return (1, "road") if on_road else (2, "rough")


@pytest.mark.parametrize(
    ("goal", "limits", "points"),
    [
        ("0601", {"road": 5}, 5),
        ("0601", {"road": 4}, 7),  # three steps on the road, two beside it
        ("0601", {"road": 4, "rough": 1}, None),
        ("0601", {"road": 3, "rough": 4}, 7),
        ("0101", {}, 0),
        ("0402", {}, None),
    ],
)
def test_a_line_keeps_to_its_limits(goal, limits, points):
    line = cheapest_line(["0101"], {goal}, near, toll, limits)
    if line is None:
        assert points is None
        return
    spent = [toll(here, there) for here, there in pairwise(line)]
    assert (line[0], line[-1]) == ("0101", goal)
    assert sum(cost for cost, _ in spent) == points
    for kind, most in limits.items():
        assert sum(cost for cost, ground in spent if ground == kind) <= most


def test_a_dearer_way_is_kept_if_it_has_spent_less_of_what_is_short():
    """By b it is cheaper, but only by c is enough road left for the end."""
    steps = {"ab": (1, "road"), "ac": (2, "rough"), "bd": (0, "rough"), "cd": (0, "rough"),
             "de": (1, "road")}  # fmt: skip
    line = cheapest_line(
        "a", "e", lambda here: [step[1] for step in steps if step[0] == here],
        lambda here, there: steps[here + there], {"road": 1},
    )  # fmt: skip
    assert line == ("a", "c", "d", "e")


def test_the_nearest_start_counts():
    assert cheapest_line(["0101", "0301"], {"0401"}, near, toll, {}) == ("0301", "0401")
    assert cheapest_line([], {"0401"}, near, toll, {}) is None


@pytest.mark.parametrize(("blocking", "clear"), [("0303", True), ("0306", True), ("0304", False)])
def test_a_straight_line_is_blocked_by_what_lies_between(blocking, clear):
    assert is_clear(GRID, "0303", "0306", {blocking}.__contains__) is clear


def test_along_a_hexside_both_hexes_must_block():
    assert GRID.line("0403", "0603")[1] == ("0503", "0504")
    assert is_clear(GRID, "0403", "0603", {"0503"}.__contains__)
    assert is_clear(GRID, "0403", "0603", {"0504"}.__contains__)
    assert not is_clear(GRID, "0403", "0603", {"0503", "0504"}.__contains__)

"""Straight lines."""

import pytest

from pbem.board.hexes import Grid
from pbem.board.lines import is_clear

GRID = Grid("even")


@pytest.mark.parametrize(("blocking", "clear"), [("0303", True), ("0306", True), ("0304", False)])
def test_a_straight_line_is_blocked_by_what_lies_between(blocking, clear):
    assert is_clear(GRID, "0303", "0306", {blocking}.__contains__) is clear


def test_along_a_hexside_both_hexes_must_block():
    assert GRID.line("0403", "0603")[1] == ("0503", "0504")
    assert is_clear(GRID, "0403", "0603", {"0503"}.__contains__)
    assert is_clear(GRID, "0403", "0603", {"0504"}.__contains__)
    assert not is_clear(GRID, "0403", "0603", {"0503", "0504"}.__contains__)

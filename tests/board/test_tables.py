"""Printed tables."""

import pytest

from pbem.board.tables import OddsTable, RangeTable, clamp

FIRE = RangeTable.of([[1, 1], [2, 3], [4, None]], [[0, 1, 2], [1, 2, 3], [2, 3, 5]])
DATED = RangeTable(((0, 4), (5, 9)), (("a", "b"), ("c", "d")), first_row=3)


@pytest.mark.parametrize(
    "found, expected",
    [
        (FIRE.column(0), 0),
        (FIRE.column(1), 0),
        (FIRE.column(3), 1),
        (FIRE.column(99), 2),
        (DATED.column(99), 1),
        (FIRE.shifted(1, 1), 2),
        (FIRE.shifted(1, 5), 2),
        (FIRE.shifted(1, -5), 0),
        (FIRE.at(2, 3), 5),
        (FIRE.at(0, 9), 2),
        (FIRE.at(0, -2), 0),
        (DATED.at(1, 3), "b"),
        (DATED.at(1, 4), "d"),
        (FIRE.heading(0), "1"),
        (FIRE.heading(1), "2-3"),
        (FIRE.heading(2), "4+"),
        (clamp(7, 1, 6), 6),
        (clamp(0, 1, 6), 1),
        (clamp(3, 1, 6), 3),
    ],
)
def test_tables(found, expected):
    assert found == expected


@pytest.mark.parametrize(
    "columns, rows",
    [
        ([], []),
        ([[0, 1], [3, 4]], [[0, 0]]),
        ([[0, None], [1, 2]], [[0, 0]]),
        ([[0, 1]], [[0, 0]]),
    ],
)
def test_a_table_with_a_mistake_is_not_built(columns, rows):
    with pytest.raises(AssertionError):
        RangeTable.of(columns, rows)


DOWN = OddsTable.of(["1:2", "1:1", "3:2", "2:1"], [["a"] * 4, ["b"] * 4], "down", first_row=0)
NEAREST = OddsTable.of(["1:3", "1:2", "1:1", "2:1", "3:1"], [list("pqrst")], "half up")


@pytest.mark.parametrize(
    ("table", "attack", "defence", "heading", "below"),
    [
        (DOWN, 1, 3, "1:2", True),
        (DOWN, 1, 2, "1:2", False),
        (DOWN, 5, 6, "1:2", False),
        (DOWN, 7, 7, "1:1", False),
        (DOWN, 14, 10, "1:1", False),
        (DOWN, 15, 10, "3:2", False),
        (DOWN, 99, 10, "2:1", False),
        (DOWN, 3, 0, "2:1", False),
        (DOWN, 0, 4, "1:2", True),
        (NEAREST, 14, 10, "1:1", False),
        (NEAREST, 15, 10, "2:1", False),
        (NEAREST, 25, 10, "3:1", False),
        (NEAREST, 99, 10, "3:1", False),
        (NEAREST, 10, 14, "1:1", False),
        (NEAREST, 10, 15, "1:2", False),
        (NEAREST, 10, 34, "1:3", False),
        (NEAREST, 10, 35, "1:3", True),
        (NEAREST, 0, 4, "1:3", True),
        (NEAREST, 4, 0, "3:1", False),
    ],
)
def test_odds(table, attack, defence, heading, below):
    assert table.heading(table.column(attack, defence)) == heading
    assert table.is_below(attack, defence) is below


def test_an_odds_table_is_shifted_and_read_as_any_other():
    assert DOWN.shifted(1, 5) == 3 and DOWN.shifted(1, -5) == 0
    assert DOWN.at(0, 0) == "a" and DOWN.at(3, 1) == "b" and DOWN.at(3, 9) == "b"
    assert NEAREST.at(4, 1) == "t"


@pytest.mark.parametrize(
    ("columns", "rows"),
    [([], []), (["1:1", "1:1"], [[0, 0]]), (["2:1", "1:1"], [[0, 0]]), (["1:0"], [[0]]),
     (["1:1"], [[0, 1]])],
)  # fmt: skip
def test_an_odds_table_with_a_mistake_is_not_built(columns, rows):
    with pytest.raises(AssertionError):
        OddsTable.of(columns, rows, "down")

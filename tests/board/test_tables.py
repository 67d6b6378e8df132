"""Printed tables."""

import pytest

from pbem.board.tables import RangeTable, clamp

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

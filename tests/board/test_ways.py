"""Ways of a length, and the best of them by rules in order."""

import pytest

from pbem.board.ways import best, ways

NEAR = {"a": "bc", "b": "acd", "c": "abd", "d": "bc"}.__getitem__


@pytest.mark.parametrize(
    ("length", "found"),
    [
        (0, []),
        (1, ["b", "c"]),
        (2, ["bc", "bd", "cb", "cd"]),
        (3, ["bcd", "bdc", "cbd", "cdb"]),
        (4, []),
    ],
)
def test_every_way_of_a_length(length, found):
    assert ["".join(way) for way in ways("a", length, NEAR)] == found


def test_the_first_rule_comes_before_all_others():
    rows = [(1, 0, "a"), (0, 2, "b"), (0, 1, "c"), (0, 1, "d")]
    assert best(rows, lambda row: row[0], lambda row: row[1]) == ((0, 1, "c"), (0, 1, "d"))
    assert best(rows, lambda row: row[1]) == ((1, 0, "a"),)
    assert best(rows[1:3], lambda row: row[1]) == ((0, 1, "c"),)
    assert best(rows) == tuple(rows)
    assert best([], lambda row: 0) == ()

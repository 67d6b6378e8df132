"""Floods over whatever is next to what."""

import pytest

from pbem.board.zones import flood, outward

# a - b - c    b - d - e - c    f
NEAR = {"a": "b", "b": "acd", "c": "be", "d": "be", "e": "dc", "f": ""}.__getitem__


@pytest.mark.parametrize(
    "starts, allowed, expected",
    [
        ("a", None, "abcde"),
        ("a", {"b", "d"}, "abd"),  # the start need not be allowed
        ("a", {"d", "e"}, "a"),  # what is not allowed is not passed
        ("af", set(), "af"),
        ("", None, ""),
    ],
)
def test_a_flood_finds_all_that_hangs_together(starts, allowed, expected):
    assert flood(starts, NEAR, allowed) == frozenset(expected)


@pytest.mark.parametrize(
    "starts, allowed, expected",
    [
        ("a", None, [("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 3)]),
        ("a", "bde", [("a", 0), ("b", 1), ("d", 2), ("e", 3)]),
        ("ae", None, [("a", 0), ("e", 0), ("b", 1), ("d", 1), ("c", 1)]),
        ("aa", "", [("a", 0)]),
        ("f", None, [("f", 0)]),
    ],
)
def test_outward_the_nearest_come_first(starts, allowed, expected):
    assert list(outward(starts, NEAR, allowed)) == expected


def test_outward_looks_no_further_than_it_is_asked():
    def near(number):
        assert number < 2, "nobody asked for that"
        return (number + 1,)

    way = outward((0,), near)
    assert [next(way) for _ in range(3)] == [(0, 0), (1, 1), (2, 2)]

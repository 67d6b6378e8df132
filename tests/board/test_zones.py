"""Floods over whatever is next to what."""

import random

import pytest

from pbem.board.zones import flood, joined, outward, parted, zones

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


def test_zones_are_what_hangs_together():
    assert set(zones("abcf", NEAR)) == {frozenset("abc"), frozenset("f")}
    assert zones("", NEAR) == ()


@pytest.mark.parametrize(
    "before, place, after",
    [
        ("abc", "b", ["a", "c"]),  # it falls apart
        ("bcde", "b", ["cde"]),  # connected the other way round
        ("ab", "a", ["b"]),
        ("af", "f", ["a"]),  # nothing is left of it
        ("abcde", "b", ["a", "cde"]),
    ],
)
def test_a_place_less_parts_its_zone_and_a_place_more_joins_it_again(before, place, after):
    parts = {frozenset(each) for each in after}
    assert set(parted(zones(before, NEAR), place, NEAR)) == parts
    assert set(joined(parts, place, NEAR)) == set(zones(before, NEAR))


@pytest.mark.parametrize("seed", range(30))
def test_zones_that_are_changed_place_by_place_are_those_found_anew(seed):
    rng = random.Random(seed)
    places = range(12)
    links = {frozenset(rng.sample(places, 2)) for _ in range(rng.randint(5, 22))}
    near = {one: [two for two in places if {one, two} in links] for one in places}.__getitem__
    held: set[int] = set()
    known = zones(held, near)
    for _ in range(60):
        place = rng.choice(places)
        known = (parted if place in held else joined)(known, place, near)
        held ^= {place}
        assert sorted(map(sorted, known)) == sorted(map(sorted, zones(held, near)))

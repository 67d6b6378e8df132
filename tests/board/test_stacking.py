"""Places that hold too many, brought back to their limit."""

import random
from itertools import product

import pytest

from pbem.board.stacking import relief, surplus


@pytest.mark.parametrize(
    "surplus, at, ways, room, expected",
    [
        # Nobody has to go.
        ({}, {"u": "a"}, {"u": "b"}, {"a": 0, "b": 0}, (0, "")),
        # One goes, the cheaper one.
        ({"a": 1}, {"u": "a", "w": "a"}, {"u": "b", "w": "b"}, {"a": -1, "b": 1}, (2, "")),
        # There is no room for it, nor anywhere to go.
        ({"a": 1}, {"u": "a"}, {"u": "b"}, {"a": -1, "b": 0}, (0, "a")),
        ({"a": 1}, {"u": "a"}, {"u": ""}, {"a": -1, "b": 1}, (0, "a")),
        # Nobody may go.
        ({"a": 1}, {}, {}, {"a": -1, "b": 9}, (0, "a")),
        # Another makes room for it, since it cannot go there itself.
        ({"a": 1}, {"u": "a", "w": "b"}, {"u": "b", "w": "c"},
         {"a": -1, "b": 0, "c": 1}, (5, "")),
        # The room is taken once: the second place cannot be mended.
        ({"a": 1, "b": 1}, {"u": "a", "w": "b"}, {"u": "c", "w": "c"},
         {"a": -1, "b": -1, "c": 1}, (3, "b")),
        # Who came first to where the other must go goes elsewhere, though it costs more.
        ({"a": 1, "b": 1}, {"w": "a", "v": "a", "u": "b"}, {"w": "c", "v": "d", "u": "c"},
         {"a": -1, "b": -1, "c": 1, "d": 1}, (8, "")),
        # Two too many in one place.
        ({"a": 2}, {"u": "a", "w": "a"}, {"u": "b", "w": "b"}, {"a": -2, "b": 2}, (5, "")),
    ],
)  # fmt: skip
def test_relief(surplus, at, ways, room, expected):
    price = {"u": 3, "v": 5, "w": 2}
    found = relief(surplus, at, ways.__getitem__, price.__getitem__, room.__getitem__)
    assert found == expected


def _by_trying(surplus, at, ways, price, room):
    """The least cost of all ways to send everybody somewhere; None if none mends all."""
    best = None
    for ends in product(*((at[unit], *ways[unit]) for unit in at)):
        came = dict.fromkeys(room, 0)
        for unit, end in zip(at, ends, strict=True):
            came[at[unit]] -= 1
            came[end] += 1
        if all(came[place] <= room[place] for place in room):
            cost = sum(price[u] for u, end in zip(at, ends, strict=True) if end != at[u])
            best = cost if best is None else min(best, cost)
    return best


def test_relief_is_as_cheap_as_all_that_can_be_tried():
    for seed in range(150):
        rng = random.Random(seed)
        places, units = "abcd", "uvwxy"
        at = {unit: rng.choice("ab" if rng.random() < 0.6 else places) for unit in units}
        ways = {u: rng.sample(places, rng.randint(0, 3)) for u in units}
        price = {unit: rng.randint(0, 4) for unit in units}
        limit = rng.randint(1, 2)
        room = {place: limit - list(at.values()).count(place) for place in places}
        surplus = {place: -left for place, left in room.items() if left < 0}
        cost, stuck = relief(surplus, at, ways.__getitem__, price.__getitem__, room.__getitem__)
        expected = _by_trying(surplus, at, ways, price, room)
        assert (None if stuck else cost) == expected, seed


def test_points_above_the_limit_of_each_place():
    at = {"a": "hill", "b": "hill", "c": "plain", "d": "plain"}
    points = {"a": 2, "b": 3, "c": 2, "d": 4}.__getitem__
    assert surplus(at, points, {"hill": 4, "plain": 6}.__getitem__) == {"hill": 1}
    assert surplus(at, lambda _: 1, lambda _: 1) == {"hill": 1, "plain": 1}

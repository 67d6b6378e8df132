"""Sets of places as numbers: the same places as by walking from each to its neighbours."""

from __future__ import annotations

import random

from pbem.board.hexes import Grid
from pbem.board.masks import Masks

GRID = Grid("even")
HEXES = [GRID.name(column, row) for row in range(1, 6) for column in range(1, 7)]
NEAR = GRID.graph(HEXES, ()).neighbours
MASKS = Masks(HEXES, NEAR)


def walked(starts: set[str], allowed: set[str]) -> set[str]:
    found = left = starts & allowed
    while left:
        left = {there for here in left for there in NEAR(here)} & allowed - found
        found |= left
    return found


def test_floods_lead_as_far_as_walks() -> None:
    rng = random.Random(7)
    for _ in range(60):
        allowed = set(rng.sample(HEXES, rng.randrange(1, len(HEXES))))
        starts = set(rng.sample(HEXES, 2))
        found = MASKS.within(MASKS.flood(MASKS.of(starts), MASKS.of(allowed)))
        assert set(found) == walked(starts, allowed)
        assert list(found) == sorted(found, key=HEXES.index), "in the order of the places"
        around = {there for here in starts for there in NEAR(here)}
        assert set(MASKS.within(MASKS.around(MASKS.of(starts)))) == around


def test_a_step_that_leads_one_way_is_no_way_back() -> None:
    masks = Masks("abc", {"a": "b", "b": "c", "c": ""}.__getitem__)
    everything = masks.of("abc")
    assert masks.within(masks.flood(masks.of("a"), everything)) == ("a", "b", "c")
    assert masks.within(masks.flood(masks.of("c"), everything)) == ("c",)
    assert masks.within(masks.around(masks.of("ab"))) == ("b", "c")

"""Sides between hexes: what is on them, in which direction, and what has changed."""

import pytest

from pbem.board.hexsides import Hexsides, key_of, pairs

SIDES = Hexsides.of(
    {
        "river": [["0101", "0201"], ["0101", "0102"]],
        "road": [["0101", "0201", "0301"]],
        "slope": [["0301", "0302"]],
    },
    {"slope": ("up", "down")},
)


@pytest.mark.parametrize(
    ("one", "other", "crossed"),
    [
        ("0101", "0201", ("river", "road")),
        ("0201", "0101", ("river", "road")),
        ("0201", "0301", ("road",)),
        ("0102", "0101", ("river",)),
        ("0301", "0302", ("up",)),
        ("0302", "0301", ("down",)),
        ("0302", "0101", ()),
    ],
)
def test_what_a_step_crosses(one, other, crossed):
    assert SIDES.between(one, other) == crossed


def test_what_has_changed_stands_in_place_of_what_is_printed():
    now = {key_of("0201", "0101"): ("river",), "0301-0302": ()}
    assert SIDES.between("0101", "0201", now) == SIDES.between("0201", "0101", now) == ("river",)
    assert SIDES.between("0302", "0301", now) == ()
    assert SIDES.between("0201", "0301", now) == ("road",)


def test_the_sides_of_a_kind():
    assert SIDES.sides("river") == {frozenset(("0101", "0201")), frozenset(("0101", "0102"))}
    assert SIDES.sides("up") == SIDES.sides("down") == {frozenset(("0301", "0302"))}
    assert SIDES.sides("sea") == frozenset()


def test_a_chain_is_pairs_and_none_is_there_twice():
    assert pairs([["a", "b", "c"], ["a", "b"], ["c"]]) == (("a", "b"), ("b", "c"))

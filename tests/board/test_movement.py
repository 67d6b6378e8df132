"""Cheapest paths over ground that costs something to cross."""

import pytest

from pbem.board.movement import MOST_NAMED, cheapest, reach_told, within
from pbem.messages import words

# a -1- b -1- c -1- d    a -3- c    a -2- e    e x d (barred)
COSTS = {
    "ab": 1, "bc": 1, "cd": 1, "ac": 3, "ae": 2, "ed": None,
}  # fmt: skip
STEPS = {**COSTS, **{step[::-1]: cost for step, cost in COSTS.items()}}


def near(here):
    return [step[1] for step in STEPS if step[0] == here]


def cost(here, there):
    return STEPS[here + there]


@pytest.mark.parametrize(
    "start, most, expected",
    [
        ("a", 3, ["ab", "ae", "abc", "abcd"]),  # to c by b: 2 points and not 3; to e not later
        ("a", 2, ["ab", "ae", "abc"]),
        ("a", 0, []),
        ("e", 4, ["ea", "eab", "eabc"]),  # d is barred from e, and too far by a
    ],
)
def test_each_place_in_reach_has_a_cheapest_path(start, most, expected):
    assert ["".join(path) for path in cheapest(start, near, cost, most)] == expected
    assert within(start, near, cost, most) == {start, *(path[-1] for path in expected)}


def test_a_step_that_costs_nothing_is_followed_from_where_it_leads():
    free = {"ab": 0, "bc": 0, "cd": 1, "ad": 3}

    def after(here):
        return [step[1] for step in free if step[0] == here]

    assert within("a", after, lambda here, there: free[here + there], 0) == set("abc")
    assert within("a", after, lambda here, there: free[here + there], 1) == set("abcd")


def test_who_has_to_stop_goes_no_further():
    def stops(here):
        return () if here == "b" else near(here)

    paths = ["".join(path) for path in cheapest("a", stops, cost, 4)]
    assert paths == ["ab", "ae", "ac", "acd"]


def test_of_equally_cheap_paths_the_first_is_taken():
    square = {"s": "ut", "t": "v", "u": "v", "v": ""}
    paths = ["".join(path) for path in cheapest("s", square.__getitem__, lambda *_: 1, 9)]
    assert paths == ["su", "st", "suv"]


def test_a_step_may_cost_nothing():
    line = {"a": "b", "b": "ac", "c": "b"}
    assert len(list(cheapest("a", line.__getitem__, lambda *_: 0, 0))) == 2


def test_a_place_may_carry_what_was_met_on_the_way():
    """From a to c by b, where an enemy is met, or round by d and e: nobody meets two."""
    links = {"a": "bd", "b": "c", "d": "e", "e": "c", "c": "b"}

    def onward(here):
        place, met = here
        return [(to, met + (to == "b")) for to in links[place] if met + (to == "b") < 2]

    paths = ["".join(each for each, _ in path) for path in cheapest(("a", 0), onward, _one, 3)]
    assert paths == ["ab", "ad", "abc", "ade", "adec"]


def _one(*_):
    return 1


@pytest.mark.parametrize(
    "units, ends, together, expected",
    [
        ("a", "xyz", False, "from H1 to x, y, z"),
        ("a", "x", True, "from H1 to x"),
        ("ab", "xy", False, "from H1, one of a, b, to x, y"),
        ("ab", "xy", True, "from H1, together or one of them, to x, y"),
        ("a", "x" * MOST_NAMED, False, f"from H1 to x{', x' * (MOST_NAMED - 1)}"),
        ("a", "x" * (MOST_NAMED + 1), False,
         f"from H1 to x{', x' * (MOST_NAMED - 1)} or 1 more"),
    ],
)  # fmt: skip
def test_a_form_says_who_may_move_where(units, ends, together, expected):
    assert words(reach_told("H1", [*units], [*ends], together=together)) == expected

"""The map as a graph."""

import pytest

from pbem.board.graph import Graph

# a - b - c - d    e - f      a ~ e by sea; b = d by river, c - d by road and by sea
G = Graph(
    "abcdefg",
    [
        ("c", "b", "road"),
        ("a", "b", "road"),
        ("c", "d", "road"),
        ("e", "f", "road"),
        ("a", "e", "sea"),
        ("d", "b", "river"),
        ("d", "c", "sea"),
    ],
)
LAND = frozenset({"road", "river"})
ROAD = frozenset({"road"})


@pytest.mark.parametrize(
    "found, expected",
    [
        (lambda: G.spaces, tuple("abcdefg")),
        (lambda: "a" in G, True),
        (lambda: "z" in G, False),
        (lambda: G.neighbours("b"), ("a", "c", "d")),
        (lambda: G.neighbours("b", ROAD), ("a", "c")),
        (lambda: G.neighbours("g"), ()),
        (lambda: G.neighbours("a", LAND), ("b",)),
        (lambda: G.kind_of("b", "d"), "river"),
        (lambda: G.kind_of("a", "c"), None),
        (lambda: G.kinds_of("c", "d"), ("road", "sea")),
        (lambda: G.kinds_of("a", "g"), ()),
        (lambda: G.are_joined("a", "e"), True),
        (lambda: G.are_joined("a", "g"), False),
        (lambda: G.in_order({"f", "a", "d"}), ("a", "d", "f")),
        (lambda: Graph("zay", []).in_order("ayz"), ("z", "a", "y")),
        (lambda: G.zone("a", None, LAND), frozenset("abcd")),
        (lambda: G.zone("a"), frozenset("abcdef")),
        (lambda: G.zone("a", "acd"), frozenset("a")),
        (lambda: G.zone("d", "bc", ROAD), frozenset("bcd")),  # the start need not be allowed
        (lambda: G.reach(("a", "f"), (), LAND), frozenset("af")),
        (lambda: G.reach((), None), frozenset()),
        (lambda: G.distances(("a",), None, ROAD), {"a": 0, "b": 1, "c": 2, "d": 3}),
        (lambda: G.distances(("a",), None, ROAD, most=1), {"a": 0, "b": 1}),
    ],
)
def test_graph(found, expected):
    assert found() == expected


@pytest.mark.parametrize(
    "spaces, links",
    [
        ("aa", []),
        ("a", [("a", "b", "road")]),
        ("a", [("a", "a", "road")]),
    ],
)
def test_a_map_with_a_mistake_is_not_built(spaces, links):
    with pytest.raises(AssertionError):
        Graph(spaces, links)

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
        (G.spaces, tuple("abcdefg")),
        ("a" in G, True),
        ("z" in G, False),
        (G.neighbours("b"), ("a", "c", "d")),
        (G.neighbours("b", ROAD), ("a", "c")),
        (G.neighbours("g"), ()),
        (G.neighbours("a", LAND), ("b",)),
        (G.kind_of("b", "d"), "river"),
        (G.kind_of("a", "c"), None),
        (G.kinds_of("c", "d"), ("road", "sea")),
        (G.kinds_of("a", "g"), ()),
        (G.are_joined("a", "e"), True),
        (G.are_joined("a", "e", LAND), False),
        (G.are_joined("d", "c", frozenset({"sea"})), True),
        (G.in_order({"f", "a", "d"}), ("a", "d", "f")),
        (G.zone("a", None, LAND), frozenset("abcd")),
        (G.zone("a"), frozenset("abcdef")),
        (G.zone("a", "acd"), frozenset("a")),
        (G.zone("d", "bc", ROAD), frozenset("bcd")),  # the start need not be allowed
        (G.reach(("a", "f"), (), LAND), frozenset("af")),
        (G.reach((), None), frozenset()),
        (G.distances(("a",), None, ROAD), {"a": 0, "b": 1, "c": 2, "d": 3}),
        (G.distances(("a",), None, ROAD, most=1), {"a": 0, "b": 1}),
    ],
)
def test_graph(found, expected):
    assert found == expected


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

"""Our own objects as JSON: what is written is what is read, and nothing but our values is made."""

from __future__ import annotations

import pytest

from pbem.engine import kernel, tagged
from pbem.games import GAMES
from pbem.play.systems import opened

OURS = ("pbem.",)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_written_is_read_again(game: str) -> None:
    """With the most varied object there is: everything that is printed for a game."""
    system = opened(game).system
    first = system.scenarios()[0]
    state = kernel.begin(system.setup(first.id, frozenset(first.needs))).state
    given = {type(system.tables): "tables"}
    for thing, kept in ((system.tables, {}), (state, given)):
        content = tagged.dumped(thing, kept)
        again = tagged.loaded(content, OURS, {"tables": system.tables})
        assert tagged.dumped(again, kept) == content
    assert again == state
    assert system.public(again.position) == system.public(state.position)


def test_a_set_needs_no_order_of_its_own() -> None:
    thing = frozenset(("one", 1, None))
    assert tagged.loaded(tagged.dumped(thing, {}), OURS, {}) == thing


def test_an_object_that_occurs_twice_is_one() -> None:
    tables = opened("crusade").system.tables
    same, other = tagged.loaded(tagged.dumped((tables.graph, tables.graph), {}), OURS, {})
    assert same is other


@pytest.mark.parametrize(
    "content",
    [
        b'[["builtins:print",null]]\n{"!":0,"of":{}}',
        b'[["os:system",null]]\n{"!":0,"of":{}}',
        b'[["argparse:Namespace",null]]\n{"!":0,"of":{}}',
        b'[["pbem.play.snapshot:json.loads",null]]\n{"!":0,"of":{}}',
        b'[["pbem.games.crusade.tables:os",null]]\n{"!":0,"of":{}}',
        b'[["pbem.play.systems:opened",null]]\n{"!":0,"of":{}}',
        b'[["pbem.games.crusade.tables:Factors",["cf"]]]\n{"!":0,"of":[1]}',
    ],
)
def test_what_names_something_else_is_not_read(content: bytes) -> None:
    """The seal keeps others from writing such a file; no code would run if it were there."""
    with pytest.raises(tagged.Unkeepable):
        tagged.loaded(content, OURS, {})


@pytest.mark.parametrize("thing", [print, object(), {1: print}, 1.5, pytest.raises])
def test_what_is_no_value_of_ours_is_not_written(thing: object) -> None:
    with pytest.raises(tagged.Unkeepable):
        tagged.dumped(thing, {})

"""2.6: what each player is told of counters face down, and by which names they write them."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.engine.tags import is_tag
from pbem.games.nopasaran import orders as o
from pbem.messages import words
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.problems import Refused
from pbem.text.source import Source
from tests.games.nopasaran.face_down import GAME, FaceDownGame
from tests.games.nopasaran.table import SMALL, N, R

FOOT = "N-1TirIf/5"
ENEMY = "R-AMarty/12"


@cache
def begun() -> FaceDownGame:
    """All but headquarters lie face down, in their places at the start."""
    return FaceDownGame.of(SMALL, 1, all_hidden=True)


def tag_of(unit: str) -> str:
    game = begun()
    return game.view(N, R).position.down.tag(unit, game.state.position.hexes)


def written(text: str, side=N):
    state, kind = begun().view(side), o.Move if text.startswith("move") else o.Attack
    names = GAME.names(state, side, kind, answering=True)
    return bind(parse(Source("orders.yaml", f"orders:\n  - {text}\n"), GAME.verbs), 0, names)


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("name", [FOOT, "I Tabor de Tiradores de Ifni (Molero)"])
def test_players_write_the_names_of_their_counters_and_orders_have_tags(name):
    assert written(f"move: {{units: ['{name}'], path: [G10]}}").units == (tag_of(FOOT),)


def test_standing_orders_are_about_units_however_they_lie():
    known = GAME.names(begun().view(N), N, None, answering=False).known("unit")
    assert FOOT in known and not any(map(is_tag, known))


def test_the_counters_of_the_enemy_are_told_by_their_hexes():
    state, tag = begun().state, tag_of(ENEMY)
    hex = state.position.at(tag)
    names = GAME.names(begun().view(N), N, o.Move, answering=True)
    assert hex in words(names.told("unit", tag)) and ENEMY not in words(names.told("unit", tag))
    told = [names.spelt("unit", name) for name in state.position.tags_of(R)]
    assert len(set(told)) == len(told), "each is told in another way"
    assert names.spelt("unit", tag_of(FOOT)) == FOOT
    assert not {ENEMY, "Batallón André Marty"} & {*map(str, told)}


@pytest.mark.parametrize(("side", "unit", "told"), [
    (N, "R-CG-12BI", "is a unit, and in F17"),
    (N, ENEMY, "is a unit that lies face down: only its player knows where"),
    (R, ENEMY, "is a unit, and in E15"),
    (R, FOOT, "is a unit that lies face down: only its player knows where"),
    (R, "R-T26-5", "is a unit, and not on the map"),
])  # fmt: skip
def test_a_unit_that_is_written_for_a_hex_is_told_where_it_is_if_the_writer_knows(side, unit, told):
    with pytest.raises(Refused) as refused:
        written(f"attack: {{hex: '{unit}', from: {{}}}}", side)
    (problem,) = refused.value.problems
    assert told in words(problem.message) and words(problem.hint) == "name a hex"

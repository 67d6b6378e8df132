"""2.6: what each player is told of counters face down, and by which names they write them."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.notes import NOTES
from pbem.messages import Message, words
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.play.order_lines import said
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.render.maps.sights import Sights
from pbem.render.maps.text import plain, whole
from pbem.text.source import Source
from tests.bots import RandomDice
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


# ------------------------------------------------------------------- notes


@cache
def mixed() -> tuple[FaceDownGame, dict[str, Message]]:
    """The second day, before its first activation: both sides have mixed all they could; and what
    was noted of that.
    """
    game, dice, last = FaceDownGame.of(SMALL, 1), RandomDice(1), dict[str, Message]()
    while (game.state.position.day, game.state.position.segment) != (2, "initiative"):
        asked, before, told = game.asked, game.state.position, len(game.events)
        if isinstance(asked, Chance):
            game.roll(dice)
        else:
            is_last = isinstance(asked.default, o.Finish)
            mixes = is_last and not kernel.violations(game.view(asked.side), o.Mix(o.ALL))
            game.order(o.Mix(o.ALL) if mixes else asked.default)
        for event in game.events[told:]:
            last |= NOTES.lost(event, before)
    return game, last


def noted(position, side=N) -> list[str]:
    return [*map(words, NOTES.known(position, side, mixed()[1]))]


GROUP = (
    "II Bandera (N-2Leg/5), Antitank guns 37 mm, III Bda (N-AT-III) or Light tank company 1 (Panzer"
    " I), III Bda (N-Pz-1)"
)


@pytest.mark.rule("2.6")
def test_it_is_noted_what_each_counter_may_be_and_when_each_unit_was_seen_last():
    position = mixed()[0].state.position
    told = noted(position.but(lost={"N-2Leg/5": 1}))
    assert told[0] == "Nationalist counters face down:"
    assert told[1] == f"  G11: 3 counters, each of them {GROUP}"
    assert told[2] == (
        "  G11: of 3 counters was said: together more than two troop points, some that can attack"
    )
    at = told.index("their units were seen last:")
    assert told[at + 1] == (
        "  II Bandera (N-2Leg/5, strength 3 of 4): day 1 in G11, and still there"
    )
    assert len(told) == at + 1 + len(position.down.hidden)


def test_a_counter_that_moves_may_be_fewer_and_its_unit_may_be_in_more_hexes():
    game = mixed()[0]
    position = game.state.position
    first = position.tags_at("G11")[0]
    stacks = {**position.stacks, "G10": (first,),
              "G11": tuple(unit for unit in position.stacks["G11"] if unit != first)}  # fmt: skip
    down = position.down.narrowed(first, lambda unit: unit != "N-Pz-1")
    told = noted(position.but(stacks=stacks, down=down))
    assert told[1] == (
        "  G10: 1 counter, II Bandera (N-2Leg/5) or Antitank guns 37 mm, III Bda (N-AT-III)"
    )
    assert "  II Bandera (N-2Leg/5): day 1 in G11, now in G10 or G11" in told
    assert any(line.startswith("  Light tank company 1") and line.endswith("still there")
               for line in told)  # fmt: skip


def test_notes_are_the_same_whoever_makes_them_and_without_moments_where_these_are_not_known():
    game = mixed()[0]
    openly = noted(game.state.position)
    for sides in ((N,), (R,), (N, R)):
        assert noted(game.view(*sides).position) == openly
    undated = [*map(words, NOTES.known(game.state.position, N, {}))]
    assert "  II Bandera (N-2Leg/5): now in G11" in undated
    assert not NOTES.known(begun().state.position.but(stacks={}), N, {})


# ------------------------------------------------------------------- the picture


def places(game: FaceDownGame, *sides, viewer=None):
    return GAME.picture.scene(game.view(*sides).position, viewer).places


@pytest.mark.rule("2.6")
def test_a_stack_is_drawn_with_as_many_counters_as_it_has_and_the_names_its_viewer_knows():
    game = mixed()[0]
    top, *below = places(game, N, R)["G11"].units
    assert top.id == "N-ACeu/5" and top.strength == 5
    assert [unit.id for unit in below] == ["", "", ""] and not any(each.strength for each in below)
    own = places(game, N, R, viewer=N)["G11"]
    assert {unit.id for unit in own.units[1:]} == {"N-2Leg/5", "N-Pz-1", "N-AT-III"}
    assert "v" in {mark.letter for mark in own.marks}, "some lie face down"
    theirs = places(game, N, R, viewer=R)["G11"]
    assert theirs == places(game)["G11"] and not theirs.marks
    assert places(game, R, viewer=N)["G11"] == theirs, "as far as the view knows"


def test_a_counter_face_down_tells_the_formations_and_types_it_may_be_and_nobody_by_name():
    (told,) = {words(unit.words) for unit in places(mixed()[0])["G11"].units[1:]}
    assert told == (
        "counter face down: infantry of Regimiento 5 (III Brigada) (N-R5); antitank guns or tanks "
        "of Support troops III Brigada (N-III-NTD)"
    )


def test_in_a_terminal_hidden_counters_are_counted():
    scene = GAME.picture.scene(mixed()[0].state.position, None)
    sights = Sights(GAME.picture.board({"scenario": SMALL}), scene)
    (line,) = [each for each in plain(whole(sights, "", "")) if each.startswith(" N  G11")]
    assert line.split()[1:5] == ["G11", "5+", "N-ACeu/5,", "3×?"]


# ------------------------------------------------------------------- orders in a log


def test_an_order_is_told_without_what_the_program_adds_and_counts_who_lies_face_down():
    state = mixed()[0].view(R)
    tags = state.position.tags_at("G11")
    order = {"move": {"units": [*tags[:2]], "path": ["G10"],
                      "zones": [{"units": [tags[2]], "zone": "1 none"}]}}  # fmt: skip
    table = Table(GAME, {"A": N, "B": R}, state)
    assert said(table, order, R) == "move: {units: [face down (2)], path: [G10]}"

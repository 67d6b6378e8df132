"""2.6: what each player is told of counters face down, and by which names they write them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Event, Side
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.narration import NARRATION
from pbem.games.nopasaran.notes import NOTES
from pbem.games.nopasaran.papers import NAMES
from pbem.games.nopasaran.position import COMING, Interdiction, Position
from pbem.messages import Message, words
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.play.order_lines import said
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.render.maps.sights import Sights
from pbem.render.maps.text import plain, whole
from pbem.text.source import Source
from pbem.value import replace
from tests.bots import RandomDice
from tests.games.nopasaran import test_papers as papers
from tests.games.nopasaran.face_down import GAME, FaceDownGame
from tests.games.nopasaran.table import SMALL, N, R, start

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


# ------------------------------------------------------------------- who knows what


class Row(NamedTuple):
    """Two worlds that differ in one thing alone, as somebody who knows everything has them: two
    positions, or two things that happen. Where the player whose thing it is, the Nationalist, is
    told of it, and where the enemy is.
    """

    item: str
    owner: str
    enemy: str
    one: Position | Event[Any]
    other: Position | Event[Any]


def told(world: Position | Event[Any], viewer: Side) -> dict[str, Any]:
    """What a player is told of something that happens at the bridge, or of a position: by the
    board, by the status, by the notes on what lies face down, and by the lines of lists in the log.
    """
    if isinstance(world, Event):
        return {"log": NARRATION.narrate(world, covered(), viewer)}
    return {
        "board": GAME.picture.scene(world, viewer),
        "status": NARRATION.summary(world),
        "own": NARRATION.own(world, viewer),
        "notes": [NOTES.known(world, side, {}) for side in (N, R)],
        "lists": [
            NARRATION.narrate(e.PaperWritten(side, kind, 0), world, viewer)
            for (side, kind), name in NAMES.items()
            if name in world.papers
        ],
    }


def told_apart(row: Row, viewer: Side) -> str:
    """Where a player can tell the worlds of a row apart."""
    one, other = told(row.one, viewer), told(row.other, viewer)
    return " ".join(where for where in one if one[where] != other[where])


@cache
def covered() -> Position:
    """The bridge with all but headquarters face down, and every face known. The headquarters of
    the regiment in G11 and G12 stands so far away that it leads those in G11 alone.
    """
    position = begun().view(N, R).position.but(weather="clear", day=1)
    return moved(position, "N-CG-R5", "H10", "G06")


def moved(position: Position, unit: str, start: str, end: str = "") -> Position:
    """The position in which a counter stands elsewhere, or no more anywhere."""
    stacks = {hex: tuple(each for each in units if hex != start or each != unit)
              for hex, units in position.stacks.items()}  # fmt: skip
    if end:
        stacks[end] = (unit,)
    return position.but(stacks={hex: units for hex, units in stacks.items() if units})


def traded(position: Position, one: str, other: str) -> Position:
    """The position in which two units lie under each other's tags."""
    faces = position.down.faces
    tags = [position.down.tag(unit, position.hexes) for unit in (one, other)]
    swapped = dict(zip(tags, (other, one), strict=True))
    return position.but(down=position.down.supposing({**faces, **swapped}))


def exchanged(position: Position, one: str, other: str) -> Position:
    """The position in which two units stand in each other's places."""
    names = {one: other, other: one}
    return position.but(stacks={hex: tuple(names.get(unit, unit) for unit in units)
                                for hex, units in position.stacks.items()})  # fmt: skip


def of_the_ground() -> Iterator[Row]:
    """What is open whatever lies face down."""
    now = covered()
    yield Row("works", "board", "board", now, now.but(works={"G11": "position"}))
    for what, key in (("bridges", "B-PIN"), ("roads", "H09"), ("rails", "H09")):
        one, other = (now.but(**{what: {key: state}}) for state in ("damaged", "destroyed"))
        yield Row(what, "board", "board", one, other)
    one = e.CounterShown(N, tag_of("N-Pont-1"), "N-Pont-1").apply(now)
    other = one.but(pontoons={"N-Pont-1": "H08/H09"})
    yield Row("a pontoon in use", "board", "board", one, other)
    yield Row("control", "board", "board", now, now.but(control={**now.control, "G10": R}))
    yield Row("the turn", "board", "board", now, now.but(day=2))
    yield Row("weather", "board status", "board status", now, now.but(weather="rain"))
    yield Row("points of victory", "board status", "board status", now, now.but(losses={R: 5}))
    later = now.but(away={**now.away, "N-CrRey/1": COMING})
    yield Row("who comes later", "board", "board", now, later)
    other = moved(now, "N-CG-R5", "G06", "G07")
    yield Row("headquarters", "board own", "board", now, other)
    for factor, one in ((1, now), (2, interdicted(1))):
        yield Row(f"interdiction by {factor}", "board", "board", one, interdicted(factor))


def interdicted(factor: int) -> Position:
    """The bridge with a marker of interdiction in G14. Its factor is open, as it follows from the
    dice of antiaircraft fire, which are everybody's.
    """
    return covered().but(interdicted={"G14": (Interdiction(N, factor, "N-He51-1"),)})


def of_counters() -> Iterator[Row]:
    """Counters face down, of which four lie in G11."""
    now = covered()
    top, below, *_, last = now.stacks["G11"]
    (horse,) = now.stacks["J08"]
    yield Row("a stack", "board own notes", "board notes", now, moved(now, horse, "J08", "J09"))
    masked = now.but(masks={"G11": N})
    for where, one in (("in a hex", now), ("under a force marker", masked)):
        other = moved(one, below, "G11")
        yield Row(f"how many {where}", "board own notes", "board notes", one, other)
    yield Row("a force marker", "board status", "board status", now, masked)
    one, two, another = (e.UnitsMoved(those, ("G10",), {}, "G11")
                         for those in ((top,), (top, below), (last,)))  # fmt: skip
    yield Row("how many move", "log", "log", one, two)
    yield Row("who moves", "log", "", one, another)
    for item, state in (
        ("who", now), ("who has lost points", now.but(lost={FOOT: 1})),
        ("who is demoralised", now.but(demoralised=frozenset({FOOT}))),
        ("who is lent", now.but(assigned={FOOT: "N-R6"})),
        ("who is under a force marker", masked),
    ):  # fmt: skip
        yield Row(f"{item}, and where", "board own", "", state, traded(state, FOOT, "N-ACeu/5"))
        yield Row(f"{item}, in which order", "board own", "", state,
                  traded(state, FOOT, "N-2Leg/5"))  # fmt: skip
    fired = now.but(spent={"N-Art75-III": 4})
    yield Row("which guns have fired", "board own", "", fired,
              traded(fired, "N-Art75-III", "N-Art105-III"))  # fmt: skip
    other = e.CounterShown(N, top, "N-2Leg/5").apply(traded(now, FOOT, "N-2Leg/5"))
    yield Row("who is shown", "board own notes", "board notes",
              e.CounterShown(N, top, FOOT).apply(now), other)  # fmt: skip
    one, two = (e.FormationSaid(top, formation) for formation in ("N-R5", "N-R7"))
    yield Row("the formation on top", "log", "log", one, two)
    unsure = now.but(down=now.down.replaced((top,), (FOOT, "N-1Mel/7")))
    yield Row("from then on", "notes", "board notes", one.apply(unsure), two.apply(unsure))
    in_view = start(SMALL)
    yield Row("who, with open units", "board own", "board", in_view,
              exchanged(in_view, FOOT, "N-ACeu/5"))  # fmt: skip


def of_papers() -> Iterator[Row]:
    """What is written in the morning, before and after it comes to light."""
    now = papers.start(SMALL, day=2)
    one, other = ["N-Zap-III", "N-R5"], ["N-Zap-III", "N-R6"]
    lists = [papers.written(now, "assign_n", line) for line in (one, other)]
    yield Row("assignments", "own lists", "", *lists)
    yield Row("assignments used", "log", "log", e.Assigned(N, dict([one])),
              e.Assigned(N, dict([other])))  # fmt: skip
    for item, before, after, lines in (
        ("missions", "board own lists", "board own", (["cas", "N-CG-R5"], ["int", "G13"])),
        ("targets", "board lists", "board", (["int", "G13"], ["int", "G14"])),
        ("whom close support is for", "board lists", "board",
         (["cas", "N-CG-R5"], ["cas", "N-CG-R6"])),
    ):  # fmt: skip
        one, other = (papers.written(now, "air_n", None, line) for line in lines)
        yield Row(item, before, "", one, other)
        one, other = (papers.told(now, "air_n", None, line) for line in lines)
        yield Row(f"{item} told", after, "board", one, other)


def of_the_day() -> Iterator[Row]:
    """What happens in view of both, dice among it."""
    air, unit = "N-Ro37", tag_of("N-Cab-1")
    shot = e.Bombarded(N, "G14", "H10", ("N-Art75-III",), (), 6, "1-2", 5, "none")
    for item, one, other in (
        ("what is activated", *(e.Activated(N, each, (), ()) for each in ("N-R5", "N-R6"))),
        ("where aircraft look", *(e.HexScouted(air, at, 5, ()) for at in ("G13", "G14"))),
        ("what they see", *(e.HexScouted(air, "G14", 5, (("G14", level),))
                            for level in ("half", "full"))),
        ("what scouts see", *(e.GroundScouted(unit, "G14", 5, 5, level, 2)
                              for level in ("none", "full"))),
        ("a report", *(e.CountersTold("G11", points) for points in (6, 8))),
        ("types in it", *(e.CountersTold("G11", 6, (type,)) for type in ("tank", "infantry"))),
        ("what is interdicted", *(e.HexInterdicted(air, N, at, 1) for at in ("G13", "G14"))),
        ("which guns fire", shot, replace(shot, guns=("N-Art105-III",))),
        ("dice of initiative", *(e.InitiativeRolled(((N, die, 0), (R, 4, 0)), N)
                                 for die in (5, 6))),
        ("dice of recovery", *(e.Recovered((), (("N-CG-R5", die),)) for die in (5, 6))),
        ("of bombardment", shot, replace(shot, die=6)),
        ("of combat", *(e.CombatRolled(6, 2, "3-1", (), "3-1", 1, 5, (), die, "AR")
                        for die in (5, 6))),
        ("of morale", *(e.MoraleChecked("R-1/17", die, die, 7) for die in (5, 6))),
        ("of antiaircraft fire", *(e.FiredAt(air, "G14", 2, die, 4) for die in (5, 6))),
    ):  # fmt: skip
        yield Row(item, "log", "log", one, other)


@pytest.mark.rule("2.6", "2.6.1", "5.1", "5.2.2", "7.3.4", "18", "21")
def test_each_thing_is_told_to_its_owner_and_to_the_enemy_if_it_is_open():
    """And the position that both sign differs in nothing that only its owner may know."""
    rows = [*of_the_ground(), *of_counters(), *of_papers(), *of_the_day()]
    found = {row.item: [told_apart(row, side) for side in (N, R)] for row in rows}
    assert found == {row.item: [row.owner, row.enemy] for row in rows}
    assert len(found) == len(rows)
    for row in rows:
        if not row.enemy and isinstance(row.one, Position):
            assert GAME.public(row.one) == GAME.public(row.other), row.item

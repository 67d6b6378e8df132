"""The map of Storm over Madrid as it is drawn, and what lies on it; its chits in words."""

from __future__ import annotations

import re

import pytest

from pbem.board.borders import borders
from pbem.cli.languages import language
from pbem.engine.model import State
from pbem.engine.picture import worded_board
from pbem.gamedata.load import drawing
from pbem.games.madrid import events as e
from pbem.games.madrid.cardbook import IMPULSE
from pbem.games.madrid.picture import MadridPicture
from pbem.games.madrid.stages.impulse import Impulse
from pbem.messages import ENGLISH, in_words, words
from pbem.render.maps import text
from pbem.render.maps.sights import Sights
from tests.games.madrid.table import N, R, impulse, system, table

DRAWN = drawing("madrid")
PICTURE = system().picture
BOARD = worded_board(PICTURE.board(DRAWN), ENGLISH)
SHEET = PICTURE.sheet(DRAWN)
MAP = system().tables


# --- the geometry


def test_every_area_and_box_has_its_place_its_cell_and_its_region():
    regions = [place for group in DRAWN["regions"].values() for place in group]
    known = {*MAP.areas, *MAP.boxes}
    assert set(DRAWN["places"]) == set(DRAWN["cells"]) == set(regions) == known
    assert len(regions) == len(known)


def test_areas_are_side_by_side_where_the_map_says_so_and_nowhere_else():
    cells = {place: [tuple(corner) for corner in ring] for place, ring in DRAWN["cells"].items()}
    drawn = {frozenset((a, b)) for a, b, _ in borders(cells)}
    near = MAP.graph.neighbours
    assert drawn == {frozenset((a, b)) for a in MAP.areas for b in near(a) if b in MAP.areas}
    assert len(drawn) == 91


def test_rivers_are_drawn_on_the_boundaries_that_have_one():
    wet = {line for a, b, line in SHEET.edges if MAP.has_river(a, b)}
    assert {*SHEET.banks} == wet and len(wet) == 16
    links = [(link.a, link.b) for link in BOARD.links if link.is_wet]
    assert [link for link in links if "R" in link] == [("P", "R"), ("Q", "R")]


def test_every_part_of_it_says_where_it_comes_from():
    told = ", ".join(DRAWN["provenance"]).split(", ")
    assert {*told, "beside", "size"} == {*DRAWN} - {"units", "provenance", "scenario"}


def test_two_stacks_and_a_name_have_room_in_an_area():
    for spot in BOARD.spots:
        for other in BOARD.spots:
            if spot.id < other.id:
                (x, y), (east, south) = spot.at, other.at
                assert abs(x - east) > 820 or abs(y - south) > 640, (spot.id, other.id)


def test_no_line_of_a_name_is_the_terrain_alone():
    labels = [SHEET.labels[area] for area in MAP.areas]
    assert all(label.lines[-1][0] != "+" and "+" in label.lines[-1] for label in labels)
    assert max(len(line) for label in labels for line in label.lines) == 18
    assert not any("\N{NO-BREAK SPACE}" in line for label in labels for line in label.lines)


def test_an_area_that_nobody_drew_stands_about_where_it_is():
    plain = system()._plain["map"]
    new = {**plain, "areas": [*plain["areas"], {"id": "MM", "at": [40322, -3865]}]}
    x, y = MadridPicture(new, MAP)._places(DRAWN)["MM"]
    east, south = DRAWN["places"]["I"]
    assert abs(x - east) < 1500 and abs(y - south) < 1500


def test_roads_and_ways_from_boxes_are_drawn():
    kinds = {frozenset((link.a, link.b)): (link.kind, link.words) for link in BOARD.links}
    assert kinds[frozenset(("1", "II"))] == ("road", "Corunna road")
    assert kinds[frozenset(("1", "JJ"))] == ("narrow", "")
    assert kinds[frozenset(("Z", "BB"))] == ("road", "Corunna road, over a river")
    assert kinds[frozenset(("C", "D"))] == ("side", "")


# --- what lies on it


def scene(*args, **more):
    return in_words(PICTURE.scene(table(*args, **more), None))


def test_both_sides_of_an_area_are_seen_and_what_is_spent():
    place = scene({"C": "N01 R17s N42"}).places["C"]
    seen = {unit.id: (unit.side, unit.shape, unit.strength, unit.steps) for unit in place.units}
    assert seen == {
        "I Bandera": (N, "cross_bar", 2, 2),
        "Batallón Thaelmann (5º Regimiento)": (R, "shield", 1, 1),
        "Grupo 105 mm (I)": (N, "dot", 1, 2),
    }
    assert place.control == R and [unit.words for unit in place.units][:2] == [
        "shock, Legion, 2-7-5", "artillery, army, 4-3",
    ]  # fmt: skip


def test_units_without_supply_are_marked_and_lost_ones_lie_beside_the_map():
    found = scene({"Q": "N01", "D": "N02", "eliminated": "N03"})
    assert [mark.words for mark in found.places["Q"].marks] == ["no supply"]
    assert found.places["D"].marks == ()
    boxes = dict(found.camps[0].boxes)
    (lost,) = boxes["Eliminated"]
    assert (lost.id, lost.steps) == ("V Bandera", 0)
    assert found.places["5"].control == N and found.places["1"].control == R


def test_notes_say_what_lasts():
    assert scene(facts=()).notes == ("Manzanares and Jarama may not be crossed yet",)
    assert scene().notes == ()
    found = scene(facts=("rivers_open", "bad_weather", "strife"), pause=2, durruti=1, flight=3,
                  run=2, active=N, nationalist="D E F G Q").notes  # fmt: skip
    assert found == (
        "bad weather", "the Republicans quarrel", "the Valencia road is cut",
        "pause in fighting: 2 turns, including this one",
        "anarchists are shock units: 1 Republican impulse, including this one",
        "the Republicans neither fight nor bombard: 3 Republican impulses, including this one",
        "the Nationalists have 2 impulses in a row after this one",
    )  # fmt: skip
    assert scene(run=2, active=R).notes == ()


def test_each_side_has_its_chits_and_tracks():
    found = scene(hands={R: "CR3a"}, played=("CN1a", "CR8a"), removed=("CR8a",))
    assert [(held.id, held.title) for held in found.camps[1].hand] == [("CR3a", "Tanks!")]
    assert found.camps[0].facts == (
        "15 chits in the cup", "played: Reserve Artillery Bombardment",
    )  # fmt: skip
    assert found.camps[1].facts[-1] == "out of the game: Miaja saves the day"
    assert [(track.name, track.value) for track in found.tracks] == [
        ("Support, Nationalist", 10), ("Support, Republican", 10), ("Republican morale", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "event, strokes",
    [
        (e.UnitsMoved(("N01",), "D", "C"), [("move", N, ("D", "C"), "")]),
        (e.UnitRetreated("R01", "C", "B"), [("move", R, ("C", "B"), "")]),
        (e.Attacked(N, "C", ("N01",), "N01", path=("6", "D", "C")),
         [("attack", N, ("D", "C"), "")]),
        (e.Attacked(N, "C", ("N01",), "N01"), []),
        (e.CombatRolled(N, "C", (1, 2), (1, 2), 3, 4, 5, 1, 2), [("result", N, ("C",), "2:1")]),
        (e.Bombarded(N, "C", ("N42",), "R01", (1, 2), (1, 2), 1, 5, 3),
         [("attack", N, ("D", "C"), "3")]),
        (e.Bombarded(N, "C", (), "R01", (1, 2), (1, 2), 4, 5, 3), []),
        (e.Passed(N), []),
    ],
)  # fmt: skip
def test_moves_and_fights_are_arrows(event, strokes):
    there = table({"D": "N01 N42", "B": "R01"})
    found = PICTURE.strokes(event, there)
    assert [(each.kind, each.side, each.path, each.note) for each in found] == strokes


# --- chits in words


def uses(position, side, kind):
    found = system().cardbook.uses(impulse(position, side), side, kind)
    return {words(use.name): [each.rule for each in use.against] for use in found}


def test_every_kind_of_chit_has_a_face():
    faces = {face.id: face for face in in_words(system().cardbook.faces())}
    assert list(faces) == list(MAP.kinds)
    assert faces["CR2"].worth == "2 chits, from turn 3"
    assert faces["CR2"].copies == ("CR2a", "CR2b")
    assert faces["CN6"].text[-1] == "It leaves the game when it is played."
    assert faces["CN3"].kind.startswith("Nationalist, with your attack")


def test_a_chit_says_what_it_can_be_played_for_now():
    held = table({"D": "N01", "C": "R01"}, hands={R: "CR2a CR3a", N: "CN9a CN1a CN12a"}, turn=2)
    assert uses(held, R, "CR2") == {IMPULSE: ["6.8"]}
    assert uses(held, R, "CR3") == {
        "an attack or assault": ["6.8"], "an answer to an attack": ["6.8"],
        "defensive fire": ["6.8"],
    }  # fmt: skip
    assert uses(held, N, "CN9") == {IMPULSE: ["15.CN9"]}
    assert uses(held, N, "CN1") == {IMPULSE: []}
    assert uses(table(hands={N: "CN1a"}), N, "CN1") == {IMPULSE: ["15.CN1"]}
    assert uses(held, N, "CN12") == {
        "an answer to an attack": [], "an answer to bombs or shells": [],
    }  # fmt: skip
    assert uses(held, N, "CN2") == {} == uses(held, R, "CN9")
    played = held.but(played=("CN1b",))
    assert uses(played, N, "CN1") == {IMPULSE: ["6.4"]}


def test_a_chit_says_where_it_lies():
    book = system().cardbook

    def lies(position, kind, viewer):
        return words(book.lies(position, kind, viewer))

    there = table(hands={R: "CR1a CR1b"}, turn=5)
    assert lies(there, "CR1", None) == "2 in the Republican hand and 2 in the cup"
    gone = there.but(cups={**there.cups, R: ("CR8b",)}, played=("CR8a",), removed=("CR8a",))
    assert lies(gone, "CR8", R) == "1 in the cup and 1 out of the game"
    assert lies(there.but(played=("CN3a",), cups={N: (), R: ()}), "CN3", R) == "1 played"


def test_where_chits_lie_is_told_in_spanish():
    there = table(hands={R: "CR1a"}, turn=5)
    there = there.but(cups={**there.cups, R: ("CR1d",)}, played=("CR1b",))
    told = words(system().cardbook.lies(there, "CR1", R), language("es"))
    assert told == "1 en la mano republicana, 1 en el cubilete, 1 jugada y 1 sin ver"


def test_chits_are_asked_for_in_an_impulse():
    book = system().cardbook
    assert book.is_asked(impulse(table(), N), N)
    assert not book.is_asked(impulse(table(), N), R)
    assert not book.is_asked(State(table(), ()), N)
    assert not book.is_asked(State(table(), (Impulse(N), Impulse(R))), N)


def test_no_column_runs_into_the_next_and_a_long_name_shows_that_it_goes_on():
    """Units that would fill their column to its end leave a blank before the enemies beside."""
    position = table({"C": "R06 R05 R10", "V": "R02", "D": "N01", "B": "R15"}, nationalist="D")
    board, there = PICTURE.board(DRAWN), PICTURE.scene(position, None)
    told = text.plain(text.whole(Sights(board, there), "Madrid", "now"))
    beside = [line for line in told if re.search(r"x D Illescas", line)]
    assert len(beside) == 3 and all(" x D" in line for line in beside)
    assert any("V Villanueva de la Caña…" in line for line in told)


@pytest.mark.parametrize("scenario, turns", [("scenario_1", 6), ("campaign", 15), ("", 15)])
def test_the_calendar_has_the_turns_of_the_scenario(scenario, turns):
    drawn = {**drawing("madrid"), "scenario": scenario}
    assert len(system().picture.board(drawn).calendar.turns) == turns

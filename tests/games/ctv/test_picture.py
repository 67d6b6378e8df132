"""What is to be seen of the map: every hex in its place, and what stands on it."""

from __future__ import annotations

import pytest

from pbem.games.ctv import events as e
from pbem.games.ctv.position import OFF, RAIN, WITHDRAWN
from pbem.render.maps.sights import Sights
from pbem.render.maps.svg import picture
from pbem.render.maps.text import plain, whole
from tests.games.ctv.table import N, R, joined, system, table

PIC = system().picture
BOARD, SHEET = PIC.board({}), PIC.sheet({})
SPOTS = {spot.id: spot for spot in BOARD.spots}
HERE = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-SC-1", "1901": "R-177"}


def place(position, hex):
    return PIC.scene(position, None).places[hex]


def test_every_hex_of_land_is_a_space_with_a_cell_and_a_label():
    land = set(table().board.hexes)
    assert set(SPOTS) == set(SHEET.cells) == set(SHEET.labels) == land
    wide, high = SHEET.size
    for hex, spot in SPOTS.items():
        assert 0 < spot.at[0] < wide
        assert 0 < spot.at[1] < high
        ring = SHEET.cells[hex][0]
        assert sum(x for x, _ in ring) // 6 == pytest.approx(spot.at[0], abs=1)


def test_rows_lie_straight_and_odd_ones_half_a_hex_east():
    assert SPOTS["2006"].at[1] == SPOTS["2007"].at[1] < SPOTS["2106"].at[1]
    assert SPOTS["2006"].at[0] < SPOTS["2106"].at[0] < SPOTS["2007"].at[0]


def test_roads_rivers_and_closed_sides_are_those_of_the_map():
    board = table().board
    links = {frozenset((link.a, link.b)): link for link in BOARD.links}
    assert {pair for pair, link in links.items() if link.kind == "road"} == board.sides.sides(
        "road"
    )
    for pair in board.sides.sides("closed"):
        assert pair not in links
    for pair in board.sides.sides("river"):
        is_bridged = pair in board.sides.sides("road")
        assert links[pair].is_wet == (not is_bridged)
    shores = {pair for pair in board.sides.sides("closed") | board.sides.sides("river")
              if pair <= set(SPOTS)}  # fmt: skip
    assert len(SHEET.banks) == len(shores)


def test_a_hex_tells_its_ground_its_points_and_whom_it_supplies():
    santander = SPOTS["1211"]
    assert (santander.name, santander.points, santander.weight) == ("1211 Santander", 3, 2)
    assert [str(sign.words) for sign in santander.traits] == [
        "city", "objective", "supplies the Republican side",
    ]  # fmt: skip
    assert (SPOTS["2006"].points, SPOTS["2006"].weight) == (1, 1)
    assert SPOTS["1909"].ground == "peaks"
    assert SHEET.labels["2010"].lines == ("2010 h",)


def test_units_are_seen_with_values_steps_levels_and_supply():
    position = table(HERE, lost="N-LIT-1", levels={"R-168": 2}, unsupplied=frozenset({"R-168"}),
                     trenches=frozenset({"2010"}), used=frozenset({"R-HQ-XV"}))  # fmt: skip
    here = place(position, "2010")
    assert here.control == R
    brigade, guns = here.units
    assert str(brigade.words) == "CLXVIII Brigade: infantry, Santander, 2-3-4, DSG1, no supply"
    assert (brigade.steps, brigade.full) == (2, 2)
    assert str(guns.words).endswith("fire 2, used")
    assert [sign.letter for sign in here.works] == ["t"]
    assert [sign.letter for sign in here.marks] == ["!", "d"]
    regiment, column = place(position, "2110").units
    assert (regiment.steps, regiment.full, regiment.strength) == (1, 2, 3)
    assert str(column.words) == "supply column 1: supply column, fire 1"
    assert not place(table(HERE), "2010").marks


def test_what_is_beside_the_map_is_in_its_box():
    position = table(HERE).with_units(["N-LK-1"], OFF).with_units(["N-NI-1"], WITHDRAWN)
    camp = PIC.scene(position, None).camps[0]
    boxes = {str(name): [unit.id for unit in units] for name, units in camp.boxes}
    assert boxes["Air units that come back"] == ["N-LK-1"]
    assert boxes["Gone to fight elsewhere"] == ["N-NI-1"]
    assert "N-LK-2" in boxes["Air units available"]


def test_tracks_and_notes_tell_how_things_stand():
    position = table(HERE, nationalist="2006", marker=3, weather=RAIN, factory=True, offensive=3)
    scene = PIC.scene(position, None)
    assert [(str(track.name), track.value) for track in scene.tracks] == [
        ("Points", 1), ("Morale marker", 3), ("Brigades lost", 0),
    ]  # fmt: skip
    assert [*map(str, scene.notes)] == [
        "it rains: no air unit can be used", "the Republicans attack elsewhere since turn 3",
    ]  # fmt: skip
    wavers = PIC.scene(table(wavering=True, factory=False), None).notes
    assert [*map(str, wavers)] == [
        "the factory of Reinosa is demolished", "the Basques waver: a die is rolled in every turn",
    ]  # fmt: skip


def test_moves_attacks_and_results_are_drawn():
    position = joined(table({**HERE, "2011": "N-FIN-8"}), "2010", "N-LIT-1", "N-FIN-8")
    (move,) = PIC.strokes(e.UnitsMoved(("N-LIT-1",), ("2210", "2110"), 2, "2310"), position)
    assert (move.kind, move.side, move.path) == ("move", N, ("2310", "2210", "2110"))
    ways = PIC.strokes(e.BattleBegan(N, "2010", ("N-LIT-1", "N-FIN-8")), position)
    assert [(way.kind, way.path) for way in ways] == [
        ("attack", ("2110", "2010")), ("attack", ("2011", "2010")),
    ]  # fmt: skip
    (result,) = PIC.strokes(e.CombatRolled("2010", 9, 4, "2:1", 3, {}, "1/2"), position)
    assert (result.kind, result.path, result.note) == ("result", ("2010",), "1:2")
    (back,) = PIC.strokes(e.StackRetreated(("R-168",), "2010", "1909"), position)
    assert back.path == ("2010", "1909")
    assert PIC.strokes(e.MarkerMoved(1, "taken", "2006"), position) == ()


def test_the_map_is_told_in_the_terminal_and_drawn_whole():
    position = table(HERE)
    scene, moment = PIC.scene(position, None), system().clock(position).words
    lines = plain(whole(Sights(BOARD, scene), "Santander 1937", "Turn 2"))
    assert max(map(len, lines)) <= 100
    assert any(line.startswith(" R  1901") and "R-177" in line for line in lines)
    drawn = picture(BOARD, SHEET, scene, "", moment, (), None)
    assert drawn.startswith("<svg")
    assert "1302 San Vicente" in drawn

"""What is to be seen of a battle: every hex in its place, and what stands on it."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from pbem.engine.model import Side
from pbem.engine.picture import Place
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.picture import NoPasaranPicture
from pbem.games.nopasaran.position import CAS, Combat, Interdiction, Mission, Position
from pbem.games.nopasaran.rules import victory
from pbem.render.maps.sights import Sights
from pbem.render.maps.svg import picture
from pbem.render.maps.text import plain, whole
from pbem.value import replace
from tests.games.nopasaran.table import LARGE, SMALL, N, R, in_command, start, table, tables

PIC = NoPasaranPicture(tables())
BOARD, SHEET = PIC.board({"scenario": SMALL}), PIC.sheet({"scenario": SMALL})
SPOTS = {spot.id: spot for spot in BOARD.spots}
HERE = {"G12": "N-2Leg/5 N-Zap-III", "G13": "R-AMarty/12", "F17": "R-CG-12BI"}


def place(position: Position, hex: str) -> Place:
    return PIC.scene(position, None).places[hex]


def letters(position: Position, hex: str) -> str:
    found = place(position, hex)
    return "".join(sign.letter for sign in (*found.works, *found.marks))


@pytest.mark.parametrize("scenario", [LARGE, SMALL])
def test_every_hex_of_a_battle_is_a_space_with_a_cell_and_a_label(scenario: str) -> None:
    board, sheet = PIC.board({"scenario": scenario}), PIC.sheet({"scenario": scenario})
    hexes = {*tables().ground(scenario).hexes}
    assert {spot.id for spot in board.spots} == set(sheet.cells) == set(sheet.labels) == hexes
    assert set(PIC.scene(start(scenario), None).places) == hexes
    wide, high = sheet.size
    for spot in board.spots:
        assert 0 < spot.at[0] < wide and 0 < spot.at[1] < high


@pytest.mark.parametrize("scenario", [LARGE, SMALL])
@pytest.mark.parametrize("holder", [N, R])
def test_a_hex_counts_for_those_to_whom_it_is_worth_something(scenario: str, holder: Side) -> None:
    """As it does in the count of victory points."""
    position, board = start(scenario), PIC.board({"scenario": scenario})
    position = replace(position, control=dict.fromkeys(position.control, holder))
    counted = [row for row in victory.scored(position) if row.row["for"] == "control"]
    worth = sum(row.points for row in counted)
    assert worth == sum(spot.worth(holder) for spot in board.spots)
    shown = "\n".join(plain(whole(Sights(board, PIC.scene(position, None)), "", "")))
    found = re.findall(rf"\b{holder[0].upper()} \d+, (\d+) VP", shown)
    assert sum(map(int, found)) == worth


def test_without_a_scenario_the_first_battle_is_drawn() -> None:
    assert PIC.board({}) == PIC.board({"scenario": next(iter(tables().scenarios))})


@pytest.mark.parametrize("scenario", [LARGE, SMALL])
def test_no_name_lies_on_another_one(scenario: str) -> None:
    board, sheet = PIC.board({"scenario": scenario}), PIC.sheet({"scenario": scenario})
    at = {spot.id: spot.at for spot in board.spots}
    boxes = []
    for hex, each in sheet.labels.items():
        x, y = at[hex][0] + each.at[0], at[hex][1] + each.at[1]
        boxes.append((hex, x, y, x + max(each.widths), y + each.size * len(each.lines)))
    for (a, x, y, right, low), (b, x2, y2, right2, low2) in combinations(boxes, 2):
        assert not (x < right2 and x2 < right and y < low2 and y2 < low), (a, b)


def test_ways_rivers_bridges_and_slopes_are_those_of_the_map() -> None:
    ground = tables().ground(SMALL)
    links = {frozenset((link.a, link.b)): link for link in BOARD.links}
    assert {pair for pair, link in links.items() if link.kind == "road"} == ground.sides.sides(
        "road"
    )
    rails = ground.sides.sides("rail") - ground.sides.sides("road")
    assert {pair for pair, link in links.items() if link.kind == "narrow"} == rails
    river = ground.sides.sides("river")
    for pair, link in links.items():
        assert link.is_wet == (pair in river and link.kind == "side")
    assert len(SHEET.banks) == len(river)
    (closed,) = ground.closed
    assert len(SHEET.crossings) == len(ground.bridges) - 1
    assert [f"{link.a}-{link.b}" for link in BOARD.links if "closed" in str(link.words)] == [closed]
    slopes = {kind: [pair for pair in links if {kind} & {*ground.sides.between(*sorted(pair)),
                                                         *ground.sides.between(*sorted(pair)[::-1])}]
              for kind in ("slope_up", "steep_up")}  # fmt: skip
    assert len(SHEET.slopes) == 3 * len(slopes["slope_up"]) + 6 * len(slopes["steep_up"]) > 0
    told = " ".join(map(str, (link.words for link in BOARD.links)))
    assert "up a slope to" in told and "railway" in told and "over a river" in told


def test_a_hex_tells_its_ground_its_points_and_the_road_to_the_rear() -> None:
    assert (SPOTS["G13"].points, SPOTS["F15"].points, SPOTS["G12"].points) == (3, 2, 0)
    assert [str(sign.words) for sign in SPOTS["K01"].traits] == [
        "a town", "road to the rear of the Nationalist side",
    ]  # fmt: skip
    assert (SPOTS["K01"].ground, SPOTS["G12"].ground, SPOTS["G11"].ground) == (
        "blocks", "trees", "",
    )  # fmt: skip
    assert [str(SPOTS[hex].region) for hex in ("C01", "H01", "L22")] == [
        "Rows C to G", "Rows H to L", "Rows H to L",
    ]  # fmt: skip


def test_units_are_seen_with_factors_points_and_their_state() -> None:
    position = in_command(table(HERE, lost={"N-2Leg/5": 1}, acted=frozenset({"N-Zap-III"})))
    infantry, engineers = place(position, "G12").units
    assert "infantry, " in str(infantry.words) and "troop points" in str(infantry.words)
    assert (infantry.strength, infantry.steps) == (
        tables().units["N-2Leg/5"].attack, infantry.full - 1,
    )  # fmt: skip
    assert str(engineers.words).endswith("finished for today")
    (headquarters,) = place(position, "F17").units
    assert (headquarters.shape, headquarters.steps) == ("star", headquarters.full)


def test_states_of_units_and_of_the_ground_are_marked() -> None:
    position = table(
        HERE, disorganised=frozenset({"N-2Leg/5"}), demoralised=frozenset({"R-AMarty/12"}),
        works={"G13": "position", "G12": "fortification"}, roads={"I08": "damaged"},
        bridges={"B-PIN": "destroyed"}, rails={"G13": "damaged"}, masks={"G12": N},
        interdicted={"I08": (Interdiction(N, 2, "N-He51-1"), Interdiction(R, 1, "R-SB-1"))},
    )  # fmt: skip
    assert letters(position, "G12") == "f!dxk"
    assert letters(position, "G13") == "p!ykk"
    words = [str(sign.words) for sign in place(position, "G13").marks]
    assert words[-2:] == ["a bridge is destroyed", "the railway is damaged"]
    road, flown = place(position, "I08").marks
    assert str(road.words) == "the road is damaged"
    assert flown.number == 3
    laid = table({"H12": "N-Pont-1"}, pontoons={"N-Pont-1": "H12/H13"})
    assert letters(in_command(laid), "H12") == "b"


def test_aircraft_and_those_beside_the_map_are_in_their_boxes() -> None:
    position = start(
        SMALL, flown=frozenset({"N-Ro37"}), missions={"N-He51-1": Mission(CAS, "N-CG-R5")},
    )  # fmt: skip
    own, enemy = (
        {str(name): [unit.id for unit in units] for name, units in camp.boxes}
        for camp in PIC.scene(position, None).camps
    )
    assert own == {
        "Aircraft without a mission": ["N-Ju52-1"], "On close support": ["N-He51-1"],
        "Aircraft that have flown": ["N-Ro37"],
    }  # fmt: skip
    assert enemy["Still to come"] == ["R-T26-3", "R-T26-4", "R-T26-5", "R-BA"]
    camp = PIC.scene(position, None).camps[1]
    coming = next(units[0] for name, units in camp.boxes if str(name) == "Still to come")
    assert "from day 2 at H22, L22" in str(coming.words)
    flying = PIC.scene(position, None).camps[0].boxes[1][1][0]
    assert "flies to N-CG-R5" in str(flying.words)


def test_tracks_and_notes_tell_how_things_stand() -> None:
    position = start(SMALL, losses={N: 4}, weather="rain", finished=frozenset({R}))
    scene = PIC.scene(position, None)
    assert [(str(track.name), str(track.words)) for track in scene.tracks] == [
        ("Nationalist points", "4 troop points lost"),
        ("Republican points", "0 troop points lost"),
    ]  # fmt: skip
    assert scene.tracks[1].value == 11
    assert [*map(str, scene.notes)] == [
        "weather: rain", "the Republican side is finished for today",
    ]  # fmt: skip


def test_moves_attacks_and_results_are_drawn() -> None:
    position = table({"G11": "N-2Leg/5", "G12": "N-Zap-III", "G13": "R-AMarty/12"})
    fight = Combat(
        Side(N), "G13", "regular", ("N-2Leg/5",), {"G12": ("N-2Leg/5",)}, ("R-AMarty/12",)
    )
    (move,) = PIC.strokes(e.UnitsMoved(("N-2Leg/5",), ("G11",), {}, "G10"), position)
    assert (move.kind, move.side, move.path) == ("move", N, ("G10", "G11"))
    (attack,) = PIC.strokes(e.CombatBegan(fight), position)
    assert (attack.kind, attack.path) == ("attack", ("G12", "G13"))
    rolled = e.CombatRolled(9, 4, "2:1", (), "2:1", 0, 3, (), 5, "D1")
    (result,) = PIC.strokes(rolled, position.but(combat=fight))
    assert (result.kind, result.path, result.note) == ("result", ("G13",), "D1")
    back = e.UnitsRetreated(("R-AMarty/12",), ("F14",))
    (way,) = PIC.strokes(back, position.but(combat=fight))
    assert (way.side, way.path) == (R, ("G13", "F14"))
    assert PIC.strokes(e.SideFinished(N), position) == ()


def test_the_map_is_told_in_the_terminal_and_drawn_whole() -> None:
    scene = PIC.scene(start(SMALL), None)
    lines = plain(whole(Sights(BOARD, scene), "¡No Pasarán!", "Day 1"))
    assert max(map(len, lines)) <= 100
    assert any("R-AMarty/12" in line for line in lines)
    drawn = picture(BOARD, SHEET, scene, "", "Day 1", (), None)
    assert drawn.startswith("<svg") and "slope, down" in drawn and "K01 t Pinto" in drawn

"""The map, the units and the set-ups say what the texts say, and each value where it comes from."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from pbem.board.graph import Graph
from pbem.gamedata.check import check, shipped
from pbem.gamedata.load import document, load, schema
from pbem.gamedata.sources import sources
from pbem.games.madrid.data import ACCOUNTS, DATA
from pbem.games.madrid.rules.victory import madrid_falls
from pbem.text.schema import schema_problems
from pbem.text.source import render_all
from tests.contract.owned import problems_of
from tests.games.madrid import kit
from tests.games.madrid.table import table

NATIONALIST, REPUBLICAN = "nationalist", "republican"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.fixture(scope="module")
def board(plain):
    links = [(each["a"], each["b"], "") for each in plain["map"]["boundaries"]]
    return Graph([area["id"] for area in plain["map"]["areas"]], links)


@pytest.fixture(scope="module")
def units(plain):
    return {unit["id"]: unit for unit in plain["units"]["units"]}


def test_the_shipped_data_are_clean(folder):
    assert render_all(check(folder, DATA, alone=True)) == ""


def test_the_rulebook_fits_its_schema(folder):
    rulebook = document("rulebook.yaml", (folder / "rulebook.yaml").read_bytes())
    assert render_all(schema_problems(rulebook, schema("madrid", "rulebook"))) == ""
    assert len(rulebook.value["rules"]) == 204
    kept = [rule for rule in rulebook.value["rules"] if rule["kind"] != "omitted"]
    assert len(kept) == 198


def test_every_value_has_a_source():
    for file, found in shipped("madrid").items():
        told = list(sources(file, found, ACCOUNTS))
        assert told and {each.word for each in told} <= {"stated", "derived", "rebuilt"}
        for listed in ("areas", "boundaries", "boxes", "roads", "units"):
            for entry in found.value.get(listed, ()):
                called = " - ".join((entry["a"], entry["b"]) if "a" in entry else [entry["id"]])
                known = {each.key for each in told if each.entry == f"{listed} {called}"}
                assert entry.keys() - {"provenance", "name", "b"} <= known, called


def test_the_tables_come_without_their_sources():
    tables = load("madrid").tables
    assert set(tables) == {"game", "map", "units", "chits", "tables", "scenarios"}
    assert "provenance" not in str(dict(tables))


@pytest.mark.rule("1.1.4", "1.1.8", "6.8")
def test_what_the_files_leave_out_has_its_value():
    board = table().board
    assert (board.units["N42"].fresh.attack, board.units["N01"].turn) == (0, 0)
    assert (board.kinds["CN1"].first, board.scenarios["campaign"].due_by) == (1, 0)


# ------------------------------------------------------------------- the map


@pytest.mark.rule("2.1", "2.4")
def test_38_areas_with_letters_and_modifiers_and_6_boxes(plain):
    areas = plain["map"]["areas"]
    assert [area["id"] for area in areas] == [*LETTERS, *(letter * 2 for letter in LETTERS[:12])]
    assert {area["terrain"] for area in areas} == {1, 2, 3, 4}
    sides = {box["id"]: box["side"] for box in plain["map"]["boxes"]}
    assert sides == dict.fromkeys("123", REPUBLICAN) | dict.fromkeys("456", NATIONALIST)


@pytest.mark.rule("2.3")
def test_a_boundary_in_common_and_not_a_corner(board):
    assert board.are_joined("A", "H")
    for one, other in ("OM", "FN", "IK", "JS", ("L", "FF"), ("P", "EE")):
        assert not board.are_joined(one, other)
        # What meets at the corner lies in a ring around it.
        assert len(set(board.neighbours(one)) & set(board.neighbours(other))) >= 2
    assert board.zone("AA") == set(board.spaces)


@pytest.mark.rule("2.5")
def test_madrid_and_its_suburbs_are_urban(plain):
    urban = [area["id"] for area in plain["map"]["areas"] if area.get("urban")]
    assert urban == ["AA", "BB", "CC", "DD", "EE", "FF", "GG"]


@pytest.mark.rule("2.6")
def test_colours_tell_the_free_set_up(plain):
    by_colour = {}
    for area in plain["map"]["areas"]:
        by_colour.setdefault(area["colour"], []).append(area["id"])
    assert by_colour["blue"] == ["L", "S", "T", "U", "CC", "EE"]
    assert by_colour["brown"] == ["BB", "DD"]
    assert by_colour["green"] == ["V", "W", "X", "Y", "Z", "HH"]


@pytest.mark.rule("2.7")
def test_four_roads_run_from_a_box_to_madrid(plain):
    roads = {road["id"]: (road["box"], *road["areas"]) for road in plain["map"]["roads"]}
    assert roads["RD1"] == ("1", "II", "HH", "Y", "Z", "BB", "AA")
    assert roads["RD3"] == ("2", "LL", "AA") and len(roads) == 4


def test_the_rivers_part_the_map_in_three(plain):
    links = [(x["a"], x["b"], "") for x in plain["map"]["boundaries"] if "river" not in x]
    land = Graph([area["id"] for area in plain["map"]["areas"]], links)
    banks = {land.zone(area) for area in land.spaces}
    assert sorted(map(len, banks)) == [2, 8, 28]
    assert {"CC", "DD", "EE", "D"} <= max(banks, key=len)


# ------------------------------------------------------------------- the units


@pytest.mark.rule("1.1.2", "1.1.4", "1.1.5")
def test_90_units_of_three_types_with_their_values_and_flags(units):
    types = Counter((unit["side"], unit["type"]) for unit in units.values())
    assert sum(types.values()) == 90 and len({type for _, type in types}) == 3
    assert types[NATIONALIST, "artillery"] == 5 and types[REPUBLICAN, "artillery"] == 4
    for unit in units.values():
        assert len(unit["fresh"]) == len(unit["spent"]) == (2 if unit["type"] == "artillery" else 3)
    flags = {unit["faction"] for unit in units.values()}
    assert {"international_brigade", "anarchist", "communist", "legion", "moroccan"} <= flags


@pytest.mark.rule("1.1.6", "1.1.8", "1.1.9", "1.1.10")
def test_the_marks_of_the_campaign(units):
    assert units["N01"]["areas"] == ["D"] and "turn" not in units["N01"]
    assert units["N03"]["box"] == "5" and "areas" not in units["N03"]
    assert (units["N06"]["turn"], units["N06"]["box"]) == (3, "6")
    assert units["R17"]["areas"] == ["M", "N"]
    rada = [name for name, unit in units.items() if unit.get("rada")]
    assert rada == ["N38", "N39", "N40", "N41"]


@pytest.mark.rule("1.1.7", "1.1.11")
def test_black_marks_are_republican(units):
    black = {name: unit["black"] for name, unit in units.items() if "black" in unit}
    assert all(name[0] == "R" for name in black)
    assert black["R61"] == "garrison" and black["R51"] == "withdrawn"


# ------------------------------------------------------------------- faults


FAULTS = (
    ("map.yaml", "areas:\n  - {id: A, terain: 3}\n", 2, "terain"),
    ("map.yaml", "areas:\n  - {id: MM, name: Toledo, at: [39, -4], terrain: 1, colour: black}\n",
     2, "there is no way from MM to AA"),
    ("map.yaml", "areas:\n  - {id: AA, absent: true}\n", 2, "the rules name AA, so"),
    ("map.yaml", "areas:\n  - {id: AA, urban: false}\n", 2, "AA is Madrid, and urban"),
    ("map.yaml", "boundaries:\n  - {a: A, b: QQ}\n", 2, "there is no area 'QQ'"),
    ("map.yaml", "boundaries:\n  - {a: A, b: A}\n", 2, "A has a boundary with itself"),
    ("map.yaml", "boundaries:\n  - {a: A}\n", 2, "needs the field 'b'"),
    ("map.yaml", "boundaries:\n" + "".join(f"  - {{a: D, b: {end}, absent: true}}\n"
                                           for end in "BCE"), None, "no way from D to AA"),
    ("map.yaml", "boxes:\n  - {id: \"3\", areas: []}\n", 2, "needs at least 1 entry"),
    ("map.yaml", "boundaries:\n  - {a: LL, b: AA, absent: true}\n", None,
     "RD3 runs from LL to AA, which have no common boundary"),
    ("map.yaml", "boxes:\n  - {id: \"3\", areas: [QQ]}\n", 2, "there is no area 'QQ'"),
    ("map.yaml", "boxes:\n  - {id: \"3\", side: nationalist}\n", 2, "box 3 is republican"),
    ("map.yaml", "roads:\n  - {id: RD3, areas: [LL, FF]}\n", 2, "RD3 ends in FF, not in AA"),
    ("map.yaml", "roads:\n  - {id: RD3, areas: [FF, AA]}\n", 2, "RD3 leaves box 2 for FF"),
    ("map.yaml", "roads:\n  - id: RD3\n    areas:\n      - FF\n      - AA\n", 4,
     "RD3 leaves box 2 for FF"),
    ("map.yaml", "roads:\n  - id: RD4\n    areas:\n      - Q\n      - R\n      - GG\n      - AA\n",
     6, "RD4 runs from R to GG, which have no common boundary"),
    ("map.yaml", "roads:\n  - {id: RD3, box: \"5\"}\n", 2, "RD3 begins in box 5"),
    ("map.yaml", "areas:\n  - {id: LL, urban: true}\n", None, "RD3 runs only through urban areas"),
    ("units.yaml", "units:\n  - {id: N01, fresh: [7, 5]}\n", 2, "attack, defence and movement"),
    ("units.yaml", "units:\n  - {id: N42, spent: [1, 7, 5]}\n", 2, "defence and movement"),
    ("units.yaml", "units:\n  - {id: N01, side: republican}\n", 2, "N01 has the letter of the "
                                                                   "nationalist side"),
    ("units.yaml", "units:\n  - {id: N03, areas: [D]}\n", 2, "either `areas` or `box`"),
    ("units.yaml", "units:\n  - {id: N03, box: \"1\"}\n", 2, "box 1 belongs to the enemy"),
    ("units.yaml", "units:\n  - {id: N03, name: VI Bandera}\n", None, "is already the name of N03"),
    ("units.yaml", "units:\n  - {id: N38, turn: 4}\n", 2, "either with the Rada column or on a "
                                                          "turn"),
    ("units.yaml", "units:\n  - {id: R01, rada: true}\n", 2, "the Rada column is Nationalist"),
    ("units.yaml", "units:\n  - {id: N01, black: garrison}\n", 2, "only Republican units"),
    ("units.yaml", "units:\n  - {id: R01, areas: [QQ]}\n", 2, "there is no area 'QQ'"),
    ("units.yaml",
     "units:\n" + "".join(f"  - {{id: N0{n}, areas: [D], without: [box]}}\n" for n in (3, 4)),
     None, "more than 10 units are set up in D"),
    ("chits.yaml", "chits:\n  - {id: CR1, count: 5}\n", None, "has 16 chits, and must have 15"),
    ("chits.yaml", "chits:\n  - {id: CR1, side: nationalist}\n", 2, "CR1 has the letter of the "
                                                                    "republican side"),
    ("chits.yaml", "chits:\n  - {id: CR1, absent: true}\n", 2, "the rules name CR1"),
    ("tables.yaml", "turns:\n  - {turn: 9, absent: true}\n", 2, "the rules name 9"),
    ("tables.yaml", "rada: {by_itself: 5}\n", None, "the column arrives automatically"),
    ("scenarios/campaign.yaml", "nationalist: [QQ]\n", 1, "there is no area 'QQ'"),
    ("scenarios/campaign.yaml", "morale: fine\n", 1, "no level of morale is called 'fine'"),
    ("scenarios/scenario_2.yaml", "last_turn: 10\n", None, "begin on turn 11 and end on turn 10"),
    ("scenarios/scenario_2.yaml", "without: [colours]\n", None, "needs the field 'colours'"),
    ("scenarios/scenario_2.yaml", "colours: {republican: [brown]}\n", None,
     "the republican side sets up 28 units in 2 areas"),
)  # fmt: skip


@pytest.mark.parametrize(("file", "text", "line", "message"), FAULTS)
def test_a_fault_of_an_own_folder_is_told_with_its_place(tmp_path, file, text, line, message):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    told = [each for each in check(tmp_path, DATA) if message in str(each.message)]
    assert told, render_all(check(tmp_path, DATA))
    assert told[0].span is not None and told[0].span.file
    if line:
        assert told[0].span.file == str(path) and told[0].span.line == line


SLIPS = (
    (
        "map.yaml",
        "  - {a: A, b: H,",
        "  - {a: B, b: A}\n  - {a: A, b: H,",
        "B and A is listed twice",
    ),
    ("map.yaml", "{id: B, name", "{id: A, name", "'A' is in areas twice"),
    ("map.yaml", '{id: "3", name', '{id: "2", name', "there is no box '3'"),
    ("tables.yaml", "{turn: 3, from", "{turn: 4, from", "turn 3 is missing"),
    ("tables.yaml", "{id: bad, name: Bad", "{id: worse, name: Bad", "are crumbling, bad, fragile"),
    ("units.yaml", 'box: "6", turn: 3', 'box: "6", turn: 14', None),
)


@pytest.mark.parametrize(("file", "ours", "slip", "message"), SLIPS)
def test_a_slip_in_a_whole_game_is_told(tmp_path, folder, file, ours, slip, message):
    shutil.copytree(folder, tmp_path / "game")
    path = tmp_path / "game" / file
    text = path.read_text("utf-8")
    assert ours in text
    path.write_text(text.replace(ours, slip, 1), "utf-8")
    told = [str(each.message) for each in check(tmp_path / "game", DATA, alone=True)]
    assert (message is None and told == []) or any(message in each for each in told), told


def test_a_track_of_turns_is_as_long_as_units_and_scenarios_need(tmp_path, folder):
    shutil.copytree(folder, tmp_path / "game")
    path = tmp_path / "game" / "tables.yaml"
    text = path.read_text("utf-8")
    kept, _, rest = text.partition("  - {turn: 14, ")
    path.write_text(kept + rest[rest.index("\n\n") :], "utf-8")
    told = [str(each.message) for each in check(tmp_path / "game", DATA, alone=True)]
    assert {"the last turn is 13", "the track ends with turn 13"} <= {*told}


@pytest.mark.rule("3.2.1", "7.3")
def test_who_comes_later_takes_no_room_of_the_set_up(tmp_path):
    rada = (f"  - {{id: N{number}, areas: [D], without: [box]}}\n" for number in range(38, 42))
    (tmp_path / "units.yaml").write_text("units:\n" + "".join(rada))
    assert check(tmp_path, DATA) == []


def test_a_printed_map_is_laid_over_ours(tmp_path):
    (tmp_path / "map.yaml").write_text(
        "areas:\n  - {id: D, name: Yuncos, terrain: 2}\n"
        "boundaries:\n  - {a: E, b: D, river: manzanares}\n  - {a: F, b: N}\n"
    )
    assert check(tmp_path, DATA) == []


@pytest.mark.rule("10.a")
def test_a_battle_may_begin_with_madrid_taken_and_out_of_supply() -> None:
    """Games reach it: taken without supply, Madrid ends nothing, and a turn may begin so."""
    here = table({"AA": "N01"}, nationalist="AA").but(began=1)
    assert not madrid_falls(here)
    scenario = kit.written_out(here, ())
    assert scenario and "AA" in scenario["nationalist"]
    assert [str(each.message) for each in problems_of("madrid", scenario)] == []

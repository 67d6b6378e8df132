"""The map, the units and the charts say what the texts say, and each value where it comes from."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.gamedata.check import check, shipped
from pbem.gamedata.load import document, load, schema
from pbem.gamedata.sources import sources
from pbem.gamedata.where import data_folder
from pbem.games.ctv.data import ACCOUNTS, DATA
from pbem.games.ctv.tables import GRID, Tables
from pbem.text.schema import schema_problems
from pbem.text.source import render_all
from tests.games.ctv.table import N, R, system


@pytest.fixture(scope="module")
def folder() -> Path:
    return data_folder("ctv")


@pytest.fixture(scope="module")
def plain():
    return {path.removesuffix(".yaml"): each.value for path, each in shipped("ctv").items()}


@pytest.fixture(scope="module")
def units(plain):
    return {unit["id"]: unit for unit in plain["units"]["units"]}


def test_the_shipped_data_are_clean(folder):
    assert render_all(check(folder, DATA, alone=True)) == ""


def test_the_rulebook_fits_its_schema(folder):
    rulebook = document("rulebook.yaml", (folder / "rulebook.yaml").read_bytes())
    assert render_all(schema_problems(rulebook, schema("ctv", "rulebook"))) == ""
    assert len(rulebook.value["rules"]) == 93
    kept = [rule for rule in rulebook.value["rules"] if rule["kind"] != "omitted"]
    assert len(kept) == 75


def test_every_value_has_a_source():
    for file, found in shipped("ctv").items():
        told = list(sources(file, found, ACCOUNTS))
        assert told and {each.word for each in told} <= {"stated", "derived", "rebuilt"}
        for listed in ("hexes", "roads", "rivers", "closed", "units", "terrain"):
            for at, entry in enumerate(found.value.get(listed, ())):
                called = entry.get("id") or entry.get("name") or at + 1
                known = {each.key for each in told if each.entry == f"{listed} {called}"}
                assert entry.keys() - {"provenance"} <= known, (file, called)


@pytest.mark.parametrize("chart", ["turns", "steps", "combat", "bombardment", "disorganised",
                                   "morale", "weather", "air", "offensive", "basques", "factory",
                                   "victory", "first_turn", "set_up"])  # fmt: skip
def test_every_value_of_a_chart_has_a_source(plain, chart):
    told = plain["tables"][chart]
    assert told.keys() - {"rule", "provenance"} == told["provenance"].keys()


def test_the_tables_come_without_their_sources():
    tables = load("ctv").tables
    assert set(tables) == {"game", "map", "units", "tables", "scenarios"}
    assert "provenance" not in str(dict(tables))


# ------------------------------------------------------------------- the map


@pytest.mark.rule("1.3")
def test_the_map_has_15_rows_of_22_hexes(plain):
    board = system().tables
    assert plain["map"]["extent"]["rows"] == [11, 25] and len(board.everywhere) == 330
    assert board.everywhere.issuperset(board.hexes) and len(board.hexes) == 293
    hexes = [each | {"terrain": "sea"} if each["id"] == "1113" else each
             for each in load("ctv").tables["map"]["hexes"]]  # fmt: skip
    flooded = Tables({**load("ctv").tables, "map": {**plain["map"], "hexes": hexes}})
    assert {*board.hexes} - {*flooded.hexes} == {"1113"}, "it may be written of a hex"


@pytest.mark.rule("1.2")
def test_seven_turns_of_two_days(plain):
    dates = [(date.fromisoformat(row["from"]), date.fromisoformat(row["to"]))
             for row in plain["tables"]["turns"]["dates"]]  # fmt: skip
    assert len(dates) == 7 == plain["scenarios/santander"]["turns"]
    assert all((last - first).days == 1 for first, last in dates)
    assert all((later[0] - sooner[1]).days == 1 for sooner, later in pairwise(dates))


@pytest.mark.rule("14.1")
def test_santander_is_worth_three_and_needed():
    """Without it no more than five points can be had."""
    board = system().tables
    points = dict(board.objectives)
    assert points.pop("1211") == 3 and set(points.values()) == {1}
    victory = board.charts["victory"]
    assert sum(points.values()) + victory["bonus"] < victory["points"] == 6


@pytest.mark.rule("6.2")
def test_the_exits_lie_on_the_edges_that_the_rule_names():
    board = system().tables
    for side, hexes in board.exits.items():
        for hex in hexes:
            row, place = GRID.place(hex)
            assert place == 1 if side == R else (place == 22 or row == 25)
    assert [*{*board.sources[R]} - {*board.exits[R]}] == ["1211"]
    assert board.sources[N] == board.exits[N] and len(board.exits[N]) == 8


@pytest.mark.rule("4.2", "4.3")
def test_the_front_is_one_line_from_the_western_edge_to_the_sea():
    """Each of its sides meets the next at a corner; at its ends is the edge, or the sea."""
    board = system().tables
    sides = {(one, other) for one in board.front[R] for other in GRID.around(one)
             if board.held.get(other) == N}  # fmt: skip
    assert len(sides) == 55
    ends = []
    for one, other in sides:
        for corner in {*GRID.around(one)} & {*GRID.around(other)}:
            if corner not in board.hexes:
                ends.append({one, other})
    assert sorted(map(sorted, ends)) == [["1419", "1420"], ["1901", "2001"]]


def test_the_roads_are_one_net(plain):
    near: dict[str, set[str]] = {}
    for road in plain["map"]["roads"]:
        for one, other in pairwise(road["through"]):
            near.setdefault(one, set()).add(other)
            near.setdefault(other, set()).add(one)
    reached, todo = set(), ["1211"]
    while todo:
        hex = todo.pop()
        if hex not in reached:
            reached.add(hex)
            todo += near[hex]
    assert reached == near.keys()


# ------------------------------------------------------------------- the units


@pytest.mark.rule("2.1", "2.2", "2.3")
def test_111_units_of_five_types_with_their_values_and_colours(units):
    types = Counter((unit["side"], unit["type"]) for unit in units.values())
    assert len(units) == 111 and len({type for _, type in types}) == 5
    assert types[N, "air"] == 9 and types[R, "air"] == 2
    colours = {side: {unit["nation"] for unit in units.values() if unit["side"] == side}
               for side in (N, R)}  # fmt: skip
    assert colours[N] == {"spanish", "italian", "italo_spanish", "german"}
    assert colours[R] == {"santander", "basque", "asturian", "basque_left", "republican"}
    for unit in units.values():
        assert ("reduced" in unit) == (unit.get("steps") == 2)
        assert len(unit.get("full", (0, 0, 0))) == len(unit.get("reduced", (0, 0, 0))) == 3


@pytest.mark.rule("14.1", "10.6")
def test_30_brigades_and_their_nations(units):
    nations = Counter(unit["nation"] for unit in units.values() if unit.get("brigade"))
    assert nations == {"santander": 15, "basque": 12, "asturian": 3}
    asturian = {unit["division"] for unit in units.values() if unit["nation"] == "asturian"}
    assert asturian == {"57"}


# ------------------------------------------------------------------- faults


FALLING = ("1:2", "1:1", "3:2", "2:1", "5:1", "4:1", "5:1", "6:1")
FAULTS = (
    ("map.yaml", 'hexes:\n  - {id: "2010", terain: hill}\n', 2, "terain"),
    ("map.yaml", 'hexes:\n  - {id: "2601", terrain: hill, held: nationalist}\n', 2,
     "2601 is not on the map, which has rows 11 to 25 and places 1 to 22"),
    ("map.yaml", "extent: {rows: [11, 24]}\n", None, "2511 is not on the map"),
    ("map.yaml", "extent: {places: [22, 1]}\n", 1, "22 does not come before 1"),
    ("map.yaml", 'hexes:\n  - {id: "1318", terrain: sea}\n', None,
     "1318 is sea, and cannot be an objective"),
    ("map.yaml", 'hexes:\n  - {id: "2507", terrain: sea}\n', None,
     "2507 is sea, and cannot be a source of supply"),
    ("map.yaml", 'hexes:\n  - {id: "1211", absent: true}\n', 2, "the rules name 1211, so"),
    ("map.yaml", 'hexes:\n  - {id: "1211", terrain: sea}\n', None, "1211, which is Santander"),
    ("map.yaml", 'hexes:\n  - {id: "1211", without: [source]}\n', 2,
     "Santander supplies the Republicans"),
    ("map.yaml", 'hexes:\n  - {id: "1211", source: nationalist}\n', 2,
     "Santander supplies the Republicans"),
    ("map.yaml", 'hexes:\n  - {id: "2010", absent: true}\n', None, "2010 is sea"),
    ("map.yaml", 'hexes:\n  - {id: "2210", source: nationalist}\n', 2,
     "2210 is not on the edge of the map, so no road leaves it there"),
    ("map.yaml", 'hexes:\n  - {id: "2301", source: nationalist}\n', 2,
     "2301 is not on an edge from which the nationalist side is supplied"),
    ("map.yaml", 'hexes:\n  - {id: "2515", source: nationalist}\n', 2, "no road runs through 2515"),
    ("map.yaml", 'hexes:\n  - {id: "2507", source: republican}\n', 2,
     "2507 is a source of the republican side, which does not hold it"),
    ("map.yaml", 'hexes:\n  - {id: "1405", name: Comillas}\n', 2,
     "'Comillas' is already the name of 1304"),
    ("map.yaml", 'roads:\n  - {name: Gama to Santoña, through: ["1314", "1214", "1115"]}\n', 2,
     "1115 is sea"),
    ("map.yaml", 'roads:\n  - {name: Gama to Santoña, through: ["1314", "1213"]}\n', None,
     "Gama to Santoña: 1314 and 1213 are not next to each other"),
    ("map.yaml",
     'roads:\n  - name: Gama to Santoña\n    through:\n      - "1314"\n      - "1215"\n', 5,
     "the side between 1314 and 1215 is closed"),
    ("map.yaml", 'roads:\n  - {name: Gama, through: ["1314", "1330"]}\n', 2, "1330"),
    ("map.yaml", 'rivers:\n  - {name: Deva, between: [["1301", "1201"]]}\n', 2, "1201 is sea"),
    ("map.yaml", 'rivers:\n  - {name: Deva, between: [["1301", "1401"], ["1302", "1502"]]}\n', 2,
     "Deva: 1302 and 1502 are not next to each other"),
    ("map.yaml", 'rivers:\n  - {name: Deva, between: [["1301", "1401"], ["1401", "1301"]]}\n', 2,
     "a river between 1401 and 1301 is listed twice"),
    ("map.yaml", 'rivers:\n  - {name: Deva, between: [["2007", "2107"]]}\n', 2,
     "a river between 2007 and 2107 is listed twice"),
    ("map.yaml", 'closed:\n  - {between: ["1215", "1313"]}\n', 2,
     "1215 and 1313 are not next to each other"),
    ("map.yaml", 'closed:\n  - {between: ["1215", "1314"]}\n  - {between: ["1314", "1215"]}\n', 3,
     "the side between 1314 and 1215 is closed twice"),
    ("map.yaml", 'closed:\n  - {between: ["1101", "1001"]}\n', 2, "1001 is not on the map"),
    ("map.yaml", "closed:\n" + "".join(f'  - {{between: ["1211", "{near}"]}}\n'
                                       for near in ("1110", "1210", "1212", "1310", "1311")), None,
     "there is no way over land from 1110 to Santander"),
    ("map.yaml", 'hexes:\n  - {id: "2116", held: republican}\n', 2,
     "the front line has a gap: the side between 2116 and 20"),
    ("map.yaml", 'hexes:\n  - {id: "2305", terrain: sea}\n', None, "the front line has a gap"),
    ("map.yaml", 'hexes:\n  - {id: "1909", held: nationalist}\n', None, "the front line has a gap"),
    ("units.yaml", "units:\n  - {id: R-166, without: [reduced]}\n", 2,
     "R-166 has two steps, so its reduced side is needed"),
    ("units.yaml", "units:\n  - {id: R-166, steps: 1}\n", None,
     "R-166 has one step, so it has no reduced side"),
    ("units.yaml", "units:\n  - {id: R-166, without: [steps]}\n", 2,
     "R-166 needs the number of its steps"),
    ("units.yaml", "units:\n  - {id: R-HQ-52, steps: 1}\n", 2, "R-HQ-52 loses no steps"),
    ("units.yaml", "units:\n  - {id: R-166, reduced: [4, 2, 4]}\n", 2,
     "R-166 has more attack when it is reduced"),
    ("units.yaml", "units:\n  - {id: R-166, without: [full]}\n", 2,
     "R-166 needs attack, defence and movement"),
    ("units.yaml", "units:\n  - {id: N-LK-1, full: [1, 1, 1]}\n", 2, "N-LK-1 is an air unit"),
    ("units.yaml", "units:\n  - {id: R-166, full: [3, 3]}\n", 2, "needs at least 3 entries"),
    ("units.yaml", "units:\n  - {id: r-166, points: 1}\n", 2, "r-166"),
    ("units.yaml", "units:\n  - {id: R-166, side: nationalist}\n", 2,
     "R-166 has the letter of the republican side"),
    ("units.yaml", "units:\n  - {id: R-166, nation: italian}\n", 2,
     "R-166: italian is no nation of the republican side"),
    ("units.yaml", "units:\n  - {id: R-HQ-52, without: [level]}\n", 2, "has `level`"),
    ("units.yaml", "units:\n  - {id: R-166, level: corps}\n", 2, "has `level`"),
    ("units.yaml", "units:\n  - {id: N-LK-1, without: [fire]}\n", 2, "have `fire`"),
    ("units.yaml", "units:\n  - {id: R-RFT, points: 2}\n", 2, "armour has no stacking points"),
    ("units.yaml", "units:\n  - {id: R-166, points: 0}\n", 2, "R-166 needs its stacking points"),
    ("units.yaml", "units:\n  - {id: N-NI-1, brigade: true}\n", 2, "only Republican infantry"),
    ("units.yaml", "units:\n  - {id: N-NI-1, comes: surrender}\n", 2, "N-NI-1 cannot come so"),
    ("units.yaml", "units:\n  - {id: R-BA6, comes: armour}\n", 2, "R-BA6 cannot come so"),
    ("units.yaml", "units:\n  - {id: R-177, comes: division}\n", 2,
     "R-177 comes with its division, and names none"),
    ("units.yaml", "units:\n  - {id: N-NI-1, comes: division}\n", 2,
     "N-NI-1 cannot come so: that is for Republicans"),
    ("units.yaml", "units:\n" + "".join(
        f"  - {{id: R-{unit}, without: [comes]}}\n" for unit in (
            154, 155, 156, "HQ-50", 178, 179, 180, "HQ-55", 183, 184, 185, "HQ-57")), None,
     "no division comes by a die"),
    ("units.yaml", "units:\n  - {id: R-155, without: [comes]}\n", 2,
     "R-155 and R-154 are of one division"),
    ("units.yaml", "units:\n  - {id: N-HQ-CTV, level: division}\n", None,
     "the rules need the corps headquarters of the division CTV"),
    ("units.yaml", "units:\n  - {id: R-R5, absent: true}\n", None,
     "5 battalions go on when the Basques surrender, and there are 4"),
    ("units.yaml", "units:\n  - {id: N-NI-1, name: 2nd Littorio Regiment}\n", None,
     "'2nd Littorio Regiment' is already the name of N-LIT-2"),
    ("units.yaml", "columns: {republican: {first: 2}}\n", 1,
     "the republican side cannot begin with more supply columns than it may have: 2, of 1"),
    ("units.yaml", "armour:\n  - {up_to: 6, units: [N-4T27]}\n", 2, "there is no unit 'N-4T27'"),
    ("units.yaml", "armour:\n  - {up_to: 6, units: [N-CEL]}\n", 2,
     "N-CEL does not come by the die for armour"),
    ("units.yaml", "armour:\n  - {up_to: 6, units: [N-3PZ1, N-4T26]}\n", None,
     "no face of the die for armour gives N-L335"),
    ("units.yaml", "armour:\n  - {up_to: 5, units: [N-3PZ1]}\n", 2, "the last row ends with 5"),
    ("units.yaml", "armour:\n  - {up_to: 4, units: [N-3PZ1]}\n  - {up_to: 4, units: [N-4T26]}\n", 3,
     "4 comes after 4"),
    ("tables.yaml", "turns:\n  dates:\n    - {turn: 5, absent: true}\n", 3, "the rules name 5"),
    ("tables.yaml", "terrain:\n  - {id: hill, absent: true}\n", 2, "the rules name hill"),
    ("tables.yaml", 'combat:\n  columns: ["1:2", "1:1"]\n', None,
     "row 1 has 8 values for 2 columns"),
    ("tables.yaml",
     "combat:\n  columns:\n" + "".join(f'    - "{odds}"\n' for odds in FALLING), 8,
     "the column 4:1 comes after 5:1"),
    ("tables.yaml", "bombardment:\n  rows:\n    - [0, 1]\n    - [1]\n", 4, "needs at least 2"),
    ("tables.yaml", "bombardment:\n  rows:\n    - [0, 1]\n    - [1, 1, 2]\n", 4,
     "row 2 has 3 values for 2 columns"),
    ("tables.yaml", "morale: {marker: {first: 6}}\n", 1, "begins behind its last box"),
    ("tables.yaml", "morale:\n  rows:\n    - {up_to: 4, result: none}\n"
     "    - {up_to: 9, result: retreat}\n", 4, "the last row ends with 9, and 11 can come"),
    ("tables.yaml", "morale: {modifiers: {basques: -1}}\n", 1, "no nation is called 'basques'"),
    ("tables.yaml", "offensive: {takes: [{up_to: 5, infantry: 2, air: 1}]}\n", 1,
     "the last row ends with 5"),
    ("tables.yaml", "offensive:\n  starts:\n    - {turn: 4, without: [from]}\n", 3,
     "a die is rolled on turn 4"),
    ("tables.yaml", "offensive:\n  starts:\n    - {turn: 5, from: 2}\n", 3, "starts by itself"),
    ("tables.yaml", "offensive:\n  starts:\n    - {turn: 2}\n", None, "turn 2 comes after turn 5"),
    ("tables.yaml", 'factory: {hex: "2007"}\n', 1, "the factory is in 2007, which is no objective"),
    ("tables.yaml", 'factory: {hex: "1101"}\n', 1, "1101 is sea"),
    ("tables.yaml", "set_up: {italians: {from: 16}}\n", 1, "16 does not come before 15"),
    ("tables.yaml", "victory: {points: 9}\n", 1,
     "all objectives and the bonus are worth 8, and 9 are needed"),
    ("tables.yaml", "basques: {set_up: 0}\n", 1,
     "there is no room for the Basques in places 18 to 18"),
    ("tables.yaml", "basques: {set_up: 1, free: 0}\nterrain:\n  - {id: hill, stacking: 1}\n"
     "  - {id: mountain, stacking: 0}\n", 1,
     "there is no room for the Basques in places 17 to 19"),
    ("tables.yaml", "terrain:\n" + "".join(
        f"  - {{id: {kind}, stacking: 0}}\n" for kind in ("clear", "hill", "mountain")), None,
     "there is no room for all units of the republican side"),
    ("scenarios/santander.yaml", "turns: 8\n", 1, "turns must be at most 7"),
    ("scenarios/other.yaml", "id: other\ntitle: Other\nrule: '4'\ntrenches: 4\n", None,
     "needs the field 'turns'"),
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
    ("map.yaml", '{id: "1113", terrain', '{id: "1110", terrain', "'1110' is in hexes twice"),
    ("map.yaml", "name: Gama to Santoña", "name: Trasmiera coast", "'Trasmiera coast' is in roads"),
    ("map.yaml", "name: Nansa,", "name: Pas,", "'Pas' is in rivers twice"),
    ("units.yaml", "{id: N-LIT-2,", "{id: N-LIT-1,", "'N-LIT-1' is in units twice"),
    ("units.yaml", "{id: R-166,", "{id: S-166,", "S-166"),
    ("tables.yaml", '{turn: 3, from: "', '{turn: 4, from: "', "turn 3 is missing"),
    (
        "tables.yaml",
        "{id: hill, enter",
        "{id: clear, enter",
        "the map has ground that the chart lacks: hill",
    ),
    (
        "tables.yaml",
        "place: 18",
        "place: 22",
        "there is no room for the Basques in places 19 to 25 of their side",
    ),
    ("tables.yaml", "place: 18", "place: 17", None),
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


NO_ROOM = {side: f"there is no room for all units of the {side} side on its ground"
           for side in (N, R)}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("basques: {set_up: 1}\n", []),
        ("terrain:\n  - {id: city, stacking: 20}\n" + "".join(
            f"  - {{id: {kind}, stacking: 0}}\n" for kind in ("clear", "hill", "mountain")),
         [NO_ROOM[N], "there is no room for the Basques in places 15 to 21 of their side"]),
    ],
)  # fmt: skip
def test_units_have_room_on_their_own_ground_by_their_points_and_kinds(tmp_path, text, told):
    """Nine hexes are enough for five headquarters and ten brigades of the Basques; the three cities
    of the Republicans hold the 60 points that are set up, the one of the Nationalists not their 66.
    """
    (tmp_path / "tables.yaml").write_text(text)
    assert [str(each.message) for each in check(tmp_path, DATA)] == told


def test_a_hint_names_land_alone(tmp_path):
    (tmp_path / "map.yaml").write_text('rivers:\n  - {name: Deva, between: [["1302", "1502"]]}\n')
    (told,) = check(tmp_path, DATA)
    assert str(told.hint) == "land next to 1302: 1303, 1403, 1402, 1301"


def test_a_map_is_as_wide_as_its_rules_need(tmp_path, folder):
    """Places that the charts name, hexes and exits: all of them are told."""
    (tmp_path / "map.yaml").write_text("extent: {places: [1, 16]}\n")
    told = [str(each.message) for each in check(tmp_path, DATA)]
    assert "the map has places 1 to 16" in told and len(told) > 70


def test_a_track_of_turns_is_as_long_as_scenarios_need(tmp_path, folder):
    shutil.copytree(folder, tmp_path / "game")
    path = tmp_path / "game" / "tables.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace('    - {turn: 7, from: "1937-08-26", to: "1937-08-27"}\n', ""))
    told = [str(each.message) for each in check(tmp_path / "game", DATA, alone=True)]
    assert told == ["the track ends with turn 6"]


def test_nobody_holds_all(tmp_path, folder):
    shutil.copytree(folder, tmp_path / "game")
    path = tmp_path / "game" / "map.yaml"
    path.write_text(path.read_text("utf-8").replace("held: nationalist", "held: republican"))
    told = [str(each.message) for each in check(tmp_path / "game", DATA, alone=True)]
    assert "the sides hold no hexes next to each other, so there is no front line" in told


def test_a_printed_map_is_laid_over_ours(tmp_path):
    (tmp_path / "map.yaml").write_text(
        'extent: {rows: [10, 26]}\nhexes:\n  - {id: "1705", name: Bárcena Mayor, terrain: hill}\n'
        '  - {id: "1113", terrain: sea}\n  - {id: "1215", without: [points]}\n'
        '  - {id: "1315", points: 1}\n'
        'roads:\n  - {name: "Cervera to Aguilar", absent: true}\n'
        'rivers:\n  - {name: Deva, between: [["1301", "1401"]]}\n'
        'closed:\n  - {between: ["1215", "1314"]}\n'
    )
    told = [str(each.message) for each in check(tmp_path, DATA)]
    assert told and all("is not on the edge of the map" in each for each in told)

"""Maps, units and charts say what the texts say, and each value where it comes from."""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.board.zones import flood
from pbem.gamedata.check import check, shipped
from pbem.gamedata.load import document, load, schema
from pbem.gamedata.sources import sources
from pbem.gamedata.where import data_folder
from pbem.games.nopasaran.data import ACCOUNTS, DATA
from pbem.games.nopasaran.ground import GRID, RIVER
from pbem.games.nopasaran.tables import HEADQUARTERS, NATIONALIST, REPUBLICAN, Tables
from pbem.text.schema import schema_problems
from pbem.text.source import render_all


@pytest.fixture(scope="module")
def folder() -> Path:
    return data_folder("nopasaran")


@pytest.fixture(scope="module")
def plain():
    return {path.removesuffix(".yaml"): each.value for path, each in shipped("nopasaran").items()}


@pytest.fixture(scope="module")
def tables():
    return Tables(load("nopasaran").tables)


@pytest.fixture(scope="module")
def ground(tables):
    return tables.ground("jarama_crossing")


def test_the_shipped_data_are_clean(folder):
    assert render_all(check(folder, DATA, alone=True)) == ""


def test_the_rulebook_fits_its_schema(folder):
    rulebook = document("rulebook.yaml", (folder / "rulebook.yaml").read_bytes())
    assert render_all(schema_problems(rulebook, schema("nopasaran", "rulebook"))) == ""
    series = [rule for rule in rulebook.value["rules"] if not rule["number"].startswith("J")]
    assert len(series) == 255
    assert len([rule for rule in series if rule["kind"] != "omitted"]) == 239
    ours = [rule for rule in rulebook.value["rules"] if "text" in rule]
    assert [rule["number"] for rule in ours] == [f"J.{number}" for number in range(1, 11)]


def test_every_value_has_a_source():
    for file, found in shipped("nopasaran").items():
        told = list(sources(file, found, ACCOUNTS))
        assert told and {each.word for each in told} <= {"stated", "derived", "rebuilt"}
        lists = ("maps", "units", "formations", "air_units") if "/" not in file else ()
        for listed in lists:
            for entry in found.value.get(listed, ()):
                known = {each.key for each in told if each.entry == f"{listed} {entry['id']}"}
                assert entry.keys() - {"provenance"} <= known, (file, entry["id"])


def test_every_value_of_a_chart_has_a_source(plain):
    for name, chart in plain["tables"].items():
        assert chart.keys() - {"provenance", "rule"} == chart["provenance"].keys(), name


# ------------------------------------------------------------------- the map


@pytest.mark.rule("2.1", "2.2")
def test_a_hex_has_the_letter_of_its_row_and_the_number_of_its_place(ground):
    assert len(ground.hexes) == 20 * 22
    assert (ground.hexes[0], ground.hexes[-1]) == ("A01", "T22")
    # Rows B, D, F lie half a hex to the east.
    assert set(GRID.around("G13")) == {"F12", "F13", "G12", "G14", "H12", "H13"}
    assert set(GRID.around("F12")) == {"E12", "E13", "F11", "F13", "G12", "G13"}


def test_every_inner_hex_has_six_around_it_and_distances_are_the_same_both_ways(ground):
    for hex in ground.hexes:
        row, place = GRID.place(hex)
        inner = 1 < row < 20 and 1 < place < 22
        assert (len(ground.around[hex]) == 6) or not inner
        assert all(hex in ground.around[near] for near in ground.around[hex])
    assert ground.distance("A01", "T22") == GRID.distance("T22", "A01")


def test_the_rivers_part_the_map_into_four_banks(ground):
    assert len(set(ground.banks.values())) == 4
    assert "G13" in ground.bank("A22") and "G12" not in ground.bank("A22")
    assert ground.held == ground.bank("A10") | ground.bank("A22") | ground.bank("T22")
    # East of the Jarama, which parts it from the Nationalist edge, is beyond the Tajuña, too.
    assert ground.beyond("A22", NATIONALIST) == ground.bank("A22") | ground.bank("T22")


def test_the_roads_are_one_net_that_crosses_rivers_by_bridges(ground):
    reached = flood(("K01",), ground.by_road)
    assert reached == ground.on_roads
    over = {
        bridge.id
        for bridge in ground.bridges.values()
        if bridge.between[1] in ground.by_road(bridge.between[0])
    }
    assert over == {"B-ARG", "B-SMV", "B-MOR", "B-PER"}
    assert not ground.bridges["B-PIN"].has_road


def test_the_small_battle_is_a_part_of_the_map(tables, ground):
    small = tables.ground("jarama_pindoque")
    assert len(small.hexes) == 220 and set(small.hexes) < set(ground.hexes)
    assert set(small.bridges) == {"B-ARG", "B-PIN", "B-PER"}
    assert small.held == ground.held & set(small.hexes)
    assert "L22" in small.by_road("L21") and all(hex in small for hex in small.on_roads)
    # The railway leaves the battle after C18 and comes back: nothing joins its pieces.
    assert "rail" not in small.sides.between("L21", "L22") or "L21" in small.on_rails


@pytest.mark.rule("J.8")
def test_olive_groves_are_woods(ground):
    groves = {ground.terrain[hex] for hex in ("L15", "L16", "L17", "M15", "N14", "O15")}
    assert {(each.id, each.air, each.fire) for each in groves} == {("woods", -2, -1)}
    assert {ground.terrain[hex].id for hex in ground.hexes} == {
        "clear", "woods", "heavy_woods", "town"}  # fmt: skip


def test_slopes_are_met_from_below_and_from_above(ground):
    assert ground.sides.between("H13", "H14") == ("slope_up",)
    assert ground.sides.between("H14", "H13") == ("slope_down",)
    assert "steep_up" in ground.sides.between("N12", "N13")
    assert "steep_down" in ground.sides.between("N13", "N12")
    for step, kinds in ground.sides.crossed.items():
        assert not (RIVER in kinds and {"slope_up", "steep_up"} & set(kinds)), step


@pytest.mark.rule("7.2")
def test_aircraft_come_in_at_the_edge_of_their_side(ground):
    assert ground.air_entries(NATIONALIST) == ("K01", "P01", "T04")
    assert ground.air_entries(REPUBLICAN) == ("A11", "A21", "H22", "L22")


# ------------------------------------------------------------------- the armies


@pytest.mark.rule("3.1", "3.2", "3.3", "6.1")
def test_each_formation_but_support_troops_has_a_headquarters(tables):
    for formation in tables.formations.values():
        assert bool(formation.headquarters) != formation.is_troops
        if formation.headquarters:
            unit = tables.units[formation.headquarters]
            assert unit.is_headquarters and unit.formation == formation.id
    levels = Counter((each.side, each.level) for each in tables.formations.values())
    assert levels[NATIONALIST, "division"] == 5 and levels[NATIONALIST, "formation"] == 11
    assert levels[REPUBLICAN, "corps"] == 1 and levels[REPUBLICAN, "formation"] == 14


@pytest.mark.rule("3.4")
def test_the_two_battles_have_their_units(plain, tables):
    sizes = {}
    for name in ("jarama_crossing", "jarama_pindoque"):
        scenario = plain[f"scenarios/{name}"]
        first = [unit for stack in scenario["set_up"] for unit in stack["units"]]
        later = [unit for each in scenario["reinforcements"] for unit in each["units"]]
        assert len(set(first + later)) == len(first + later)
        sizes[name] = len(first), len(later), len(scenario["air_units"])
    assert sizes == {"jarama_crossing": (123, 42, 16), "jarama_pindoque": (42, 4, 6)}
    battalions = [unit for unit in tables.units.values() if unit.type == "infantry"]
    assert {unit.troops for unit in battalions} == {3, 4}
    assert {unit.troops for unit in tables.units.values() if unit.is_armoured} == {1}


@pytest.mark.rule("7.1", "7.1.b1", "7.1.b2", "7.1.b3")
def test_each_type_of_aircraft_flies_its_missions(tables):
    for unit in tables.air.values():
        flies = {bool(unit.interdiction), bool(unit.support), bool(unit.bombs)}
        match unit.type:
            case "fighter_bomber":
                assert unit.interdiction and unit.support and not unit.bombs
            case "bomber":
                assert unit.support and unit.bombs and not unit.interdiction
            case _:
                assert flies == {False} and unit.scouts


@pytest.mark.rule("22.1")
def test_headquarters_are_called_cg_and_have_no_troop_points(tables):
    for unit in tables.units.values():
        assert (unit.type == HEADQUARTERS) == unit.id[2:].startswith("CG-")
        assert (unit.troops == 0) == unit.is_headquarters


# ------------------------------------------------------------------- the charts


def test_the_combat_table_never_gets_worse_for_the_attacker(tables, plain):
    order = ["A4", "A3", "A2D1", "SR", "A1D1", "A1D2", "D1", "D1R1", "D1R2", "D3R2", "D4R2"]
    rows = tables.combat.rows
    for row in rows:
        assert all(order.index(a) <= order.index(b) for a, b in pairwise(row))
    for one, other in pairwise(rows):
        pairs = zip(one, other, strict=True)
        assert all(order.index(a) <= order.index(b) for a, b in pairs)
    assert {result for row in rows for result in row} == set(order)


@pytest.mark.rule("12.6.1")
def test_effectiveness_never_counts_nothing_and_is_even_for_both(tables):
    for difference in range(-7, 8):
        for die in range(1, 11):
            modifier = tables.effectiveness_modifier(difference, die)
            assert modifier != 0
            assert modifier == -tables.effectiveness_modifier(-difference, 11 - die)


@pytest.mark.rule("13")
def test_losses_at_random_are_as_even_as_ten_faces_allow(tables):
    for units in range(1, 11):
        counts = Counter(tables.loser(units, die) for die in range(1, 11))
        assert set(counts) == set(range(units))
        assert max(counts.values()) - min(counts.values()) <= 1
    # Above ten units the first ten are drawn from.
    assert {tables.loser(14, die) for die in range(1, 11)} == set(range(10))


# ------------------------------------------------------------------- faults

WHOLE = "maps:\n  - id: jarama\n"
FAULTS = (
    ("map.yaml", WHOLE + "    rows: [T, A]\n", 3, "T does not come before A"),
    ("map.yaml", WHOLE + "    rows: [A, S]\n", None, "T06 is not on the map"),
    ("map.yaml", WHOLE + "    hexes:\n      - {id: U01, terrain: woods}\n", 4,
     "U01 is not on the map"),
    ("map.yaml", WHOLE + "    hexes:\n      - {id: G14, name: Morata de Tajuña}\n", None,
     "'Morata de Tajuña' is already the name of"),
    ("map.yaml", WHOLE + "    rivers:\n      - {name: Henares, between: [[A01, A03]]}\n", 4,
     "A01 and A03 are not next to each other"),
    ("map.yaml", WHOLE + "    bridges:\n      - {id: B-DRY, name: Dry, between: [K04, K05], "
     "carries: [road]}\n", 4, "there is no river between K04 and K05"),
    ("map.yaml", WHOLE + "    bridges:\n      - {id: B-TWO, name: Two, between: [G13, G12], "
     "carries: [road]}\n", 4, "there is a bridge between G13 and G12 already"),
    ("map.yaml", WHOLE + "    bridges:\n      - {id: B-SMV, carries: [rail]}\n", None,
     "there is a river between N10 and N11, and no bridge that carries a road"),
    ("map.yaml", WHOLE + "    slopes:\n      - {kind: steep, up: [[G12, G13]]}\n", 4,
     "there is a river between G12 and G13"),
    ("map.yaml", WHOLE + "    slopes:\n      - {kind: steep, up: [[H14, H13]]}\n", 4,
     "a slope between H14 and H13 is listed already"),
    ("map.yaml", WHOLE + "    roads:\n      - {name: Pinto to La Marañosa, through: [K01, K03]}\n",
     4, "K01 and K03 are not next to each other"),
    ("units.yaml", "formations:\n  - {id: N-R5, without: [headquarters]}\n", 2,
     "N-R5 has no headquarters"),
    ("units.yaml", "formations:\n  - {id: N-R5, headquarters: N-2Leg/5}\n", 2,
     "N-2Leg/5 is not the headquarters of N-R5"),
    ("units.yaml", "formations:\n  - {id: N-III-NTD, headquarters: N-CG-III}\n", 2,
     "N-III-NTD are the troops of a formation, which has the headquarters"),
    ("units.yaml", "formations:\n  - {id: N-R5, parent: N-R6}\n", 2,
     "N-R5 cannot belong to N-R6"),
    ("units.yaml", "formations:\n  - {id: N-R5, parent: N-R99}\n", 2,
     "there is no formation 'N-R99'"),
    ("units.yaml", "formations:\n  - {id: N-R5, parent: AGA}\n", 2, "AGA is on the other side"),
    ("units.yaml", "formations:\n  - {id: N-III, without: [parent]}\n", 2,
     "N-III belongs to no formation above it"),
    ("units.yaml", "units:\n  - {id: N-2Leg/5, side: republican}\n", 2,
     "N-2Leg/5 has the letter of the nationalist side"),
    ("units.yaml", "units:\n  - {id: N-2Leg/5, formation: R-19B}\n", 2,
     "R-19B is on the other side"),
    ("units.yaml", "units:\n  - {id: N-2Leg/5, troops: 0}\n", 2,
     "all units but headquarters have troop points"),
    ("units.yaml", "units:\n  - {id: N-2Leg/5, type: headquarters, troops: 0}\n", 2,
     "N-R5 does not name N-2Leg/5 as its headquarters"),
    ("units.yaml", "units:\n  - {id: N-Art75-I, without: [range]}\n", 2,
     "`fire` and `range` belong together"),
    ("units.yaml", "units:\n  - {id: N-2Leg/5, fire: 2, range: 3}\n", 2,
     "artillery and antiaircraft guns, and no others, have `fire`"),
    ("units.yaml", "units:\n  - {id: N-AT-I, attack: 1}\n", 2, "N-AT-I does not attack"),
    ("units.yaml", "air_units:\n  - {id: N-Ju52-1, interdiction: 1}\n", 2,
     "N-Ju52-1 cannot have interdiction"),
    ("units.yaml", "air_units:\n  - {id: N-Ju52-1, without: [support, bombs]}\n", 2,
     "N-Ju52-1 has no factor for any mission"),
    ("tables.yaml", 'combat:\n  columns: ["1:1", "2:1"]\n', None,
     "row 1 has 10 values for 2 columns"),
    ("tables.yaml", 'armour:\n  columns: ["1:3", "1:2", "2:1", "1:1", "3:1", "4:1"]\n', 2,
     "the column 1:1 comes after 2:1"),
    ("tables.yaml", "armour:\n  shifts: [-2, -1, 0]\n", 2, "each ratio has one shift"),
    ("tables.yaml", "antiaircraft:\n  columns: [[0, 1], [3, 3], [4, 6], [7, 10], [11, 15], "
     "[16, null]]\n", 2, "the ranges have a gap, or overlap"),
    ("tables.yaml", "antiaircraft:\n  columns: [[0, 1], [2, 3], [4, 6], [7, 10], [11, 15], "
     "[16, 20]]\n", 2, "the last range has no end"),
    ("tables.yaml", "random_losses:\n  rows:\n" + "    - [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" * 10, 4,
     "row 2: each unit loses with some face"),
    ("tables.yaml", "results:\n  kinds:\n    - {id: SR, absent: true}\n", 3, "the rules name SR"),
    ("tables.yaml", "weather:\n  die: [{up_to: 6, state: clear}, {up_to: 5, state: rain}]\n", 2,
     "5 comes after 6"),
    ("tables.yaml", "reconnaissance:\n  air: [{from: 1, level: count}]\n", 2,
     "the first row begins with a die that any cover can bring"),
)  # fmt: skip


@pytest.mark.parametrize(("file", "text", "line", "message"), FAULTS)
def test_a_fault_of_an_own_folder_is_told_with_its_place(tmp_path, file, text, line, message):
    path = tmp_path / file
    path.write_text(text)
    told = [each for each in check(tmp_path, DATA) if message in str(each.message)]
    assert told, render_all(check(tmp_path, DATA))
    if line:
        assert told[0].span is not None
        assert (told[0].span.file, told[0].span.line) == (str(path), line)


SLIPS = (
    ("map: jarama", "map: jarrama", "there is no map 'jarrama'"),
    ("rows: [C, L]", "rows: [C, Z]", "the map has rows A to T"),
    ("roads: [K01]", "roads: [K05]", "no road runs through K05"),
    ("air: [K01]", "air: [K02]", "K02 is not on the edge of the map"),
    ("air: [K01]", "air: [M01]", "M01 is not on the map"),
    ("units: [R-AMarty/12]", "units: [R-AMarti/12]", "there is no unit 'R-AMarti/12'"),
    ("units: [R-AMarty/12]", "units: [R-Garib/12]", "R-Garib/12 is in this battle already"),
    ("units: [R-AMarty/12]", "units: [R-AMarty/12, N-2Mel/6]", "units of both sides are in G13"),
    ("units: [N-2Alh/6, N-2Mel/6]", "units: [N-2Alh/6, N-2Mel/6, N-8Leg/7, N-1Mel/7]",
     "13 troop points are in H11, which holds 10"),
    ("units: [N-SFrn/6, N-CG-R5", "units: [N-CG-R5, N-SFrn/6",
     "the top unit of H10 cannot attack"),
    ("{hex: I08, units: [N-Cab-2]}", "{hex: I11, units: [N-Pont-2]}",
     "N-Pont-2 cannot be in I11: no road leads through this ground"),
    ("turn: 2, entry: [H22, L22]", "turn: 1, entry: [H22, L22]", "the battle has days 1 to 2"),
    ("turn: 2, entry: [H22, L22]", "turn: 2, entry: [H21]", "H21 is not on the edge of the map"),
    ("{hex: H15, units: [R-105V]}", "{hex: H15, units: [R-1/48]}",
     "R-48B fights here without its headquarters, R-CG-48B"),
    ("{hex: K01, units: [N-CG-DRM]}",
     "{hex: K01, absent: true}\n  - {hex: D13, units: [N-CG-DRM]}  # here",
     "no open road to the rear is within range of N-CG-DRM in D13"),
    ("held: [C10, C22]", "broken: [{state: damaged, bridges: [B-XXX]}]\nheld: [C10, C22]",
     "there is no bridge 'B-XXX'"),
    ("held: [C10, C22]", "broken: [{state: damaged, roads: [H12]}]\nheld: [C10, C22]",
     "no road runs through H12"),
    ("held: [C10, C22]", "broken: [{state: damaged, rails: [H12]}]\nheld: [C10, C22]",
     "no railway runs through H12"),
    ("held: [C10, C22]", "broken: [{state: damaged, rails: [M02]}]\nheld: [C10, C22]",
     "M02 is not on the map"),
    ("held: [C10, C22]", "broken: [{state: damaged, bridges: [B-PIN]}, {state: destroyed, "
     "bridges: [B-PIN]}]\nheld: [C10, C22]", "B-PIN is listed as broken already"),
    ("N-Ro37, R-SB-1", "N-Ro38, R-SB-1", "there is no air unit 'N-Ro38'"),
    ("bridges: [B-PIN], turns", "bridges: [B-PAN], turns", "there is no bridge 'B-PAN'"),
    ("rule: J.6", "rule: J.16", "there is no rule J.16 for a battle"),
    ("{rule: J.1, side: nationalist}", "{rule: J.1, turn: 1}", "rule J.1 says side"),
    ("river: Jarama", "river: Xarama", "no river is called 'Xarama'"),
    ("corps: DRM", "corps: DMR", "there is no formation 'DMR'"),
    ("closed: [B-ARG]", "closed: [B-XXX]", "there is no bridge 'B-XXX'"),
    ("for: control, hex: I14", "for: bank_clear, hex: I14", "points for bank_clear say bank"),
    ("for: control, hex: I14", "for: destroyed, bridge: B-XXX", "there is no bridge 'B-XXX'"),
    ("for: control, hex: I14", "for: road_cut, road: Nowhere, from: C15, to: H22",
     "no road is called 'Nowhere'"),
    ("for: control, hex: I14", "for: road_cut, road: Madrid to Valencia, from: C15, to: I01",
     "I01 is not on the road 'Madrid to Valencia'"),
    ("{from: 0, title: Draw}", "{title: Draw}", "every level but the last says from which"),
    ("{from: 0, title: Draw}", "{from: 9, title: Draw}", "the levels go down"),
)  # fmt: skip


@pytest.mark.parametrize(("ours", "slip", "message"), SLIPS)
def test_a_slip_in_a_battle_is_told(tmp_path, folder, ours, slip, message):
    text = (folder / "scenarios" / "jarama_pindoque.yaml").read_text("utf-8")
    assert ours in text
    (tmp_path / "scenarios").mkdir()
    path = tmp_path / "scenarios" / "jarama_pindoque.yaml"
    wrong = text.replace(ours, slip, 1)
    path.write_text(wrong, "utf-8")
    told = [each for each in check(tmp_path, DATA) if message in str(each.message)]
    assert told, render_all(check(tmp_path, DATA))
    at = wrong.index("# here") if "# here" in slip else text.index(ours)
    line = wrong[:at].count("\n") + 1
    place = told[0].span
    assert place is not None and (place.file, place.line) == (str(path), line)


def test_a_printed_map_is_laid_over_ours(tmp_path):
    (tmp_path / "map.yaml").write_text(
        WHOLE + "    hexes:\n      - {id: G12, terrain: heavy_woods}\n"
        "      - {id: G16, absent: true}\n"
        "    rivers:\n      - {name: Henares, between: [[A17, A18]]}\n"
    )
    told = [str(each.message) for each in check(tmp_path, DATA)]
    assert told == ["N-Zap-III cannot be in G12"] or all("G12" in each for each in told), told


def test_a_whole_folder_may_be_copied_and_changed(tmp_path, folder):
    shutil.copytree(folder, tmp_path / "game")
    assert render_all(check(tmp_path / "game", DATA, alone=True)) == ""

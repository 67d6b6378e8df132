"""An owner's folder over ours: value by value, pinned by what it says, read with care."""

import ast
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.gamedata import check as checking
from pbem.gamedata import load as loading
from pbem.gamedata import overlay
from pbem.gamedata.check import check, judge, read_folder
from pbem.gamedata.load import UnknownData, load, schema
from pbem.gamedata.merge import partial, without_sources
from pbem.gamedata.overlay import keep, load_kept, load_over
from pbem.games.crusade.data import DATA
from pbem.games.crusade.data.cross import SPACES_OF_THE_RULES
from pbem.games.crusade.data.facts import is_fact
from pbem.games.crusade.orders import Play
from pbem.games.crusade.position import Combat
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.tables import NATIONALIST, SIDES
from pbem.play.systems import opened, opened_over
from pbem.problems import Refused
from pbem.text.source import render_all
from tests.games.crusade.kit import TOLD_BY_MARKERS

HOME = Path(loading.__file__).resolve().parents[1] / "games" / "crusade"
EXAMPLE = Path(__file__).resolve().parents[4] / "examples" / "own-data"


@pytest.fixture(autouse=True)
def own_config(tmp_path_factory, monkeypatch):
    """No test keeps anything with whoever runs it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))


@pytest.fixture
def laid(tmp_path):
    """Writes files into a folder of an owner and gives the folder."""

    def write(**files):
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path

    return write


def tables(folder):
    return load_over(DATA, folder).tables


def named(entries, name):
    (found,) = [entry for entry in entries if entry["id"] == name]
    return found


# ---------------------------------------------------------------- value by value


def test_only_what_is_written_changes(laid):
    ours = load("crusade").tables
    theirs = tables(laid(cards="cards: [{id: N5, ops: 3}]"))
    assert named(theirs["cards"]["cards"], "N5") == {
        **named(ours["cards"]["cards"], "N5"),
        "ops": 3,
    }
    assert [c for c in theirs["cards"]["cards"] if c["id"] != "N5"] == [
        c for c in ours["cards"]["cards"] if c["id"] != "N5"
    ]
    assert {part: theirs[part] for part in theirs if part != "cards"} == {
        part: ours[part] for part in ours if part != "cards"
    }


def test_a_value_inside_a_value_changes_alone(laid):
    theirs = tables(laid(cards="cards: [{id: N1, rp: {NAT: 3}}]"))
    assert named(theirs["cards"]["cards"], "N1")["rp"] == {"NAT": 3, "AXIS": 1}


def test_a_list_without_ids_is_replaced_whole(laid):
    theirs = tables(laid(units="types: [{side: nationalist, id: INF, full: [3, 1, 3]}]"))
    assert named([t for t in theirs["units"]["types"] if t["side"] == "nationalist"], "INF")[
        "full"
    ] == [3, 1, 3]


def test_a_value_can_be_taken_away(laid):
    theirs = tables(laid(map="spaces: [{id: jaen, without: [vp]}]"))
    assert "vp" not in named(theirs["map"]["spaces"], "jaen")


def test_an_entry_can_be_taken_away(laid):
    theirs = tables(laid(map="connections: [{a: cebreros, b: illescas, absent: true}]"))
    ends = [{link["a"], link["b"]} for link in theirs["map"]["connections"]]
    assert {"illescas", "cebreros"} not in ends
    assert len(ends) == len(load("crusade").tables["map"]["connections"]) - 1


def test_a_connection_is_the_same_either_way_round(laid):
    there = load_over(DATA, laid(map="connections: [{a: talavera, b: toledo, type: river}]"))
    back = load_over(DATA, laid(map="connections: [{a: toledo, b: talavera, type: river}]"))
    assert there.digest == back.digest != load("crusade").digest


def test_a_new_entry_comes_behind_ours(laid):
    folder = laid(
        map="""
spaces:
  - {id: aranjuez, name: Aranjuez, at: [40031, -3603], terrain: open, control: republican}
connections:
  - {a: aranjuez, b: madrid, type: road}
"""
    )
    spaces = tables(folder)["map"]["spaces"]
    assert spaces[-1]["id"] == "aranjuez"
    ours = load("crusade").tables["map"]["spaces"]
    assert [space["id"] for space in spaces[:-1]] == [space["id"] for space in ours]


def test_a_scenario_of_ours_is_changed_value_by_value(laid):
    folder = laid(
        scenarios__campaign="""
id: campaign
markers: {vp: 8, sieges: {without: [simancas]}}
units: {nationalist: {map: [{space: huelva, absent: true}]}}
"""
    )
    ours, theirs = load("crusade").tables["scenarios"], tables(folder)["scenarios"]
    assert theirs["campaign"]["markers"]["vp"] == 8
    assert set(theirs["campaign"]["markers"]["sieges"]) == {"santa_maria_de_la_cabeza", "alcazar"}
    assert theirs["campaign"]["markers"]["rm"] == ours["campaign"]["markers"]["rm"]
    assert len(theirs["campaign"]["units"]["nationalist"]["map"]) == (
        len(ours["campaign"]["units"]["nationalist"]["map"]) - 1
    )


def test_a_scenario_of_the_owners_stands_beside_ours():
    assert set(tables(EXAMPLE)["scenarios"]) - set(load("crusade").tables["scenarios"]) == {
        "columns_before_madrid"
    }


# ---------------------------------------------------------------- the digest


def test_a_changed_text_is_no_other_data(laid):
    """The owner is shown it all the same, and may play whoever has the printed words of ours."""
    own = load_over(DATA, laid(cards="cards: [{id: N5, text: Printed words., limits: None.}]"))
    assert own.digest == load("crusade").digest
    assert named(own.tables["cards"]["cards"], "N5")["text"] == "Printed words."


SAME = [
    "cards: [{id: N5, ops: 3, rp: {NAT: 2, AXIS: 1}}]",
    "cards: [{rp: {AXIS: 1, NAT: 2}, ops: 3, id: N5}]",
    "# a comment\ncards:\n  - id: N5\n    rp:\n      NAT: 2\n      AXIS: 1\n    ops: 3\n",
    "cards: [{id: N5, ops: 3, rp: {NAT: 2, AXIS: 1}, provenance: {ops: stated on the card}}]",
    "cards: [{id: N6, ops: 3}, {id: N5, ops: 3, rp: {NAT: 2, AXIS: 1}}]",
]


def test_equal_values_are_equal_data_however_they_are_written(laid):
    assert len({load_over(DATA, laid(cards=text)).digest for text in SAME}) == 1


def test_the_values_themselves_depend_on_nothing_else(laid):
    """What a game reads is the same to the order of the keys, or two machines could part."""
    assert len({json.dumps(dict(tables(laid(cards=text)))) for text in SAME}) == 1


def test_a_folder_that_changes_nothing_is_no_other_data(laid, folder):
    copy = (folder / "cards.yaml").read_text("utf-8")
    assert load_over(DATA, laid(cards=copy)).digest == load("crusade").digest
    assert load_over(DATA, laid(cards="cards: [{id: N5, ops: 2}]")).digest == (
        load("crusade").digest
    )
    assert dict(tables(laid(cards=copy))) == dict(load("crusade").tables)


def test_the_second_time_comes_from_the_cache_until_a_byte_changes(laid, monkeypatch):
    folder = laid(cards="cards: [{id: N5, ops: 3}]")
    first = load_over(DATA, folder)
    monkeypatch.setattr(overlay, "judge", refuse)
    assert load_over(DATA, folder) == first
    laid(cards="cards: [{id: N5, ops: 4}]")
    with pytest.raises(AssertionError):
        load_over(DATA, folder)


def refuse(*_):
    raise AssertionError("read anew")


# ---------------------------------------------------------------- the kept copy


def test_a_kept_copy_is_found_by_its_digest(laid):
    folder = laid(cards="cards: [{id: N5, ops: 3}]")
    data = load_over(DATA, folder)
    assert keep(DATA, data.digest, folder) and keep(DATA, data.digest, folder)
    laid(cards="cards: [{id: N5, ops: 4}]")
    assert load_kept(DATA, data.digest) == data


def test_a_kept_copy_that_was_changed_is_not_used(laid):
    folder = laid(cards="cards: [{id: N5, ops: 3}]")
    digest = load_over(DATA, folder).digest
    keep(DATA, digest, folder)
    kept = Path(os.environ["XDG_CONFIG_HOME"], "pbem", "data", digest, "cards.yaml")
    kept.write_text("cards: [{id: N5, ops: 4}]")
    with pytest.raises(UnknownData):
        load_kept(DATA, digest)


@pytest.mark.parametrize("digest", ["", "../../etc", "0" * 64, "g" * 64, "0" * 63 + "/"])
def test_a_digest_that_is_none_leads_nowhere(digest):
    with pytest.raises(UnknownData):
        load_kept(DATA, digest)


def test_what_cannot_be_kept_is_told(laid, monkeypatch, tmp_path):
    folder = laid(cards="cards: [{id: N5, ops: 3}]")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    assert keep(DATA, load_over(DATA, folder).digest, folder) is False


# ---------------------------------------------------------------- slips


SLIPS = [
    # file, text, line and column, the reason that must be told
    ("map", "spaces: [{id: jaen, vp: two}]", "1:25", "vp must be a whole number"),
    ("map", "spaces: [{id: jaen, vps: 2}]", "1:21", "an entry of spaces has no field 'vps'"),
    ("map", "spaces: [{vp: 2}]", "1:10", "an entry of spaces needs the field 'id'"),
    ("map", "spaces: [{id: jaem, vp: 2}]", "1:10", "needs the field 'name'"),
    ("map", "spaces: [{id: jaen}, {id: jaen}]", "1:22", "jaen is here twice"),
    ("map", "spaces: [{id: jaen, without: [port]}]", "1:31", "there is no 'port' to leave out"),
    ("map", "spaces: [{id: jaen, without: [name]}]", "1:31", "without cannot be 'name'"),
    ("map", "spaces: [{id: nowhere, absent: true}]", "1:10", "there is no nowhere to leave out"),
    ("map", "spaces: [{id: madrid, absent: true}]", "1:10", "the rules name madrid"),
    ("map", "named_sets: {without: [sierra_of_madrid]}", "1:13", "needs the field 'sierra_of_mad"),
    ("map", "named_sets: {mine: {spaces: [jaen]}}", "1:14", "named_sets has no field 'mine'"),
    ("tables", "limits: {stacking: {value: 5}}", "1:10", "limits has no field 'stacking'"),
    ("map", "spaces: [{id: jaem, capital: false}]", "1:10", "did you mean jaen?"),
    ("units", "types: [{side: nationalist, id: IFN, count: 2}]", "1:9", "nationalist - INF?"),
    ("map", "connections: [{a: jaen, b: nowhere, type: road}]", "1:28", "named 'nowhere'"),
    ("map", "connections: [{a: madrid, b: toledo}]", "1:15", "needs the field 'type'"),
    ("map", "connections: [{a: toledo, b: talavera, type: sea}]", "1:46", "type cannot be 'sea'"),
    ("cards", "cards: [{id: N5, absent: true}]", "1:9", "so it cannot be left out"),
    ("units", "types: [{side: nationalist, id: INF, absent: true}]", "1:9", "cannot be left out"),
    ("cards", "cards: [{ops: 3}]", "1:9", "an entry of cards needs the field 'id'"),
    ("cards", "cards: [{id: N61, ops: 3}]", "1:9", "needs the field 'title'"),
    ("cards", "cards: [{id: N5, ops: 7}]", "1:23", "ops must be at most 5"),
    ("cards", "cards: [{id: N5, needs: [R70]}]", "1:26", "there is no card 'R70'"),
    ("units", "types: [{id: INF, full: [3, 1, 3]}]", "1:9", "needs the field 'side'"),
    ("units", "types: [{side: nationalist, id: INF, count: 2}]", None, "there are 2 INF in all"),
    ("units", "types: [{side: nationalist, id: INF, steps: 1}]", None, "reduced side must be null"),
    ("tables", "sieges: [{id: alcazar, space: alcazar}]", "1:31", "no space is named 'alcazar'"),
    ("tables", "turns: [{turn: 19, name: Later}]", "1:16", "turn must be at most 18"),
    (
        "tables",
        "costs: {currencies: [{id: AXIS, side: republican}]}",
        None,
        "1 currency of the nationalist side, but the rules have two: its own and that of its "
        "allies",
    ),
    ("game", "scenarios: [campain]", "1:13", "there is no scenario 'campain'"),
    (
        "scenarios__mine",
        "id: yours\ntitle: X\nfirst_turn: 1\nlast_turn: 5\nsame_as: campaign\n"
        "victory: {nationalist_min: 2, republican_max: 1, draw_winner: null}\nend_modifiers: []\n",
        "1:5",
        "the file is called mine, but its scenario yours",
    ),
]


@pytest.mark.parametrize(
    "file, text, place, reason", SLIPS, ids=[f"{slip[0]} {slip[3]}" for slip in SLIPS]
)
def test_a_slip_is_told_with_file_line_and_reason(laid, file, text, place, reason):
    folder = laid(**{file: text})
    told = render_all(check(folder, DATA))
    assert reason in told
    if place:
        assert f"{folder / file.replace('__', '/')}.yaml:{place}: " in told
    with pytest.raises(Refused):
        load_over(DATA, folder)


def test_a_line_of_ours_that_no_longer_fits_is_explained(laid):
    folder = laid(units="types: [{side: nationalist, id: INF, count: 2}]")
    first = check(folder, DATA)[0]
    assert first.span.file.startswith("data/crusade/scenarios/")
    assert "no longer fits your folder" in str(first.hint)


BEGINNINGS = [
    ("begins: {round: 3, side: republican, actions: {nationalist: [event], republican: []}}",
     "1 action of the nationalist side, but 3 rounds of it are over"),
    ("begins: {round: 7, side: republican}", "round must be at most 6"),
    ("begins: {round: 1}", "begins needs the field 'side'"),
]  # fmt: skip


@pytest.mark.parametrize("line, reason", BEGINNINGS)
def test_the_beginning_of_a_scenario_is_judged(laid, line, reason):
    text = (EXAMPLE / "scenarios" / "columns_before_madrid.yaml").read_text("utf-8")
    head, _, rest = text.partition("begins:\n")
    tail = rest[rest.index("markers:") :]
    folder = laid(scenarios__columns_before_madrid=f"{head}{line}\n\n{tail}")
    assert reason in render_all(check(folder, DATA))


SPOILT = [
    ("flags: [axis_aid", "flags: [axis_ade", "no fact is called 'axis_ade'"),
    ("flags: [axis_aid", "flags: [axis_aid_4", "no fact is called 'axis_aid_4'"),
    ("flags: [axis_aid", "flags: [lot_N10", "no fact is called 'lot_N10'"),
    ("flags: [axis_aid", "flags: [lot_N58, lot_N57", "lot_N58 and lot_N57 are cards of the same "
                                                     "lot"),
    ("flags: [axis_aid", "flags: [severe_winter", "write it with its number: severe_winter_11"),
    ("flags: [axis_aid", "flags: [severe_winter_19", "there is no turn 19"),
    ("flags: [axis_aid", "flags: [guerrilla_sabotage_04", "there is no turn 04"),
    ("flags: [axis_aid", "flags: ['munich/9'", "flags"),
    ("digging: {guadarrama: -1}", "digging: {guadaramma: -1}", "no space is named 'guadaramma'"),
    ("digging: {guadarrama: -1}", "lost_trenches: {madrid: 3}", "lost_trenches"),
    ("digging: {guadarrama: -1}", "beach_heads: {beach: mallorca}", "no beach head is called"),
    ("digging: {guadarrama: -1}", "counterattacks: {madrid: R99}", "there is no card 'R99'"),
    ("isolated: [oviedo, granada]", "isolated: [oviedo, madrid]", "madrid is not an Isolated "
                                                                  "Space"),
    ("discards: {nationalist: [N5, N13]", "discards: {nationalist: [N1, N13]",
     "N1 is in two places: removed and discards"),
    ("retained: {nationalist: [N10]", "retained: {nationalist: [R5]",
     "R5 is not a nationalist card"),
    ("fixed: [N11], random: 3", "fixed: [N11], random: 12", "drawn, but there are only 10"),
    ("{type: AFR, count: 1, reduced: false}", "{type: AFR, count: 9, reduced: false}",
     "there are 7 AFR in all"),
    ("markers: [position]", "markers: [position, trench]", "at most 1 entry"),
    ("first_turn: 4", "first_turn: 12", "it ends on turn 11, before it begins"),
    ("id: columns_before_madrid", "id: campaign", "is called columns_before_madrid"),
]  # fmt: skip


@pytest.mark.parametrize("old, new, reason", SPOILT, ids=[spoilt[2] for spoilt in SPOILT])
def test_a_position_that_cannot_be_is_told(laid, old, new, reason):
    text = (EXAMPLE / "scenarios" / "columns_before_madrid.yaml").read_text("utf-8")
    assert old in text
    folder = laid(scenarios__columns_before_madrid=text.replace(old, new, 1))
    problems = check(folder, DATA)
    assert reason in render_all(problems)
    assert all(problem.span.line for problem in problems)


OVIEDO = "units: [{type: INF, count: 1, reduced: false}, {type: MIL, count: 1, reduced: false}]"
BADAJOZ = "{type: POL, count: 1, reduced: false}"
IMPOSSIBLE = [
    # of the file, what stands in its place, its line, what is told
    ("markers: [trench]", "markers: [special_trench_bilbao]",
     "special_trench_bilbao is Republican (10.2.9)"),
    ("sieges: {santa_maria_de_la_cabeza: 2}", "sieges: {alcazar: 1}",
     "toledo is Nationalist and in supply, so there is no siege there (16.1.3)"),
    ("  badajoz: false", "  badajoz: true",
     "badajoz is Nationalist, so it is no longer a Republican source (13.2.4.2)"),
    ("  republican: []\n", "  republican: [granada]\n",
     "granada is Republican, so it is no longer isolated (16.2.2)"),
    ("first_turn: 4", "first_turn: 6", "isolation ends with turn 5, and this scenario begins on "
                                       "turn 6"),
    ("first_turn: 4", "first_turn: 6", "on turn 6 the mobilization cards are in the decks (15.1)"),
    ("digging: {guadarrama: -1}", "digging: {guadarrama: -3}", "guadarrama must be at least -2"),
    ("digging: {guadarrama: -1}", "digging: {linares: -1}", "linares has no units"),
    ("{type: AFR, count: 1, reduced: false}",
     "{type: AFR, count: 1, reduced: false, strayed: true}",
     "is a guest from another region (16.4.2.4)"),
    ("{type: AFR, count: 1, reduced: false}", "{type: N-I, count: 1, reduced: false}",
     "N-I comes before turn 6, and this scenario begins on turn 4 (15.2.1)"),
    ("{type: AFR, count: 1, reduced: false}", "{type: N-CASTILLA, count: 1, reduced: false}",
     "N-CASTILLA comes by N21, which has not been played"),
    ("space: mallorca, units: [{type: INF,", "space: mallorca, units: [{type: CV-33,",
     "CV-33 never comes to the Balearic Islands"),
    ("space: mallorca", "space: beach_head_nationalist",
     "beach_head_nationalist is not on the map: it is not listed under markers.beach_heads"),
    ("morocco: []", "morocco: [{type: INF, count: 1, reduced: false}]",
     "INF is not an Army of Africa unit (17.6)"),
    ("morocco: []", "morocco: []\n    abroad: [{type: N-I, count: 1, reduced: false, returns: 6}]",
     "N-I comes before turn 6"),
    ("reserve:\n", "reserve:\n      - {type: R-V, count: 1, reduced: false}\n",
     "the nationalist side has no unit type 'R-V'"),
    ("reserve:\n", "reserve:\n      - {type: N-V, count: 1, reduced: false}\n",
     "N-V is a corps and never goes to the Reserve Box (12.1.9)"),
    ("phases: [columns]", "phases: [columns, armies]",
     "the armies cards arrive on turn 12, and this scenario begins on turn 4"),
    ("retained: {nationalist: [N10]", "retained: {nationalist: [N13]", "N13 is not a combat card"),
    ("retained: {nationalist: [N10]", "retained: {nationalist: [N5]", "N5 leaves the game when"),
    ("  marks: [reinforcement_soviet]", "  marks: [reinforcement_sovjet]",
     "no mark is called 'reinforcement_sovjet'"),
    ("marks: [reinforcement_soviet]", "marks: [operations_nationalist_N16]",
     "the nationalist side has played no events, so this is one too many"),
    ("nationalist: [operations, operations, replacements]",
     "nationalist: [operations, replacements, replacements]",
     "two consecutive rounds may not both be for replacements (8.4.3)"),
    ("republican: [operations, event]", "republican: [redeployment, redeployment]",
     "two consecutive rounds may not both be for redeployment (8.3.3)"),
]  # fmt: skip


@pytest.mark.parametrize("old, new, reason", IMPOSSIBLE, ids=[each[2] for each in IMPOSSIBLE])
def test_what_no_game_can_come_to_is_told_with_its_line(laid, old, new, reason):
    text = (EXAMPLE / "scenarios" / "columns_before_madrid.yaml").read_text("utf-8")
    assert old in text
    spoilt = text.replace(old, new, 1)
    folder = laid(scenarios__columns_before_madrid=spoilt)
    problems = [each for each in check(folder, DATA) if reason in str(each.message)]
    assert problems, render_all(check(folder, DATA))
    found = problems[0]
    assert found.span.file.endswith("columns_before_madrid.yaml")
    assert spoilt.split("\n")[found.span.line - 1].strip()


def scenario(**told):
    """A scenario that is the Campaign but for what is told."""
    lines = ["id: mine", "title: Mine", "same_as: campaign"]
    return "\n".join([*lines, *(f"{key}: {value}" for key, value in told.items()), ""])


def test_more_positions_than_counters_are_told(laid):
    spaces = [row["space"] for row in load("crusade").tables["scenarios"]["campaign"]["units"][
        "nationalist"]["map"]]  # fmt: skip
    rows = ", ".join(f"{{space: {space}, markers: [position]}}" for space in spaces[:9])
    folder = laid(scenarios__mine=scenario(units=f"{{nationalist: {{map: [{rows}]}}}}"))
    told = render_all(check(folder, DATA))
    assert "the nationalist side has 8 Positions and Trenches in all" in told
    assert "mine.yaml:4:" in told


def test_special_trenches_are_counted_with_those_that_are_lost(laid):
    rows = (
        "{nationalist: {}, republican: {map: [{space: madrid, markers: [special_trench_madrid]}, "
    )
    rows += "{space: talavera, markers: [special_trench_bilbao]}]}}"
    folder = laid(scenarios__mine=scenario(units=rows, markers="{lost_trenches: {madrid: 2}}"))
    told = render_all(check(folder, DATA))
    assert "there are only 2 of special_trench_madrid, including lost ones" in told
    assert "special_trench_bilbao belongs in Bilbao, not in talavera" in told


def test_points_need_their_card(laid):
    folder = laid(scenarios__mine=scenario(markers="{rp: {AXIS: 2}}"))
    (problem,) = check(folder, DATA)
    assert str(problem.message) == "no AXIS points are recorded before N2 is played (8.4.1)"
    assert problem.span.line == 4 and "decks.played" in str(problem.hint)


def test_a_card_is_not_both_played_and_removed(laid):
    decks = "{removed: {nationalist: [N14]}, played: {nationalist: [N14], republican: []}}"
    folder = laid(scenarios__mine=scenario(decks=decks))
    assert "N14 is removed, which already says that it was played" in render_all(
        check(folder, DATA)
    )


def test_what_comes_before_the_first_round_must_be_told(laid):
    folder = laid(scenarios__mine=scenario(begins="{round: 2, side: nationalist}"))
    (problem,) = check(folder, DATA)
    assert str(problem.message) == "the actions of earlier rounds are missing"
    first = laid(scenarios__mine=scenario(begins="{round: 1, side: nationalist}"))
    assert check(first, DATA) == []


@pytest.mark.rule("16.5.2/a")
@pytest.mark.parametrize("third, allowed", [("operations", False), ("event", True)])
def test_rounds_of_operations_before_the_beginning_count_in_winter(laid, third, allowed):
    """On turn 5 three cards for operations are all a side may play."""
    done = f"[operations, operations, {third}]"
    begins = (
        f"{{round: 4, side: nationalist, actions: {{nationalist: {done}, republican: {done}}}}}"
    )
    folder = laid(scenarios__mine=scenario(first_turn=5, begins=begins))
    assert check(folder, DATA) == []
    position = opened_over("crusade", folder).system.setup("mine", frozenset()).position
    stage = PlayCard(SIDES[0])
    hand = position.but(known={"n/1/0": "N10"}, active=SIDES[0], round=4)
    hand = hand.with_deck(SIDES[0], hand=("n/1/0",))
    found = [each.rule for each in stage.check(hand, Play("N10", "operations"))]
    assert found == [] if allowed else "16.5.2/a" in found


# ---------------------------------------------------------------- one over another


def test_one_unit_of_a_scenario_is_changed_in_one_line(laid):
    row = "{space: sevilla, units: [{type: AFR, count: 1, reduced: true}]}"
    folder = laid(scenarios__mine=scenario(units=f"{{nationalist: {{map: [{row}]}}}}"))
    assert check(folder, DATA) == []
    ours, mine = (tables(folder)["scenarios"][name] for name in ("campaign", "mine"))
    changed = [
        (old["space"], new["units"])
        for old, new in zip(*(each["units"]["nationalist"]["map"] for each in (ours, mine)),
                            strict=True)
        if old != new
    ]  # fmt: skip
    assert changed == [("sevilla", [{"type": "AFR", "count": 1, "reduced": True}])]
    kept = {key: value for key, value in mine.items() if key not in ("units", "id", "title")}
    assert kept == {**{key: ours[key] for key in kept if key != "same_as"}, "same_as": "campaign"}


@pytest.mark.parametrize("told, path, value", [
    ({"markers": "{vp: 9}"}, ("markers", "vp"), 9),
    ({"markers": "{vp: 9}"}, ("markers", "rm"), 26),
    ({"markers": "{sieges: {without: [simancas]}}"}, ("markers", "sieges"),
     {"santa_maria_de_la_cabeza": 2, "alcazar": 3}),
    ({"victory": "{nationalist_min: 25}"}, ("victory", "nationalist_min"), 25),
    ({"victory": "{nationalist_min: 25}"}, ("victory", "republican_max"), 18),
    ({"last_turn": "9"}, ("last_turn",), 9),
    ({"last_turn": "9"}, ("first_turn",), 1),
])  # fmt: skip
def test_single_keys_are_taken_too(laid, told, path, value):
    found = tables(laid(scenarios__mine=scenario(**told)))["scenarios"]["mine"]
    for key in path:
        found = found[key]
    assert found == value


@pytest.mark.parametrize("told, place, reason", [
    ({"markers": "{vq: 9}"}, "4:11", "markers has no field 'vq'"),
    ({"markers": "{sieges: {alcasar: 1}}"}, "4:29", "no siege is named 'alcasar'"),
    ({"markers": "{sieges: {without: [numancia]}}"}, "4:30", "there is no 'numancia' to leave out"),
    ({"units": "{nationalist: {map: [{space: sevila, absent: true}]}}"}, "4:29",
     "there is no sevila to leave out"),
    ({"units": "{nationalist: {map: [{space: sevila, markers: [trench]}]}}"}, "4:29",
     "did you mean sevilla?"),
    ({"units": "{nationalist: {map: [{space: sevilla, units: [{type: AFR, count: 5, "
               "reduced: false}]}]}}"}, None, "AFR in all"),
])  # fmt: skip
def test_a_slip_in_what_differs_is_told_at_its_line(laid, told, place, reason):
    folder = laid(scenarios__mine=scenario(**told))
    problems = render_all(check(folder, DATA))
    assert reason in problems
    if place:
        assert f"mine.yaml:{place}: " in problems


def test_a_scenario_that_shares_with_none_is_told_and_judged_no_further(laid):
    folder = laid(scenarios__mine="id: mine\ntitle: Mine\nsame_as: nowhere\n")
    (problem,) = check(folder, DATA)
    assert str(problem.message) == "'nowhere' is not a scenario with its own set-up"
    assert (problem.span.line, problem.span.column) == (3, 10)
    assert str(problem.hint) == "it may be campaign, republican_collapse or two_years_of_war"


# ---------------------------------------------------------------- hostile folders


def codes(folder):
    with pytest.raises(Refused) as refused:
        read_folder(folder, DATA)
    return {problem.code for problem in refused.value.problems}


def test_links_are_not_followed(laid, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.yaml").write_text("cards: []")
    folder = laid()
    (folder / "cards.yaml").symlink_to(outside / "secret.yaml")
    (folder / "scenarios").symlink_to(outside)
    assert codes(folder) == {"linked-file", "not-a-folder"}


def test_what_is_no_regular_file_is_not_read(laid):
    folder = laid()
    (folder / "map.yaml").mkdir()
    os.mkfifo(folder / "cards.yaml")
    assert codes(folder) <= {"not-a-file", "unreadable"}


def test_files_and_folders_have_bounds(laid, monkeypatch):
    folder = laid(cards="#" * (checking.LARGEST_FILE + 1))
    assert codes(folder) == {"too-long"}
    laid(cards="#")
    monkeypatch.setattr(checking, "LARGEST_FOLDER", 0)
    assert codes(folder) == {"too-long"}


def test_too_many_files_are_not_read(laid, monkeypatch):
    folder = laid(**{f"scenarios__s{n}": "" for n in range(5)})
    monkeypatch.setattr(checking, "MOST_SCENARIOS", 4)
    assert codes(folder) == {"too-many"}
    monkeypatch.setattr(checking, "MOST_FILES", 3)
    assert codes(folder) == {"too-many"}


@pytest.mark.parametrize(
    "name",
    ["Big.yaml", "a b.yaml", "ñ.yaml", "x.yml", "..yaml", "\x1b[2J.yaml", "a" * 41 + ".yaml"],
)
def test_a_scenario_has_a_plain_name(laid, name):
    folder = laid(cards="cards: []")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / name).write_text("")
    assert codes(folder) == {"unknown-file"}
    with pytest.raises(Refused) as refused:
        read_folder(folder, DATA)
    assert "\x1b" not in render_all(refused.value.problems)


def test_other_files_of_the_owner_are_left_alone(laid):
    folder = laid(cards="cards: [{id: N5, ops: 3}]")
    (folder / "README.md").write_text("mine")
    (folder / "map.svg").write_text("mine")
    assert list(read_folder(folder, DATA)) == ["cards.yaml"]


BOMBS = [
    "a: &a [x]\nb: [*a, *a]\n", "[" * 100, "cards: " + "[" * 40 + "]" * 40, "\x00", "- 1",
    "null", "", "5", "cards: 5", "cards: [5]", "cards: {id: N5}", "cards: [[]]", "without: 5",
    "without: [cards]", "absent: true", "cards: [{id: N5, without: {}}]", "? {a: b}\n: c",
    "cards: [{id: 5}]", "cards: [{id: null}]", "cards: [{id: [N5]}]", "cards: !!python/x []",
    "cards: [{id: N5, absent: false}]", "provenance: 5",
]  # fmt: skip


@pytest.mark.parametrize("text", BOMBS, ids=range(len(BOMBS)))
@pytest.mark.parametrize("file", ["cards", "map", "scenarios__campaign", "scenarios__mine"])
def test_no_text_brings_the_program_down(laid, file, text):
    folder = laid(**{file: text})
    for problem in check(folder, DATA):
        assert str(problem.message) and problem.span


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 999) | st.sampled_from(
        ["madrid", "toledo", "N5", "R1", "INF", "nationalist", "campaign", "", "x", "absent"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["id", "a", "b", "side", "space", "without", "absent", "vp", "ops", "type",
                         "provenance", "spaces", "cards", "types", "connections", "units", "map",
                         "nationalist", "markers", "decks", "hands", "same_as", "control"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(
    value=VALUES,
    file=st.sampled_from(["cards", "map", "units", "tables", "scenarios__campaign"]),
)
def test_whatever_a_file_says_is_judged(tmp_path_factory, value, file):
    folder = tmp_path_factory.mktemp("wild")
    path = folder / f"{file.replace('__', '/')}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
    judged = judge(folder, DATA)
    assert judged.problems or judged.whole


# ---------------------------------------------------------------- what must stay in step


@pytest.mark.parametrize("name", ["game", "map", "units", "cards", "tables", "scenario"])
def test_the_schema_of_a_part_is_one(name):
    Draft202012Validator.check_schema(partial(without_sources(schema("crusade", name))))


def literals():
    for path in set(HOME.rglob("*.py")) - set((HOME / "data").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_a_space_that_code_names_cannot_be_left_out(plain):
    spaces = {space["id"] for space in plain["map"]["spaces"]}
    unlisted = sorted((set(literals()) & spaces) - SPACES_OF_THE_RULES)
    assert unlisted == [], "add them to SPACES_OF_THE_RULES in games/crusade/data/cross.py"
    assert spaces >= SPACES_OF_THE_RULES


def facts_set():
    """The words by which the code sets a fact, where it has one word alone."""
    for path in HOME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("FlagSet"):
                yield from (each.value for each in node.args if isinstance(each, ast.Constant))


def test_every_fact_that_the_rules_set_can_be_told_by_a_scenario():
    found = set(facts_set()) - TOLD_BY_MARKERS
    assert len(found) > 5
    assert [flag for flag in sorted(found) if not is_fact(flag, 18)] == []


FACTS = ("kept_N32", "lot_N58", "lot_R7", "lot_R60", "fighters_outclassed", "severe_winter_5",
         "guerrilla_sabotage_3", "morale_for_victory_4")  # fmt: skip


def test_the_facts_of_optional_rules_can_be_told(laid):
    text = (EXAMPLE / "scenarios" / "columns_before_madrid.yaml").read_text("utf-8")
    told = text.replace("flags: [axis_aid", f"flags: [{', '.join(FACTS)}, axis_aid")
    told = told.replace("marks: [", "marks: [victorious/riotinto, ")
    folder = laid(scenarios__columns_before_madrid=told)
    assert not check(folder, DATA)
    game = opened_over("crusade", folder)
    position = game.system.setup("columns_before_madrid", frozenset()).position
    assert position.flags >= set(FACTS) and "victorious/riotinto" in position.turn_marks


# ---------------------------------------------------------------- the first doubt

RIVER = EXAMPLE / "river_before_madrid"


@pytest.mark.parametrize("files, column", [
    ((), 4), (("map.yaml", "tables.yaml"), 4), (("map.yaml",), 3), (("tables.yaml",), 5),
])  # fmt: skip
def test_the_river_before_madrid_and_the_shift_of_a_main_city_change_together(
    tmp_path, files, column
):
    """A full AFR and a full INF attack Madrid from Illescas: the report counts "4-2"."""
    for name in files:
        (tmp_path / name).write_bytes((RIVER / name).read_bytes())
    game = opened_over("crusade", tmp_path) if files else opened("crusade")
    position = game.system.setup("campaign", frozenset()).position
    places = dict.fromkeys(position.units_in("madrid"), "reserve")
    places |= {"AFR-1": "illescas", "INF-1": "illescas", "R-MIL-1": "madrid", "T-26-1": "madrid"}
    for unit, place in places.items():
        position = position.with_unit(unit, place, reduced=place == "madrid")
    combat = Combat(NATIONALIST, "madrid", {"AFR-1": "illescas", "INF-1": "illescas"})
    columns = [
        position.tables.fire_tables["division"].columns[rules.column(position, combat, side)][0]
        for side in SIDES
    ]
    assert columns == [column, 2]

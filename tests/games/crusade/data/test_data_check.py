"""Checking a folder: ours is clean, and a slip is told with file, line and reason."""

import json
import shutil
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from pbem.gamedata import check as judging
from pbem.gamedata.check import _unfitting, check
from pbem.gamedata.load import counted_files, document, load, schema, without_provenance
from pbem.gamedata.where import schema_file
from pbem.games.crusade.data import DATA
from pbem.text.schema import schema_problems
from pbem.text.source import render_all

SCHEMAS = ("game", "map", "units", "cards", "tables", "scenario", "rulebook")


def test_the_shipped_data_are_clean(folder):
    assert render_all(check(folder, DATA, alone=True)) == ""


def test_the_digest_counts_the_parts_and_the_scenarios(folder):
    parts = {"game.yaml", "map.yaml", "units.yaml", "cards.yaml", "tables.yaml"}
    names = load("crusade").tables["game"]["scenarios"]
    setups = {f"scenarios/{name}.yaml" for name in names}
    assert set(counted_files(folder)) == parts | setups and len(names) == 5


def test_the_tables_are_the_files_without_their_provenance(plain):
    tables = load("crusade").tables
    assert set(tables) == {"game", "map", "units", "cards", "tables", "scenarios"}
    assert tables["map"] == without_provenance(plain["map"])
    assert tables["scenarios"]["campaign"] == without_provenance(plain["scenarios/campaign"])
    assert "provenance" not in str(tables)


def test_the_rulebook_fits_its_schema(folder):
    rulebook = document("rulebook.yaml", (folder / "rulebook.yaml").read_bytes())
    assert render_all(schema_problems(rulebook, schema("crusade", "rulebook"))) == ""


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_valid_closed_and_described(name):
    plain = json.loads(schema_file("crusade", name).read_text("utf-8"))
    Draft202012Validator.check_schema(plain)
    assert plain["$schema"].endswith("2020-12/schema")
    for node in objects(plain):
        assert "additionalProperties" in node, node
        if "properties" in node:
            assert node["additionalProperties"] is False
        for key, field in node.get("properties", {}).items():
            described = field
            if "$ref" in field:
                described = plain["$defs"][field["$ref"].rsplit("/", 1)[1]]
            assert described.get("description") or "enum" in described, (name, key)


def objects(node):
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for inner in node.values():
            yield from objects(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from objects(inner)


# ------------------------------------------------------------ mutations

MUTATIONS = [
    # file, what stands there, what is put there, the reason that must be told
    ("map.yaml", "id: lugo, ", "id: lugo, colour: red, ", "has no field 'colour'"),
    (
        "map.yaml",
        "terrain: open, control: nationalist}",
        "terrain: swamp, control: nationalist}",
        "cannot be 'swamp'",
    ),
    ("map.yaml", "at: [43371, -8396]", "at: [43.371, -8.396]", "must be a whole number"),
    (
        "map.yaml",
        "{a: villalba, b: castropol",
        "{a: vilalba, b: castropol",
        "no space is named 'vilalba'",
    ),
    (
        "map.yaml",
        "{a: manresa, b: barcelona, type: road",
        "{a: barcelona, b: manresa, type: road",
        None,
    ),
    (
        "map.yaml",
        "connections:\n",
        "connections:\n  - {a: lugo, b: villalba, type: river, provenance: rebuilt}\n",
        "connected twice",
    ),
    ("map.yaml", "{a: manresa, b: barcelona,", "{a: manresa, b: manresa,", "connected to itself"),
    ("map.yaml", "id: monforte, ", "id: lugo, ", "'lugo' is in spaces twice"),
    ("map.yaml", "El Ferrol: la_coruna", "El Ferrol: coruna", "no space is named 'coruna'"),
    (
        "units.yaml",
        "count: 19, tags: []",
        "count: 18, tags: []",
        "there are 18 INF in all",
    ),
    ("units.yaml", "tags: [cavalry]", "tags: [horse]", "cannot be 'horse'"),
    ("units.yaml", "rp: [AXIS]", "rp: [SOV]", "SOV does not pay for any nationalist unit"),
    ("units.yaml", "card: N21", "card: N99", "there is no card 'N99'"),
    ("cards.yaml", "{id: N3, ", "{id: R3, ", "'R3' is in cards twice"),
    ("cards.yaml", "{id: N3, ", "{", "needs the field 'id'"),
    ("cards.yaml", "needs: [R32]", "needs: [R99]", "there is no card 'R99'"),
    ("cards.yaml", "corps: [N-CASTILLA, ", "corps: [N-CASTILA, ", "no unit type 'N-CASTILA'"),
    (
        "cards.yaml",
        "phase: columns, kind: event",
        "phase: armies, kind: event",
        "columns adds 18 cards, but the nationalist deck has 17",
    ),
    (
        "cards.yaml",
        "params: {drm: 1, role: any}",
        "params: {drn: 1, role: any}",
        "did you mean drm?",
    ),
    (
        "tables.yaml",
        "- [0, 0, 0, 1, 1, 1, 1, 1, 2]",
        "- [0, 0, 0, 1, 1, 1, 1, 2]",
        "row 1 has 8 values for 9 columns",
    ),
    ("tables.yaml", "[2, 2], [3, 3]", "[2, 3], [3, 3]", "does not follow the previous one"),
    ("tables.yaml", "space: gijon", "space: gijón", "space cannot be 'gijón'"),
    ("tables.yaml", "division_halves: 2", "division_halves: 0.5", "must be a whole number"),
    (
        "scenarios/campaign.yaml",
        "{space: villalba,",
        "{space: castropol,",
        "castropol is republican, so no nationalist unit can be there",
    ),
    (
        "scenarios/campaign.yaml",
        "space: beasain, units: [{type: MIL-NAV, count: 2",
        "space: beasain, units: [{type: MIL-NAV, count: 4",
        "beasain has 4 units; the limit is 3",
    ),
    (
        "scenarios/campaign.yaml",
        "fixed: [N1]",
        "fixed: [N19]",
        "N19 is a card of mobilization, which is not in play",
    ),
    ("scenarios/campaign.yaml", "fixed: [N1]", "fixed: [R1]", "R1 is not a nationalist card"),
    ("scenarios/campaign.yaml", "alcazar: 3", "alcazar: 4", "at most 3"),
    ("scenarios/campaign.yaml", "alcazar: 3", "alcasar: 3", "no siege is named 'alcasar'"),
    ("scenarios/campaign.yaml", "last_turn: 18", "last_turn: 0", "at least 1"),
    (
        "scenarios/war_of_the_columns.yaml",
        "same_as: campaign",
        "same_as: campain",
        "is not a scenario with its own set-up",
    ),
    ("scenarios/war_of_the_columns.yaml", "republican_max: 8", "republican_max: 12", "overlap"),
    ("scenarios/war_of_the_columns.yaml", "id: war_of_the_columns", "id: war", "is called"),
    ("game.yaml", "[campaign, ", "[campagin, ", "there is no scenario 'campagin'"),
    (
        "map.yaml",
        "control: nationalist, capital: true",
        "control: NO, capital: true",
        "cannot be 'NO'",
    ),
    ("map.yaml", "terrain: open,", "terrain: open, terrain: open,", "terrain"),
]


@pytest.fixture(scope="module")
def mine(folder, tmp_path_factory):
    """A copy of the folder; a file that is as it was is read and held to its schema only once."""
    there = tmp_path_factory.mktemp("slips") / "mine"
    shutil.copytree(folder, there)
    known = {}

    def unfitting(found, wanted):
        key = id(found), json.dumps(wanted, sort_keys=True)
        if key not in known:
            known[key] = found, list(_unfitting(found, wanted))
        return known[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "document", cache(document))
        patch.setattr(judging, "_unfitting", unfitting)
        yield there


@pytest.mark.parametrize(
    "file, old, new, reason", MUTATIONS, ids=[f"{m[0]}-{m[2][:30].strip()}" for m in MUTATIONS]
)
def test_a_slip_in_the_data_is_told_where_it_stands(mine, file, old, new, reason):
    text = (mine / file).read_text("utf-8")
    assert old in text
    try:
        (mine / file).write_text(text.replace(old, new, 1), "utf-8")
        problems = check(mine, DATA, alone=True)
    finally:
        (mine / file).write_text(text, "utf-8")
    if reason is None:  # the other way round is the same connection
        assert problems == []
        return
    told = render_all(problems, most=10)
    assert reason in told
    assert all(problem.span and problem.span.file for problem in problems)
    assert any(problem.span.line for problem in problems)


def test_a_slip_is_told_with_the_line_of_the_file(folder, tmp_path):
    mine = tmp_path / "mine"
    shutil.copytree(folder, mine)
    text = (mine / "map.yaml").read_text("utf-8")
    line = text[: text.index("{a: villalba, b: castropol")].count("\n") + 1
    slip = text.replace("{a: villalba, b: castropol", "{a: vilalba, b: castropol")
    (mine / "map.yaml").write_text(slip, "utf-8")
    (problem, *_) = check(mine, DATA, alone=True)
    assert (problem.span.file, problem.span.line) == (str(mine / "map.yaml"), line)
    assert str(problem.hint) == "did you mean villalba?"


def test_a_folder_may_lack_what_the_shipped_game_has(folder, tmp_path):
    """An owner of the printed game writes only the files they know better."""
    shutil.copy(folder / "units.yaml", tmp_path)
    assert check(tmp_path, DATA) == []
    (problem, *_) = check(tmp_path, DATA, alone=True)
    assert problem.code == "missing-file"


def test_a_file_under_a_wrong_name_is_told(folder, tmp_path):
    (tmp_path / "unit.yaml").write_text("")
    (problem,) = check(tmp_path, DATA)
    assert problem.code == "unknown-file" and "units.yaml" in str(problem.hint)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    assert [problem.code for problem in check(tmp_path / "no", DATA)] == ["no-folder"]

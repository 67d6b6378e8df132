"""pbem data, and --data: an owner's folder from the check to the game between two."""

import json
import os
import random
from pathlib import Path

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision
from pbem.play.systems import opened, opened_over
from tests.bots import RandomDice
from tests.contract.playing import Player
from tests.games.documents import judged_once as judged_once

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "own-data"
SCENARIO = "columns_before_madrid"


@pytest.fixture(scope="module")
def cache_home(tmp_path_factory):
    """What was read once is kept, under the digest of its bytes, for every test."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch, cache_home):
    """Each test has a home of its own, and stands in an empty folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))
    monkeypatch.delenv("PBEM_DATA", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def own(**files):
    folder = Path("mine")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.yaml").write_text(text)
    return folder


# ---------------------------------------------------------------- what is told


def test_every_rebuilt_value_is_listed_with_its_file(pbem):
    code, out, err = pbem("data", "crusade")
    assert (code, err) == (0, "")
    digest = opened("crusade").digest[:16]
    assert out.startswith(f"Crusade and Revolution: the data {digest}\nin all: ")
    assert "\n\nmap.yaml: " in out and "\n\nunits.yaml: " in out
    assert "\n  cards N1: ops 3; rp NAT 2, AXIS 1\n" in out


def test_the_list_for_programs_counts_what_it_lists(pbem):
    code, out, _ = pbem("data", "crusade", "--json")
    told = json.loads(out)
    assert code == 0 and told["digest"] == opened("crusade").digest
    for file, counts in told["counts"].items():
        for word, count in counts.items():
            found = [v for v in told["values"] if (v["file"], v["source"]) == (file, word)]
            assert len(found) == count
    assert {"file": "cards.yaml", "entry": "cards N1", "key": "ops", "value": 3,
            "source": "rebuilt", "note": ""} in told["values"]  # fmt: skip


def test_a_sound_folder_is_told_value_by_value(pbem):
    code, out, err = pbem("data", "crusade", EXAMPLE)
    together = opened_over("crusade", EXAMPLE)
    lines = out.split("\n")
    assert (code, err) == (0, "")
    assert lines[:3] == [
        f"{EXAMPLE}: no problems",
        f"the data with it: {together.digest}",
        f"ours alone: {opened('crusade').digest}",
    ]
    assert lines[3].startswith("together: ") and lines[3].endswith(" your own")
    assert "\n".join(lines[4:]) == (
        "\n"
        "cards.yaml: yours\n"
        "  cards N5: ops 3 (ours: 2); sr 3 (ours: 2); rp NAT 2 (ours: 1)\n"
        "\n"
        "map.yaml: yours\n"
        "  spaces albacete: vp 1 (ours: none; on the printed map)\n"
        "  spaces jaen: vp none (ours: 1)\n"
        "  spaces granada: terrain open (ours: mountain)\n"
        "  connections talavera - toledo: type river (ours: road)\n"
        "  connections cebreros - illescas: left out\n"
        "\n"
        "scenarios/columns_before_madrid.yaml: a scenario of yours, The Columns before Madrid\n"
    )


CHANGED = [
    # the game, the files of the folder, what is told of them
    (
        "crusade",
        {"tables": "terrain_effects: [{id: main_city, attacker_shift: 0}]\n"},
        ["tables.yaml: yours", "  terrain_effects main_city: attacker_shift 0 (ours: -1)"],
    ),
    (
        "crusade",
        {"cards": "cards: [{id: N5, ops: 2}]\n"},
        ["cards.yaml: yours, with the values of ours"],
    ),
    (
        "crusade",
        {"map": "spaces: [{id: x, name: X, at: [40000, -4000], terrain: open, "
                "control: republican}]\nconnections: [{a: x, b: cuenca, type: road}]\n"},
        ["map.yaml: yours",
         "  spaces x: new, id x, name X, at [40000, -4000], terrain open, control republican",
         "  connections x - cuenca: new, a x, b cuenca, type road"],
    ),
    (
        "crusade",
        {"scenarios/campaign": "markers: {rp: {NAT: 3}}\nunits: {republican: {reserve: []}}\n"},
        ["scenarios/campaign.yaml: yours",
         "  markers rp NAT 3 (ours: 0); "
         "units republican reserve [] (ours: [type MIL, count 2, reduced no])"],
    ),
    (
        "crusade",
        {"scenarios/late": "id: late\ntitle: Late\nsame_as: campaign\nlast_turn: 6\n"
                           "markers: {rm: 21}\n"},
        ["scenarios/late.yaml: a scenario of yours, Late, like campaign but for this",
         "  last_turn 6 (ours: 18); markers rm 21 (ours: 26)"],
    ),
    (
        "madrid",
        {"tables": "limits: {stacking: 9}\n", "map": "areas: [{id: AA, terrain: 3}]\n"},
        ["map.yaml: yours", "  areas AA: terrain 3 (ours: 4)", "",
         "tables.yaml: yours", "  limits stacking 9 (ours: 10)"],
    ),
]  # fmt: skip


@pytest.mark.parametrize("game, files, told", CHANGED, ids=range(len(CHANGED)))
def test_only_what_a_folder_changes_is_listed(pbem, game, files, told):
    folder = own(**files)
    code, out, err = pbem("data", game, folder)
    assert (code, err) == (0, "")
    assert out.split("\n")[5:-1] == told
    listed = json.loads(pbem("data", game, folder, "--json")[1])["changes"]
    assert len(listed) == sum(line.count("; ") + 1 for line in told if line.startswith("  "))


def test_a_faulty_folder_is_told_place_by_place(pbem):
    own(cards="cards:\n  - {id: N5, ops: 9}\n  - {id: N6, opps: 2}\n")
    assert pbem("data", "crusade", "mine") == (
        1,
        "",
        "mine/cards.yaml:2:19: ops must be at most 5\n"
        "    2 |   - {id: N5, ops: 9}\n"
        "      |                   ^\n"
        "mine/cards.yaml:3:14: an entry of cards has no field 'opps'\n"
        "    3 |   - {id: N6, opps: 2}\n"
        "      |              ^^^^\n"
        "      hint: did you mean ops?\n",
    )


def test_a_faulty_folder_is_told_to_programs(pbem):
    own(cards="cards:\n  - {id: N5, ops: 9}\n")
    code, out, err = pbem("data", "crusade", "mine", "--json")
    assert (code, out) == (1, "")
    assert json.loads(err) == [{
        "code": "schema-maximum", "message": "ops must be at most 5", "file": "mine/cards.yaml",
        "line": 2, "column": 19, "rule": None, "hint": None,
    }]  # fmt: skip


def test_a_folder_or_a_game_that_is_not_there(pbem):
    assert pbem("data", "crusade", "nowhere") == (2, "", "nowhere: there is no such folder\n")
    code, out, err = pbem("data", "crusader")
    assert (code, out) == (2, "") and "did you mean crusade?" in err


# ---------------------------------------------------------------- the game


def test_a_practice_game_begins_where_the_scenario_says(pbem):
    code, out, err = pbem("solo", "crusade", SCENARIO, "--data", EXAMPLE, "-o", "g.json")
    assert (code, err) == (0, "")
    assert "Turn 4, November/December 1936 (War of the Columns), Republican round 3\n" in out
    code, out, _ = pbem("status", "g.json", "--json")
    position = json.loads(out)["position"]
    assert code == 0
    assert [position[key] for key in ("turn", "round", "active", "vp", "rm")] == [
        4,
        3,
        "republican",
        9,
        22,
    ]
    assert position["rp"] == [["AXIS", 2], ["NAT", 4]]
    assert position["actions"] == {
        "nationalist": ["operations", "operations", "replacements"],
        "republican": ["operations", "event"],
    }
    assert position["turn_marks"] == [
        "operations_nationalist_round_1",
        "operations_nationalist_round_2",
        "operations_republican_round_1",
        "reinforcement_soviet",
    ]
    assert position["digging"] == [["guadarrama", -1]]
    assert position["sieges"] == [["santa_maria_de_la_cabeza", 2]]
    assert {"axis_aid", "soviet_aid", "afr_schedule"} <= set(position["flags"])
    assert {"N1", "N2", "R13", "R12"} <= set(position["played"])
    assert ["AFR-6", "morocco"] in position["units"]
    nationalist, republican = (position["decks"][side] for side in ("nationalist", "republican"))
    assert (len(nationalist["hand"]), len(republican["hand"])) == (4, 5)
    assert (len(nationalist["pile"]), len(republican["pile"])) == (7, 8)
    assert nationalist["table"] == ["N10"]
    assert republican["discards"] == ["R3", "R13"]


def test_from_the_middle_of_a_turn_the_war_goes_on():
    """Random orders to the end of the next turn: no fault, no dead end."""
    system = opened_over("crusade", EXAMPLE).system
    state = kernel.begin(system.setup(SCENARIO, frozenset({"open_hands"}))).state
    player, dice, rounds = Player(3), RandomDice(3), []
    while state.position.turn < 6 and (wanted := kernel.waits_for(state)) is not None:
        if isinstance(wanted, Decision):
            order = player.order(state, wanted)
            if wanted.stage == "action":
                rounds.append((state.position.turn, state.position.round, wanted.side))
            state = kernel.submit(state, order).state
        else:
            state = kernel.roll(state, dice).state
        assert system.faults(state.position) == ()
    assert rounds[:3] == [(4, 3, "republican"), (4, 4, "nationalist"), (4, 4, "republican")]
    assert (5, 6, "republican") in rounds


def test_the_environment_names_the_folder_too(pbem, monkeypatch):
    monkeypatch.setenv("PBEM_DATA", str(EXAMPLE))
    assert pbem("solo", "crusade", SCENARIO, "-o", "g.json")[0] == 0
    monkeypatch.delenv("PBEM_DATA")
    assert pbem("status", "g.json")[0] == 0


def test_a_scenario_of_the_owners_is_unknown_without_their_folder(pbem):
    code, out, err = pbem("solo", "crusade", SCENARIO, "-o", "g.json")
    assert (code, out) == (2, "")
    assert err.startswith(f"there is no scenario '{SCENARIO}'\n")


def test_the_list_of_games_has_the_owners_scenarios_too(pbem):
    line = f"    {SCENARIO}: The Columns before Madrid\n"
    code, out, err = pbem("games", "crusade", "--data", EXAMPLE)
    assert (code, err) == (0, "") and line in out
    assert line not in pbem("games", "crusade")[1]
    code, out, _ = pbem("games", "crusade", "--data", EXAMPLE, "--json")
    assert json.loads(out)[0]["scenarios"][-1] == {
        "id": SCENARIO, "title": "The Columns before Madrid"}  # fmt: skip


def test_the_list_of_games_wants_to_know_whose_data_they_are(pbem, monkeypatch):
    code, out, err = pbem("games", "--data", EXAMPLE)
    assert (code, out) == (2, "")
    assert "say which game --data is for: pbem games SYSTEM --data DIR" in err
    monkeypatch.setenv("PBEM_DATA", str(EXAMPLE))
    assert pbem("games")[0] == 0


@pytest.mark.parametrize("editions, options, told", [
    ("1e", [], "mine cannot be played without first_edition [rule 19.3]\n"
               "      hint: add --option first_edition: The rules of the first edition\n"),
    ("1e", ["--option", "first_edition"], ""),
    ("2e", [], ""),
    ("1e, 2e", [], ""),
    ("1e, 2e", ["--option", "first_edition"], ""),
])  # fmt: skip
def test_the_editions_of_a_scenario_of_the_owners_are_kept(pbem, editions, options, told):
    Path("mine/scenarios").mkdir(parents=True)
    Path("mine/scenarios/mine.yaml").write_text(
        "id: mine\ntitle: Mine\nsame_as: two_years_of_war\nfirst_turn: 6\nlast_turn: 7\n"
        "victory: {nationalist_min: 20, republican_max: 10, draw_winner: null}\nend_modifiers: []\n"
        f"editions: [{editions}]\n"
    )
    code, _, err = pbem("solo", "crusade", "mine", "--data", "mine", "-o", "g.json", *options)
    assert (code, err) == (2 if told else 0, told)
    assert ("mine: Mine (only with first_edition)" in pbem("games", "crusade", "--data", "mine")[1]
            ) is (editions == "1e")  # fmt: skip


def test_a_faulty_folder_begins_no_game(pbem):
    own(map="connections: [{a: madrid, b: nowhere, type: road}]")
    code, out, err = pbem("solo", "crusade", "campaign", "--data", "mine", "-o", "g.json")
    assert (code, out) == (1, "")
    assert err.startswith("mine/map.yaml:1:30: no space is named 'nowhere'\n")
    assert not os.path.exists("g.json")


def test_data_that_break_the_program_are_refused_before_the_game(pbem, monkeypatch):
    """What no check foresaw shows when the scenario is set up on trial."""
    own(cards="cards: [{id: N5, ops: 3}]")
    system = type(opened_over("crusade", Path("mine")).system)
    monkeypatch.setattr(system, "setup", lambda *_: 1 // 0)
    code, out, err = pbem("solo", "crusade", "campaign", "--data", "mine", "-o", "g.json")
    assert (code, out) == (1, "")
    assert err == (
        "cards.yaml: the scenario campaign cannot be set up (ZeroDivisionError: integer division or"
        " modulo by zero)\n      hint: it can be set up with our data, so the problem is in your "
        "folder\n"
    )


# ---------------------------------------------------------------- between two


@pytest.fixture
def as_player(pbem, monkeypatch):
    """Runs a command in the home of a player."""

    def call(who, *words):
        monkeypatch.setenv("XDG_CONFIG_HOME", os.path.abspath(f"home-{who}"))
        return pbem(*words)

    return call


@pytest.fixture
def proposal(as_player):
    for who in ("ana", "beto"):
        as_player(who, "keygen", "--out", f"{who}.key", "--no-passphrase")
    code, out, err = as_player(
        "ana", "new", "crusade", SCENARIO, "--side", "nationalist", "--key", "ana.key",
        "--opponent", "beto.key.pub", "--data", EXAMPLE, "-o", "1.json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert out.split("\n")[1:3] == [
        "send it to your opponent: pbem mail 1.json writes the message, which tells them how to "
        "accept",
        "it is played with your own data: send your opponent the same folder, which they name with "
        f"--data; its digest is {opened_over('crusade', EXAMPLE).digest[:16]}",
    ]
    return "1.json"


HINT = (
    "      hint: these are data of a later version of pbem, or of an owner's folder: ask your"
    " opponent which, and name the folder with --data DIR; pbem verify"
    " --without-rules checks everything that needs neither rules nor data\n"
)


def test_without_the_folder_no_command_reads_the_game(as_player, proposal):
    theirs, ours = opened_over("crusade", EXAMPLE).digest, opened("crusade").digest
    for command in ("status", "log", "dice", "form", "verify", "apply"):
        key = ["--key", "beto.key"] if command == "apply" else []
        code, out, err = as_player("beto", command, proposal, *key)
        assert (code, out) == (3, ""), command
        where = "" if command == "verify" else "1.json: "
        assert err == (
            f"{where}entry 0, step 1: the game is played with the data {theirs[:16]};"
            f" available here: {ours[:16]} of this pbem\n{HINT}"
        )


def test_with_another_folder_both_digests_are_told(as_player, proposal):
    own(cards="cards: [{id: N5, ops: 4}]")
    code, _, err = as_player("beto", "status", proposal, "--data", "mine")
    other = opened_over("crusade", Path("mine")).digest
    assert code == 3
    assert f" of this pbem and {other[:16]} in mine\n" in err


def test_named_once_the_folder_is_kept(as_player, proposal):
    for who, last, new, data in (
        ("beto", "1.json", "2.json", ["--data", EXAMPLE]),
        ("ana", "2.json", "3.json", []),
        ("beto", "3.json", "4.json", []),
    ):
        code, _, err = as_player(who, "apply", last, "--key", f"{who}.key", "-o", new, *data)
        assert code == 0, err
    assert as_player("beto", "verify", "4.json")[0] == 0
    code, _, err = as_player("somebody", "verify", "4.json")
    assert code == 3 and "entry 0, step 1: the game is played with the data" in err
    assert as_player("somebody", "verify", "4.json", "--data", EXAMPLE)[0] == 0


def test_a_game_with_our_data_minds_no_folder(pbem):
    own(cards="cards: [{id: N5, ops: 9}]")
    assert pbem("solo", "crusade", "campaign", "-o", "g.json")[0] == 0
    assert pbem("status", "g.json", "--data", "mine")[0] == 0


def test_random_damage_of_the_example_is_never_a_fault(pbem, fuzz):
    """Each line of the scenario taken out, or doubled: told as a problem, or played."""
    text = (EXAMPLE / "scenarios" / f"{SCENARIO}.yaml").read_text("utf-8").split("\n")
    rng = random.Random(7)
    for place in rng.sample(range(len(text)), min(4 * fuzz, len(text))):
        Path("mine/scenarios").mkdir(parents=True, exist_ok=True)
        doubled = text[: place + 1] + text[place:]
        for spoilt in (text[:place] + text[place + 1 :], doubled):
            Path("mine/scenarios", f"{SCENARIO}.yaml").write_text("\n".join(spoilt), "utf-8")
            code, _, err = pbem("data", "crusade", "mine")
            assert code in (0, 1) and "Traceback" not in err

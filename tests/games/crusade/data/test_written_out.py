"""Positions of real games, written out as scenarios of an owner and read back, are the same."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.gamedata.check import judge
from pbem.games.crusade.data import DATA
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.round import PlayCard
from pbem.play.systems import opened_over
from tests.conftest import FUZZ
from tests.contract.owned import NAME, problems_of, write
from tests.contract.playing import every_beginning, playout, some_options, system
from tests.games.crusade.board import N, R, table
from tests.games.crusade.written_out import differences, written_out

OPEN = "open_hands"


def read_back(folder: Path, position: Position, options: tuple[str, ...]) -> list[str]:
    """What an owner's folder with this position would be told, and in what it begins otherwise."""
    scenario = written_out(position, options)
    assert scenario is not None
    write(folder, scenario)
    problems = judge(folder, DATA).problems
    if problems:
        return [str(problem.message) for problem in problems]
    game = opened_over("crusade", folder)
    state = kernel.begin(game.system.setup(NAME, frozenset((*options, OPEN)))).state
    assert isinstance(state.agenda[-1], PlayCard)
    return [*map(str, game.system.faults(state.position)), *differences(position, state.position)]


def some_positions(scenario: str, seed: int, options: tuple[str, ...], share: float) -> Any:
    chosen = random.Random(f"written out {seed}")
    is_first = True
    for moment in playout("crusade", scenario, seed, whole=True, options=options):
        position = moment.state.position
        asked = moment.decision and moment.decision.stage == "action"
        if asked and written_out(position) is not None:
            if is_first or chosen.random() < share:
                yield position
            is_first = False


CAPTURED = {"lost_forts": {"captured_nationalist": 4, "captured_republican": 1}}
LATE = {"flags": frozenset({"badajoz_lost"})}
NOW = {**LATE, "isolated": frozenset()}
LANDED = table(
    3, units={"beach_head_mallorca": "R-MIL-1 R-MIL-2", "algeciras": "", "mallorca": "INF-1"},
    beach_heads={"beach_head_mallorca": "mallorca"}, deadlines={"beach_head_mallorca": 4},
).with_control("beach_head_mallorca", R)  # fmt: skip


@pytest.mark.parametrize(
    "position, options",
    [
        (LANDED, ()),
        (
            table(
                8,
                isolated=frozenset({"oviedo"}),
                nationalist=["pto_de_leitariegos"],
                units={"pto_de_leitariegos": ""},
                **LATE,
            ),
            ("rule_18_2_3",),
        ),
        (table(8, hand={N: ["N49"]}, **NOW), ("rule_18_2_7",)),
        (table(8, hand={N: ["N56"]}, **NOW), ("rule_18_4_2_both",)),
        (table(3, hand={N: ["N57"]}), ("rule_18_5_free",)),
        (table(3, units={"toledo": "INF-1"}, nationalist=["toledo"]), ()),
        (
            table(
                4, nationalist=["badajoz"], units={"badajoz": "INF-1"}, flags=frozenset(), forts={}
            ),
            ("first_edition",),
        ),
        (table(3, **CAPTURED), ("rule_18_2_10",)),
    ],
    ids=[
        "beach head",
        "corridor",
        "blockade",
        "corps",
        "lot",
        "siege out of supply",
        "badajoz",
        "captured works",
    ],
)
def test_what_a_game_can_reach_is_not_refused(position, options):
    begun = position.but(round=2, active=R, actions={N: ("automatic",) * 2, R: ("automatic",)})
    scenario = written_out(begun, options)
    scenario["decks"]["phases"] = ["columns", "mobilization"][: 1 + (begun.turn > 5)]
    assert [str(each.message) for each in problems_of("crusade", scenario)] == []
    told = list(problems_of("crusade", {**scenario, "options": []}))
    assert bool(told) is bool(options)


@pytest.mark.rule("10.2.4/a")
@pytest.mark.parametrize("facts, is_reached", [
    ({"round": 1, "active": N}, True),
    ({"round": 1, "active": R, "actions": {N: ("automatic",)}}, False),
    ({"round": 2, "active": N, "actions": {N: ("automatic",), R: ("automatic",)}}, False),
])  # fmt: skip
def test_what_failed_rolls_left_outlasts_its_units_until_a_round_is_over(facts, is_reached):
    """A corps of the end of the turn took their place; their rolls count for who comes at once."""
    begun = table(4, units={"motril": ""}, digging={"motril": -1}, **facts)
    told = [(each.code, each.span.file) for each in problems_of("crusade", written_out(begun))]
    assert told == [("digging", "markers/digging/motril")] * (not is_reached)


@pytest.mark.rule("18.2.10", "10.2.9")
def test_captured_works_are_some_of_all_that_a_side_has():
    """Nationalists have eight."""
    begun = table(4, units={"sevilla": "INF-1"}, forts={}).but(round=1, active=N)
    scenario = written_out(begun, ("rule_18_2_10",))
    for captured, told in (
        (7, []),
        (8, [("pool", f"units/{N}/map/0/markers/0")]),
        (9, [("trenches", "markers/lost_trenches/captured_nationalist")]),
    ):
        scenario["markers"]["lost_trenches"] = {"captured_nationalist": captured}
        scenario["units"][N]["map"][0]["markers"] = ["position"] if captured < 9 else []
        found = [(each.code, each.span.file) for each in problems_of("crusade", scenario)]
        assert found == told
    hints = [str(each.hint) for each in problems_of("crusade", {**scenario, "options": []})]
    assert "with rule_18_2_10 there are: write options: [rule_18_2_10]" in hints


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("flags, fixed, removed, path", [
    ([], ["N57"], [], ""),
    (["lot_N57"], ["N57"], [], ""),
    ([], ["N57"], ["N14"], f"decks/hands/{N}/fixed/0"),
    (["lot_N14"], [], ["N57"], f"decks/removed/{N}/0"),
])  # fmt: skip
def test_a_scenario_names_one_card_of_a_lot(flags, fixed, removed, path):
    scenario = written_out(table(4).but(round=1, active=N), ("rule_18_5_random",))
    scenario["markers"]["flags"] = flags
    scenario["decks"]["hands"][N]["fixed"] = fixed
    scenario["decks"]["removed"][N] = removed
    told = [(each.code, each.span.file) for each in problems_of("crusade", scenario)]
    assert told == ([("card-lot", path)] if path else [])
    scenario["options"] = ["rule_18_5_free"]
    assert [*problems_of("crusade", scenario)] == []


@pytest.mark.parametrize("code, card, option", [
    ("card-phase", "N49", "rule_18_2_7"), ("card-phase", "R58", "rule_18_5_random"),
])  # fmt: skip
def test_the_option_that_would_allow_it_is_named(code, card, option):
    side = N if card[0] == "N" else R
    begun = table(8, hand={side: [card]}, **NOW).but(round=1, active=N)
    scenario = written_out(begun)
    scenario["decks"]["phases"] = ["columns", "mobilization"]
    hints = [str(p.hint) for p in problems_of("crusade", scenario) if p.code == code]
    assert hints == [f"with {option} it is: write options: [{option}]"]


@pytest.mark.parametrize("options, reason", [
    (["rule_18_2_33"], "there is no option 'rule_18_2_33'"),
    (["rule_18_5_random", "rule_18_5_free"],
     "rule_18_5_free and rule_18_5_random exclude each other"),
    (["reading_q65"], "reading_q65 needs first_edition too"),
])  # fmt: skip
def test_options_that_no_game_can_have_are_told(options, reason):
    scenario = written_out(table(8, **NOW).but(round=1, active=N))
    scenario["options"] = options
    assert reason in [str(each.message) for each in problems_of("crusade", scenario)]


@pytest.mark.parametrize("seed", range(2 * FUZZ))
@pytest.mark.parametrize("agreed", ["none", "some", "all", "1e"])
def test_a_position_of_a_real_game_is_read_as_it_was(tmp_path, agreed, seed):
    rng = random.Random(f"{agreed} {seed}")
    scenario = rng.choice([name for slug, name in every_beginning() if slug == "crusade"])
    options: tuple[str, ...] = ()
    if agreed in ("some", "all"):
        options = some_options("crusade", scenario, rng, most=8 if agreed == "some" else None)
    elif agreed == "1e":
        options = ("first_edition",)
        barred = {each.id for each in system("crusade").scenarios() if each.excludes}
        scenario = "campaign" if scenario in barred else scenario
    read = 0
    for position in some_positions(scenario, seed, options, 0.04):
        told = read_back(tmp_path, position, options)
        assert told == [], (scenario, options, position.turn, position.round)
        read += 1
    assert read >= 1

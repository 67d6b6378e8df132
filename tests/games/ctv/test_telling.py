"""Every event is told in a message, or not at all for a reason."""

from __future__ import annotations

import random

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, Event
from pbem.games.ctv import events as e
from pbem.games.ctv import narration
from pbem.games.ctv.options import SLOW_RECOVERY
from pbem.games.ctv.orders import Attack, Support, UseColumns
from pbem.games.ctv.position import ASIDE, OFF, RAIN, Combat
from pbem.games.ctv.rules import war
from pbem.games.ctv.stages.movement import Marching
from pbem.games.ctv.stages.turn import EndOfTurn
from pbem.messages import sentence
from pbem.play.order_lines import said
from pbem.play.table import Table
from tests.bots import RandomDice, legal_samples
from tests.games.ctv.table import N, R, begun, covered, fighting, system, table, tag_of
from tests.house.catalogue import unmarked

TELL = narration.NARRATION.narrate
FIGHT = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT", "2011": "N-FIN-8 N-SC-1"}


def told(event, position=None):
    position = position if position is not None else table(FIGHT)
    return sentence(TELL(event, position))


def kinds() -> list[type]:
    return [
        each
        for each in vars(e).values()
        if isinstance(each, type) and issubclass(each, Event) and each.__module__ == e.__name__
    ]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_event_has_a_line_or_is_silent_for_a_reason(kind):
    is_told, silent = kind in narration.LINES, kind in narration.SILENT
    assert is_told != silent
    assert not silent or narration.SILENT[kind].strip()


def test_marches_read_well():
    assert told(e.UnitsMoved(("N-LIT-1", "N-LIT-2"), ("2210", "2110"), 3, "2310")) == (
        "1st Littorio Regiment (N-LIT-1) and 2nd Littorio Regiment (N-LIT-2) move from 2310 "
        "through 2210 to Soncillo (2110), at a cost of 1.5."
    )
    assert told(e.UnitsMoved(("N-SC-1",), ("2006",), 2, "2106")) == (
        "Supply column 1 (N-SC-1) moves from Puerto de Pozazal (2106) to Reinosa "
        "(2006), at a cost of 1."
    )
    assert told(e.HexTaken("2006", N)) == "The Nationalists take Reinosa (2006)."
    assert told(e.MarkerMoved(1, "taken", "2006"), table(marker=1)) == (
        "The Republicans lose the objective Reinosa (2006): the marker of morale is at 1."
    )
    assert told(e.SupplyJudged(frozenset({"R-168"}), frozenset({"R-168"}))) == (
        "CLXVIII Brigade (R-168) is out of supply."
    )


def test_disorganisation_is_explained_and_its_end_is_told():
    position = table(FIGHT, levels={"R-168": 2, "N-FIN-8": 1, "N-LIT-1": 1})
    assert told(e.Disorganised("R-168", 2), position) == (
        "CLXVIII Brigade (R-168) is disorganised and counts half (DSG1, level 2 of 3)."
    )
    game = begun(position, EndOfTurn())
    assert told(game.event(e.TurnEnded), position) == (
        "The Nationalists have 0 of 6 points at the end of turn 2; 1st Littorio Regiment "
        "(N-LIT-1), 8th Gruppo Banderas (N-FIN-8) and CLXVIII Brigade (R-168) are no longer "
        "disorganised."
    )
    slow = begun(position.but(options=position.options | {SLOW_RECOVERY}), EndOfTurn())
    assert told(slow.event(e.TurnEnded), position) == (
        "The Nationalists have 0 of 6 points at the end of turn 2; 1st Littorio Regiment (N-LIT-1) "
        "and 8th Gruppo Banderas (N-FIN-8) are no longer disorganised; CLXVIII Brigade (R-168) "
        "recovers by a level."
    )


def test_an_attack_reads_well():
    position = table(FIGHT, trenches=frozenset({"2010"})).but(
        battle=Combat("2010", ("N-LIT-1", "N-FIN-8"))
    )
    assert told(e.BattleBegan(N, "2010", ("N-LIT-1", "N-FIN-8")), position) == (
        "The Nationalists attack 2010, held by CLXVIII Brigade (R-168) and XV Corps HQ (R-HQ-XV): "
        "1st Littorio Regiment (N-LIT-1) from Soncillo (2110); 8th Gruppo Banderas "
        "(N-FIN-8) from 2011."
    )
    assert told(e.SupportGiven(R, ("R-HQ-XV",)), position) == (
        "The Republicans support the defence with XV Corps HQ (R-HQ-XV)."
    )
    assert told(e.Bombarded(N, 4, 2, 4, 1), position) == (
        "The Nationalists bombard, 4 to 2: die 4, −1 (trench) = 3, and the enemy is disorganised "
        "by 1 level."
    )
    assert told(e.Bombarded(R, 4, 2, 1, 0), position) == (
        "The Republicans bombard, 4 to 2: die 1, and nothing comes of it."
    )
    rolled = e.CombatRolled("2010", 9, 4, "2:1", 3, {"trench": -1, "concentric": 1}, "1/1", 1)
    assert told(rolled, position) == (
        "9 against 4, column 2:1, moved to the right in the first turn; die 3, −1 (trench), "
        "+1 (concentric attack) = 3: the attackers lose 1, the defenders 1."
    )
    assert told(e.CombatRolled("2010", 30, 4, "6:1", 6, {}, "B"), position) == (
        "30 against 4, column 6:1; die 6: the attackers break through."
    )
    assert told(e.MoraleRolled("2010", 3, 2, -1, "disorganised"), position) == (
        "Morale in 2010: die 3, +2 (marker of morale), −1 (troops) = 4, and the units are "
        "disorganised."
    )
    assert told(e.StackRetreated(("R-168",), "2010", "1909", True), position) == (
        "CLXVIII Brigade (R-168) is driven back from 2010 to Puerto del Escudo (1909)."
    )
    assert told(e.UnitEliminated("R-HQ-XV", "headquarters"), position) == (
        "XV Corps HQ (R-HQ-XV) is left alone, and is destroyed."
    )


def test_every_reason_for_an_end_has_its_own_words():
    whys = ("losses", "disorganised", "unsupplied", "breakthrough", "overstacked", "headquarters",
            "morale", "no retreat", "surrender")  # fmt: skip
    assert len({told(e.UnitEliminated("R-168", why)) for why in whys}) == len(whys)


def test_rain_tells_what_made_it():
    assert told(e.WeatherRolled(0, "fair")) == "Weather: fair."
    assert told(e.WeatherRolled(3, "fair")) == "The weather is rolled for: die 3, and it is fair."
    assert told(e.WeatherRolled(6, RAIN)) == (
        "The weather is rolled for: die 6, and it rains: no air unit can be used."
    )
    assert told(e.WeatherRolled(5, RAIN)) == (
        "The weather is rolled for: die 5, +1 (rain in the turn before) = 6, and it rains: no air "
        "unit can be used."
    )


def test_a_battle_is_one_passage_from_the_attack_to_its_end():
    passage, position = narration.NARRATION.passage, table(FIGHT)
    game = fighting(position, N).order(Attack("2010", {"2110": ("N-LIT-1",)}))
    begins = passage(game.events[0], game.position)
    assert (begins.beat, begins.at) == ("begins", "2010")
    game.order(Support(hq=("N-HQ-LIT",))).order(Support(hq=("R-HQ-XV",))).order(UseColumns())
    beats = []
    for _ in range(40):
        asked = kernel.waits_for(game.state)
        if game.position.battle is None:
            break
        before = kernel.submit(game.state, asked.default) if isinstance(asked, Decision) else (
            kernel.roll(game.state, RandomDice(1))
        )  # fmt: skip
        game._take(before)
        for event in game.events:
            found = passage(event, game.position)
            beats.append(found.beat if found else "")
            if isinstance(event, e.BattleEnded):
                break
    assert beats[-1] == "", "the battle is over"
    assert {*beats[:-1]} <= {"goes on", "left out"}


def test_what_comes_is_told_as_arrivals():
    passage = narration.NARRATION.passage
    assert passage(e.ColumnArrived("N-SC-5", "2110"), table()).beat == "arrives"
    assert passage(e.ColumnArrived("N-SC-1", "2110"), table(turn=0)) is None
    assert passage(e.UnitsMoved(("N-LIT-1",), ("2110",), 2, "2210"), table()) is None


def test_the_status_says_how_far_victory_is():
    lines = [*map(str, narration.NARRATION.summary(table(FIGHT, nationalist="2006", marker=1)))]
    assert lines[0] == "weather: fair"
    assert lines[1] == (
        "Nationalist victory at the end of a turn with 6 points (1 now), Republican victory after "
        "turn 7 without"
    )
    assert "Reinosa (2006) 1, Nationalist" in lines[2]
    assert "Santander (1211) 3, Republican" in lines[2]
    assert lines[4] == "marker of morale: 1 of 5"
    assert lines[5] == "supply columns on the map: Nationalist 1, Republican 0"
    demolished = [*map(str, narration.NARRATION.summary(table(factory=False)))]
    assert not any("out of supply" in str(line) for line in lines)
    cut_off = table({"2010": "R-168"}, unsupplied=frozenset({"R-168", "R-169"}))
    (told,) = [line for line in map(str, narration.NARRATION.summary(cut_off)) if "out of" in line]
    assert told == "out of supply: CLXVIII Brigade (R-168)"
    assert demolished[2] == "the factory is demolished: Reinosa (2006) gives no point"
    assert not any("victory" in str(line) for line in
                   narration.NARRATION.summary(table(result=(N, war.WON))))  # fmt: skip


def test_a_player_reads_what_they_have_and_in_which_state():
    position = table(
        {**FIGHT, "2006": "R-169"}, lost="N-FIN-8", levels={"N-FIN-8": 2},
        used=frozenset({"N-HQ-LIT", "N-AL-1", "R-HQ-XV"}), moved=frozenset({"N-SC-1"}),
        back={"N-LK-1": 4},
    )  # fmt: skip
    position = position.with_units(["N-LK-1"], OFF)
    lines = [*map(str, narration.NARRATION.own(position, N))]
    assert (
        "  2011: 8th Gruppo Banderas (N-FIN-8, reduced, DSG1) and supply column 1 (N-SC-1, moved, "
        "of no use in this turn)" in lines
    )
    assert not any("R-168" in line for line in lines)
    (able,) = [line for line in lines if line.startswith("your air units: ")]
    assert able.startswith("your air units: Legion Kondor 2 (N-LK-2), ")
    assert "(N-AL-1)" not in able and "(N-AL-2)" in able and "(N-LIT" not in able
    assert "your air units that come back: Legion Kondor 1 (N-LK-1, turn 4)" in lines
    assert lines[-1] == (
        "used in this turn already: Littorio HQ (N-HQ-LIT) and Aviazione Legionaria 1 (N-AL-1)"
    )
    nobody = [*map(str, narration.NARRATION.own(table({"2010": "R-168"}), N))]
    under = covered({"2110": "N-LIT-1"}, {"2110": "N-HQ-LIT"})
    (told,) = [each for each in map(str, narration.NARRATION.own(under, N)) if "2110" in each]
    assert told.endswith("Littorio HQ (N-HQ-LIT, covered) and 1st Littorio Regiment (N-LIT-1)")
    assert nobody and "your units:" in lines and "your units:" not in nobody, "before the set-up"


@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_game_is_told_by_the_catalogue(seed):
    """From set-up to the end, with all options of play."""
    its, rng, dice = system(), random.Random(seed), RandomDice(seed)
    offered = [option.id for option in its.options()]
    options = frozenset(offered if seed == 2 else ["open_units"])
    state = kernel.begin(its.setup("santander", options)).state
    faults: set[str] = set()
    for _ in range(700):
        asked = kernel.waits_for(state)
        if asked is None:
            break
        if isinstance(asked, Decision):
            order = next(legal_samples(state, rng, 20)) if rng.random() < 0.7 else asked.default
            step = kernel.submit(state, order)
        else:
            step = kernel.roll(state, dice)
            faults |= {fault for draw in asked.draws for fault in unmarked(draw.purpose, "ctv")}
        state = step.state
        for event, position in zip(step.events, step.positions, strict=True):
            message = TELL(event, position)
            if message is not None:
                faults |= {*unmarked(message, "ctv")}
        if rng.random() < 0.05:
            for said in (*narration.NARRATION.summary(state.position),
                         *narration.NARRATION.own(state.position, rng.choice([N, R]))):  # fmt: skip
                faults |= {*unmarked(said, "ctv")}
    assert state.position.turn > 1
    assert sorted(faults) == []


def test_the_column_of_the_turn_arrives():
    game = begun(table({"2110": "N-HQ-LIT"}), Marching(N))
    assert told(e.ColumnArrived("N-SC-5", "2110"), game.position) == (
        "Supply column 5 (N-SC-5) arrives in Soncillo (2110)."
    )


@pytest.mark.parametrize(
    ("under", "said"),
    [
        ("N-CEL", "A covered counter is"),
        ("N-CEL N-ARD", "A covered counter and another covered counter are"),
        ("N-CEL N-ARD N-LIT-2", "A covered counter and 2 others that are covered are"),
    ],
)
def test_covered_counters_are_counted_where_there_are_many(under, said):
    position = covered({"2110": "N-LIT-1"}, {"2110": under})
    tags = tuple(tag_of(position, unit) for unit in under.split())
    told_to_all = TELL(e.UnitsPlaced(tags, "2110"), position, R)
    assert sentence(told_to_all) == f"{said} set up in Soncillo (2110)."
    to_owner = sentence(TELL(e.UnitsPlaced(tags, "2110"), position, N))
    assert "overed" not in to_owner and all(f"({unit})" in to_owner for unit in under.split())


def test_a_counter_is_seen_where_it_lies_and_its_set_up_is_told_once():
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-CEL"})
    seen = e.CounterShown(N, tag_of(position, "N-CEL"), "N-CEL")
    line = sentence(TELL(seen, seen.apply(position), R))
    assert line == "Raggruppamento Celere (N-CEL) is seen in Soncillo (2110)."
    aside = position.with_units([seen.slot], ASIDE)
    assert TELL(seen, seen.apply(aside), R) is None


@pytest.mark.parametrize(("viewer", "line"), [
    (R, "move: {units: [N-LIT-1, covered (2)], path: [2111]}, when: {empty: [2010]}"),
    (N, "move: {units: [N-CEL, N-LIT-1, N-ARD], path: [2111]}, when: {empty: [2010]}"),
])  # fmt: skip
def test_covered_counters_of_an_order_are_counted_wherever_they_are_today(viewer, line):
    """Their present places and a number in the list of all would be another one in each mail."""
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-CEL", "2207": "N-ARD"})
    units = [tag_of(position, "N-CEL"), "N-LIT-1", tag_of(position, "N-ARD")]
    order = {"move": {"units": units, "path": ["2111"]}, "when": {"empty": ["2010"]}}
    state = begun(position.veiled(viewer), Marching(N)).state
    assert said(Table(system(), {"A": N, "B": R}, state), order, viewer) == line


def test_the_way_of_each_covered_counter_is_told():
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-CEL", "2207": "N-ARD"})
    ways = {tag_of(position, "N-CEL"): ["2010"], tag_of(position, "N-ARD"): ["2010", "2009"]}
    order = {"breakthrough": {"paths": [[tag, ways[tag]] for tag in sorted(ways)]}}
    state = begun(position.veiled(R), Marching(N)).state
    line = said(Table(system(), {"A": N, "B": R}, state), order, R)
    assert line.startswith("breakthrough: {paths: {covered: [") and "covered (2): [2010" in line

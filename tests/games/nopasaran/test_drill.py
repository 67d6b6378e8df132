"""The drill of examples/nopasaran-drill: rules that no battle at the Jarama plays."""

from __future__ import annotations

import random
import shutil
from functools import cache
from pathlib import Path

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, State
from pbem.gamedata.check import check
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.data import DATA
from pbem.games.nopasaran.options import OPTIONS
from pbem.games.nopasaran.position import COMING, ELSEWHERE
from pbem.games.nopasaran.rules import (
    activation,
    air,
    combat,
    command,
    fate,
    movement,
    recon,
    stacking,
)
from pbem.games.nopasaran.rules.zones import zones
from pbem.games.nopasaran.stages.day import Assigning, Initiative
from pbem.play.systems import opened_over
from pbem.text.source import render_all
from tests.bots import RandomDice
from tests.contract.playing import Player
from tests.games.nopasaran.table import (
    Faces,
    N,
    R,
    faults,
    in_command,
    play,
    rules_broken,
    state_of,
)

FOLDER = Path(__file__).parents[3] / "examples" / "nopasaran-drill"
OPEN = frozenset({"open_units"})
EVERY = frozenset(each.id for each in OPTIONS if OPEN.isdisjoint(each.excludes))
"""The other reading of each rule that has two, with all units open."""


@cache
def system():
    return opened_over("nopasaran", FOLDER).system


def drill(stacks=None, **changes):
    """The drill as it begins, on its first day; with other stacks for some hexes."""
    position = system().setup("drill", OPEN).position
    there = {**position.stacks}
    there |= {hex: tuple(units.split()) for hex, units in (stacks or {}).items()}
    there = {hex: units for hex, units in there.items() if units}
    placed = {unit for units in there.values() for unit in units}
    away = {unit: position.away.get(unit, ELSEWHERE) for unit in position.board.units
            if unit not in placed}  # fmt: skip
    return position.but(**{"day": 1, "stacks": there, "away": away, **changes})


@pytest.mark.rule("2.4")
def test_the_drill_begins_as_its_scenario_says_with_everybody_in_command():
    assert render_all(check(FOLDER, DATA)) == ""
    position = drill()
    assert all(command.in_command(position, unit) for units in position.stacks.values()
               for unit in units)  # fmt: skip
    assert (position.control["E06"], position.control["E05"], position.control["D08"]) == (R, N, R)
    assert position.bridges == {"B-SUR": "damaged"} and position.rails == {"F04": "destroyed"}
    assert position.roads == {} and position.works == {"D07": "fortification", "F06": "position"}
    assert (position.weather, position.base, position.stacks["D02"]) == ("clear", {}, ("N-CG-CM",))
    assert {unit for unit, at in position.away.items() if at == COMING} == {"N-2/RC", "R-2/MC"}


@pytest.mark.rule("2.3", "2.4")
def test_a_battle_of_ones_own_may_have_charts_and_a_beginning_of_its_own(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "game")
    (tmp_path / "game" / "tables.yaml").write_text("steps: {road: 3}\n")
    file = tmp_path / "game" / "scenarios" / "drill.yaml"
    plain = file.read_text().replace("weather: [clear]", "weather: [overcast, rain]")
    file.write_text(plain.replace("bridges: [B-SUR]", "bridges: [B-SUR], roads: [D05]"))
    changed = opened_over("nopasaran", tmp_path / "game").system.setup("drill", OPEN).position
    for position, points in ((drill(), 1), (changed, 3)):
        unit, here, there = "N-CG-CM", "D02", "D01"
        cost = movement.step_cost(position, (unit,), unit, here, there, by_road=True)
        assert cost == points == position.board.charts["steps"]["road"]
    assert (changed.roads, changed.weather) == ({"D05": "damaged"}, "overcast")


@pytest.mark.parametrize(("seed", "options"), [(0, OPEN), (1, OPEN), (2, EVERY), (3, EVERY)])
def test_the_drill_is_played_to_its_end(seed, options):
    player, dice = Player(seed), RandomDice(random.Random(f"drill {seed}"))
    step = kernel.begin(system().setup("drill", options))
    while wanted := kernel.waits_for(step.state):
        if isinstance(wanted, Chance):
            step = kernel.roll(step.state, dice)
        else:
            step = kernel.submit(step.state, player.order(step.state, wanted))
        assert system().faults(step.state.position) == ()
    result = system().result(step.state.position)
    assert result and result.reason.endswith(("victory", "Draw"))


# ------------------------------------------------------------------- an army, its corps


@pytest.mark.rule("6.6", "6.2")
def test_an_army_is_one_more_link_of_command():
    position = drill()
    assert [*command.line(position, "R-1/MC")] == [
        "R-CG-MC", "R-CG-DR2", "R-CG-CE2", "R-CG-EC", "road"]  # fmt: skip
    cut = {"D10": "N-1/RC", "F10": "N-2/RC", "E09": "R-CG-EC R-CG-CE2", "G04": ""}
    without = drill(cut)
    assert not any(command.in_command(without, unit) for unit in position.on_map(R))
    assert activation.divisions(without, R) == ()


@pytest.mark.rule("6.6.1")
def test_a_corps_lends_its_division_to_another():
    state = State(drill(), (Assigning(R),))
    lent = play(state, o.Assign({"DR2": "CE1"})).position
    assert lent.parent("DR2") == "CE1"
    assert [*command.line(lent, "R-1/MC")] == [
        "R-CG-MC", "R-CG-DR2", "R-CG-CE1", "R-CG-EC", "road"]  # fmt: skip
    for order, rules in (
        ({"R-MB": "DR2"}, ["6.6.2"]), ({"DR1": "CE2", "DR2": "CE1"}, []),
        ({"R-MC": "CE1"}, ["6.6.2"]), ({"DR1": "EC"}, ["6.6.2"]),
        ({"R-Art/CE1": "R-MC"}, ["6.6.1"]), ({"R-Art/CE1": "R-MB"}, []),
    ):  # fmt: skip
        assert rules_broken(state, o.Assign(order)) == rules, order
    # Under one corps the divisions lend each other a brigade, and corps troops go to both.
    now = State(lent.but(day=2), (Assigning(R),))
    both = o.Assign({"R-MB": "DR2", "R-Art/CE1": "R-MC"})
    assert rules_broken(now, both) == []
    assert play(now, o.Assign({"DR2": o.OWN})).position.parent("DR2") == "CE2"
    # Once they have, the division goes back only if these do.
    later = State(play(now, both).position.but(day=3), (Assigning(R),))
    found = kernel.violations(later, o.Assign({"DR2": o.OWN}))
    assert [(each.rule, each.at, str(each.hint)) for each in found] == [
        ("6.6.1", ("to", "DR2"), "send Artillería del I Cuerpo (R-Art/CE1) back first: own"),
        ("6.6.2", ("to", "DR2"), "send Brigada Mixta B (R-MB) back first: own"),
    ]  # fmt: skip
    all_back = o.Assign(dict.fromkeys(("DR2", "R-MB", "R-Art/CE1"), o.OWN))
    assert rules_broken(later, all_back) == []


@pytest.mark.rule("6.6.6", "5.4.1.1")
def test_a_free_sheet_makes_divisions_of_the_first_morning():
    state = State(drill(), (Assigning(N),))
    sheet = {"N-RB": "N-D2", "N-1/RC": "N-RA", "N-Pz/1": "N-RB", "N-Art/CM": "N-D1-NTD"}
    written = play(state, o.Assign(sheet)).position
    assert {"N-1/RB", "N-2/RB", "N-Pz/1"} <= {*activation.of_division(written, "N-D2")}
    assert {"N-1/RC", "N-Art/CM", "N-Pz/2"} <= {*activation.of_division(written, "N-D1")}
    for sheet, rules in (
        ({"N-1/RB": "N-CM-NTC", "N-D1": "N-CM"}, []),
        *(({who: to}, ["6.6.6"]) for who, to in (
            ("N-CG-RB", "N-RA"), ("N-1/RB", "N-D1"), ("N-RB", "N-CM"), ("N-RB", "N-RA"),
            ("N-D1", "N-D2"),
        )),
    ):  # fmt: skip
        assert rules_broken(state, o.Assign(sheet)) == rules, sheet
    first = Assigning(N)._goals(drill(), "N-1/RC")
    assert first == ("N-RA", "N-RB"), "of another division: a form offers it this morning only"
    assert not Assigning(N)._goals(drill(day=2), "N-1/RC")
    theirs = State(drill(), (Assigning(R),))
    assert rules_broken(theirs, o.Assign({"R-MB": "DR2"})) == ["6.6.2"]
    later = State(written.but(day=2), (Assigning(N),))
    assert rules_broken(later, o.Assign({"N-1/RB": "N-RA"})) == ["6.6.3"]


# ------------------------------------------------------------------- Madrid, and a city


@pytest.mark.rule("8", "8.p3")
def test_madrid_holds_twenty_troop_points():
    position = drill({"D09": "R-2/MB R-1/MB", "E08": "", "E06": ""})
    assert position.troops_of(position.stacks["D08"]) == 12
    assert stacking.excess(position, "D08", ("R-1/MB", "R-2/MB")) == 0
    assert stacking.limit(position, "E06") == 10
    assert stacking.excess(position, "D08", ("R-1/MB", "R-2/MB", "R-1/MC")) == 4
    moved = play(state_of(in_command(position), R), o.Move(("R-2/MB", "R-1/MB"), ("D08",)))
    ended = play(moved.state, o.Done())
    assert ended.position.troops_of(ended.position.stacks["D08"]) == 20


@pytest.mark.rule("9.p6", "9.p2", "12.3.1.b4", "12.6.5", "12.6.3")
def test_a_city_has_no_zone_in_it_and_is_no_place_for_tanks():
    position = in_command(drill({"D07": "N-1/RA", "D05": "N-2/RA", "E05": "N-Pz/1 N-1/RB"}))
    assert {"E06", "D08"}.isdisjoint(zones(position)[N])
    assert "D07" in zones(position)[R], "a city has a zone around it"
    state = state_of(position, N)
    for hex, units in (("E06", {"E05": ("N-1/RB",)}), ("D08", {"D07": ("N-1/RA",)})):
        assert rules_broken(state, o.Attack(hex, units)) == []
        mobile = rules_broken(state, o.Attack(hex, units, "mobile"))
        assert "12.3.1.b4" in mobile and "12.3.1" in mobile
    fight = combat.Combat(N, "E06", "regular", ("N-Pz/1", "N-1/RB"),
                          {"E05": ("N-Pz/1", "N-1/RB")}, ("R-1/MB",))  # fmt: skip
    assert dict(combat.shifts(position, fight))["terrain"] == -3
    assert dict(combat.modifiers(position, fight)) == {"efficiency": -3}
    letter = in_command(position.but(options=frozenset({"attack_into_zones"})))
    assert rules_broken(state_of(letter, N), o.Attack("E06", {"E05": ("N-1/RB",)})) == ["9.p2"]


@pytest.mark.rule("7.3.4.1.b5", "16.1", "21.1.b2", "10.p5")
def test_what_a_city_hides_and_steadies():
    position = in_command(drill({"D07": "N-Pz/1", "F05": "N-2/RB"}, lost={"R-2/MA": 1}))
    for hex in ("D08", "E06"):
        assert air.scout_modifier(position, hex) == -6
        assert recon.modified(position, hex, 2) == 5
    assert fate.morale_modifier(position, "R-2/MA") == -2
    open_city = in_command(drill(dict.fromkeys(("D06", "E06", "F06"), "")))
    moved = play(state_of(open_city, N), o.Move(("N-1/RB",), ("E06",)))
    (event,) = moved.found(e.UnitsMoved)
    assert event.cost == {"N-1/RB": 4}


# ------------------------------------------------------------------- railways


@pytest.mark.rule("20.5", "20.b4", "20.3", "20.2")
def test_railway_engineers_mend_a_rail_in_a_day_that_they_do_nothing_else():
    position = drill({"F04": "N-Fer/CM N-CG-RC", "F03": "N-CG-D2"})
    state = state_of(position, N)
    assert rules_broken(state, o.Engineer("N-Zap/D1", "repair")) == ["20.4"]
    begun = play(state, o.Engineer("N-Fer/CM", "repair"))
    assert "N-Fer/CM" in begun.position.tasks
    assert rules_broken(begun.state, o.Move(("N-Fer/CM",), ("F05",))) == ["20"]
    evening = next_morning(play(begun.state, o.Done()).position)
    assert evening.day == 2 and evening.rails == {} and not evening.tasks
    idle = next_morning(play(state, o.Done()).position)
    assert idle.rails == {"F04": "destroyed"}
    # Bridges are no work of theirs, whole or broken.
    at_the_bridge = drill({"F06": "N-Fer/CM N-CG-RC"}, bridges={"B-SUR": "destroyed"})
    ((_, why),) = faults(state_of(in_command(at_the_bridge), N), o.Engineer("N-Fer/CM", "repair"))
    assert why.startswith("there is nothing to repair")


def next_morning(position):
    """The next day, when nobody does anything more today."""
    done = position.but(cycle=None, finished=frozenset({N, R}))
    step = kernel.begin(State(done, (Initiative(),)))
    while step.state.position.day == position.day:
        wanted = kernel.waits_for(step.state)
        if isinstance(wanted, Decision):
            step = kernel.submit(step.state, wanted.default)
        else:
            step = kernel.roll(step.state, Faces([1] * len(wanted.draws)))
    return step.state.position

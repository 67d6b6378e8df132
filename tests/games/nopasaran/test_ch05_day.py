"""Chapters 5 and 17.3, and the rules of the battles: mornings, activations, evenings."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import IfRolled, State
from pbem.gamedata.load import load
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.position import COMING, Combat, Mission, Task
from pbem.games.nopasaran.rules import (
    activation,
    air,
    artillery,
    assignment,
    combat,
    command,
    victory,
)
from pbem.games.nopasaran.stages.activation import Activating
from pbem.games.nopasaran.stages.day import (
    Assigning,
    Building,
    Closing,
    Dawn,
    Evening,
    Initiative,
    Interdicting,
    Planning,
    Recovering,
    RollingForInitiative,
    Scouting,
    Validating,
    restored,
)
from pbem.games.nopasaran.system import NoPasaran
from pbem.value import replace
from tests.games.nopasaran.table import (
    LARGE,
    SMALL,
    Faces,
    N,
    R,
    faults,
    in_command,
    led,
    log_of,
    play,
    rules_broken,
    start,
    state_of,
    table,
)


def run(position, *stages, dice=()):
    """What stages without questions make of a position."""
    faces = Faces(dice)
    step = kernel.begin(State(position, stages[::-1]))
    events = list(step.events)
    while step.state.agenda and not hasattr(kernel.waits_for(step.state), "default"):
        step = kernel.roll(step.state, faces)
        events += step.events
    assert not faces.left
    return step.state.position, events


# ------------------------------------------------------------------- mornings


@pytest.mark.rule("2.2", "5", "5.6.2", "5.6.5")
def test_a_day_begins_with_guns_aircraft_and_units_as_new():
    worn = start(spent={"N-Art75-I": 8}, acted=frozenset({"N-2Leg/5"}), flown=frozenset({"N-CR32"}),
                 missions={"N-CR32": Mission("int", "I09")}, finished=frozenset({N}),
                 tomorrow="overcast", interdicted={"I09": ()})  # fmt: skip
    step = kernel.begin(State(worn, (Dawn(),)))
    position = step.state.position
    assert (position.day, position.weather) == (2, "overcast")
    assert not (position.spent or position.acted or position.flown or position.missions)
    assert not (position.finished or position.interdicted)


@pytest.mark.rule("5.1", "5.2.1")
def test_the_side_that_did_not_act_last_writes_first_and_both_write_in_secret():
    for active, first in ((N, R), (R, N)):
        step = kernel.begin(State(start(day=2, active=active), (Dawn(),)))
        asked = []
        for _ in range(2):
            decision = kernel.waits_for(step.state)
            asked.append((decision.stage, decision.side, decision.secret))
            step = kernel.submit(step.state, decision.default)
        assert asked == [("assign", first, True), ("fly", first, True)]
        # In rain nobody flies, and both have written before either list is read all the same.
        rain = kernel.begin(State(start(day=2, active=active, tomorrow="rain"), (Dawn(),))).state
        for side in (first, active):
            decision = kernel.waits_for(rain)
            assert (decision.stage, decision.side, decision.secret) == ("assign", side, True)
            rain = kernel.seal(rain, 1).state
        assert kernel.waits_for(rain).tells == 2
    later = start(SMALL, "air_after_recovery", disorganised=frozenset({"R-1/23"}))
    stages = [type(stage).__name__ for stage in Dawn().run(later.but(day=0)).then]
    assert stages.index("Planning") > stages.index("IfRolled")


@pytest.mark.rule("5.1.p2", "17.3")
def test_who_comes_into_order_again():
    # A headquarters, a unit beside its own, and one that needs a die at its effectiveness.
    position = start(disorganised=frozenset({"N-CG-R5", "N-SFrn/6", "R-3/19"}))
    after, events = run(position, IfRolled(Recovering()), dice=(4,))
    assert not after.disorganised and events[0].dice == (("R-3/19", 4),)
    after, _ = run(position, IfRolled(Recovering()), dice=(5,))
    assert after.disorganised == {"R-3/19"}
    # Out of command a headquarters needs no die, and whoever is beside it does (6.3).
    both = frozenset({"N-CG-R5", "N-2Leg/5"})
    apart = table({"D12": "N-CG-R5 N-2Leg/5", "D11": "R-3/19"}, disorganised=both)
    assert not command.in_command(apart, "N-2Leg/5")
    assert run(apart, IfRolled(Recovering()), dice=(10,))[0].disorganised == {"N-2Leg/5"}
    # T40: an enemy zone adds one, and so does it to be out of command.
    in_zone = table({"D12": "R-3/19", "D11": "N-2Leg/5"}, disorganised=frozenset({"R-3/19"}))
    assert not command.in_command(in_zone, "R-3/19")
    assert run(in_zone, IfRolled(Recovering()), dice=(3,))[0].disorganised
    assert not run(in_zone, IfRolled(Recovering()), dice=(2,))[0].disorganised
    assert not run(in_command(in_zone), IfRolled(Recovering()), dice=(3,))[0].disorganised


@pytest.mark.rule("6.4")
def test_an_assignment_by_a_headquarters_out_of_command_is_void():
    position = start(assigned={"N-Zap-III": "N-R5"})
    assert run(position, Validating())[0].assigned == {"N-Zap-III": "N-R5"}
    cut = {hex: units for hex, units in position.stacks.items() if hex != "H08"}
    away = {**position.away, **dict.fromkeys(position.stacks["H08"], "elsewhere")}
    lost = position.but(
        stacks={**cut, "T20": ("N-CG-III",)},
        away={unit: at for unit, at in away.items() if unit != "N-CG-III"},
    )
    assert run(lost, Validating())[0].assigned == {}
    assert "N-III" not in activation.divisions(lost, N)
    assert "N-R5" in activation.formations(lost, N)  # it still activates its own units


@pytest.mark.rule("6.4", "6.6.1", "6.6.2", "6.6.3")
@pytest.mark.parametrize(("to", "rule"), [
    ({"N-Pont-1": "N-R9"}, None), ({"N-Zap-III": "N-R7"}, "6.6.2"), ({"N-2Alh/6": "N-R7"}, "6.6.3"),
    ({"N-R5": "N-IV"}, None), ({"N-R5": "N-R6"}, "6.6.2"), ({"N-CG-R5": "N-R6"}, "6.6"),
    ({"R-Zap-1": "N-R5"}, "6.6"), ({"N-2Alh/6": "own"}, "6.6"), ({"N-2Leg/5": "N-III"}, "6.6.3"),
    ({"N-2Alh/6": "N-R6"}, "6.6"), ({"N-R5": "N-III"}, "6.6"), ({"R-12BI": "DVA"}, "6.4"),
    ({"R-1/19": "R-18B"}, "6.4"), ({"R-1/18": "R-19B"}, "6.4"),
])  # fmt: skip
def test_what_may_be_assigned_where(to, rule):
    position = start(day=3, moved_to={"R-18B": "AGA"})  # its headquarters is still to come
    state = State(position, (Assigning(R if "R-" in f"{to}" and "N-" not in f"{to}" else N),))
    assert rules_broken(state, o.Assign(to)) == ([rule] if rule else [])


@pytest.mark.rule("6.6.2")
@pytest.mark.parametrize("to", [
    {"DRM": "N-V"}, {"DRM": "own"}, {"N-V": "N-R9", "N-Pont-1": "N-R9"}, {"DRM-NTC": "N-V"},
    {"N-V": "N-R9"}, {"N-III": "N-IV"}, {"N-V-NTD": "N-III"},
])  # fmt: skip
def test_nothing_is_assigned_to_what_stands_below_it(to):
    state = State(start(day=3, assigned={"N-Pont-2": "N-R9"}), (Assigning(N),))
    ((rule, why),) = faults(state, o.Assign(to))
    if "own" in to.values():
        assert (rule, why) == ("6.6", "DRM belongs to no other formation")
    else:
        assert rule == "6.6.2" and " cannot be assigned to " in why


@pytest.mark.rule("6.6.2", "6.6.3")
def test_what_may_not_be_assigned_at_once_may_not_be_in_two_mornings():
    for before, lent, rule in (({"N-Zap-III": "N-R5"}, "N-R5", "6.6.2"),
                               ({"N-2Leg/5": "N-R6"}, "N-R6", "6.6.3"),
                               ({"N-2Leg/5": "N-R6"}, "N-R5", "6.6.3")):  # fmt: skip
        state = State(start(day=3, assigned=before), (Assigning(N),))
        (unit,) = before
        (told,) = kernel.violations(state, o.Assign({lent: "N-II"}))
        assert (told.rule, told.at) == (rule, ("to", lent))
        assert rules_broken(state, o.Assign({lent: "N-II", unit: "own"})) == []
        # A unit that has become demoralised since bars no other assignment.
        weak = State(state.position.but(demoralised=frozenset(before)), state.agenda)
        assert rules_broken(weak, o.Assign({"N-Pont-1": "N-R9"})) == []
        # Nor does a counter of the enemy's that still lies face down.
        theirs = weak.position.but(assigned={**before, "r/1/0": "R-19B"})
        assert rules_broken(State(theirs, state.agenda), o.Assign({"N-Pont-1": "N-R9"})) == []


@pytest.mark.rule("6.6.1", "6.6.2")
def test_a_division_borrows_one_formation_of_another_division_and_one_of_its_corps():
    state = State(start(day=3), (Assigning(N),))
    both = {"N-CAB": "N-II", "N-R1": "N-II"}
    assert rules_broken(state, o.Assign(both)) == []
    (fault,) = kernel.violations(state, o.Assign({**both, "N-R5": "N-II"}))
    assert (fault.rule, str(fault.hint)) == (
        "6.6.2", "at most one of another division, and one of its corps")  # fmt: skip
    # The corps itself lends a formation and a division, each once.
    lent = state.position.but(assigned={"N-I": "N-CAB", "N-CAB": "N-II"})
    assert [*assignment.total_faults(lent, N)] == []
    again = lent.but(assigned={**lent.assigned, "N-III": "N-CAB"})
    found = [(fault.rule, str(fault.hint)) for _, fault in assignment.total_faults(again, N)]
    assert found == [("6.6.2", "one at a time")] * 2, "it lends two, and the other borrows two"
    two = state.position.but(assigned={"N-R5": "N-II", "N-R6": "N-IV"})
    (two_lent,) = [fault for _, fault in assignment.total_faults(two, N)]
    assert str(two_lent.hint) == "one at a time"
    weak = State(state.position.but(demoralised=frozenset({"N-7Leg/2"})), state.agenda)
    assert rules_broken(weak, o.Assign({"N-R2": "N-II"})) == [], "16.2: it stays with its own"


@pytest.mark.rule("6.6.2")
def test_a_division_lends_and_borrows_one_formation():
    state = State(start(day=3), (Assigning(N),))
    two = o.Assign({"N-R5": "N-IV", "N-R6": "N-II"})
    assert rules_broken(state, two) == ["6.6.2"]
    both = o.Assign({"N-R5": "N-IV", "N-R1": "N-IV"})
    assert rules_broken(state, both) == ["6.6.2"]


@pytest.mark.rule("6.6.3")
@pytest.mark.parametrize(("to", "rules"), [
    ({"R-1/17": "R-23B"}, []),  # one battalion, from one formation
    ({"R-1/17": "R-23B", "R-1/48": "R-24B"}, []),
    ({"R-1/17": "R-23B", "R-2/17": "R-24B"}, ["6.6.3"]),  # two are lent
    ({"R-1/17": "R-23B", "R-2/17": "R-23B"}, ["6.6.3"] * 2),  # and two borrowed
    ({"R-1/17": "R-23B", "R-1/48": "R-23B"}, ["6.6.3"] * 2),  # from two formations
    ({"R-Aslto": "R-23B", "R-Zap-2": "R-23B"}, []),  # four points of support troops
    ({"R-Aslto": "R-23B", "R-Zap-2": "R-23B", "R-1/17": "R-23B"}, []),
    ({"R-Aslto": "R-23B", "R-11/17": "R-23B"}, ["6.6.3"]),  # five of them
    ({"R-Aslto": "R-23B", "R-11/17": "R-24B", "R-Zap-2": "R-23B"}, []),
])  # fmt: skip
def test_what_a_formation_lends_and_borrows_in_all(to, rules):
    theirs = {"N-2Alh/6": "N-R5", "N-2Mel/6": "N-R5", "N-R5": "N-IV", "N-R6": "N-II"}
    state = State(led(start(day=3, assigned=theirs)), (Assigning(R),))
    assert rules_broken(state, o.Assign(to)) == rules


@pytest.mark.rule("6.6.3")
def test_points_lent_are_counted_after_losses_and_without_what_goes_back(monkeypatch):
    position = led(start(day=3, lost={"R-1/17": 2, "R-2/17": 2, "R-1/48": 1}))
    state = State(position, (Assigning(R),))
    assert rules_broken(state, o.Assign({"R-1/17": "R-23B", "R-2/17": "R-23B"})) == []
    two = faults(state, o.Assign({"R-1/17": "R-23B", "R-1/48": "R-23B"}))
    assert [(rule, why.endswith("borrows from two formations")) for rule, why in two] == [
        ("6.6.3", True)]  # fmt: skip
    order = o.Assign({"R-1/17": "R-23B", "R-1/48": "R-23B", "R-1/66": "R-24B"})
    assert [fault.at for fault in Assigning(R).check(position, order)] == [("to", "R-1/48")]
    lent = State(position.but(lost={}, assigned={"R-1/17": "R-23B"}), (Assigning(R),))
    assert rules_broken(lent, o.Assign({"R-1/17": "own", "R-2/17": "R-23B"})) == []
    assert rules_broken(lent, o.Assign({"R-2/17": "R-23B"})) == ["6.6.3"] * 2
    for own in ("own", "R-17B"):
        back = kernel.submit(lent, o.Assign({"R-1/17": own})).state.position
        assert back.commander("R-1/17") == "R-17B" and not back.assigned
    # One battalion counts as such whatever it has; others by their points.
    for unit, rules in (("R-1/17", []), ("R-Aslto", []), ("R-11/17", ["6.6.3"])):
        strong = replace(position.printed(unit), troops=5)
        monkeypatch.setitem(position.board.units, unit, strong)
        whole = State(position.but(lost={}), (Assigning(R),))
        assert rules_broken(whole, o.Assign({unit: "R-23B"})) == rules, unit
    dead = e.TroopsLost("R-1/66", 4).apply(position)
    assert rules_broken(State(dead, (Assigning(R),)), o.Assign({"R-1/66": "R-23B"})) == ["6.6"]


@pytest.mark.rule("6.4", "6.6.2")
def test_a_formation_is_lent_by_the_division_it_belongs_to_now():
    position = led(start(day=6, assigned={"N-R5": "N-IV", "R-19B": "AGC"}))
    areas = dict.fromkeys(position.board.formations, frozenset(position.ground.hexes))
    for cut, void in (("N-III", ("N-R5",)), ("N-IV", ("N-R5",)), ("N-II", ()), ("N-R5", ()),
                      ("AGA", ("R-19B",)), ("AGC", ("R-19B",))):  # fmt: skip
        lost = position.but()
        lost.__dict__["command"] = {side: {**areas, cut: frozenset()} for side in (N, R)}
        assert (*assignment.void(lost, N), *assignment.void(lost, R)) == void, cut
        gone_over = lost.but(moved_to={"R-19B": "DVD"})
        gone_over.__dict__["command"] = lost.__dict__["command"]
        assert assignment.void(gone_over, R) == (("R-19B",) if cut == "AGC" else ()), cut
    to_come = start(day=6, moved_to={"R-19B": "DVD"}, assigned={"R-19B": "AGC", "R-12BI": "DVD"})
    assert assignment.void(to_come, R) == ("R-19B", "R-12BI")  # no headquarters of it is there
    moved = position.but(moved_to={"R-19B": "DVD"}, assigned={"R-19B": "AGC", "R-12BI": "AGC"})
    lenders = [why for rule, why in faults(State(moved.but(day=4), (Assigning(R),)), o.Assign())]
    assert len(lenders) == 1 and lenders[0].endswith("borrows two formations"), "one of each"


# ------------------------------------------------------------------- the air


@pytest.mark.rule("5.2.2.cas", "5.2.1", "7.3.2", "7.3.4", "7.1")
@pytest.mark.parametrize(("missions", "rule"), [
    ({"N-Ro37": o.Flight(reco="H14"), "N-Ju52-1": o.Flight(bomb="F15")}, None),
    ({"N-He51-1": o.Flight(cas="N-CG-R5")}, None),
    ({"N-He51-1": o.Flight(cas="N-CG-III")}, "7.3.2"),
    ({"N-He51-1": o.Flight(cas="N-2Leg/5")}, "7.3.2"),
    ({"N-Ju52-1": o.Flight(int="F15")}, "7.1.b2"), ({"N-Ro37": o.Flight(bomb="F15")}, "7.1.b3"),
    ({"N-He51-1": o.Flight(bomb="F15")}, "7.1.b1"), ({"N-Ju52-1": o.Flight()}, "5.2.1"),
    ({"R-R5": o.Flight(reco="H14")}, "5.2.1"),
    ({"N-Ro37": o.Flight(reco="H14"), "N-He70": o.Flight(reco="H14")}, "7.3.4"),
])  # fmt: skip
def test_what_may_be_flown(missions, rule):
    state = State(start(), (Planning(N),))
    assert rules_broken(state, o.Fly(missions)) == ([rule] if rule else [])


@pytest.mark.rule("7.1.b1", "7.1.b2", "7.1.b3")
def test_a_factor_of_one_is_enough_for_a_mission():
    printed = start().board.air["N-He51-1"]
    for mission, factor in (("int", "interdiction"), ("cas", "support"), ("bomb", "bombs")):
        for points in (0, 1):
            assert air.can_fly(replace(printed, **{factor: points}), mission) is (points > 0)


@pytest.mark.rule("5.2.2", "5.2.2.reco", "7.3.4", "7.3.4.1.b2")
def test_one_die_tells_of_seven_hexes():
    position = start(missions={"N-Ro37": Mission("reco", "G13")})
    after, events = run(position, IfRolled(Scouting()), dice=(8,))
    assert dict(events[0].levels) == {"G13": "half", "H12": "half"}
    assert after.flown == {"N-Ro37"}
    assert air.flight(position, N, "G13")[0] in ("K01", "P01", "T04")
    assert len(air.flight(position, N, "G13")) == position.ground.distance("K01", "G13") + 1
    for target, entry in (("T06", "T04"), ("P03", "P01"), ("K02", "K01")):
        assert air.flight(position, N, target)[0] == entry, "the nearest"
    city = position.ground.kinds["city"]
    assert city.air == -6


@pytest.mark.rule("5.2.2.int", "7.4")
def test_aircraft_on_interdiction_fly_under_fire():
    position = table({"F17": "R-76AA R-1/19"}, missions={"N-He51-1": Mission("int", "F16")})
    # The antiaircraft battery beside the target fires, the infantry under its own hex only.
    assert air.fire_against(position, N, air.flight(position, N, "F16")) == 5
    after, events = run(position, IfRolled(Interdicting()), dice=(9,))
    assert [type(event).__name__ for event in events] == ["FiredAt", "HexInterdicted"]
    assert [each.factor for each in after.interdicted["F16"]] == [1]
    after, _ = run(position, IfRolled(Interdicting()), dice=(10,))
    assert [each.factor for each in after.interdicted["F16"]] == [1]
    strong = table({"F17": "R-76AA", "F15": "N-88"}, missions={"R-SB-1": Mission("bomb", "F15")})
    assert not air.is_fired_at(strong, "bomb")
    assert air.is_fired_at(start(SMALL, "fire_at_all_missions"), "bomb")


@pytest.mark.rule("7.3.2", "12.4.p4", "5.5.p5", "12.1.b3")
def test_close_support_lies_with_the_headquarters_of_those_who_fight():
    position = in_command(table({"H10": "N-CG-R5", "G12": "N-2Leg/5 N-2Alh/6", "H09": "N-CG-R6"},
                                missions={"N-He51-1": Mission("cas", "N-CG-R5")}))  # fmt: skip
    assert artillery.attack_air(position, ("N-2Leg/5",)) == ("N-He51-1",)
    assert artillery.attack_air(position, ("N-2Alh/6",)) == ()
    fight = Combat(N, "G13", "regular", ("N-2Leg/5",), {}, ())
    for weather, left, times, factor in (("clear", 4, 4, 2), ("overcast", 4, 4, 1),
                                         ("clear", 2, 4, 1), ("clear", 4, 8, 4)):  # fmt: skip
        shot = replace(fight, shares={"N-He51-1": left})
        there = position.but(weather=weather)
        assert combat.air_factor(there, shot, "N-He51-1", times) == factor, (weather, left, times)
    assert combat.air_factor(position, fight, "N-He51-1") == 2
    # For those out of command it is barred by the rule that says so.
    cut = table({**{hex: " ".join(units) for hex, units in position.stacks.items()},
                 "G13": "R-1/48"}, missions=position.missions)  # fmt: skip
    for held, rule in ((cut, "6.3"), (in_command(cut), None)):
        for unit, its in (("N-2Leg/5", rule), ("N-2Alh/6", "7.3.2")):
            attack = o.Attack("G13", {"G12": (unit,)}, support=o.Backing((), ("N-He51-1",)))
            assert rules_broken(state_of(held, N), attack) == ([its] if its else []), unit
    assert artillery.air_of(position, ("N-2Leg/5",)) == ("N-He51-1",)
    assert artillery.attack_air(position.but(flown=frozenset({"N-He51-1"})),
                                ("N-2Leg/5",)) == ()  # fmt: skip
    rain = in_command(position.but(weather="rain"))
    assert artillery.attack_air(rain, ("N-2Leg/5",)) == ()
    cut = table({"G12": "N-2Leg/5", "T20": "N-CG-R5"},
                missions={"N-He51-1": Mission("cas", "N-CG-R5")})  # fmt: skip
    assert artillery.attack_air(cut, ("N-2Leg/5",)) == artillery.air_of(cut, ("N-2Leg/5",)) == ()


# ------------------------------------------------------------------- activations


@pytest.mark.rule("J.1", "5.3.p3")
def test_the_first_activation_is_given():
    step = kernel.begin(State(start(), (Initiative(),)))
    assert kernel.waits_for(step.state).side == N
    line = "the Nationalists have the initiative without a die"
    assert log_of(step.events, step.state.position) == [f"{line} [rule J.1]"]
    later = kernel.begin(State(start(activated=frozenset({"N-R5"})), (Initiative(),)))
    assert not hasattr(kernel.waits_for(later.state), "default")  # dice
    for changes in ({"day": 2}, {"finished": frozenset({R})}, {"finished": frozenset({N})}):
        others = kernel.begin(State(start(**changes), (Initiative(),)))
        assert not any("J.1" in each for each in log_of(others.events, others.state.position)), (
            changes
        )


@pytest.mark.rule("5.4.1", "5.4.1.1", "5.4.1.2", "3.2.p3")
def test_what_can_be_activated():
    state = State(start(), (Activating(N),))
    for order in (o.Activate(division="N-III"), o.Activate(formation="N-R5"),
                  o.Activate(unit="N-Zap-III"), o.Finish()):  # fmt: skip
        assert rules_broken(state, order) == [], order
    for order in (o.Activate(), o.Activate(division="N-III", formation="N-R5"),
                  o.Activate(division="N-R5"), o.Activate(formation="R-19B"),
                  o.Activate(unit="N-2Leg/5")):  # fmt: skip
        assert rules_broken(state, order) == ["5.4.1"], order
    assert set(activation.of_formation(start(), "N-R5")) == {
        "N-CG-R5", "N-1TirIf/5", "N-ACeu/5", "N-2Leg/5"}  # fmt: skip
    division = activation.of_division(start(), "N-III")
    assert {"N-2Leg/5", "N-2Mel/6", "N-Zap-III", "N-CG-III"} <= set(division)
    assert "N-8Leg/7" not in division


@pytest.mark.rule("5.3")
def test_who_is_finished_with_an_activation_leaves_the_rest_of_the_day_to_the_enemy():
    state = kernel.begin(State(start(day=2), (Initiative(), Activating(N)))).state
    active = kernel.submit(state, o.Activate(formation="N-R5")).state
    moved = play(active, o.Move(("N-2Leg/5",), ("G10",)))
    ended = kernel.submit(moved.state, o.Finish())
    assert [type(event) for event in ended.events] == [
        e.SideFinished, e.ActivationEnded, e.InitiativeGiven]  # fmt: skip
    position = ended.state.position
    assert position.finished == {N} and position.acted == {"N-2Leg/5"} and not position.cycle
    assert kernel.waits_for(ended.state).side == R


def test_a_form_offers_that_only_when_no_formation_could_act_after_it():
    def offered(position):
        asked = kernel.waits_for(state_of(position, N, "N-CG-DRM"))
        (option,) = (each for each in asked.options if each.order is o.Finish)
        return [each.order for each in option.examples(every)]

    assert offered(start()) == []
    done = start(LARGE, "open_units", activated=frozenset(start().board.formations))
    assert offered(done) == [o.Finish()]


@pytest.mark.rule("5.4.1", "6.4")
def test_a_division_acts_by_a_headquarters_that_is_on_the_map_and_in_command():
    coming = start(day=4)
    assert "R-1/1bis" in activation.of_division(coming, "DVC") and not coming.at("R-CG-DVC")
    assert "DVC" not in activation.divisions(coming, R)
    assert "R-1bisB" in activation.formations(coming, R)
    cut = table({"A12": "R-CG-DVC"})
    cut = cut.but(away={**cut.away, "R-1/1bis": COMING})
    assert activation.of_division(cut, "DVC") and "DVC" not in activation.divisions(cut, R)
    assert "DVC" in activation.divisions(in_command(cut), R)


@pytest.mark.rule("5.4.1")
@pytest.mark.parametrize(("order", "told"), [
    (o.Activate(formation="DRM"), "has no units that could act"),
    (o.Activate(formation="N-III"), "is a division"),
    (o.Activate(division="N-R5"), "is a combat formation"),
    (o.Activate(division="N-II"), "is out of command"),
    (o.Activate(formation="N-R3"), "has been activated today"),
    (o.Activate(division="N-III-NTD"), "are support troops, each unit by itself"),
    (o.Activate(unit="N-2Leg/5"), "acts with Regimiento 5 (III Brigada) (N-R5)"),
])  # fmt: skip
def test_why_something_is_not_activated(order, told):
    """The second brigade and its third regiment have headquarters out of command."""
    position = table({"T20": "N-CG-II N-CG-R3", "G12": "N-2Leg/5"}, activated=frozenset({"N-R3"}))
    ((_, why),) = faults(State(position, (Activating(N),)), order)
    assert why.endswith(told)


@pytest.mark.rule("5.3")
def test_a_side_has_more_to_do_while_anything_of_it_could_be_activated():
    for units, done, more in (
        ("N-2Leg/5", (), True), ("N-2Leg/5", ("N-R5",), False), ("N-Art155", (), True),
        ("N-Art155", ("N-Art155",), False), ("N-2Leg/5 N-CG-III", ("N-R5", "N-CG-III"), True),
    ):  # fmt: skip
        position = in_command(table({"H10": units}, activated=frozenset(done)))
        assert activation.has_more_to_do(position, N) is more, (units, done)
        assert not activation.has_more_to_do(position.but(finished=frozenset({N})), N)


@pytest.mark.rule("5.4.1.1")
def test_a_division_that_does_nothing_when_it_is_activated_has_had_its_day():
    state = State(start(), (Activating(N),))
    idle = play(kernel.submit(state, o.Activate(division="N-III")).state, o.Done())
    again = State(idle.position, (Activating(N),))
    ((rule, message),) = faults(again, o.Activate(division="N-III"))
    assert rule == "5.4.1.1" and message.endswith("has been activated today and has done nothing")
    assert rules_broken(again, o.Activate(formation="N-R5")) == []
    active = kernel.submit(state, o.Activate(division="N-III")).state
    moved = play(active, o.Move(("N-Zap-III",), ("G11",)))
    ended = play(moved.state, o.Done())
    later = State(ended.position, (Activating(N),))
    assert rules_broken(later, o.Activate(division="N-III")) == []
    morning = State(e.DayBegan(2, "clear").apply(idle.position), (Activating(N),))
    assert rules_broken(morning, o.Activate(division="N-III")) == []


@pytest.mark.rule("5.4.1.1", "5.5", "11.1")
def test_who_fires_in_its_own_activation_has_acted_and_a_bombardment_is_an_action():
    """Guns that fire in the activation of others may still act in their own."""
    own, other, crew, tabor = "N-Art75-III", "N-Art155", "N-Ju52-1", "N-1TirIf/5"
    position = in_command(start(day=4, missions={crew: Mission("bomb", "G13")}))
    attack = o.Attack("G13", {"G12": (tabor,)}, support=o.Backing((own, other)))
    for order, dice, acted in (
        (o.Bombard("G13", (own,)), (1,), {own}), (o.Bombard("G13", (other,)), (1,), set()),
        (o.Bombard("G13", (), (crew,)), (1,), set()), (attack, (5, 5), {own, tabor}),
    ):  # fmt: skip
        state = State(position, (Activating(N),))
        active = kernel.submit(state, o.Activate(division="N-III")).state
        fired = play(active, order, *dice)
        told = "\n".join(log_of(fired.events, fired.position))
        assert (") bombards Pindoque" in told) == (order != attack), "one, and not several"
        if order != attack and acted:
            assert rules_broken(fired.state, o.Move((own,), ("I10",))) == [], "it goes on acting"
        ended = play(fired.state, o.Done()).position
        assert ended.acted == acted and not ended.idle
        assert rules_broken(State(ended, (Activating(N),)), o.Activate(division="N-III")) == []
    countered = e.Bombarded(R, "H10", "units", ("R-105V",), (), 3, "3-4", 1, "0", is_counter=True)
    assert not countered.apply(active.position).cycle.has_fired, "the enemy has fired"


@pytest.mark.rule("6.6.5.b1", "5.5.p6", "5.5")
def test_a_formation_is_activated_once_and_whoever_acted_is_finished():
    state = State(start(), (Activating(N),))
    active = kernel.submit(state, o.Activate(formation="N-R5")).state
    moved = play(active, o.Move(("N-2Leg/5",), ("G10",)))
    ended = play(moved.state, o.Done()).position
    assert ended.acted == {"N-2Leg/5"} and "N-R5" in ended.activated
    again = State(ended, (Activating(N),))
    assert rules_broken(again, o.Activate(formation="N-R5")) == ["5.5.p6"]
    units = activation.of_division(ended, "N-III")
    assert "N-2Leg/5" not in units and "N-ACeu/5" in units


@pytest.mark.rule("5.5")
def test_who_is_not_activated_does_nothing():
    state = state_of(start(), N, "N-2Leg/5")
    assert rules_broken(state, o.Move(("N-SFrn/6",), ("H09",))) == ["5.4.1"]
    done = state_of(start(acted=frozenset({"N-SFrn/6"})), N, "N-2Leg/5")
    assert rules_broken(done, o.Move(("N-SFrn/6",), ("H09",))) == ["5.5"]


# ------------------------------------------------------------------- evenings


@pytest.mark.rule("5.6", "5.6.1")
def test_works_are_built_when_nobody_acts_any_more():
    position = start(SMALL, finished=frozenset({N, R}), activated=frozenset({"N-R5"}))
    step = kernel.begin(State(position, (Initiative(),)))
    asked = kernel.waits_for(step.state)
    assert (asked.stage, asked.side) == ("works", N)
    step = kernel.submit(step.state, o.Build({"G11": "position"}))
    assert step.state.position.works["G11"] == "position"
    for day, shows in ((1, []), (2, ["ShowingAll", "ShowingAll"])):
        evening = Evening().run(position.but(day=day))
        assert evening.events == (e.SegmentBegan("evening"),)
        assert [type(stage).__name__ for stage in evening.then] == [
            "Building", "Building", *shows, "IfMixed", "IfRolled"], day  # fmt: skip
    for last, first in ((N, R), (R, N)):
        shown = Evening().run(position.but(day=2, active=last)).then[2:4]
        assert [stage.side for stage in shown] == [first, last], "whose mail it is shows first"
    assert rules_broken(State(position, (Building(N),)), o.Build({"G13": "position"})) == ["20.7"]


@pytest.mark.rule("5.6.3")
def test_nobody_is_asked_for_missions_in_rain_or_without_aircraft():
    for weather, is_asked in (("clear", True), ("overcast", True), ("rain", False)):
        assert (Planning(N).ask(start(weather=weather)) is not None) is is_asked
    grounded = start()
    grounded.__dict__["plain"] = {**grounded.plain, "air_units": ["R-I15-1"]}
    assert Planning(N).ask(grounded) is None and Planning(R).ask(grounded) is not None


@pytest.mark.rule("5.6.3")
def test_the_weather_of_tomorrow():
    for weather, die, wanted in (("clear", 6, "clear"), ("clear", 7, "overcast"),
                                 ("clear", 9, "rain"), ("rain", 6, "overcast")):  # fmt: skip
        _, events = run(start(weather=weather), IfRolled(Closing()), dice=(die,))
        (rolled,) = [each for each in events if isinstance(each, e.WeatherRolled)]
        assert rolled.weather == wanted
    _, events = run(start(day=7), IfRolled(Closing()))
    assert isinstance(events[-1], e.GameEnded)


@pytest.mark.rule("5.6.6")
def test_the_points_of_a_battle():
    position = start()
    assert victory.points(position) == {N: 0, R: 10}  # nobody is across the river
    changed = position.but(
        control={**position.control, "O14": N, "E12": R}, losses={R: 9, N: 3},
        bridges={"B-PIN": "destroyed", "B-SMV": "damaged"},
    )  # fmt: skip
    assert victory.points(changed) == {N: 5 + 2, R: 10 + 4 + 3}
    over = position.but(stacks={**position.stacks, "G20": ("N-2Leg/5",)})
    assert victory.points(in_command(over))[N] == 8
    assert victory.points(over) == {N: 0, R: 0}, "out of command it cuts no road"
    # Those who can attack cut a road in its section, and are across, even beyond the Tajuña.
    road = position.ground.road("Madrid to Valencia")
    inside = (road.index("C15"), road.index("H22"))
    first, last = min(inside), max(inside)
    for hex, unit, cut, clear in (
        (road[first], "N-2Leg/5", True, False), (road[last], "N-2Leg/5", True, False),
        (road[first - 1], "N-2Leg/5", False, True), (road[first], "N-CG-R5", False, True),
        (road[first], "N-AT-I", False, True), ("M20", "N-2Leg/5", False, False),
    ):  # fmt: skip
        there = in_command(position.but(stacks={hex: (unit,)}))
        assert victory.points(there) == {N: 8 * cut, R: 10 * clear}, (hex, unit)
    each = ({"side": N, "for": "losses", "each": 1, "points": 1},)
    unhurt = position.but(losses={})
    unhurt.__dict__["plain"] = {**position.plain, "points": each}
    assert victory.points(unhurt) == {N: 0, R: 0}
    levels = {n: victory.level(position.but(losses={R: 4 * n}))["title"]
              for n in (5, 6, 15, 16, 23, 24, 33, 34)}  # fmt: skip
    assert [*levels.values()] == [
        *["Republican decisive victory", "Republican victory"], *["Republican victory", "Draw"],
        *["Draw", "Nationalist victory"],
        *["Nationalist victory", "Nationalist decisive victory"],
    ]  # fmt: skip


@pytest.mark.rule("J.9")
def test_poor_supply_ends_after_a_day_without_a_fight_in_command():
    position = start(day=1)
    assert "R-23B" in restored(position)
    assert "R-23B" not in restored(position.but(fought=frozenset({"R-1/23"})))
    assert restored(start(day=0)) == ()
    # Its own battalions and its own division count, whoever they act with.
    for assigned, who, is_restored in (
        ({"R-1/23": "R-17B"}, "R-1/23", False), ({"R-1/17": "R-23B"}, "R-1/17", True),
    ):  # fmt: skip
        fought = position.but(assigned=assigned, fought=frozenset({who}))
        assert ("R-23B" in restored(fought)) is is_restored, who
    far = placed(position, ("R-CG-AGC",), "T05")
    for lent in ({}, {"R-23B": "AGA"}):
        assert "R-23B" not in restored(far.but(assigned=lent)), lent
    roads = dict.fromkeys(position.ground.on_roads, "destroyed")
    stacks = {hex: tuple(unit for unit in units if unit != "R-CG-AGC")
              for hex, units in position.stacks.items()}  # fmt: skip
    away = {**position.away, "R-CG-AGC": "elsewhere"}
    for unled in (position.but(roads=roads), position.but(stacks=stacks, away=away)):
        assert "R-23B" not in restored(unled)
    assert command.level_of(position, "R-1/23").id == "reduced"
    step = kernel.begin(State(position, (Dawn(),)))
    assert command.level_of(step.state.position, "R-1/23").id == "normal"
    line = "is in full supply from now on [rule J.9]"
    assert any(each.endswith(line) for each in log_of(step.events, step.state.position))


@pytest.mark.rule("J.5")
def test_formations_go_over_to_a_new_division_for_good():
    position = start(day=5)
    stacks = {**position.stacks, "D19": ("R-CG-DVD",)}
    away = {unit: at for unit, at in position.away.items() if unit != "R-CG-DVD"}
    state = State(position.but(stacks=stacks, away=away), (Assigning(R),))
    order = o.Assign({"R-12BI": "DVD", "R-19B": "DVD"})
    assert rules_broken(state, order) == []
    after = kernel.submit(state, order).state.position
    assert after.moved_to == {"R-12BI": "DVD", "R-19B": "DVD"} and after.parent("R-12BI") == "DVD"
    assert not assignment.for_good(start(SMALL, day=5), "R-12BI", "AGA")
    (line, _) = log_of(kernel.submit(state, order).events, after)
    assert line.endswith("(DVD) for good [rule J.5]")
    assert assignment.going_over(position, order) == {}  # its headquarters is still to come
    early = State(state.position.but(day=4), (Assigning(R),))
    assert "6.6.2" in rules_broken(early, order)
    far = o.Assign({"R-23B": "DVD"})
    assert rules_broken(state, far) == ["J.5"]
    four = dict.fromkeys(("R-12BI", "R-19B", "R-23B", "R-17B"), "DVD")
    for to, too_many in ((four, 0), ({**four, "R-48B": "DVD"}, 1)):
        told = faults(state, o.Assign(to))
        assert sum(why.endswith("go over at once") for _, why in told) == too_many
    for to, rule in (({"R-1/19": "DVD"}, "6.6.3"), ({"AGA": "DVD"}, "6.6.2"),
                     ({"R-12BI": "CEC"}, "6.6.2")):  # fmt: skip
        assert rules_broken(state, o.Assign(to)) == [rule], to


@pytest.mark.rule("J.5", "6.6.2", "6.6.3")
def test_what_goes_over_is_judged_by_its_new_division():
    position, over = led(start(day=5), "D19"), {"R-12BI": "DVD"}
    for before, to, rules in (
        ({}, {"R-Zap-1": "R-12BI"}, ["6.6.2"]),  # engineers of the division that it leaves
        ({}, {"R-1/19": "R-12BI"}, ["6.6.3"]),
        ({}, {"R-Garib/12": "R-19B"}, ["6.6.3"]),
        ({"R-Zap-1": "R-12BI"}, {}, ["6.6.2"]),  # of before
        ({"R-1/19": "R-12BI"}, {}, ["6.6.3"]),
        ({"R-Garib/12": "R-19B"}, {}, ["6.6.3"]),
        ({"R-Zap-1": "R-12BI"}, {"R-Zap-1": "own"}, []),
        ({}, {"R-1/19": "R-12BI", "R-19B": "DVD"}, []),  # both go
        ({"R-1/19": "R-12BI"}, {"R-19B": "DVD"}, []),
    ):
        state = State(position.but(assigned=before), (Assigning(R),))
        assert rules_broken(state, o.Assign({**to, **over})) == rules, (before, to)
    # Engineers of the new division may come to it that morning.
    chorda = o.Assign({"R-Zap-2": "R-12BI", "R-12BI": "AGC"})
    assert rules_broken(State(position, (Assigning(R),)), chorda) == []
    # It is in command of the new one, whoever it was lent to.
    near = State(led(start(day=5, assigned={"R-12BI": "AGC"}), "J15"), (Assigning(R),))
    assert rules_broken(near, o.Assign(over)) == ["J.5"]
    lent = State(near.position.but(assigned={"R-12BI": "DVD"}), near.agenda)
    assert rules_broken(lent, o.Assign({"R-12BI": "AGC"})) == []


@pytest.mark.rule("J.7")
def test_without_a_rule_for_pontoons_they_go_where_other_corps_troops_go():
    position = start(day=3)
    position.__dict__["plain"] = {**position.plain, "special": ()}
    assert rules_broken(State(position, (Assigning(N),)), o.Assign({"N-Pont-1": "N-R9"})) == []


@pytest.mark.rule("20.4")
def test_a_day_of_repair():
    tasks = {"R-Zap-1": Task("repair", "B-ARG", 4)}
    broken = table({"C15": "R-Zap-1"}, tasks=tasks, bridges={"B-ARG": "destroyed"})
    once, _ = run(broken, Dawn())
    assert once.bridges == {"B-ARG": "damaged"} and once.tasks  # T43
    twice, _ = run(once, Dawn())
    assert twice.bridges == {} and twice.tasks == {}
    rain, _ = run(broken.but(weather="rain"), Dawn())
    assert rain.bridges == broken.bridges and rain.tasks == tasks
    disturbed = broken.but(fought=frozenset({"R-Zap-1"}))
    assert run(disturbed, Dawn())[0].bridges == {"B-ARG": "destroyed"}


@pytest.mark.rule("20.4", "5.6.6", "6.3.p2")
def test_what_is_repaired_serves_from_the_next_morning():
    """Who is out of command over a broken bridge is so this evening; on the last one it counts."""
    over = {"G13": "N-ACeu/5", "G12": "N-CG-R5 N-CG-III N-Zap-III", "H10": "N-CG-DRM"}
    tasks = {"N-Zap-III": Task("repair", "B-PIN", 4)}
    broken = table(over, tasks=tasks, bridges={"B-PIN": "destroyed"})
    evening = broken.but(day=6)
    morning, told = run(evening, IfRolled(Closing()), dice=(1,))
    assert [type(event).__name__ for event in told] == [
        "CommandCounted", "WeatherRolled", "BridgeChanged", "DayBegan"]  # fmt: skip
    assert "N-ACeu/5" in told[0].units and command.in_command(morning, "N-ACeu/5")
    (*_, ended) = run(broken.but(day=7), IfRolled(Closing()))[1]
    assert ended.points == victory.points(broken) and ended.points[R] == 3


@pytest.mark.rule("20.4")
def test_two_engineers_repair_no_quicker_than_one_and_end_together():
    pair = {"N10": "N-Zap-IV", "N11": "R-Zap-1"}
    tasks = {unit: Task("repair", "B-SMV", 4) for unit in pair.values()}
    broken = table(pair, tasks=tasks, bridges={"B-SMV": "destroyed"})
    once, _ = run(broken, Dawn())
    assert once.bridges == {"B-SMV": "damaged"} and once.tasks == tasks
    twice, told = run(once, Dawn())
    assert twice.bridges == {} and twice.tasks == {}
    assert sum(isinstance(event, e.BridgeChanged) for event in told) == 1


@pytest.mark.rule("6.2.p4")
def test_an_enemy_on_the_road_to_the_rear_bars_it():
    position = table({"K03": "N-CG-DRM", "K01": "R-1/19"}, scenario=SMALL)
    assert not command.in_command(position, "N-CG-DRM")
    assert command.in_command(table({"K03": "N-CG-DRM"}, scenario=SMALL), "N-CG-DRM")


@pytest.mark.rule("5.4.1", "3.2.p3")
def test_support_troops_are_activated_once_by_themselves():
    position = start(activated=frozenset({"N-Zap-III"}))
    state = State(position, (Activating(N),))
    assert rules_broken(state, o.Activate(unit="N-Zap-III")) == ["5.5.p6"]
    assert "N-Zap-III" in activation.of_division(position, "N-III")


def test_the_dice_for_initiative_are_told_under_their_own_heading() -> None:
    rolling = RollingForInitiative()
    position = start(SMALL, segment="air")
    (nationalist, _) = rolling.chance(position).draws
    assert str(nationalist.purpose) == "initiative of the Nationalist side"
    after = e.InitiativeGiven(N).apply(position)
    system = NoPasaran(load("nopasaran").tables)
    assert [str(system.clock(each).heading) for each in (position, after)] == [
        "air phase", "initiative"
    ]  # fmt: skip


@pytest.mark.rule("5.1.p2", "17.3")
def test_who_needs_no_die_comes_into_order_though_nobody_rolls():
    position = start(disorganised=frozenset({"N-CG-R5"}))
    assert not run(position, IfRolled(Recovering()))[0].disorganised


@pytest.mark.rule("6.3.p2")
def test_days_out_of_command_count_no_more_once_a_unit_is_in_command_again():
    position = table({"H10": "N-2Leg/5"}, cut_off={"N-2Leg/5": 1})
    assert not run(in_command(position), IfRolled(Closing()), dice=(1,))[0].cut_off


@pytest.mark.rule("5.5.p6", "8.p2")
def test_an_activation_ends_when_all_hexes_that_are_too_full_are_cleared():
    full = {"C16": "R-1/19 R-2/19 R-3/19", "C19": "R-1/17 R-2/17 R-1/23"}
    ended = play(state_of(in_command(table(full)), R), o.Done())
    assert len({each.units for each in ended.found(e.UnitsDisplaced)}) == 2
    assert ended.found(e.ActivationEnded) and ended.position.cycle is None

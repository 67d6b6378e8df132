"""Chapters 8 to 21: single conditions of the rules that the worked cases do not meet."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.dice import Roll
from pbem.engine.model import State, Unfolding
from pbem.gamedata.load import load
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.advice import COUNSEL
from pbem.games.nopasaran.options import ATTACK_INTO_ZONES
from pbem.games.nopasaran.position import Combat, Mission, Task
from pbem.games.nopasaran.rules import (
    answers,
    artillery,
    combat,
    engineers,
    factors,
    fate,
    movement,
    recon,
    retreat,
    stacking,
)
from pbem.games.nopasaran.rules.ways import from_rear
from pbem.games.nopasaran.stages.combat import (
    Advancing,
    Answering,
    Defending,
    FallingBack,
    FiringAtAircraft,
    FollowingUp,
    Leading,
    Repeating,
    Retreating,
    Withdrawing,
    is_unhurt,
    real_type,
)
from pbem.games.nopasaran.tables import Tables
from pbem.value import replace
from tests.games.nopasaran.table import (
    N,
    R,
    activated,
    faults,
    in_command,
    play,
    rules_broken,
    start,
    state_of,
    table,
    tables,
)


def fight(hex, attackers, defenders, type="regular", side=N, **more):
    """A combat in progress: the attackers by their hexes."""
    units = tuple(unit for those in attackers.values() for unit in those)
    return Combat(side, hex, type, units, attackers, tuple(defenders), **more)


# ------------------------------------------------------------------- 8 to 10


@pytest.mark.rule("8.p4")
def test_no_unit_enters_a_hex_with_enemies():
    state = state_of(table({"J10": "N-2Leg/5", "J09": "R-1/19"}), N)
    assert rules_broken(state, o.Move(("N-2Leg/5",), ("J09",))) == ["8.p4"]


@pytest.mark.rule("8.p6")
def test_who_can_attack_lies_on_top():
    position = table({"J10": "N-2Leg/5 N-AT-II N-Zap-II"})
    state = state_of(position, N)
    for units, rules in ((("N-Zap-II", "N-AT-II", "N-2Leg/5"), []),
                         (("N-Zap-II", "N-2Leg/5", "N-AT-II"), []),
                         (("N-AT-II", "N-2Leg/5", "N-Zap-II"), ["8.p6"]),
                         (("N-2Leg/5", "N-AT-II", "N-Zap-II", "N-AT-II"), ["8.p6"]),
                         (("N-2Leg/5", "N-AT-II"), ["8.p6"])):  # fmt: skip
        assert rules_broken(state, o.Arrange("J10", units)) == rules
    guns = state_of(table({"J10": "N-AT-II N-Art75-II"}), N)
    assert rules_broken(guns, o.Arrange("J10", ("N-Art75-II", "N-AT-II"))) == []
    assert rules_broken(guns, o.Arrange("J11", ())) == ["8.p6"]
    order = o.Arrange("J10", ("N-AT-II", "N-2Leg/5", "N-Zap-II"))
    (fault,) = stacking.arranges_a_stack(state.agenda[-1], position, order)
    assert fault.at == ("units", 0)
    gone = play(state, o.Move(("N-2Leg/5",), ("J09",))).position
    assert gone.stacks["J10"] == ("N-Zap-II", "N-AT-II")


@pytest.mark.rule("8", "8.p2")
def test_each_side_clears_its_own_hexes():
    full = table({"J10": "N-2Leg/5 N-ACeu/5 N-Zap-II N-Zap-III", "C16": "R-1/19 R-2/19 R-3/19",
                  "C17": "R-1/17 R-2/17"})  # fmt: skip
    assert full.troops_of(full.stacks["J10"]) == 10
    assert ([*stacking.overfull(full, N)], [*stacking.overfull(full, R)]) == ([], ["C16"])


@pytest.mark.rule("10", "10.p4")
def test_a_move_costs_what_its_hexes_and_sides_cost():
    position = in_command(table({"I09": "N-2Leg/5"}))
    state = state_of(position, N)
    by_road = play(state, o.Move(("N-2Leg/5",), ("H08", "G08", "F07"))).found(e.UnitsMoved)
    assert [each.cost for each in by_road] == [{"N-2Leg/5": 3}]
    assert movement.path_cost(position, ("N-2Leg/5",), "N-2Leg/5", ("I09", "H09")) == 2 + 0
    up = movement.step_cost(position, ("N-2Leg/5",), "N-2Leg/5", "H13", "H14", by_road=True)
    assert up == 2 + 2
    far = o.Move(("N-2Leg/5",), ("I08", "I07", "I06", "J05", "J04", "J03", "K03", "K02", "K01",
                                 "L01", "M01", "N01", "O02"))  # fmt: skip
    assert rules_broken(state, far) == ["10"]
    mostly = table({"I09": "N-2Leg/5"}, "mostly_road")
    path = ("I09", "H08", "H07", "H06")
    for way in (path, path[:3]):
        assert not movement.roads_count(mostly, ("N-2Leg/5",), way), "half of it is not most of it"
    assert movement.roads_count(position, ("N-2Leg/5",), path)


@pytest.mark.rule("10")
def test_a_unit_or_a_stack_completes_its_movement_before_the_next_one():
    """Nobody steps off the road, is passed there, and steps back."""
    one, other, third = "N-2Leg/5", "N-ACeu/5", "N-2Alh/6"
    state = state_of(in_command(table({"J10": f"{one} {other}", "K10": third})), N)
    first = play(state, o.Move((one, other), ("J09",))).state
    assert rules_broken(first, o.Move((one, other), ("J08",))) == [], "it goes on"
    apart = play(first, o.Move((one,), ("J08",))).state
    assert rules_broken(apart, o.Move((one,), ("J07",))) == []
    assert rules_broken(apart, o.Move((other,), ("J08",))) == ["10"], "it has left the stack"
    passed = play(apart, o.Move((third,), ("K09",))).state
    for units, rules in (((one,), ["10"]), ((other,), ["10"]), ((third,), [])):
        here = passed.position.at(units[0])
        path = (passed.position.ground.around[here][0],)
        assert rules_broken(passed, o.Move(units, path)) == rules, units
    joined = play(state, o.Move((one,), ("J09",))).state
    both = play(joined, o.Move((other,), ("J09",))).state
    assert both.position.cycle.halted == {one}


@pytest.mark.rule("10", "12.3.1")
def test_a_mobile_attack_is_part_of_the_movement():
    position = in_command(table({"C14": "R-T26-1", "B14": "R-1/19", "C16": "N-20"}))
    order = o.Attack("C16", {"C15": ("R-T26-1",)}, "mobile")
    near = play(state_of(position, R), o.Move(("R-T26-1",), ("C15",))).state
    assert rules_broken(near, order) == []
    behind = play(near, o.Move(("R-1/19",), ("B13",))).state
    assert rules_broken(behind, order) == ["10"]
    assert rules_broken(behind, replace(order, type="regular")) == []
    # Nor does one go on behind whom others attack mobile.
    first = play(state_of(position, R), o.Move(("R-1/19",), ("B13",))).state
    came = play(first, o.Move(("R-T26-1",), ("C15",))).state
    assert rules_broken(came, o.Move(("R-1/19",), ("A13",))) == ["10"]
    marching = replace(near.position.cycle, marching=frozenset({"R-1/19"}), halted=frozenset())
    fight = Combat(R, "C16", "mobile", ("R-T26-1",), order.units, ("N-20",))
    for type, halted in (("mobile", {"R-1/19"}), ("regular", set())):
        begun = e.CombatBegan(replace(fight, type=type)).apply(near.position.but(cycle=marching))
        assert begun.cycle.halted == halted


@pytest.mark.rule("10", "21")
def test_a_look_is_part_of_the_movement():
    position = in_command(table({"H18": "R-Cab/12", "G18": "R-1/19", "I19": "N-2Leg/5",
                                 "H19": "R-T26-1", "H20": "R-T26-2 R-T26-3"}))  # fmt: skip
    look = o.Scout("R-T26-1", "I19")
    state = state_of(position, R)
    gone = play(state, o.Move(("R-1/19",), ("F18",))).state
    assert rules_broken(gone, o.Move(("R-1/19",), ("E18",))) == []
    looked = play(gone, look, 1).state
    assert rules_broken(looked, o.Move(("R-1/19",), ("E18",))) == ["10"]
    assert rules_broken(looked, look) == [], "it looks again, and goes on"
    assert play(looked, look, 1).position.cycle.marching == {"R-T26-1"}
    behind = play(looked, o.Move(("R-Cab/12",), ("H17",))).state
    assert rules_broken(behind, look) == ["10"]
    # Those who go with the scout go on with it.
    pair = ("R-T26-2", "R-T26-3")
    together = play(state, o.Move(pair, ("H19",))).state
    seen = play(together, o.Scout("R-T26-2", "I19"), 1).state
    assert seen.position.cycle.marching == {*pair} and not seen.position.cycle.halted
    assert rules_broken(seen, o.Move(pair, ("H20",))) == []


@pytest.mark.rule("10.p4")
def test_what_is_mostly_by_road_is_judged_by_all_that_a_unit_marches_in_the_activation():
    """A march of several orders costs what it costs as one, or is refused."""
    unit, other = "N-2Leg/5", "N-ACeu/5"

    def marched(*paths: tuple[str, ...], options: tuple[str, ...] = ("mostly_road",)) -> Any:
        state = state_of(in_command(table({"I09": f"{unit} {other}"}, *options)), N)
        for path in paths:
            assert rules_broken(state, o.Move((unit,), path)) == [], path
            state = play(state, o.Move((unit,), path)).state
        return state

    road, off = ("H08", "G08"), ("H09", "H08")
    for paths, spent in (
        ((road,), 2), ((road, ("G07",)), 4), ((road, ("F07", "F08", "G09")), 2 + 5),
        ((off,), 4), ((off, ("G08", "F07")), 8), ((off, ("G08", "F07"), ("E07",)), 9),
    ):  # fmt: skip
        assert marched(*paths).position.spent[unit] == spent, paths
    for paths, last in (((road,), ("G07", "H07")), ((road, ("G07",)), ("H07",))):
        state = marched(*paths)
        assert rules_broken(state, o.Move((unit,), last)) == ["10.p4"], last
        assert last not in movement.reachable(state.position, unit).values()
    always = marched(off, ("G08", "F07"), options=()).position
    assert always.spent[unit] == 4 + 2 and not always.cycle.marched
    back = marched(("H09", "I09")).position
    for units, by_road in (((other,), True), ((other, unit), False)):
        assert movement.marches_by_road(back, units, ("I09", *road)) is by_road, units


@pytest.mark.rule("16.2", "16.2.b1", "16.2.b3")
def test_demoralised_units_neither_attack_nor_go_towards_the_enemy():
    position = table({"J13": "N-2Leg/5", "J15": "R-1/19", "J14": "R-2/19"},
                     demoralised=frozenset({"N-2Leg/5"}))  # fmt: skip
    state = state_of(position, N)
    assert rules_broken(state, o.Attack("J14", {"J13": ("N-2Leg/5",)})) == ["16.2.b1"]
    assert rules_broken(state, o.Move(("N-2Leg/5",), ("K14",))) == ["16.2.b3"]
    assert rules_broken(state, o.Move(("N-2Leg/5",), ("J12",))) == []
    checked = e.MoraleChecked("N-2Leg/5", 7, 7, 6).apply(position.but(demoralised=frozenset()))
    assert checked.demoralised == {"N-2Leg/5"}
    held = e.MoraleChecked("N-2Leg/5", 6, 6, 6).apply(position.but(demoralised=frozenset()))
    assert held.demoralised == frozenset()
    steady = position.but(demoralised=frozenset(), lost={"N-2Leg/5": 2})
    limit, more = fate.morale_limit(steady, "N-2Leg/5"), fate.morale_modifier(steady, "N-2Leg/5")
    for die, breaks in ((limit - more, False), (limit - more + 1, True)):
        story = Unfolding(steady)
        fate.check_morale(story, "N-2Leg/5", die)
        assert ("N-2Leg/5" in story.position.demoralised) is breaks, die


@pytest.mark.rule("17.1", "17.1.b2", "17.1.b4", "11.1.p4", "13.1.b3", "13.1.b4")
def test_what_losses_and_disorder_leave_of_a_unit():
    position = start(disorganised=frozenset({"N-2Leg/5", "N-Art75-III"}),
                     lost={"N-ACeu/5": 2, "N-Art75-II": 2, "R-AMarty/12": 2})  # fmt: skip
    assert factors.allowance(position, "N-2Leg/5") == 2 * 3
    assert factors.effectiveness(position, "N-2Leg/5") == 7
    assert factors.fire(position, "N-Art75-III") == 2  # 3 halved
    assert factors.fire(position, "N-Art75-II") == 2
    assert factors.fire(position, "N-Art75-I") == 3
    assert factors.antiaircraft(position, "N-ACeu/5") == 1  # 1 halved, rounded up
    tanks = table({"J10": "R-T26-1"}, lost={})
    assert factors.antitank(in_command(tanks), "R-T26-1") == 4
    assert factors.antitank(tanks, "R-T26-1") == 3  # reduced supply


# ------------------------------------------------------------------- 11 artillery


@pytest.mark.rule("11.2", "11.2.b1", "11.2.b4")
def test_what_guns_may_fire_at():
    position = in_command(table({"J10": "N-Art75-II", "J11": "N-2Leg/5", "J15": "R-1/19"}))
    state = state_of(position, N)
    for order, rules in (
        (o.Bombard("J15", ("N-Art75-II",)), []),
        (o.Bombard("J14", ("N-Art75-II",)), ["11.2.b1"]),
        (o.Bombard("J15", ()), ["11.2"]),
        (o.Bombard("L10", ("N-Art75-II",), at="road"), []),
        (o.Bombard("J14", ("N-Art75-II",), at="road"), ["11.2.b4"]),
        (o.Bombard("J15", ("N-2Leg/5",)), ["11.2"]),
    ):
        assert rules_broken(state, order) == rules, order
    far = in_command(table({"J10": "N-Art75-II", "J18": "R-1/19"}))
    assert rules_broken(state_of(far, N), o.Bombard("J18", ("N-Art75-II",))) == ["11.2"]
    broken = in_command(position.but(roads={"L10": "destroyed"}))
    order = o.Bombard("L10", ("N-Art75-II",), at="road")
    assert rules_broken(state_of(broken, N), order) == ["11.5.2"]


# ------------------------------------------------------------------- 12 combat


@pytest.mark.rule("12.1", "12.1.b1")
def test_an_attack_needs_enemies_and_attackers_beside_them():
    position = in_command(table({"J13": "N-2Leg/5 N-AT-II", "J14": "R-1/19", "K10": "N-8Leg/7"}))
    state = state_of(position, N)
    for order, rules in (
        (o.Attack("J14", {"J13": ("N-2Leg/5",)}), []),
        (o.Attack("I14", {"J13": ("N-2Leg/5",)}), ["12.1"]),
        (o.Attack("J14", {}), ["12.1"]),
        (o.Attack("J14", {"J13": ("N-AT-II",)}), ["12.1"]),
        (o.Attack("J14", {"J13": ("N-8Leg/7",)}), ["12.1"]),
        (o.Attack("J14", {"K10": ("N-8Leg/7",)}), ["9.p2"]),
    ):
        assert rules_broken(state, order) == rules, order


@pytest.mark.rule("12.2.b3", "12.2.p3", "12.1.b1")
def test_cavalry_and_supply_in_a_retreat_before_combat():
    def may(defenders, attackers, **changes):
        position = table({"F17": defenders, "F16": attackers}, **changes)
        units = tuple(attackers.split())
        return combat.may_withdraw(position, fight("F17", {"F16": units}, defenders.split()))

    assert may("R-Cab/12", "N-2Alh/6") and not may("R-Cab/12", "N-2Alh/6 N-AT-III")
    assert not may("R-T26-1", "N-2Alh/6", cut_off={"R-T26-1": 2})
    position = table({"I14": "N-Cab-1", "I15": "R-1/19 R-AT-1"})
    lead = fight("I14", {"I15": ("R-1/19", "R-AT-1")}, ("N-Cab-1",), side=R)
    assert combat.may_withdraw(position, lead)  # three points of cavalry against none
    equal = table({"I14": "N-Esc-II", "I15": "R-1/19 R-AT-1"})
    assert not combat.may_withdraw(equal, replace(lead, defenders=("N-Esc-II",)))


@pytest.mark.rule("12.2.p4", "12.2.p2")
def test_who_attacks_a_hex_that_is_left_goes_in_and_may_go_on():
    position = in_command(table({"F17": "R-Cab/12", "F16": "N-2Alh/6", "F20": "R-CG-12BI"}))
    state = state_of(position, N)
    ways = retreat.withdrawals(position, "R-Cab/12")
    assert ways and all(start().ground.distance("F17", hex) for hex in ways)
    answer = o.Withdraw({"R-Cab/12": ways[sorted(ways)[0]]})
    played = play(state, o.Attack("F17", {"F16": ("N-2Alh/6",)}), answers={"withdraw": answer})
    assert played.position.at("N-2Alh/6") == "F17" and played.position.combat is None
    assert not played.position.cycle.attacked and played.rolls == []
    # Two pay what going there costs, not for each other, and nothing for what they had prepared.
    two = ("N-2Alh/6", "N-SFrn/6")
    many = in_command(table({"F17": "R-Cab/12", "F16": " ".join(two), "F20": "R-CG-12BI"}))
    gone = play(state_of(many, N), o.Attack("F17", {"F16": two}, "prepared"),
                answers={"withdraw": answer}).position  # fmt: skip
    alone = in_command(many.but(stacks={hex: many.stacks[hex] for hex in ("F16", "F20")}))
    costs = {unit: movement.path_cost(alone, two, unit, ("F16", "F17")) for unit in two}
    assert gone.units_at("F17") == two and gone.spent == costs
    half = in_command(table({"F17": "R-Cab/12 R-T26-1", "F16": "N-2Alh/6"}))
    asked = State(e.CombatBegan(fight("F17", {"F16": ("N-2Alh/6",)}, ("R-Cab/12", "R-T26-1")))
                  .apply(activated(half, N)), (Withdrawing(R, "F17"),))  # fmt: skip
    only = o.Withdraw({"R-Cab/12": ways[sorted(ways)[0]]})
    assert rules_broken(asked, only) == ["12.2.p2"]


@pytest.mark.rule("12.3.1.b3", "12.3.1.b5", "12.3.1.p4")
def test_a_mobile_attack_pays_for_the_ground_and_goes_on_unhurt():
    position = in_command(table({"C15": "R-T26-1 R-T26-2", "C16": "N-20"}))
    units = ("R-T26-1", "R-T26-2")
    assert combat.entry_cost(position, units, "R-T26-1", "C16") == 2  # not by road
    order = o.Attack("C16", {"C15": units}, "mobile")
    assert rules_broken(state_of(position, R), order) == []
    tired = in_command(position.but(spent=dict.fromkeys(units, 16)))
    assert rules_broken(state_of(tired, R), order) == ["12.3.1.b3"] * 2
    for result, wanted in (("D1", True), ("A2D1", False), ("A1D2", False), ("SR", True)):
        going = position.but(combat=fight("C16", {"C15": units}, ("N-20",), "mobile", R,
                                          result=result))  # fmt: skip
        assert is_unhurt(going) is wanted, result


@pytest.mark.rule("12.3.3.p3")
def test_a_prepared_attack_on_those_who_were_driven_there_is_regular():
    position = activated(table({"J13": "N-2Leg/5", "J14": "R-1/19"}), N)
    order = o.Attack("J14", {"J13": ("N-2Leg/5",)}, "prepared")
    assert real_type(position, order, ("R-1/19",)) == "prepared"
    for type, wanted in (("regular", "regular"), ("prepared", "prepared")):
        driven = position.but(cycle=replace(position.cycle, driven={"R-1/19": type}))
        assert real_type(driven, order, ("R-1/19",)) == wanted
        fight = Combat(N, "J14", type, ("N-2Leg/5",), order.units, ("R-1/19",))
        for before in (False, True):
            gone = e.UnitsRetreated(("R-1/19",), ("J15",), before)
            assert gone.apply(position.but(combat=fight)).cycle.driven == {"R-1/19": type}


@pytest.mark.rule("12.3.3", "21.2")
def test_who_is_driven_beside_an_enemy_prepares_no_attack_on_it():
    leg = "N-2Leg/5"
    position = in_command(table({"A01": f"N-Cab-1 {leg}", "A02": "R-Garib/12 R-Dmbrwsk/12",
                                 "C02": "R-77/12"}))  # fmt: skip
    driven = play(state_of(position, N), o.Scout("N-Cab-1", "A02"), 9, 10, 9, answers={
        "react": o.React(("R-Garib/12", "R-Dmbrwsk/12"), "R-Garib/12"),
        "retreat": o.Retreat({"N-Cab-1": ("B01",), leg: ("B01",)})})  # fmt: skip
    attack = o.Attack("C02", {"B01": (leg,)}, "prepared")
    ((rule, why),) = faults(driven.state, attack)
    assert rule == "12.3.3" and "did not begin this activation next to C02" in why
    assert rules_broken(driven.state, replace(attack, type="regular")) == []
    assert "prepared" not in _attack_types(driven.state)
    stood = in_command(table({"B01": leg, "C02": "R-77/12"}))
    assert rules_broken(state_of(stood, N), attack) == []
    assert "prepared" in _attack_types(state_of(stood, N))


def _attack_types(state):
    """The types of attack that a form offers."""
    attacks = next(each for each in kernel.waits_for(state).options if each.order is o.Attack)
    return {example.order.type for example in attacks.examples(tuple)}


@pytest.mark.rule("11.2.b2", "11.1.p3", "12.4.p3", "12.4.p5", "12.1.b5")
def test_batteries_of_the_defence_fire_at_different_hexes():
    position = in_command(table(
        {"J14": "R-1/19", "J13": "N-2Leg/5", "J15": "N-8Leg/7", "H15": "R-105V", "E18": "R-75"},
        assigned={"R-105V": "R-19B", "R-75": "R-19B"},
    ))  # fmt: skip
    going = position.but(combat=fight("J14", {"J13": ("N-2Leg/5",), "J15": ("N-8Leg/7",)},
                                      ("R-1/19",)))  # fmt: skip
    going = in_command(going)
    assert artillery.defence_guns(going, R, ("R-1/19",), ("J13", "J15")) == ("R-105V", "R-75")
    assert set(answers.spread(going, ("R-105V", "R-75")).values()) == {"J13", "J15"}
    state = State(going, (Defending(R),))
    both = o.Defend({"R-105V": "J13", "R-75": "J13"})
    assert rules_broken(state, both) == ["12.4.p5"]
    assert rules_broken(state, o.Defend({"R-105V": "J13", "R-75": "J15"})) == []
    # One that reaches both leaves to another what it alone reaches, in whatever order they are.
    far = in_command(going.but(stacks={**going.stacks, "F09": ("R-77/12",)},
                               assigned={**going.assigned, "R-77/12": "R-19B"}))  # fmt: skip
    for guns in (("R-105V", "R-77/12"), ("R-77/12", "R-105V")):
        assert {hex for hex in ("J13", "J15") if artillery.in_range(far, "R-77/12", (hex,))} == {
            "J13"}  # fmt: skip
        found = answers.spread(far, guns)
        assert found == {"R-105V": "J15", "R-77/12": "J13"} and tuple(found) == guns
    more = in_command(far.but(stacks={**far.stacks, "H14": ("R-115", "R-76AA")}))
    spread = answers.spread(more, ("R-105V", "R-75", "R-115", "R-76AA"))
    assert [*spread.values()] == ["J13", "J15", "J13", "J15"], "as few at each as can be"
    # Guns that are attacked themselves defend with their defence factor alone (11.1).
    with_guns = ("R-1/19", "R-75")
    assert artillery.defence_guns(going, R, with_guns, ("J13", "J15")) == ("R-105V",)
    other = in_command(going.but(assigned={}))
    assert artillery.defence_guns(other, R, ("R-1/19",), ("J13", "J15")) == ()
    # Of support troops that are not assigned each is a formation of its own.
    troops = in_command(table({"K13": "N-2Leg/5 N-AT-III", "K11": "N-Art75-III", "K14": "R-1/17"}))
    for assigned, wanted in (({}, ()), (dict.fromkeys(("N-AT-III", "N-Art75-III"), "N-R5"),
                                        ("N-Art75-III",))):  # fmt: skip
        now = in_command(troops.but(assigned=assigned))
        assert artillery.defence_guns(now, N, ("N-2Leg/5", "N-AT-III"), ("K14",)) == wanted
        cut = in_command(now)
        cut.__dict__["command"] = {side: dict.fromkeys(cut.board.formations, frozenset())
                                   for side in (N, R)}  # fmt: skip
        assert artillery.attack_guns(cut, N, "K14", ("N-2Leg/5",)) == wanted


@pytest.mark.rule("12.4.p3", "12.4.p4", "11.1.p3")
def test_a_headquarters_brings_no_support_to_the_defence_of_others():
    stacks = {"J14": "R-1/19 R-CG-12BI", "J13": "N-2Leg/5", "J16": "R-77/12"}
    missions = {"R-SB-1": Mission("cas", "R-CG-12BI")}
    for defender, guns, air in (("R-1/19", (), ()), ("R-Garib/12", ("R-77/12",), ("R-SB-1",))):
        there = {**stacks, "J14": f"{defender} R-CG-12BI"}
        position = table(there, missions=missions)
        going = in_command(position.but(combat=fight("J14", {"J13": ("N-2Leg/5",)}, (defender,))))
        whole = Defending(R).whole(going)
        assert (tuple(whole.guns), whole.air) == (guns, air)
        assert (Defending(R).ask(going) is not None) is bool(guns)


@pytest.mark.rule("12.5", "12.1.b7")
def test_guns_and_headquarters_do_not_lead():
    position = in_command(
        table({"J14": "R-1/19 R-Garib/12 R-CG-12BI R-75", "J13": "N-2Leg/5 N-Cab-1"})
    )
    going = in_command(position.but(combat=fight("J14", {"J13": ("N-2Leg/5",)}, ("R-1/19",))))
    assert combat.leaders(going, going.stacks["J14"]) == ("R-Garib/12", "R-1/19")
    state = State(going, (Leading(R),))
    assert rules_broken(state, o.Lead("R-75")) == ["12.5"]
    assert rules_broken(state, o.Lead("R-1/19")) == []
    assert combat.effectiveness_of(going, "") == 2
    order = o.Attack("J14", {"J13": ("N-2Leg/5",)}, primary="N-Cab-1")
    assert rules_broken(state_of(position, N), order) == ["12.5"]


@pytest.mark.rule("12.3.2")
def test_only_attackers_advance_and_only_as_many_as_there_is_room_for():
    position = in_command(table({"J13": "N-2Leg/5 N-ACeu/5", "I14": "N-8Leg/7 N-SFrn/6"}))
    attackers = {"J13": ("N-2Leg/5", "N-ACeu/5"), "I14": ("N-8Leg/7",)}
    going = position.but(combat=fight("J14", attackers, (), primary="N-2Leg/5"))
    state = State(activated(going, N), (Advancing(N),))
    assert rules_broken(state, o.Advance(("N-2Leg/5", "N-ACeu/5"))) == []
    assert rules_broken(state, o.Advance(("N-SFrn/6",))) == ["12.3.2"]
    assert rules_broken(state, o.Advance(("N-2Leg/5", "N-ACeu/5", "N-8Leg/7"))) == ["8"]


@pytest.mark.rule("12.3.3.p2", "12.3.3")
def test_with_engineers_all_advance_as_far_as_there_is_room_and_those_named_first():
    attackers = {"J13": ("N-2Leg/5", "N-ACeu/5", "N-Zap-III"), "I14": ("N-8Leg/7",)}
    stacks = {hex: " ".join(units) for hex, units in attackers.items()}
    state = state_of(in_command(table({**stacks, "J14": "R-1/48"}, lost={"R-1/48": 3})), N)
    for said, goes in (
        (o.Following(("N-8Leg/7",)), {"N-8Leg/7", "N-ACeu/5", "N-Zap-III"}),
        (o.Following(("N-8Leg/7", "N-2Leg/5")), {"N-8Leg/7", "N-2Leg/5", "N-Zap-III"}),
        (o.NONE, {"N-2Leg/5", "N-ACeu/5", "N-Zap-III"}),
    ):  # fmt: skip
        order = o.Attack("J14", attackers, "prepared", advance=said)
        told = [str(each) for each in COUNSEL.remarks(state, order)]
        assert told == [
            "engineers attack with the others, so if J14 is left all of them advance, as far as "
            "there is room, and those that `advance` names go first (12.3.3)"
        ]
        assert set(play(state, order, 10, 10).position.stacks["J14"]) == goes
    every = o.Following(tuple(unit for units in attackers.values() for unit in units))
    for order in (o.Attack("J14", attackers), o.Attack("J14", attackers, "prepared", advance=every),
                  o.Attack("J14", {"J13": ("N-2Leg/5",)}, "prepared")):  # fmt: skip
        assert not COUNSEL.remarks(state, order)


@pytest.mark.rule("12.3.3.p2")
def test_with_engineers_a_retreat_of_more_than_two_hexes_is_followed_by_one_less():
    """By results of one's own, along the way of the retreat, until an enemy is in it."""
    printed = load("nopasaran").tables
    kinds = [{**kind, "retreat": kind["retreat"] and 3}
             for kind in printed["tables"]["results"]["kinds"]]  # fmt: skip
    results = {**printed["tables"]["results"], "kinds": kinds}
    farther = Tables({**printed, "tables": {**printed["tables"], "results": results}})
    units, way = ("N-8Leg/7", "N-Zap-III"), ("J15", "J16", "J17")
    orders = [o.Attack("J14", {"J13": units}, type) for type in ("prepared", "regular")]
    for board, order, there, ends in (
        (farther, orders[0], {}, ["J15", "J15"]),
        (farther, orders[0], {"J15": "R-75"}, ["J14", "J14"]),
        (farther, orders[1], {}, ["J14", "J13"]),
        (tables(), orders[0], {}, ["J14", "J14"]),
    ):
        stacks = {"J13": " ".join(units), "J14": "R-1/19", **there}
        state = state_of(in_command(table(stacks).but(board=board)), N)
        hexes = way if board is farther else way[:2]
        played = play(state, order, 5, 9, answers={"retreat": o.Retreat({"R-1/19": hexes})})
        assert [played.position.at(unit) for unit in units] == ends
        assert all(played.position.control[hex] == N for hex in ends if hex != "J13")


@pytest.mark.rule("9.p2", "9.p6", "17.1.b3")
def test_only_those_who_attack_lend_one_another_their_zone():
    """With the option: nobody of the same hex who does not attack, and nobody of another one."""
    foot, tank, weary = "N-8Leg/7", "N-Pz-1", "N-Glca/7"
    stacks = {"D19": f"{foot} {tank} {weary}", "D18": "N-2Leg/5", "E19": "R-1/48"}
    position = table(stacks, ATTACK_INTO_ZONES, disorganised=frozenset({weary}))
    state = state_of(in_command(position), N)
    for attackers, rules in (
        ((foot,), []), ((tank,), ["9.p2"]), ((weary,), ["9.p2"]), ((tank, weary), ["9.p2"] * 2),
        ((foot, tank), []), ((foot, weary), []),
    ):  # fmt: skip
        assert rules_broken(state, o.Attack("E19", {"D19": attackers})) == rules, attackers
    both = o.Attack("E19", {"D19": (tank,), "D18": ("N-2Leg/5",)})
    assert rules_broken(state, both) == ["9.p2"]
    assert combat.able_against(state.position, N, "E19")["D19"] == (foot,)
    few = table({"D19": "N-Zap-III", "E19": "R-1/48"}, ATTACK_INTO_ZONES)
    assert rules_broken(state_of(in_command(few), N), o.Attack("E19", {"D19": ("N-Zap-III",)}))


@pytest.mark.rule("12.3.1.p3", "12.3.1.p4")
def test_only_a_mobile_attack_that_cost_nothing_is_repeated_while_points_are_left():
    units = ("R-T26-1", "R-T26-2")
    position = in_command(table({"F16": "N-2Alh/6", "F17": " ".join(units)}))
    for type, result, spent, is_asked in (
        ("mobile", "SR", 0, True), ("regular", "SR", 0, False), ("mobile", "A1D1", 0, False),
        ("mobile", "SR", 99, False),
    ):  # fmt: skip
        going = position.but(
            combat=fight("F16", {"F17": units}, ("N-2Alh/6",), type, side=R, result=result),
            spent=dict.fromkeys(units, spent),
        )
        then = FollowingUp(R).run(in_command(going)).then
        assert then == ((Answering(R), Repeating(R)) if is_asked else ())


@pytest.mark.rule("12.3.2", "12.3.3.p2", "10.p5")
def test_who_is_named_and_lost_does_not_advance_nor_who_cannot_go_there():
    foot, engineer, tank = "N-8Leg/7", "N-Zap-III", "N-Pz-1"
    for type, there, lost in (("regular", foot, engineer), ("prepared", engineer, tank)):
        attackers = {"E12": (foot, engineer) if lost == engineer else (engineer, tank)}
        named = o.Following(attackers["E12"][::-1])
        left = [unit for unit in attackers["E12"] if type == "prepared" or unit != lost]
        position = table({"E12": " ".join(left)}, ATTACK_INTO_ZONES)
        going = position.but(combat=fight("E13", attackers, (), type, plan=o.Attack(
            "E13", attackers, type, advance=named)))  # fmt: skip
        advanced = FollowingUp(N).run(in_command(going)).events
        assert [each.units for each in advanced if isinstance(each, e.UnitsAdvanced)] == [(there,)]


@pytest.mark.rule("9.p2", "12.3.2", "12.3.3")
def test_attacks_that_go_into_zones_alone_advance_wherever_the_ground_lets_them():
    """The last of a stack, which is too small for a zone, too; but no tank down a steep slope."""
    units = ("N-8Leg/7", "N-Zap-III")
    position = in_command(table({"J13": " ".join(units), "J14": "R-1/48"}, ATTACK_INTO_ZONES))
    order = o.Attack("J14", {"J13": units}, "prepared", advance=o.Following(units))
    assert play(state_of(position, N), order, 10, 10).position.stacks == {"J14": units}
    units = foot, tank = ("N-8Leg/7", "N-Pz-1")
    position = in_command(table({"E12": " ".join(units), "E13": "R-1/48"}, ATTACK_INTO_ZONES))
    order = o.Attack("E13", {"E12": units}, advance=o.Following(units))
    state = state_of(position, N)
    assert rules_broken(state, order) == ["10.p5"]
    assert rules_broken(state, replace(order, advance=o.Following((foot,)))) == []
    mobile = o.Attack("E13", {"E12": units}, "mobile")
    assert "10.p5" in rules_broken(state, mobile), "in a mobile attack it would go in"
    won = in_command(position.but(combat=fight("E13", order.units, (), primary=tank),
                                  stacks={"E12": units}))  # fmt: skip
    asked = Advancing(N).ask(won)
    assert asked is not None and asked.default == o.Advance()
    assert rules_broken(State(activated(won, N), (Advancing(N),)), o.Advance(units)) == ["10.p5"]
    offered = [example.order.units for example in asked.options[0].examples(tuple)]
    assert {unit for named in offered for unit in named} == {foot}
    lone = won.but(combat=fight("E13", {"E12": (tank,)}, (), primary=tank))
    assert Advancing(N).ask(lone) is None, "nobody could"


@pytest.mark.rule("20.b7", "20.8", "J.10")
def test_engineers_and_flak_in_a_combat():
    position = in_command(table({"G12": "N-Zap-III N-2Leg/5 N-Pont-1", "I10": "N-88"}))
    units = {"G12": ("N-2Leg/5", "N-Zap-III")}
    assert combat.engineers(position, fight("G13", units, (), "prepared")) == 1
    assert combat.engineers(position, fight("G13", units, ())) == 0
    assert combat.engineers(position, fight("G13", {"G12": ("N-2Leg/5",)}, (), "prepared")) == 0
    assert combat.antitank_of(position, ("N-88",)) == 3
    assert combat.antitank_of(in_command(table({"I10": "N-AT-I"})), ("N-AT-I",)) > 0, "no guns"
    small = in_command(table({"I10": "N-88"}, scenario="jarama_pindoque"))
    assert combat.antitank_of(small, ("N-88",)) == 0


# ------------------------------------------------------------------- 14, 15 retreats


@pytest.mark.rule("15", "14.p3", "15.A", "15.B", "15.C")
def test_a_retreat_goes_back_or_is_paid_for():
    position = in_command(table({"I15": "R-1/19", "I14": "N-2Leg/5"}))
    state = State(position.but(combat=fight("I15", {"I14": ("N-2Leg/5",)}, ("R-1/19",))),
                  (Retreating(R, ("R-1/19",), 2),))  # fmt: skip
    ways = retreat.retreats(state.position, "R-1/19", 2)
    assert ways and all(start().ground.distance("I15", way[-1]) == 2 for way in ways)
    rear = from_rear(start(), R)
    assert all(rear[way[-1]] <= rear["I15"] for way in ways)
    assert rules_broken(state, o.Retreat({"R-1/19": ways[0]})) == []
    assert rules_broken(state, o.Retreat({"R-1/19": ways[0][:1]}, {"R-1/19": 1})) == []
    assert rules_broken(state, o.Retreat({}, {"R-1/19": 2})) == []
    assert rules_broken(state, o.Retreat({"R-1/19": ways[0][:1]})) == ["14.p3"]
    assert rules_broken(state, o.Retreat({"R-1/19": ("J14", "J15")})) == ["15.B"]
    assert rules_broken(state, o.Retreat({"R-1/19": ("J15", "I16")})) == ["15.A"]
    full = dict.fromkeys((ways[0][-1],), ("R-Garib/12", "R-Dmbrwsk/12", "R-2/19"))
    crowded = in_command(state.position.but(stacks={**state.position.stacks, **full},
                         away={unit: at for unit, at in position.away.items()
                               if unit not in full[ways[0][-1]]}))  # fmt: skip
    assert ways[0] not in retreat.retreats(crowded, "R-1/19", 2)


@pytest.mark.rule("14", "15.D")
def test_a_retreat_through_enemy_zones_disorders_unless_friends_stand_there():  # T38
    hemmed = {"I15": "R-1/19", "I14": "N-2Leg/5", "G15": "N-ACeu/5", "J16": "N-SFrn/6"}

    def retreating(position):
        going = position.but(combat=fight("I15", {"I14": ("N-2Leg/5",)}, ("R-1/19",)))
        return State(in_command(going), (Retreating(R, ("R-1/19",), 2),))

    state = retreating(table(hemmed))
    ways = retreat.retreats(state.position, "R-1/19", 2)
    assert ways and all(
        any(retreat.is_feared(state.position, R, hex) for hex in way) for way in ways
    )
    gone = play(state, o.Retreat({"R-1/19": ("I16", "H16")}))
    assert gone.position.at("R-1/19") == "H16" and gone.position.disorganised == {"R-1/19"}
    paid = play(state, o.Retreat({}, {"R-1/19": 2}), 1)
    assert paid.position.troops("R-1/19") == state.position.troops("R-1/19") - 2
    assert not paid.position.disorganised
    friends = retreating(table({**hemmed, "I16": "R-2/19", "H16": "R-3/19"}))
    safe = play(friends, o.Retreat({"R-1/19": ("I16", "H16")}))
    assert safe.position.at("R-1/19") == "H16" and not safe.position.disorganised


@pytest.mark.rule("14.p4", "9.p5", "12.2.p2")
def test_those_who_retreat_together_hold_no_hex_for_one_another():
    units = ("N-Zap-III", "N-2Leg/5", "N-ACeu/5")
    position = table({"A05": " ".join(units), "B04": "R-1/19 R-2/19", "A08": "R-1/17 R-2/17",
                      "C07": "R-3/17 R-4/17"})  # fmt: skip
    going = position.but(combat=fight("A05", {"B04": ("R-1/19", "R-2/19")}, units))
    state = State(activated(in_command(going), R), (Retreating(N, units, 2),))
    one, other = ("A06", "B06"), ("B05", "B06")
    for paths in (dict.fromkeys(units, one), {**dict.fromkeys(units, one), units[0]: other},
                  {**dict.fromkeys(units, one), units[2]: other}):  # fmt: skip
        gone = play(state, o.Retreat(paths)).position
        assert gone.disorganised == {*units} == {*gone.stacks["B06"]}
    horse = in_command(table({"A02": "N-Cab-1 N-Cab-2", "A01": "R-1/19", "B03": "R-1/17 R-2/17"}))
    out = play(state_of(horse, R), o.Attack("A02", {"A01": ("R-1/19",)}), answers={
        "withdraw": o.Withdraw(dict.fromkeys(("N-Cab-1", "N-Cab-2"), ("A03",)))})  # fmt: skip
    assert out.position.disorganised == {"N-Cab-1", "N-Cab-2"}


@pytest.mark.rule("14.p4")
def test_vehicles_without_supply_do_not_retreat():
    position = table({"I15": "R-T26-1 R-1/19", "I14": "N-2Leg/5"}, cut_off={"R-T26-1": 2})
    going = position.but(combat=fight("I15", {"I14": ("N-2Leg/5",)}, ("R-T26-1", "R-1/19")))
    outcome = FallingBack(R, 1).run(going)
    assert [event.units for event in outcome.events] == [("R-T26-1",)]
    supplied = position.but(cut_off={}, combat=going.combat)
    assert FallingBack(R, 1).run(supplied).events == ()
    feared = in_command(table({"I15": "R-1/19", "J15": "N-2Leg/5"}))
    assert retreat.is_feared(feared, R, "I16")
    assert not retreat.is_feared(feared, R, "I15")


# ------------------------------------------------------------------- 20, 21


@pytest.mark.rule("20")
def test_who_repairs_does_no_other_work():
    task = Task("repair", "B-PIN", 3)
    position = in_command(table({"G12": "N-Zap-III"}, bridges={"B-PIN": "damaged"},
                                tasks={"N-Zap-III": task}))  # fmt: skip
    for order in (o.Engineer("N-Zap-III", "destroy_rail"), o.Engineer("N-Zap-III", "repair")):
        ((rule, why),) = faults(state_of(position, N), order)
        assert rule == "20" and why.endswith("is repairing Puente del Pindoque")
    free = in_command(position.but(tasks={}))
    assert rules_broken(state_of(free, N), order) == []
    again = play(state_of(free, N), order).state
    assert faults(again, order) == [("20", "Sapper company, III Bda (N-Zap-III) is at work")]


@pytest.mark.rule("20.4")
def test_a_repair_is_of_what_is_named():
    broken = {"bridges": {"B-SMV": "damaged"}, "roads": {"N10": "destroyed"}}
    state = state_of(in_command(table({"N10": "N-Zap-III"}, **broken)), N)

    def repair(**named):
        return o.Engineer("N-Zap-III", "repair", **named)

    for order, at in ((repair(bridge="B-SMV"), "B-SMV"), (repair(to="N10"), "N10")):
        assert play(state, order).position.tasks["N-Zap-III"].at == at
    for order, why in (
        (repair(), "repairs one thing at a time"),
        (repair(bridge="B-SMV", to="N10"), "repairs one thing at a time"),
        (repair(bridge="B-PIN"), "Puente del Pindoque is not broken, or Sapper company"),
        (repair(to="N11"), "N11 is not broken, or Sapper company"),
    ):
        ((rule, told),) = faults(state, order)
        assert rule == "20.4" and why in told
    actions = kernel.waits_for(state).options
    offered = next(each for each in actions if each.order is o.Engineer).examples(tuple)
    assert [each.order for each in offered if each.order.task == "repair"] == [
        repair(bridge="B-SMV"), repair(to="N10")]  # fmt: skip
    road = state_of(in_command(table({"N10": "N-Zap-III"}, roads=broken["roads"])), N)
    assert play(road, repair()).position.tasks["N-Zap-III"].at == "N10"
    assert rules_broken(road, repair(bridge="B-SMV")) == ["20.4"]


@pytest.mark.rule("20.b1", "20.b2", "20.b3", "20.b5", "20", "20.2", "20.4")
def test_who_works_at_what():
    position = table({"I09": "N-Zap-II N-2Leg/5", "H09": "N-Pont-1", "G12": "N-Zap-III",
                      "N09": "N-Zap-IV", "M10": "R-1/19"})  # fmt: skip
    state = state_of(position, N)
    for order, rules in (
        (o.Engineer("N-Zap-II", "destroy_road"), []),
        (o.Engineer("N-2Leg/5", "destroy_road"), ["20"]),
        (o.Engineer("N-Pont-1", "destroy_road"), ["20"]),
        (o.Engineer("N-Zap-II", "bridge", to="I10"), ["20.b5"]),
        (o.Engineer("N-Zap-II", "destroy_rail"), ["20.2"]),
        (o.Engineer("N-Zap-IV", "destroy_road"), ["20.2"]),
        (o.Engineer("N-Zap-II", "repair"), ["20.4"]),
        (o.Engineer("N-Zap-III", "blow", bridge="B-SMV"), ["20.1"]),
        (o.Engineer("N-Pont-1", "bridge", to="G09"), ["20.6"]),
    ):
        assert rules_broken(state, order) == rules, order
    done = play(state, o.Engineer("N-Zap-II", "destroy_road"))
    assert done.position.roads == {"I09": "destroyed"}
    assert rules_broken(done.state, o.Move(("N-Zap-II",), ("H08",))) == ["20"]
    broken = state_of(position.but(roads={"I09": "destroyed"}), N)
    begun = play(broken, o.Engineer("N-Zap-II", "repair")).position
    assert begun.tasks == {"N-Zap-II": Task("repair", "I09", 4)}
    assert engineers.works_on(begun, "N-Zap-II")


@pytest.mark.rule("20.3", "20.4")
def test_rails_are_cut_and_roads_mended_on_the_way():
    position = in_command(table({"H09": "N-2Leg/5", "J09": "N-Zap-II", "I10": "N-AT-II"},
                                roads={"J10": "damaged"}))  # fmt: skip
    state = state_of(position, N)
    cut = play(state, o.Move(("N-2Leg/5",), ("H10", "H11"), {"H11": "destroyed"}))
    assert cut.position.rails == {"H11": "destroyed"}
    (moved,) = cut.found(e.UnitsMoved)
    assert moved.cost["N-2Leg/5"] == 2 + 4 + 4
    assert rules_broken(state, o.Move(("N-AT-II",), ("J10",), {"J10": "damaged"})) == ["20.3"]
    assert rules_broken(state, o.Move(("N-2Leg/5",), ("H10",), {"H10": "damaged"})) == ["20.3"]
    mend = play(state, o.Move(("N-Zap-II",), ("J10",), repair=("J10",)))
    assert mend.position.roads == {}
    assert rules_broken(state, o.Move(("N-AT-II",), ("J10",), repair=("J10",))) == ["20.4"]


@pytest.mark.rule("20", "20.2", "20.4")
def test_a_road_that_was_mended_on_a_move_may_be_destroyed_behind_it():
    """One action at a time is one after another; whoever has destroyed something does no more."""
    position = in_command(table({"J09": "N-Zap-II"}, roads={"J10": "damaged"}))
    mended = play(state_of(position, N), o.Move(("N-Zap-II",), ("J10",), repair=("J10",)))
    assert mended.position.roads == {}
    destroyed = play(mended.state, o.Engineer("N-Zap-II", "destroy_road"))
    assert destroyed.position.roads == {"J10": "destroyed"}
    assert rules_broken(destroyed.state, o.Move(("N-Zap-II",), ("J09",))) == ["20"]


@pytest.mark.rule("21.p5", "21.1.b2")
def test_what_cannot_be_looked_into():
    position = in_command(table({"H13": "R-T26-1 R-Cab/12", "H14": "N-2Leg/5", "I12": "N-SFrn/6",
                                 "I13": "R-T26-2"}))  # fmt: skip
    state = state_of(position, R)
    assert rules_broken(state, o.Scout("R-T26-1", "H14")) == ["21.p5"]
    assert rules_broken(state, o.Scout("R-Cab/12", "H14")) == []
    assert rules_broken(state, o.Scout("R-Cab/12", "G13")) == ["21"]
    assert recon.modified(position, "I11", 3) == 5


@pytest.mark.rule("16", "17.2")
def test_a_headquarters_left_alone_in_its_hex_goes_back():
    position = in_command(table({"I15": "R-1/19 R-CG-19B", "I14": "N-2Leg/5"},
                                lost={"R-1/19": 3}))  # fmt: skip
    story = Unfolding(position)
    story.happen(e.TroopsLost("R-1/19", 1))
    fate.leave_headquarters_alone(story, "I15")
    assert story.position.at("R-CG-19B") != "I15"
    assert story.position.disorganised == {"R-CG-19B"}


@pytest.mark.rule("12.1.b6")
def test_the_aircraft_of_the_attacker_are_fired_at_first():
    position = in_command(table(
        {"F17": "R-76AA R-1/19", "F16": "N-2Leg/5 N-88", "H10": "N-CG-R5",
         "C16": "R-CG-19B"},
        missions={"N-He51-1": Mission("cas", "N-CG-R5"), "R-I16": Mission("cas", "R-CG-19B")},
    ))  # fmt: skip
    going = in_command(
        position.but(
            combat=fight(
                "F17",
                {"F16": ("N-2Leg/5",)},
                ("R-1/19",),
                air=("N-He51-1",),
                defence_air=("R-I16",),
            )
        )
    )
    draws = [draw.label for draw in FiringAtAircraft().chance(going).draws]
    assert draws == ["antiaircraft/#/N-He51-1", "antiaircraft/#/R-I16"]
    story = FiringAtAircraft().resolve(going, {
        label: Roll(label, "", 10) for label in draws
    })  # fmt: skip
    assert [event.unit for event in story.events if isinstance(event, e.FiredAt)] == [
        "N-He51-1", "R-I16"]  # fmt: skip

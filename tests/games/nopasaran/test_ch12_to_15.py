"""Chapters 12 to 15: the order of a combat, what follows an attack, and ways of retreat."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.hexsides import key_of
from pbem.engine import kernel
from pbem.engine.model import State, Unfolding
from pbem.engine.policies import answering
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.options import ATTACK_INTO_ZONES
from pbem.games.nopasaran.policies.table import TABLE
from pbem.games.nopasaran.position import ELIMINATED, ELSEWHERE, Combat, Interdiction, Mission
from pbem.games.nopasaran.rules import (
    air,
    artillery,
    combat,
    engineers,
    factors,
    fate,
    retreat,
    stacking,
    zones,
)
from pbem.games.nopasaran.rules.ways import from_rear
from pbem.games.nopasaran.stages.activation import Acting, Displacing
from pbem.games.nopasaran.stages.combat import (
    Advancing,
    Answering,
    Defending,
    Ends,
    FollowingUp,
    Meeting,
    Repeating,
    Retreating,
    Withdrawing,
)
from pbem.games.nopasaran.stages.fire import Countering
from pbem.games.nopasaran.stages.losses import CheckingMorale, LosingAtRandom
from pbem.value import replace
from tests.games.nopasaran.table import (
    SMALL,
    Faces,
    N,
    R,
    activated,
    in_command,
    log_of,
    play,
    rules_broken,
    start,
    state_of,
    table,
)


def fought_over(position, hex, attackers, side):
    """The position with an attack on a hex in progress: the attackers by their hexes."""
    units = tuple(unit for those in attackers.values() for unit in those)
    fight = Combat(side, hex, "regular", units, attackers, position.stacks[hex])
    return in_command(e.CombatBegan(fight).apply(activated(position, side)))


def attacked(position, type):
    """The position after an attack of K13 on K14 that came to nothing."""
    fight = Combat(N, "K14", type, ("N-2Leg/5",), {"K13": ("N-2Leg/5",)}, ("R-1/48",))
    began = e.CombatBegan(fight).apply(position)
    return in_command(e.CombatEnded("K14").apply(began))


@pytest.mark.rule("12.1", "12.2.p4")
def test_guns_fire_only_at_a_defender_who_stays():
    position = in_command(table({"F17": "R-Cab/12", "F16": "N-2Alh/6", "E14": "N-Art105-III",
                                 "F20": "R-CG-12BI"}))  # fmt: skip
    way = sorted(retreat.withdrawals(position, "R-Cab/12").items())[0][1]
    order = o.Attack("F17", {"F16": ("N-2Alh/6",)}, support=o.Backing(("N-Art105-III",)))
    gone = play(state_of(position, N), order, answers={"withdraw": o.Withdraw({"R-Cab/12": way})})
    assert gone.position.at("N-2Alh/6") == "F17" and not gone.position.spent.get("N-Art105-III")
    assert any("withdraws to" in line for line in log_of(gone.events, gone.position))
    stays = play(state_of(position, N), order, 5, 5)
    assert stays.position.spent["N-Art105-III"] == 4


@pytest.mark.rule("12.3.4", "5.5")
def test_an_improvised_attack_after_an_advance_ends_the_action_and_no_other_does():
    position = in_command(table({"K13": "N-2Leg/5", "K14": "R-1/48"}))
    improvised = o.Attack("K14", {"K13": ("N-2Leg/5",)}, "improvised")
    state = state_of(position, N)
    advanced = e.UnitsAdvanced(("N-2Leg/5",), ("K13",)).apply(state.position)
    after = State(in_command(advanced), state.agenda)
    assert "N-2Leg/5" in combat.able_against(after.position, N, "K14")["K13"]
    spent = State(attacked(after.position, "improvised"), state.agenda)
    assert rules_broken(spent, improvised) == ["5.5"]
    assert combat.able_against(spent.position, N, "K14") == {}
    free = State(attacked(state.position, "improvised"), state.agenda)
    for order, rules in ((o.Move(("N-2Leg/5",), ("K12",)), []),
                         (replace(improvised, type="regular"), []),
                         (replace(improvised, type="prepared"), ["12.3.4"]),
                         (improvised, ["12.3.4"])):  # fmt: skip
        assert rules_broken(free, order) == rules, order


@pytest.mark.rule("12.2.p4", "12.3.4", "5.5", "19.2")
def test_who_had_advanced_has_no_more_than_an_improvised_attack_where_the_enemy_withdraws():
    stacks = {"A03": "N-8Leg/7", "A02": "R-1/48", "B01": "R-Cab/12", "C02": "R-1/17"}
    position = in_command(table(stacks, lost={"R-1/48": 2}))
    withdraws = {"withdraw": o.Withdraw({"R-Cab/12": ("C01",)})}
    unit = ("N-8Leg/7",)
    improvised = o.Attack("B01", {"A02": unit}, "improvised")
    # Who has spent all points has nothing left; who has some attacks improvised, and that is all.
    for type, spent, rule in (("prepared", 0, "5.5"), ("regular", 0, "12.3.4"),
                              ("regular", 7, "12.3.4"), ("regular", 8, "5.5")):  # fmt: skip
        order = o.Attack("A02", {"A03": unit}, type, advance=o.Following(unit))
        before = in_command(position.but(spent={"N-8Leg/7": spent}))
        advanced = play(state_of(before, N), order, 10, 10)
        gone = play(advanced.state, improvised, answers=withdraws)
        assert gone.position.at("N-8Leg/7") == "B01"
        assert rules_broken(gone.state, o.Move(unit, ("A02",))) == ["5.5"]
        again = o.Attack("C02", {"B01": unit})
        assert rules_broken(gone.state, again) == [rule]
        last = [] if rule == "12.3.4" else ["5.5"]
        assert rules_broken(gone.state, replace(again, type="improvised")) == last
    # Who had not advanced may do all that it could: nobody has attacked.
    free = in_command(table({"A02": "N-8Leg/7 N-1Mel/7", "B01": "R-Cab/12", "C02": "R-1/17"},
                            lost={"N-8Leg/7": 2, "N-1Mel/7": 2}))  # fmt: skip
    both = ("N-8Leg/7", "N-1Mel/7")
    for type in ("regular", "improvised"):
        gone = play(state_of(free, N), o.Attack("B01", {"A02": both}, type), answers=withdraws)
        assert rules_broken(gone.state, o.Move(both, ("A02",))) == []
        assert rules_broken(gone.state, o.Attack("C02", {"B01": both}, "improvised")) == []
        assert rules_broken(gone.state, o.Consolidate(*both)) == ["19.2"] * 2
        # Without points it may still do what costs none.
        tired = in_command(free.but(spent={"N-8Leg/7": 12}))
        gone = play(state_of(tired, N), o.Attack("B01", {"A02": unit}, type), answers=withdraws)
        assert factors.left_to_spend(gone.position, "N-8Leg/7") == 0
        for again in ("regular", "improvised"):
            assert rules_broken(gone.state, o.Attack("C02", {"B01": unit}, again)) == []


# ------------------------------------------------------------------- 11


@pytest.mark.rule("11.3", "11.4")
def test_only_guns_count_where_guns_are_answered_and_aircraft_need_no_spotting():
    position = table({"K13": "R-75 R-1/19 R-2/19 R-3/19", "K09": "N-Art155"})

    def shifts(**how):
        return dict(artillery.fire_shifts(position, N, "K13", "units", **how))

    assert position.troops("R-75") == 3 < 9 < position.troops_of(position.stacks["K13"])
    assert shifts(by_guns=True) == {"troops": 2, "unspotted": -1}
    assert shifts(by_guns=True, only_guns=True) == {"unspotted": -1}
    assert shifts(by_guns=False) == {"troops": 2}


@pytest.mark.rule("11.4")
def test_who_stands_in_a_hex_spots_for_guns_as_those_next_to_it_do():
    for hex, unspotted in (("G13", False), ("G14", False), ("G15", True)):
        position = in_command(table({hex: "R-AMarty/12", "F16": "R-77/12"}))
        ledger = artillery.fire_shifts(position, R, "G13", "bridge", by_guns=True)
        assert ("unspotted" in dict(ledger)) is unspotted, hex


@pytest.mark.rule("4.1", "11.4", "11.3")
def test_what_comes_to_nothing_bombards_nobody():
    # Disorganised and out of command, a small battery has a factor of .375.
    position = table({"F15": "N-2Alh/6 N-2Mel/6 N-2Leg/5", "F16": "R-77/12 R-1/19", "F17": "R-75"},
                     disorganised=frozenset({"R-77/12"}))  # fmt: skip
    assert factors.fire(position, "R-77/12") == 0 < factors.fire(position, "R-75")
    state = state_of(position, R)
    (fault,) = kernel.violations(state, o.Bombard("F15", ("R-77/12",)))
    assert (fault.rule, fault.at) == ("4.1", ("guns",)) and "(R-75)" in str(fault.hint)
    assert "(R-77/12)" not in str(fault.hint)
    rain = position.but(weather="rain", missions={"R-SB-1": Mission("bomb", "F15")})
    for guns, rules in (((), ["4.1"]), (("R-75",), [])):
        order = o.Bombard("F15", guns, air=("R-SB-1",))
        assert rules_broken(state_of(rain, R), order) == rules
    assert rules_broken(state, o.Bombard("F15", ("R-77/12", "R-75"))) == []
    assert rules_broken(state, o.Bombard("F15")) == ["11.2"]
    assert artillery.fire_column(position, R, o.Bombard("F15", ("R-77/12",))) == 0
    offers = [option for option in kernel.waits_for(state).options if option.order is o.Bombard]
    (given,) = offers[0].examples(lambda things: things)
    assert given.order == o.Bombard("F15", ("R-75",))
    # So it is where guns are answered, and nobody is asked who has no others.
    guns = position.but(stacks={**position.stacks, "F15": ("N-Art75-II",)})
    for stacks, asked in ((guns.stacks, True), ({**guns.stacks, "F17": ("R-1/17",)}, False)):
        answer = State(guns.but(stacks=stacks), (Countering(R, ("F15",)),))
        assert (answer.agenda[0].ask(answer.position) is not None) is asked
        if asked:
            assert rules_broken(answer, o.Counterbattery(("R-77/12",), "F15")) == ["4.1"]
            assert rules_broken(answer, o.Counterbattery(("R-75",), "F15")) == []


# ------------------------------------------------------------------- retreats before combat


def offered(state):
    """The retreats before combat that are offered, but for staying."""
    (option,) = kernel.waits_for(state).options
    orders = [example.order for example in option.examples(lambda things: things)]
    return [order for order in orders if order.paths]


@pytest.mark.rule("12.2.p2", "15.A")
def test_a_retreat_before_combat_goes_from_hex_to_hex_with_the_whole_allowance():
    position = table({"F17": "R-Cab/12", "F16": "N-2Alh/6"}, spent={"R-Cab/12": 12})
    going = fought_over(position, "F17", {"F16": ("N-2Alh/6",)}, N)
    ways = retreat.withdrawals(going, "R-Cab/12")
    far = max(ways.values(), key=lambda way: (len(way), way))
    assert len(far) > 2 and factors.left_to_spend(going, "R-Cab/12") < 2 * len(far)
    state = State(going, (Withdrawing(R, "F17"),))
    assert rules_broken(state, o.Withdraw({"R-Cab/12": far})) == []
    for path, rule in ((far[-1:], "14"), (("F16", "F15"), "14.p5"), ((*far, far[0]), "14")):
        assert rules_broken(state, o.Withdraw({"R-Cab/12": path})) == [rule], path


@pytest.mark.rule("15.C")
def test_a_retreat_before_combat_ends_where_there_is_room():
    full = "R-Garib/12 R-Dmbrwsk/12 R-AT-1"
    position = table({"F17": "R-Cab/12 R-T26-1", "F16": "N-2Alh/6", "F18": full})
    going = fought_over(position, "F17", {"F16": ("N-2Alh/6",)}, N)
    room = 10 - going.troops_of(full.split())
    sizes = {unit: going.troops(unit) for unit in ("R-Cab/12", "R-T26-1")}
    assert max(sizes.values()) <= room < sum(sizes.values())
    state = State(going, (Withdrawing(R, "F17"),))
    both = o.Withdraw(dict.fromkeys(sizes, ("F18",)))
    assert rules_broken(state, both) == ["15.C"]
    ends = [{way[-1] for way in order.paths.values()} for order in offered(state)]
    assert ends and all(len(each) == 1 for each in ends) and {"F18"} not in ends
    crowded = going.but(stacks={**going.stacks, "F18": (*full.split(), "R-1/19")})
    assert "F18" not in retreat.withdrawals(crowded, "R-Cab/12")


@pytest.mark.rule("12.2.p2")
def test_units_for_which_no_one_hex_is_open_retreat_before_combat_apart():
    position = table({"E12": "R-T26-1 R-Cab/12", "E11": "N-2Leg/5"})
    going = fought_over(position, "E12", {"E11": ("N-2Leg/5",)}, N)
    state = State(going, (Withdrawing(R, "E12"),))
    (apart,) = offered(state)
    assert len(set(apart.paths.values())) == 2 and rules_broken(state, apart) == []
    rear = from_rear(going, R)
    for unit, path in apart.paths.items():
        open_hexes = retreat.withdrawals(going, unit)
        assert rear[path[-1]] == min(rear[hex] for hex in open_hexes)
    asked = kernel.waits_for(state)
    assert answering.answer(TABLE, state, asked, {"retreat_before_combat": "always"}) == apart
    filled = dict.fromkeys((apart.paths["R-T26-1"][-1],), ("R-Garib/12", "R-1/19", "R-1/48"))
    full = in_command(going.but(stacks={**going.stacks, **filled}))
    assert not retreat.withdrawals_apart(full, tuple(apart.paths))


@pytest.mark.rule("12.2.p2")
def test_units_that_retreat_before_combat_together_go_where_all_can_and_have_room():
    units = ("R-T26-1", "R-Cab/12")
    stacks = {"F17": " ".join(units), "F16": "N-2Alh/6"}
    for friends, is_open in (("R-1/19 R-Garib/12", True), ("R-1/19 R-Garib/12 R-Zap-1", False)):
        position = in_command(table({**stacks, "F19": friends}))
        tanks, cavalry = (retreat.withdrawals(position, unit) for unit in units)
        together = retreat.withdrawals_together(position, units)
        both = {hex: {"R-T26-1": tanks[hex], "R-Cab/12": cavalry[hex]}
                for hex in tanks.keys() & cavalry.keys()}  # fmt: skip
        assert "F19" in both and ("F19" in together) is is_open, friends
        assert together == {hex: ways for hex, ways in both.items() if hex in together}
        assert both.keys() - together.keys() <= {"F19"} and cavalry.keys() - together.keys()


@pytest.mark.rule("12.2.p2")
def test_a_retreat_before_combat_costs_what_a_move_would():
    position = table({"F17": "R-Cab/12", "F16": "N-2Alh/6"},
                     disorganised=frozenset({"R-Cab/12"}))  # fmt: skip
    going = fought_over(position, "F17", {"F16": ("N-2Alh/6",)}, N)
    fresh = in_command(going.but(disorganised=frozenset()))
    far = max(retreat.withdrawals(fresh, "R-Cab/12").values(), key=len)
    for now, rules in ((fresh, []), (going, ["12.2.p2"])):
        state = State(now, (Withdrawing(R, "F17"),))
        assert rules_broken(state, o.Withdraw({"R-Cab/12": far})) == rules


@pytest.mark.rule("12.2.p2")
@pytest.mark.parametrize(
    ("enemies", "open_to_it"),
    [("N-2Leg/5 N-AT-I", False), ("N-2Leg/5", True), ("N-AT-I", True)],
)
def test_tanks_go_to_friends_in_a_zone_if_no_antitank_guns_have_it(enemies, open_to_it):
    stacks = {"F17": "R-T26-1", "F16": "N-2Alh/6", "E18": enemies, "F18": "R-1/19"}
    ways = retreat.withdrawals(in_command(table(stacks)), "R-T26-1")
    assert ("F18" in ways) is open_to_it
    weaker = {"G10": "N-Pz-1", "G11": "R-1/19", "F10": "N-2Alh/6"}
    assert "F10" in retreat.withdrawals(in_command(table(weaker)), "N-Pz-1")


@pytest.mark.rule("12.2.p2")
def test_tanks_keep_out_of_the_zones_of_antitank_units():
    position = table({"F17": "R-T26-1", "F16": "N-2Alh/6", "E18": "N-2Leg/5 N-AT-I"})
    barred = fought_over(position, "F17", {"F16": ("N-2Alh/6",)}, N)
    without = barred.but(stacks={**barred.stacks, "E18": ("N-2Leg/5",)})
    way = ("F18",)
    for going, rules in ((barred, ["12.2.p2"]), (in_command(without), ["15.D"])):
        state = State(going, (Withdrawing(R, "F17"),))
        assert rules_broken(state, o.Withdraw({"R-T26-1": way})) == rules


@pytest.mark.rule("15.C")
def test_units_that_retreat_one_by_one_leave_each_other_room():
    # Infantry may go over the slope, guns may not: they have ways of their own to one hex.
    position = in_command(table({"I15": "R-1/19 R-2/19", "I14": "N-2Leg/5",
                                 "I16": "R-Garib/12 R-AT-1"}))  # fmt: skip
    going = position.but(combat=Combat(N, "I15", "regular", ("N-2Leg/5",), {}, ("R-1/19",)))
    state = State(in_command(going), (Retreating(R, ("R-1/19", "R-2/19"), 2),))
    by_end = {}
    for way in retreat.retreats(state.position, "R-1/19", 2):
        by_end.setdefault(way[-1], []).append(way)
    end, (one, other, *_) = next(each for each in by_end.items() if len(each[1]) > 1)
    order = o.Retreat({"R-1/19": one, "R-2/19": other})
    assert rules_broken(state, order) == []
    filled = {**state.position.stacks, end: ("R-Garib/12",)}
    crowded = in_command(state.position.but(stacks={**filled, "I16": ("R-AT-1",)}))
    assert rules_broken(State(crowded, state.agenda), order) == ["15.C"]
    default = retreat.default_retreat(crowded, ("R-1/19", "R-2/19"), 2)
    assert rules_broken(State(crowded, state.agenda), default) == []


# ------------------------------------------------------------------- 14, 15, 17


def retreating(position, hex, length, side=R):
    fight = Combat(N, hex, "regular", (), {}, position.stacks[hex])
    going = in_command(position.but(combat=fight))
    return State(going, (Retreating(side, position.stacks[hex], length),))


@pytest.mark.rule("14", "14.p5", "15.A")
def test_a_fault_of_a_retreat_is_told_of_the_units_that_have_it():
    state = retreating(
        table({"E07": "R-1/19 R-T26-1", "D07": "N-2Leg/5", "C14": "R-2/19"}), "E07", 1
    )
    both = dict.fromkeys(("R-1/19", "R-T26-1"), ("F06",))
    (fault,) = kernel.violations(state, o.Retreat(both))
    assert (fault.rule, fault.at) == ("14.p5", ("paths", "R-T26-1"))
    assert ("F06",) in retreat.retreats(state.position, "R-1/19", 1)
    assert ("F06",) not in retreat.retreats(state.position, "R-1/19", 1, tuple(both))
    for part, order in (("paths", o.Retreat({"R-2/19": ("F06",)})),
                        ("losses", o.Retreat(losses={"R-2/19": 1}))):  # fmt: skip
        told = [(each.rule, each.at) for each in kernel.violations(state, order) if each.is_key]
        assert told == [("14", (part, "R-2/19"))]


@pytest.mark.rule("14.p3", "14")
def test_who_is_eliminated_in_place_of_a_retreat_goes_nowhere_and_the_others_go():
    one, other = "R-1/19", "R-2/19"
    state = retreating(table({"I15": f"{one} {other}", "I14": "N-2Leg/5"}, lost={other: 3}),
                       "I15", 2)  # fmt: skip
    (way, *_) = retreat.retreats(state.position, one, 1, (one, other))
    order = o.Retreat({one: way, other: way}, {other: 1})
    assert rules_broken(state, order) == []
    after = play(state, order).position
    assert after.stacks[way[-1]] == (one,) and after.places[other] == ELIMINATED


@pytest.mark.rule("14.p5", "20.6")
def test_pontoons_in_place_of_a_bridge_bear_others_in_a_retreat_and_not_themselves():
    position = table({"N10": "N-Pont-1 N-Pz-1"}, bridges={"B-SMV": "destroyed"},
                     pontoons={"N-Pont-1": key_of("N10", "N11")})  # fmt: skip
    assert retreat.can_go(position, "N-Pz-1", "N10", "N11")
    assert not retreat.can_go(position, "N-Pont-1", "N10", "N11")


@pytest.mark.rule("17.2")
def test_a_headquarters_goes_one_hex_where_it_cannot_go_two():
    ground = table({"F17": "R-CG-23B"}).ground
    ring = [hex for hex in ground.within("F17", 2) if ground.distance("F17", hex) == 2]
    stacks = {"F17": ("R-CG-23B",), **{hex: (unit,) for hex, unit in
              zip(ring, sorted(start().on_map(N)), strict=False)}}  # fmt: skip
    fenced = start().but(day=4, stacks=stacks, away={
        unit: ELSEWHERE for unit in start().board.units
        if not any(unit in units for units in stacks.values())
    })  # fmt: skip
    way = retreat.headquarters_goes(fenced, "R-CG-23B")
    assert len(way) == 1 and fenced.holder(way[0]) is None
    assert len(retreat.headquarters_goes(table({"F17": "R-CG-23B"}), "R-CG-23B")) == 2


@pytest.mark.rule("14", "17.2")
def test_who_says_nothing_goes_where_the_rear_is_nearest():
    position = in_command(table({"J14": "N-CG-R7 N-2Leg/5", "N16": "R-1/19"}))
    far = from_rear(position, N)
    units = ("N-CG-R7", "N-2Leg/5")
    going = retreat.headquarters_goes(position, units[0])
    together, alone = (retreat.default_retreat(position, those, 2).paths
                       for those in (units, units[1:]))  # fmt: skip
    for unit, way in (
        (units[0], going),
        (units[1], together[units[1]]),
        (units[1], alone[units[1]]),
    ):
        ways = retreat.retreats(position, unit, 2)
        assert len({far[each[-1]] for each in ways}) > 1, "the ways differ"
        assert way in ways and far[way[-1]] == min(far[each[-1]] for each in ways)


@pytest.mark.rule("17.2", "14")
def test_a_headquarters_goes_as_one_alone_where_losses_in_place_of_a_retreat_take_all_others():
    position = in_command(table({"G16": "N-2Leg/5 N-ACeu/5", "G17": "R-1/17 R-CG-17B"},
                                lost={"R-1/17": 1}))  # fmt: skip
    order = o.Attack("G17", {"G16": ("N-2Leg/5", "N-ACeu/5")}, advance=o.NONE)
    alone = retreat.headquarters_goes(position, "R-CG-17B")
    others = [way for way in retreat.retreats(position, "R-CG-17B", 2) if way != alone]
    assert len(alone) == 2 and others
    for way in ((), ("F17",), others[0]):
        answer = o.Retreat({"R-CG-17B": way}, {"R-1/17": 2})
        played = play(state_of(position, N), order, 3, 9, 1, answers={"retreat": answer})
        assert played.position.places["R-1/17"] == "eliminated"
        assert played.position.at("R-CG-17B") == alone[-1], way
        assert played.position.disorganised == {"R-CG-17B"}, way


@pytest.mark.rule("16", "14")
def test_who_pays_points_for_hexes_checks_its_morale_before_it_goes():
    stacks = {"G15": "N-2Leg/5 N-ACeu/5", "G16": "R-1/17", "G19": "R-CG-17B R-CG-AGC",
              "F20": "R-CG-CEC"}  # fmt: skip
    position, order = table(stacks), o.Attack("G16", {"G15": ("N-2Leg/5", "N-ACeu/5")})
    assert [position.terrain(hex).morale for hex in ("G16", "G17")] == [-1, 0]
    answer = o.Retreat({"R-1/17": ("G17",)}, {"R-1/17": 1})
    played = play(state_of(position, N), order, 7, 9, 5, answers={"retreat": answer})
    (check,) = played.found(e.MoraleChecked)
    assert (check.unit, check.die, check.modified) == ("R-1/17", 5, 4)
    assert played.position.at("R-1/17") == "G17"


@pytest.mark.rule("17.2")
def test_a_headquarters_left_alone_where_an_attack_came_from_stays():
    position = table({"J13": "N-8Leg/7 N-CG-R7", "J14": "R-1/19 R-2/19 R-1/17"},
                     lost={"N-8Leg/7": 3})  # fmt: skip
    order = o.Attack("J14", {"J13": ("N-8Leg/7",)})
    lost = play(state_of(in_command(position), N), order, 1, 1).position
    assert not lost.at("N-8Leg/7")
    assert lost.at("N-CG-R7") == "J13" and not lost.disorganised


@pytest.mark.rule("17.2")
def test_a_headquarters_without_a_way_is_put_on_the_nearest_free_hex_to_the_rear():
    guns = ("N-Art75-I", "N-Art105-I", "N-Art75-II", "N-Art105-II", "N-Art75-III", "N-Art105-III",
            "N-Art75-IV", "N-Art105-IV", "N-Art155", "N-Art75-V", "N-88")  # fmt: skip
    around = start().ground.around["I15"]

    def put(*held, **more):
        stacks = {"I15": "R-CG-23B", **dict(zip((*around, *held), guns, strict=False)), **more}
        position = table(stacks)
        assert not retreat.headquarters_goes(position, "R-CG-23B")
        story = Unfolding(position)
        fate.drive_headquarters(story, ("R-CG-23B",))
        assert story.position.disorganised == {"R-CG-23B"}
        return position, story.position.at("R-CG-23B")

    # Guns have no zone of control: its own hex is free of those, but there it was beaten.
    shut_in, fled = put()
    assert not zones.in_enemy_zone(shut_in, "I15", R) and fled == "G14"
    assert put("G14")[1] == "G15"
    watched, fled = put(F13="N-2Leg/5")
    assert zones.in_enemy_zone(watched, "G14", R) and fled == "G15"
    # I13 would be as near, but farther from its own edge.
    assert put("G14", "G15", "G16", "H13", "H16")[1] == "I17"
    everywhere = dict.fromkeys((hex for hex in shut_in.ground.hexes if hex != "I15"), ("N-88",))
    assert retreat.headquarters_flees(
        shut_in.but(stacks={**everywhere, "I15": ("R-CG-23B",)}), "R-CG-23B") == "I15"  # fmt: skip


@pytest.mark.rule("8.p3")
def test_a_unit_goes_aside_where_it_could_retreat_out_of_zones_into_room():
    # H11 lies at the river, which nobody crosses here.
    stacks = {"H11": "N-2Leg/5", "G11": "N-ACeu/5 N-2Alh/6 N-SFrn/6", "I10": "N-Zap-II"}
    position = table(stacks)
    assert position.troops_of(position.stacks["G11"]) > 10 - position.troops("N-2Leg/5")
    around = position.ground.around["H11"]
    barred = {hex for hex in around if not retreat.can_go(position, "N-2Leg/5", "H11", hex)}
    rear = from_rear(position, N)
    forward = {hex for hex in around if rear[hex] > rear["H11"]}
    assert forward - barred and barred < forward
    back = {*around} - barred - forward
    assert set(retreat.asides(position, "N-2Leg/5")) == back - {"G11"}
    watched = table({**stacks, "H09": "R-1/19"})
    feared = {hex for hex in around if zones.in_enemy_zone(watched, hex, N)}
    assert feared & back - {"G11"}
    assert not feared & set(retreat.asides(watched, "N-2Leg/5"))


@pytest.mark.rule("15.B", "20.6")
def test_the_way_to_the_rear_leads_over_the_bridges_of_the_moment():
    """From H12 it is north over the Pindoque bridge, until that is gone and a pontoon is laid."""
    key = key_of("I11", "I12")
    own = {"N-Pont-1": key}
    there = {"H12": "N-2Leg/5", "I12": "N-Pont-1", "I13": "R-Zap-1"}
    for bridges, pontoons, is_nearer in (
        ({}, {}, False), ({}, own, True), ({"B-PIN": "destroyed"}, own, True),
        ({"B-PIN": "damaged"}, {}, False),
    ):  # fmt: skip
        position = table(there, scenario=SMALL, bridges=bridges, pontoons=pontoons)
        assert retreat.goes_back(position, N, "H12", "H12", "I12") is is_nearer, (bridges, pontoons)
    rear = from_rear(position, N)
    for pontoons in ({"R-Zap-1": key}, {"N-Pont-1": key_of("I10", "I11")}):
        assert from_rear(position.but(pontoons=pontoons), N) == rear, "another's, or left"
    gone = position.but(bridges={"B-PIN": "destroyed"})
    assert "H12" not in from_rear(gone, N) and "I11" in from_rear(gone, N)


@pytest.mark.rule("8.p3", "15.B")
def test_only_what_is_too_much_in_a_hex_goes_aside():
    position = in_command(table({"J14": "N-2Leg/5 N-ACeu/5 N-Zap-III N-1TirIf/5"}))
    units = position.stacks["J14"]
    assert stacking.excess(position, "J14") == 2 and position.troops("N-Zap-III") == 1
    rear = from_rear(position, N)
    back = retreat.asides(position, "N-1TirIf/5")
    assert back and all(rear[hex] <= rear["J14"] for hex in back)
    assert [rear[hex] for hex in back] == sorted(rear[hex] for hex in back), "nearest first"
    state = State(position, (Displacing(N, "J14"),))
    one = o.Displace({"N-1TirIf/5": back[:1]})
    assert rules_broken(state, one) == []
    for more in ({"N-Zap-III": back[:1]}, {"N-Zap-III": back[:1], "N-2Leg/5": back[:1]}):
        assert set(rules_broken(state, o.Displace({**one.paths, **more}))) == {"8.p3"}
    ahead = next(hex for hex in position.ground.around["J14"] if rear[hex] > rear["J14"])
    assert rules_broken(state, o.Displace({"N-1TirIf/5": (ahead,)})) == ["15.B"]
    # The engineers would come first, and have room where they are once the infantry has gone.
    low = in_command(position.but(stacks={"J14": (*units[:2], units[3], "N-Zap-III")}))
    default = retreat.default_displacement(low, "J14", N)
    assert default.paths.keys() == {"N-1TirIf/5"}
    lower = State(low, state.agenda)
    listed = {"displace": [*units[:2], "N-1TirIf/5", "N-Zap-III"]}
    assert answering.answer(TABLE, lower, kernel.waits_for(lower), listed) == default
    # Where nobody can go as much is lost as is too much.
    enemies = [unit for unit in start().on_map(R) if position.board.units[unit].is_combat]
    around = zip(position.ground.around["J14"], enemies, strict=False)
    stuck = in_command(low.but(stacks={**low.stacks, **{hex: (unit,) for hex, unit in around}}))
    for points, rules in ((1, ["8.p3"]), (2, []), (3, ["8.p3"])):
        order = o.Displace(losses={"N-1TirIf/5": points})
        assert rules_broken(State(stuck, state.agenda), order) == rules


# ------------------------------------------------------------------- 10, 20


@pytest.mark.rule("10.1")
def test_the_least_move_is_made_once():
    position = table({"J10": "N-Pz-2", "M10": "R-T26-1"}, cut_off={"N-Pz-2": 2})
    assert factors.allowance(position, "N-Pz-2") == 0
    moved = play(state_of(position, N), o.Move(("N-Pz-2",), ("K10",)))
    assert moved.position.at("N-Pz-2") == "K10"
    assert rules_broken(moved.state, o.Move(("N-Pz-2",), ("K09",))) == ["10"]


@pytest.mark.rule("20.7")
def test_who_only_defended_builds_and_who_attacked_or_worked_does_not():
    position = in_command(table({"J13": "N-2Leg/5", "J14": "R-1/48", "I09": "N-Zap-II"}))
    done = fought_over(position, "J14", {"J13": ("N-2Leg/5",)}, N)
    assert done.fought == {"N-2Leg/5", "R-1/48"}
    assert engineers.buildable(done, R) == {"J14": ("position",)}
    assert "J13" not in engineers.buildable(done, N)
    assert engineers.buildable(done, N)["I09"] == ("fortification",)
    worked = play(state_of(position, N), o.Engineer("N-Zap-II", "destroy_road")).position
    assert "I09" not in engineers.buildable(worked, N)


@pytest.mark.rule("12.3.5")
def test_an_armoured_attack_is_by_tanks_with_antitank_points_alone(monkeypatch):
    position = table({"F07": "N-Pz-1 N-Pz-2 N-2Leg/5 N-AT-I"})
    for units, is_one in ((("N-Pz-1", "N-Pz-2"), True), (("N-Pz-1", "N-2Leg/5"), False),
                          (("N-Pz-1", "N-AT-I"), False)):  # fmt: skip
        assert combat.is_armoured(position, units) is is_one, units
    unarmed = replace(position.printed("N-Pz-2"), antitank=0)
    monkeypatch.setitem(position.board.units, "N-Pz-2", unarmed)
    assert not combat.is_armoured(position, ("N-Pz-1", "N-Pz-2"))


@pytest.mark.rule("12.3.5", "17.1.b1", "12.6.6")
def test_disorder_halves_antitank_points_where_they_stand_in_place_of_the_attack_factor():
    units = ("R-T26-1", "R-T26-2")
    position = in_command(table({"F17": " ".join(units), "F16": "N-2Alh/6"}))
    upset = in_command(position.but(disorganised=frozenset(units[:1])))
    assert combat.strength(position, units, "regular") == dict.fromkeys(units, 4)
    assert combat.strength(upset, units, "regular") == {"R-T26-1": 2, "R-T26-2": 4}
    assert combat.antitank_of(upset, units) == combat.antitank_of(position, units) == 8


@pytest.mark.rule("12.6.2", "12.1.b10")
def test_tanks_in_defence_count_against_an_attack_without_any():
    for defenders, tanks in (("R-T26-1", True), ("R-1/19 R-AT-1", False)):
        position = table({"F06": defenders, "F07": "N-2Leg/5"})
        going = fought_over(position, "F06", {"F07": ("N-2Leg/5",)}, N)
        shift = position.board.armour_shift(0, 4) if tanks else 0
        assert combat.superior_armour(going, going.combat) == shift
    assert position.board.armour_shift(0, 4) < 0
    # Antitank guns that attack tanks have no columns of their own: these need tanks with them.
    position = table({"F06": "R-T26-1", "F07": "N-2Leg/5 N-AT-I N-AT-II N-AT-III N-Pz-1"})
    guns = tuple(unit for unit in position.stacks["F07"] if unit != "N-Pz-1")
    for units, columns in ((guns, 0), ((*guns, "N-Pz-1"), 1)):
        going = fought_over(position, "F06", {"F07": units}, N)
        assert combat.antitank_of(going, units) >= 2 * combat.antitank_of(going, ("R-T26-1",))
        assert combat.superior_armour(going, going.combat) == columns, units
    table_of_results = position.board.combat
    for die, row in ((-5, 0), (30, -1)):
        assert combat.result_of(position, 3, die) == table_of_results.rows[row][3]


@pytest.mark.rule("12.6.3")
def test_only_what_tanks_attack_over_counts_for_their_efficiency():
    # A slope leads up from E07 to F06, and none from F07.
    found = []
    for tanks, foot in (("F07", "E07"), ("E07", "F07")):
        position = table({"F06": "R-1/19", tanks: "N-Pz-1", foot: "N-2Leg/5"})
        going = fought_over(position, "F06", {tanks: ("N-Pz-1",), foot: ("N-2Leg/5",)}, N)
        found.append(combat.armour_efficiency(going, going.combat))
    flat = position.terrain("F06").armour
    assert found == [flat, flat - 1]


# ------------------------------------------------------------------- mobile attacks


@pytest.mark.rule("12.3.1.b3", "12.4.p3", "12.4.p5")
def test_guns_that_defend_against_a_mobile_attack_need_only_reach_the_hex_that_is_attacked():
    tanks = ("R-T26-1", "R-T26-2")
    position = in_command(table(
        {"F16": " ".join(tanks), "F15": "N-2Alh/6", "E14": "N-CG-R6", "F13": "N-20",
         "F18": "N-Art75-II"}, assigned={"N-20": "N-R6", "N-Art75-II": "N-R6"},
    ))  # fmt: skip
    there = {gun: {hex for hex in ("F15", "F16") if artillery.in_range(position, gun, (hex,))}
             for gun in ("N-20", "N-Art75-II")}  # fmt: skip
    assert "F15" in there["N-20"] and "F16" not in there["N-20"]
    attack = o.Attack("F15", {"F16": tanks})
    for type, guns in (("mobile", {"N-20": "F15", "N-Art75-II": "F15"}),
                       ("regular", {"N-Art75-II": "F16"})):  # fmt: skip
        fight = Combat(R, "F15", type, tanks, attack.units, ("N-2Alh/6",))
        going = State(in_command(position.but(combat=fight)), (Defending(N),))
        assert kernel.waits_for(going).default.guns == guns
        assert rules_broken(going, o.Defend(guns)) == []
        wrong = dict.fromkeys(guns, "F16" if type == "mobile" else "F15")
        assert set(rules_broken(going, o.Defend(wrong))) == {"12.4.p5"}


@pytest.mark.rule("12.3.1.b3", "7.4")
def test_who_attacks_mobile_fires_at_aircraft_over_the_hex_that_is_attacked():
    tanks = ("N-Pz-1", "N-Pz-3")
    position = in_command(table({"D20": " ".join(tanks), "C20": "R-1/19", "D21": "N-2Leg/5"}))
    fight = Combat(N, "C20", "mobile", tanks, {"D20": tanks}, ("R-1/19",))
    for type, over_it, over_theirs in (("mobile", tanks, ()), ("regular", (), tanks)):
        going = in_command(position.but(combat=replace(fight, type=type)))
        assert air.guns_against(going, R, ("C20",)) == over_it
        assert air.guns_against(going, R, ("D20",)) == over_theirs
        assert air.guns_against(going, N, ("C20",)) == air.guns_against(position, N, ("C20",))
    lost = e.UnitsDestroyed(tanks[:1], "13").apply(in_command(position.but(combat=fight)))
    assert air.guns_against(lost, R, ("C20",)) == tanks[1:]


@pytest.mark.rule("12.3.1.b1")
def test_a_mobile_attack_comes_from_one_stack_of_the_morning():
    """Not of the beginning of the activation: the enemy may have driven one to the other since."""
    units = ("R-T26-1", "R-T26-2")
    for dawn, apart in (
        ({}, False), ({"R-T26-1": "D15"}, True), ({"R-T26-2": "D15"}, True),
        ({"R-T26-1": "D15", "R-T26-2": "D15"}, False), ({"R-T26-1": "", "R-T26-2": ""}, True),
    ):  # fmt: skip
        position = in_command(table({"C15": "R-T26-1 R-T26-2", "C16": "N-20"}).but(dawn=dawn))
        for each, rules in ((units[:1], []), (units, ["12.3.1.b1"] if apart else [])):
            order = o.Attack("C16", {"C15": each}, "mobile")
            assert rules_broken(state_of(position, R), order) == rules, dawn


@pytest.mark.rule("12.3.1.b1")
def test_the_hex_of_the_morning_is_kept_until_the_next_one():
    position = table({"C15": "R-T26-1", "D15": "R-T26-2"})
    back = e.UnitsRetreated(("R-T26-1",), ("C15", "D15")).apply(position)
    assert [back.at_dawn(unit) for unit in ("R-T26-1", "R-T26-2")] == ["C15", "D15"]
    aside = e.UnitsDisplaced(("R-T26-1",), ("D15", "D14")).apply(back)
    assert aside.at_dawn("R-T26-1") == "C15", "however often it went on"
    came = e.UnitsArrived(("R-T26-3",), "C15", {}).apply(activated(aside, R))
    assert came.at_dawn("R-T26-3") == ""
    assert e.DayBegan(2, "clear").apply(aside).at_dawn("R-T26-1") == "D14"


def asked_in_turn(state, answers, *faces):
    """The questions up to the next action, and the events: `answers` by side and stage, each once,
    else the default. All are judged.
    """
    step, dice, told, events = kernel.begin(state), Faces(faces), dict(answers), []
    asked: list[tuple[str, str]] = []
    while True:
        events += step.events
        wanted = kernel.waits_for(step.state)
        if wanted is None or getattr(wanted, "stage", "") == "action":
            assert not told and not dice.left
            return asked, events, step.state.position
        if not hasattr(wanted, "options"):
            step = kernel.roll(step.state, dice)
            continue
        order = told.pop((wanted.side, wanted.stage), wanted.default)
        asked.append((wanted.side, wanted.stage))
        found = rules_broken(step.state, order)
        if found:
            return asked, found, step.state.position
        step = kernel.submit(step.state, order)


def fought_mobile(**facts):
    """The state behind the dice of a mobile attack that may be repeated: both sides had guns."""
    position = in_command(table({"C15": "R-T26-1", "C16": "N-20", "D15": "R-75 R-1/19",
                                 "C17": "N-Art75-II N-2Leg/5"}))  # fmt: skip
    fight = Combat(R, "C16", "mobile", ("R-T26-1",), {"C15": ("R-T26-1",)}, ("N-20",),
                   guns=("R-75",), defence_guns={"N-Art75-II": "C15"}, primary="R-T26-1",
                   result="D1")  # fmt: skip
    going = e.CombatBegan(fight).apply(activated(position, R))
    going = in_command(going.but(combat=fight, **facts))
    return State(going, (Acting(R), Ends(), Answering(R), FollowingUp(R)))


BY_R75 = o.Again(o.Backing(("R-75",)))


@pytest.mark.rule("11.3", "12.3.1.p3")
def test_the_guns_of_a_mobile_attack_are_answered_before_the_next_one():
    """Once, and whether or not there is another: the enemy first, then who may repeat it."""
    state = fought_mobile()
    answered = [(N, "counterbattery"), (R, "counterbattery"), (R, "again")]
    asked, events, after = asked_in_turn(state, {})
    assert asked == answered and after.combat is None
    assert [each.hex for each in events if isinstance(each, e.CombatEnded)] == ["C16"]
    asked, _, after = asked_in_turn(state, {(R, "again"): BY_R75}, 1, 1)
    assert after.combat is None and after.spent["R-75"] == 4
    # The guns of the second one are answered behind it, and those of the first no more.
    assert asked == [*answered, (N, "counterbattery")]


@pytest.mark.rule("11.1", "12.3.1.p3", "11.3")
def test_a_shot_that_answers_guns_is_gone_when_a_mobile_attack_is_repeated():
    """So `again` that was written before it is refused when its turn comes."""
    answers = {(R, "counterbattery"): o.Counterbattery(("R-75",), "C17"), (R, "again"): BY_R75}
    asked, _, after = asked_in_turn(fought_mobile(spent={"R-75": 4}), answers, 1, 1, 1)
    assert asked[-1] == (N, "counterbattery") and after.spent["R-75"] == 12
    asked, broken, after = asked_in_turn(fought_mobile(spent={"R-75": 8}), answers, 1)
    assert asked[-1] == (R, "again") and after.spent["R-75"] == 12 and broken == ["11.1"]


@pytest.mark.rule("11.3", "12.3.1.p3")
def test_guns_that_an_answer_has_destroyed_support_no_repeated_attack():
    """By standing orders, too."""
    state = fought_mobile(lost={"R-75": 2})
    begun = kernel.begin(state).state
    asked = kernel.waits_for(begun)
    counter = answering.answer(TABLE, begun, asked, {"counterbattery": "always"})
    assert counter == o.Counterbattery(("N-Art75-II", "N-20"), "D15")
    answers = {(N, "counterbattery"): counter, (R, "again"): BY_R75}
    asked, broken, after = asked_in_turn(begun, answers, 10)
    assert after.at("R-75") == "" and asked[-1] == (R, "again") and broken == ["12.3.1.p3"]
    # Their own standing orders name no guns, and repeat it without.
    again = State(after, (Repeating(R),))
    assert answering.answer(TABLE, again, kernel.waits_for(again), {"again": "always"}) == o.Again()


@pytest.mark.rule("11.3")
def test_guns_that_were_lost_in_a_combat_are_not_answered():
    position = in_command(table({"J13": "N-2Leg/5", "J14": "R-1/48", "J16": "R-75",
                                 "K12": "N-Art75-II"}))  # fmt: skip
    fight = Combat(N, "J14", "regular", ("N-2Leg/5",), {"J13": ("N-2Leg/5",)}, ("R-1/48",),
                   defence_guns={"R-75": "J13", "R-77/12": "J13"})  # fmt: skip
    (stage,) = Answering(N).run(in_command(position.but(combat=fight))).then
    assert stage == Countering(N, ("J16",))


@pytest.mark.rule("12.3.1.p3", "12.2", "12.2.p4", "11.3")
def test_the_defender_may_withdraw_from_each_mobile_attack():
    units = ("R-T26-1", "R-T26-2")
    position = in_command(table({"B19": " ".join(units), "B18": "N-Cab-1", "D15": "R-75"}))
    fight = Combat(R, "B18", "mobile", units, {"B19": units}, ("N-Cab-1",), result="D1",
                   primary="R-T26-1", is_surprise=True)  # fmt: skip
    going = in_command(e.CombatBegan(fight).apply(activated(position, R)))
    state = State(going, (Acting(R), Ends(), Answering(R), Repeating(R)))
    again = kernel.submit(state, o.Again(o.Backing(("R-75",)))).state
    assert kernel.waits_for(again).stage == "withdraw" and not again.position.combat.is_surprise
    stays = kernel.submit(again, o.Withdraw()).state.position
    assert stays.spent["R-75"] == 4
    way = sorted(retreat.withdrawals(again.position, "N-Cab-1").items())[0][1]
    left = kernel.submit(again, o.Withdraw({"N-Cab-1": way})).state
    assert kernel.waits_for(left).stage == "action" and left.position.combat is None
    assert left.position.units_at("B18") == units
    assert left.position.spent == dict.fromkeys(units, 6), "for the attack, and not for going in"


# ------------------------------------------------------------------- 13, 16


def lost_by(stack, points, *faces, attackers=()):
    """What the attackers of a stack lose, each with its die, and their morale dice."""
    units = attackers or tuple(stack.split())
    position = table({"K13": stack, "K14": "R-1/48"})
    going = fought_over(position, "K14", {"K13": units}, N)
    assert going.combat is not None
    led = in_command(going.but(combat=replace(going.combat, primary=units[0])))
    step = kernel.begin(State(led, (LosingAtRandom(N, points, is_attacker=True),)))
    events, dice = list(step.events), Faces(faces)
    while kernel.waits_for(step.state) is not None:
        step = kernel.roll(step.state, dice)
        events += step.events
    assert not dice.left
    return [(each.unit, each.points, each.die) for each in events
            if isinstance(each, e.TroopsLost)], step.state.position  # fmt: skip


@pytest.mark.rule("13")
def test_the_first_loss_is_the_leader_s_and_a_die_finds_each_further_one():  # T35
    lost, after = lost_by("N-2Leg/5 N-2Alh/6 N-Pz-1", 4, 2, 6, 9)
    assert lost == [("N-2Leg/5", 1, 0), ("N-2Leg/5", 1, 2), ("N-2Alh/6", 1, 6), ("N-Pz-1", 1, 9)]
    assert after.places["N-Pz-1"] == "eliminated" and after.troops("N-2Leg/5") == 2
    # One unit loses all without a die, and no more than it has.
    lost, after = lost_by("N-Pz-1", 2)
    assert lost == [("N-Pz-1", 1, 0)]
    lost, _ = lost_by("N-2Leg/5", 2)
    assert lost == [("N-2Leg/5", 1, 0)] * 2
    # Two have a die for each further point; who stands by has none.
    lost, _ = lost_by("N-2Leg/5 N-2Alh/6", 3, 2, 9)
    assert [unit for unit, *_ in lost] == ["N-2Leg/5", "N-2Leg/5", "N-2Alh/6"]
    lost, _ = lost_by("N-2Leg/5 N-2Alh/6", 3, 9, attackers=("N-2Leg/5",))
    assert lost == [("N-2Leg/5", 1, 0)] * 3


@pytest.mark.rule("16")
def test_a_first_loss_can_call_for_a_check():
    hurt = table({"K13": "R-1/23"}, lost={"R-1/23": 1})
    assert [draw.label for draw in CheckingMorale(R, ("R-1/23",)).chance(hurt).draws] == (
        ["morale/#/R-1/23"])  # fmt: skip
    assert not CheckingMorale(R, ("R-1/23",), {"R-1/23": 1}).chance(hurt).draws


@pytest.mark.rule("16", "13")
def test_who_has_lost_nothing_more_checks_no_morale():
    order = o.Attack("F17", {"F16": ("N-2Leg/5", "N-Alczr/1")}, support=o.NONE)
    for lost, checks in ((2, []), (0, [])):
        position = in_command(table({"F17": "R-1/19 R-2/19", "F16": "N-2Leg/5 N-Alczr/1"},
                                    lost={"R-2/19": lost}))  # fmt: skip
        played = play(state_of(position, N), order, 8, 8)
        assert [each.unit for each in played.found(e.TroopsLost)] == ["R-1/19"]
        assert [each.unit for each in played.found(e.MoraleChecked)] == checks
    hurt = position.but(lost={"R-1/19": 1, "R-2/19": 2})
    led = play(state_of(in_command(hurt), N), order, 8, 8, 1)
    assert [each.unit for each in led.found(e.MoraleChecked)] == ["R-1/19"]
    broken = in_command(hurt.but(demoralised=frozenset({"R-1/19"})))
    assert not play(state_of(broken, N), order, 8, 8).found(e.MoraleChecked), "for good"


@pytest.mark.rule("12.2.p4", "20.9", "7.3.1")
def test_who_follows_over_a_river_is_helped_and_pays_for_interdiction():
    stacks = {"H12": "R-Cab/12", "H11": "N-Zap-III N-2Alh/6"}
    for flown, cost in (({}, 8), ({"H12": (Interdiction(R, 1, "R-I15-1"),)}, 10)):
        position = in_command(table(stacks, interdicted=flown))
        going = fought_over(position, "H12", {"H11": ("N-2Alh/6",)}, N)
        left = e.UnitsRetreated(("R-Cab/12",), ("H13",), before=True).apply(going)
        outcome = Meeting(N).run(in_command(left))
        assert [each.unit for each in outcome.events if isinstance(each, e.RiverHelped)] == (
            ["N-Zap-III"])  # fmt: skip
        (gone,) = [each for each in outcome.events if isinstance(each, e.UnitsAdvanced)]
        assert gone.cost == {"N-2Alh/6": cost}


@pytest.mark.rule("12.2.p4", "7.3.1", "10.p4")
@pytest.mark.parametrize(("flown", "cost"), [((), 1), (("B12",), 3), (("D12",), 2), (("F12",), 1)])
def test_who_follows_goes_beside_the_road_where_interdiction_makes_it_dearer(
    flown: Any, cost: int
) -> None:
    """A marker in the hex itself is paid either way, one near it by road alone, one four hexes off
    by nobody.
    """
    markers = {hex: (Interdiction(R, 1, "R-I15-1"),) for hex in flown}
    position = in_command(table({"B12": "R-Cab/12", "A12": "N-2Alh/6"}, interdicted=markers))
    going = fought_over(position, "B12", {"A12": ("N-2Alh/6",)}, N)
    left = e.UnitsRetreated(("R-Cab/12",), ("B13",), before=True).apply(going)
    outcome = Meeting(N).run(in_command(left))
    (gone,) = [each for each in outcome.events if isinstance(each, e.UnitsAdvanced)]
    assert gone.cost == {"N-2Alh/6": cost}


# ------------------------------------------------------------------- who leads, who supports


@pytest.mark.rule("12.5", "12.1.b7", "13")
def test_whoever_is_named_leads_though_others_are_better_and_takes_the_first_loss():
    """A mobile attack asks for the leader before its die for support, and then no more."""
    best, named = "N-2Leg/5", "N-ACeu/5"
    position = in_command(table({"J13": f"{best} {named}", "J14": "R-1/48"}))
    for primary, leads in (("", best), (named, named)):
        order = o.Attack("J14", {"J13": (best, named)}, primary=primary)
        fought = play(state_of(position, N), order, 1, 3, 1)
        assert fought.found(e.TroopsLost)[0].unit == leads
    tanks, best, named = ("R-T26-1", "R-T26-2"), "N-2Alh/6", "N-Esc-II"
    position = in_command(table({"F15": f"{best} {named}", "F17": " ".join(tanks)}))
    moved = play(state_of(position, R), o.Move(tanks, ("F16",)))
    for answers, leads in (({}, best), ({"lead": o.Lead(named)}, named)):
        order = o.Attack("F15", {"F16": tanks}, "mobile")
        fought = play(moved.state, order, 1, 10, answers=answers)
        assert [each.unit for each in fought.found(e.TroopsLost)] == [leads]


@pytest.mark.rule("12.3.1.b3")
def test_a_mobile_attack_takes_the_points_for_going_in_whatever_comes_of_it():
    units = ("R-T26-1", "R-T26-2")
    position = in_command(table({"C15": " ".join(units), "C16": "N-20"}))
    order = o.Attack("C16", {"C15": units}, "mobile")
    fought = play(state_of(position, R), order, 1, 1)
    assert fought.position.spent == dict.fromkeys(units, 2)


@pytest.mark.rule("12.4", "12.4.p4")
def test_the_defence_may_be_supported_by_aircraft_alone_and_by_nothing():
    missions = {"R-SB-1": Mission("cas", "R-CG-12BI")}
    position = table({"J14": "R-Garib/12 R-CG-12BI", "J13": "N-2Leg/5", "J16": "R-77/12"},
                     missions=missions)  # fmt: skip
    fight = Combat(N, "J14", "regular", ("N-2Leg/5",), {"J13": ("N-2Leg/5",)}, ("R-Garib/12",))
    state = State(in_command(position.but(combat=fight)), (Defending(R),))
    decision = kernel.waits_for(state)
    (option,) = decision.options
    offers = [each.order for each in option.examples(lambda things: things)]
    assert offers == [o.Defend(), o.Defend({"R-77/12": "J13"}, ("R-SB-1",))]
    strengths = []
    for order in (o.Defend(), o.Defend({}, ("R-SB-1",))):
        assert rules_broken(state, order) == []
        after = kernel.submit(state, order).state.position
        strengths.append(combat.defence_strength(after, after.combat))
    assert strengths == [6, 8]


# ------------------------------------------------------------------- advances, and attacks again


@pytest.mark.rule("12.3.2", "8")
def test_no_advance_is_offered_that_the_room_forbids():
    attackers = {"J13": ("N-2Leg/5", "N-ACeu/5"), "I14": ("N-8Leg/7",)}
    position = table({hex: " ".join(units) for hex, units in attackers.items()})
    going = replace(Combat(N, "J14", "regular", (*attackers["J13"], "N-8Leg/7"), attackers, ()),
                    primary="N-8Leg/7")  # fmt: skip
    state = State(in_command(activated(position.but(combat=going), N)), (Advancing(N),))
    decision = kernel.waits_for(state)
    (option,) = decision.options
    offers = [each.order.units for each in option.examples(lambda things: things)]
    assert offers == [(), ("N-2Leg/5",), ("N-ACeu/5",), ("N-8Leg/7",)]
    assert decision.default.units == ("N-8Leg/7",), "the one that led"
    said = answering.answer(TABLE, state, decision, {"advance": "all"})
    assert len(said.units) == 2 and rules_broken(state, said) == []


@pytest.mark.rule("12.3.1.p3", "12.1", "12.4.p2", "12.5")
def test_a_mobile_attack_that_is_repeated_is_a_new_combat():
    """With other support, and nothing of what was named or rolled before; as standing orders may
    have it.
    """
    units = first, second = "R-T26-1", "R-T26-2"
    position = in_command(table({"B19": " ".join(units), "B18": "N-Cab-1", "D15": "R-75"}))
    fight = Combat(
        R, "B18", "mobile", units, {"B19": units}, ("N-Cab-1", "N-Cab-2"), guns=("R-75",),
        primary=second, defence_guns={"N-20": "B18"}, defence_air=("N-He51-1",),
        defence_primary="N-Cab-2", is_defended_by_fire=False, shares={"N-He51-1": 1}, result="D1",
        way_back=("B17",), is_surprise=True,
    )  # fmt: skip
    going = in_command(e.CombatBegan(fight).apply(activated(position, R)))
    for primary, leads in ((second, second), ("", first)):
        order = o.Again(o.Backing((), ("R-SB-1",)), primary)
        (begun,) = [each.combat for each in Repeating(R).resolve(going, order).events
                    if isinstance(each, e.CombatBegan)]  # fmt: skip
        new = Combat(R, "B18", "mobile", units, {"B19": units}, ("N-Cab-1",), air=("R-SB-1",),
                     primary=leads)  # fmt: skip
        assert replace(begun, plan=None) == new
    state = State(going, (Repeating(R),))
    asked = kernel.waits_for(state)
    for said, fall_back in (("always", False), ("never", True), ({"when": {"result": "D1"}}, False),
                            ({"when": {"result": "SR"}}, True)):  # fmt: skip
        found = answering.answer(TABLE, state, asked, {"again": said})
        assert found == o.Again(fall_back=fall_back)


# ------------------------------------------------------------------- who follows


def followed(position, hex, attackers, to):
    """Those who follow when all defenders of a hex have withdrawn into another one."""
    going = fought_over(in_command(position), hex, attackers, N)
    back = e.UnitsRetreated(going.combat.defenders, (to,), before=True)
    events = Meeting(N).run(in_command(back.apply(going))).events
    return [unit for each in events if isinstance(each, e.UnitsAdvanced) for unit in each.units]


@pytest.mark.rule("12.2.p4", "10.1")
def test_those_who_have_the_points_follow_and_one_in_any_case():
    one, other = units = ("N-2Alh/6", "N-SFrn/6")
    position = table({"F17": "R-Cab/12", "F16": " ".join(units)})
    for tired, gone in (((), [one, other]), ((other,), [one]), ((one,), [other]), (units, [other])):
        spent = {unit: factors.allowance(in_command(position), unit) for unit in tired}
        assert followed(position.but(spent=spent), "F17", {"F16": units}, "F18") == gone


@pytest.mark.rule("12.2.p4", "10.1", "9.p2")
def test_one_who_can_go_there_follows_in_any_case():
    """With the option tanks may attack down a slope that they cannot take."""
    units = ("N-8Leg/7", "N-Pz-1")
    position = table({"E13": "R-Cab/12", "E12": " ".join(units)}, ATTACK_INTO_ZONES,
                     spent={"N-8Leg/7": 12})  # fmt: skip
    assert followed(position, "E13", {"E12": units}, "E14") == ["N-8Leg/7"]


@pytest.mark.rule("12.2.p4", "8")
def test_no_more_follow_than_there_is_room_for():
    attackers = {"F16": ("N-2Leg/5", "N-SFrn/6"), "E16": ("N-ACeu/5", "N-2Alh/6")}
    stacks = {hex: " ".join(units) for hex, units in attackers.items()}
    gone = followed(table({"F17": "R-Cab/12", **stacks}), "F17", attackers, "F18")
    assert gone == ["N-2Leg/5", "N-SFrn/6"]

"""What is refused although it looks right: the rule, the place in the order, and the hint."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.position import COMING, Combat, Interdiction
from pbem.games.nopasaran.rules import engineers, recon
from pbem.games.nopasaran.rules.answers import spread
from pbem.games.nopasaran.stages.activation import Displacing
from pbem.games.nopasaran.stages.combat import Defending, Repeating, Retreating, Withdrawing
from pbem.games.nopasaran.stages.day import Building
from pbem.games.nopasaran.stages.fire import Countering
from pbem.games.nopasaran.stages.scouting import Reacting
from pbem.messages import words
from pbem.value import replace
from tests.games.nopasaran.table import N, R, in_command, play, state_of, table


def found(state, order):
    """The rule, the place, and the hint of each fault of an order."""
    return [(each.rule, each.at, words(each.hint)) for each in kernel.violations(state, order)]


def only(state, order):
    (fault,) = found(state, order)
    return fault


# ------------------------------------------------------------------- 10, 20.3, 20.4


@pytest.mark.rule("10")
def test_a_move_names_units_of_one_hex_each_once():
    position = in_command(table({"K10": "N-2Leg/5 N-Pz-1", "L10": "N-2Alh/6"}))
    state = state_of(position, N)
    assert not found(state, o.Move(("N-2Leg/5", "N-Pz-1"), ("J10",)))
    for order, at in ((o.Move((), ("J10",)), ("units",)), (o.Move(("N-2Leg/5",), ()), ("path",)),
                      (o.Move(("N-SFrn/6",), ("J10",)), ("units", 0)),
                      (o.Move(("N-2Leg/5", "N-2Leg/5"), ("J10",)), ("units", 1)),
                      (o.Move(("N-2Leg/5", "N-2Alh/6"), ("K11",)), ("units",))):  # fmt: skip
        assert only(state, order)[1] == at, order
    hints = [only(state, order)[2] for order in (o.Move((), ("J10",)), o.Move(("N-2Leg/5",), ()))]
    assert hints == ["units: [UNIT, ...]", "path: [HEX, ...]"]


@pytest.mark.rule("20.4")
def test_a_move_names_each_road_that_it_mends_once():
    roads = {"J10": "damaged", "J11": "damaged"}
    state = state_of(in_command(table({"J09": "N-Zap-II"}, roads=roads)), N)
    order = o.Move(("N-Zap-II",), ("J10", "J11"), repair=("J10", "J11"))
    assert not found(state, order)
    for repair, at in ((("J10", "J10"), 1), (("J10", "J11", "J10"), 2)):
        fault = only(state, replace(order, repair=repair))
        assert fault == ("20.4", ("repair", at), "name each hex once")


@pytest.mark.rule("10.p4")
def test_friends_on_the_road_are_named_where_a_path_is_too_dear_and_no_others():
    far = o.Move(("N-2Leg/5",), ("K10", "J10", "I10", "I09"))
    spent = {"N-2Leg/5": 9}
    stacks = {"L10": "N-2Leg/5", "K10": "N-2Alh/6", "N10": "N-SFrn/6"}
    for facts, hint in (
        ({}, "end the path sooner; friends bar the road in K10"),
        ({"roads": {"K10": "damaged"}}, "end the path sooner; friends bar the road in K10"),
    ):
        state = state_of(in_command(table(stacks, spent=spent, **facts)), N)
        assert only(state, far) == ("10", ("units", 0), hint)
    alone = {"L10": "N-2Leg/5"}
    broken = in_command(table(alone, spent=spent, roads={"K10": "damaged"}))
    assert only(state_of(broken, N), far)[2] == "end the path sooner: its points last as far as K10"
    off_road = in_command(table({**alone, "L09": "N-2Alh/6"}, spent=spent))
    assert ("L10", "L09") not in off_road.ground.road_steps
    order = o.Move(("N-2Leg/5",), ("L09", "L08"))
    assert only(state_of(off_road, N), order)[2] == "end the path sooner"


@pytest.mark.rule("5.6")
def test_units_that_can_attack_take_control_of_each_hex_of_their_way():
    position = in_command(table({"H13": "R-1/19 R-CG-23B"}))
    west = position.but(control={**position.control, "H14": N, "H15": N})
    for unit, held in (("R-1/19", R), ("R-CG-23B", N)):
        moved = play(state_of(in_command(west), R), o.Move((unit,), ("H14", "H15"))).position
        assert moved.control["H14"] == moved.control["H15"] == held
    # In whatever way they come there.
    for unit, held in (("R-1/19", R), ("R-75", N)):
        there = in_command(west.but(stacks={"H13": (unit,)}))
        fight = Combat(N, "H13", "regular", (), {}, (unit,))
        for stage, order in (
            (Retreating(R, (unit,), 2), o.Retreat({unit: ("H14", "H15")})),
            (Withdrawing(R, "H13"), o.Withdraw({unit: ("H14", "H15")})),
            (Displacing(R, "H13"), o.Displace({unit: ("H14",)})),
        ):
            gone = stage.resolve(in_command(there.but(combat=fight)), order)
            assert [event.hex for event in gone.events if isinstance(event, e.ControlTaken)] == (
                ["H14", "H15"][: len(order.paths[unit])] if held == R else []), order  # fmt: skip
    coming = table({}, away={"R-1/66": COMING}, control={**position.control, "L22": N})
    came = play(state_of(in_command(coming), R, "R-1/66"), o.Arrive(("R-1/66",), "L22"))
    assert came.position.control["L22"] == R


@pytest.mark.rule("16.2.b3")
def test_a_demoralised_unit_goes_away_from_the_nearest_enemy_and_anywhere_from_none():
    weak = frozenset({"N-2Leg/5"})
    for enemies, open_to_it in ({"J14": "R-1/19"}, False), ({"J08": "R-1/19"}, True), ({}, True):
        position = in_command(table({"J10": "N-2Leg/5", **enemies}, demoralised=weak))
        moved = found(state_of(position, N), o.Move(("N-2Leg/5",), ("J11",)))
        assert moved == ([] if open_to_it else [
            ("16.2.b3", ("units", 0), "end farther from the nearest enemy than J10")])  # fmt: skip


@pytest.mark.rule("20.3", "10")
def test_rails_are_cut_by_foot_and_horse_for_points_they_have():
    position = in_command(table({"J10": "N-2Leg/5 N-Pz-1"}))
    cut = o.Move(("N-2Leg/5",), ("K10", "L10"), cut={"K10": "destroyed"})
    assert not found(state_of(position, N), cut)
    state = state_of(position, N)
    for order, fault in ((replace(cut, cut={"J10": "damaged"}), ("cut", "J10")),
                         (replace(cut, units=("N-Pz-1",)), ("cut", "K10"))):  # fmt: skip
        (told,) = kernel.violations(state, order)
        assert (told.rule, told.at, told.is_key) == ("20.3", fault, True)
    for state_now, wanted in (("destroyed", "destroyed"), ("destroyed", "damaged"),
                              ("damaged", "damaged")):  # fmt: skip
        broken = in_command(position.but(rails={"K10": state_now}))
        (told,) = kernel.violations(state_of(broken, N), replace(cut, cut={"K10": wanted}))
        assert (told.rule, told.at, told.is_key) == ("20.3", ("cut", "K10"), True)
        assert str(told.message) == f"the railway in K10 is {state_now} already"
    # Two steps by road are one point, cutting is two.
    for spent, rules in ((6, []), (7, ["10"])):
        now = in_command(position.but(spent={"N-2Leg/5": spent}))
        assert [each[0] for each in found(state_of(now, N), cut)] == rules


@pytest.mark.rule("20.4")
def test_one_of_the_engineers_in_good_order_mends_a_road_on_the_way():
    position = in_command(table({"J10": "N-Zap-II N-Zap-III"}, roads={"K10": "damaged"}))
    both = o.Move(("N-Zap-II", "N-Zap-III"), ("K10",), repair=("K10",))
    for tired, rules in (((), []), (("N-Zap-II",), []), (("N-Zap-II", "N-Zap-III"), ["20.4"])):
        now = in_command(position.but(disorganised=frozenset(tired), spent={}))
        assert [each[0] for each in found(state_of(now, N), both)] == rules, tired


# ------------------------------------------------------------------- 11


@pytest.mark.rule("11.2.b4")
def test_the_bridge_that_is_fired_at_is_one_of_the_hex():
    state = state_of(in_command(table({"I10": "N-Art155"})), N)
    shot = o.Bombard("G12", ("N-Art155",), at="bridge")
    for bridge in ("B-ARG", ""):
        assert only(state, replace(shot, bridge=bridge)) == (
            "11.2.b4", ("bridge",), "it may be B-PIN")  # fmt: skip
        (fault,) = kernel.violations(state, replace(shot, bridge=bridge))
        assert words(fault.message) == "name the bridge of G12"
    assert not found(state, replace(shot, bridge="B-PIN"))


# ------------------------------------------------------------------- 12


@pytest.mark.rule("12.1", "9.p2", "12.3.1.b1")
def test_an_attack_comes_from_where_its_units_are():
    stacks = {"C15": "R-T26-1 R-75", "D15": "R-T26-2", "C16": "N-20", "C18": "R-1/19"}
    state = state_of(in_command(table(stacks)), R)
    two = o.Attack("C16", {"C15": ("R-T26-1",), "D15": ("R-T26-2",)}, "mobile")
    assert "C16" in state.position.ground.around["D15"]
    assert only(state, two)[:2] == ("12.3.1.b1", ("from",))
    assert "12.3.1.b1" not in [rule for rule, _, _ in found(state, replace(two, type="regular"))]
    elsewhere = o.Attack("C16", {"C15": ("R-T26-2",)})
    assert found(state, elsewhere)[0] == (
        "12.1", ("from", "C15", 0), "there you have T-26 company 1 (R-T26-1)")  # fmt: skip
    (far,) = kernel.violations(state, o.Attack("C16", {"C18": ("R-1/19",)}))
    assert (far.rule, far.at, far.is_key) == ("9.p2", ("from", "C18"), True)


def answered(position, stage, order):
    return [(each.rule, each.at, words(each.hint)) for each in stage.check(position, order)]


def defended(**changes):
    """R-1/19 in J14, attacked from two hexes, with two batteries that belong to its formation."""
    stacks = {"J14": "R-1/19", "J13": "N-2Leg/5", "J15": "N-2Alh/6", "J20": "R-75 R-105V"}
    lent = dict.fromkeys(("R-75", "R-105V"), "R-19B")
    came = {"J13": ("N-2Leg/5",), "J15": ("N-2Alh/6",)}
    fight = Combat(N, "J14", "regular", ("N-2Leg/5", "N-2Alh/6"), came, ("R-1/19",))
    return in_command(table(stacks, assigned=lent, combat=fight, **changes))


@pytest.mark.rule("12.4.p3", "12.4.p5")
def test_batteries_defend_against_hexes_in_their_range_and_different_ones():
    position, stage = defended(), Defending(R)
    near = position.ground.distance
    assert near("J20", "J15") <= 6 < near("J20", "J13") == 7
    assert not answered(position, stage, o.Defend({"R-75": "J15", "R-105V": "J13"}))
    assert answered(position, stage, o.Defend({"R-75": "J13"})) == [
        ("12.4.p5", ("guns", "R-75"), "it names an attacking hex in its range: J15")]  # fmt: skip
    (both,) = answered(position, stage, o.Defend({"R-75": "J15", "R-105V": "J15"}))
    assert both[:2] == ("12.4.p5", ("guns",))
    assert spread(position, ("R-75", "R-105V")) == {"R-75": "J15", "R-105V": "J13"}
    fight = position.combat
    turned = position.but(combat=replace(fight, came_from=dict(reversed(fight.came_from.items()))))
    assert spread(turned, ("R-105V",)) == {"R-105V": "J15"}
    (strange,) = answered(position, stage, o.Defend({"R-11/17": "J15"}))
    assert strange[1] == ("guns", "R-11/17")


@pytest.mark.rule("11.3")
def test_guns_are_answered_by_batteries_that_are_named_once():
    position = in_command(table({"J14": "R-75 R-1/19", "J20": "R-105V", "K13": "N-Art155"}))
    stage = Countering(R, ("K13",))
    assert not answered(position, stage, o.Counterbattery(("R-75",), "K13"))
    assert not answered(position, stage, o.Counterbattery())
    for order, at in ((o.Counterbattery(("R-75",)), ("hex",)),
                      (o.Counterbattery(("R-75",), "J13"), ("hex",)),
                      (o.Counterbattery((), "K13"), ("guns",)),
                      (o.Counterbattery(("R-75", "R-75"), "K13"), ("guns", 1)),
                      (o.Counterbattery(("R-1/19",), "K13"), ("guns", 0))):  # fmt: skip
        (fault,) = answered(position, stage, order)
        assert fault[1] == at, order


@pytest.mark.rule("12.3.1.p3", "12.5")
def test_a_mobile_attack_is_repeated_by_those_who_made_it():
    units = ("R-T26-1", "R-T26-2")
    fight = Combat(R, "C16", "mobile", units, {"C15": units}, ("N-20",))
    position = in_command(table({"C15": "R-T26-1 R-T26-2 R-BA", "C16": "N-20"}, combat=fight))
    assert not answered(position, Repeating(R), o.Again(primary="R-T26-2"))
    (other,) = answered(position, Repeating(R), o.Again(primary="R-BA"))
    assert other[:2] == ("12.5", ("primary",))
    (gun,) = answered(position, Repeating(R), o.Again(o.Backing(("R-T26-1",))))
    assert gun[1] == ("support", "guns", 0)
    for more, at in ((o.Again(primary="R-T26-2"), "primary"), (o.Again(o.Backing()), "support")):
        (back,) = answered(position, Repeating(R), replace(more, fall_back=True))
        assert back[:2] == ("12.3.1.p3", (at,))


# ------------------------------------------------------------------- 19


@pytest.mark.rule("19.1", "10.p5")
def test_reinforcements_come_on_their_day_by_their_way():
    coming = ("R-1/66", "R-T26-3", "R-1/24")
    state = state_of(in_command(table({"L20": "R-1/19"}, day=2,
                                      away=dict.fromkeys(coming, COMING))),
                     R, "R-1/66", "R-T26-3", "R-1/24", "R-1/19")  # fmt: skip
    assert not found(state, o.Arrive(("R-1/66",), "L22"))
    for order, rule, at, hint in (
        (o.Arrive((), "L22"), "19.1", ("units",), "units: [UNIT, ...]"),
        (o.Arrive(("R-1/66", "R-1/66"), "L22"), "19.1", ("units", 1), "name each unit once"),
        (o.Arrive(("R-1/24",), "T18"), "19.1", ("units", 0), "its day is in the scenario"),
        (o.Arrive(("R-1/19",), "L22"), "19.1", ("units", 0), "its day is in the scenario"),
        (o.Arrive(("R-T26-3",), "A21"), "19.1", ("at",), "it may be H22"),
    ):
        assert only(state, order) == (rule, at, hint)
    others = state_of(state.position, R, "R-T26-3")
    assert only(others, o.Arrive(("R-1/66",), "L22"))[0] == "5.4.1"


@pytest.mark.rule("19.2")
def test_points_go_from_one_unit_to_another_that_began_beside_it():
    weak = {"R-1/19": 2, "R-2/19": 1, "R-3/19": 2}
    position = in_command(table({"C14": "R-1/19 R-2/19", "C15": "R-3/19"}, lost=weak))
    state = state_of(position, R)
    assert not found(state, o.Consolidate("R-1/19", "R-2/19"))
    for giver, receiver, at in (("R-1/19", "R-1/19", ("to",)), ("R-3/19", "R-2/19", ("to",)),
                                ("R-2/19", "R-1/19", ("from",))):  # fmt: skip
        assert only(state, o.Consolidate(giver, receiver))[:2] == ("19.2", at)
    # Driven apart by a reaction, or after an attack, it is too late.
    apart = e.UnitsRetreated(("R-2/19",), ("C16",)).apply(state.position)
    assert only(State(in_command(apart), state.agenda), o.Consolidate("R-1/19", "R-2/19"))[:2] == (
        "19.2", ("to",))  # fmt: skip
    driven = e.UnitsRetreated(("R-3/19",), ("C14",)).apply(state.position)
    there = State(in_command(driven), state.agenda)
    assert only(there, o.Consolidate("R-3/19", "R-2/19"))[:2] == ("19.2", ("to",))
    horse = in_command(table({"C14": "R-Cab/12 R-Garib/12"}, lost={"R-Garib/12": 3}))
    others = state_of(horse, R)
    told = ("19.2", ("to",), "name two units of one formation and type")
    assert told in found(others, o.Consolidate("R-Garib/12", "R-Cab/12"))
    fight = Combat(R, "B14", "improvised", ("R-1/19",), {"C14": ("R-1/19",)}, ())
    fought = State(in_command(e.CombatBegan(fight).apply(state.position)), state.agenda)
    assert only(fought, o.Consolidate("R-1/19", "R-2/19"))[:2] == ("19.2", ("from",))
    scouted = e.GroundScouted("R-2/19", "B14", 5, 5, "", 2).apply(state.position)
    late = State(in_command(scouted), state.agenda)
    (fault,) = kernel.violations(late, o.Consolidate("R-1/19", "R-2/19"))
    assert fault.at == ("to",) and "R-2/19) has done something else" in words(fault.message)
    # Who has acted in another way is told so, and nothing else.
    attacked = Combat(R, "B14", "regular", ("R-1/19",), {"C14": ("R-1/19",)}, ())
    done = State(in_command(e.CombatBegan(attacked).apply(state.position)), state.agenda)
    assert only(done, o.Consolidate("R-1/19", "R-2/19"))[:2] == ("5.5", ("from",))


# ------------------------------------------------------------------- 20


@pytest.mark.rule("20")
def test_engineers_work_who_have_not_fought_today():
    position = in_command(table({"K11": "N-Zap-III N-2Leg/5", "J11": "N-Zap-II"}))
    state = state_of(position, N)
    assert only(state, o.Engineer("N-2Leg/5", engineers.REPAIR)) == (
        "20", ("unit",), "it may be N-Zap-II or N-Zap-III")  # fmt: skip


@pytest.mark.rule("20", "20.2")
def test_who_has_moved_destroys_a_road_and_does_nothing_else_and_who_has_fought_neither():
    there = in_command(table({"J10": "N-Zap-III"}))
    destroy, mend = (
        o.Engineer("N-Zap-III", task) for task in (engineers.DESTROY_ROAD, engineers.REPAIR)
    )
    hints = "engineers work in a day in which they do nothing else", (
        "who has fought destroys nothing that day")  # fmt: skip
    walked = there.but(walked=frozenset({"N-Zap-III"}))
    assert not found(state_of(walked, N), destroy)
    broken = in_command(walked.but(roads={"J10": "destroyed"}))
    assert only(state_of(broken, N), mend) == ("20", ("unit",), hints[0])
    nothing = ("20.2", ("task",), "no road runs there, or it is destroyed already")
    assert only(state_of(in_command(there.but(roads={"J10": "destroyed"})), N), destroy) == nothing
    fought = state_of(there.but(fought=frozenset({"N-Zap-III"})), N)
    assert only(fought, destroy) == ("20", ("unit",), hints[1])


@pytest.mark.rule("20", "20.1", "20.2", "20.6", "11.2.b4")
def test_nothing_is_named_that_an_order_would_not_touch():
    position = in_command(table({"H09": "N-Zap-III N-Pont-1", "G12": "N-Zap-II",
                                 "G13": "R-AMarty/12", "H10": "N-Art75-III"}))  # fmt: skip
    state = state_of(position, N)
    for order, rule, at in (
        (o.Engineer("N-Zap-III", engineers.DESTROY_ROAD, to="H10"), "20.2", ("to",)),
        (o.Engineer("N-Zap-III", engineers.DESTROY_RAIL, bridge="B-PIN"), "20.2", ("bridge",)),
        (o.Engineer("N-Zap-II", engineers.BLOW, bridge="B-PIN", to="G13"), "20", ("to",)),
        (o.Engineer("N-Zap-II", engineers.BLOW, bridge="B-PIN", to="G12"), "20", ("to",)),
        (o.Engineer("N-Pont-1", engineers.LAY, bridge="B-PIN", to="H10"), "20", ("bridge",)),
        (o.Bombard("G13", ("N-Art75-III",), bridge="B-PIN"), "11.2.b4", ("bridge",)),
    ):
        faults = [(fault[0], fault[1]) for fault in found(state, order)]
        assert (rule, at) in faults, order
        bare = replace(order, bridge="") if at == ("bridge",) else replace(order, to="")
        assert at not in [fault[1] for fault in found(state, bare)], order
    here = o.Engineer("N-Zap-III", engineers.DESTROY_ROAD, to="H09")
    assert found(state, here) == found(state, replace(here, to=""))


@pytest.mark.rule("12.3.2", "12.3.4", "12.3.1", "12.1")
def test_nobody_is_named_who_could_not_advance_and_no_hex_from_which_nobody_attacks():
    position = in_command(table({"K13": "N-2Leg/5 N-1TirIf/5", "K14": "R-1/48", "F15": "N-2Alh/6",
                                 "F17": "R-T26-1"}))  # fmt: skip
    on_foot = o.Attack("K14", {"K13": ("N-2Leg/5", "N-1TirIf/5")})
    first = o.Following(("N-2Leg/5",))
    state = state_of(position, N)
    assert not found(state, replace(on_foot, advance=first))
    assert only(state, replace(on_foot, type="improvised", advance=first))[:2] == (
        "12.3.4", ("advance",))  # fmt: skip
    assert not found(state, replace(on_foot, type="improvised", advance=o.NONE))
    assert only(state, replace(on_foot, advance=o.Following(("N-2Leg/5",) * 2)))[:2] == (
        "12.3.2", ("advance", "units", 1))  # fmt: skip
    assert only(state, replace(on_foot, advance=o.Following(("N-2Alh/6",))))[:2] == (
        "12.3.2", ("advance", "units", 0))  # fmt: skip
    (empty,) = kernel.violations(state, replace(on_foot, units={**on_foot.units, "K15": ()}))
    assert (empty.rule, empty.at, empty.is_key) == ("12.1", ("from", "K15"), True)
    tanks = play(state_of(position, R), o.Move(("R-T26-1",), ("F16",))).state
    tanks = State(in_command(tanks.position), tanks.agenda)
    mobile = o.Attack("F15", {"F16": ("R-T26-1",)}, "mobile",
                      advance=o.Following(("R-T26-1",)))  # fmt: skip
    assert only(tanks, mobile)[:2] == ("12.3.1", ("advance",))
    assert not found(tanks, replace(mobile, advance=""))


@pytest.mark.rule("20.6", "J.4")
def test_no_pontoons_are_laid_over_a_high_river_in_rain():
    lay = o.Engineer("N-Pont-1", engineers.LAY, to="H12")
    for weather, rules in (("rain", ["J.4"]), ("clear", [])):
        state = state_of(in_command(table({"H11": "N-Pont-1"}, weather=weather)), N)
        assert [rule for rule, _, _ in found(state, lay)] == rules


@pytest.mark.rule("20.7")
def test_where_nothing_can_be_built_the_hex_is_the_fault():
    position = in_command(table({"J13": "N-2Leg/5"}, busy=frozenset({"N-2Leg/5"})))
    (fault,) = Building(N).check(position, o.Build({"J13": "position"}))
    assert fault.at == ("works", "J13") and fault.is_key


# ------------------------------------------------------------------- 21


@pytest.mark.rule("21", "21.p5")
def test_riders_and_tanks_look_where_they_could_go():
    position = in_command(table({"K13": "R-T26-1 R-Cab/12", "K12": "N-2Leg/5"}))
    state = state_of(position, R)
    assert ("K13", "K12") not in position.ground.road_steps
    assert not found(state, o.Scout("R-T26-1", "K12"))
    assert only(state, o.Scout("R-T26-1", "K14")) == ("21", ("hex",), "it may be K12")
    spent = in_command(position.but(spent={"R-T26-1": 15}))
    assert only(state_of(spent, R), o.Scout("R-T26-1", "K12"))[:2] == ("21", ("unit",))
    # It costs what going there would cost, interdiction too.
    marked = position.but(interdicted={"K12": (Interdiction(N, 2, "N-He51-1"),)})
    plain = recon.scout_cost(position, "R-Cab/12", "K12")
    assert recon.scout_cost(marked, "R-Cab/12", "K12") == plain + 4


@pytest.mark.rule("21.2", "12.5", "4.1")
def test_who_reacts_is_there_and_comes_to_something():
    stacks = {"K13": "R-T26-1", "K12": "N-2Leg/5 N-Zap-II", "K11": "N-2Alh/6"}
    position = in_command(table(stacks))
    reacting = Reacting(N, "K12", "R-T26-1")
    whole = o.React(("N-2Leg/5",), primary="N-2Leg/5")

    def faults(position, order):
        return [(each.rule, each.at) for each in reacting.check(position, order)]

    assert faults(position, whole) == [] and faults(position, o.React()) == []
    for order, at in ((o.React(("N-2Alh/6",)), ("units", 0)),
                      (o.React(("N-2Leg/5", "N-2Leg/5")), ("units", 1))):  # fmt: skip
        assert faults(position, order) == [("21.2", at)]
    assert faults(position, replace(whole, primary="N-Zap-II")) == [("12.5", ("primary",))]
    # A factor of 1, halved and with little supply, comes to nothing.
    tired = table(stacks, disorganised=frozenset({"N-Zap-II"}))
    assert ("4.1", ("units",)) in faults(tired, o.React(("N-Zap-II",)))

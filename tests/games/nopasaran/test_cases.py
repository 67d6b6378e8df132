"""The worked cases of the dossier, each with its dice and its outcome."""

from __future__ import annotations

import pytest

from pbem.board.hexsides import key_of
from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import Chance, State, Unfolding
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.position import Combat, Interdiction, Task
from pbem.games.nopasaran.rules import (
    activation,
    air,
    artillery,
    combat,
    command,
    engineers,
    factors,
    fate,
    movement,
    recon,
    retreat,
    stacking,
    ways,
    zones,
)
from pbem.games.nopasaran.stages.activation import Acting, Displacing
from pbem.games.nopasaran.stages.combat import Retreating
from pbem.games.nopasaran.stages.day import Initiative, RollingForInitiative, count_command
from pbem.games.nopasaran.stages.fire import Countering, Firing
from pbem.games.nopasaran.stages.scouting import Reacting
from pbem.messages import words
from pbem.value import replace
from tests.games.nopasaran.table import (
    LARGE,
    Faces,
    N,
    R,
    activated,
    faults,
    in_command,
    log_of,
    play,
    rules_broken,
    start,
    state_of,
    table,
    tables,
)

NEAR = {"H10": "N-CG-R5", "H09": "N-CG-III", "K01": "N-CG-DRM"}
"""Headquarters of the Nationalist regiment 5 near its place in the line."""


# ------------------------------------------------------------------- 5.3 initiative


def rolled(position, *dice):
    state = State(position, (Initiative(), RollingForInitiative()))
    faces = Faces(dice)
    step = kernel.roll(state, faces)
    while faces.left:
        step = kernel.roll(step.state, faces)
    return step.state.position.active, step


@pytest.mark.rule("5.3")
def test_the_higher_die_has_the_activation():  # T01, T02
    assert rolled(start(), 4, 7)[0] == R
    assert rolled(start(), 5, 5, 6, 2)[0] == N


@pytest.mark.rule("5.3.1", "5.3.1.b1", "5.3.1.b2", "5.3.1.b3")
def test_successes_of_the_last_activation_count_once():  # T03
    position = start(successes={N: 2, R: 1})
    winner, step = rolled(position, 5, 7)
    assert winner == R and step.state.position.successes == {}


@pytest.mark.rule("5.3")
def test_the_other_side_goes_on_without_a_die_once_one_is_finished():  # T04
    position = start(day=2, finished=frozenset({R}))
    step = kernel.begin(State(position, (Initiative(),)))
    assert [type(event) for event in step.events] == [e.InitiativeGiven]
    assert step.state.position.active == N


# ------------------------------------------------------------------- 6 command


@pytest.mark.rule("6.2", "9.p3")
def test_an_enemy_zone_bars_a_line_of_command_and_a_friend_opens_it():  # T07
    stacks = {**NEAR, "G06": "N-CG-R5", "H10": "N-2Leg/5", "H09": "N-CG-III"}
    assert command.in_command(table(stacks), "N-2Leg/5") is True
    ring = {"G08": "R-Garib/12", "H08": "R-Dmbrwsk/12", "I09": "R-AMarty/12"}
    walled = table({**stacks, **ring})
    assert not command.in_command(walled, "N-2Leg/5")
    assert command.level_of(walled, "N-2Leg/5").id == "normal"  # effectiveness 8


@pytest.mark.rule("6.3", "6.3.p2", "6.3.b1", "6.3.b2", "6.3.b3", "6.5", "6.5.b1", "6.5.b2",
                  "6.5.b3")  # fmt: skip
def test_effectiveness_decides_how_much_supply_is_lost():  # T08
    position = table({"G12": "N-2Leg/5 N-SFrn/6 N-15Leg/9"})
    assert [command.level_of(position, unit).id
            for unit in ("N-2Leg/5", "N-SFrn/6", "N-15Leg/9")] == [
        "normal", "reduced", "minimum"]  # fmt: skip
    assert (factors.attack(position, "N-2Leg/5"), factors.defence(position, "N-2Leg/5")) == (6, 6)
    assert (factors.attack(position, "N-SFrn/6"), factors.defence(position, "N-SFrn/6")) == (4, 4)
    assert (factors.attack(position, "N-15Leg/9"), factors.defence(position, "N-15Leg/9")) == (2, 2)


@pytest.mark.rule("6.3.p2", "6.5.b4")
def test_each_further_day_out_of_command_costs_a_level():  # T09
    levels = []
    for days in range(4):
        position = table({"G12": "N-SFrn/6"}, cut_off={"N-SFrn/6": days})
        levels.append(command.level_of(position, "N-SFrn/6").id)
    assert levels == ["reduced", "minimum", "without", "without"]
    back = start(cut_off={"N-SFrn/6": 3})
    assert command.level_of(back, "N-SFrn/6").id == "normal"
    legion = table({"G12": "N-2Leg/5"}, cut_off={"N-2Leg/5": 3})
    assert command.level_of(legion, "N-2Leg/5").id == "normal"


@pytest.mark.rule("6.3.b3", "6.3.p2")
def test_evenings_without_effect_do_not_count_once_effectiveness_falls():
    legion = table({"G12": "N-2Leg/5 N-SFrn/6"})
    story = Unfolding(legion)
    count_command(story)
    assert story.position.cut_off == {"N-SFrn/6": 1}
    weak = {"disorganised": frozenset({"N-2Leg/5"})}, {"lost": {"N-2Leg/5": 2}}
    for changes in weak:
        assert command.level_of(story.position.but(**changes), "N-2Leg/5").id == "reduced"
        later = Unfolding(story.position.but(**changes))
        count_command(later)
        assert later.position.cut_off == {"N-2Leg/5": 1, "N-SFrn/6": 2}


@pytest.mark.rule("6.5.b2", "6.5.b4")
def test_supply_slows_vehicles_and_at_last_everybody():  # T10
    reduced = table({"J10": "N-Pz-2 N-SFrn/6", "M10": "R-T26-1"})
    assert factors.allowance(reduced, "N-Pz-2") == 2 * 7
    assert factors.allowance(reduced, "R-T26-1") == 2 * 6
    assert factors.allowance(reduced, "N-SFrn/6") == 2 * 6
    without = table({"J10": "N-Pz-2 N-1Tetu/4"}, cut_off={"N-Pz-2": 2, "N-1Tetu/4": 2})
    assert factors.allowance(without, "N-1Tetu/4") == 2 * 4
    assert factors.allowance(without, "N-Pz-2") == 0


# ------------------------------------------------------------------- 8, 9, 10 stacking and movement


@pytest.mark.rule("8", "8.p3")
def test_what_is_too_much_in_a_hex_goes_aside_when_the_activation_ends():  # T12
    position = start()
    assert position.troops_of(position.stacks["G11"]) == 10
    state = state_of(position, N)
    moved = play(state, o.Move(("N-Zap-III",), ("G11",)))
    ended = play(moved.state, o.Done())
    assert ended.found(e.UnitsDisplaced)
    assert ended.position.troops_of(ended.position.stacks["G11"]) <= 10


@pytest.mark.rule("8.p3", "20.1", "20.4", "20.7")
def test_engineers_that_go_aside_for_want_of_room_have_moved():
    full = " ".join(start().stacks["G11"])
    position = in_command(table({"I09": f"{full} N-Zap-II", "M18": "R-CG-CEC"}))
    assert engineers.is_idle(position, "N-Zap-II")
    ended = play(state_of(position, N, "N-2Leg/5"), o.Done()).position
    there = ended.at("N-Zap-II")
    assert there != "I09" and not engineers.is_idle(ended, "N-Zap-II")
    broken = state_of(in_command(ended.but(roads={there: "destroyed"})), N)
    assert rules_broken(broken, o.Engineer("N-Zap-II", "repair")) == ["20"]
    # A headquarters is driven back by the enemy: it may still make its least move.
    driven = e.UnitsDisplaced(("R-CG-CEC",), ("M19",)).apply(position)
    assert movement.is_least_move(driven, ("R-CG-CEC",), ("M20",))


@pytest.mark.rule("8.p3", "16")
def test_points_lost_for_want_of_room_are_a_reason_for_a_check_of_morale():
    near = tables().ground(LARGE).around["J13"]
    enemies = dict(zip(near, ("N-2Leg/5", "N-ACeu/5", "N-1TirIf/5", "N-2Alh/6", "N-SFrn/6",
                              "N-2Mel/6"), strict=True))  # fmt: skip
    position = in_command(table({"J13": "R-1/19 R-2/19 R-3/19", **enemies}))
    most = stacking.excess(position, "J13")
    assert most
    asked = State(position, (Displacing(R, "J13"),))
    lost = play(asked, o.Displace({}, {"R-3/19": most}), 10)
    assert lost.rolls == ["morale/#/R-3/19"]
    assert lost.position.demoralised == {"R-3/19"}


@pytest.mark.rule("10.p8")
def test_friends_in_the_way_cost_points_and_bar_the_road():  # T13
    position = table({"J10": "N-2Leg/5 N-1TirIf/5", "K10": "N-SFrn/6 N-Esc-II N-Zap-II",
                      "L10": "N-2Alh/6", "J09": "N-Art75-II"})  # fmt: skip
    units = ("N-Zap-II", "N-Esc-II")
    assert position.troops_of(position.stacks["J10"]) == 7

    def entering(unit, hex, start="K10"):
        return movement.stack_cost(position, (unit,), hex)

    assert entering("N-SFrn/6", "J10") == 4 and entering("N-SFrn/6", "L10") == 2
    assert entering("N-Zap-II", "J10") == 0
    assert movement.stack_cost(position, units, "J10") == 4  # together they are two points
    assert not movement.takes_road(position, ("N-SFrn/6",), "K10", "L10")
    assert movement.takes_road(position, ("N-2Alh/6",), "L10", "M10")
    # Enemies are no friends in the way: not for a scout, and not in a mobile attack.
    enemy = table({"J10": "N-2Leg/5 N-1TirIf/5"})
    assert movement.stack_cost(enemy, ("R-1/19",), "J10") == 0


@pytest.mark.rule("9.p4")
def test_enemy_zones_cost_a_point_to_leave_and_one_to_enter():  # T14
    position = table({"I14": "R-AMarty/12", "H13": "N-2Leg/5"})
    assert "H13" in zones.zones(position)[R] and "I13" in zones.zones(position)[R]
    cost = movement.step_cost(position, ("N-2Leg/5",), "N-2Leg/5", "H13", "I13", by_road=True)
    assert cost == 2 * 3


@pytest.mark.rule("9", "9.p6", "9.p7", "17.1.b3")
def test_where_zones_do_not_reach():  # T16
    below = table({"N12": "R-1/23 R-2/23", "N13": "N-2Leg/5"})
    assert "N13" not in zones.zones(below)[R] and "N12" in zones.zones(below)[N]
    tanks = table({"C16": "R-T26-1 R-T26-2 R-T26-3"})
    assert "C17" not in zones.zones(tanks)[R] and "C15" in zones.zones(tanks)[R]
    foot = table({"C16": "R-1/19"})
    assert "C17" in zones.zones(foot)[R]
    assert not zones.zones(foot.but(disorganised=frozenset({"R-1/19"})))[R]
    for units, has_zone in (("N-Zap-I N-Zap-II", False), ("N-Zap-I N-Zap-II N-Zap-III", True)):
        weak = table({"E09": units})
        assert all(weak.printed(unit).attack == 1 == weak.troops(unit) for unit in units.split())
        assert bool(zones.zones(weak)[N]) is has_zone
    over = table({"H11": "N-2Leg/5 N-Zap-III"})
    assert ways.who_helps(over, N, "H11", "H12") and "H12" not in zones.zones(over)[N]


@pytest.mark.rule("10.1", "10.p5")
def test_one_hex_is_always_open_unless_it_is_prohibited():  # T17
    position = table({"N12": "N-2Leg/5", "J11": "N-AT-II", "N14": "R-1/23"},
                     disorganised=frozenset({"N-2Leg/5", "N-AT-II"}))  # fmt: skip
    state = state_of(position, N)
    assert factors.allowance(position, "N-2Leg/5") == 6
    moved = play(state, o.Move(("N-2Leg/5",), ("N13",)))
    assert moved.position.at("N-2Leg/5") == "N13"
    assert factors.left_to_spend(moved.position, "N-2Leg/5") == 0
    assert rules_broken(state, o.Move(("N-AT-II",), ("I11",))) == ["10.p5"]


@pytest.mark.rule("10.1", "20.3", "20.4")
def test_the_one_hex_that_is_always_open_pays_for_no_work():
    late = table({"G11": "N-2Leg/5", "G13": "R-AMarty/12", "F20": "N-Zap-I"},
                 disorganised=frozenset({"N-2Leg/5"}), roads={"F19": "damaged"},
                 cut_off={"N-2Leg/5": 3, "N-Zap-I": 3})  # fmt: skip
    going = o.Move(("N-2Leg/5",), ("G12",))
    mending = o.Move(("N-Zap-I",), ("F19",))
    cut, mended = replace(going, cut={"G12": "destroyed"}), replace(mending, repair=("F19",))
    assert not rules_broken(state_of(late, N), going) + rules_broken(state_of(late, N), mending)
    assert rules_broken(state_of(late, N), cut) == ["10"]
    assert rules_broken(state_of(late, N), mended) == ["10"]
    fresh = late.but(disorganised=frozenset(), cut_off={})
    assert rules_broken(state_of(fresh, N), cut) == []
    assert rules_broken(state_of(fresh, N), mended) == []


# ------------------------------------------------------------------- 11 artillery


@pytest.mark.rule("11.1")
def test_a_battery_shares_its_points_between_moving_and_firing():  # T18
    position = table({"K10": "N-Art75-II", "L10": "N-2Leg/5", "K13": "R-1/23"})
    state = play(state_of(position, N), o.Move(("N-Art75-II",), ("K09", "K10"))).state
    left = factors.left_to_spend(state.position, "N-Art75-II")
    shots = left // 4
    for _ in range(shots):
        state = play(state, o.Bombard("K13", ("N-Art75-II",)), 1).state
    assert rules_broken(state, o.Bombard("K13", ("N-Art75-II",))) == ["11.1"]


@pytest.mark.rule("11.4", "11.5", "11.5.3")
def test_the_column_of_a_bombardment():  # T19, T20, T21
    woods = table({"H16": "R-1/19 R-2/19", "G16": "N-2Leg/5", "G12": "N-Art75-III N-Art105-III",
                   "H10": "N-CG-III N-CG-DRM"})  # fmt: skip
    order = o.Bombard("H16", ("N-Art75-III", "N-Art105-III"))
    column = artillery.fire_column(woods, N, order)
    table_ = tables().losses_by_fire
    assert (table_.heading(column), table_.at(column, 8), table_.at(column, 10)) == ("5-6", 1, 2)
    alone = table({"K13": "R-T26-1 R-T26-2", "K10": "N-Art75-II"})
    column = artillery.fire_column(alone, N, o.Bombard("K13", ("N-Art75-II",)))
    assert (table_.heading(column), table_.at(column, 10)) == ("0", 0)


@pytest.mark.rule("11.5.3")
def test_one_unit_takes_all_that_a_bombardment_costs():  # T21
    position = table({
        "K13": "R-1/19 R-2/19 R-T26-1 R-T26-2", "K12": "N-2Leg/5", "K10": "N-Art155",
    })  # fmt: skip
    played = play(state_of(position, N), o.Bombard("K13", ("N-Art155",)), 9, 7)
    (lost,) = played.found(e.TroopsLost)
    assert lost.points == 2 and lost.unit == "R-T26-1"


@pytest.mark.rule("11.5", "11.5.3")
def test_one_die_more_is_thrown_where_one_of_several_units_is_hit():
    def dice(units, only_guns=False, **at):
        there = {"K13": units, "K12": "N-2Leg/5", "K10": "N-Art155"}
        fire = Firing(N, o.Bombard("K13", ("N-Art155",), **at), is_counter=only_guns)
        return len(fire.chance(table(there)).draws)

    assert (dice("R-1/19"), dice("R-1/19 R-CG-19B"), dice("R-1/19 R-2/19")) == (1, 1, 2)
    assert dice("R-1/19 R-75", only_guns=True) == 1
    assert dice("R-1/19 R-2/19", at="road") == 1


@pytest.mark.rule("11.3", "11.4")
def test_where_guns_are_answered_the_others_in_their_hex_do_not_count():
    columns = []
    for others in ("R-75", "R-75 R-1/19 R-2/19"):
        there = table({"K13": others, "K12": "N-2Leg/5", "K10": "N-Art155"})
        for is_counter in (True, False):
            fire = Firing(N, o.Bombard("K13", ("N-Art155",)), is_counter=is_counter)
            faces = Faces([1] * len(fire.chance(there).draws))
            columns.append(kernel.roll(State(there, (fire,)), faces).events[0].column)
    assert columns == ["3-4", "3-4", "3-4", "7-9"]


@pytest.mark.rule("11.3")
def test_guns_are_answered_where_some_are_left_and_in_range():
    """Of one hex that fired the battery is gone, and nothing reaches the other."""
    position = in_command(table({"J14": "R-75 R-1/19", "K13": "N-Art155 N-2Leg/5",
                                 "J13": "N-2Alh/6", "A05": "N-Art75-II"}))  # fmt: skip
    asked = Countering(R, ("K13", "J13", "A05")).ask(position)
    assert [each.order for each in asked.options[0].examples(every)] == [
        o.Counterbattery(), o.Counterbattery(("R-75",), "K13")]  # fmt: skip
    assert Countering(R, ("J13",)).ask(position) is None


@pytest.mark.rule("11.3", "11.2.b3")
def test_guns_that_fire_may_be_answered_once():  # T22
    position = table({
        "K13": "R-1/23 R-75", "K12": "N-2Leg/5", "K10": "N-Art75-II", "J15": "R-1/17",
    })  # fmt: skip
    state = state_of(position, R)
    answer = o.Counterbattery(("N-Art75-II",), "K13")
    played = play(state, o.Bombard("K12", ("R-75",)), 1, 10, answers={"counterbattery": answer})
    shots = played.found(e.Bombarded)
    assert [shot.is_counter for shot in shots] == [False, True]
    assert {lost.unit for lost in played.found(e.TroopsLost)} <= {"R-75"}


@pytest.mark.rule("11.2.b3")
@pytest.mark.parametrize("at", [{"at": "bridge", "bridge": "B-SMV"}, {"at": "road"}, {}])
def test_only_guns_that_fire_at_units_are_answered(at):
    there = {"N08": "N-Art75-IV", "O13": "R-75", **({} if at else {"N10": "R-1/19"})}
    fired = kernel.submit(state_of(table(there), N), o.Bombard("N10", ("N-Art75-IV",), **at)).state
    asked = kernel.waits_for(kernel.roll(fired, Faces([1])).state)
    assert (getattr(asked, "stage", "") == "counterbattery") is (not at)


@pytest.mark.rule("11.5.1", "11.5.2", "11.2.b4")
def test_a_bridge_is_damaged_then_destroyed():  # T23
    position = table({"G11": "N-Art75-III N-Art105-III N-CG-III N-CG-DRM", "G12": "N-2Leg/5"})
    order = o.Bombard("G13", ("N-Art75-III", "N-Art105-III"), at="bridge", bridge="B-PIN")
    once = play(state_of(position, N), order, 8)
    assert once.position.bridges == {"B-PIN": "damaged"}
    assert tables().damage_by_fire.heading(3) == "5-6"
    damaged = once.position
    assert movement.step_cost(damaged, ("N-2Leg/5",), "N-2Leg/5", "G12", "G13", by_road=True) == (
        2 + 2 + 2
    )
    assert rules_broken(state_of(damaged, N), o.Move(("N-Art75-III",), ("G12", "G13"))) == ["10.p5"]
    twice = play(once.state, order, 8)
    assert twice.position.bridges == {"B-PIN": "destroyed"}
    told = [log_of(each.events, each.position)[-1] for each in (once, twice)]
    assert told == ["Puente del Pindoque is damaged", "Puente del Pindoque is destroyed"]


# ------------------------------------------------------------------- 12 combat


@pytest.mark.rule("12.3.2", "12.4.p3", "12.6.1", "12.1.b8", "12.1.b9", "12.1.b10", "12.4")
@pytest.mark.parametrize(("assigned", "odds", "column", "result"), [
    ({"R-11/17": "R-23B"}, "2:1", "1:1", "A1D2"), ({}, "4:1", "3:1", "D1R1"),
])  # fmt: skip
def test_a_regular_attack_with_support_on_both_sides(assigned, odds, column, result):  # T24, T25
    position = in_command(table(
        {"N08": "N-8Leg/7 N-1Mel/7", "N07": "N-Art75-IV", "M09": "R-1/23", "M10": "R-11/17"},
        works={"M09": "position"}, assigned=assigned, base={},
    ))  # fmt: skip
    order = o.Attack("M09", {"N08": ("N-8Leg/7", "N-1Mel/7")}, primary="N-8Leg/7",
                     support=o.Backing(("N-Art75-IV",)), advance=o.NONE)  # fmt: skip
    fight = combat_after(state_of(position, N), order)
    assert combat.attack_strength(position, fight) == 14
    assert fight.defence_guns == ({"R-11/17": "N08"} if assigned else {})
    table_ = tables().combat
    assert table_.heading(combat.column_of(position, fight)) == odds
    final = combat.final_column(position, fight)
    assert table_.heading(final) == column
    # Effectiveness 8 against 3, die 6: two more; combat die 6.
    assert tables().effectiveness_modifier(5, 6) == 2
    assert combat.result_of(position, final, 6 + 2) == result


def combat_after(state, order):
    """The combat as it stands before its dice, with the default support of the defence."""
    step = kernel.submit(state, order)
    while True:
        wanted = kernel.waits_for(step.state)
        if not hasattr(wanted, "default"):
            return step.state.position.combat
        step = kernel.submit(step.state, wanted.default)


@pytest.mark.rule("12.3.3", "12.3.3.p2", "12.6.5", "J.2", "J.3")
def test_the_surprise_at_the_bridge():  # T26
    order = o.Attack("G13", {"G12": ("N-1TirIf/5", "N-Zap-III")}, "prepared",
                     support=o.Backing(("N-Art75-III", "N-Art105-III")))  # fmt: skip
    played = play(state_of(start(), N), order, 3, 7, 5)
    (roll,) = played.found(e.CombatRolled)
    assert (roll.attack, roll.defence, roll.odds, roll.column) == (24, 6, "4:1", "3:1")
    assert roll.effectiveness == 1 and dict(roll.modifiers) == {"engineers": 1, "surprise": 1}
    assert roll.result == "D1R1"
    assert played.position.lost == {"R-AMarty/12": 1}
    assert played.position.at("N-1TirIf/5") == played.position.at("N-Zap-III") == "G13"
    assert played.position.successes == {N: 1}
    assert [event.die for event in played.found(e.BridgeHeld)] == [3]
    lines = log_of(played.events, played.position)
    assert "the charges at Puente del Pindoque: die 3, nothing happens [rule J.3]" in lines
    assert any("(prepared, a surprise by rule J.2)" in line for line in lines)
    # A prepared attack takes all points.
    for unit in ("N-1TirIf/5", "N-Zap-III"):
        assert not factors.left_to_spend(played.position, unit)


@pytest.mark.rule("J.2")
def test_which_attack_is_the_surprise():
    own, support = ("N-1TirIf/5",), ("N-Zap-III",)
    drill = start()
    drill.__dict__["plain"] = {**drill.plain, "special": ()}
    borrowed = start(assigned={"N-2Alh/6": "N-R5"})

    def attacked(hex, is_reaction=False):
        fight = Combat(N, hex, "regular", (), {}, (), is_reaction=is_reaction)
        return e.CombatBegan(fight).apply(start())

    for position, units, hex, wanted in (
        (start(), {"G12": own}, "G13", True),
        (start(), {"G12": own + support}, "G13", True),
        (start(), {"G12": support}, "G13", False),
        (start(assigned={"N-Zap-III": "N-R5"}), {"G12": support}, "G13", True),
        (borrowed, {"G12": (*own, "N-2Alh/6")}, "G13", False),
        (start(), {"G12": own, "H12": support}, "G13", False),
        (start(), {"G12": own}, "H13", False),
        (start(day=2), {"G12": own}, "G13", False),
        (attacked("H13"), {"G12": own}, "G13", True),
        (attacked("G13"), {"G12": own}, "G13", False),
        (attacked("G13", is_reaction=True), {"G12": own}, "G13", True),
        (drill, {"G12": own}, "G13", False),
    ):
        assert combat.is_surprise(position, o.Attack(hex, units)) is wanted, (units, hex)
    for crossing, is_surprise, wanted in (
        ("bridge", True, True),
        ("damaged_bridge", True, True),
        ("river", True, False),
        ("bridge", False, False),
    ):
        fight = Combat(N, "G13", "regular", (), {}, (), is_surprise=is_surprise)
        assert combat._ignored(fight, crossing) is wanted, (crossing, is_surprise)
    fight = Combat(N, "G13", "regular", (), {}, ())
    assert combat.surprise(start(), replace(fight, is_surprise=True)) == 1
    assert combat.surprise(start(), fight) == 0


@pytest.mark.rule("J.3")
def test_over_a_bridge_that_charges_have_damaged_go_those_who_can():
    position = placed(start(), ("N-Pz-1",), "G12")
    both = ("N-1TirIf/5", "N-Pz-1")
    attack = o.Attack("G13", {"G12": both}, primary="N-Pz-1", support=o.Backing(), advance=o.NONE)
    hurt = play(state_of(in_command(position), N), attack, 8, 7, 5)
    assert [event.combat.attackers for event in hurt.found(e.CombatBegan)] == [("N-1TirIf/5",)]
    assert hurt.position.cycle.attacked == {"N-1TirIf/5"}
    tanks = "Light tank company 1 (Panzer I), III Bda (N-Pz-1)"
    stays = "left behind: {}; what is left of the bridge does not bear them [rule J.3]"
    told = log_of(hurt.events, hurt.position)
    assert "the charges at Puente del Pindoque: die 8, it is damaged [rule J.3]" in told
    assert stays.format(tanks) in told
    gone = play(state_of(in_command(position), N), attack, 10)
    assert "the charges at Puente del Pindoque: die 10, it is destroyed [rule J.3]" in log_of(
        gone.events, gone.position)  # fmt: skip
    assert not gone.found(e.CombatBegan) and not gone.position.cycle.attacked
    assert log_of(gone.events, gone.position)[-1] == (
        "the attack on Pindoque, orilla este (G13) comes to nothing: nobody can cross any more"
    )
    free = {hex: units for hex, units in position.stacks.items() if hex != "G13"}
    watched = position.but(stacks={**free, "H13": position.stacks["G13"]})
    all_of_them = f"I Tabor de Tiradores de Ifni (Molero, N-1TirIf/5) and {tanks}"
    for die, there, left in ((7, both, ""), (8, both[:1], tanks), (10, (), all_of_them)):
        moved = play(state_of(in_command(watched), N), o.Move(both, ("G13",)), die)
        assert moved.position.units_at("G13") == there, die
        told = log_of(moved.events, moved.position)[-1]
        assert (told == stays.format(left)) is bool(left)
    # Without the bridge nobody crosses with the help of engineers either, nor attacks beside it.
    stacks = {"G12": "N-1TirIf/5 N-Zap-III", "H12": "N-2Leg/5", "G13": "R-1/19"}
    state = state_of(in_command(table(stacks, day=3)), N)
    for units in ({"G12": both[:1]}, {"G12": (both[0], "N-Zap-III")},
                  {"G12": both[:1], "H12": ("N-2Leg/5",)}):  # fmt: skip
        gone = play(state, o.Attack("G13", units), 10)
        assert not gone.found(e.CombatBegan) and not gone.position.cycle.touched, units
    stacks = {"G12": stacks["G12"], "H12": "R-1/19"}
    moved = play(state_of(in_command(table(stacks, day=3)), N), o.Move(both[:1], ("G13",)), 10)
    assert moved.position.at(both[0]) == "G12" and not moved.position.cycle.touched


@pytest.mark.rule("J.3", "21.2")
def test_whoever_may_react_is_told_what_it_costs_and_of_the_charges_before_it():
    position = in_command(table({"G12": "N-1TirIf/5", "G13": "R-Cab/12"}, day=1))
    asked = Reacting(N, "G12", "R-Cab/12").ask(position)
    cost = (
        "a regular attack that costs no activation and no points; nothing supports it, and "
        "nobody advances, unless Pindoque, orilla este (G13) is left before the combat"
    )
    assert asked is not None and words(asked.options[0].note) == (
        f"{cost}; first a die for the charges at Puente del Pindoque: with 8 or more it is "
        "damaged, with 10 or more it is destroyed (J.3)"
    )
    later = Reacting(N, "G12", "R-Cab/12").ask(position.but(day=4))
    assert later is not None and words(later.options[0].note) == cost


@pytest.mark.rule("J.3", "21.2", "J.2")
def test_charges_go_off_before_a_reaction_across_the_bridge():
    both = ("N-1TirIf/5", "N-Pz-1")
    position = table({"G12": " ".join(both), "G13": "R-Cab/12 R-AMarty/12"}, day=1)
    state, answer = state_of(in_command(position), R), {"react": o.React(both)}
    for die, attackers in ((7, both), (8, both[:1]), (10, ())):
        faces = (10, die, 5, 10)[: 4 if attackers else 2]
        played = play(state, o.Scout("R-Cab/12", "G12"), *faces, answers=answer)
        assert played.rolls[:2] == ["scouting/#", "charges/#"]
        fights = [event.combat.attackers for event in played.found(e.CombatBegan)]
        assert fights == ([attackers] if attackers else []), die
        assert len(played.found(e.AttackStopped)) == (not attackers)
        # They go off once, and the surprise is left to an attack.
        assert played.position.used == {"J.3/B-PIN"}
    late = state_of(in_command(position.but(day=4)), R)
    played = play(late, o.Scout("R-Cab/12", "G12"), 10, 5, 10, answers=answer)
    assert "charges/#" not in played.rolls and not played.position.used
    # Nor does anybody then react with the help of engineers.
    stacks = {"G12": f"{both[0]} N-Zap-III", "G13": "R-Cab/12"}
    helped = state_of(in_command(table(stacks, day=3)), R)
    gone = play(helped, o.Scout("R-Cab/12", "G12"), 10, 10, answers={"react": o.React(both[:1])})
    assert not gone.found(e.CombatBegan) and gone.found(e.AttackStopped)


def test_over_a_broken_bridge_the_river_is_told_as_the_reason_and_not_the_ground_beyond():
    """Engineers beside the river do not help in every step."""
    broken = start(day=5, bridges={"B-PIN": "destroyed"}, weather="clear")
    assert [*ways.crossed(broken, "G12", "G13", N)] == ["supported_river"]
    why = words(movement.why_prohibited(broken, "N-1TirIf/5", "G12", "G13"))
    assert why.endswith("what lies between G12 and G13: a river without a bridge")


@pytest.mark.rule("J.3")
def test_charges_go_off_once_where_the_enemy_crosses_a_whole_bridge_that_is_watched():
    west, east, pindoque = ("G12", "G13"), ("N10", "N11"), "B-PIN"
    watched = table({"G13": "R-1/19", "N11": "R-1/48", "C15": "R-2/19"}, day=3)
    plain = watched.but()
    plain.__dict__["plain"] = {**watched.plain, "special": ()}
    for position, side, path, bridge in (
        (watched, N, west, pindoque),
        (watched, N, east, "B-SMV"),
        (watched, N, ("H11", *west), pindoque),
        (watched, N, ("H11", "G12"), ""),
        (table({"G12": "R-1/19"}, day=3), R, west[::-1], ""),
        (watched, R, west, ""),
        (plain, N, west, ""),
        (watched.but(day=4), N, west, ""),
        (watched, N, ("C14", "C15"), ""),
        (watched.but(bridges={pindoque: "damaged"}), N, west, ""),
        (watched.but(used=frozenset({f"J.3/{pindoque}"})), N, west, ""),
        (watched.but(used=frozenset({"J.3/B-SMV"})), N, west, pindoque),
        (table({"H13": "R-1/19"}, day=1), N, west, ""),
        (table({"H12": "R-1/19"}, day=1), N, west, pindoque),
        (table({"F12": "R-1/19"}, day=1), N, west, ""),
        (table({"G13": "N-2Leg/5"}, day=1), N, west, ""),
        (table({"G12": "R-1/19", "F12": "R-2/19"}, day=1), N, west[::-1], ""),
        (table({"H12": "R-1/19"}, day=1), N, west[::-1], pindoque),
    ):
        assert engineers.charged(position, side, path) == bridge, (side, path, position.stacks)


@pytest.mark.rule("12.3.3", "12.6.5", "5.3.1.b1")
def test_the_same_attack_without_the_rules_of_the_first_day():  # T27
    order = o.Attack("G13", {"G12": ("N-1TirIf/5", "N-Zap-III")}, "prepared",
                     support=o.Backing(("N-Art75-III", "N-Art105-III")))  # fmt: skip
    position = start(day=4)
    played = play(state_of(position, N), order, 7, 5, answers={"defend": o.Defend()})
    (roll,) = played.found(e.CombatRolled)
    assert roll.column == "1:1" and roll.result == "A1D1"
    assert dict(roll.shifts) == {"works": -1, "hexside": -2}
    assert played.position.successes == {}


@pytest.mark.rule("12.3.4")
def test_only_an_improvised_attack_follows_an_advance():  # T28
    position = table({"K13": "N-2Leg/5", "K12": "N-Art75-III", "K14": "R-1/48"})
    state = state_of(position, N)
    state = State(e.UnitsAdvanced(("N-2Leg/5",), ("K13",)).apply(state.position), state.agenda)
    attack = o.Attack("K14", {"K13": ("N-2Leg/5",)})
    assert rules_broken(state, attack) == ["12.3.4"]
    improvised = o.Attack("K14", {"K13": ("N-2Leg/5",)}, "improvised")
    assert rules_broken(state, improvised) == []
    guns = o.Attack("K14", {"K13": ("N-2Leg/5",)}, "improvised",
                    support=o.Backing(("N-Art75-III",)))  # fmt: skip
    assert rules_broken(state, guns) == ["12.3.4"]
    assert combat.strength(position, ("N-2Leg/5",), "improvised") == {"N-2Leg/5": 3}


TANKS = {"F17": "R-T26-1 R-T26-2", "F18": "R-CG-1BB", "F20": "R-CG-CEC"}


@pytest.mark.rule("12.3.1", "12.4", "12.4.p2", "12.6.2", "12.6.3", "12.3.5", "12.3.1.p3",
                  "12.3.1.p5")  # fmt: skip
def test_a_mobile_attack_of_two_tank_companies():  # T29
    # The tabor stands in the open, with a battery of its regiment in range.
    position = table({
        **TANKS, "F15": "N-2Alh/6", "E14": "N-CG-R6", "D14": "N-Art105-III",
        "D13": "N-CG-III", "C13": "N-CG-DRM",
    }, assigned={"N-Art105-III": "N-R6"})  # fmt: skip
    moved = play(state_of(position, R), o.Move(("R-T26-1", "R-T26-2"), ("F16",)))
    order = o.Attack("F15", {"F16": ("R-T26-1", "R-T26-2")}, "mobile")
    assert rules_broken(moved.state, order) == []
    played = play(moved.state, order, 8, 4, 6)
    allowed = played.found(e.SupportAllowed)
    assert [(each.die, each.is_allowed) for each in allowed] == [(8, False)]
    (roll,) = played.found(e.CombatRolled)
    assert (roll.attack, roll.defence, roll.odds) == (8, 4, "2:1")
    assert dict(roll.shifts)["armour"] == 2


@pytest.mark.rule("12.6.2", "12.3.5")
def test_an_armoured_attack_has_no_efficiency():  # T30
    position = table({**TANKS, "F16": "N-2Alh/6", "G10": "N-CG-R6"})
    order = o.Attack("F16", {"F17": ("R-T26-1", "R-T26-2")}, advance=o.NONE)
    fight = combat_after(state_of(position, R), order)
    assert combat.attack_strength(position, fight) == 8
    assert combat.superior_armour(position, fight) == 2
    assert combat.armour_efficiency(position, fight) == 0
    foot = table({**TANKS, "F17": "R-T26-1 R-1/19", "F16": "N-2Alh/6"})
    order = o.Attack("F16", {"F17": ("R-T26-1", "R-1/19")}, advance=o.NONE)
    fight = combat_after(state_of(foot, R), order)
    assert combat.armour_efficiency(foot, fight) == 1  # in clear ground


@pytest.mark.rule("12.6.2")
def test_antitank_points_count_only_where_tanks_fight():  # T31
    position = table({"F16": "N-2Alh/6 N-AT-III", "F17": "R-1/19 R-AT-1"})
    fight = combat_after(state_of(position, R), o.Attack("F16", {"F17": ("R-1/19",)}))
    assert combat.superior_armour(position, fight) == 0


@pytest.mark.rule("12.2", "12.2.b1", "12.2.b2", "12.2.p2")
def test_who_may_retreat_before_combat():  # T32
    def may(defenders, attackers):
        position = table({"F17": defenders, "F16": attackers})
        fight = Combat(N, "F17", "regular", tuple(attackers.split()), {}, tuple(defenders.split()))
        return combat.may_withdraw(position, fight)

    assert may("R-T26-1", "N-2Alh/6")
    assert not may("R-T26-1", "N-2Alh/6 N-AT-III")
    # In supply: the companies are beside their headquarters.
    assert not may("R-T26-1 R-1/19", "N-2Alh/6")


@pytest.mark.rule("12.3.1.b1", "12.3.1.b2", "12.3.1.b4", "12.3.1.b7")
def test_what_a_mobile_attack_may_not_be():  # T33
    zone = table({"F16": "N-2Alh/6", "F17": "R-T26-1 R-T26-2"})
    order = o.Attack("F16", {"F17": ("R-T26-1", "R-T26-2")}, "mobile")
    assert rules_broken(state_of(zone, R), order) == ["12.3.1.b2"] * 2
    crowd = table({"F16": "N-2Leg/5 N-ACeu/5", "F18": "R-T26-1 R-T26-2 R-T26-3"})
    moved = play(state_of(crowd, R), o.Move(("R-T26-1", "R-T26-2", "R-T26-3"), ("F17",)))
    order = o.Attack("F16", {"F17": ("R-T26-1", "R-T26-2", "R-T26-3")}, "mobile")
    assert rules_broken(moved.state, order) == ["12.3.1.b7"]


@pytest.mark.rule("12.6.7")
def test_a_concentric_attack_moves_a_column():  # T34
    # In the rows at the edge of the map hexes have four neighbours, two of them opposite.
    for hex, one, other, shift in (("J14", "I14", "K15", 1), ("J14", "J13", "J15", 1),
                                   ("J14", "I14", "J15", 0), ("A05", "A04", "A06", 1),
                                   ("A05", "A04", "B05", 0)):  # fmt: skip
        position = table({hex: "R-1/23", one: "N-2Alh/6", other: "N-2Mel/6"})
        order = o.Attack(hex, {one: ("N-2Alh/6",), other: ("N-2Mel/6",)})
        fight = combat_after(state_of(position, N), order)
        assert combat.concentric(position, fight) == shift, (hex, one, other)


@pytest.mark.rule("13", "13.1", "13.1.b1", "13.1.b2", "13.1.b5")
def test_losses_weaken_at_half_strength():  # T35
    position = start(lost={"N-2Leg/5": 2, "N-2Alh/6": 1})
    assert (factors.attack(position, "N-2Leg/5"), factors.defence(position, "N-2Leg/5"),
            factors.effectiveness(position, "N-2Leg/5")) == (3, 3, 7)  # fmt: skip
    assert not position.is_weakened("N-2Alh/6")
    assert position.but(lost={"N-2Alh/6": 2}).is_weakened("N-2Alh/6")


@pytest.mark.rule("16", "16.1")
def test_a_check_of_morale():  # T36, T37
    position = start(lost={"R-1/23": 1, "N-2Leg/5": 2, "N-Zap-I": 0})
    woods = position.but(stacks={**position.stacks, "N14": ("R-1/23",),
                                 "H12": ("R-2/23",), "J12": ("R-2/17",)})  # fmt: skip
    assert fate.morale_limit(woods, "R-1/23") == 6
    assert fate.morale_modifier(woods, "R-1/23") == -1
    assert not fate.must_check(position, "N-2Leg/5")
    assert not fate.must_check(position.but(lost={"N-Zap-I": 1}), "N-Zap-I")


@pytest.mark.rule("14", "14.p5", "15.A", "15.D", "9.p5")
def test_ways_of_retreat():  # T39
    slope = table({"H13": "R-T26-1 R-1/19"})
    assert not retreat.can_go(slope, "R-T26-1", "H13", "H14")
    assert retreat.can_go(slope, "R-1/19", "H13", "H14")
    bridge = table({"G13": "N-2Leg/5"}, bridges={"B-PIN": "destroyed"})
    assert not retreat.can_go(bridge, "N-2Leg/5", "G13", "G12")
    assert retreat.can_go(bridge.but(bridges={}), "N-2Leg/5", "G13", "G12")
    # As far as a retreat leads, up to so many hexes; all of a stack together.
    before, behind = {"G14": "R-1/19"}, {"F11": "R-1/48", "G11": "R-2/19", "H11": "R-3/19"}
    for enemies, bridges, most in ((before, {}, [0, 1, 2, 3]), (before | behind, {}, [0, 1, 1, 1]),
                                   (before, dict.fromkeys(slope.ground.bridges, "destroyed"),
                                    [0, 0, 0, 0])):  # fmt: skip
        position = in_command(table({"G13": "N-2Leg/5", **enemies}, bridges=bridges))
        found = [retreat.most_hexes(position, ("N-2Leg/5",), length) for length in range(4)]
        assert found == most, enemies


@pytest.mark.rule("17.2")
def test_a_headquarters_alone_goes_back_without_a_die():  # T41
    position = table({"F17": "R-CG-12BI", "F16": "N-2Alh/6"})
    order = o.Attack("F17", {"F16": ("N-2Alh/6",)}, advance=o.NONE)
    played = play(state_of(position, N), order)
    assert "R-CG-12BI" in played.position.disorganised
    assert start().ground.distance(played.position.at("R-CG-12BI"), "F17") == 2
    assert played.rolls == []


@pytest.mark.rule("20.1")
def test_who_watches_a_bridge_decides_about_the_die():  # T42, T61
    def modifier(enemies):
        position = table({"G13": "N-Zap-III", **enemies})
        return engineers.blow_modifier(position, "N-Zap-III", position.ground.bridges["B-PIN"])

    assert modifier({}) is None
    assert modifier({"G12": "R-1/19"}) == 1 and modifier({"G12": "R-Zap-1"}) == 3
    assert modifier({"F12": "R-1/19"}) == 1 and modifier({"H12": "R-1/19"}) == 0
    position = table({"G13": "N-Zap-III", "G12": "R-1/19"})
    order = o.Engineer("N-Zap-III", "blow", bridge="B-PIN")
    assert play(state_of(position, N), order, 8).position.bridges == {}
    assert play(state_of(position, N), order, 7).position.bridges == {"B-PIN": "destroyed"}


@pytest.mark.rule("20.6", "14")
def test_a_pontoon_unit_is_a_bridge_while_it_stays():  # T44
    position = table({"H11": "N-Pont-1 N-2Leg/5", "J11": "N-2Alh/6"})
    laid = play(state_of(position, N), o.Engineer("N-Pont-1", "bridge", to="H12"))
    assert movement.step_cost(laid.position, ("N-2Leg/5",), "N-2Leg/5", "H11", "H12",
                              by_road=True) == 4  # fmt: skip
    assert retreat.can_go(laid.position, "N-2Leg/5", "H11", "H12")
    broken = position.but(disorganised=frozenset({"N-Pont-1"}))
    assert rules_broken(state_of(broken, N), o.Engineer("N-Pont-1", "bridge", to="H12")) == ["20"]


@pytest.mark.rule("20.b8", "20.9", "J.4")
def test_engineers_help_across_a_river_after_the_flood():  # T45
    stacks = {"H11": "N-Zap-III N-2Leg/5 N-Pz-1"}
    flood = table(stacks, day=1)
    order = o.Move(("N-2Leg/5",), ("H12",))
    ((rule, why),) = faults(state_of(flood, N), order)
    assert rule == "10.p5" and why.endswith("it is in flood, and engineers help nobody across "
                                            "[rule J.4]")  # fmt: skip
    assert all("J.4" not in why for position in (table(stacks, day=3, weather="rain"),
                                                 table({"H11": "N-2Leg/5"}, day=3))
               for _, why in faults(state_of(position, N), order))  # fmt: skip
    later = table(stacks, day=3)
    assert movement.step_cost(later, ("N-2Leg/5",), "N-2Leg/5", "H11", "H12", by_road=True) == 8
    assert rules_broken(state_of(later, N), o.Move(("N-Pz-1",), ("H12",))) == ["10.p5"]
    rain = table(stacks, day=3, weather="rain")
    assert rules_broken(state_of(rain, N), order) == ["10.p5"]


@pytest.mark.rule("20.9")
def test_engineers_that_help_across_a_river_do_nothing_else_that_day():
    stacks = {"H11": "N-Zap-III N-Zap-II N-2Leg/5 N-ACeu/5", "J13": "N-Zap-IV", "J14": "R-1/19"}
    position = in_command(table(stacks, busy=frozenset({"N-Zap-II"})))
    state = state_of(position, N)
    first = play(state, o.Move(("N-2Leg/5",), ("H12",)))
    assert [each.unit for each in first.found(e.RiverHelped)] == ["N-Zap-III"]
    again = play(first.state, o.Move(("N-ACeu/5",), ("H12",)))
    assert not again.found(e.RiverHelped)
    for order in (o.Move(("N-Zap-III",), ("G11",)), o.Engineer("N-Zap-III", "repair")):
        assert rules_broken(again.state, order) == ["20.9"]
    assert rules_broken(again.state, o.Move(("N-Zap-II",), ("G11",))) == []
    assert not engineers.is_idle(again.position, "N-Zap-III")
    night = e.DayBegan(5, "clear").apply(again.position)
    assert not night.tasks and night.day == 5


@pytest.mark.rule("20.9")
def test_no_engineer_helps_itself_across():
    alone = in_command(table({"H11": "N-Zap-III"}))
    over = o.Move(("N-Zap-III",), ("H12",))
    assert rules_broken(state_of(alone, N), over) == ["10.p5"]
    assert not combat.reaches(alone, "N-Zap-III", "H12")
    helped = in_command(table({"H11": "N-Zap-III N-Zap-II"}))
    assert rules_broken(state_of(helped, N), over) == []
    assert rules_broken(state_of(helped, N), o.Move(("N-Zap-III", "N-Zap-II"), ("H12",))) == (
        ["10.p5"]
    )
    both = helped.but(stacks={**helped.stacks, "H12": ("R-1/19",)}, away=helped.away)
    assert rules_broken(state_of(both, N), o.Attack("H12", {"H11": ("N-Zap-III",)})) == []
    assert rules_broken(state_of(both, N), o.Attack("H12", {"H11": ("N-Zap-III", "N-Zap-II")})) == (
        ["9.p2", "9.p2"]
    )
    walked = helped.but(walked=frozenset({"N-Zap-II"}))
    assert rules_broken(state_of(walked, N), over) == ["10.p5"]


@pytest.mark.rule("20.6")
def test_a_pontoon_unit_is_no_bridge_for_itself_or_those_who_leave_with_it():
    laid = in_command(table({"H11": "N-2Leg/5 N-Pz-1 N-Pont-1", "H10": "R-1/19"},
                            pontoons={"N-Pont-1": key_of("H11", "H12")}))  # fmt: skip
    now = state_of(laid, N)
    assert rules_broken(now, o.Move(("N-Pz-1",), ("H12",))) == []
    told = "the bridge between H11 and H12, but not for itself and those who leave with it"
    for units in (("N-Pont-1",), ("N-Pz-1", "N-Pont-1")):
        ((rule, why),) = faults(now, o.Move(units, ("H12",)))
        assert rule == "20.6" and why.endswith(told)
    fleeing = State(now.position, (Retreating(N, ("N-Pont-1",), 1),))
    ((rule, why),) = faults(fleeing, o.Retreat({"N-Pont-1": ("H12",)}))
    assert rule == "14.p5" and why.endswith(told)
    for unit, over in (("N-Pz-1", True), ("N-Pont-1", False)):
        assert (movement.reachable(laid, unit).get("H12") == ("H12",)) is over
        assert retreat.can_go(laid, unit, "H11", "H12") is over


@pytest.mark.rule("20.6", "14.p5", "8.p3")
def test_nobody_retreats_over_the_bridge_of_a_pontoon_unit_that_leaves_or_is_lost():
    def fleeing(stack, length=1, **changes):
        laid = table({"A05": stack, "A06": "R-1/19"}, pontoons={"N-Pont-1": key_of("A05", "B04")},
                     **changes)  # fmt: skip
        units = laid.stacks["A05"]
        return units, State(in_command(laid), (Retreating(N, units, length),))

    (foot, pontoon), state = fleeing("N-1Mel/7 N-Pont-1")
    over, aside = ("B04",), ("B05",)
    ((rule, why),) = faults(state, o.Retreat({foot: over, pontoon: aside}))
    assert rule == "14.p5" and "not for itself and those who leave with it" in why
    assert rules_broken(state, o.Retreat({foot: over}, {pontoon: 1})) == ["14.p5"]
    assert rules_broken(state, o.Retreat({foot: over}, {foot: 1, pontoon: 0})) == ["14.p3"]
    # Over the bridge of one that stays, and pays for it with others.
    for paths in ({foot: over}, {foot: over, pontoon: ()}):
        assert rules_broken(state, o.Retreat(paths, {foot: 1})) == []
    # What nobody says is never refused: neither is what goes aside for want of room.
    for stack in ("N-1Mel/7 N-Pont-1", "N-Pont-1 N-Art75-III", "N-Art75-III N-Pont-1"):
        for length in (1, 2):
            for lost in ({}, {"N-1Mel/7": 2}, {"N-Art75-III": 2}):
                units, state = fleeing(stack, length, lost=lost)
                default = retreat.default_retreat(state.position, units, length)
                assert rules_broken(state, default) == [], default
    _, state = fleeing("N-8Leg/7 N-2Leg/5 N-Art105-III N-Pont-1 N-Zap-III")
    full = in_command(state.position.but(stacks={"A05": state.position.stacks["A05"]}))
    wanting = State(full, (Displacing(N, "A05"),))
    assert rules_broken(wanting, o.Displace({"N-Zap-III": over, pontoon: aside})) == ["14.p5"]
    default = retreat.default_displacement(full, "A05", N)
    assert rules_broken(wanting, default) == [], default


@pytest.mark.rule("14", "15.C")
def test_the_room_for_a_retreat_is_judged_after_its_losses():
    # B05 holds ten troop points: seven are there, so the four that come find room with one lost.
    stacks = {"A05": "N-8Leg/7", "B05": "N-Art75-III N-1Mel/7 N-Pont-1", "A06": "R-1/19"}
    position = in_command(table(stacks))
    assert position.troops_of(position.stacks["B05"]) == 7 and position.troops("N-8Leg/7") == 4
    state = State(position, (Retreating(N, ("N-8Leg/7",), 2),))
    paid = o.Retreat({"N-8Leg/7": ("B05",)}, {"N-8Leg/7": 1})
    assert rules_broken(state, paid) == []
    unpaid = State(position, (Retreating(N, ("N-8Leg/7",), 1),))
    assert set(rules_broken(unpaid, o.Retreat(paid.paths))) == {"15.C"}


@pytest.mark.rule("20.9", "J.4", "6.2.p3")
def test_who_has_helped_helps_again_and_nobody_does_over_a_river_in_flood():
    two = in_command(table({"H11": "N-Zap-II N-Zap-III"}))
    first, second = two.board.in_order(("N-Zap-II", "N-Zap-III"))
    assert ways.who_helps(two, N, "H11", "H12") == first
    helped = two.but(tasks={second: Task("help", "H11", 4)})
    assert ways.who_helps(helped, N, "H11", "H12") == second
    at_work = two.but(tasks={first: Task("repair", "H11", 4)})
    assert ways.who_helps(at_work, N, "H11", "H12") == second
    assert ways.command_cost(two, "H11", "H12", N) is None
    ground = two.ground
    other = next(key for key, river in ground.river_of.items() if river != "Jarama"
                 and key not in ground.bridge_at)  # fmt: skip
    here, there = other.split("-")
    for day, helper in ((1, ""), (2, ""), (3, "N-Zap-III")):
        assert ways.who_helps(table({here: "N-Zap-III"}, day=day), N, here, there) == helper


@pytest.mark.rule("20.9", "12.3.2")
def test_an_advance_over_a_river_takes_the_engineers_day():
    position = in_command(table({"H11": "N-2Leg/5 N-Zap-III", "H12": "R-1/19"}))
    position = position.but(lost={"R-1/19": position.troops("R-1/19") - 1})
    attack = o.Attack("H12", {"H11": ("N-2Leg/5",)}, advance=o.Following(("N-2Leg/5",)))
    won = play(state_of(position, N), attack, 10, 10)
    assert won.position.at("N-2Leg/5") == "H12"
    assert ways.has_helped(won.position, "N-Zap-III")
    assert "H11" not in combat.able_against(won.position, N, "H12")


@pytest.mark.rule("20.9", "12.1", "21")
def test_who_helps_an_attack_or_a_look_across_a_river_has_helped():
    position = in_command(table({"H11": "N-Zap-III N-2Leg/5 N-Cab-1", "H12": "R-1/19"}))
    attack = o.Attack("H12", {"H11": ("N-2Leg/5",)}, advance=o.NONE)
    for order, faces in ((attack, (5, 5)), (o.Scout("N-Cab-1", "H12"), (1,))):
        done = play(state_of(position, N), order, *faces)
        assert [each.unit for each in done.found(e.RiverHelped)] == ["N-Zap-III"]
        for later in (o.Move(("N-Zap-III",), ("G11",)), o.Engineer("N-Zap-III", "destroy_rail")):
            assert rules_broken(done.state, later) == ["20.9"]
    fight = Combat(R, "H11", "regular", ("R-1/19",), {"H12": ("R-1/19",)}, ("N-Zap-III",))
    repairing = done.position.but(tasks={**done.position.tasks, "N-2Leg/5": Task("repair", "B", 4)})
    attacked = e.CombatBegan(fight).apply(repairing)
    assert attacked.tasks == done.position.tasks, "it has helped all the same"


@pytest.mark.rule("20.9", "14", "8.p3", "21.2")
def test_who_has_helped_does_nothing_else_wherever_it_is_driven():
    helped = {"N-Zap-III": Task("help", "H11", 4), "N-Zap-II": Task("repair", "B", 3)}
    position = table({"H11": "N-Zap-III N-Zap-II N-1Mel/7", "H10": "R-Cab/12"}, tasks=helped)
    seen = in_command(position)
    assert recon.may_react(seen, "H11", "R-Cab/12") == ("N-Zap-II", "N-1Mel/7")
    both = ("N-Zap-III", "N-Zap-II")
    for event in (e.UnitsRetreated(both, ("I11",)), e.UnitsDisplaced(both, ("I11",))):
        driven = in_command(event.apply(position))
        assert set(driven.tasks) == {"N-Zap-III"}
        state = state_of(driven, N)
        for unit, rules in (("N-Zap-III", ["20.9"]), ("N-Zap-II", [])):
            assert rules_broken(state, o.Move((unit,), ("J11",))) == rules
        assert not engineers.is_idle(driven, "N-Zap-III")


@pytest.mark.rule("20.9")
def test_engineers_that_have_fought_help_nobody_across():
    position = table({"H11": "N-Zap-III N-2Leg/5"})
    assert ways.who_helps(in_command(position), N, "H11", "H12") == "N-Zap-III"
    fought = in_command(position.but(fought=frozenset({"N-Zap-III"})))
    assert rules_broken(state_of(fought, N), o.Move(("N-2Leg/5",), ("H12",))) == ["10.p5"]


@pytest.mark.rule("20.b6", "20.7")
def test_what_can_be_built_in_the_evening():  # T46
    position = table({"J10": "N-2Leg/5 N-Zap-II", "K10": "N-SFrn/6", "L10": "N-2Alh/6"},
                     walked=frozenset({"N-SFrn/6"}), works={"L10": "fortification"})  # fmt: skip
    assert engineers.buildable(position, N) == {"J10": ("position", "fortification")}


@pytest.mark.rule("21", "21.1", "21.1.b1", "21.1.b3", "21.2")
def test_reconnaissance_on_the_ground():  # T47
    position = table({"B12": "N-Cab-1", "B13": "R-1/19", "C13": "R-2/19"})
    assert recon.modified(position, "B13", 3) == 6 and recon.modified(position, "C13", 1) == 1
    state = state_of(position, N)
    seen = play(state, o.Scout("N-Cab-1", "B13"), 3).found(e.GroundScouted)
    assert [each.level for each in seen] in (["count"], ["none"])


@pytest.mark.rule("21.2", "5.3.1")
@pytest.mark.parametrize(("options", "successes"), [((), {R: 1}), (("free_reactions",), {})])
def test_a_reaction_counts_for_the_initiative_unless_it_is_free(options, successes):
    position = in_command(table({"B12": "N-Cab-1", "B13": "R-1/19 R-2/19"}, *options))
    answer = o.React(("R-1/19", "R-2/19"), "R-1/19")
    # It looks with a 9, and fails; both dice of the combat are a 10.
    played = play(state_of(position, N), o.Scout("N-Cab-1", "B13"), 9, 10, 10,
                  answers={"react": answer})  # fmt: skip
    (roll,) = played.found(e.CombatRolled)
    assert tables().results[roll.result].counts == "attack"
    assert played.position.successes == successes
    plain = o.Attack("B12", {"B13": ("R-1/19", "R-2/19")}, advance=o.NONE)
    fought = play(state_of(position, R), plain, 10, 10)
    assert fought.position.successes == {R: 1}, "any other success counts"


@pytest.mark.rule("21.2", "12.5", "12.3.2")
def test_a_reaction_is_led_by_whom_it_names_and_nobody_advances_behind_it():
    units = ("R-1/19", "R-2/19")
    position = in_command(table({"B12": "N-Cab-1", "B13": " ".join(units)}))
    for leader in units:
        step = kernel.submit(state_of(position, N), o.Scout("N-Cab-1", "B13"))
        step = kernel.roll(step.state, Faces([9]))
        step = kernel.submit(step.state, o.React(units, leader))
        assert step.state.position.combat.primary == leader
        asked, events = [], []
        while not isinstance(step.state.agenda[-1], Acting):
            wanted = kernel.waits_for(step.state)
            if isinstance(wanted, Chance):
                step = kernel.roll(step.state, Faces([10] * len(wanted.draws)))
            else:
                asked.append(wanted.stage)
                step = kernel.submit(step.state, wanted.default)
            events += step.events
        assert [each.unit for each in events if isinstance(each, e.TroopsLost)] == ["N-Cab-1"]
        assert step.state.position.units_at("B13") == units
        assert asked == ["withdraw", "lead", "retreat"], "and not whether to advance"


@pytest.mark.rule("21.2", "12.2.p4")
@pytest.mark.parametrize("spent", [{}, {"R-1/19": 12, "R-2/19": 12}])
def test_a_reaction_costs_no_points_even_if_nobody_is_left_to_attack(spent):
    position = in_command(table({"B12": "N-Cab-1", "B13": "R-1/19 R-2/19"}, spent=spent))
    way = sorted(retreat.withdrawals(position, "N-Cab-1").items())[0][1]
    played = play(
        state_of(position, N), o.Scout("N-Cab-1", "B13"), 9,
        answers={"react": o.React(("R-1/19", "R-2/19")), "withdraw": o.Withdraw({"N-Cab-1": way})},
    ).position  # fmt: skip
    assert played.units_at("B12") == ("R-1/19", "R-2/19")
    for unit in ("R-1/19", "R-2/19"):
        assert played.spent.get(unit) == spent.get(unit) and unit not in played.walked


@pytest.mark.rule("7.3.4", "7.3.4.1", "7.3.4.1.b1", "7.3.4.1.b4", "7.3.4.1.b5", "7.3.4.1.b3")
def test_reconnaissance_from_the_air():  # T48
    position = start()

    def level(hex, die=9, works=""):
        where = position.but(works={hex: works} if works else {})
        return tables().seen_from_air(die + air.scout_modifier(where, hex))

    assert (level("G14"), level("G16"), level("B13"), level("I11")) == (
        "full",
        "half",
        "half",
        "count",
    )
    assert level("B13", works="fortification") == "count"


@pytest.mark.rule("7.4", "7.4.1")
def test_antiaircraft_fire_at_bombers_and_fighters():  # T49
    position = start()
    assert air.left_after_fire(position, "N-Ju52-1", "cas", 7, 9) == 3
    assert air.left_after_fire(position, "N-He51-1", "cas", 7, 9) == 2
    assert air.left_after_fire(position, "N-Ju52-1", "bomb", 7, 9) == 2


@pytest.mark.rule("7.3.1")
def test_interdiction_is_paid_once_by_road_and_in_its_hex():  # T50
    marks = {"I09": (Interdiction(N, 2, "N-He51-1"),)}
    position = table({"G08": "R-1/19", "J07": "R-2/19"}, interdicted=marks)
    by_road = ("G08", "H08", "I09")
    plain = movement.path_cost(position.but(interdicted={}), ("R-1/19",), "R-1/19", by_road)
    assert movement.path_cost(position, ("R-1/19",), "R-1/19", by_road) == plain + 4
    aside = ("J07", "J08")
    free = movement.path_cost(position.but(interdicted={}), ("R-2/19",), "R-2/19", aside)
    assert movement.path_cost(position, ("R-2/19",), "R-2/19", aside) == free
    each = position.but(options=frozenset({"interdict_each_hex"}))
    assert movement.path_cost(each, ("R-1/19",), "R-1/19", by_road) == plain + 4 + 4
    assert movement.path_cost(each, ("R-2/19",), "R-2/19", aside) == free


@pytest.mark.rule("7.3.1")
def test_a_march_of_several_orders_pays_a_marker_once():
    one, other = "R-2/19", "R-3/19"
    marks = {"I09": (Interdiction(N, 2, "N-He51-1"),)}
    position = in_command(table({"H08": f"{one} {other}", "L09": "N-2Leg/5"}, interdicted=marks))
    whole = play(state_of(position, R), o.Move((one,), ("I09", "I10"))).position
    first = play(state_of(position, R), o.Move((one,), ("I09",))).state
    assert first.position.spent == {one: 1 + 4}
    both = play(first, o.Move((one,), ("I10",))).position
    assert both.spent == whole.spent == {one: 1 + 4 + 1}
    assert movement.reachable(first.position, one)["I10"] == ("I10",)
    has = State(first.position.but(spent={one: 2 * position.printed(one).move - 1}), first.agenda)
    assert set(movement.reachable(has.position, one)) == {"I10", "I08"}, "by road"
    # Each unit pays for itself, and each in its own activation.
    for mover, paid in ((one, 0), (other, 4)):
        cost = movement.path_cost(first.position, (one, other), mover, ("H08", "I09"))
        assert cost == movement.path_cost(position.but(interdicted={}), (one, other), mover,
                                          ("H08", "I09")) + paid  # fmt: skip
    again = activated(first.position.but(cycle=None), R)
    assert movement.paid_by(again, one) == movement.paid_by(again.but(cycle=None), one) == set()
    # By the option each hex costs it, whatever was paid before.
    each = in_command(position.but(options=position.options | {"interdict_each_hex"}))
    there = play(state_of(each, R), o.Move((one,), ("I09",))).state
    gone = play(there, o.Move((one,), ("I08",))).position
    assert gone.spent == {one: 1 + 4 + 2}, "beside the road, for there it pays no more"
    assert not gone.cycle.marches[one].paid


@pytest.mark.rule("7.3.1", "21", "12.3.1")
def test_a_look_and_a_mobile_attack_pay_a_marker_as_a_move_does():
    marks = {"C20": (Interdiction(R, 1, "R-SB-1"),)}
    tanks = ("N-Pz-1", "N-Pz-3")
    position = in_command(table({"D20": " ".join(tanks), "C20": "R-1/19"}, interdicted=marks))
    state = state_of(position, N)
    looked = play(state, o.Scout("N-Pz-1", "C20"), 1).position
    assert looked.cycle.marches["N-Pz-1"].paid == {"R-SB-1"}
    charge = recon.scout_cost(position, "N-Pz-1", "C20") - 2
    assert recon.scout_cost(looked, "N-Pz-1", "C20") == charge and charge > 0
    behind = in_command(position.but(stacks={"E21": tanks, "C20": ("R-1/19",)}))
    near = play(state_of(behind, N), o.Move(tanks, ("D20",))).state
    for those in (tanks, tanks[:1]):
        attack = o.Attack("C20", {"D20": those}, "mobile")
        begun = play(near, attack, 5, 10).position
        paid = {unit for unit, each in begun.cycle.marches.items() if each.paid == {"R-SB-1"}}
        assert paid == {*those}


@pytest.mark.rule("6.6.3", "16.2.b2")
def test_what_a_regiment_may_borrow():  # T51
    from pbem.games.nopasaran.stages.day import Assigning

    position = start()
    one = o.Assign({"N-2Alh/6": "N-R5", "N-Art75-III": "N-R5", "N-Zap-III": "N-R5"})
    state = State(position, (Assigning(N),))
    assert rules_broken(state, one) == []
    more = o.Assign({**one.to, "N-2Mel/6": "N-R5"})
    assert "6.6.3" in rules_broken(state, more)
    broken = State(position.but(demoralised=frozenset({"N-2Alh/6"})), (Assigning(N),))
    assert "16.2.b2" in rules_broken(broken, one)


@pytest.mark.rule("19.2")
def test_two_battalions_of_one_brigade_become_one():  # T54
    position = table({"C14": "R-1/19 R-2/19"}, lost={"R-1/19": 3, "R-2/19": 1})
    order = o.Consolidate("R-1/19", "R-2/19")
    played = play(state_of(position, R), order)
    assert played.position.troops("R-2/19") == 4
    assert played.position.places["R-1/19"] == "eliminated"
    # It is the own formation that counts; support troops have none in common.
    lent = state_of(position.but(assigned={"R-1/19": "R-23"}), R, "R-1/19", "R-2/19")
    assert rules_broken(lent, order) == []
    guns = ("N-Art105-III", "N-Art75-III")
    apart = table({"G08": " ".join(guns)}, lost=dict.fromkeys(guns, 1))
    for to in ({}, dict.fromkeys(guns, "N-R5")):
        state = state_of(in_command(apart.but(assigned=to)), N, *guns)
        assert rules_broken(state, o.Consolidate(*guns)) == ["19.2"]


@pytest.mark.rule("5.5.p3", "5.4.1.1", "5.5")
def test_what_was_held_back_acts_in_another_activation_of_its_division():  # T55
    position = start(acted=frozenset({"N-1TirIf/5", "N-2Alh/6"}))
    units = activation.of_division(position, "N-III")
    assert "N-1TirIf/5" not in units and "N-ACeu/5" in units


@pytest.mark.rule("9.p2")
def test_what_could_be_entered_may_be_attacked():  # T57
    position = table({"N12": "N-2Leg/5", "N13": "R-1/23"})
    order = o.Attack("N13", {"N12": ("N-2Leg/5",)})
    assert rules_broken(state_of(position, N), order) == []
    fight = combat_after(state_of(position, N), order)
    assert combat.side_shift(position, fight) == -2
    letter = table({"N12": "N-2Leg/5", "N13": "R-1/23"}, "attack_into_zones")
    (fault,) = kernel.violations(state_of(letter, N), order)
    hint = "by `attack_into_zones` a unit attacks only where its zone of control reaches"
    assert (fault.rule, words(fault.hint)) == ("9.p2", hint)


@pytest.mark.rule("4.1", "17.1.b1")
def test_factors_that_come_to_nothing_attack_nobody():  # T58
    # Effectiveness 6, out of command: reduced supply; disorganised as well: .375.
    position = table({"G12": "N-Zap-III", "G13": "R-1/19"}, disorganised=frozenset({"N-Zap-III"}))
    assert factors.attack(position, "N-Zap-III") == 0
    order = o.Attack("G13", {"G12": ("N-Zap-III",)})
    assert rules_broken(state_of(position, N), order) == ["4.1"]


@pytest.mark.rule("12.1.b4", "6.3")
def test_whose_batteries_support_an_attack():  # T59
    position = start()
    units = ("N-1TirIf/5",)
    guns = artillery.attack_guns(position, N, "G13", units)
    assert {"N-Art75-III", "N-Art105-III", "N-Art75-II"} <= set(guns)
    cut = position.but(
        stacks={hex: each for hex, each in position.stacks.items() if hex != "H10"},
        away={**position.away, **dict.fromkeys(position.stacks["H10"], "elsewhere")},
    )
    assert not command.in_command(cut, "N-1TirIf/5")
    assert artillery.attack_guns(cut, N, "G13", units) == ()
    # Those only fire that act with the formation to which the attacker belongs for good.
    guns = {"N-Art75-III": "N-R5", "N-Art105-III": "N-R6"}
    far = {"K16": "N-2Leg/5", "K17": "R-1/17", "J14": " ".join((*guns, "N-Art75-II"))}
    for own in ({}, {"N-2Leg/5": "N-R6"}):
        lent = table(far, assigned={**own, **guns})
        assert not command.in_command(lent, "N-2Leg/5")
        assert artillery.attack_guns(lent, N, "K17", ("N-2Leg/5",)) == ("N-Art75-III",), own
    acting = state_of(in_command(position), N)
    for guns, rules in (
        (("N-Art75-III",), []),
        (("N-2Leg/5",), ["12.1.b4"]),
        (("N-Art75-III", "N-Art75-III"), ["12.1.b4"]),
    ):
        order = o.Attack("G13", {"G12": units}, support=o.Backing(guns))
        assert rules_broken(acting, order) == rules, guns


@pytest.mark.rule("6.6.5.b2", "5.5.p2", "5.1", "6.6", "6.6.4")
def test_an_assignment_stands_until_it_is_changed():  # T60
    from pbem.games.nopasaran.stages.day import Assigning

    position = start()
    state = State(position, (Assigning(N),))
    first = kernel.submit(state, o.Assign({"N-Zap-III": "N-R5"})).state.position
    assert "N-Zap-III" in activation.of_formation(first, "N-R5")
    second = State(first.but(day=3), (Assigning(N),))
    third = kernel.submit(second, o.Assign({"N-Zap-III": "N-R6"})).state.position
    assert "N-Zap-III" in activation.of_formation(third, "N-R6")
    assert "N-Zap-III" not in activation.of_formation(third, "N-R5")


@pytest.mark.rule("11.5.3", "16")
def test_a_bombardment_can_break_morale_and_drives_a_headquarters():  # T62
    position = table({"K13": "R-1/23", "K12": "N-2Leg/5", "K10": "N-Art155"})
    played = play(state_of(position, N), o.Bombard("K13", ("N-Art155",)), 8, 10)
    assert "R-1/23" in played.position.demoralised
    alone = table({"K13": "R-CG-23B", "K12": "N-2Leg/5", "K10": "N-Art155"})
    played = play(state_of(alone, N), o.Bombard("K13", ("N-Art155",)), 10)
    assert "R-CG-23B" in played.position.disorganised and played.position.at("R-CG-23B") != "K13"


@pytest.mark.rule("19.1", "19.1.b1", "19.1.b2")
def test_reinforcements_find_another_way_in():  # T56
    from pbem.games.nopasaran.rules import coming

    position = start(day=2)
    assert coming.entries(position, "R-1/66") == ("L22",)
    barred = position.but(stacks={**position.stacks, "L22": ("N-2Leg/5",)},
                          away={**position.away})  # fmt: skip
    assert coming.entries(barred, "R-1/66")[0] in start().ground.edge(R)
    free = [hex for hex in start().ground.edge(R) if coming.is_free(barred, R, hex)]
    near = min(start().ground.distance(hex, "L22") for hex in free)
    assert start().ground.distance(coming.entries(barred, "R-1/66")[0], "L22") == near
    assert "L22" not in coming.entries(barred, "R-1/66")
    # Of several hexes as near the owner chooses; another entry is open to those alone who wait.
    for held, open_to_it in ((False, ("H22",)), (True, ("G22", "I22", "A21"))):
        stacks = {**position.stacks, "H22": ("N-Pz-1",)} if held else position.stacks
        tanks = position.but(stacks=stacks, day=3)
        assert coming.entries(tanks, "R-T26-3") == open_to_it
        assert coming.entries(tanks.but(day=2), "R-T26-3") == tuple(
            hex for hex in open_to_it if hex != "A21")  # fmt: skip

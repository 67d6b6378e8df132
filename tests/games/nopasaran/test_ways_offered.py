"""10 and 12.2: what is offered as a way is what is judged as one. On random positions every path is
tried, in both settings of the options on which the cost of a step depends.
"""

from __future__ import annotations

import itertools
import random

import pytest

from pbem.board.hexsides import key_of
from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.options import INTERDICT_EACH_HEX, MOSTLY_ROAD
from pbem.games.nopasaran.position import Interdiction
from pbem.games.nopasaran.rules import factors, movement, retreat, stacking, ways
from pbem.games.nopasaran.stages.combat import Withdrawing
from pbem.games.nopasaran.tables import ENEMY, KINDS
from pbem.value import replace
from tests.games.nopasaran.table import (
    N,
    R,
    in_command,
    state_of,
    table,
)

OPTIONS = tuple(
    options
    for number in range(3)
    for options in itertools.combinations((MOSTLY_ROAD, INTERDICT_EACH_HEX), number)
)
GOING = {N: ("N-Pz-1", "N-Cab-2"), R: ("R-Cab/12", "R-T26-1", "R-BA")}
OTHERS = {N: ("N-2Leg/5", "N-2Alh/6", "N-20"), R: ("R-1/19", "R-Garib/12", "R-AT-1")}


def scattered(dice, *options):
    """A unit that could go somewhere, enemies beside it, friends and what is broken around it."""
    side = dice.choice((N, R))
    unit = dice.choice(GOING[side])
    ground = table({"A01": unit}).ground
    here = dice.choice(sorted(ground.on_roads) if dice.random() < 0.6 else ground.hexes)
    around = dict.fromkeys(ground.within(here, 4))
    around.pop(here)
    stacks = {here: unit}
    for enemy, hex in zip(OTHERS[ENEMY[side]], dice.sample(ground.around[here], 2), strict=False):
        stacks[hex] = enemy
    for friend in OTHERS[side]:
        stacks.setdefault(dice.choice(tuple(around)), friend)
    broken = [hex for hex in around if hex in ground.on_roads and dice.random() < 0.1]
    flown = dice.sample(tuple(around), 2) if dice.random() < 0.5 else ()
    found = table(
        stacks, *options,
        disorganised=frozenset((unit,) if dice.random() < 0.7 else ()),
        roads=dict.fromkeys(broken, "damaged"),
        bridges={id: dice.choice(("damaged", "destroyed")) for id in ground.bridges
                 if dice.random() < 0.3},
        interdicted={hex: (Interdiction(ENEMY[side], at + 1, f"A-{at}"),)
                     for at, hex in enumerate(flown)},
    )  # fmt: skip
    return in_command(found), side, unit


def walks(position, unit, most, allowed, before=0):
    """Every path of allowed steps within so many half points, with its cost, which is found by the
    road rate and without it: a path goes on as long as either could be enough. It keeps a lead of
    steps by road that it had before.
    """

    def onward(path):
        for there in position.ground.around[path[-1]]:
            if not allowed(path[-1], there):
                continue
            way = (*path, there)
            costs = {
                by_road: movement.path_cost(position, (unit,), unit, way, by_road=by_road)
                for by_road in (True, False)
            }
            cost = costs[movement.roads_count(position, (unit,), way, {unit: before})]
            keeps = before <= 0 or before + movement.lead_of(position, (unit,), way) > 0
            if keeps and cost is not None and cost <= most:
                yield cost, way[1:]
            if min(each for each in (*costs.values(), most + 1) if each is not None) <= most:
                yield from onward(way)

    return onward((position.at(unit),))


def cheapest_of(found):
    costs = {}
    for cost, path in found:
        costs[path[-1]] = min(cost, costs.get(path[-1], cost))
    return costs


def costs_of(position, unit, paths, before=0):
    start = position.at(unit)
    return {
        hex: movement.path_cost(
            position, (unit,), unit, (start, *path),
            by_road=movement.roads_count(position, (unit,), (start, *path), {unit: before}),
        )
        for hex, path in paths.items()
    }  # fmt: skip


def ways_out(position, side, unit):
    """Every way that a unit may retreat before combat, with its cost, and those of them that enter
    no enemy zone.
    """
    start = position.at(unit)

    def allowed(here, there):
        return (
            retreat.can_go(position, unit, here, there)
            and retreat.goes_back(position, side, start, here, there)
            and not retreat.is_barred_to_armour(position, unit, there)
        )

    found = [
        (cost, path)
        for cost, path in walks(position, unit, factors.allowance(position, unit), allowed)
        if not stacking.excess(position, path[-1], (unit,))
    ]
    safe = [
        (cost, path)
        for cost, path in found
        if not any(retreat.is_feared(position, side, hex) for hex in path)
    ]
    return found, safe


@pytest.mark.rule("12.2.p2", "15.A", "15.B", "15.D", "14.p5", "10.p4", "7.3.1")
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_every_hex_to_which_a_way_out_leads_is_offered_with_the_cheapest(options):
    dice, asked = random.Random(f"out {options}"), 0
    for _ in range(20):
        position, side, unit = scattered(dice, *options)
        found, safe = ways_out(position, side, unit)
        offered = retreat.withdrawals(position, unit)
        assert costs_of(position, unit, offered) == cheapest_of(safe or found)
        asked += bool(offered)
        judge = Withdrawing(side, position.at(unit)).check
        ways = [path for _, path in safe or found]
        for path in (*offered.values(), *dice.sample(ways, min(5, len(ways)))):
            assert [*judge(position, o.Withdraw({unit: path}))] == [], path
        into_zones = [path for _, path in found if safe
                      and any(retreat.is_feared(position, side, hex) for hex in path)]  # fmt: skip
        for path in into_zones[:1]:
            (fault,) = judge(position, o.Withdraw({unit: path}))
            assert fault.rule == "15.D"
    assert asked > 8


def ways_on(position, side, unit, before):
    """Every path that a unit may go with what is left to it, with its cost."""
    found = walks(position, unit, factors.left_to_spend(position, unit),
                  lambda _, there: position.holder(there) != ENEMY[side], before)  # fmt: skip
    return ((cost, path) for cost, path in found if path[-1] != position.at(unit))


@pytest.mark.rule("10", "10.p4", "10.1", "7.3.1")
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_every_hex_that_a_move_reaches_is_offered_with_the_cheapest_path(options):
    dice = random.Random(f"move {options}")
    for _ in range(20):
        position, side, unit = scattered(dice, *options)
        spent = {unit: factors.allowance(position, unit) - dice.randint(2, 6)}
        state = state_of(in_command(position.but(spent=spent)), side)
        before = dice.randint(-2, 3) if MOSTLY_ROAD in options else 0
        cycle = replace(state.position.cycle, marched={unit: before})
        position = in_command(state.position.but(cycle=cycle))
        offered = movement.reachable(position, unit)
        best = cheapest_of(ways_on(position, side, unit, before))
        assert costs_of(position, unit, offered, before) == best
        state = State(position, state.agenda)
        for path in offered.values():
            assert not kernel.violations(state, o.Move((unit,), path)), path


@pytest.mark.rule("7.3.1")
def test_off_the_road_interdiction_is_paid_in_its_hex_alone():
    near, unit = {"J10": (Interdiction(R, 1, "A-1"),)}, "N-2Leg/5"
    position = table({"L10": unit}, interdicted=near)
    for path, by_road, cost in ((("L10", "K10"), True, 2), (("L10", "K10"), False, 0),
                                (("K10", "J10"), False, 2)):  # fmt: skip
        charge = movement.interdiction_cost(position, (unit,), unit, path, by_road=by_road)
        assert charge == cost


@pytest.mark.rule("7.3.1", "10.p4")
def test_a_move_goes_beside_an_interdicted_road_where_that_is_cheaper_for_all():
    foot, towed = "N-2Leg/5", "N-AT-I"
    stacks = {"L10": f"{foot} {towed}", "E07": "N-AT-II"}
    once, into_it, prohibited = ("L10", "K10"), ("L10", "K10", "J10"), ("E07", "F07")

    def by_road(units, path, whose=R, *options):
        marks = {hex: (Interdiction(whose, 1, f"A-{hex}"),) for hex in ("J10", "G07")}
        position = table(stacks, *options, interdicted=marks)
        return movement.roads_count(position, units, path)

    for options in OPTIONS:
        # By road it is half a point, and one for the marker; beside it one for men, two for trucks.
        assert not by_road((foot,), once, R, *options)
        assert by_road((towed,), once, R, *options) and by_road((foot, towed), once, R, *options)
        assert by_road((foot,), once, N, *options), "the own aircraft do no harm"
        assert by_road(("N-AT-II",), prohibited, R, *options), "there is no going beside it"
    assert by_road((foot,), into_it), "the marker is paid for in its hex beside the road, too"
    marks = {"J10": (Interdiction(R, 1, "A-1"),)}
    state = state_of(in_command(table({"L10": foot}, interdicted=marks)), N)
    gone = kernel.submit(state, o.Move((foot,), ("K10",))).state.position
    assert gone.spent[foot] == 2


@pytest.mark.rule("10.p4", "10.p8")
def test_who_comes_back_is_not_in_its_own_way():
    position = table({"L10": "N-2Leg/5"})
    there_and_back = ("L10", "K10", "L10")
    for by_road, cost in ((True, 2), (False, 4)):
        assert movement.path_cost(position, ("N-2Leg/5",), "N-2Leg/5", there_and_back,
                                  by_road=by_road) == cost  # fmt: skip
    five = table({"L10": "N-2Alh/6", "L09": "N-2Leg/5 N-Zap-II"})
    assert five.troops_of(five.stacks["L09"]) == 5
    assert movement.stack_cost(five, ("N-2Alh/6",), "L09") == 4


@pytest.mark.rule("20.9", "20.6")
def test_pontoons_that_are_a_bridge_help_over_no_other_side():
    free = table({"H11": "N-Pont-1"})
    others = [hex for hex in free.ground.around["H11"]
              if hex != "H12" and "river" in free.ground.sides.between("H11", hex)]  # fmt: skip
    laid = free.but(pontoons={"N-Pont-1": key_of("H11", "H12")})
    for hex in others:
        assert ways.who_helps(free, N, "H11", hex) == "N-Pont-1"
        assert not ways.who_helps(laid, N, "H11", hex)
    assert others


@pytest.mark.rule("20.6", "11.5.2", "10.p5")
def test_a_pontoon_carries_the_road_of_a_bridge_for_all_but_itself_and_opens_no_ground():
    position = table({"N10": "N-Pont-1 N-Pz-1", "I12": "N-Pont-2 N-Pz-2"},
                     bridges={"B-SMV": "destroyed"},
                     pontoons={"N-Pont-1": key_of("N10", "N11"),
                               "N-Pont-2": key_of("I11", "I12")})  # fmt: skip
    vehicles = KINDS.index(position.printed("N-Pz-1").kind)
    assert ways.road_cost(position, "N10", "N11", vehicles, N) == 1
    for units, over in ((("N-Pz-1",), True), (("N-Pz-1", "N-Pont-1"), False)):
        assert movement.takes_road(position, units, "N10", "N11") is over
    # Vehicles cannot enter I11 off the road, bridge or not.
    assert ways.ground_cost(position, "I12", "I11", vehicles, N) is None
    assert ways.ground_cost(position, "G12", "G13", 0, N, helped=False) == 4


@pytest.mark.rule("6.2.p3")
def test_no_line_of_command_crosses_ground_that_is_closed_to_foot_and_trucks(monkeypatch):
    position = table({"L10": "N-2Leg/5"})
    step = ("L10", "L09")
    assert ways.command_cost(position, *step, N) == 2 and step in position.ground.over_land
    closed = {**position.ground.lines_over_land, step: None}
    monkeypatch.setitem(position.ground.__dict__, "lines_over_land", closed)
    assert ways.command_cost(position, *step, N) is None

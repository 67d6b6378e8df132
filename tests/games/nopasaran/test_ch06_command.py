"""Chapter 6: lines of command, supply, assignments."""

from __future__ import annotations

from random import Random

import pytest

from pbem.board.movement import within
from pbem.engine.model import State
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.rules import command, factors, movement, zones
from pbem.games.nopasaran.tables import NATIONALIST, REPUBLICAN, rounded
from pbem.value import replace
from tests.contract.playing import played
from tests.games.nopasaran.table import (
    LARGE,
    SMALL,
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
)

CG, TANK = {"E18": "R-CG-1BB", "F20": "R-CG-CEC"}, "R-T26-1"


@pytest.mark.rule("6.2.p5", "5.5.p4", "10")
@pytest.mark.parametrize(
    ("start", "path", "parted", "goes"),
    [
        ("A10", ("A11", "B11", "A12", "A13", "A14", "A15", "B14"), 1, False),
        ("A11", ("B10", "B09", "B08", "B07", "B06", "C06", "C05", "D05", "D06"), 3, True),
    ],
)
def test_a_march_goes_by_the_command_at_its_beginning(start, path, parted, goes):
    """However many orders it takes: nobody gains points by it, or loses them."""
    position = table({**CG, start: TANK})
    assert command.in_command(position, TANK) is goes
    state, rules = state_of(position, R), [] if goes else ["10"]
    assert rules_broken(state, o.Move((TANK,), path)) == rules
    first = play(state, o.Move((TANK,), path[:parted])).state
    assert command.in_command(first.position, TANK) is not goes, "it has gone out, or come in"
    assert rules_broken(first, o.Move((TANK,), path[parted:])) == rules
    assert ("D06" in movement.reachable(first.position, TANK)) is goes
    # What it attacks with is that of the moment; and a march is over with its activation.
    full = position.printed(TANK).attack
    assert factors.attack(first.position, TANK) == (rounded(full, 3) if goes else full)
    over = activated(first.position.but(cycle=None), R)
    assert factors.marching_level(over, TANK) == command.level_of(over, TANK)
    assert factors.allowance(first.position, TANK) == 2 * (6 if goes else 8)


@pytest.mark.rule("6.2.p5", "21", "12.3.1", "12.2.p4")
def test_a_march_begins_with_a_look_or_a_mobile_attack_too():
    position = table({**CG, "A10": f"{TANK} R-T26-2", "A09": "N-Cab-1"})
    state = state_of(position, R)
    look = play(state, o.Scout(TANK, "A09"), 1).position
    assert {unit: each.level for unit, each in look.cycle.marches.items()} == {TANK: "reduced"}
    attack = o.Attack("A09", {"A10": (TANK, "R-T26-2")})
    for way, follows in (("A08",), True), ((), False):
        answers = {"withdraw": o.Withdraw({"N-Cab-1": way} if follows else {})}
        for type in ("regular", "mobile"):
            if type == "mobile":
                began = replace(state.position.cycle, in_zone=frozenset())
                now = State(state.position.but(cycle=began), state.agenda)
            else:
                now = state
            order = replace(attack, type=type)
            assert rules_broken(now, order) == []
            dice = () if follows else (1, 1)
            cycle = play(now, order, *dice, answers=answers).position.cycle
            marched = {} if type == "regular" and not follows else {"reduced"}
            assert {each.level for each in cycle.marches.values()} == {*marched}


@pytest.mark.rule("6.2", "6.2.a", "6.2.b", "6.2.p3")
def test_a_line_of_command_goes_from_headquarters_to_headquarters_to_a_road():
    # T05: half a point to the regiment, half to the brigade, four to the corps, which is on a road.
    position = start()
    assert command.line(position, "N-8Leg/7") == {
        "N-CG-R7": 1, "N-CG-IV": 1, "N-CG-DRM": 8, "road": 0,
    }  # fmt: skip
    there, ranges = position.at("N-8Leg/7"), command.Ranges(position, N)
    assert there in ranges.around("N-CG-R7") and "T20" not in ranges.around("N-CG-R7")
    # T06: the first link is exactly six points.
    assert position.at("R-AMarty/12") in command.Ranges(position, R).around("R-CG-12BI")
    assert command.line(position, "R-AMarty/12") == {
        "R-CG-12BI": 12, "R-CG-AGA": 4, "R-CG-CEC": 2, "road": 0,
    }  # fmt: skip


@pytest.mark.rule("6.2", "6.2.b")
def test_only_the_last_headquarters_of_a_line_needs_the_road():
    broken = dict.fromkeys(start().ground.on_roads - {"K01"}, "destroyed")
    line = {"K01": "N-CG-DRM", "K04": "N-CG-III", "K08": "N-CG-R5 N-2Leg/5"}
    position = table(line, roads=broken)
    ranges = command.Ranges(position, N)
    assert [ranges.has_road(unit) for unit in ("N-CG-DRM", "N-CG-R5")] == [True, False]
    assert command.in_command(position, "N-2Leg/5") and command.in_command(position, "N-CG-R5")
    for without in ({"K01": ""}, {"K04": ""}, {"K08": "N-2Leg/5"}):
        left = {hex: units for hex, units in {**line, **without}.items() if units}
        assert not command.in_command(table(left, roads=broken), "N-2Leg/5"), without
    assert not command.in_command(table(line, roads={**broken, "K01": "destroyed"}), "N-2Leg/5")


@pytest.mark.rule("6.2.b", "6.2.p4")
def test_a_road_to_the_rear_is_whole_and_free_all_the_way():
    road = start().ground.road("Pinto to La Marañosa")
    others = dict.fromkeys(start().ground.on_roads - {*road}, "destroyed")
    for stacks, broken, is_open in (
        ({}, {}, True), ({}, {"J04": "destroyed"}, False), ({"J04": "R-1/19"}, {}, False),
        ({"H12": "R-1/19"}, {}, True),
    ):  # fmt: skip
        position = table({"H11": "N-CG-DRM", **stacks}, roads={**others, **broken})
        assert command.Ranges(position, N).has_road("N-CG-DRM") is is_open, (stacks, broken)
    over = table({"C14": "R-CG-CEC"})
    parted = over.but(bridges=dict.fromkeys(over.ground.bridges, "destroyed"))
    assert "I09" in command.Ranges(over, R).open_roads
    assert "I09" not in command.Ranges(parted, R).open_roads


@pytest.mark.rule("6.2")
def test_a_line_leaves_out_headquarters_that_are_not_there():
    position = table({"G12": "N-2Leg/5", "K01": "N-CG-DRM"})
    assert command.line(position, "N-2Leg/5") == {"road": 0}


@pytest.mark.rule("6.2")
@pytest.mark.parametrize("scenario", [LARGE, SMALL])
def test_everybody_is_in_command_when_a_battle_begins(scenario):
    position = start(scenario)
    units = [unit for side in (NATIONALIST, REPUBLICAN) for unit in position.on_map(side)]
    assert [unit for unit in units if not command.in_command(position, unit)] == []


@pytest.mark.rule("9")
def test_zones_when_the_battle_begins():
    # T15: over the railway bridge both ways, not over the river, over the road bridge.
    found = zones.zones(start())
    assert "G13" in found[NATIONALIST] and "G12" in found[REPUBLICAN]
    assert "H12" not in found[NATIONALIST] and "N10" in found[REPUBLICAN]
    for scenario in (LARGE, SMALL):
        position = start(scenario)
        for side, hex in ((NATIONALIST, "G13"), (REPUBLICAN, "G12")):
            near = {hex for hex in zones.zones(position)[side]
                    if position.holder(hex) not in (None, side)}  # fmt: skip
            assert near == {hex}, (scenario, side)


@pytest.mark.rule("4.1", "4.2")
def test_factors_are_multiplied_first_and_rounded_once():
    # T11: 5 x .5 x .75 = 1.875 is 2; 5 x 2 x .75 = 7.5 is 8; T58: .375 is 0; T10: 6.75 is 7.
    assert (rounded(5, 2, 3), rounded(5, 8, 3), rounded(1, 2, 3)) == (2, 8, 0)
    assert (rounded(9, 3), rounded(8, 3), rounded(7, 2)) == (7, 6, 4)
    assert rounded(7, 2) == 4 and rounded(27, 4) == 27


@pytest.mark.rule("J.6", "6.2.b", "10.p4", "20.6")
def test_a_closed_bridge_carries_no_road():
    # B-ARG over C14/C15 is outside the small battle: no line, step or pontoon crosses it.
    position = table({"C14": "R-CG-CEC R-1/19"}, scenario=SMALL)
    west = position.ground.bank("C14")
    assert not command.Ranges(position, R).open_roads & west
    assert not command.in_command(position, "R-CG-CEC") and not command.line(position, "R-CG-CEC")
    ((rule, why),) = faults(state_of(position, R), o.Move(("R-1/19",), ("C15",)))
    assert rule == "10.p5" and why.endswith("is outside this battle")
    beside = table({"C15": "N-Pont-1"}, scenario=SMALL)
    ((rule, why),) = faults(state_of(beside, N), o.Engineer("N-Pont-1", "bridge", to="C14"))
    assert rule == "20.6" and why.endswith("is outside this battle")
    large = table({"C14": "R-CG-CEC R-1/19"})
    assert command.Ranges(large, R).open_roads & west
    assert rules_broken(state_of(large, R), o.Move(("R-1/19",), ("C15",))) == []


@pytest.mark.rule("20.1", "20.4", "11.2.b4")
def test_nobody_works_at_a_closed_bridge_nor_fires_at_it():
    there = table({"C15": "R-Zap-1", "F15": "N-Art155"}, scenario=SMALL)
    broken = {"B-ARG": "destroyed"}
    shot = o.Bombard("C15", ("N-Art155",), at="bridge", bridge="B-ARG")
    for bridges, side, order, rule in (
        ({}, R, o.Engineer("R-Zap-1", "blow", bridge="B-ARG"), "20.1"),
        (broken, R, o.Engineer("R-Zap-1", "repair"), "20.4"),
        ({}, N, shot, "11.2.b4"),
    ):
        state = state_of(in_command(there.but(bridges=bridges)), side)
        ((found, why),) = faults(state, order)
        assert (found, why) == (rule, "the bridge between C14 and C15 is outside this battle")
        offered = state.agenda[-1].ask(state.position).options
        assert order not in [each.order for option in offered if option.examples
                             for each in option.examples(lambda items: items)]  # fmt: skip
    large = state_of(in_command(table({"C15": "R-Zap-1"})), R)
    assert rules_broken(large, o.Engineer("R-Zap-1", "blow", bridge="B-ARG")) == []
    # A bridge is closed for those who stand at it: elsewhere they are told that they do not.
    away = state_of(in_command(table({"D15": "R-Zap-1"}, scenario=SMALL)), R)
    ((_, why),) = faults(away, o.Engineer("R-Zap-1", "blow", bridge="B-ARG"))
    assert "does not stand at such a bridge" in why
    # Nor is it in the way of what is done with another one.
    for other, told in ((o.Engineer("R-Zap-1", "blow", bridge="B-PIN"), "does not stand at"),
                        (o.Engineer("R-Zap-1", "repair"), "nothing to repair")):  # fmt: skip
        ((_, why),) = faults(state_of(in_command(there), R), other)
        assert told in why


def test_a_reach_that_is_kept_is_what_would_be_computed():
    position, rng = start(), Random(1)
    ranges, here = command.Ranges(position, N), position.at("N-CG-R5")
    near, far = (position.ground.within(here, radius)[1:] for radius in (1, 9))
    position.ground.reaches.clear()
    for _ in range(200):
        some = rng.sample(near, rng.randint(0, 3)), rng.sample(far, rng.randint(0, 4))
        ranges.barred = frozenset(hex for hexes in some for hex in hexes)
        reach = within(here, ranges.near, ranges.cost_to, ranges.range)
        assert ranges.around("N-CG-R5") == reach
    (kept,) = position.ground.reaches.values()
    assert len(kept) < 200


def test_what_a_position_keeps_is_what_it_would_compute_anew():
    for moment in played("nopasaran", "jarama_pindoque")[::4]:
        position = moment.state.position
        assert facts(position) == facts(replace(position))


def facts(position):
    """Some of what is computed once for a position and kept for those that follow from it."""
    found = {"zones": zones.zones(position), "held": position.held, "places": position.places}
    for side in (N, R):
        found[f"met by {side}"] = [
            dict(movement.markers_met(position, side, hex, is_road=is_road))
            for hex in position.ground.hexes for is_road in (True, False)
        ]  # fmt: skip
        found[f"led of {side}"] = [
            (unit, position.commander(unit), command.in_command(position, unit))
            for unit in position.on_map(side)
        ]
    for formation in position.board.formations:
        found[formation] = position.members(formation), position.parts(formation)
    return found

"""Forms: a page long at most, and what a line says of others holds for each of them."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import Decision
from pbem.engine.policies import help, reading
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.policies.table import TABLE
from pbem.games.nopasaran.position import Mission
from pbem.games.nopasaran.rules import activation, coming, zones
from pbem.games.nopasaran.stages.activation import Activating
from pbem.games.nopasaran.stages.day import Assigning, Building, Planning
from pbem.orders.template import form
from pbem.value import replace
from tests.games.nopasaran.table import (
    LARGE,
    SMALL,
    N,
    R,
    closed,
    in_command,
    start,
    state_of,
    table,
)

PAGE = 66
"""Lines."""


@pytest.mark.parametrize("scenario", [SMALL, LARGE])
@pytest.mark.parametrize("side", [N, R])
def test_a_form_is_a_page_long_and_every_value_in_it_is_legal(side, scenario) -> None:
    state = kernel.State(start(scenario), (Activating(side),))
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision)
    first = next(iter(asked.options[0].examples(every)))
    acting = kernel.submit(state, first.order).state
    for each in (state, acting, *(kernel.State(start(scenario), (stage(side),))
                                  for stage in (Assigning, Planning))):  # fmt: skip
        decision = kernel.waits_for(each)
        assert isinstance(decision, Decision)
        assert form(decision).count("\n") <= PAGE
        assert "# nothing\n" not in form(decision), "it would end the day"
        for option in decision.options:
            for example in option.examples(every) if option.examples else ():
                for name, values in example.others.items():
                    said = [replace(example.order, **{name: value}) for value in values[:3]]
                    assert not [order for order in said if kernel.violations(each, order)]


def test_units_act_with_formations_of_the_battle_and_not_with_their_own() -> None:
    state = kernel.State(start(SMALL), (Assigning(R),))
    decision = kernel.waits_for(state)
    assert isinstance(decision, Decision)
    examples = decision.options[0].examples
    assert examples
    told = {unit: str(each.note) for each in examples(every) for unit in each.order.to}
    assert told["R-76AA"] == "R-76AA: to R-12BI, R-17B, R-23B, R-1BB"
    assert told["R-1/17"] == "R-1/17: to R-23B"


def test_works_and_none_are_two_lines_of_a_form() -> None:
    position = table({"G12": "N-2Leg/5", "J13": "N-Zap-III"})
    position = position.but(segment="evening", idle=frozenset({"N-2Leg/5", "N-Zap-III"}))
    decision = kernel.waits_for(kernel.State(position, (Building(N),)))
    assert isinstance(decision, Decision)
    lines = form(decision).splitlines()
    assert "  # - build: none" in lines and "left out" not in "".join(lines)
    assert any(each.startswith("  # - build: {") for each in lines), lines


def test_a_stack_is_offered_with_another_unit_on_top() -> None:
    state = state_of(table({"H10": "N-2Leg/5 N-CG-R5 N-1TirIf/5 N-Art75-III"}), N)
    decision = kernel.waits_for(state)
    assert isinstance(decision, Decision)
    (option,) = (each for each in decision.options if each.order is o.Arrange)
    assert option.examples
    tops = [each.order.units[0] for each in option.examples(every)]
    assert tops == ["N-1TirIf/5"]


def test_a_form_of_an_open_game_says_nothing_of_counters_face_down() -> None:
    for position, is_asked in ((start(), False), (closed(start()), True)):
        lines = "\n".join(help.example_of(TABLE, position, N))
        assert ("antiaircraft: all" in lines) is is_asked and "primary: best" in lines
        told = [
            str(each.message)
            for each in reading.faults(TABLE, position, N, {"antiaircraft": "all"})
        ]
        assert told == ([] if is_asked else ["all counters lie open in this game"])


# ------------------------------------------------------------------- what an activation offers


def offered(state, kind, some=every):
    """The examples of one order, each of which is legal."""
    decision = kernel.waits_for(state)
    assert isinstance(decision, Decision)
    (option,) = (each for each in decision.options if each.order is kind)
    assert option.examples
    found = list(option.examples(some))
    assert not [each.order for each in found if kernel.violations(state, each.order)]
    return found


def first_alone(things):
    """Looks at the first of several alone, as a form with little room does."""
    return tuple(things)[:1]


@pytest.mark.rule("5.4.1")
def test_a_form_names_all_that_could_be_activated() -> None:
    position = start(SMALL)
    state = kernel.State(position, (Activating(N),))
    found = {name: names for each in offered(state, o.Activate)
             for name, names in each.others.items()}  # fmt: skip
    assert found == {
        "division": activation.divisions(position, N),
        "formation": activation.formations(position, N),
        "unit": activation.single_units(position, N),
    }


@pytest.mark.rule("5.5", "10", "10.1")
def test_units_that_may_go_the_same_ways_are_offered_together() -> None:
    """Those of one hex and kind, with as much left, and none or all with their least move."""
    units = one, other, walked, tired = "N-2Leg/5", "N-SFrn/6", "N-8Leg/7", "N-ACeu/5"
    position = table({"H10": " ".join(units), "H12": "N-2Mel/6"}, walked=frozenset({walked}))
    assert len({position.printed(unit).move for unit in units}) == 1
    state = state_of(in_command(position.but(spent={tired: 2})), N)
    found = [{*each.others["units"]} for each in offered(state, o.Move)]
    assert len(found) == 4
    for alike in ((one, other), (walked,), (tired,), ("N-2Mel/6",)):
        assert {(unit,) for unit in alike} in found, alike


@pytest.mark.rule("16.2.b3", "9")
def test_who_may_fight_is_offered_the_front_first_and_whoever_is_demoralised_the_rear() -> None:
    there = {"I12": "N-2Leg/5 N-Art75-II", "I15": "R-1/19"}
    position = in_command(table(there))
    foot, guns = (each.order.path[-1] for each in offered(state_of(position, N), o.Move))
    near = [zones.in_enemy_zone(position, hex, N) for hex in (foot, guns)]
    assert near == [True, False]
    weak = state_of(in_command(position.but(demoralised=frozenset({"N-2Leg/5"}))), N, "N-2Leg/5")
    (only,) = offered(weak, o.Move)
    for path in only.others["path"]:
        assert not kernel.violations(weak, replace(only.order, path=path)), path


@pytest.mark.rule("12.1.b3", "12.1.b4")
@pytest.mark.parametrize(("guns", "air"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_an_attack_is_offered_with_all_that_may_support_it(guns: int, air: int) -> None:
    flying = {"N-He51-1": Mission("cas", "N-CG-R5")} if air else {}
    there = {"J13": "N-2Leg/5", "J14": "R-1/48", "J10": "N-Art75-II" if guns else "N-SFrn/6",
             "I10": "N-CG-R5"}  # fmt: skip
    state = state_of(in_command(table(there, missions=flying)), N)
    backing = o.Backing(("N-Art75-II",) * guns, ("N-He51-1",) * air) if guns or air else ""
    found = {each.order.type: each.order.support for each in offered(state, o.Attack)}
    assert found["regular"] == backing and found.keys() > {"regular"}


@pytest.mark.rule("11.2", "5.2.2.bomb")
@pytest.mark.parametrize("missions", [{}, {"N-Ju52-1": Mission("bomb", "J14")}])
def test_a_bombardment_is_offered_with_one_battery_or_with_all_and_the_bombers(missions) -> None:
    guns = ("N-Art75-II", "N-Art105-III")
    there = {"J13": "N-2Leg/5", "J14": "R-1/48", "J10": " ".join(guns)}
    state = state_of(in_command(table(there, missions=missions)), N)
    (found,) = (each.order for each in offered(state, o.Bombard))
    assert (found.guns, found.air) == ((guns if missions else guns[:1]), tuple(missions))


@pytest.mark.rule("20.1", "20.4", "20.6")
def test_engineers_are_offered_each_work_by_what_it_is_done_to() -> None:
    position = in_command(table({"G13": "N-Zap-III N-Pont-1"}, rails={"H13": "damaged"}))
    found = [each.order for each in offered(state_of(position, N), o.Engineer)]
    bridges = [each.id for each in position.ground.bridges_of("G13")]
    assert [each.bridge for each in found if each.task == "blow"] == bridges
    assert {each.to for each in found if each.task == "bridge"} == {
        hex for hex in position.ground.around["G13"]
        if "river" in position.ground.sides.between("G13", hex)}  # fmt: skip


@pytest.mark.rule("20.4")
def test_a_repair_is_offered_by_name_only_where_several_could_be_meant() -> None:
    """The road of the hex is named if a bridge beside it is broken, too."""
    road, bridge = {"roads": {"N10": "destroyed"}}, {"bridges": {"B-SMV": "destroyed"}}
    for broken, named in ((road, [("", "")]), (road | bridge, [("B-SMV", ""), ("", "N10")])):
        state = state_of(in_command(table({"N10": "N-Zap-IV"}, **broken)), N)
        found = [each.order for each in offered(state, o.Engineer)]
        repairs = [(each.bridge, each.to) for each in found if each.task == "repair"]
        assert repairs == named


@pytest.mark.rule("5.1", "6.6")
def test_assignments_are_offered_of_those_who_act_with_their_own_formation() -> None:
    """Not of headquarters, which stay, nor of those who are lent already."""
    battalion, other, third = "N-1TirIf/5", "N-2Leg/5", "N-2Alh/6"
    own = table({"G12": f"{battalion} {other} N-CG-R5", "H12": f"{third} N-CG-R6 N-CG-III",
                 "K01": "N-CG-DRM"})  # fmt: skip
    for assigned, some, units in (
        ({}, every, [battalion, third]), ({}, first_alone, [battalion]),
        ({battalion: "N-R6"}, every, [third]),
    ):  # fmt: skip
        state = kernel.State(own.but(assigned=assigned), (Assigning(N),))
        assert [unit for each in offered(state, o.Assign, some) for unit in each.order.to] == units


@pytest.mark.rule("8.p5", "11", "19.2", "21")
def test_a_form_that_looks_at_one_unit_alone_looks_at_one_that_could_do_it() -> None:
    front = table({}).ground.around["I12"][0]
    there = {"H10": "N-2Leg/5", "I12": "N-SFrn/6 N-2Alh/6 N-Cab-1 N-Art75-II", front: "R-1/19"}
    lost = {"N-SFrn/6": 1, "N-2Alh/6": 3}
    state = state_of(in_command(table(there, lost=lost)), N)
    for kind in (o.Arrange, o.Scout, o.Bombard):
        assert offered(state, kind, first_alone), kind
    (given,) = offered(state, o.Consolidate, first_alone)
    assert given.order == o.Consolidate("N-2Alh/6", "N-SFrn/6")


@pytest.mark.rule("19.1", "5.6.4")
def test_an_arrival_is_offered_of_those_who_still_come_and_costs_what_the_ground_does() -> None:
    unit, other = "R-1/66", "R-2/66"
    here = in_command(placed(start(day=3), (other,), "H22"))
    state = state_of(here, R, unit, other)
    found = [each.order for each in offered(state, o.Arrive)]
    assert {each.units for each in found} == {(unit,)}
    gone = kernel.submit(state, found[0]).state
    cost = coming.entry_cost(here, unit, found[0].at)
    assert gone.position.spent[unit] == cost

"""Forms: a page long at most, and what a line says of others holds for each of them."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import Decision
from pbem.engine.policies import help, reading
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.policies.table import TABLE
from pbem.games.nopasaran.stages.activation import Activating
from pbem.games.nopasaran.stages.day import Assigning, Building, Planning
from pbem.orders.template import form
from pbem.value import replace
from tests.games.nopasaran.table import LARGE, SMALL, N, R, closed, start, state_of, table

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

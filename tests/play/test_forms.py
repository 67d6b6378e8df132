"""Forms: nothing can be sent as it stands, and every order in a comment would be accepted."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from pbem.cli.languages import language
from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.engine.policies import help, reading
from pbem.engine.policies.help import LONGEST
from pbem.messages import LANGUAGES
from pbem.orders.parse import parse
from pbem.orders.template import Head, form
from pbem.orders.written import order_line
from pbem.play.prepare import prepare
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source
from tests.bots import RandomDice, legal_samples
from tests.conftest import FUZZ
from tests.contract.playing import every_game, first_state, system
from tests.games.crusade.board import N, R

SCENARIOS = {"campaign": 900, "collapse_of_the_northern_front": 120, "republican_collapse": 200}
"""How many moves of a random game of each are looked at."""
EACH = 1 if FUZZ == 1 else 3
"""How many forms of each kind of question are looked at in a scenario."""


def questions(scenario: str, each: int = EACH) -> Iterator[tuple[State[Any], Decision]]:
    """Questions of a random game, a few of each kind."""
    rng, dice, state = random.Random(7), RandomDice(7), first_state("crusade", scenario).state
    seen: dict[str, int] = {}
    for _ in range(SCENARIOS[scenario]):
        wanted = kernel.waits_for(state)
        if wanted is None:
            return
        if not isinstance(wanted, Decision):
            state = kernel.roll(state, dice).state
            continue
        seen[wanted.stage] = seen.get(wanted.stage, 0) + 1
        if seen[wanted.stage] <= each:
            yield state, wanted
        others = (order for order in legal_samples(state, rng, 40) if order != wanted.default)
        state = kernel.submit(state, next(others, wanted.default)).state


def laid(state: State[Any]) -> Table:
    return Table(opened("crusade").system, {"A": N, "B": R}, state)


def faults_of(table: Table, decision: Decision, text: str) -> str:
    """What is wrong with the orders of a text, given by whoever is asked."""
    source = Source("form.yaml", text)
    try:
        prepare(parse(source, table.system.verbs), table, table.player_of(decision.side))
    except Refused as refused:
        return "; ".join(str(problem.message) for problem in refused.problems)
    return ""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_form_is_open_and_each_of_its_orders_would_be_accepted(scenario: str):
    wrong: dict[str, str] = {}
    kinds = set()
    for state, decision in questions(scenario):
        table = laid(state)

        def legal(order: Any, state: State[Any] = state) -> bool:
            return not kernel.violations(state, order)

        text = form(decision, Head("1234", 7, ("A line above.",)), legal=legal)
        kinds.add(decision.stage)
        fault = faults_of(table, decision, text)
        if not all(each.startswith("fill in ") for each in fault.split("; ")):
            wrong[f"{decision.stage}: the form"] = f"{fault}\n{text}"
        default = f"  # - {order_line(decision.default)}"
        below = [line.partition("   # ")[0] for line in text.splitlines()]
        if default not in below:
            wrong[f"{decision.stage}: the default"] = f"{default}\n{text}"
        for line in re.findall(r"^  # - (.+)$", text, re.M):
            filled = re.sub(r"^  - .*$", lambda _, line=line: f"  - {line}", text, flags=re.M)
            fault = faults_of(table, decision, filled)
            if fault:
                wrong[f"{decision.stage}: {line.partition(':')[0]}"] = f"{line}\n{fault}"
    assert not wrong, "\n\n".join(f"{key}\n{told}" for key, told in wrong.items())
    assert len(kinds) >= 4


def test_the_standing_orders_of_a_form_can_be_given():
    game = opened("crusade").system
    for scenario in SCENARIOS:
        state = first_state("crusade", scenario).state
        for side in (N, R):
            what, *lines = help.example_of(game.policies, state.position, side)
            text = "\n".join(["orders: []", f"# {what}", *lines, ""])
            file = parse(Source("f", text), game.verbs)
            assert file.standing is not None
            assert reading.faults(game.policies, state.position, side, file.standing) == ()


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("slug", "scenario"), every_game())
def test_each_line_of_standing_orders_is_explained(slug: str, scenario: str, code: str) -> None:
    """A comment too long for its line goes on below; what can be copied from it is in one piece."""
    state = first_state(slug, scenario).state
    for side in system(slug).sides:
        _, _, *lines = help.example_of(system(slug).policies, state.position, side, language(code))
        for line, below in pairwise((*lines, "")):
            told = line.partition("# ")[2]
            assert told or below.lstrip().startswith("# "), line
            assert told.count("{") == told.count("}"), line
            assert len(line) <= LONGEST or not told, line


def test_the_form_of_a_card_says_what_it_is_worth_and_what_it_is_forbidden():
    state, decision = next(
        (state, decision)
        for state, decision in questions("campaign", 3)
        if decision.stage == "action" and decision.side == R
    )
    text = form(decision, legal=lambda order: not kernel.violations(state, order))
    assert "  # - play: {card: none}   # an automatic operation: one space\n" in text
    lines = re.findall(r"^  # - play: \{card: (\w+), for: (\w+)\}", text, re.M)
    assert lines and all(card.startswith("R") for card, _ in lines)
    assert re.search(r"operations [1-5], redeployment", text)

"""In every game: a refused order is told with what would be legal, wherever something is."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from pbem.engine import kernel
from pbem.engine.model import Order
from pbem.orders.parse import parse
from pbem.orders.written import order_line
from pbem.play.prepare import prepare
from pbem.play.table import Table
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from tests.bots import sample
from tests.conftest import FUZZ
from tests.contract.playing import Moment, decisions, every_beginning, system
from tests.contract.test_every_game import wild_at
from tests.contract.wild import Wild

LEGAL = "legal now is for example - "


def refused(slug: str, moment: Moment, order: Order) -> tuple[Problem, ...]:
    """What a player is told who writes this order; nothing if it is legal."""
    return told(slug, moment, order_line(order))


def told(slug: str, moment: Moment, line: str) -> tuple[Problem, ...]:
    assert moment.decision
    one, *others = moment.decision.side, *system(slug).sides
    seats = {"A": one, "B": next(side for side in others if side != one)}
    table = Table(system(slug), seats, moment.state)
    text = f"orders:\n  - {line}\n"
    try:
        prepare(parse(Source("orders.yaml", text), system(slug).verbs), table, "A")
    except Refused as found:
        return found.problems
    return ()


def strange(moment: Moment, wild: Wild, rng: random.Random) -> Iterator[Order]:
    """Orders of the verbs that are asked for, most of them one field away from a legal one."""
    assert moment.decision
    for option in moment.decision.options:
        for _ in range(3):
            order = sample(option, rng)
            if order is not None and kernel.violations(moment.state, order) == ():
                yield wild.mutated(order)


@pytest.mark.parametrize(("slug", "scenario"), every_beginning())
def test_a_refused_order_is_told_with_something_that_is_legal(slug: str, scenario: str) -> None:
    rng = random.Random(f"{slug} {scenario}")
    left: list[str] = []
    bare: set[str] = set()
    for moment in decisions(slug, scenario, 1, 20 * FUZZ):
        wild = wild_at(slug, moment, rng)
        for order in strange(moment, wild, rng):
            found = refused(slug, moment, order)
            illegal = [each for each in found if each.code == "illegal-order"]
            if illegal and not any(each.hint for each in found):
                left.append(f"{order_line(order)}: {'; '.join(str(e.message) for e in illegal)}")
            for each in illegal:
                bare |= set(without_name(slug, moment, each))
            for each in found:
                line = str(each.hint).partition(LEGAL)[2]
                assert not line or not told(slug, moment, line), (order, line)
    assert not left and not bare


def without_name(slug: str, moment: Moment, told: Problem) -> Iterator[str]:
    """The ids in a problem that players know by a name, which is not told; not what is typed."""
    assert moment.decision
    names = system(slug).names(moment.state, moment.decision.side, None, answering=True)
    for said in (str(told.message), str(told.hint)):
        if LEGAL in said or "write " in said or "{" in said:
            continue
        for each in re.finditer(r"(?<![\w'-])[\w-]+(?![\w'-])", said):
            title = str(names.title(each[0])).partition(" (")[0]
            if title and not (title in said and said[each.end() :].startswith(")")):
                yield f"{each[0]} in: {said}"

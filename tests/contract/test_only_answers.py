"""Where a form says that one answer alone is legal, nobody finds another: no random player, and
nobody who changes a word of it.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Order, State
from pbem.games import GAMES
from pbem.orders.template import only_answer
from pbem.orders.written import order_line
from tests.bots import legal_samples
from tests.contract.kits import kit
from tests.contract.playing import every_beginning, played
from tests.contract.test_every_game import wild_at


def is_legal(state: State[Any], order: Order) -> bool:
    return not kernel.violations(state, order)


@pytest.mark.parametrize("each", every_beginning(), ids="-".join)
def test_an_only_answer_has_no_other_beside_it(each: tuple[str, str], fuzz: int) -> None:
    rng = random.Random(1)
    for moment in played(*each):
        if moment.decision is None:
            continue
        state = moment.state
        only = only_answer(moment.decision, partial(is_legal, state))
        if only is not None:
            wild = wild_at(each[0], moment, rng)
            found = [*legal_samples(state, rng, 20)]
            found += filter(partial(is_legal, state), map(wild.mutated, [only] * 40 * fuzz))
            said, after = order_line(only), kernel.submit(state, only).state.position
            others = {order_line(order): order for order in found}
            for line in others.keys() - {said}:
                assert kernel.submit(state, others[line]).state.position == after, (said, line)


@pytest.mark.parametrize("slug", [slug for slug in sorted(GAMES) if kit(slug).has_only_answers])
def test_there_are_such_questions(slug: str) -> None:
    only = [
        answer
        for game, scenario in every_beginning()
        if game == slug
        for moment in played(game, scenario)
        if moment.decision
        and (answer := only_answer(moment.decision, lambda order: True)) is not None
    ]
    assert only

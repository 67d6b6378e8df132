"""The longest entry of a battle: on the last evening a player turns up all their counters, after
everything that can lie face down was mixed on each evening before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.codec import to_plain
from pbem.engine.model import State
from pbem.gamefile.prospect import prospect
from pbem.gamefile.shapes import MAX_STEPS
from pbem.games.nopasaran.stages.day import Dawn
from pbem.play.table import Table
from tests.contract.playing import system
from tests.gamefile.players import KEYS
from tests.games.nopasaran.covered import ANSWERS, FINISH, MIX, SEATS, begun, write
from tests.games.nopasaran.table import N, closed, start, table

MOST_POINTS, MOST_UNITS = 10, 12
"""Of a hex."""


def stacked() -> dict[str, str]:
    """All Nationalist units but headquarters, in few hexes; of the enemy nobody who takes long."""
    position, stacks = start(), list[list[str]]()
    able = [unit for unit in position.board.units_of[N]
            if unit in position.places and not position.printed(unit).is_headquarters]  # fmt: skip
    for unit in sorted(able, key=position.troops, reverse=True):
        for stack in stacks:
            is_full = position.troops_of((*stack, unit)) > MOST_POINTS
            if not is_full and len(stack) < MOST_UNITS:
                stack.append(unit)
                break
        else:
            stacks.append([unit])
    return {"T22": "R-CG-CEC"} | {f"A{at:02}": " ".join(each) for at, each in enumerate(stacks, 1)}


def opening(proposal: Mapping[str, Any]) -> Table:
    """The first dawn of the longer battle."""
    position = closed(table(stacked(), day=0))
    return Table(system("nopasaran"), SEATS, kernel.begin(State(position, (Dawn(),))).state)


@pytest.mark.rule("2.6", "5.6.6")
def test_all_counters_mixed_on_each_evening_can_be_shown_in_one_entry() -> None:
    """It took more steps than an entry had, and neither player could write any more."""
    fold, mixes = begun(3, opening), 0
    while fold.phase == "running":
        pen = str(fold.pen)
        ahead, orders = prospect(fold, KEYS[pen]), ()
        if ahead.orders_wanted:
            state = ahead.in_play.state  # type: ignore[attr-defined]
            asked = kernel.waits_for(state)
            orders = ANSWERS.get(asked.stage) or ({asked.default.verb: to_plain(asked.default)},)
            if asked.stage == "activation":
                is_mixed = pen == "A" and state.position.day < len(state.position.plain["days"])
                orders = (MIX, FINISH) if is_mixed else (FINISH,)
                mixes += is_mixed
        fold = write(fold, pen, *orders)
    longest = max((entry.steps for entry in fold.entries), key=len)
    shown = [step for step in longest if step["do"] == "open"]
    cards = [step["card"] for step in shown if not step["card"].startswith("n.")]
    assert mixes == 6 and len(shown) == 6 * len(cards) > 200
    assert len(longest) < MAX_STEPS / 4

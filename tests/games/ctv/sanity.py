"""`python -m tests.games.ctv.sanity [GAMES]`: games of two practice players, held to wide bands.

They begin with the sample set-up. What history and the first trials of these charts say is printed
beside: the data are rebuilt, and a change that upsets the calendar shows here first.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from statistics import median
from typing import Any

from pbem.engine import kernel
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Decision, Order, State
from pbem.engine.practice import chosen
from pbem.games.ctv import events as e
from pbem.games.ctv import practice
from pbem.games.ctv.tables import NATIONALIST
from tests.games.ctv.table import system
from tests.games.ctv.test_setup_sample import played

MOST = 4000
SANTANDER, REINOSA = "1211", "2006"


class Thrown:
    """Dice of a seed."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def roll(self, draws: Any) -> dict[str, Roll]:
        return {draw.label: self._one(draw) for draw in draws}

    def _one(self, draw: Draw) -> Roll:
        return Roll(draw.label, draw.purpose, face=self._rng.randint(1, draw.faces))


def play(seed: int, options: tuple[str, ...] = ()) -> tuple[State[Any], dict[str, int], int]:
    """A game: its end, the turn in which each objective was first taken, and its orders."""
    game, dice = system(), Thrown(seed)
    state = played(" ".join(options)).state
    taken: dict[str, int] = {}
    ahead: list[Order] = []
    orders = 0
    for _ in range(MOST):
        asked = kernel.waits_for(state)
        if asked is None or game.result(state.position) is not None:
            break
        if isinstance(asked, Decision):
            step = kernel.submit(state, _next(state, asked, ahead))
            orders += 1
        else:
            step = kernel.roll(state, dice)
        state = step.state
        for event in step.events:
            if isinstance(event, e.HexTaken) and event.side == NATIONALIST:
                taken.setdefault(event.hex, state.position.turn)
    return state, taken, orders


def _next(state: State[Any], asked: Decision, ahead: list[Order]) -> Order:
    """The next order, as the practice player sends it: with an attack go those behind it, and one
    that has become illegal lapses.
    """
    if asked.stage == "movement":
        ahead.clear()
    while ahead and asked.stage == "combat":
        order = ahead.pop(0)
        if not kernel.violations(state, order):
            return order
    order = chosen(practice, state).order
    ahead += [idea.order for idea in practice.along(state, order)]
    return order


def main(games: int) -> int:
    wins, lengths = Counter[str](), list[int]()
    times: dict[str, list[int]] = {SANTANDER: [], REINOSA: []}
    for seed in range(games):
        state, taken, orders = play(seed)
        result = system().result(state.position)
        assert result is not None
        wins[str(result.winner)] += 1
        lengths.append(orders)
        for hex, turns in times.items():
            turns.append(taken.get(hex, 8))
        if result.winner == NATIONALIST:
            assert state.position.control[SANTANDER] == NATIONALIST, "nobody wins without Santander"
    share = 100 * wins["nationalist"] / games
    print(f"{games} games, {sum(lengths) / games:.0f} orders each")
    print(f"Nationalist wins in 100: {share:.0f} (40 to 90)")
    print(f"Reinosa, median turn: {median(times[REINOSA])} (2 to 4; history 2)")
    print(f"Santander, median turn: {median(times[SANTANDER])} (5 to 7; history 7)")
    in_bands = (
        40 <= share <= 90
        and 2 <= median(times[REINOSA]) <= 4
        and 5 <= median(times[SANTANDER]) <= 7
    )
    return 0 if in_bands else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))

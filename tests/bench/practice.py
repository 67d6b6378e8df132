"""The player for practice, measured: against a random one, and how long its games take.

`python -m tests.bench.practice GAME [GAMES] [SCENARIO ...]` prints a line for each scenario and
seat: games won, seconds of CPU a game, orders a game. GAMES is a number, or the seeds from the
first to the last, such as 3000-3099.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Side, State
from pbem.engine.practice import chosen
from tests.bots import RandomDice
from tests.contract.playing import MOST_MOVES, Player, first_state, system


def game(slug: str, scenario: str, seed: int, bots: Collection[Side]) -> tuple[State[Any], int]:
    """A whole game in which the player for practice has the sides `bots`, and a random one the
    others: its last state, and how many orders were given."""
    player, dice, orders = Player(seed), RandomDice(seed), 0
    state = first_state(slug, scenario).state
    for _ in range(MOST_MOVES):
        wanted = kernel.waits_for(state)
        if wanted is None:
            return state, orders
        if isinstance(wanted, Decision):
            orders += 1
            if wanted.side in bots:
                order = chosen(system(slug).practice, state).order
            else:
                order = player.order(state, wanted)
            state = kernel.submit(state, order).state
        else:
            state = kernel.roll(state, dice).state
    raise AssertionError(f"no end after {MOST_MOVES} moves")


@dataclass
class Series:
    """Some games with the same seats."""

    games: int = 0
    seconds: float = 0.0
    orders: int = 0
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)

    def won(self, side: Side) -> int:
        """The games that a side has won."""
        return sum(count for (winner, _), count in self.ends.items() if winner == side)

    @property
    def pace(self) -> float:
        """Seconds of CPU a game."""
        return self.seconds / self.games


def series(slug: str, scenario: str, seeds: range, bots: Collection[Side]) -> Series:
    """A game of each seed."""
    found = Series()
    for seed in seeds:
        began = process_time()
        state, orders = game(slug, scenario, seed, bots)
        found.seconds += process_time() - began
        found.games += 1
        found.orders += orders
        result = system(slug).result(state.position)
        assert result is not None
        found.ends[result.winner or "nobody", result.reason] += 1
    return found


def report(slug: str, scenario: str, seeds: range) -> None:
    """The four series of a scenario, in lines."""
    sides, games = system(slug).sides, len(seeds)
    chance = series(slug, scenario, seeds, ())
    for bots in (*((side,) for side in sides), sides):
        found = series(slug, scenario, seeds, bots)
        ways = ", ".join(f"{who}: {why} {count}" for (who, why), count in found.ends.most_common())
        won = f"wins {found.won(bots[0])} of {games}" if len(bots) == 1 else "against itself"
        speed = f"{found.pace:.2f} s, {found.pace / chance.pace:.1f} times a random game"
        print(f"{scenario:32} {bots[0] if len(bots) == 1 else 'both':12} {won:16} {speed}; "
              f"{found.orders / games:.0f} orders; {ways}", flush=True)  # fmt: skip


def seeds_of(games: str) -> range:
    """The seeds of so many games, or those from the first to the last."""
    first, _, last = games.rpartition("-")
    return range(int(first), int(last) + 1) if first else range(int(last))


def main(slug: str, games: str = "20", *scenarios: str) -> None:
    """Prints the report."""
    for scenario in scenarios or [each.id for each in system(slug).scenarios()]:
        report(slug, scenario, seeds_of(games))


if __name__ == "__main__":
    main(*sys.argv[1:])

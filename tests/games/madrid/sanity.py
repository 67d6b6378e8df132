"""How games go between two simple players, as figures: nothing here passes or fails.

`python -m tests.games.madrid.sanity [GAMES] [SCENARIO]` plays games of a scenario (scenario_1)
by the player for practice on both sides, and prints how near to Madrid the Nationalists are when
turn 5 ends, in which turn they may cross the rivers, and how and when it ends.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine import kernel
from pbem.engine.model import Decision
from pbem.engine.practice import chosen
from pbem.games.madrid.position import RIVERS_OPEN, Position
from pbem.games.madrid.tables import MADRID, NATIONALIST
from tests.bots import RandomDice
from tests.contract.playing import first_state, system

LOOKED_AT = 5
"""The turn at whose end the distance to Madrid is measured."""


@dataclass(frozen=True)
class Course:
    """How one game went. `crossed` 0: the ban did not fall; `nearest` None: it ended before."""

    nearest: int | None
    crossed: int
    last: int
    end: str


def nearest(position: Position) -> int:
    """How many boundaries are between Madrid and the nearest area with a Nationalist unit."""
    far = position.board.graph.distances((MADRID,))
    return min(
        (far[area] for area in position.board.areas if position.units_at(area, NATIONALIST)),
        default=max(far.values()),
    )


def course(scenario: str, seed: int) -> Course:
    """A game of the player for practice against itself."""
    game, dice = system("madrid"), RandomDice(seed)
    state, crossed, near = first_state("madrid", scenario).state, 0, None
    while (wanted := kernel.waits_for(state)) is not None:
        before = state.position
        if isinstance(wanted, Decision):
            state = kernel.submit(state, chosen(game.practice, state).order).state
        else:
            state = kernel.roll(state, dice).state
        if RIVERS_OPEN in state.position.facts and not crossed:
            crossed = state.position.turn
        if before.turn == LOOKED_AT and (state.position.turn > LOOKED_AT or not state.agenda):
            near = nearest(before)
    result = game.result(state.position)
    assert result is not None
    return Course(near, crossed, state.position.turn, f"{result.winner}: {result.reason}")


def told(counts: Mapping[object, int]) -> str:
    """Counts in the order of what is counted."""
    pairs = sorted(counts.items(), key=lambda each: (each[0] is None, str(each[0]).zfill(2)))
    return ", ".join(f"{what}: {count}" for what, count in pairs)


def main(games: str = "200", scenario: str = "scenario_1") -> None:
    """Prints the figures."""
    found = [course(scenario, seed) for seed in range(int(games))]
    print(f"{games} games of {scenario}")
    for title, values in {
        f"boundaries to Madrid behind turn {LOOKED_AT}": [each.nearest for each in found],
        "the rivers may be crossed from turn": [each.crossed for each in found],
        "last turn": [each.last for each in found],
        "end": [each.end for each in found],
    }.items():
        print(f"  {title}: {told(Counter(values))}")


if __name__ == "__main__":
    main(*sys.argv[1:])

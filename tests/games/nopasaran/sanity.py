"""How battles go between two simple players, as figures: nothing here passes or fails.

`python -m tests.games.nopasaran.sanity [GAMES] [SCENARIO...]` plays games by the player for
practice on both sides, and prints who wins and on which day each of the places that the battle was
about fell to the Nationalists. GAMES is a number, or the seeds from the first to the last, such as
40-99: the figures of two parts can be added up. In 1937 Pindoque fell on the first day, Pingarrón
on the second or third, Arganda and Morata never.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine import kernel
from pbem.engine.model import Decision
from pbem.engine.practice import chosen
from pbem.games.nopasaran import practice
from pbem.games.nopasaran.tables import NATIONALIST
from tests.bench.practice import seeds_of
from tests.bots import RandomDice
from tests.contract.playing import first_state, system
from tests.games.nopasaran.table import LARGE, SMALL

PLACES = {"Pindoque": "G13", "Pingarrón": "O14", "Arganda": "E19", "Morata": "L19"}


@dataclass(frozen=True)
class Course:
    """How one game went: how it ended, and the day on which each place fell first; 0 for never."""

    end: str
    fell: Mapping[str, int]


def hexes(scenario: str) -> Mapping[str, str]:
    """The places that are in a battle, and their hexes."""
    ground = first_state("nopasaran", scenario).state.position.ground
    return {place: hex for place, hex in PLACES.items() if hex in ground}


def course(scenario: str, seed: int) -> Course:
    """A game of the player for practice against itself."""
    dice, state = RandomDice(seed), first_state("nopasaran", scenario).state
    places = hexes(scenario)
    fell = dict.fromkeys(places, 0)
    while (wanted := kernel.waits_for(state)) is not None:
        if isinstance(wanted, Decision):
            state = kernel.submit(state, chosen(practice, state).order).state
        else:
            state = kernel.roll(state, dice).state
        for place, hex in places.items():
            if not fell[place] and state.position.control[hex] == NATIONALIST:
                fell[place] = state.position.day
    result = system("nopasaran").result(state.position)
    assert result is not None
    return Course(result.reason, fell)


def told(counts: Mapping[str, int]) -> str:
    """Counts, the most frequent first."""
    return ", ".join(f"{what}: {count}" for what, count in Counter(counts).most_common())


def main(games: str = "100", *scenarios: str) -> None:
    """Prints the figures."""
    for scenario in scenarios or (SMALL, LARGE):
        found = [course(scenario, seed) for seed in seeds_of(games)]
        ends = told(Counter(each.end for each in found))
        print(f"{len(found)} games of {scenario}: {ends}", flush=True)
        for place in hexes(scenario):
            days = Counter(each.fell[place] for each in found)
            named = {f"day {day}" if day else "never": days[day] for day in sorted(days)}
            print(f"  {place}: {told(named)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Storm over Madrid beside Crusade and Revolution, in seconds of the processor."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from pbem.engine import kernel
from pbem.engine.codec import from_written
from pbem.engine.model import Decision, State
from tests.bench.cold import apply_of
from tests.bench.game import files
from tests.bench.replay import moves_of, replayed
from tests.bots import RandomDice
from tests.contract.playing import first_state, playout, system
from tests.replays import campaign
from tests.replays.stored import HERE, Replay, stored

CAMPAIGNS = ("madrid", "crusade")
GAMES, TIMES, APPLIED = 5, 3, 15


@dataclass(frozen=True)
class Beside:
    """Random orders a second of Madrid and of Crusade; the milliseconds to replay the longest
    stored campaign of Madrid, and Crusade's of 216 rounds; the slowest order of Madrid's; the
    milliseconds of a cold apply on about as many entries of each game."""

    orders: tuple[float, float]
    replay: tuple[float, float]
    slowest: float
    apply: tuple[float, float]


def beside() -> Beside:
    """Both games in turns, so that what slows the machine slows both."""
    orders: dict[str, list[tuple[int, float]]] = {slug: [] for slug in CAMPAIGNS}
    for seed in range(GAMES):
        for slug in CAMPAIGNS:
            orders[slug].append(orders_and_seconds(slug, "campaign", seed))
    took, other = beside_crusades(longest("madrid", "campaign"))
    return Beside(
        (a_second(orders["madrid"]), a_second(orders["crusade"])),
        (median(map(sum, took)), other),
        max(map(median, zip(*took, strict=True))),
        applied(CAMPAIGNS),
    )


def beside_crusades(ours: Replay) -> tuple[list[list[float]], float]:
    """The milliseconds of each move of a stored game, several times, and those of the rules replay
    of Crusade's Campaign of 216 rounds.
    """
    moves, _ = moves_of(campaign.raw_of())
    begun = first_state("crusade", "campaign", ("open_hands",)).state
    took, other = [], []
    for _ in range(TIMES):
        took.append(list(_replayed(ours)))
        before = process_time()
        deque(replayed(begun, moves), 0)
        other.append((process_time() - before) * 1000)
    return took, median(other)


def orders_and_seconds(slug: str, scenario: str, seed: int) -> tuple[int, float]:
    """The orders of a random game to its end, and the seconds it took."""
    before = process_time()
    given = sum(each.order is not None for each in playout(slug, scenario, seed, whole=True))
    return given, process_time() - before


def a_second(games: Sequence[tuple[int, float]]) -> float:
    """All orders in all the time: a single game is too short, and each has its own pace."""
    return sum(given for given, _ in games) / sum(seconds for _, seconds in games)


def applied(games: Sequence[str]) -> tuple[float, float]:
    """The milliseconds of a cold apply in two games, of the processor."""
    with tempfile.TemporaryDirectory() as folder:
        cold = [apply_of(files(slug), Path(folder, slug), primed=True) for slug in games]
        for _ in range(APPLIED + 1):
            for each in cold:
                each.run()
    ours, theirs = (each.cpu_milliseconds for each in cold)
    return ours, theirs


def longest(slug: str, scenario: str) -> Replay:
    """The stored game of a scenario with the most orders, of those that are no signed files."""
    paths = (
        path for path in sorted(Path(HERE, slug).glob("*.json"))
        if not path.with_suffix(".pbem.json.gz").exists()
    )  # fmt: skip
    found = (each for each in map(stored, paths) if each.scenario == scenario)
    return max(found, key=lambda each: len(each.orders))


def _replayed(replay: Replay) -> Iterator[float]:
    """The milliseconds of each order and roll, by the rules alone."""
    verbs, dice = system(replay.slug).verbs, RandomDice(replay.dice)
    state: State[Any] = first_state(replay.slug, replay.scenario, replay.options).state
    orders = iter(replay.orders)
    while (wanted := kernel.waits_for(state)) is not None:
        before = process_time()
        if isinstance(wanted, Decision):
            ((verb, fields),) = next(orders).items()
            state = kernel.submit(state, from_written(verbs[verb], fields)).state
        else:
            state = kernel.roll(state, dice).state
        yield (process_time() - before) * 1000

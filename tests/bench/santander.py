"""Santander 1937 beside Crusade and Revolution, in seconds of the processor."""

from __future__ import annotations

import gzip
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import mean, median
from time import process_time
from typing import Any

from pbem.engine import kernel
from pbem.engine.codec import from_plain, to_plain
from pbem.engine.model import Decision, Order
from pbem.engine.practice import chosen
from pbem.gamefile.format import read
from pbem.gamefile.without_rules import replay_without_rules
from pbem.games.crusade.position import Control
from pbem.games.crusade.rules.supply import supply_map
from pbem.games.ctv import practice
from pbem.games.ctv.orders import Attack, Move
from pbem.value import replace
from tests.bench.game import files
from tests.bench.madrid import a_second, applied, beside_crusades, longest, orders_and_seconds
from tests.bench.replay import moves_of, replayed
from tests.contract.playing import first_state, playout, system
from tests.games.ctv.sanity import Thrown
from tests.games.ctv.test_setup_sample import played
from tests.replays import covered

GAMES: tuple[tuple[str, str], ...] = (("ctv", "santander"), ("crusade", "campaign"))
SEEDS, CHECKS, TIMES = 6, 150, 3
MOVES, ATTACKS = 40, 10
"""The orders of a large turn."""


@dataclass(frozen=True)
class Beside:
    """Milliseconds to judge the forty moves and ten attacks of a large player turn, to judge and
    resolve them, and of a round of Crusade; microseconds in which the supply of both sides is
    judged after a step, and after a space of Crusade's has changed hands; random orders a second of
    both; milliseconds to replay the longest stored game, and Crusade's of 216 rounds; those of a
    cold apply."""

    turn: tuple[float, float, float]
    supply: tuple[float, float]
    orders: tuple[float, float]
    replay: tuple[float, float]
    apply: tuple[float, float]
    covered: tuple[float, float, float]
    """Of the stored game with covered counters: milliseconds in which its signatures, decks,
    openings and audits are verified without its rules, and those that its rules add; kilobytes of
    the file, packed."""


def beside() -> Beside:
    """Both games in turns, so that what slows the machine slows both."""
    orders: dict[str, list[tuple[int, float]]] = {slug: [] for slug, _ in GAMES}
    for seed in range(SEEDS):
        for slug, scenario in GAMES:
            orders[slug].append(orders_and_seconds(slug, scenario, seed))
    took, other = beside_crusades(longest("ctv", "santander"))
    supply = [(_judged(), supply_of_crusade()) for _ in range(TIMES)]
    ours, theirs = map(median, zip(*supply, strict=True))
    return Beside(
        (*_turn(), round_of_crusade()), (ours, theirs),
        (a_second(orders["ctv"]), a_second(orders["crusade"])),
        (median(map(sum, took)), other), applied(("ctv", "crusade")),
        _covered(),
    )  # fmt: skip


# --- covered counters


def _covered() -> tuple[float, float, float]:
    raw, found = covered.raw_of(), []
    for _ in range(TIMES):
        begun = process_time()
        replay_without_rules(read(raw))
        bare = process_time()
        covered.folded(raw)
        found.append((bare - begun, process_time() - bare))
    proofs, whole = (median(each) * 1000 for each in zip(*found, strict=True))
    return proofs, whole - proofs, len(gzip.compress(raw, mtime=0)) / 1000


# --- a turn


def _turn() -> tuple[float, float]:
    """Milliseconds to judge so many moves and attacks, and to carry them out as well, at the pace
    of a game of two practice players.
    """
    orders = list(_practised())
    runs = [_paces(orders) for _ in range(TIMES)]
    judged, whole = (min(run[at] for run in runs) for at in (0, 1))
    return judged, whole


def round_of_crusade() -> float:
    """Milliseconds of a round of Crusade, in the game in which a cold round is timed."""
    moves, rounds = moves_of(files().game.read_bytes())
    begun, took = first_state("crusade", "campaign", ("open_hands",)).state, []
    for _ in range(TIMES):
        before = process_time()
        deque(replayed(begun, moves), 0)
        took.append(process_time() - before)
    return min(took) * 1000 / rounds


def _practised() -> Iterator[Order]:
    """The orders of a game of two practice players."""
    state, dice = played().state, Thrown(1)
    while (wanted := kernel.waits_for(state)) is not None:
        if isinstance(wanted, Decision):
            order = chosen(practice, state).order
            yield order
            state = kernel.submit(state, order).state
        else:
            state = kernel.roll(state, dice).state


def _paces(orders: list[Order]) -> tuple[float, float]:
    """Milliseconds to judge the orders of a large turn, each as long as on the average, and those
    with all that they lead to: an attack goes to the next question of its side.
    """
    state, dice, left = played().state, Thrown(1), iter(orders)
    judged: dict[type[Order], list[float]] = {Move: [], Attack: []}
    whole: dict[type[Order], list[float]] = {Move: [], Attack: []}
    begun: type[Order] | None = None
    while (wanted := kernel.waits_for(state)) is not None:
        order = next(left) if isinstance(wanted, Decision) else None
        # Read anew, as from a file: nothing is known of it yet.
        fresh = from_plain(type(order), to_plain(order)) if order is not None else None
        if isinstance(wanted, Decision) and wanted.stage in ("combat", "movement"):
            begun = type(fresh) if type(fresh) in whole else None
            if begun is not None:
                whole[begun].append(0)
        before = process_time()
        if fresh is not None:
            kernel.violations(state, fresh)
            if type(fresh) in judged:
                judged[type(fresh)].append(process_time() - before)
        step = kernel.roll(state, dice) if fresh is None else kernel.submit(state, fresh)
        if begun is not None:
            whole[begun][-1] += process_time() - before
        state = step.state
    return _large(judged), _large(whole)


def _large(took: Mapping[type[Order], list[float]]) -> float:
    return (MOVES * mean(took[Move]) + ATTACKS * mean(took[Attack])) * 1000


# --- supply


def _judged() -> float:
    """Microseconds in which both sides' supply is judged after one unit has made one step."""

    def checks() -> Iterator[Callable[[], Any]]:
        for moment in playout("ctv", "santander", 1, whole=True):
            position = moment.state.position
            for side in system("ctv").sides:
                for unit in position.on_map(side)[:1]:
                    near = position.board.graph.neighbours(position.at(unit))
                    after = position.with_units((unit,), near[0])
                    yield lambda after=after: after.judged

    return microseconds(checks())


def supply_of_crusade() -> float:
    """Microseconds of Crusade's supply check for both sides after a space has changed hands."""

    def checks() -> Iterator[Callable[[], Any]]:
        positions = (each.state.position for each in playout(*GAMES[1], 1, whole=True))
        for before, after in pairwise(positions):
            if before.control is not after.control:
                fresh = replace(after, control=Control(after.control))
                yield lambda fresh=fresh: [
                    supply_map(fresh, side) for side in system("crusade").sides
                ]

    return microseconds(checks())


def microseconds(checks: Iterator[Callable[[], Any]]) -> float:
    found = []
    for check in islice(checks, CHECKS):
        before = process_time()
        check()
        found.append((process_time() - before) * 1e6)
    return median(found)

"""How long a verification takes, and how much of that is the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Order, State
from pbem.gamefile.format import read
from pbem.gamefile.verify import examine
from pbem.play.game import options_of, table_for
from pbem.play.systems import opened

TIMES = 7

Move = Order | Mapping[str, Roll]


@dataclass(frozen=True)
class Replay:
    """Milliseconds of a whole verification, of the same moves through the engine alone, and of the
    slowest of those moves. A move is an order or a roll."""

    entries: int
    rounds: int
    moves: int
    verify: float
    rules: float
    slowest: float

    @property
    def verify_beyond_rules(self) -> float:
        return (self.verify - self.rules) / self.entries

    @property
    def rules_per_round(self) -> float:
        return self.rules / self.rounds

    @property
    def verify_per_move(self) -> float:
        return self.verify / self.moves

    @property
    def rules_per_move(self) -> float:
        return self.rules / self.moves


def measured(raw: bytes, times: int = TIMES) -> Replay:
    """The game of a file, verified and replayed `times` times; medians."""
    proposal = read(raw)[0].payload["steps"][0]
    moves, rounds = moves_of(raw)
    system = opened("crusade").system
    each: list[list[float]] = []

    def rules() -> None:
        state = kernel.begin(system.setup(proposal["scenario"], options_of(proposal))).state
        each.append(list(replayed(state, moves)))

    def verify() -> None:
        assert examine(raw, table_for).is_good

    whole, alone = _milliseconds(verify, times), _milliseconds(rules, times)
    slowest = max(median(move) for move in zip(*each, strict=True))
    return Replay(len(read(raw)), rounds, len(moves), whole, alone, slowest)


def _milliseconds(work: Callable[[], None], times: int) -> float:
    found = []
    for _ in range(times):
        started = process_time()
        work()
        found.append((process_time() - started) * 1000)
    return median(found)


class Recorded:
    """Dice that were rolled before."""

    def __init__(self, rolled: Mapping[str, Roll]) -> None:
        self.rolled = rolled

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return self.rolled


def replayed(state: State[Any], moves: list[Move]) -> Iterator[float]:
    """Every move in turn; the milliseconds it took."""
    for move in moves:
        started = process_time()
        if isinstance(move, Order):
            state = kernel.submit(state, move).state
        else:
            state = kernel.roll(state, Recorded(move)).state
        yield (process_time() - started) * 1000


def moves_of(raw: bytes) -> tuple[list[Move], int]:
    """Every order and roll of a game as its verification meets them, and how many rounds it saw."""
    moves: list[Move] = []
    rounds: set[str] = set()
    clock = opened("crusade").system.clock
    submit, roll = kernel.submit, kernel.roll

    def submitted(state: State[Any], order: Order) -> kernel.Progress:
        done = submit(state, order)
        moves.append(order)
        rounds.add(clock(state.position).span)
        return done

    def rolled(state: State[Any], dice: Any) -> kernel.Progress:
        kept: dict[str, Roll] = {}

        class Kept:
            def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
                kept.update(dice.roll(draws))
                return kept

        done = roll(state, Kept())
        moves.append(kept)
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "submit", submitted)
        patch.setattr(kernel, "roll", rolled)
        assert examine(raw, table_for).is_good
    return moves, len(rounds)

"""Games played by chance in one process: ours, and beside them two peers' on the same machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

import chess
from diplomacy import Game  # type: ignore[import-not-found]

from tests.bench.diplomacy_phase import orders as diplomacy_orders
from tests.contract.playing import playout, system

SECONDS = 10.0
"""Each kind of game is played until so much time of the processor has gone."""


CAMPAIGN = ("crusade", "campaign")


def campaign_orders() -> float:
    """Orders a second of random Campaigns to their end: question, legal order, judged, rolled."""

    def game(seed: int) -> int:
        return sum(moment.order is not None for moment in playout(*CAMPAIGN, seed, whole=True))

    return _a_second(game)


def campaign_rounds() -> float:
    """Rounds and phases a second of the same games."""
    clock = system("crusade").clock

    def game(seed: int) -> int:
        return len(
            {clock(each.state.position).span for each in playout(*CAMPAIGN, seed, whole=True)}
        )

    return _a_second(game)


def chess_moves() -> float:
    """Moves a second of random games of python-chess."""

    def game(seed: int) -> int:
        rng, board = random.Random(seed), chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        return board.ply()

    return _a_second(game)


def diplomacy_phases() -> float:
    """Phases a second of `diplomacy`, every unit with the first order it may have."""

    def game(_: int) -> int:
        played = Game()
        for _ in range(12):
            diplomacy_orders(played)
            played.process()
        return 12

    return _a_second(game)


def _a_second(game: Callable[[int], int]) -> float:
    """What `game(seed)` counts, a second; games are played whole."""
    done, seed, started = 0, 0, process_time()
    while process_time() - started < SECONDS:
        done += game(seed)
        seed += 1
    return done / (process_time() - started)

"""What a position computes: shortcuts give what the long way gives."""

from __future__ import annotations

import random

from pbem.games.ctv.rules import movement
from tests.games.ctv.table import N, R, system, table


def scattered(seed):
    """A position with units of both sides strewn over the map."""
    rng, board = random.Random(seed), system().tables
    hexes, at = list(board.hexes), {}
    rng.shuffle(hexes)
    for side, number in ((N, 12), (R, 12)):
        units = [unit for unit in board.army[side] if board.units[unit].is_ground]
        for unit in rng.sample(units, number):
            at[hexes.pop()] = unit
    return rng, table(at)


def test_a_step_within_reach_is_judged_as_in_full() -> None:
    said = set()
    for seed in range(40):
        rng, position = scattered(seed)
        for side in (N, R):
            for unit in rng.sample(position.on_map(side), 4):
                near = position.board.graph.neighbours(position.at(unit))
                for hex in [hex for hex in near if not movement.bars(position, hex, side, [unit])]:
                    after = position.with_units([unit], hex)
                    bit = position.board.masks.bit[hex]
                    full = bool(after.judged[side] & bit)
                    assert movement.would_be_supplied(position, [unit], hex, side) is full
                    said.add((full, bool(movement._safe_lines(position, [unit], side) & bit)))
    assert said == {(True, True), (True, False), (False, False)}

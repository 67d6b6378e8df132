"""Twice the input takes twice the time: for every reader, on inputs made to hurt it."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest

from tests.conftest import FUZZ
from tests.fuzz.hurting import HURTING, Make, Read
from tests.fuzz.readers import READERS

MOST = 2.5
"""Of four times, as a reader that looks at each byte for each byte would take."""
TRIES = 4
TOO_SHORT, TOO_LONG = 0.0005, 1.0
"""Seconds: below the one nothing is measured, and nobody waits; above the other it is clear."""

SHARE = 4 if FUZZ == 1 else 1
"""Of the size a reader is hurt with: a quarter of it in the tests of every day."""
ELSEWHERE = {
    "signed file": "game file",
    "told game": "game file",
    "data folder": "schemas",
    "data folder of areas": "schemas",
    "data folder of hexes": "schemas",
}
"""Readers of READERS that read by what another one is held to."""


@pytest.fixture(autouse=True)
def without_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def seconds(read: Read, raw: bytes) -> float:
    before = time.process_time()
    read(raw)
    return time.process_time() - before


def growth(read: Read, make: Make, size: int) -> float:
    """How many times as long twice the size takes.

    Another program on the machine makes a run longer, never shorter, so of several runs the
    shortest counts. A step in the memory's speed is passed over by doubling again: it comes once,
    and a reader that looks back takes four times as long at every size.
    """
    read(make(size // 8))  # what is loaded or compiled at the first call
    for at in (size, 2 * size, 4 * size):
        once, twice = make(at), make(2 * at)
        short = long = float("inf")
        for _ in range(TRIES):
            short, long = min(short, seconds(read, once)), min(long, seconds(read, twice))
            if long < TOO_SHORT:
                return 1.0
            if long / short < MOST or long > TOO_LONG:
                return long / short
    return long / short


@pytest.mark.parametrize("reader", HURTING)
def test_twice_the_input_takes_twice_the_time(reader: str) -> None:
    read, inputs, size = HURTING[reader]
    found = {name: growth(read, make, size // SHARE) for name, make in inputs.items()}
    assert {name: times for name, times in found.items() if times >= MOST} == {}


def test_every_reader_that_is_fuzzed_is_hurt_too() -> None:
    assert {ELSEWHERE.get(name, name) for name in READERS} <= set(HURTING)


def test_a_reader_that_looks_back_is_found() -> None:
    def looks_back(raw: bytes) -> int:
        return sum(raw.count(raw[at : at + 1]) for at in range(0, len(raw), 50))

    assert growth(looks_back, lambda size: bytes(size), 1 << 14) > MOST

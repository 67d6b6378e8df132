"""A small coverage-guided fuzzer: what reaches a line of ours in a new way is worth changing on."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tests.fuzz.readers import Reader

PACKAGE = str(Path(__file__).parents[2] / "pbem")
HOT = frozenset({"check_domain", "_check_depth", "_integer", "_members", "__init__", "__setattr__"})
"""Functions called for every value of a file: too much to follow, and little to learn."""
LARGEST = 96 << 10
PATIENCE = 5
"""Seconds of work an input may cost before it counts as a hang."""


class Failure(Exception):
    """An input that a reader did not stand; `raw` is the input."""

    def __init__(self, raw: bytes, fault: BaseException) -> None:
        super().__init__(f"{type(fault).__name__}: {fault}")
        self.raw = raw


class Hang(BaseException):
    """Took longer than anything honest does; no boundary of the program may swallow it."""


class Run(NamedTuple):
    """What a run has done: inputs tried, those kept for what they reached, steps reached."""

    tried: int
    kept: int
    reached: int
    slowest: float
    slow: bytes


def fuzz(reader: Reader, seed: int, goes_on: Callable[[int], bool]) -> Run:
    """Feeds a reader as long as `goes_on` (asked with the number of inputs so far) says.

    Raises Failure with the first input that raises anything but a refusal, or hangs.
    """
    rng = random.Random(seed)
    corpus = list(reader.seeds)
    reached: set[Any] = set()
    slowest, slow = 0.0, b""
    for raw in corpus:
        reached |= covered(reader, raw)[0]
    seeds, tried = len(corpus), 0
    while goes_on(tried):
        raw = (reader.change or changed)(rng, rng.choice(corpus), corpus, reader.words)
        found, spent = covered(reader, raw)
        if spent > slowest:
            slowest, slow = spent, raw
        tried += 1
        if not found <= reached:
            reached |= found
            corpus.append(raw)
    return Run(tried, len(corpus) - seeds, len(reached), slowest, slow)


def covered(reader: Reader, raw: bytes) -> tuple[set[Any], float]:
    """The steps from line to line, in our code, that a reader takes on an input; its seconds."""
    steps: set[Any] = set()
    began = time.process_time()
    try:
        with patience(), traced(steps):
            reader.call(raw)
    except (Exception, Hang) as fault:
        raise Failure(raw, fault) from fault
    return steps, time.process_time() - began


@contextmanager
def patience() -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {PATIENCE} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def traced(steps: set[Any]) -> Iterator[None]:
    last: dict[CodeType, int] = {}

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        code, number = frame.f_code, frame.f_lineno
        steps.add((code, last.get(code, 0), number))
        last[code] = number
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        ours = code.co_filename.startswith(PACKAGE) and code.co_name not in HOT
        return line if ours else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)


# --- ways to change an input ----------------------------------------------------------------------


def changed(rng: random.Random, raw: bytes, corpus: list[bytes], words: tuple[bytes, ...]) -> bytes:
    """The input after one to four changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        raw = rng.choice(CHANGES)(rng, raw, corpus, words)[:LARGEST]
    return raw


def one_byte(rng: random.Random, raw: bytes, corpus: Any, words: Any) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]


def one_bit(rng: random.Random, raw: bytes, corpus: Any, words: Any) -> bytes:
    if not raw:
        return b"x"
    at = rng.randrange(len(raw))
    return raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :]


def without(rng: random.Random, raw: bytes, corpus: Any, words: Any) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + raw[at + rng.choice([1, 2, 8, 64, 500]) :]


def cut(rng: random.Random, raw: bytes, corpus: Any, words: Any) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


def word_put_in(rng: random.Random, raw: bytes, corpus: Any, words: tuple[bytes, ...]) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + rng.choice(words) + raw[at + rng.choice([0, 0, 1, 8]) :]


def part_again(rng: random.Random, raw: bytes, corpus: Any, words: Any) -> bytes:
    at, length = rng.randrange(len(raw) + 1), rng.choice([1, 4, 30, 300, 3000])
    part = raw[at : at + length] * rng.choice([1, 2, 2, 20, 400])
    where = rng.choice([at, rng.randrange(len(raw) + 1)])
    return raw[:where] + part + raw[where:]


def spliced(rng: random.Random, raw: bytes, corpus: list[bytes], words: Any) -> bytes:
    other = rng.choice(corpus)
    at, there = rng.randrange(len(raw) + 1), rng.randrange(len(other) + 1)
    return raw[:at] + other[there : there + rng.choice([20, 400, LARGEST])] + raw[at:]


def lines_moved(rng: random.Random, raw: bytes, corpus: Any, words: Any) -> bytes:
    lines = raw.splitlines(keepends=True)
    if len(lines) > 1:
        one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    return b"".join(lines)


CHANGES = (one_byte, one_bit, without, cut, word_put_in, word_put_in, part_again, spliced,
           lines_moved)  # fmt: skip

"""Fuzzes all readers for a while: `python -m tests.fuzz --seconds 600`.

Prints what was tried; an input that fails is kept in build/fuzz, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
import traceback
from pathlib import Path

from tests.fuzz.guided import Failure, fuzz
from tests.fuzz.readers import READERS

KEPT = Path(__file__).parents[2] / "build" / "fuzz"
MOST_MEMORY = 256 << 10
"""KiB that the process may grow over all inputs."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=30, help="for all readers together")
    parser.add_argument("--seed", type=int, default=None, help="else a fresh one")
    parser.add_argument("--reader", choices=READERS, action="append", help="this one only")
    given = parser.parse_args()
    seed = time.time_ns() if given.seed is None else given.seed
    names = given.reader or list(READERS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    share = given.seconds / sum(READERS[name].share for name in names)
    failed = sum(not tried(name, seed, share * READERS[name].share) for name in names)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"seed {seed}; memory grew by {grown >> 10} MiB", flush=True)
    if grown > MOST_MEMORY:
        print(f"that is more than {MOST_MEMORY >> 10} MiB")
    return int(failed > 0 or grown > MOST_MEMORY)


def tried(name: str, seed: int, seconds: float) -> bool:
    """Fuzzes one reader; whether it stood everything."""
    end = time.monotonic() + seconds
    try:
        run = fuzz(READERS[name], seed, lambda _: time.monotonic() < end)
    except Failure as failure:
        KEPT.mkdir(parents=True, exist_ok=True)
        path = KEPT / f"{name.replace(' ', '-')}-{seed}.bin"
        path.write_bytes(failure.raw)
        traceback.print_exception(failure.__cause__)
        print(f"{name}: failed on {path}: {failure}", flush=True)
        return False
    print(
        f"{name}: {run.tried} inputs, {run.kept} reached something new, "
        f"{run.reached} steps of ours taken, the slowest took {run.slowest:.2f} s",
        flush=True,
    )
    return True


if __name__ == "__main__":
    sys.exit(main())

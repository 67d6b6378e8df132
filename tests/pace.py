"""How fast this machine is at present, which others may use, too: for limits told in seconds."""

from __future__ import annotations

import hashlib
import time

DIGESTS, THEIR_SECONDS = 20_000, 0.0085
"""A piece of work, and how long it took on the machine the limits were set on."""


def slowness() -> float:
    """How many times as long as there the work takes here now; at least 1."""
    runs = []
    for _ in range(3):
        before = time.process_time()
        for _ in range(DIGESTS):
            hashlib.sha256(bytes(100)).digest()
        runs.append(time.process_time() - before)
    return max(1.0, min(runs) / THEIR_SECONDS)

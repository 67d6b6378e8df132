"""pbem with the same numbers each time where it takes fresh ones, for the demonstration alone.

`same_dice.py SEED PLAYER WORDS...`: whoever knows such numbers knows the dice.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from types import SimpleNamespace

from pbem.cli import main, reply
from pbem.play import game


def numbers(count: int) -> bytes:
    """The same `count` bytes, up to 32, for the same seed, player and command."""
    return hashlib.sha256(" ".join(CALLED).encode()).digest()[:count]


if __name__ == "__main__":
    CALLED = sys.argv[1:4]
    del sys.argv[1:3]
    secrets.token_bytes = numbers  # type: ignore[assignment]
    game.__version__ = "0.1.0"  # which is signed, so that dice depend on it
    reply.os = SimpleNamespace(**{**vars(os), "urandom": numbers})  # type: ignore[assignment]
    main()

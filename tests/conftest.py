"""How long the random tests run, that they find the same in every run, and what is done once.

PBEM_FUZZ=20 (`make fuzz`) makes them twenty times as long, each time from a fresh seed.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from pbem.gamefile import beacons, cards, chain, decks, draft, keys, rotation, shown
from pbem.play import reports
from tests import pinned

FUZZ = int(os.environ.get("PBEM_FUZZ", "1"))
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]

settings.register_profile(
    "daily",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=40,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "fuzz", deadline=None, max_examples=100 * FUZZ, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile("fuzz" if FUZZ > 1 else "daily")


# What is thrown away is looked for seldom, and never among ten thousand tests that all stay: a
# twentieth of the run went into it.
gc.set_threshold(50_000, 20, 50)


def fsync(handle: int) -> None:
    """No test pulls the plug: a write that fails, or is killed at this call, needs no disk."""


os.fsync = fsync


def once(function: Callable[..., Any], *users: Any, most: int = 1 << 14) -> None:
    """What depends on nothing but its arguments is found once for all tests that fold the same
    entries: a hundred replay the sample game."""
    made = lru_cache(maxsize=most)(function)
    for user in users:
        setattr(user, function.__name__, made)


once(keys.signature_holds, chain, rotation)
once(decks.check_reply, cards)
once(decks.commitment_of, decks, shown)
once(beacons.derive_chain.__wrapped__, beacons, draft, shown, most=64)


def pytest_configure() -> None:
    """Only for tests: the bench, too, imports what stands here."""
    pinned.pin()


real_bug = reports.bug


def bug_found(fault: Exception, text: str) -> NoReturn:
    """A report that fails stops no player, but every test that meets it."""
    raise fault


reports.bug = bug_found


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.fixture(scope="session")
def fuzz() -> int:
    """How many times as long as usual a random test shall run."""
    return FUZZ

"""How long the random tests run, and that they find the same in every run.

PBEM_FUZZ=20 (`make fuzz`) makes them twenty times as long, each time from a fresh seed.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

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


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.fixture(scope="session")
def fuzz() -> int:
    """How many times as long as usual a random test shall run."""
    return FUZZ

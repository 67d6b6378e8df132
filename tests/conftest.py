"""How long the random tests run, and that they find the same in every run.

PBEM_FUZZ=20 (`make fuzz`) makes them twenty times as long, each time from a fresh seed.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

FUZZ = int(os.environ.get("PBEM_FUZZ", "1"))
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]

settings.register_profile(
    "daily", deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "fuzz", deadline=None, max_examples=100 * FUZZ, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile("fuzz" if FUZZ > 1 else "daily")


@pytest.fixture(scope="session")
def fuzz() -> int:
    """How many times as long as usual a random test shall run."""
    return FUZZ

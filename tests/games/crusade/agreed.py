"""Names of optional rules for tests: what is in force, alone or not at all."""

from __future__ import annotations

from typing import Any

import pytest


def on(*names: str) -> dict[str, Any]:
    """The options of a position: on("18.2.9") as facts of `table` and `field`."""
    return {"options": frozenset(names)}


def on_and_off(name: str) -> Any:
    """Runs a test with the rule and without it; the test gets `facts` and `agreed`."""
    rows = [pytest.param(on(name), True, id="on"), pytest.param({}, False, id="off")]
    return pytest.mark.parametrize(("facts", "agreed"), rows)

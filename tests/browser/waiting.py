"""Waiting for a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def until(page: Any, holds: Callable[[], bool]) -> None:
    """Waits as Playwright's own functions would, if the page let anything be evaluated."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(25)
    raise AssertionError("it never came to that")

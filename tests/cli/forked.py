"""Commands in processes of their own that start at once: forked, with everything loaded."""

from __future__ import annotations

import os
from collections.abc import Callable


def forked(work: Callable[[], int]) -> int:
    """The id of a process that does the work and exits with the code it returns."""
    child = os.fork()
    if child:
        return child
    try:
        os._exit(work())
    finally:
        os._exit(70)


def ended(child: int) -> int:
    """How a process ended, as `subprocess` says it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

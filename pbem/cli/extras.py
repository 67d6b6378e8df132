"""What is installed only where it is wanted, and the command that installs it."""

from __future__ import annotations

import sys

from pbem.platforms import as_typed


def install(extra: str) -> str:
    """The command that adds what an extra of this program needs.

    It names the Python that runs: another one's pip would install beside it, or ask a registry for
    a program of the same name.
    """
    return as_typed([sys.executable, "-m", "pip", "install", f"pbem[{extra}]"])

"""The user's own folders: where the program keeps what it remembers, and those they name."""

from __future__ import annotations

import contextlib
import os

from pbem.messages import say
from pbem.problems import Problem, Refused, Span

SETTINGS_FILE = "pbem.toml"
"""The name of a file of settings: that of a folder's owner, or the user's own in `config()`."""


def config(*names: str) -> str | None:
    """Our folder in XDG_CONFIG_HOME or ~/.config; None without a home."""
    return _own("XDG_CONFIG_HOME", ".config", *names)


def cache(*names: str) -> str | None:
    """Our folder in XDG_CACHE_HOME or ~/.cache; None without a home."""
    return _own("XDG_CACHE_HOME", ".cache", *names)


def check_there(folder: str | os.PathLike[str]) -> None:
    """Raises Refused (`no-folder`) for the name of a folder that is not there."""
    if not os.path.isdir(folder):
        raise Refused(Problem("no-folder", say("there is no such folder"), Span(str(folder), 0, 0)))


def make(folder: str) -> None:
    """Makes a folder, and those above it that are missing, for the user alone. Raises OSError."""
    if not os.path.isdir(folder):
        make(os.path.dirname(folder))
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)


def _own(variable: str, usual: str, *names: str) -> str | None:
    """A relative path counts as not set, as the XDG specification says.

    It would mean something else in every working directory.
    """
    named = os.environ.get(variable, "")
    base = named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), usual)
    return os.path.join(base, "pbem", *names) if os.path.isabs(base) else None

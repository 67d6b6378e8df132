"""The one place that knows on which system it runs: files, locks, terminals, and words for a shell.

Everything else asks `here()`. Both systems are classes that can be made anywhere, so that the tests
of one machine try the other one, too. `examples/installing/windows.md` says what was tried.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

# Without it Windows would end each line of a file that is written with two characters.
_EXACTLY = getattr(os, "O_BINARY", 0)
_OURS_ALONE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class Posix:
    """Linux, macOS and the like: modes, locks of files, a terminal that is a file."""

    has_modes = True
    """Whether the mode of a file says who may read it."""

    def lines(self, message: bytes) -> bytes:
        """A mail whose lines end as in the files of mail programs, from one with single ends."""
        return message

    def lock(self, handle: int) -> None:
        """Takes the lock of an open file, which ends with the process at the latest.

        Raises BlockingIOError if another process has it.
        """
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(handle, LOCK_EX | LOCK_NB)

    def has_terminal(self) -> bool:
        """Whether a terminal is there although standard input is something else."""
        return _can_open("/dev/tty", os.O_RDWR | getattr(os, "O_NOCTTY", 0))

    def is_desktop(self) -> bool:
        """Whether a browser can be expected to open a window."""
        names = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        return sys.platform == "darwin" or any(os.environ.get(name) for name in names)

    def is_mine(self, status: os.stat_result) -> bool:
        """Whether a file is its user's, and nobody else can read it."""
        return not status.st_mode & 0o077 and status.st_uid == os.geteuid()

    def quote(self, word: str) -> str:
        """A word as it is typed in a shell."""
        from shlex import quote

        return quote(word)

    def called(self, words: Iterable[str]) -> str:
        """A whole call as it is typed in a shell."""
        return " ".join(map(self.quote, words))

    def words(self, call: str) -> list[str]:
        """The words of a call that a player wrote. Raises ValueError if a quote is not closed."""
        from shlex import split

        return split(call)


class Windows(Posix):
    """Windows: no modes, another lock, paths with backslashes, PowerShell or the command line."""

    has_modes = False

    def lines(self, message: bytes) -> bytes:
        return message.replace(b"\n", b"\r\n")

    def lock(self, handle: int) -> None:
        import msvcrt

        where: Any = msvcrt
        os.lseek(handle, 1 << 20, os.SEEK_SET)  # beyond its text, which others can still read
        try:
            where.locking(handle, where.LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError from None
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

    def has_terminal(self) -> bool:
        return _can_open("CONIN$", os.O_RDWR)

    def is_desktop(self) -> bool:
        return True

    def is_mine(self, status: os.stat_result) -> bool:
        return True  # what lies in a user's own folder is closed to other users

    def quote(self, word: str) -> str:
        plain = word.translate(_PLAIN_IN_WINDOWS)
        return f'"{word}"' if not word or plain else word

    def called(self, words: Iterable[str]) -> str:
        call = super().called(words)
        return f"& {call}" if call.startswith('"') else call  # else PowerShell prints the word

    def words(self, call: str) -> list[str]:
        from shlex import split

        found = split(call, posix=False)  # a backslash is a letter of a path
        if call.count('"') % 2:
            raise ValueError("no closing quotation")
        return [word[1:-1] if word[:1] == word[-1:] == '"' else word for word in found]


_PLAIN_IN_WINDOWS = dict.fromkeys(
    map(ord, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/\\+=")
)
_HERE = [Windows() if os.name == "nt" else Posix()]


def here() -> Posix:
    """The system on which this program runs."""
    return _HERE[-1]


def quote(word: str) -> str:
    """A word as it is typed in a shell of this system."""
    return here().quote(word)


def as_typed(words: Iterable[str]) -> str:
    """A whole call as it is typed in a shell of this system."""
    return here().called(words)


def reading(path: str | os.PathLike[str], *, links: bool = True) -> int:
    """Opens a file to read its bytes, without waiting: a pipe would wait for its writer.

    Without `links`, one that is a link to another file is refused. Raises OSError.
    """
    return os.open(
        path, os.O_RDONLY | _EXACTLY | _OURS_ALONE | _AT_ONCE | (0 if links else _NO_LINK)
    )


def making(path: str | os.PathLike[str], mode: int) -> int:
    """Makes a new file for bytes; raises FileExistsError if there is one. Raises OSError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _EXACTLY | _OURS_ALONE, mode)


def keeping(path: str | os.PathLike[str], mode: int) -> int:
    """Opens a file to read and to write its bytes, and makes it if it is not there."""
    return os.open(path, os.O_RDWR | os.O_CREAT | _EXACTLY | _OURS_ALONE, mode)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Has the names of a folder on the disk. Raises OSError where folders cannot be opened."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _can_open(path: str, flags: int) -> bool:
    try:
        os.close(os.open(path, flags))
    except OSError:
        return False
    return True

"""Reading and writing files: bounded, whole or not at all, nothing lost."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from itertools import islice

from pbem import platforms
from pbem.gamedata import folders
from pbem.messages import Either, Said, say
from pbem.problems import Problem, Refused, Span, reason
from pbem.text.wording import quoted, shown
from pbem.words import closest

StrPath = str | os.PathLike[str]

GAME_LIMIT = 32 << 20
ORDERS_LIMIT = 64 << 10
KEY_LIMIT = 64 << 10
MOST_NAMES = 2000
"""How many files of a folder are compared with a name that is not there."""


written: list[str] = []
"""What this command has written so far, in case it fails."""


def read_bytes(path: StrPath, limit: int, what: Said) -> bytes:
    """A regular file of at most `limit` bytes. Raises Refused otherwise, before reading it.

    `what` is what a player would call the file; leave it empty if a missing one is not reported.
    """
    try:
        handle = platforms.reading(path)
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Refused(
                    _problem("not-a-file", say("{what} is not a regular file", what=what), path)
                )
            if status.st_size > limit:
                raise Refused(_too_large(path, status.st_size, limit, what))
            content = file.read(limit + 1)
    except OSError as error:
        raise Refused(
            _problem(
                "unreadable",
                say("{what} cannot be read: {reason}", what=what, reason=reason(error)),
                path,
                meant(path) if what and isinstance(error, FileNotFoundError) else "",
            )
        ) from None
    if len(content) > limit:
        raise Refused(_too_large(path, len(content), limit, what))
    return content


def meant(path: StrPath, besides: str = "") -> Said:
    """The files next to where one was looked for whose names are nearly the same, as a hint.

    `besides` is how the names of files end that cannot be meant.
    """
    folder, name = os.path.split(path)
    with contextlib.suppress(OSError, ValueError):
        with os.scandir(folder or os.curdir) as inside:
            there = sorted(each.name for each in islice(inside, MOST_NAMES) if each.is_file())
        if besides:
            there = [each for each in there if not each.endswith(besides)]
        near = tuple(shown(os.path.join(folder, each)) for each in closest(name, there))
        return say("did you mean {near}?", near=Either(near)) if near else ""
    return ""


def stamp(path: StrPath) -> tuple[int, ...]:
    """A stamp that changes when a file is written or replaced; empty if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def beginning(path: StrPath, length: int) -> bytes:
    """The first bytes of a regular file, or none if they cannot be read."""
    with contextlib.suppress(OSError):
        handle = platforms.reading(path)
        with os.fdopen(handle, "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(length)
    return b""


def _too_large(path: StrPath, size: int, limit: int, what: Said) -> Problem:
    return _problem(
        "E-LIMIT",
        say(
            "{what} has {size} bytes, and the limit is {limit}",
            what=what,
            size=format(size, ","),
            limit=format(limit, ","),
        ),
        path,
        say("is this the right file?"),
    )


def write_new(path: StrPath, content: bytes, *, mode: int = 0o644) -> None:
    """Writes a file whole or not at all; an existing one stays, unless it is the same.

    Raises Refused if something else is there already, or the file cannot be written.
    """
    with staged(path, content, mode=mode):
        pass


@contextlib.contextmanager
def staged(path: StrPath, content: bytes, *, mode: int = 0o644) -> Iterator[None]:
    """Like `write_new`, but the content is on the disk before the block inside runs.

    It gets its name afterwards, so a failure to write is known before anything else has happened.
    """
    if os.path.exists(path):
        if not _holds(path, content):
            raise _there(path)
        yield
        return
    with _lying_beside(path, content, mode):
        yield


@contextlib.contextmanager
def _lying_beside(path: StrPath, content: bytes, mode: int = 0o644) -> Iterator[None]:
    """The content is on the disk before the block inside runs; it gets its name if that succeeds.

    Raises Refused if it cannot be written.
    """
    try:
        spare = _beside(path, content, mode)
    except OSError as error:
        raise _unwritable(error, path) from None
    try:
        yield
        _name(spare, path)
        written.append(str(path))
        _sync_folder(os.path.dirname(path) or os.curdir)
    except BaseException:
        _given_up(spare, path, content)
        raise


def _given_up(spare: str, path: StrPath, content: bytes) -> None:
    """Takes away a file that has no name yet; one that was stopped just after it got its name is
    written.
    """
    try:
        os.unlink(spare)
    except OSError:
        if str(path) not in written and _holds(path, content):
            written.append(str(path))


def replace_known(path: StrPath, known: bytes, content: bytes) -> None:
    """Replaces a file that contains what is `known`, whole or not at all.

    It stays closed to whom its owner has closed it. Raises Refused if it now contains something
    else, or cannot be written.
    """
    with _lying_beside(path, content, _mode_of(path)):
        if not _holds(path, known):
            raise _there(path)


def _mode_of(path: StrPath) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode) & 0o666
    except OSError:
        return 0o600  # what is not there is not replaced


def _there(path: StrPath) -> Refused:
    return Refused(
        _problem(
            "exists",
            say("this file already exists, with different content"),
            path,
            say("use another name, or move the old file away"),
        )
    )


def _name(spare: str, path: StrPath) -> None:
    try:
        os.replace(spare, path)
    except OSError as error:
        raise _unwritable(error, path) from None


def _unwritable(error: OSError, path: StrPath) -> Refused:
    folder = os.path.dirname(path)
    is_lost = folder != "" and not os.path.exists(folder)
    hint = (
        say("there is no folder {folder}; make it first", folder=quoted(str(folder)))
        if is_lost
        else ""
    )
    return Refused(
        _problem(
            "unwritable",
            say("the file cannot be written: {reason}", reason=reason(error)),
            path,
            hint,
        )
    )


def _holds(path: StrPath, content: bytes) -> bool:
    try:
        if os.stat(path).st_size != len(content):
            return False
        with open(path, "rb") as file:
            return file.read() == content
    except OSError:
        return False


def replace_own(path: str, content: bytes) -> None:
    """Replaces a file of our own (a record), whole or not at all; creates its folder."""
    folders.make(os.path.dirname(path))
    _replace(path, content, 0o600)


def _replace(path: StrPath, content: bytes, mode: int) -> None:
    """Temporary file next to the target, fsync, rename, fsync of the folder."""
    spare = _beside(path, content, mode)
    try:
        os.replace(spare, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(spare)
        raise
    _sync_folder(os.path.dirname(path) or os.curdir)


def _beside(path: StrPath, content: bytes, mode: int) -> str:
    """Writes the content next to its place and syncs it; returns its temporary name.

    The system takes from the mode what the umask of the player forbids.
    """
    folder, last = os.path.split(path)
    name = os.path.join(folder, f".{last}.{os.urandom(6).hex()}")
    handle = platforms.making(name, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    return name


def _sync_folder(folder: str) -> None:
    with contextlib.suppress(OSError):
        platforms.sync_folder(folder)


def _problem(code: str, message: Said, path: StrPath, hint: Said = "") -> Problem:
    return Problem(code, message, Span(str(path), 0, 0), hint=hint)

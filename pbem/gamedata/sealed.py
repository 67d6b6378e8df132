"""Files that this program keeps for itself, sealed with a secret of this machine.

A cache is trusted without being recomputed, so anyone who could write it would decide what the
player signs. Hence every kept file begins with a seal, made with a key that is kept separately in
the user's own folder and readable by no other user.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import stat

from pbem import platforms
from pbem.gamedata import folders

KEY_BYTES = 32
SEAL = 64
"""The length of a seal, in hex digits; a line end follows."""


def read(path: str | None, purpose: str, most: int) -> bytes | None:
    """The content kept at `path` for a purpose; None if it is not ours.

    `most` is the largest size in bytes. `purpose` is part of what was sealed, so one kept file
    cannot be used as another.
    """
    key = _key(make=False)
    if path is None or key is None:
        return None
    try:
        with open(path, "rb") as file:
            kept = file.read(most + SEAL + 2)
    except OSError:
        return None
    seal, content = kept[: SEAL + 1], kept[SEAL + 1 :]
    if len(content) > most or not hmac.compare_digest(seal, _seal(key, purpose, content)):
        return None
    return content


def keep(path: str | None, purpose: str, content: bytes) -> bool:
    """Keeps content under its seal, whole or not at all; False on failure."""
    key = _key(make=True) if path is not None else None
    if path is None or key is None:
        return False
    return _replace(path, _seal(key, purpose, content) + content)


def _seal(key: bytes, purpose: str, content: bytes) -> bytes:
    made = hmac.digest(key, purpose.encode() + b"\n" + content, "sha256")
    return made.hex().encode() + b"\n"


def _key(*, make: bool) -> bytes | None:
    """The secret of this machine; made when first needed, and again if others could read it.

    None if there is none yet, or none can be kept.
    """
    path = folders.config("cache.key")
    if path is None:
        return None
    found = _private(path)
    if found is None and make and _replace(path, os.urandom(KEY_BYTES)):
        found = _private(path)  # of two commands at once the later one's key is there
    return found


def _private(path: str) -> bytes | None:
    try:
        handle = platforms.reading(path, links=False)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        if not platforms.here().is_mine(status):
            return None
        found = file.read(KEY_BYTES + 1)
    return found if len(found) == KEY_BYTES else None


def _replace(path: str, content: bytes) -> bool:
    """Writes to a temporary file and renames it, so half a file is never read."""
    spare = f"{path}.{os.getpid()}"
    try:
        folders.make(os.path.dirname(path))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(spare)  # of a process of that number that was killed
        handle = platforms.making(spare, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(spare, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(spare)
        return False
    return True

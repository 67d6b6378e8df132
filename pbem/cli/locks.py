"""Locks on this machine, for what must not be done twice at once."""

from __future__ import annotations

import os
import time

from pbem import platforms
from pbem.gamedata import folders

MOST_TOLD = 200


class Busy(Exception):
    """Another program holds a lock: which one, and the file of the lock."""

    def __init__(self, holder: str, path: str) -> None:
        super().__init__(holder)
        self.holder, self.path = holder, path


def held(name: str, patience: float) -> int:
    """The open file that holds a lock, until it is closed or the process ends.

    Another holder is waited for so many seconds. The file stays: removing it while another program
    waits for it would let both go on. Raises Busy; OSError if no lock can be had.
    """
    folder = folders.config("locks")
    if folder is None:
        raise FileNotFoundError("HOME is not set")
    path = os.path.join(folder, f"{name}.lock")
    folders.make(folder)
    handle = platforms.keeping(path, 0o600)
    try:
        _take(handle, path, patience)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _take(handle: int, path: str, patience: float) -> None:
    give_up = time.monotonic() + patience
    while True:
        try:
            platforms.here().lock(handle)
            break
        except BlockingIOError:
            if time.monotonic() > give_up:
                raise Busy(_holder(handle), path) from None
            time.sleep(0.02)
    told = f"process {os.getpid()}, since {time.strftime('%H:%M:%S')}"
    os.ftruncate(handle, 0)
    os.write(handle, told.encode())


def _holder(handle: int) -> str:
    os.lseek(handle, 0, os.SEEK_SET)
    return os.read(handle, MOST_TOLD).decode("ascii", "replace") or "a process that has not begun"

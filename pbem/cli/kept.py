"""What was verified here before, kept between commands (play/snapshot.py tells its worth)."""

from __future__ import annotations

import os
from functools import cache

from pbem import __version__
from pbem.play import snapshot
from pbem.play.game import Game

LAYOUT = 1
"""To be raised whenever an old snapshot could be misread."""
LARGEST = 16 << 20


def kept(raw: bytes) -> snapshot.Kept | None:
    """The snapshot of a game file's beginning, if there is one."""
    path = _path(raw)
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            return snapshot.Kept(file.read(LARGEST), _program(), _kept_tables)
    except OSError:
        return None


def _kept_tables(digest: str, most: int = LARGEST) -> bytes | None:
    try:
        with open(_file(f"{digest}.tables"), "rb") as file:
            return file.read(most)
    except OSError:
        return None


def keep(raw: bytes, game: Game) -> None:
    """Keeps a snapshot of a verified file; whatever hinders that is no matter."""
    path = _path(raw)
    content = snapshot.content(raw, game.fold, _program()) if path else None
    if path is None or content is None:
        return
    _write(path, content)
    beginning = _kept_tables(game.opened.digest, 200)
    if beginning is None or _program().encode() not in beginning:
        _write(_file(f"{game.opened.digest}.tables"),
               snapshot.tables_content(game.opened, _program()))  # fmt: skip


def _write(path: str, content: bytes) -> None:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        spare = f"{path}.{os.getpid()}"
        with open(spare, "wb") as file:
            file.write(content)
        os.replace(spare, path)
    except OSError:
        return


def _path(raw: bytes) -> str | None:
    name = snapshot.name(raw)
    if name is None:
        return None
    return _file(f"{name}.snapshot")


def _file(name: str) -> str:
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "pbem", "replay", name)


@cache
def _program() -> str:
    """What stands for the program: its version, and when its files were last changed."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    newest, waiting = 0, [package]
    while waiting:
        with os.scandir(waiting.pop()) as folder:
            for each in folder:
                if each.is_dir():
                    waiting.append(each.path)
                elif each.name.endswith(".py"):
                    newest = max(newest, each.stat().st_mtime_ns)
    return f"{LAYOUT} {__version__} {newest}"

"""What was verified here before, kept between commands (see play/snapshot.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pbem import __version__
from pbem.gamedata import folders, sealed
from pbem.late import Late
from pbem.play import snapshot
from pbem.play.game import Game

LAYOUT = 3
"""To be raised whenever an old snapshot could be misread."""
WORTH_KEEPING = 4
"""The number of entries that take as long to verify as a snapshot to write."""
LARGEST = 16 << 20


TOLD: Mapping[str, Callable[[Game], Any]] = {
    "log": Late("pbem.play.story").telling,
    "mail": Late("pbem.mail.outgoing").telling,
    "dice": Late("pbem.play.derivation").rolled,
    "luck": Late("pbem.play.luck").telling,
    "summary": Late("pbem.play.summary").telling,
}
"""What can be kept beside a snapshot, in its own file: what a command tells of all entries, or of
those that a mail reports. None is kept while a part of it is open.
"""


def load(raw: bytes, told: str = "") -> snapshot.Kept | None:
    """The snapshot of a game file's beginning, if any, with one of TOLD."""
    name = snapshot.name(raw)
    if name is None:
        return None
    content = _read(f"{name}.{told or 'snapshot'}")
    return None if content is None else snapshot.Kept(content, _program())


def keep(raw: bytes, game: Game, told: str = "") -> None:
    """Keeps a snapshot of a verified file; failures are ignored.

    With one of TOLD the game must have all its journals, or their replacement.
    """
    name = snapshot.name(raw)
    if name is None:
        return
    said = TOLD[told](game) if told else None
    if told and said is None:
        return
    content = snapshot.content(raw, game, _program(), said)
    if content is None or len(content) > LARGEST:
        return
    _keep(f"{name}.{told or 'snapshot'}", content)


def keep_read(raw: bytes, game: Game, kept: snapshot.Kept | None, told: str = "") -> None:
    """Keeps what was verified by a command that only reads, if that saves more than it costs.

    Nothing is kept if `kept` reaches as far: an old file may be read at any time.
    """
    count = len(game.fold.entries)
    if count - game.source[1] > WORTH_KEEPING and (kept is None or snapshot.reach(kept) < count):
        keep(raw, game, told)


def _read(name: str) -> bytes | None:
    return sealed.read(folders.cache("replay", name), f"replay/{name}", LARGEST)


def _keep(name: str, content: bytes) -> None:
    sealed.keep(folders.cache("replay", name), f"replay/{name}", content)


@cache
def _program() -> str:
    """The identity of the program: its version, and when its files were last changed."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    newest, waiting = 0, [package]
    while waiting:
        with os.scandir(waiting.pop()) as folder:
            for each in folder:
                if each.is_dir() and each.name != "__pycache__":
                    waiting.append(each.path)
                elif each.name.endswith(".py"):
                    newest = max(newest, each.stat().st_mtime_ns)
    return f"{LAYOUT} {__version__} {newest}"

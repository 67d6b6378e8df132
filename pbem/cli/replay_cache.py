"""What was verified here before, kept between commands (play/snapshot.py, with what it brings)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pbem import __version__
from pbem.gamedata import folders, sealed
from pbem.gamefile.chain import Entry
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
    "sightings": Late("pbem.play.sightings").telling,
    "summary": Late("pbem.play.summary").telling,
}
"""What can be kept beside a snapshot, in its own file: what a command tells of all entries, or of
those that a mail reports. None is kept while a part of it is open.
"""


def load(raw: bytes, told: str = "") -> snapshot.Kept | None:
    """The snapshot of a game file's beginning, if any, with one of TOLD."""
    first = snapshot.proposal_of(raw)
    if first is None:
        return None
    name = f"{first.id}.{told or 'snapshot'}"
    content = sealed.read(folders.cache("replay", name), f"replay/{name}", LARGEST)
    return None if content is None else snapshot.Kept(content, _program_of(first))


def keep(raw: bytes, game: Game, told: str = "") -> None:
    """Keeps a snapshot of a verified file; failures are ignored.

    With one of TOLD the game must have all its journals, or their replacement.
    """
    said = TOLD[told](game) if told else None
    if told and said is None:
        return
    first = game.fold.entries[0]
    content = snapshot.content(raw, game, _program_of(first), said)
    if content is None or len(content) > LARGEST:
        return
    name = f"{first.id}.{told or 'snapshot'}"
    sealed.keep(folders.cache("replay", name), f"replay/{name}", content)


def keep_read(raw: bytes, game: Game, kept: snapshot.Kept | None, told: str = "") -> None:
    """Keeps what was verified by a command that only reads, if that saves more than it costs.

    Nothing is kept if `kept` reaches as far: an old file may be read at any time.
    """
    count = len(game.fold.entries)
    if count - game.source[1] > WORTH_KEEPING and (kept is None or snapshot.reach(kept) < count):
        keep(raw, game, told)


def _program_of(proposal: Entry) -> str:
    """The identity of the program as far as it plays the game that is proposed."""
    slug, _, _ = proposal.payload["steps"][0]["ruleset"].partition("/")
    return program(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), slug)


@cache
def program(package: str, slug: str) -> str:
    """The identity of the program in a folder, as far as it plays one game: its version, and when
    its files were last changed, but for those of other games.
    """
    newest, games, waiting = 0, os.path.join(package, "games"), [package]
    while waiting:
        place = waiting.pop()
        with os.scandir(place) as folder:
            for each in folder:
                if each.name.endswith(".py"):
                    newest = max(newest, each.stat().st_mtime_ns)
                elif each.name in ("__pycache__", "translations") or not each.is_dir():
                    continue
                elif place != games or each.name == slug:
                    waiting.append(each.path)
    return f"{LAYOUT} {__version__} {newest}"

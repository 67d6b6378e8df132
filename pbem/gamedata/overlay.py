"""An owner's data over ours: read, judged, merged, and kept for the commands to come."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.gamedata import folders
from pbem.gamedata.check import judge, read_folder
from pbem.gamedata.game import GameData
from pbem.gamedata.load import (
    LoadedData,
    UnknownData,
    counted_files,
    from_cache,
    into_cache,
    put,
    source_digest,
    unknown_game,
    without_provenance,
)
from pbem.gamedata.where import SCENARIOS, data_at, slugs
from pbem.messages import say
from pbem.problems import Problem, Refused, UnknownName


def load_over(game: GameData, folder: Path) -> LoadedData:
    """The data of a game with an owner's folder laid over; Refused with all that is wrong there.

    The digest is that of the values together (meaning.py), so a folder that changes nothing, or
    nothing but texts and titles, has the digest of the shipped data.
    """
    slug = game.slug
    if slug not in slugs():
        raise UnknownName(unknown_game(slug))
    own = read_folder(folder, game)
    ours = source_digest(slug, counted_files(data_at(slug)))
    source = sha256(f"overlay\n{ours}\n{source_digest(slug, own)}\n".encode()).hexdigest()
    found = from_cache(source) or into_cache(source, slug, _laid_over(game, folder))
    digest, tables = found
    return LoadedData(slug, tables, digest, source, tuple(own))


def _laid_over(game: GameData, folder: Path) -> dict[str, Any]:
    judged = judge(folder, game)
    if judged.problems:
        raise Refused(*judged.problems)
    tables: dict[str, Any] = {SCENARIOS: {}}
    for path in sorted(judged.whole):
        put(tables, path, without_provenance(judged.whole[path].value))
    return tables


def load_kept(game: GameData, digest: str) -> LoadedData:
    """The data of a game under the copy of an owner's folder that was kept for this digest.

    Raises UnknownData when none was kept, and when the copy has been changed since.
    """
    folder = _kept_folder(digest)
    if folder is not None and os.path.isdir(folder):
        data = load_over(game, Path(folder))
        if data.digest == digest:
            return data
    raise UnknownData(
        Problem(
            "unknown-data", say("there is no data with the digest {digest}", digest=digest[:16])
        )
    )


def keep(game: GameData, digest: str, folder: Path) -> bool:
    """Keeps a copy of an owner's folder for the commands to come; False where it cannot be kept."""
    where = _kept_folder(digest)
    if where is None:
        return False
    kept = Path(where)
    if os.path.isdir(kept):
        return True
    beside = kept.with_name(f"{digest}.{os.getpid()}")
    try:
        for path, content in read_folder(folder, game).items():
            (beside / path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            (beside / path).write_bytes(content)
        beside.rename(kept)
    except OSError:
        return os.path.isdir(kept)
    return True


def _kept_folder(digest: str) -> str | None:
    """The path of the copy; nowhere for an invalid digest."""
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        return None
    return folders.config("data", digest)

"""`python -m tests.releases.overlay`: writes what the last release said of the data, where they
were others than today, into `data/<game>/past/` (pbem/gamedata/past.py).

To be run after each change of a value that counts, until the next release is made: from then on the
files of the release before it never change again.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pbem.gamedata.check import shipped
from pbem.gamedata.load import schema, without_provenance
from pbem.gamedata.meaning import TOLD, without_told
from pbem.gamedata.merge import ABSENT, WITHOUT, Schema, identity, is_mapping, resolved
from pbem.gamedata.past import FILES, folder_of
from pbem.gamedata.where import PAST, data_folder, kind

HERE = Path(__file__).parent
DATA = "data.json.gz"
"""The data of a release, in its folder: of each game, each file as plain values."""
Documents = Mapping[str, Any]


class NotLaidOver(Exception):
    """One document cannot be had by laying anything over the other."""


def today(slug: str) -> dict[str, Any]:
    """Each file of a game as plain values, by its path."""
    return {path: without_provenance(found.value) for path, found in shipped(slug).items()}


def data_of(release: str) -> dict[str, Any]:
    """The data of a release, of each game."""
    found: dict[str, Any] = json.loads(gzip.decompress((HERE / release / DATA).read_bytes()))
    return found


def made_releases() -> list[str]:
    """The releases that were made, the latest first."""
    named = [path.parent.name for path in HERE.glob(f"*/{DATA}")]
    return sorted(named, key=lambda name: tuple(map(int, name.split("."))), reverse=True)


def difference(slug: str, old: Documents, new: Documents) -> tuple[dict[str, Any], dict[str, Any]]:
    """The files that give `old` where they are laid over `new`, and which of them are whole, and
    which ones `old` had not.
    """
    schema_of = partial(schema, slug)
    files, whole = dict[str, Any](), list[str]()
    for path, said in old.items():
        fitting = schema_of(kind(path))
        if path not in new:
            files[path] = said
        elif without_told(fitting, said) != without_told(fitting, new[path]):
            try:
                files[path] = over(fitting, fitting, said, new[path])
            except NotLaidOver:
                files[path] = said
                whole.append(path)
    gone = sorted(path for path in new if path not in old)
    return files, {name: each for name, each in zip(FILES, (whole, gone), strict=True) if each}


def over(root: Schema, node: Schema, old: Any, new: Any) -> Any:
    """What gives `old` where it is laid over `new`, but for what is told."""
    node = resolved(root, node)
    if is_mapping(node) and isinstance(old, dict) and isinstance(new, dict):
        return _mapping(root, node, old, new)
    if "known_by" in node and isinstance(old, list) and isinstance(new, list):
        return _list(root, node, old, new)
    return old


def _mapping(root: Schema, node: Schema, old: Any, new: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    gone = []
    for key in (*old, *(key for key in new if key not in old)):
        part = node.get("properties", {}).get(key) or node.get("additionalProperties") or {}
        if key not in old:
            gone += [] if part.get(TOLD) else [key]
        elif key not in new:
            found[key] = old[key]
        elif not part.get(TOLD) and not _alike(root, part, old[key], new[key]):
            found[key] = over(root, part, old[key], new[key])
    return {**found, **({WITHOUT: gone} if gone else {})}


def _alike(root: Schema, part: Schema, old: Any, new: Any) -> bool:
    whole = {**part, "$defs": root.get("$defs", {})}
    return bool(without_told(whole, old) == without_told(whole, new))


def _list(root: Schema, node: Schema, old: Any, new: Any) -> list[Any]:
    ours = {identity(node, each): each for each in new}
    theirs = {identity(node, each): each for each in old}
    laid = [
        *(each for each in ours if each in theirs),
        *(each for each in theirs if each not in ours),
    ]
    if laid != list(theirs):
        raise NotLaidOver
    found = []
    for known, entry in theirs.items():
        keys = {key: entry[key] for key in node["known_by"]}
        if known not in ours:
            found.append(entry)
        elif not _alike(root, node["items"], entry, ours[known]):
            if any(ours[known][key] != entry[key] for key in keys):
                raise NotLaidOver
            found.append({**keys, **over(root, node["items"], entry, ours[known])})
    for known, entry in ours.items():
        if known not in theirs:
            found.append({**{key: entry[key] for key in node["known_by"]}, ABSENT: True})
    return found


def write(slug: str, release: str, digest: str, old: Documents) -> list[str]:
    """Writes what a release said of a game's data, where it is not the same; gives the files."""
    files, which = difference(slug, old, today(slug))
    folder, listed = Path(folder_of(slug, release)), data_folder(slug) / f"{PAST}.json"
    shutil.rmtree(folder, ignore_errors=True)
    known = json.loads(listed.read_text("utf-8")) if listed.exists() else []
    others = [each for each in known if each["release"] != release]
    if files or which:
        others.insert(0, {"release": release, "digest": digest, **which})
    for path, said in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(said, ensure_ascii=False, indent=1)
        (folder / path).write_text(text + "\n", encoding="utf-8")
    if others:
        listed.write_text(json.dumps(others, indent=1) + "\n", encoding="utf-8")
    elif listed.exists():
        listed.unlink()
    return sorted(files)


def main() -> None:
    last, *_ = made_releases()
    for slug, each in data_of(last).items():
        for path in write(slug, last, each["digest"], each["files"]):
            print(f"wrote {Path(folder_of(slug, last), path)}")


if __name__ == "__main__":
    main()

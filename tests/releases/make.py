"""`python -m tests.releases.make`: plays and writes what is kept of the release to come.

That is a folder of its name, with games of every system and scenario and the data they are played
with. It can be made again until the release is out. `--publish 2026-12-31` writes down that it is:
from then on its folder never changes, and the suite plays on what is in it (test_releases.py).
"""

from __future__ import annotations

import gzip
import json
import sys
from hashlib import sha256
from typing import Any

from pbem.gamedata.load import load
from pbem.gamedata.where import slugs
from tests.releases.overlay import DATA, HERE, today
from tests.releases.play import Kept, played

RELEASE = "1.0"
"""The release that this tree is to become, or whose data it still has."""
GAMES = (
    Kept("ctv santander open", "ctv", "santander", ("open_units",)),
    Kept("ctv santander", "ctv", "santander", mails=90, offers="draw"),
    Kept("madrid scenario 1", "madrid", "scenario_1"),
    Kept("madrid scenario 2 open", "madrid", "scenario_2", ("open_hands",), mails=110),
    Kept("madrid campaign", "madrid", "campaign", mails=120, offers="adjourn", watched=True),
    Kept("nopasaran pindoque", "nopasaran", "jarama_pindoque", watched=True),
    Kept("nopasaran pindoque open", "nopasaran", "jarama_pindoque", ("open_units",), mails=20,
         offers="void"),
    Kept("nopasaran crossing open", "nopasaran", "jarama_crossing", ("open_units",), mails=190),
    Kept("crusade campaign", "crusade", "campaign", mails=130, offers="draw"),
    Kept("crusade war of the columns open", "crusade", "war_of_the_columns", ("open_hands",)),
    Kept("crusade two years of war", "crusade", "two_years_of_war", mails=110),
    Kept("crusade northern front open", "crusade", "collapse_of_the_northern_front",
         ("open_hands",)),
    Kept("crusade republican collapse", "crusade", "republican_collapse"),
)  # fmt: skip
LIST = "games.json"


def listed(release: str) -> dict[str, Any]:
    """The games kept of a release, each with what is known of it, and since when it is out."""
    found: dict[str, Any] = json.loads((HERE / release / LIST).read_text("utf-8"))
    return found


def file_of(kept: Kept) -> str:
    return f"{kept.name.replace(' ', '-')}.pbem.json.gz"


def data() -> dict[str, Any]:
    """The data of this tree, of each game: the digest, and each file as plain values."""
    return {slug: {"digest": load(slug).digest, "files": today(slug)} for slug in slugs()}


def packed(plain: Any) -> bytes:
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def write(release: str) -> None:
    """Plays all games, and writes them once every one went well."""
    folder, found = HERE / release, {}
    if folder.exists() and listed(release)["published"]:
        print(f"{release} is out: what is kept of it never changes")
        return
    files = {DATA: packed(data())}
    for kept in GAMES:
        game, name = played(kept), file_of(kept)
        files[name] = gzip.compress(game.bytes(), mtime=0)
        found[name] = {
            "name": kept.name, "system": kept.slug, "entries": len(game.fold.entries),
            "phase": game.fold.phase, "result": game.fold.result,
            "post": game.fold.entries[-1].payload["post"],
            "sha256": sha256(files[name]).hexdigest(),
        }  # fmt: skip
        print(f"{name}: {len(game.fold.entries)} entries, {game.fold.phase}")
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    _list(release, {"published": "", "games": found})


def publish(release: str, date: str) -> None:
    """From now on what is kept of it never changes."""
    _list(release, {**listed(release), "published": date})


def _list(release: str, found: dict[str, Any]) -> None:
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (HERE / release / LIST).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            write(RELEASE)
        case ["--publish", date]:
            publish(RELEASE, date)
        case _:
            raise SystemExit(__doc__)

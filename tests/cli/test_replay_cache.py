"""What is kept between commands is plain, private and sealed: nobody else says what is signed."""

from __future__ import annotations

import gzip
import hmac
import json
import os
import shutil
import stat
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbem.cli import game_file
from pbem.cli import replay_cache as kept_here
from pbem.gamedata import load as loading
from pbem.gamedata import sealed
from pbem.gamefile import format
from pbem.gamefile.machine import PART_OF
from pbem.play import snapshot
from pbem.play.snapshot import read_game
from tests.cli.desk import Desk

ORDERS = ("play: {card: none}", "activate: {attack: [madrid]}")


def home(desk: Desk) -> Path:
    return desk.folder / ".home"


def kept_files(desk: Desk) -> list[Path]:
    return [path for path in (home(desk) / "cache").rglob("*") if path.is_file()]


@cache
def tables() -> dict[str, Any]:
    """The data, read once for all tests: the cache of each has them from here."""
    return dict(loading.load("crusade").tables)


def played_on(desk: Desk) -> Path:
    """A game that has gone on here; returns its snapshot."""
    known = tables()
    with patch.object(loading, "_from_yaml", lambda slug, files: known):
        assert loading.load("crusade").tables["scenarios"]  # as a process of its own would
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "one.json")
    (found,) = (home(desk) / "cache").rglob("*.snapshot")
    return found


def is_used(desk: Desk) -> bool:
    raw = (desk.folder / "one.json").read_bytes()
    found = kept_here.load(raw)
    return found is not None and snapshot.load(raw, found) is not None


def test_what_is_kept_is_private_and_plain(desk: Desk) -> None:
    played_on(desk)
    assert is_used(desk)
    assert {path.suffix for path in kept_files(desk)} == {".snapshot", ".json", ".mark"}
    for path in kept_files(desk):
        seal, *lines = path.read_bytes().splitlines()
        assert len(seal) == 64
        for line in lines:
            json.loads(line)
    for path in home(desk).rglob("*"):
        if "pbem" in path.parts:
            wanted = 0o700 if path.is_dir() else 0o600
            assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_a_snapshot_is_of_the_program_that_plays_its_game(tmp_path: Path) -> None:
    parts = ("value.py", "games/system.py", "games/chess/rules/castling.py", "games/go/rules/ko.py")
    for part in parts:
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / part).touch()
    now = kept_here.program.__wrapped__
    for number, part in enumerate(parts, 1):
        before = now(tmp_path, "chess")
        os.utime(tmp_path / part, ns=(0, (1 << 62) + number))
        assert (now(tmp_path, "chess") != before) is ("go" not in part), part


@pytest.mark.parametrize("suffix", [".snapshot", ".json"])
def test_what_somebody_else_wrote_is_not_believed(desk: Desk, suffix: str) -> None:
    """Changed with care: only the seal cannot be made without the secret of this machine."""
    played_on(desk)
    (path,) = (each for each in kept_files(desk) if each.suffix == suffix)
    before = path.read_bytes()
    content = before[65:].replace(b'"madrid"', b'"sevilla"').replace(b'"A":3', b'"A":2')
    content = content.replace(b'"phase":"running"', b'"phase":"over"   ')
    purpose = f"{path.parent.name}/{path.name}"
    assert content != before[65:]
    assert sealed.read(str(path), purpose, 1 << 24) == before[65:]
    for seal in (
        before[:65],
        hmac.digest(b"\0" * 32, purpose.encode() + b"\n" + content, "sha256").hex().encode()
        + b"\n",
        b"0" * 64 + b"\n",
        b"",
    ):
        path.write_bytes(seal + content)
        assert sealed.read(str(path), purpose, 1 << 24) is None


@pytest.mark.parametrize("told", ["log", "dice", "mail", "luck", "summary"])
def test_what_was_told_once_is_told_again_without_folding(
    desk: Desk, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_on(desk)
    words = (told, "one.json")
    if told == "mail":  # dated, for the second may change between two of them
        words = (*words, "-o", "-", "--date", "2026-11-21T18:30")
    before = desk.done(*words)
    (path,) = (each for each in kept_files(desk) if each.suffix == f".{told}")
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "replay", None)
        assert desk.done(*words) == before
    content = path.read_bytes()
    other = content.replace(b"republican", b"nationalist").replace(b'"entries":', b'"entries": ')
    assert other != content
    for spoilt in (other, content[:-9], content[:65], b""):
        path.write_bytes(spoilt)
        assert desk.done(*words) == before


def test_what_is_told_under_the_seal_but_is_none_is_told_anew(desk: Desk) -> None:
    played_on(desk)
    before = desk.done("log", "one.json")
    (path,) = (each for each in kept_files(desk) if each.suffix == ".log")
    purpose = f"{path.parent.name}/{path.name}"
    content = sealed.read(str(path), purpose, 1 << 24)
    assert content is not None
    for strange in (content + b"]", content.rpartition(b"\n")[0] + b'\n{"!":99,"of":[]}'):
        sealed.keep(str(path), purpose, strange)
        assert desk.done("log", "one.json") == before


def test_one_kept_file_does_not_stand_in_for_another(desk: Desk) -> None:
    path = played_on(desk)
    other = path.with_name("0" * 64 + ".snapshot")
    other.write_bytes(path.read_bytes())
    assert sealed.read(str(other), f"replay/{other.name}", 1 << 24) is None
    assert sealed.read(str(path), f"replay/{path.name}", 1 << 24) is not None


def swapped(name: str, text: str) -> str:
    """The state with another key for a player, or another entry behind it, as its author has it."""
    head, _, body = text.rpartition("\n")
    kinds, state = json.loads(head.rpartition("\n")[2]), json.loads(body)

    def of(whole: dict[str, Any], field: str) -> tuple[list[Any], int]:
        """Where a field of an object stands, in the list of what is in it."""
        return whole["of"], kinds[whole["!"]][1].index(field)

    def fact(named: str) -> tuple[list[Any], int]:
        inside, at = of(state, PART_OF[named])
        return of(inside[at], named)

    (publics, at), (spares, their), (game, its) = fact("publics"), fact("spares"), fact("game")
    if name == "publics":
        publics[at]["B"] = publics[at]["A"]
    elif name == "spares":
        spares[their]["B"] = publics[at]["A"]
    elif name == "game":
        game[its] = "0" * 64
    elif name == "seq":
        entry, place = fact("seq")
        entry[place] -= 1
    elif name == "proposal":
        terms, place = fact("proposal")
        terms[place]["pub_b"] = terms[place]["pub_a"]
    elif name == "position":
        agreements, place = fact("offers")
        agreements[place] = {"!": "tuple", "of": [1]}
    elif name == "more":
        spares.append(None)
    return f"{head}\n{json.dumps(state, separators=(',', ':'), ensure_ascii=False)}"


@pytest.mark.parametrize(
    "name", ["", "publics", "spares", "game", "seq", "proposal", "position", "more"]
)
def test_a_state_that_is_not_that_of_the_file_is_not_used(desk: Desk, name: str) -> None:
    """Even under the seal of this machine: the keys that sign are those the file gives."""
    played_on(desk)
    raw = (desk.folder / "one.json").read_bytes()
    found = kept_here.load(raw)
    assert found is not None
    content = swapped(name, found.content.decode()).encode()
    used = snapshot.load(raw, snapshot.Kept(content, found.program))
    assert (used is not None) == (name == "")


def test_a_new_key_is_the_one_that_signs(desk: Desk) -> None:
    desk.done("rotate", "g4.json", "--key", "ana.key", "--to", "eve.key", "-o", "one.json")
    assert is_used(desk)


def test_a_secret_that_others_can_read_is_made_anew(desk: Desk) -> None:
    played_on(desk)
    secret = home(desk) / "config" / "pbem" / "cache.key"
    old = secret.read_bytes()
    assert len(old) == 32 and is_used(desk)
    secret.chmod(0o644)
    assert not is_used(desk)
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "two.json")
    assert secret.read_bytes() != old and stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert is_used(desk)


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_secret_of_a_wrong_length_is_made_anew(desk: Desk, content: bytes) -> None:
    played_on(desk)
    (home(desk) / "config" / "pbem" / "cache.key").write_bytes(content)
    assert not is_used(desk)
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "two.json")
    assert is_used(desk)


def test_a_secret_that_is_a_link_is_not_followed(desk: Desk) -> None:
    played_on(desk)
    secret = home(desk) / "config" / "pbem" / "cache.key"
    secret.rename(desk.folder / "elsewhere")
    secret.symlink_to(desk.folder / "elsewhere")
    assert not is_used(desk)


def test_relative_folders_are_not_used(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would be others with every folder one stands in: another record, another cache."""
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "here")
    before = set(os.listdir(desk.folder))
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "one.json")
    assert set(os.listdir(desk.folder)) - before <= {"one.json", ".home"}
    assert list((home(desk) / ".config" / "pbem" / "seen").iterdir())
    assert list((home(desk) / ".cache" / "pbem" / "replay").iterdir())


def test_a_game_goes_on_the_same_with_and_without(desk: Desk) -> None:
    played_on(desk)
    raw = (desk.folder / "one.json").read_bytes()
    found = kept_here.load(raw)
    assert found is not None
    one, two = read_game(raw), read_game(raw, found)
    assert one.fold.machine.public_state() == two.fold.machine.public_state()
    assert vars(one.fold.machine).keys() == vars(two.fold.machine).keys()
    assert one.fold.in_play == two.fold.in_play or one.table.state == two.table.state  # type: ignore[union-attr]


def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries each later look at a game has to fold anew."""
    found: list[int] = []
    read = game_file.read_game

    def counted(raw: bytes, kept: Any, library: Any) -> Any:
        game = read(raw, kept, library)
        found.append(len(game.fold.entries) - game.source[1])
        return game

    monkeypatch.setattr(game_file, "read_game", counted)
    monkeypatch.setattr(kept_here, "WORTH_KEEPING", 1)
    return found


def test_a_file_that_was_only_looked_at_is_not_verified_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = folded(monkeypatch)
    first = desk.done("status", "g3.json")
    assert desk.done("status", "g3.json") == first
    desk.done("show", "g3.json", "--key", "ana.key")
    assert found == [4, 0, 0]


def test_a_packed_file_is_known_by_what_it_holds(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = folded(monkeypatch)
    desk.done("status", "g4.json")
    packed = gzip.compress((desk.folder / "g4.json").read_bytes())
    (desk.folder / "g4.gz").write_bytes(packed)
    assert desk.done("status", "g4.gz") == desk.done("status", "g4.json")
    assert found == [5, 0, 0]


def test_a_game_that_is_over_is_not_verified_twice_and_its_audits_are_judged(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.done("resign", "g4.json", "--yes", "--key", "beto.key", "-o", "o5.json")
    found = folded(monkeypatch)
    first = desk.done("status", "o5.json")
    assert desk.done("status", "o5.json") == first
    found.clear()
    for number, name in enumerate(("ana", "beto", "ana"), start=5):
        files = f"o{number}.json", f"o{number + 1}.json"
        desk.done("audit", files[0], "--key", f"{name}.key", "-o", files[1])
        if json.loads(desk.done("status", files[1], "--json"))["pen"] is None:
            break
    assert max(found) <= 1 and "provisional" not in desk.done("status", files[1])
    shutil.rmtree(home(desk) / "cache" / "pbem" / "replay")
    whole = desk.done("status", files[1])
    assert desk.done("status", files[1]) == whole
    assert found[-1] == 0 < found[-2]


def test_a_look_at_an_old_file_does_not_forget_the_newest(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = folded(monkeypatch)
    for name in ("g4.json", "g2.json", "g4.json"):
        desk.done("status", name)
    assert found == [5, 3, 0]


def test_a_file_laid_out_by_somebody_else_goes_on_all_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = folded(monkeypatch)
    raw = (desk.folder / "g3.json").read_text()
    (desk.folder / "wide.json").write_text(raw.replace('"do": ', '"do":     '))
    desk.done("status", "wide.json")
    desk.done("apply", "wide.json", "--key", "beto.key", "-o", "next.json")
    assert found == [4, 0]
    assert "5 entries: every one signed" in desk.done("verify", "next.json")


@pytest.mark.parametrize("layout", ["blanks", "lines"])
def test_no_file_goes_on_in_the_layout_of_somebody_else(desk: Desk, layout: str) -> None:
    """It had the head and the tail of ours, so it was taken for one: with a file full of blanks
    nothing more could be written.
    """
    raw = (desk.folder / "g3.json").read_bytes()
    inner = raw[len(format.HEAD) : -len(format.TAIL)]
    if layout == "lines":
        stored = json.loads(raw)["entries"]
        inner = ",".join(json.dumps(each)[:-1] + "\n  }" for each in stored).encode()
    else:
        inner = b" " * (format.MAX_BYTES - len(raw)) + inner
    (desk.folder / "odd.json").write_bytes(format.HEAD + inner + format.TAIL)
    desk.done("status", "odd.json")
    desk.done("apply", "odd.json", "--key", "beto.key", "-o", "next.json")
    written = (desk.folder / "next.json").read_bytes()
    assert written == format.write(format.read(written))
    assert written.startswith(raw[: -len(format.TAIL)] + b",")

"""The folder every test of a command begins with."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.cli.group import run
from tests.cli.desk import CHAPTER24, Desk, begin, lay_keys
from tests.pinned import as_they_are


def at_home(folder: Path, patch: pytest.MonkeyPatch) -> Desk:
    """A desk whose records and cache are its own."""
    patch.setenv("HOME", str(folder / ".home"))
    patch.setenv("XDG_CONFIG_HOME", str(folder / ".home" / "config"))
    patch.setenv("XDG_CACHE_HOME", str(folder / ".home" / "cache"))
    for name in ("PBEM_PASSPHRASE", "PBEM_DATA", "PBEM_DEBUG"):
        patch.delenv(name, raising=False)
    return Desk(folder)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game up to its first dice: g2 asks Ana for orders, g3 Beto for a value, g4 for orders."""
    folder = tmp_path_factory.mktemp("played")
    _play(folder)
    return folder


def _play(folder: Path, proposal: bytes = b"\x11") -> str:
    """Plays that game in a folder, and gives what is asked behind its first attack; its fresh bytes
    are made of these.
    """
    with pytest.MonkeyPatch.context() as patch:
        desk = at_home(folder, patch)
        lay_keys(folder)
        begin(desk, "--option", "example_hands", proposal=proposal)
        desk.done("apply", "g2.json", CHAPTER24 / "01-nationalist.yaml", "--key", "ana.key",
                  "-o", "g3.json")  # fmt: skip
        desk.done("apply", "g3.json", "--key", "beto.key", "-o", "g4.json")
        desk.done("solo", "crusade", "campaign", "--seed", "a", "-o", "solo.json")
        desk.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")
        asked = str(desk.pbem("status", "g5.json", "--json").json()["asked"])
    (folder / "g5.json").unlink()
    shutil.rmtree(folder / ".home")
    return asked


@pytest.fixture(scope="session")
def played_today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same game over the data as they are, which a process of its own can read.

    Its dice are others with every change of a value: one is taken whose attack leaves nobody to
    retreat.
    """
    with as_they_are():
        for number in range(0x11, 0x51):
            folder = tmp_path_factory.mktemp("today")
            if "play" in _play(folder, bytes([number])):
                return folder
    raise AssertionError("every attack leaves somebody to retreat")


@pytest.fixture
def today(played_today: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Like `desk`, for what is run in a process of its own."""
    folder = tmp_path / "desk"
    shutil.copytree(played_today, folder)
    with as_they_are():
        yield at_home(folder, monkeypatch)


@pytest.fixture
def desk(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The played game in a folder of its own, on a machine that has never seen it."""
    folder = tmp_path / "desk"
    shutil.copytree(played, folder)
    return at_home(folder, monkeypatch)


@pytest.fixture
def pbem(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command where the test stands: its exit code, what it said, what it complained of."""

    def call(*words: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            run([str(word) for word in words])
        said = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, said.out, said.err

    return call


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A folder with keys and nothing else."""
    lay_keys(tmp_path)
    return at_home(tmp_path, monkeypatch)

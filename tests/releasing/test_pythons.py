"""Each release of Python that is at hand plays the same, to the byte."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.releasing import pythons

ROOT = Path(__file__).resolve().parents[2]
READ = """
import pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py")):
    compile(path.read_bytes(), str(path), "exec")
print("read")
"""
PLAYED = """
import sys
from pbem.cli.group import run
solo = ["solo", "madrid", "scenario_1", "--against", "bot", "--side", "republican", "--seed", "a"]
calls = [
    solo + ["-o", "begun.json"],
    ["apply", "begun.json", "--bot", "-o", "played.json"],
    ["verify", "played.json"],
    ["log", "played.json"],
    ["show", "played.json"],
    ["show", "played.json", "--svg", "board.svg"],
    ["status", "played.json", "--json"],
    ["rules", "crusade", "11.3.1"],
    ["rules", "crusade", "card N5"],
    ["apply", "played.json", "nothing.yaml"],
]
for call in calls:
    print("$", *call, flush=True)
    try:
        run(call)
    except SystemExit as left:
        print("ends with", left.code)
"""


@cache
def at_hand() -> dict[str, Path]:
    return pythons.at_hand()


def called(python: Path, code: str, folder: Path, *words: str) -> str:
    home = {"HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, "-W", "error", "-c", code, *words], cwd=folder, capture_output=True, check=False,
        env={**os.environ, **home, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return (done.stdout + done.stderr).decode()


def played(python: Path, folder: Path) -> dict[str, bytes]:
    """What a small game prints with a Python, and the files it leaves."""
    folder.mkdir()
    printed = called(python, PLAYED, folder)
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return {**files, "printed": printed.encode()}


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    found = played(Path(sys.executable), tmp_path_factory.mktemp("ours") / "game")
    assert found.keys() == {"begun.json", "played.json", "board.svg", "printed"}
    assert found["printed"].count(b"ends with 0") == 9 and b"Traceback" not in found["printed"]
    return found


def test_the_releases_are_those_we_ask_for() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={pythons.meant()[0]}"' in project
    assert pythons.OURS in at_hand()


def test_the_newest_reads_every_module_without_a_warning(tmp_path: Path) -> None:
    """A newer release warns of more; what the oldest cannot read, the tests cannot import."""
    *_, newest = at_hand().values()
    assert called(newest, READ, tmp_path, str(ROOT / "pbem")) == "read\n"


@pytest.mark.parametrize("release", pythons.meant())
def test_a_game_comes_out_the_same(release: str, tmp_path: Path, ours: dict[str, bytes]) -> None:
    """With the environment that `make pythons` has made for it."""
    python = pythons.inside(pythons.MADE / release)
    if release == pythons.OURS:
        python = Path(sys.executable)
    elif not python.exists():
        pytest.skip(f"make pythons makes an environment of Python {release}, if it is here")
    assert played(python, tmp_path / "game") == ours

"""What players install is whole: data, schemas, catalogues, man pages, and no tests of ours."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder),
                cwd=ROOT)  # fmt: skip
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("pbem-*.whl")
    return made


def test_data_and_schemas_are_inside_and_tests_are_not(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("data", "schemas"):
        ours = {
            f"pbem/_shipped/{path.relative_to(ROOT).as_posix()}"
            for path in (ROOT / folder).rglob("*")
            if path.is_file()
        }
        assert ours - names == set()
    read = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pbem").rglob("*.mo")}
    assert len(read) > 1 and read - names == set(), "the catalogues of the house and of its games"
    shared = ROOT / "pbem" / "share"
    beside = {path.relative_to(shared).as_posix() for path in shared.rglob("*") if path.is_file()}
    (kept,) = {name.partition("/")[0] for name in names if ".data/" in name}
    assert {f"{kept}/data/share/{name}" for name in beside} <= names
    assert not [name for name in names if name.startswith(("tests/", "examples/", "pbem/share"))]
    assert not [name for name in names if "__pycache__" in name]


def test_the_command_runs_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    elsewhere = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    asked = "import pbem; print(pbem.__file__)"
    where = run(sys.executable, "-c", asked, cwd=tmp_path, **elsewhere)
    assert where.stdout.startswith(str(site))
    code = "import sys; from pbem.cli import main; main(sys.argv[1:])"
    games = run(sys.executable, "-c", code, "games", cwd=tmp_path, **elsewhere)
    assert games.returncode == 0, games.stderr
    assert "crusade" in games.stdout
    check = run(
        sys.executable, "-c", code, "solo", "crusade", "campaign", "-o", "game.pbem.json",
        cwd=tmp_path, **elsewhere,
    )  # fmt: skip
    assert check.returncode == 0, check.stderr
    assert (tmp_path / "game.pbem.json").stat().st_size > 500

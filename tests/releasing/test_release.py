"""A release refuses what is not ready, in a sentence, and a file that is built differently."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from tests.releasing import __main__ as release
from tests.releasing import build, first_game, pythons, ready

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TODAY = date(2026, 1, 10)
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "pbem"
dynamic = ["version"]
requires-python = ">=3.11"
[tool.hatch.version]
path = "pbem/__init__.py"
"""
HOOK = """
import time
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        with open("pbem/built.txt", "w") as file:
            file.write(str(time.time_ns()))
"""


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "tag.gpgsign=no")
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--allow-empty", "-m", "made up")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small project that is ready to be released as 1.0.0."""
    root = tmp_path / "project"
    (root / "pbem").mkdir(parents=True)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "pbem" / "__init__.py").write_text('__version__ = "1.0.0"\n')
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 1.0.0 (2026-01-09)\n\nNew:\n")
    (root / "examples" / "installing").mkdir(parents=True)
    for page in ready.PAGES:
        text = re.sub(r"pbem-[\d.]+-py3", "pbem-1.0.0-py3", (ROOT / page).read_text("utf-8"))
        (root / page).write_text(text, encoding="utf-8")
    (root / ".gitignore").write_text("dist/\nbuild/\n")
    git(root, "init")
    commit(root)
    return root


def reworded(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Writes other words in a file, and commits it."""

    def change(root: Path) -> None:
        text = (root / name).read_text(encoding="utf-8")
        assert old in text
        (root / name).write_text(text.replace(old, new), encoding="utf-8")
        commit(root)

    return change


def test_a_tree_that_is_ready_has_nothing_said_of_it(tree: Path) -> None:
    assert ready.unready(tree, TODAY) == []


@pytest.mark.parametrize(
    "change, said",
    [
        (
            lambda root: (root / "pbem" / "new.py").touch(),
            "the tree is not clean (pbem/new.py): commit this, or take it away",
        ),
        (
            lambda root: git(root, "tag", "v1.0.0"),
            "v1.0.0 is released already: raise the version in pbem/__init__.py; what was released "
            "is never made again",
        ),
        (
            reworded("CHANGELOG.md", "2026-01-09", "not yet released"),
            "CHANGELOG.md says of 1.0.0: not yet released; write the date there, such as "
            "2026-01-10",
        ),
        (
            reworded("CHANGELOG.md", "2026-01-09", "2026-01-11"),
            "CHANGELOG.md dates 1.0.0 2026-01-11, and today is 2026-01-10: correct one of them",
        ),
        (
            reworded("CHANGELOG.md", "## 1.0.0 (", "## 0.9.0 ("),
            "CHANGELOG.md has no entry for 1.0.0 at its top (its newest is 0.9.0): write it",
        ),
        (
            reworded("CHANGELOG.md", "## 1.0.0 (2026-01-09)", ""),
            "CHANGELOG.md has no entry for 1.0.0 at its top (it has none): write it",
        ),
        (
            reworded("README.md", "pbem-1.0.0-py3", "pbem-0.1.0-py3"),
            "README.md installs pbem-0.1.0-py3-none-any.whl: this release makes "
            "pbem-1.0.0-py3-none-any.whl",
        ),
    ],
)
def test_what_is_not_ready_is_told(tree: Path, change: Callable[[Path], None], said: str) -> None:
    change(tree)
    assert ready.unready(tree, TODAY) == [said]


@pytest.mark.parametrize("version", ["0.1.0", "1.0.0rc1", "1.0", "1.0.0.dev1"])
def test_what_promises_nothing_is_no_release(tree: Path, version: str) -> None:
    reworded("pbem/__init__.py", "1.0.0", version)(tree)
    told = ready.unready(tree, TODAY)
    assert told[0] == (
        f"pbem/__init__.py says version {version}, which promises nothing: a release is 1.0.0 or "
        "later, three numbers and no more"
    )
    assert len(told) == 4, "the entry and the wheels are of another version, too"


def test_many_files_are_not_all_named(tree: Path) -> None:
    for name in "abcdefg":
        (tree / name).touch()
    (said,) = ready.unready(tree, TODAY)
    assert "(a, b, c, d, e and 2 more)" in said


@pytest.fixture
def alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The target in the made-up tree; what it would have others do is only noted."""
    asked: list[str] = []
    monkeypatch.setattr(release, "ROOT", tree)
    monkeypatch.setattr(release, "WORK", tree / "build" / "release")
    monkeypatch.setattr(release, "DIST", tree / "dist")
    monkeypatch.setattr(release, "_make", lambda *words: asked.append(f"make {words[0]}"))
    monkeypatch.setattr(release, "_played", lambda name, _, wheel: asked.append(wheel.name))
    monkeypatch.setattr(pythons, "at_hand", lambda: {"3.11": Path("python3.11")})
    return asked


def test_a_release_is_tested_built_played_and_summed(tree: Path, alone: list[str]) -> None:
    release.main(trial=False)
    wheel, sdist = "pbem-1.0.0-py3-none-any.whl", "pbem-1.0.0.tar.gz"
    assert alone == ["make check", "make test", wheel]
    made = {path.name: path.read_bytes() for path in (tree / "dist").iterdir()}
    assert made.keys() == {wheel, sdist, "SHA256SUMS"}
    listed = dict(line.split("  ")[::-1] for line in made["SHA256SUMS"].decode().splitlines())
    assert listed == {name: sha256(made[name]).hexdigest() for name in (wheel, sdist)}


def test_a_trial_says_what_is_not_ready_and_makes_no_release(
    tree: Path, alone: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    reworded("CHANGELOG.md", "2026-01-09", "not yet released")(tree)
    with pytest.raises(SystemExit, match="not everything is ready; nothing was made"):
        release.main(trial=False)
    assert alone == [] and not (tree / "build").exists()
    release.main(trial=True)
    assert alone == ["pbem-1.0.0-py3-none-any.whl"] and not (tree / "dist").exists()
    said = capsys.readouterr().out
    assert "not ready: CHANGELOG.md says of 1.0.0: not yet released" in said
    assert "nothing is written to dist/" in said


def test_a_file_that_is_built_differently_is_no_release(tree: Path, alone: list[str]) -> None:
    with (tree / "pyproject.toml").open("a") as file:
        file.write("[tool.hatch.build.hooks.custom]\npath = 'hook.py'\n")
    (tree / "hook.py").write_text(HOOK)
    commit(tree)
    with pytest.raises(SystemExit, match="is another file when it is built again"):
        release.main(trial=False)
    assert not (tree / "dist").exists()
    with pytest.raises(build.Differs):
        build.twice(tree, tree.parent / "elsewhere")


def test_a_test_that_fails_ends_it(
    tree: Path, alone: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(release, "ROOT", tree)
    (tree / "Makefile").write_text("test:\n\t@exit 1\n")
    with pytest.raises(SystemExit, match="make test finds something to mend; nothing was made"):
        release._make("test")


def test_a_command_of_the_first_game_that_fails_ends_it(tmp_path: Path) -> None:
    program = tmp_path / "pbem"
    program.write_text("#!/bin/sh\necho told >&2\nexit 3\n")
    program.chmod(0o755)
    seats = [release.Installed(tmp_path / name, program) for name in ("ana", "beto")]
    with pytest.raises(SystemExit, match=r"pbem keygen .* ends with 3\ntold"):
        first_game.play(README, *seats, 4)

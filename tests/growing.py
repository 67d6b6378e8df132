"""`python -m tests.growing FOLDER GAME...`: a copy of the tree into which games of the tests move.

The copy follows pbem/games/README.md: two folders, their schemas, and one line in `GAMES`.
Without words it brings the catalogues of these games up to date: they are made in a copy, where the
game is one of all, and taken back.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem import games

ROOT = Path(__file__).resolve().parents[1]
GAMES = {"toy": "tests/toygame", "fog": "tests/facedown"}
"""The games that live in the tests, with their folders."""
COPIED = ("pbem", "data", "schemas", "tests", "examples", "pyproject.toml", "Makefile", "LICENSE",
          "README.md", "CHANGELOG.md", "CONTRIBUTING.md")  # fmt: skip
PARTS = {
    "game": "pbem/games/<slug>",
    "data": "data/<slug>",
    "schemas": "schemas/<slug>",
    "replays": "tests/replays/<slug>",
}
"""Where the folders of the game go."""


def grown(folder: Path, *slugs: str) -> Path:
    """Copies the tree below `folder`, compiled modules and all, and lets the games move in."""
    tree = folder / "tree"
    skipped = shutil.ignore_patterns(".*_cache")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=skipped, copy_function=_copied)
        else:
            shutil.copy(source, tree / name)
    for slug in slugs:
        move_in(tree, slug)
    return tree


def move_in(tree: Path, slug: str) -> None:
    """Puts what a game has where pbem/games/README.md says."""
    here = ROOT / GAMES[slug]
    for name, where in PARTS.items():
        shutil.copytree(here / name, tree / where.replace("<slug>", slug),
                        ignore=shutil.ignore_patterns(".*_cache"))  # fmt: skip
    kit = tree / "tests" / "games" / slug
    kit.mkdir()
    (kit / "__init__.py").touch()
    shutil.copy(here / "kit.py", kit / "kit.py")
    if (here / "standing.md").exists():
        shutil.copy(here / "standing.md", tree / f"examples/standing-orders/{slug}.md")
    for path in (*(here / "shown").glob("*.py"), *here.glob("test_rules.py")):
        shutil.copy(path, kit / f"test_{path.name.removeprefix('test_')}")
    register(tree, slug)


def _copied(source: str, copy: str) -> None:
    """Copies a file; a compiled module is linked, for Python never writes into one."""
    if source.endswith(".pyc"):
        with suppress(OSError):  # the copy may be on another disk
            os.link(source, copy)
            return
    shutil.copy2(source, copy)


def register(tree: Path, slug: str) -> None:
    """Adds the one line that pbem/games/README.md tells to add."""
    guide = (ROOT / "pbem/games/README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r'^ *("<slug>": .*)$', guide, re.M)
    games = tree / "pbem/games/__init__.py"
    text = games.read_text(encoding="utf-8")
    head, found, rest = text.partition("GAMES: Mapping[str, GamePackage] = {\n")
    assert found, "pbem/games/__init__.py: GAMES is not where the guide says"
    games.write_text(f"{head}{found}    {line.replace('<slug>', slug)}\n{rest}", encoding="utf-8")


ENDED = pytest.StashKey[int]()
WITHOUT = ("test_second_game.py", "test_wheel.py", "test_manual.py")
"""Tests of the house that a grown tree does not repeat: this one, that of the wheel, which takes
whole folders and is compared with them, whatever they hold, and that of the man pages, which can
list games."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`-p tests.growing --grown`: what the other games have passed is not played again."""
    parser.addoption("--grown", action="store_true")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of one other game: they read that game and the house, and both are the
    same as outside, where they run. Whatever counts or compares games is left in.
    """
    left, out = [], []
    others = games.GAMES.keys() - GAMES.keys()
    for item in items:
        params = getattr(item, "callspec", None)
        told = params.params.values() if params else ()
        of = [each[0] if isinstance(each, tuple) and each else each for each in told]
        is_another = any(isinstance(each, str) and each in others for each in of)
        (out if is_another or item.path.name in WITHOUT else left).append(item)
    config.hook.pytest_deselected(items=out)
    items[:] = left


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[ENDED] = exitstatus


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends without destroying every tree of every module, one object after another."""
    if config.getoption("--grown"):
        sys.stdout.flush()
        os._exit(config.stash.get(ENDED, pytest.ExitCode.INTERNAL_ERROR))


def run(tree: Path, *words: str, **more: str) -> str:
    """What a module of the copy prints, with `more` in its environment; it must end well."""
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, capture_output=True, text=True, timeout=600,
        env={"PYTHONPATH": str(tree), "HOME": str(tree / "home"), **more}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


def texts() -> None:
    """Writes the catalogues and the published orders of the games of the tests."""
    for slug, home in GAMES.items():
        with TemporaryDirectory() as folder:
            tree = grown(Path(folder), slug)
            told = run(tree, "tests.house.catalogue")
            made = tree / PARTS["game"].replace("<slug>", slug) / "translations"
            shutil.copytree(made, ROOT / home / "game/translations", dirs_exist_ok=True)
            run(tree, "pytest", "-q", "tests/orders/test_published.py", "-k", slug,
                PBEM_GOLDEN="write")  # fmt: skip
            published = PARTS["schemas"].replace("<slug>", slug)
            shutil.copytree(tree / published, ROOT / home / "schemas", dirs_exist_ok=True)
            print(*(line for line in told.splitlines() if f"/{slug}.po " in line), sep="\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        print(grown(Path(sys.argv[1]), *sys.argv[2:]))
    else:
        texts()

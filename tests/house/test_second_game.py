"""A second game moves into a copy of the tree by the steps of pbem/games/README.md, and works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.growing import PARTS, ROOT, grown


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grown(tmp_path_factory.mktemp("second game"), SLUG)


SLUG = "toy"
CAPABILITIES = {"waiting.py"}
"""What this game has of those that a game may do without."""


def test_it_has_the_modules_of_the_guide_and_no_others() -> None:
    guide = (ROOT / "pbem/games/README.md").read_text(encoding="utf-8")
    rows = {name for line in guide.splitlines() if line.startswith("| `")
            for name in re.findall(r"`(\w+\.py)`", line.split("|")[1])}  # fmt: skip
    ours = {path.name for path in (ROOT / "tests/toygame/game").glob("*.py")}
    assert rows == ours - CAPABILITIES
    assert all(path in guide for path in PARTS.values())


def run(tree: Path, *words: str) -> str:
    """What a module of the copy prints; it must end well."""
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, capture_output=True, text=True, timeout=600,
        env={"PYTHONPATH": str(tree), "HOME": str(tree / "home")}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


def test_it_keeps_every_promise_of_the_house(tree: Path) -> None:
    """The matrix, the contract suite, its rules, and every command by mail."""
    run(tree, "tests.house.matrix")
    told = run(tree, "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", SLUG,
               "tests/contract", f"tests/games/{SLUG}", "tests/house/test_kits.py",
               "tests/house/test_games.py", "tests/house/test_boundary.py",
               "tests/house/test_catalogue.py",
               "tests/house/test_rules_cited.py", "tests/orders/test_published.py")  # fmt: skip
    assert " failed" not in told

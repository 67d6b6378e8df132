"""`python -m tests.toygame.grow FOLDER`: a copy of the tree in which Two Hills has moved in.

The copy follows pbem/games/README.md: two folders, their schemas, and one line in `GAMES`.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
SLUG = "toy"
COPIED = ("pbem", "data", "schemas", "tests", "examples", "pyproject.toml")
PARTS = {
    "game": f"pbem/games/{SLUG}",
    "data": f"data/{SLUG}",
    "schemas": f"schemas/{SLUG}",
    "replays": f"tests/replays/{SLUG}",
}
"""Where the folders of the game go."""


def grown(folder: Path) -> Path:
    """Copies the tree below `folder`, compiled modules and all, and lets the game move in."""
    tree = folder / "tree"
    skipped = shutil.ignore_patterns(".*_cache")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=skipped)
        else:
            shutil.copy(source, tree / name)
    for name, where in PARTS.items():
        shutil.copytree(HERE / name, tree / where, ignore=skipped)
    kit = tree / "tests" / "games" / SLUG
    kit.mkdir()
    (kit / "__init__.py").touch()
    shutil.copy(HERE / "kit.py", kit / "kit.py")
    for path in (HERE / "shown").glob("*.py"):
        shutil.copy(path, kit / f"test_{path.name}")
    register(tree)
    return tree


def register(tree: Path) -> None:
    """Adds the one line that pbem/games/README.md tells to add."""
    guide = (ROOT / "pbem/games/README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r'^ *("<slug>": .*)$', guide, re.M)
    games = tree / "pbem/games/__init__.py"
    text = games.read_text(encoding="utf-8")
    head, found, rest = text.partition("GAMES: Mapping[str, GamePackage] = {\n")
    assert found, "pbem/games/__init__.py: GAMES is not where the guide says"
    games.write_text(f"{head}{found}    {line.replace('<slug>', SLUG)}\n{rest}", encoding="utf-8")


if __name__ == "__main__":
    print(grown(Path(sys.argv[1])))

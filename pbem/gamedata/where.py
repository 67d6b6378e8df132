"""Where data/ and schemas/ are, and the layout of a game's folder.

In the wheel they are pbem/_shipped, otherwise next to the package.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
SHIPPED = os.path.join(PACKAGE, "_shipped")


def home() -> str:
    """The folder that holds data/ and schemas/."""
    return SHIPPED if os.path.isdir(SHIPPED) else os.path.dirname(PACKAGE)


def data_at(slug: str) -> str:
    """The folder of one game's data."""
    return os.path.join(home(), "data", slug)


def data_folder(slug: str) -> Path:
    """The folder of one game's data, for callers that read its files directly."""
    from pathlib import Path

    return Path(data_at(slug))


def schema_at(slug: str, name: str) -> str:
    """A schema of a game: that of one of its parts, `scenario`, `rulebook` or `orders`."""
    return os.path.join(home(), "schemas", slug, f"{name}.json")


def schema_file(slug: str, name: str) -> Path:
    """The same, for callers that read the file directly."""
    from pathlib import Path

    return Path(schema_at(slug, name))


def slugs() -> tuple[str, ...]:
    """The games that have data, in alphabetical order."""
    folder = os.path.join(home(), "data")
    return tuple(
        name
        for name in sorted(os.listdir(folder))
        if os.path.isfile(os.path.join(folder, name, file_of(GAME)))
    )


# ---------------------------------------------------------------- the folder of a game

GAME = "game"
"""The only part that every game has: its title, its sides, the order of its scenarios."""
SCENARIOS = "scenarios"
"""The folder of the set-ups: one file each, all of one schema."""
DRAWING = "picture.json"
"""The geometry of a game's map: no rule reads it, and it does not count for the digest."""
PAST = "past"
"""The folder of what earlier releases said, and the name of the list of them (past.py)."""
UNCOUNTED = ("rulebook.yaml", "coverage.json", DRAWING, f"{PAST}.json")
"""Other files there, which do not affect games."""


def file_of(part: str) -> str:
    """The file of a part, below the folder."""
    return f"{part}.yaml"


def is_scenario(path: str) -> bool:
    """Whether a path below the folder is that of a set-up."""
    return path.startswith(f"{SCENARIOS}/")


def stem(path: str) -> str:
    """A file's name without its folder and its ending: a part, or a scenario."""
    return path.rpartition("/")[2].removesuffix(".yaml")


def kind(path: str) -> str:
    """The kind of a data file, which is the name of its schema."""
    return "scenario" if is_scenario(path) else stem(path)

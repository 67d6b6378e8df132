"""Where data/ and schemas/ lie: in the wheel as pbem/_shipped, else beside the package."""

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
    """The folder of one game's data, for those who look around in it."""
    from pathlib import Path

    return Path(data_at(slug))


def schema_file(name: str) -> Path:
    """The schema of one kind of data file: map, units, cards, ..."""
    from pathlib import Path

    return Path(home(), "schemas", "data", f"{name}.json")


def slugs() -> tuple[str, ...]:
    """The games that have data, in alphabetical order."""
    folder = os.path.join(home(), "data")
    return tuple(
        name
        for name in sorted(os.listdir(folder))
        if os.path.isfile(os.path.join(folder, name, "game.yaml"))
    )

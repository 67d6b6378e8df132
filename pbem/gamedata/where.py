"""Where data/ and schemas/ lie: in the wheel as pbem/_shipped, else beside the package."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = PACKAGE / "_shipped"


def home() -> Path:
    """The folder that holds data/ and schemas/."""
    return SHIPPED if SHIPPED.is_dir() else PACKAGE.parent


def data_folder(slug: str) -> Path:
    """The folder of one game's data."""
    return home() / "data" / slug


def schema_file(name: str) -> Path:
    """The schema of one kind of data file: map, units, cards, ..."""
    return home() / "schemas" / "data" / f"{name}.json"


def slugs() -> tuple[str, ...]:
    """The games that have data, in alphabetical order."""
    folders = sorted((home() / "data").glob("*/game.yaml"))
    return tuple(file.parent.name for file in folders)

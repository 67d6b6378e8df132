"""What the data of the game say in words: its kit hands them to the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def words(tables: Mapping[str, Any]) -> Iterator[str]:
    """The names of units, as a log tells them; hexes are called as they are everywhere."""
    yield from (unit["name"] for unit in tables["units"]["units"])

"""What the data of ¡No Pasarán! say in words: names of units, formations, bridges and roads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def words(tables: Mapping[str, Any]) -> Iterator[str]:
    """Every name that is translated; those of places are not."""
    for listed in ("formations", "units"):
        yield from (each["name"] for each in tables["units"][listed])
    yield from (each["model"] for each in tables["units"]["air_units"])
    for map in tables["map"]["maps"]:
        for listed in ("bridges", "roads"):
            yield from (each["name"] for each in map[listed])
    for scenario in tables["scenarios"].values():
        yield from (each["title"] for each in scenario["levels"])

"""A position written out as a scenario of an owner's folder, and judged as that folder would be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pbem.gamedata.check import shipped_whole
from pbem.gamedata.game import Folder, declared_by
from pbem.gamedata.load import schema
from pbem.gamedata.merge import without_sources
from pbem.games import GAMES
from pbem.problems import Problem, Span
from pbem.text.schema import schema_problems

NAME = "written_out"
FILE = f"scenarios/{NAME}.yaml"


@dataclass(frozen=True)
class Said:
    """A document of plain values; where one of them stands is told by its path."""

    value: Any

    def span(self, path: Any = ()) -> Span:
        return Span("/".join(map(str, path)), 0, 0)

    key_span = span


@cache
def _schema(slug: str) -> Any:
    return without_sources(schema(slug, "scenario"))


def problems_of(slug: str, scenario: dict[str, Any]) -> Iterator[Problem]:
    """What the check of own data says of it: by the schema, then by what fits together."""
    said: Any = Said(scenario)
    found = [*schema_problems(said, _schema(slug))]
    folder = Folder({**shipped_whole_once(slug), FILE: said})
    yield from found or declared_by(GAMES[slug].package).scenario_checks(folder, FILE, scenario)


shipped_whole_once = cache(shipped_whole)


def write(folder: Path, scenario: dict[str, Any]) -> None:
    """The scenario as a file of an owner's folder. JSON of this kind is YAML too."""
    (folder / "scenarios").mkdir(exist_ok=True, parents=True)
    (folder / FILE).write_text(json.dumps(scenario, ensure_ascii=False), "utf-8")

"""What counts for the digest of a game's data: all that its rules read, and nothing that is only
told."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pbem
from pbem.gamedata.load import load, schema
from pbem.gamedata.meaning import TOLD, canonical, digest_of, without_told
from pbem.gamedata.merge import resolved
from pbem.gamedata.where import SCENARIOS, slugs
from pbem.games import GAMES
from tests.contract import playing
from tests.replays import stored

Place = tuple[dict[str, Any], str]


def tables_of(slug: str) -> dict[str, Any]:
    return copy.deepcopy({name: load(slug).tables[name] for name in load(slug).tables})


def schemas_of(slug: str) -> dict[str, Any]:
    parts = {"scenario", *load(slug).tables} - {SCENARIOS}
    return {part: schema(slug, part) for part in parts}


def told(root: Any, node: Any, said: Any) -> Iterator[Place]:
    """Every mapping with a key that is only told."""
    node = resolved(root, node)
    if isinstance(said, dict):
        for key, value in said.items():
            part = node.get("properties", {}).get(key) or node.get("additionalProperties") or {}
            if part.get(TOLD):
                yield said, key
            else:
                yield from told(root, part, value)
    elif isinstance(said, list):
        for each in said:
            yield from told(root, node.get("items", {}), each)


def values(
    root: Any, node: Any, said: Any, path: tuple[Any, ...], *, is_told: bool
) -> Iterator[tuple[tuple[Any, ...], Any, Any, bool]]:
    """Every plain value: its path without the numbers of entries, where it lies, whether it is only
    told."""
    node = resolved(root, node)
    steps = said.items() if isinstance(said, dict) else enumerate(said)
    for key, value in steps:
        part, way = node.get("items", {}), path
        if isinstance(said, dict):
            part = node.get("properties", {}).get(key) or node.get("additionalProperties") or {}
            way = (*path, key)
        told_here = is_told or bool(part.get(TOLD))
        if isinstance(value, (dict, list)):
            yield from values(root, part, value, way, is_told=told_here)
        elif value is not None:
            yield way, said, key, told_here


def documents(slug: str, tables: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    for part, root in schemas_of(slug).items():
        for said in tables[SCENARIOS].values() if part == "scenario" else [tables[part]]:
            yield root, said


def other(value: Any) -> Any:
    """A value of the same kind that is another one."""
    if isinstance(value, list):
        return [other(each) for each in value]
    if isinstance(value, dict):
        return {f"{key} y": other(each) for key, each in value.items()}
    return value + (" y" if isinstance(value, str) else 1)


@pytest.mark.parametrize("slug", slugs())
def test_what_is_told_changes_no_game(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored game of each scenario, over data whose titles, names and texts are all others."""
    tables = tables_of(slug)
    for root, said in documents(slug, tables):
        for entry, key in list(told(root, root, said)):
            entry[key] = other(entry[key])
    changed = GAMES[slug].open(tables)
    monkeypatch.setattr(playing, "system", lambda _: changed)
    monkeypatch.setattr(stored, "system", lambda _: changed)
    assert digest_of(tables, partial(schema, slug)) == load(slug).digest
    kept = [stored.stored(stored.path_of(slug, way)) for way in stored.WAYS[slug]]
    for replay in {(each.scenario, each.options): each for each in kept}.values():
        now = stored.finished(slug, replay.scenario, replay.options, replay.dice, replay.orders)
        assert now == replay


@pytest.mark.parametrize("slug", slugs())
def test_each_kind_of_value_counts_unless_it_is_told(slug: str) -> None:
    tables, seen = tables_of(slug), set[tuple[Any, ...]]()
    for root, said in documents(slug, tables):
        before = canonical(without_told(root, said))
        for path, entry, key, is_told in values(root, root, said, (id(root),), is_told=False):
            if path in seen:
                continue
            seen.add(path)
            kept, entry[key] = entry[key], other(entry[key])
            assert (canonical(without_told(root, said)) == before) is is_told, path
            entry[key] = kept
    assert len(seen) > 20


def members(root: Any, node: Any) -> Iterator[str]:
    """The names of members that a schema knows, without those that are only told."""
    if isinstance(node, list):
        for each in node:
            yield from members(root, each)
    elif isinstance(node, dict):
        for name, part in node.get("properties", {}).items():
            if not resolved(root, part).get(TOLD) and not part.get(TOLD):
                yield name
        for name, part in node.items():
            if not (name == "$defs" or (isinstance(part, dict) and part.get(TOLD))):
                yield from members(root, part)
        for name, part in node.get("$defs", {}).items():
            if name not in SOURCES:
                yield from members(root, part)


SOURCES = ("provenance", "provenances")
"""The definitions that say where a value comes from."""
PACKAGE = Path(pbem.__file__).parent


def code_of(slug: str) -> str:
    """All that may read the data of a game, but for what compares the data with themselves."""
    homes = (PACKAGE / "games" / slug, PACKAGE / "gamedata", PACKAGE / "engine", PACKAGE / "board")
    files = (file for home in homes for file in home.rglob("*.py"))
    mine = (file for file in files if file.parent != PACKAGE / "games" / slug / "data")
    return "\n".join(file.read_text(encoding="utf-8") for file in mine)


@pytest.mark.parametrize("slug", GAMES)
def test_every_member_of_a_schema_is_read_somewhere(slug: str) -> None:
    code = code_of(slug)
    named = {
        name
        for known in schemas_of(slug).values()
        for name in members(known, known)
        if not re.search(rf"""(\.{name}\b|["']{name}["'])""", code)
    }
    assert named <= set(SOURCES), "data that no rule reads do not belong in a schema"


@pytest.mark.parametrize("slug", GAMES)
def test_every_definition_of_a_schema_is_used(slug: str) -> None:
    for part, known in schemas_of(slug).items():
        text = json.dumps(known)
        unused = [name for name in known.get("$defs", {}) if f'"#/$defs/{name}"' not in text]
        assert unused == [], part

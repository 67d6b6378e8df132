"""A small game's data, made by the tests: no part of it is of a game that is played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.gamedata.game import Accounts, Folder, GameData
from pbem.problems import Problem

SLUG = "small"
TEXT = {"type": "string", "maxLength": 20}
TITLE = {**TEXT, "told": True}
NUMBER = {"type": "integer", "minimum": 0, "maximum": 9}


def mapping(needed: tuple[str, ...] = (), **keys: Any) -> dict[str, Any]:
    return {"type": "object", "properties": keys, "required": list(needed),
            "additionalProperties": False}  # fmt: skip


def listed(*known_by: str, **keys: Any) -> dict[str, Any]:
    sourced = {**keys, "provenance": {"type": ["string", "object"]}}
    return {"type": "array", "known_by": list(known_by), "items": mapping(known_by, **sourced)}


SCHEMAS: dict[str, dict[str, Any]] = {
    "game": mapping(("title",), title=TITLE, scenarios={"type": "array", "items": TEXT}),
    "stones": mapping(
        ("stones",),
        stones=listed("id", id=TEXT, weight=NUMBER, worth=mapping((), red=NUMBER, blue=NUMBER),
                      shape={"type": "array", "items": NUMBER}),
        pairs={**listed("a", "b", a=TEXT, b=TEXT, width=NUMBER), "either_way": True},
        provenance={"type": "object"},
    ),
    "scenario": mapping(("id", "title", "first"), id=TEXT, title=TITLE, same_as=TITLE, first=TEXT,
                        level=NUMBER),
}  # fmt: skip

FILES = {
    "game.yaml": "title: Small\nscenarios: [one]\n",
    "stones.yaml": (
        "stones:\n"
        "  - {id: flint, weight: 2, worth: {red: 1, blue: 2}, shape: [1, 2]}\n"
        "  - {id: slate, weight: 3, provenance: {weight: stated 1.2}}\n"
        "  - {id: chalk, weight: 1}\n"
        "pairs:\n"
        "  - {a: flint, b: slate, width: 1, provenance: derived from a sum}\n"
        "provenance: {given: {weight: rebuilt}}\n"
    ),
    "scenarios/one.yaml": "id: one\ntitle: One\nfirst: flint\nlevel: 4\n",
}


def known(folder: Folder) -> dict[str, Any]:
    return {stone["id"]: stone for stone in folder.value("stones")["stones"]}


def checks(folder: Folder) -> Iterator[Problem]:
    yield from folder.doubled("stones.yaml", "stones")
    for index, pair in enumerate(folder.value("stones").get("pairs", ())):
        for end in ("a", "b"):
            yield from folder.unknown(
                "stones.yaml", ("pairs", index, end), pair[end], known(folder), "unknown-stone",
                f"no stone is called {pair[end]}",
            )  # fmt: skip


def scenario_checks(folder: Folder, file: str, plain: Any) -> Iterator[Problem]:
    message = f"no stone is called {plain['first']}"
    yield from folder.unknown(
        file, ("first",), plain["first"], known(folder), "unknown-stone", message
    )


SMALL = GameData(
    slug=SLUG,
    parts=("game", "stones"),
    checks=checks,
    scenario_checks=scenario_checks,
    is_needed=lambda entries, name: name == "flint",
    accounts=Accounts(entry_by_entry=frozenset({"pairs"}), called=(("id",), ("a", "b"))),
)


def shipped(home: Path) -> Path:
    """Writes data/small and schemas/small below a folder, and gives the folder of the data."""
    data, schemas = home / "data" / SLUG, home / "schemas" / SLUG
    (data / "scenarios").mkdir(parents=True)
    schemas.mkdir(parents=True)
    for path, text in FILES.items():
        (data / path).write_text(text, "utf-8")
    (data / "rulebook.yaml").write_text("rules: []\n", "utf-8")
    for name, schema in SCHEMAS.items():
        (schemas / f"{name}.json").write_text(json.dumps(schema), "utf-8")
    return data

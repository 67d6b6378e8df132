"""A class name says one thing: whoever meets it in a trace or a search finds one class."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.house.source import ROOT, modules, nodes

VOCABULARY = {"orders.py", "events.py"}
"""What players write and what happens to units is called alike in many games."""
ALIKE = {
    "Position": "what lies on the table",
    "Tables": "the data of the game as the rules ask for them",
    "Printed": "the documents of the game as its checks ask for them",
    "OfASide": "what a predicate asks of a stage of one side",
    "NextTurn": "the stage between two turns",
    "Arrivals": "the stage in which new units come",
    "Firing": "the stage before fire",
    "Defending": "the stage in which the attacked answer",
    "Retreating": "the stage in which the beaten go",
}
"""The same part of two games, which know nothing of each other."""


@cache
def places() -> dict[str, list[Path]]:
    """Every class name with the modules, from `pbem/`, that define such a class."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(ROOT))
    return found


def game(path: Path) -> str:
    """The game a module belongs to; none for those of the house."""
    return path.parts[1] if path.parts[0] == "games" and len(path.parts) > 2 else ""


def double(name: str, paths: list[Path]) -> bool:
    games = [game(path) for path in paths]
    if len(paths) == 1 or ("" not in games and len(set(games)) == len(games) and name in ALIKE):
        return False
    is_vocabulary = all(path.name in VOCABULARY and game(path) for path in paths)
    return not is_vocabulary or len(set(games)) < len(games)


def test_no_class_name_stands_for_two_things() -> None:
    found = {name: paths for name, paths in places().items() if double(name, paths)}
    assert {name: [str(path) for path in paths] for name, paths in found.items()} == {}


def test_what_may_be_called_alike_is() -> None:
    found = places()
    assert [name for name in ALIKE if len(found[name]) < 2] == []


@pytest.mark.parametrize(
    ("name", "paths", "wrong"),
    [
        ("Sheet", ["mail/search.py"], False),
        ("Sheet", ["mail/search.py", "engine/picture.py"], True),
        ("Sheet", ["engine/picture.py", "games/a/orders.py"], True),
        ("Move", ["games/a/orders.py", "games/b/orders.py"], False),
        ("Move", ["games/a/orders.py", "games/a/events.py"], True),
        ("Move", ["games/a/orders.py", "games/b/stages/move.py"], True),
        ("Firing", ["games/a/stages/fire.py", "games/b/stages/fire.py"], False),
        ("Firing", ["games/a/stages/fire.py", "games/a/rules/fire.py"], True),
        ("Firing", ["engine/model.py", "games/a/stages/fire.py"], True),
    ],
)
def test_what_is_double(name: str, paths: list[str], wrong: bool) -> None:
    assert double(name, [Path(each) for each in paths]) is wrong

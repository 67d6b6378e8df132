"""A class name says one thing: whoever meets it in a trace or a search finds one class."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.house.source import ROOT, modules, nodes


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


def double(paths: list[Path]) -> bool:
    """Whether one of those who may meet the name meets two classes: two games know nothing of each
    other, but each knows itself and the house.
    """
    games = [game(path) for path in paths]
    ours = games.count("")
    return ours > 1 or any(ours + games.count(each) > 1 for each in games if each)


def test_no_class_name_stands_for_two_things() -> None:
    found = {name: paths for name, paths in places().items() if double(paths)}
    assert {name: [str(path) for path in paths] for name, paths in found.items()} == {}


def test_no_class_is_compiled_when_its_module_is_loaded() -> None:
    """A `NamedTuple` takes as long as ten modules, a value (pbem/value.py) a hundredth of one."""
    compiling = {"NamedTuple", "namedtuple"}
    names = {
        str(path.relative_to(ROOT)): {node.id for node in nodes(path) if isinstance(node, ast.Name)}
        for path in modules()
    }
    assert [path for path, used in names.items() if used & compiling] == []


@pytest.mark.parametrize(
    ("paths", "wrong"),
    [
        (["mail/search.py"], False),
        (["mail/search.py", "engine/picture.py"], True),
        (["engine/picture.py", "games/a/orders.py"], True),
        (["games/a/orders.py", "games/b/orders.py"], False),
        (["games/a/orders.py", "games/a/events.py"], True),
        (["games/a/orders.py", "games/b/stages/move.py"], False),
        (["games/a/stages/fire.py", "games/b/stages/fire.py", "games/a/rules/fire.py"], True),
        (["engine/model.py", "games/a/stages/fire.py"], True),
    ],
)
def test_what_is_double(paths: list[str], wrong: bool) -> None:
    assert double([Path(each) for each in paths]) is wrong

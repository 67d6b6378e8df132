"""The boundary of a game: what others may ask of it, and what it must have.

Nobody outside its package looks into a position, and each of its capabilities is whole.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pbem.engine
from pbem.engine.policies.table import PolicyTable
from pbem.games import GAMES
from pbem.games.system import GameSystem
from tests.contract.playing import system
from tests.house.source import ROOT, modules, nodes

REPO = ROOT.parent


def is_a_position(node: ast.expr) -> bool:
    """Whether it is called so: `position`, `state.position`, `positions[-1]`."""
    called = "position"
    if isinstance(node, ast.Subscript):
        node, called = node.value, "positions"
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == called


def looks(path: Path) -> Iterator[str]:
    """Where a module reads an attribute of a position."""
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and is_a_position(node.value):
            yield f"pbem/{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def test_nobody_outside_a_game_looks_into_a_position() -> None:
    shared = [path for path in modules() if path.relative_to(ROOT).parts[0] != "games"]
    assert len(shared) > 200
    assert [place for path in shared for place in looks(path)] == []


def test_a_look_into_a_position_is_seen() -> None:
    assert is_a_position(ast.parse("state.position", mode="eval").body)
    assert is_a_position(ast.parse("step.positions[-1]", mode="eval").body)
    assert not is_a_position(ast.parse("state.agenda", mode="eval").body)


# --- capabilities


@cache
def capabilities() -> dict[str, type]:
    """The properties of a game that are capabilities, each with what it must be able to do."""
    every = [importlib.import_module(m.name)
             for m in pkgutil.iter_modules(pbem.engine.__path__, "pbem.engine.")]  # fmt: skip
    every.append(importlib.import_module("pbem.games.system"))
    protocols = {
        name: kind
        for module in every
        for name, kind in vars(module).items()
        if getattr(kind, "_is_protocol", False)
    } | {PolicyTable.__name__: PolicyTable}  # what a game declares, with the same functions for all
    asked = dict(GameSystem.__annotations__)
    for name, member in vars(GameSystem).items():
        if isinstance(member, property):
            asked[name] = member.fget.__annotations__["return"]
    return {name: protocols[kind] for name, kind in asked.items() if kind in protocols}


def members(protocol: type) -> list[str]:
    """The names a protocol asks for."""
    told = {**vars(protocol), **inspect.get_annotations(protocol)}
    return sorted(name for name in told if not name.startswith("_"))


def lacking(game: Any) -> Iterator[str]:
    """What a game does not have of its capabilities, with the place where it would be."""
    for name, protocol in capabilities().items():
        found = getattr(game, name, None)
        if found is None:
            yield f"{place(type(game))}: {type(game).__name__} has no {name} (engine/{name}.py)"
            continue
        where = found if inspect.ismodule(found) else type(found)
        for member in members(protocol):
            if not hasattr(found, member):
                yield f"{place(where)}: {name} has no {member}, which {protocol.__name__} asks for"


def place(thing: Any) -> str:
    path = Path(inspect.getsourcefile(thing) or "")
    line = 1 if inspect.ismodule(thing) else inspect.getsourcelines(thing)[1]
    return f"{path.relative_to(REPO)}:{line}"


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_no_capability_of_a_game_is_given_by_half(slug: str) -> None:
    assert list(lacking(system(slug))) == []


def test_half_a_capability_is_told_with_its_place() -> None:
    class Half:
        def scene(self) -> None: ...

    its = {name: getattr(system("crusade"), name) for name in capabilities()}
    told = list(lacking(SimpleNamespace(**its | {"picture": Half()})))
    line = inspect.getsourcelines(Half)[1]
    start = f"tests/house/test_boundary.py:{line}: picture has no "
    assert [each.removeprefix(start) for each in told] == [
        f"{name}, which Picture asks for" for name in ("board", "sheet", "strokes")
    ]


def null_form(name: str) -> Any:
    """What stands in for a capability that a game does not have."""
    where = "policies.table" if name == "policies" else name
    module = vars(importlib.import_module(f"pbem.engine.{where}"))
    (found,) = (each for key, each in module.items() if key.startswith(("NO_", "NOTHING_")))
    return found


def test_every_capability_has_a_null_form_that_is_whole() -> None:
    """But for how a game is told: each must tell that."""
    named = capabilities().keys() - {"narration"}
    assert len(named) == 11
    whole = {name: null_form(name) for name in named} | {"narration": system("crusade").narration}
    assert list(lacking(SimpleNamespace(**whole))) == []


VALUES, FUNCTIONS = 7, 10
"""What every game says of itself, and what it must be able to do beside its capabilities."""


def test_a_game_needs_little() -> None:
    told = GameSystem.__annotations__.keys() - capabilities().keys() - {"capabilities"}
    does = {name for name in vars(GameSystem) if not name.startswith("_")} - told - {"capabilities"}
    assert (len(told), len(does - capabilities().keys())) == (VALUES, FUNCTIONS)


def test_what_fails_in_a_game_is_told_as_it_failed() -> None:
    """Not that the game has no tables: an owner's data may be at fault."""

    class Faulty(GameSystem):
        @property
        def tables(self) -> Any:
            return {}.no_such_part  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="'dict' object has no attribute 'no_such_part'"):
        assert Faulty({}).tables
    with pytest.raises(AttributeError, match="'Faulty' object has no attribute 'nothing'"):
        assert Faulty({}).nothing

"""What a module holds does not change while the program runs: a call is told what it needs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.house.source import ROOT, modules, nodes, tree

CHANGES = frozenset({
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "set",
    "setdefault", "update",
})  # fmt: skip
"""Methods by which a list, a mapping, a set or a context variable becomes another."""

CHANGING = {
    "cli/exits.py": "what lives to the end of a process, not to be freed piece by piece (page 53)",
    "cli/files.py": "what a process has written, to be told if it fails (page 53)",
    "cli/report.py": "what a process prints to: its one standard error (page 53)",
    "cli/settings.py": "the language in which a process speaks (page 53)",
    "play/systems.py": "the game over some data, by their digest: whatever is asked for it is so",
    "text/schema.py": "a context variable, for a library that calls back without arguments",
    "value.py": "a register of classes, written where they are defined",
    "gamefile/shapes.py": "a register of checks, written while the module is loaded",
    "games/*/effects/combat_cards.py": "a register of functions, written by their decorators",
    "games/*/effects/registry.py": "a register of functions, written by their decorators",
}
"""The modules with a value that functions change, each with the reason."""


def held(module: ast.Module) -> frozenset[str]:
    """The names of a module's own values."""
    found = set()
    for node in module.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(found)


def changed_name(node: ast.AST) -> str:
    """The name of the value that a node changes, if it changes one that has a name."""
    changed: ast.expr | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changed = node.func.value if node.func.attr in CHANGES else None
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        changed = node.value
    return changed.id if isinstance(changed, ast.Name) else ""


def changes(module: ast.Module, every: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Where a function changes a value that its module holds; `every` are the module's nodes."""
    names = held(module)
    if not any(isinstance(node, ast.Global) or changed_name(node) in names for node in every):
        return  # so it is with nearly all, and what follows takes long
    for function in every:
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        inside = tuple(ast.walk(function))
        own = {each.arg for each in inside if isinstance(each, ast.arg)}
        own |= {node.id for node in inside
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
        for node in inside:
            if isinstance(node, ast.Global):
                yield node.lineno, ", ".join(node.names)
            elif changed_name(node) in names - own:
                yield node.lineno, changed_name(node)


@cache
def found_in(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(changes(tree(path), nodes(path)))


def is_excused(path: Path) -> bool:
    return any(path.match(pattern) for pattern in CHANGING)


def test_no_function_changes_what_a_module_holds() -> None:
    found = [
        f"pbem/{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules()
        if not is_excused(path.relative_to(ROOT))
        for line, name in found_in(path)
    ]
    assert found == []


def test_each_exemption_is_still_needed() -> None:
    changing = [path.relative_to(ROOT) for path in modules() if found_in(path)]
    assert [each for each in CHANGING if not any(path.match(each) for path in changing)] == []


def test_a_changed_global_is_found() -> None:
    text = (
        "A, B = [], {}\nC = {}\nD: list[int] = []\n"
        "def f():\n    C['a'] = 1\n    D.append(2)\n    D[:] = []\n    global A\n"
        "def g(C):\n    C['a'] = 1\n    D = []\n    D.append(3)\n    D.index(3)\n"
    )
    module = ast.parse(text)
    assert sorted(changes(module, tuple(ast.walk(module)))) == [
        (5, "C"),
        (6, "D"),
        (7, "D"),
        (8, "A"),
    ]

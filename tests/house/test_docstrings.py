"""Public functions and classes say what their names do not: shapes, units, errors, the rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "pbem"

Function = ast.FunctionDef | ast.AsyncFunctionDef
TREES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(ROOT.rglob("*.py"))
}
CLASSES = [
    node for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
]


def bases(kind: ast.ClassDef) -> set[str]:
    """The names of its bases, without what stands before a dot or in brackets."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in kind.bases}


def methods(kind: ast.ClassDef) -> Iterator[Function]:
    yield from (node for node in kind.body if isinstance(node, Function))


CLICK = {"list_commands", "get_command", "resolve_command", "format_commands", "convert"}
"""What commands and types of click's have, and its pages tell."""
BASES = {name for kind in CLASSES for name in bases(kind)}


def is_field(node: Function) -> bool:
    """Whether it is a property of a protocol, without a body: its class tells of its fields."""
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return decorators == ["property"] and [ast.unparse(each) for each in node.body] == ["..."]


PROMISED = {
    method.name
    for kind in CLASSES
    if kind.name in BASES or "Protocol" in bases(kind)
    for method in methods(kind)
    if ast.get_docstring(method) or is_field(method)
} | CLICK
"""What an interface or a base says of a method, a class that has it need not say again."""


def silent(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Public functions, classes and methods of a module without a docstring, by their lines."""

    def said(body: list[ast.stmt], within: str) -> Iterator[tuple[int, str]]:
        for node in body:
            if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
                continue
            is_method = within and isinstance(node, Function)
            promised = is_method and (node.name in PROMISED or is_field(node))
            if not (ast.get_docstring(node) or promised or cites(node)):
                yield node.lineno, within + node.name
            if isinstance(node, ast.ClassDef):
                yield from said(node.body, f"{node.name}.")

    yield from said(tree.body, "")


CITING = ("CITE.", "effect(", "condition(")
"""What writes the number of a rule or of a card above a function; its name says what that asks."""


def cites(node: ast.ClassDef | Function) -> bool:
    return any(ast.unparse(each).startswith(CITING) for each in node.decorator_list)


def test_everything_public_has_a_docstring() -> None:
    found = [
        f"pbem/{path}:{line}: {name}" for path, tree in TREES.items() for line, name in silent(tree)
    ]
    assert found == []


EMPTY = re.compile(r"(?i)(return|returns|get|gets|set|sets|the) (the |an? )?(\w+)\.?")
"""A docstring of a verb and a noun."""


def test_no_docstring_only_says_the_name_again() -> None:
    found = [
        f"pbem/{path}:{node.lineno}: {told}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | Function)
        and (told := ast.get_docstring(node) or "")
        and (match := EMPTY.fullmatch(told))
        and match[3].casefold() in node.name.casefold()
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(): ...", ["f"]),
        ("def f():\n    'Says it.'", []),
        ("def _f(): ...", []),
        ("class A:\n    'It.'\n    def g(self): ...\n    def bound(self): ...", ["A.g"]),
        ("class A:\n    def _g(self): ...", ["A"]),
        ("class _A:\n    def g(self): ...", []),
        ("@CITE.check('8.1')\ndef f(): ...", []),
        ("@cache\ndef f(): ...", ["f"]),
        ("class A:\n    'It.'\n    @property\n    def g(self): ...", []),
        ("class A:\n    'It.'\n    @property\n    def g(self): return 1", ["A.g"]),
    ],
)
def test_what_is_silent(text: str, names: list[str]) -> None:
    assert "bound" in PROMISED  # of shapes
    assert [name for _, name in silent(ast.parse(text))] == names

"""Public functions and classes say what their names do not: shapes, units, errors, the rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.house.source import ROOT, modules, nodes, tree

Function = ast.FunctionDef | ast.AsyncFunctionDef


def bases(kind: ast.ClassDef) -> set[str]:
    """The names of its bases, without what stands before a dot or in brackets."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in kind.bases}


def methods(kind: ast.ClassDef) -> Iterator[Function]:
    yield from (node for node in kind.body if isinstance(node, Function))


CLICK = frozenset({"list_commands", "get_command", "resolve_command", "format_commands", "convert"})
"""What commands and types of click's have, and its pages tell."""


def is_field(node: Function) -> bool:
    """Whether it is a property of a protocol, without a body: its class tells of its fields."""
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return decorators == ["property"] and [ast.unparse(each) for each in node.body] == ["..."]


@cache
def promised() -> frozenset[str]:
    """What an interface or a base says of a method, a class that has it need not say again."""
    every = (node for path in modules() for node in nodes(path))
    classes = [node for node in every if isinstance(node, ast.ClassDef)]
    named = {name for kind in classes for name in bases(kind)}
    interfaces = (kind for kind in classes if kind.name in named or "Protocol" in bases(kind))
    return CLICK | {
        method.name
        for kind in interfaces
        for method in methods(kind)
        if ast.get_docstring(method) or is_field(method)
    }


def silent(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Public functions, classes and methods of a module without a docstring, by their lines."""

    def said(body: list[ast.stmt], within: str) -> Iterator[tuple[int, str]]:
        for node in body:
            if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
                continue
            is_method = within and isinstance(node, Function)
            needs_none = is_method and (node.name in promised() or is_field(node))
            if not (ast.get_docstring(node) or needs_none or cites(node)):
                yield node.lineno, within + node.name
            if isinstance(node, ast.ClassDef):
                yield from said(node.body, f"{node.name}.")

    yield from said(module.body, "")


CITING = ("CITE.", "effect(", "condition(")
"""What writes the number of a rule or of a card above a function; its name says what that asks."""


def cites(node: ast.ClassDef | Function) -> bool:
    return any(ast.unparse(each).startswith(CITING) for each in node.decorator_list)


def test_everything_public_has_a_docstring() -> None:
    found = [
        f"pbem/{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules()
        for line, name in silent(tree(path))
    ]
    assert found == []


EMPTY = re.compile(r"(?i)(return|returns|get|gets|set|sets|the) (the |an? )?(\w+)\.?")
"""A docstring of a verb and a noun."""


def test_no_docstring_only_says_the_name_again() -> None:
    found = [
        f"pbem/{path.relative_to(ROOT)}:{node.lineno}: {told}"
        for path in modules()
        for node in nodes(path)
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
    assert "bound" in promised()  # of shapes
    assert [name for _, name in silent(ast.parse(text))] == names

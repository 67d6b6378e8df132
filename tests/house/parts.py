"""Small changes of a function's source: what `make mutants` tries beside taking it away whole.

One at a time: a number one higher; a condition left out, of an `and`, an `or` or a comprehension; a
keyword left out of a call, and with it what its default says. Texts for the player are no part of
a rule, so their keywords stay.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from types import CodeType, FunctionType
from typing import Any

TOLD = frozenset({"hint", "at", "purpose", "prompt", "message"})
"""Keywords of texts, and of the place a message points at."""


def changed(function: FunctionType) -> Iterator[tuple[str, CodeType]]:
    """Every small change of a function: what it is, with its line, and the code it makes."""
    found = _definition(function)
    if found is None:
        return
    for number, (line, what, _) in enumerate(_changes(found)):
        mutant = deepcopy(found)
        _, _, change = list(_changes(mutant))[number]
        change()
        yield f"line {line}: {what}", _compiled(mutant, function)


def _definition(function: FunctionType) -> ast.FunctionDef | None:
    """The definition a function was made from; None for a lambda."""
    code = function.__code__
    for node in ast.walk(_parsed(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


@cache
def _parsed(file: str) -> ast.Module:
    with open(file, encoding="utf-8") as source:
        return ast.parse(source.read())


def _compiled(node: ast.FunctionDef, function: FunctionType) -> CodeType:
    node.decorator_list = []
    module = ast.fix_missing_locations(ast.Module([node], []))
    flags = __future__.annotations.compiler_flag
    made = compile(module, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    return next(each for each in made.co_consts if isinstance(each, CodeType))


Change = tuple[int, str, Callable[[], Any]]


def _changes(root: ast.FunctionDef) -> Iterator[Change]:
    """The places to change, in the order of the source, each with what changes it there."""
    indices = {
        id(inner)
        for node in ast.walk(root)
        if isinstance(node, ast.Subscript)
        for inner in ast.walk(node.slice)
    }
    for statement in root.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and type(node.value) is int:
                if id(node) not in indices:
                    yield node.lineno, f"{node.value} + 1", _higher(node)
            elif isinstance(node, ast.BoolOp):
                for part in node.values:
                    yield part.lineno, f"without `{_shown(part)}`", _settled(node, part)
            elif isinstance(node, ast.comprehension):
                for part in node.ifs:
                    yield part.lineno, f"without `if {_shown(part)}`", _less(node.ifs, part)
            elif isinstance(node, ast.Call):
                for word in node.keywords:
                    if word.arg and word.arg not in TOLD:
                        yield (
                            word.value.lineno,
                            f"without `{word.arg}={_shown(word.value)}`",
                            _less(node.keywords, word),
                        )


def _higher(node: ast.Constant) -> Callable[[], Any]:
    def change() -> None:
        node.value += 1  # type: ignore[operator]

    return change


def _settled(node: ast.BoolOp, part: ast.expr) -> Callable[[], Any]:
    """The part says what leaves the whole to the others: true in an `and`, false in an `or`."""

    def change() -> None:
        node.values[node.values.index(part)] = ast.Constant(isinstance(node.op, ast.And))

    return change


def _less(listed: list[Any], part: Any) -> Callable[[], Any]:
    return lambda: listed.remove(part)


def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."

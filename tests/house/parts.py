"""Small changes of a function's source: what `make mutants` tries beside taking it away whole.

One at a time: a number one higher; a condition left out, of an `and`, an `or` or a comprehension; a
keyword left out of a call, and with it what its default says. Texts for the player are no part of
a rule, so their keywords stay. So do assertions, on which nothing depends.
"""

from __future__ import annotations
import __future__

import ast
import operator
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any

TOLD = frozenset({"hint", "at", "purpose", "prompt", "message", "note", "strict"})
"""Keywords of texts, of the place a message points at, and of what asserts what cannot happen."""
MESSAGES = frozenset({"say", "say_many", "together"})
"""Functions whose keywords fill the gaps of a text."""


@dataclass(frozen=True)
class Part:
    """One small change: what it is, without its line, so that the name stays when others move."""

    how: str
    line: int
    code: CodeType


def changed(function: FunctionType) -> Iterator[Part]:
    """Every small change of a function; a text that comes again is counted: `#2`."""
    found = _definition(function)
    if found is None:
        return
    times: dict[str, int] = {}
    for number, change in enumerate(_changes(found)):
        times[change.text] = times.get(change.text, 0) + 1
        again = f" #{times[change.text]}" if times[change.text] > 1 else ""
        mutant = deepcopy(found)
        _changes(mutant)[number].make()
        yield Part(change.text + again, change.line, _compiled(mutant, function))


def taking_notes(function: FunctionType, note: Callable[[int], Any]) -> CodeType:
    """The function's own code, which says `note(n)` when its change number n may be felt.

    A condition that is left out is felt where it decides; a number or a keyword where it is read.
    """
    found = _definition(function)
    if found is None:
        return function.__code__
    noting = deepcopy(found)
    changes = _changes(noting)
    name = f"notes of {function.__qualname__}"

    def noted(number: int, value: Any) -> Any:
        if changes[number].is_felt(value):
            note(number)
        return value

    function.__globals__[name] = noted
    notes: dict[int, list[int]] = {}
    for number, change in enumerate(changes):
        notes.setdefault(id(change.node), []).append(number)
    _Notes(name, notes).visit(noting)
    return _compiled(noting, function)


class _Notes(ast.NodeTransformer):
    """Puts a call around each expression that a change is about."""

    def __init__(self, name: str, notes: dict[int, list[int]]) -> None:
        self.name, self.notes = name, notes

    def visit(self, node: ast.AST) -> Any:
        wrapped = self.generic_visit(node)
        for number in self.notes.get(id(node), ()):
            name = ast.Name(self.name, ast.Load())
            wrapped = ast.Call(name, [ast.Constant(number), wrapped], [])  # type: ignore[list-item]
        return wrapped


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
    codes = (each for each in made.co_consts if isinstance(each, CodeType))
    return next(each for each in codes if each.co_name == node.name)  # not a default's lambda


@dataclass(frozen=True)
class _Change:
    """A place to change, what makes the change, and with which values of the node it is felt."""

    line: int
    text: str
    make: Callable[[], Any]
    node: ast.expr
    is_felt: Callable[[Any], bool] = lambda value: True


def _changes(root: ast.FunctionDef) -> list[_Change]:
    """The places to change, in the order of the source."""
    found = _places(root)
    return sorted(found, key=lambda each: (each.node.lineno, each.node.col_offset))


def _places(root: ast.FunctionDef) -> Iterator[_Change]:
    indices = {
        id(inner)
        for node in ast.walk(root)
        if isinstance(node, ast.Subscript)
        for inner in ast.walk(node.slice)
    }
    asserted = {
        inner for node in ast.walk(root) if isinstance(node, ast.Assert) for inner in ast.walk(node)
    }
    for statement in root.body:
        for node in ast.walk(statement):
            if node in asserted:
                continue
            if isinstance(node, ast.Constant) and type(node.value) is int:
                if id(node) not in indices:
                    yield _Change(node.lineno, f"{node.value} + 1", _higher(node), node)
            elif isinstance(node, ast.BoolOp):
                for part in node.values:
                    text, make = f"without `{_shown(part)}`", _settled(node, part)
                    yield _Change(part.lineno, text, make, part, _decides(node, part))
            elif isinstance(node, ast.comprehension):
                for part in node.ifs:
                    text, make = f"without `if {_shown(part)}`", _less(node.ifs, part)
                    yield _Change(part.lineno, text, make, part, operator.not_)
            elif isinstance(node, ast.Call):
                is_told = isinstance(node.func, ast.Name) and node.func.id in MESSAGES
                for word in () if is_told else node.keywords:
                    if word.arg and word.arg not in TOLD:
                        text = f"without `{word.arg}={_shown(word.value)}`"
                        make = _less(node.keywords, word)
                        yield _Change(word.value.lineno, text, make, word.value)


def _decides(node: ast.BoolOp, part: ast.expr) -> Callable[[Any], bool]:
    """Whether a part of an `and` or an `or` has a value that leaving it out would lose."""
    neutral = isinstance(node.op, ast.And)
    if part is node.values[-1]:
        return lambda value: value is not neutral
    return lambda value: bool(value) is not neutral


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

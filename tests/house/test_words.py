"""The words of the house: the hobby's where it has one, and none that says nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import modules, nodes, source_of, tree

ROOT = Path(__file__).resolve().parents[2]
MODULES = modules()

EMPTY = {"util", "utils", "helper", "helpers", "manager", "misc", "common", "stuff", "lib"}
"""Words that name a module, a class or a function without saying what it is."""

HOBBY = {"piece": "unit", "token": "marker", "tile": "space", "roundup": "round"}
"""Words for which the rulebooks have a better one."""


def names(path: Path) -> Iterator[tuple[int, str]]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name


def words_of(name: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return set(spaced.casefold().split("_"))


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path.name for path in MODULES if words_of(path.stem) & EMPTY] == []


def test_no_function_or_class_has_a_name_that_says_nothing() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        for line, name in names(path)
        if words_of(name) & (EMPTY | set(HOBBY)) or name.startswith(("process_", "handle_"))
    ]
    assert found == []


def test_every_module_says_in_a_sentence_why_it_exists() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in MODULES
        if source_of(path).strip() and not ast.get_docstring(tree(path))
    ]
    assert silent == []


MASCULINE = re.compile(r"(?<![A-Za-z])(he|his|him|himself)(?![A-Za-z]|-?\d)", re.I)
"""A player is "they" or "you". Names of words count, parts of words and aircraft (He-51) do not."""
TEXTS = (".py", ".md", ".yaml", ".txt", ".sh", ".toml")


def texts() -> Iterator[Path]:
    for folder in ("pbem", "tests", "examples", "schemas"):
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS)
    yield from (ROOT / name for name in ("README.md", "CHANGELOG.md", "Makefile"))


def test_nobody_is_taken_for_a_man() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in texts()
        if path != Path(__file__).resolve()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if MASCULINE.search(line)
    ]
    assert found == []


EMPTY_MESSAGES = re.compile(r"\b(invalid|illegal input|bad (input|value)|went wrong)\b", re.I)


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """The texts given to a Problem or a Violation."""
    for node in nodes(path):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("Problem", "Violation"):
            for part in [*node.args, *(keyword.value for keyword in node.keywords)]:
                for piece in ast.walk(part):
                    if isinstance(piece, ast.Constant) and isinstance(piece.value, str):
                        yield node.lineno, piece.value


def test_no_message_only_says_that_something_is_wrong() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in MODULES
        for line, text in messages(path)
        if EMPTY_MESSAGES.search(text)
    ]
    assert found == []


def test_no_line_holds_a_debt() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in MODULES
        for number, line in enumerate(source_of(path).splitlines(), 1)
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", line)
    ]
    assert found == []


def test_nothing_reads_the_folder_beside_the_checkout() -> None:
    """What players get is what is committed; that folder is not there for them."""
    outside = b"shar" + b"ed/"
    found = [
        str(path.relative_to(ROOT))
        for folder in ("pbem", "tests", "examples", "schemas", "data")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".yaml", ".json", ".md", ".sh")
        and path.is_file()
        and outside in path.read_bytes()
    ]
    assert found == []

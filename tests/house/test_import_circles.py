"""No module needs itself: imports make no circle, and those inside functions are counted.

An import inside a function is for what is heavy and seldom wanted. It is no way round a circle, and
neither is one for types alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pbem.games import GAMES
from tests.house.source import ROOT, modules, nodes, tree
from tests.house.test_class_names import game
from tests.house.test_layers import part, read

AT_MOST = {
    "cli": 109,
    "play": 25,
    "gamedata": 4,
    "gamefile": 6,
    "orders": 3,
}
"""How many imports of our own modules stand inside functions, in each part. One more needs a
measurement that some command gains by it: for these, 45 commands were run cold and what each had
loaded at its end was compared. Where there are clearly fewer, the number comes down."""
SLACK = 10
IN_A_GAME = 79
"""So many in each game: what one takes, another has not."""

Graph = Mapping[str, frozenset[str]]


def dotted(path: Path) -> str:
    name = ".".join(("pbem", *path.relative_to(ROOT).with_suffix("").parts))
    return name.removesuffix(".__init__")


NAMES = frozenset(map(dotted, modules()))


def statements(body: Iterable[ast.stmt], *, late: bool) -> Iterator[ast.stmt]:
    """The imports of a module: those that are carried out when it is loaded, or the others."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not late:
                yield node
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if late:
                within = (each for each in ast.walk(node) if isinstance(each, ast.stmt))
                yield from (n for n in within if isinstance(n, ast.Import | ast.ImportFrom))
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from statements(node.orelse, late=late)
        else:
            for name in ("body", "orelse", "handlers", "finalbody"):
                yield from statements(getattr(node, name, ()), late=late)


def of_ours(node: ast.stmt) -> Iterator[str]:
    """Our own modules that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in NAMES)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            found = inner if inner in NAMES else node.module
            if found in NAMES:
                yield str(found)


@cache
def imports(path: Path) -> tuple[frozenset[str], tuple[frozenset[str], ...]]:
    """The modules that are imported with this one; those of each import inside its functions."""
    body = tree(path).body
    early = frozenset(name for node in statements(body, late=False) for name in of_ours(node))
    late = (frozenset(of_ours(node)) for node in statements(body, late=True))
    return early, tuple(names for names in late if names)


def circle(graph: Graph) -> list[str]:
    """A circle of a graph, its first module again at its end; empty if there is none."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph.get(name, ())):
            if found := walk(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(graph) if (found := walk(name, []))), [])


@cache
def needed(path: Path) -> frozenset[str]:
    """All modules of ours that a module names in an import, wherever that stands: also those for
    types alone, those inside functions, and those that are loaded by their name (late.py).
    """
    found = {
        name
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in of_ours(node)
    }
    return frozenset(found | {name for _, name in read(path).named if name in NAMES})


def test_no_import_of_a_module_leads_back_to_it() -> None:
    assert circle({dotted(path): needed(path) for path in modules()}) == []


TOLD = ("advice", "cardbook", "narration", "narrative", "odds", "picture", "practice", "warnings")
"""The modules of a game that tell, draw or advise: what a judge of orders does without."""


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_to_judge_a_game_loads_nothing_that_only_tells_of_it(slug: str) -> None:
    """`verify` of a game took 3 percent more by its picture and its log alone."""
    early = {dotted(path): imports(path)[0] for path in modules()}
    package = GAMES[slug].package
    found, left = set[str](), [f"{package}.system"]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += early.get(name, ())
    assert [name for name in TOLD if f"{package}.{name}" in found] == []


def test_late_imports_are_counted() -> None:
    counted: Counter[str] = Counter()
    in_games: Counter[str] = Counter()
    for path in modules():
        its = game(path.relative_to(ROOT))
        into, name = (in_games, its) if its else (counted, part(path))
        into[name] += len(imports(path)[1])
    assert {name: n for name, n in in_games.items() if n > IN_A_GAME} == {}
    assert max(in_games.values()) >= IN_A_GAME - SLACK, "IN_A_GAME can come down"
    more = {name: n for name, n in counted.items() if n > AT_MOST.get(name, 0)}
    fewer = {name: counted[name] for name, n in AT_MOST.items() if counted[name] < n - SLACK}
    assert more == {}, f"imports inside functions: more than {AT_MOST}"
    assert fewer == {}, "imports inside functions: AT_MOST can come down"


def test_a_circle_is_found() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("cd"), "c": frozenset(), "d": frozenset("b")}
    assert circle(graph) == ["b", "d", "b"]


def test_every_kind_of_import_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "from pbem import value\n"
        "if TYPE_CHECKING:\n    from pbem.messages import Said\n"
        "def some():\n    import pbem.words\n"
        "class Kept:\n    told = Late('pbem.board.graph').told\n"
        "few, = late('pbem.board', 'names')\n"
    )
    assert needed(path) == {
        "pbem.value", "pbem.messages", "pbem.words", "pbem.board.graph", "pbem.board.names"
    }  # fmt: skip


def late_names() -> Iterator[tuple[str, Any]]:
    """What is used of each module that is loaded late: where and how, and what it is."""
    for path in modules():
        here = list(ast.walk(tree(path)))
        late = {
            ast.unparse(node.targets[0]): ast.literal_eval(node.value.args[0])
            for node in here
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) == "Late"
        }  # fmt: skip
        for node in here if late else ():
            if isinstance(node, ast.Attribute) and (module := late.get(ast.unparse(node.value))):
                found = getattr(import_module(module), node.attr)
                yield f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}", found


def test_of_a_module_that_is_loaded_late_only_what_can_be_called_is_used() -> None:
    """A text or a list of it would be neither: `pbem check` broke at `advance: all`."""
    found = dict(late_names())
    assert len(found) > 100
    assert [where for where, each in found.items() if not callable(each)] == []

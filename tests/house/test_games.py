"""What is shared knows no game, and what each game says of its data is so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.gamedata.game import declared_by
from pbem.gamedata.load import SCENARIOS, counted_files
from pbem.gamedata.where import data_folder, file_of, is_scenario, schema_file
from pbem.games import GAMES
from pbem.play.systems import opened
from pbem.problems import Refused
from tests.house.matrix import game, slugs
from tests.house.source import modules, nodes, source_of

ROOT = Path(__file__).resolve().parents[2]
SHARED = (
    "board", "cli", "engine", "gamedata", "gamefile", "mail", "orders", "play", "render", "text",
)  # fmt: skip
PARTS = [path for part in SHARED for path in modules(part)]

WORDS = re.compile(
    r"\b(crusades?|nationalists?|republicans?|axis|soviet|beach[_ ]heads?|madrid|mallorca"
    r"|militia|franco|spain)\b",
    re.IGNORECASE,
)


def told(path: Path) -> Iterator[tuple[int, str]]:
    """The names and the texts of a module: all but its comments and its docstrings."""
    prose = {
        id(node.value)
        for node in nodes(path)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes(path):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield line, node.value
        elif isinstance(node, ast.Name):
            yield line, node.id
        elif isinstance(node, ast.Attribute):
            yield line, node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield line, node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((line, alias.name) for alias in node.names)
            yield line, getattr(node, "module", "") or ""


def words_of_a_game(path: Path) -> list[str]:
    """Where a module says one; it is parsed only if its text does, be it in a comment."""
    if not WORDS.search(source_of(path).replace("_", " ")):
        return []
    where = path.relative_to(ROOT).as_posix()
    return [
        f"{where}:{line}: {found[0]}"
        for line, text in told(path)
        for found in WORDS.finditer(text.replace("_", " "))
    ]


def test_what_is_shared_holds_no_word_of_a_game() -> None:
    assert PARTS
    assert [found for path in PARTS for found in words_of_a_game(path)] == []


@pytest.mark.parametrize("slug", slugs())
def test_the_folder_of_a_game_holds_the_parts_it_names(slug: str) -> None:
    """A cold command takes the parts from the folder, an owner's folder is read by the names."""
    told = declared_by(game(slug).package)
    assert told.slug == slug
    files = [path for path in counted_files(data_folder(slug)) if not is_scenario(path)]
    assert sorted(files) == sorted(file_of(part) for part in told.parts)


@pytest.mark.parametrize("slug", slugs())
def test_each_part_has_its_schema_and_none_is_left_over(slug: str) -> None:
    ours = {path.stem for path in schema_file(slug, "game").parent.glob("*.json")}
    setups = {"scenario"} if (data_folder(slug) / SCENARIOS).is_dir() else set()
    published = {"orders"} if slug in GAMES else ours & {"orders"}
    assert ours == {*declared_by(game(slug).package).parts, *setups, *published, "rulebook"}


@pytest.mark.parametrize("slug", sorted({*slugs()} - {*GAMES}))
def test_a_game_that_is_being_built_is_offered_to_nobody(slug: str) -> None:
    with pytest.raises(Refused) as refused:
        opened(slug)
    (problem,) = refused.value.problems
    assert problem.code == "unknown-game" and slug not in str(problem.hint)

"""Every value of the data is read by the rules, or by the checks of the data; else it is not there.

Random games are played with data that note what is asked of them. What so few games do not come to
is looked for in the code: a word that it looks up. Words that stand for many things (`value`,
`count`) are not believed there and must be read in a game.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path as File
from typing import Any

import pytest

import pbem
from pbem.gamedata.load import load, schema
from pbem.gamedata.merge import SAME_AS, resolved
from pbem.games.crusade import tables as typed
from pbem.games.crusade.effects.combat_cards import BUILT
from pbem.games.crusade.system import Crusade
from tests.contract import playing
from tests.games.crusade.data.noted import EACH, Path, leaves, noted

CODE = File(pbem.__file__).parent / "games" / "crusade"
SHARED = File(pbem.__file__).parent / "gamedata"
FOR_PEOPLE = frozenset({"rule", "title", "name", "text", "limits", "provenance"})
"""What is told and never asked: names, our words for a card, the rule that a value is from."""
COMMON = frozenset({"value", "count", "space", "vp", "rm", "id", "spaces", "turn", "cards", "type"})
"""Words that stand for too many things to be looked for in the code."""
CARDS = ("cards", "cards", EACH, "params")
ELSEWHERE = {
    ("map", "spaces", EACH, "at"): "the place on a picture of the map, which is not drawn yet",
    ("units", "types", EACH, "option"): "tells which option brings the unit; its rule names the id",
    ("units", "types", EACH, "card"): "impossible.py: no corps before its card",
    ("units", "types", EACH, "enters", EACH, "count"): "cross.py: no more come than there are",
    ("tables", "phases", EACH, "cards"): "cross.py: so many cards has the deck of a phase",
    ("tables", "isolated_spaces", "spaces"): "setups.py: no other space is isolated",
    ("tables", "awards", EACH, "id"): "rules.ground, isolated Oviedo",
    (*CARDS, "bonus", "vp"): "event_operations.won_bonus",
    (*CARDS, "bonus", "rm"): "event_operations.won_bonus",
    (*CARDS, "rm_if_played", "rm"): "rules.cards.score_of",
}
"""What neither a game nor a word in the code shows, and who reads it."""
GAMES = (
    ("campaign", (), True), ("republican_collapse", (), True),
    ("war_of_the_columns", ("first_edition",), True), ("collapse_of_the_northern_front", (), True),
    ("two_years_of_war", ("rule_18_2_3",), False),
    ("collapse_of_the_northern_front", ("rule_18_2_3",), False),
)  # fmt: skip


@pytest.fixture(scope="module")
def read(request: pytest.FixtureRequest) -> set[Path]:
    """The paths of all that some games asked for, beside what is read once to make the tables."""
    patched = pytest.MonkeyPatch()
    request.addfinalizer(patched.undo)
    found: set[Path] = set()
    plain = {part: noted(value, (part,), found) for part, value in load("crusade").tables.items()}
    game = Crusade(plain)
    assert game.tables
    made = {path for path in found if path[0] in ("map", "units", "cards")}
    once = {path for path in made if path[1] in ("connections", "aliases")}
    found.clear()
    found |= once
    for kind, part in ((typed.Space, "map"), (typed.UnitType, "units"), (typed.Card, "cards")):
        listed = {"map": "spaces", "units": "types", "cards": "cards"}[part]
        _watch(patched, kind, (part, listed, EACH), made, found)
    patched.setattr(playing, "system", lambda slug: game)
    for seed, (scenario, options, whole) in enumerate(GAMES):
        _play(game, scenario, seed, options, whole=whole)
    return found


def _watch(
    patched: pytest.MonkeyPatch, kind: type, at: Path, made: set[Path], found: set[Path]
) -> None:
    """A value of the tables notes which of its fields are asked for."""

    def get(self: object, name: str) -> object:
        if (*at, name) in made:
            found.add((*at, name))
        return object.__getattribute__(self, name)

    patched.setattr(kind, "__getattribute__", get)


def _play(
    game: Crusade, scenario: str, seed: int, options: tuple[str, ...], *, whole: bool
) -> None:
    moments = playing.playout("crusade", scenario, seed, options=options, whole=whole)
    for moment in moments:
        for event, position in zip(moment.step.events, moment.step.positions, strict=True):
            game.narration.narrate(event, position)


@cache
def words(folder: File) -> frozenset[str]:
    """Every text by which the code of a folder looks something up, or asks whether it is there."""
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Subscript):
                found |= _constants(node.slice)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                found |= (
                    _constants(node.args[0]) if node.func.attr == "get" and node.args else set()
                )
            elif isinstance(node, ast.Compare):
                found |= _constants(node.left)
            elif isinstance(node, ast.Dict):
                found |= {word for key in node.keys if key for word in _constants(key)}
    return frozenset(found)


def _looks_up(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "get" and bool(node.args)


def _constants(node: ast.AST) -> set[str]:
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def unread(read: set[Path], plain: dict[str, object]) -> list[str]:
    """Every value of the data that nobody asks for, as its path."""
    asked = words(CODE) | words(SHARED) | BUILT | {SAME_AS}
    missing = []
    for part, value in plain.items():
        for path in leaves(value, (part,)):
            in_code = path[-1] in asked and path[-1] not in COMMON
            known = path in read or _by_name(path, read) or in_code or path in ELSEWHERE
            if not known and not FOR_PEOPLE & set(path) and not _is_name_of_file(path):
                missing.append(".".join(path))
    return sorted(set(missing))


BY_NAME = frozenset({
    "rp", "control", "rp_add", "rp_each_turn", "sieges", "digging", "lost_trenches", "deadlines",
    "beach_heads", "counterattacks",
})  # fmt: skip
"""Mappings of which each key is a name: a currency, a space, a siege."""


def _by_name(path: Path, read: set[Path]) -> bool:
    return path[-2] in BY_NAME and path[:-1] in read


def _is_name_of_file(path: Path) -> bool:
    """The id of a scenario, which must be that of its file (setups.py)."""
    return path[0] == "scenarios" and path[2:] == ("id",)


def test_every_value_of_the_data_is_read(read: set[Path]) -> None:
    assert unread(read, dict(load("crusade").tables)) == []


def schema_leaves(root: dict[str, Any], node: dict[str, Any], path: Path) -> Iterator[Path]:
    """The path of every value that a schema lets somebody write."""
    node = resolved(root, node)
    inner = {**node.get("properties", {})}
    for key, each in inner.items():
        yield from schema_leaves(root, each, (*path, key))
    if isinstance(node.get("items"), dict) and resolved(root, node["items"]).get("properties"):
        yield from schema_leaves(root, node["items"], (*path, EACH))
    for each in node.get("anyOf", ()):
        if each.get("properties"):
            yield from schema_leaves(root, each, path)
    if not inner and path[-1] != EACH:
        yield path


@pytest.mark.parametrize("part", ["game", "map", "units", "cards", "tables", "scenario"])
def test_every_word_of_a_schema_is_read(read: set[Path], part: str) -> None:
    """Also what no value of ours uses: a key that nobody asks for is no key."""
    asked = words(CODE) | words(SHARED) | BUILT | {SAME_AS}
    fields = {name for kind in (typed.Space, typed.UnitType, typed.Card)
              for name in kind.__annotations__}  # fmt: skip
    root = dict(schema("crusade", part))
    silent = {
        path[-1]
        for path in schema_leaves(root, root, (part,))
        if path[-1] not in asked | fields and not FOR_PEOPLE & set(path)
        and not any(path[-1] == each[-1] for each in ELSEWHERE)
        and not any(path[-1] == each[-1] for each in read)
    }  # fmt: skip
    assert silent == set()


@pytest.mark.parametrize("part, path, key", [
    ("tables", ("costs", "sr"), "least_of_all"), ("tables", ("winter", "normal"), "snow"),
    ("map", ("spaces", 0), "harbour"), ("cards", ("cards", 0, "params"), "colour"),
    ("units", ("types", 0), "morale"), ("game", (), "edition"),
    ("scenarios", ("campaign", "markers"), "rep_rp_penalty"),
])  # fmt: skip
def test_a_value_that_nobody_reads_is_noticed(
    read: set[Path], part: str, path: tuple[Any, ...], key: str
) -> None:
    plain = deepcopy(dict(load("crusade").tables))
    entry = plain[part]
    for step in path:
        entry = entry[step]
    entry[key] = 1
    steps = [EACH if isinstance(step, int) else step for step in path]
    assert unread(read, plain) == [".".join((part, *steps, key))]

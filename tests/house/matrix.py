"""`make matrix`: writes the coverage pages of a game, and strikes from unbuilt.yaml what is done.

With --check nothing is written; what would change is told, and the exit status is 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from pbem.gamedata.load import counted_files, document
from pbem.gamedata.where import data_folder
from pbem.games import GAMES, GamePackage
from tests.contract.kits import kit
from tests.house.coverage import (
    Citation,
    Matrix,
    NamedChapter,
    NumberedRule,
    Reading,
    joined,
    marks,
    page,
    readings,
)
from tests.house.coverage import plain as plain_matrix

ROOT = Path(__file__).resolve().parents[2]
UNBUILT = Path(__file__).with_name("unbuilt.yaml")


def slugs() -> tuple[str, ...]:
    """The games that players are offered, and those that are being built.

    A game is being built while unbuilt.yaml names it and `GAMES` does not.
    """
    return tuple(sorted({*GAMES, *_unbuilt()}))


def game(slug: str) -> GamePackage:
    """A game, whether or not players are offered it yet."""
    return GAMES.get(slug) or GamePackage(f"pbem.games.{slug}")


def rules_of(slug: str) -> tuple[NumberedRule, ...]:
    """The numbered rules of a game, then those that are entries of its data, chapter by chapter."""
    rulebook = plain(slug, "rulebook.yaml")
    found = [NumberedRule(**rule) for rule in rulebook["rules"]]
    for chapter in rulebook.get("chapters", ()):
        if "entries" in chapter:
            part, listed = chapter["entries"]
            for entry in plain(slug, f"{part}.yaml")[listed]:
                number = f"{chapter['id']} {entry['id']}"
                found.append(NumberedRule(number, entry["title"], chapter["id"]))
    return tuple(found)


def chapters_of(slug: str) -> tuple[NamedChapter, ...]:
    """The chapters that no rule names, as the rulebook has them."""
    told = plain(slug, "rulebook.yaml").get("chapters", ())
    return tuple(NamedChapter(each["id"], each["title"], each.get("kind", "")) for each in told)


@cache
def plain(slug: str, file: str) -> Any:
    return document(file, (data_folder(slug) / file).read_bytes()).value


@cache
def code_citations(slug: str) -> tuple[Citation, ...]:
    """Which function keeps each rule, the part of the names that all share left out."""
    return _cited(slug, "found")


def served(slug: str) -> tuple[Citation, ...]:
    """What applies a rule that another function keeps, or works out a part of it."""
    return _cited(slug, "served")


def _cited(slug: str, kind: str) -> tuple[Citation, ...]:
    package = import_module(f"pbem.games.{slug}")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)
    cite = import_module(f"{package.__name__}.citations").CITE
    start = f"{package.__name__}."
    return tuple((n, where.removeprefix(start)) for n, where in getattr(cite, kind))


@cache
def data_citations(slug: str) -> tuple[Citation, ...]:
    """Every `rule:` of the data, with the file and the list it stands in."""
    found: list[Citation] = []
    for path in counted_files(data_folder(slug)):
        for part, value in plain(slug, path).items():
            if part != "provenance":  # which says where each field is from, `rule` too
                found += [(number, f"{path}, {part}") for number in _rules_in(value)]
    return tuple(found)


def _rules_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("rule"), str):
            yield value["rule"]
        for key, inner in value.items():
            if key != "provenance":
                yield from _rules_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _rules_in(inner)


@cache
def citations_of_tests(slug: str) -> tuple[Citation, ...]:
    """Every mark of the game's own tests, and the ways to end of which it has stored games."""
    home = ROOT / "tests" / "games" / slug
    marked = [
        cited
        for path in sorted(home.rglob("test_*.py"))
        for cited in marks(_text(path), _named(path))
    ]
    ends = sorted({way.rule for way in kit(slug).ways.values()}) if slug in GAMES else []
    return (*marked, *((rule, STORED) for rule in ends))


STORED = "tests/contract/test_replays.py::test_a_stored_game_ends_as_it_ended"


@cache
def readings_of(slug: str) -> tuple[Reading, ...]:
    home = ROOT / "pbem" / "games" / slug
    return tuple(
        found
        for path in sorted(home.rglob("*.py"))
        for found in readings(_text(path), path.relative_to(home).as_posix())
    )


def matrix(slug: str) -> Matrix:
    cited = (code_citations(slug), data_citations(slug), citations_of_tests(slug))
    rows = joined(rules_of(slug), *cited)
    title = plain(slug, "game.yaml")["title"]
    cite = import_module(f"pbem.games.{slug}.citations").CITE
    return Matrix(
        title, rows, readings_of(slug), chapters_of(slug), served(slug), tuple(cite.audited)
    )


def coverage_file(slug: str) -> Path:
    return data_folder(slug) / "coverage.md"


def listed(found: Matrix) -> str:
    """The matrix for `pbem rules`, a rule a line."""
    told = plain_matrix(found)
    rows = ",\n".join(json.dumps(rule, ensure_ascii=False) for rule in told["rules"])
    return f'{{"title": {json.dumps(told["title"])}, "rules": [\n{rows}\n]}}\n'


NOTHING: dict[str, list[str]] = {"code": [], "tests": []}


def unbuilt(slug: str) -> dict[str, list[str]]:
    """The numbers without code and without a test that are known to be so."""
    return _unbuilt().get(slug, NOTHING)


def _unbuilt() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = document(UNBUILT.name, UNBUILT.read_bytes()).value
    return found


HEAD = """\
# The rules that code will keep and does not yet, and those it keeps without a test that shows it.
# These lists only get shorter: `make matrix` strikes out what is done, and a test fails for a
# number that is missing here and for one that is done but still listed.
#
# A game that stands here and not in `GAMES` (pbem/games/__init__.py) is being built: the house
# tests watch over it, and no command knows it.
"""


def unbuilt_text() -> str:
    """The file with only those numbers that are still missing."""
    lines = [HEAD]
    for slug in slugs():
        found = matrix(slug)
        listed = unbuilt(slug)
        lines.append(f"{slug}:")
        for key, missing in (("code", found.without_code()), ("tests", found.without_test())):
            left = [number for number in missing if number in listed[key]]
            lines.append(f"  {key}:" if left else f"  {key}: []")
            lines += [f'    - "{number}"' for number in left]
    return "\n".join(lines) + "\n"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main(check: bool) -> int:
    wanted = {}
    for slug in slugs():
        found = matrix(slug)
        wanted[coverage_file(slug)] = page(found)
        wanted[coverage_file(slug).with_suffix(".json")] = listed(found)
    wanted[UNBUILT] = unbuilt_text()
    stale = [path for path, text in wanted.items() if not path.exists() or _text(path) != text]
    for path in stale:
        if check:
            print(f"{_named(path)} is stale: run make matrix")
        else:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"wrote {_named(path)}")
    if not stale:
        print("matrix: up to date")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

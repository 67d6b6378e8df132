"""Every number that is cited exists, and every rule that code shall keep is kept and shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import matrix as gather
from tests.house.coverage import Matrix, page, read_in, unknown
from tests.house.source import modules, nodes

SLUGS = gather.slugs()
ROOT = Path(__file__).resolve().parents[2] / "pbem" / "games"


@pytest.fixture(scope="module", params=SLUGS)
def slug(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def matrix(slug: str) -> Matrix:
    return gather.matrix(slug)


@pytest.mark.parametrize(
    "citations", [gather.code_citations, gather.data_citations, gather.citations_of_tests]
)
def test_every_cited_number_is_in_the_rulebook(slug: str, citations: object) -> None:
    assert callable(citations)
    assert unknown(gather.rules_of(slug), citations(slug)) == []


NUMBER = re.compile(r"\d+(\.\d+)+(\.[a-z_]+)*(/[a-z0-9]+)?")


def test_every_number_in_the_code_is_in_the_rulebook(slug: str) -> None:
    """Also those that refusals and decisions name, not only those of citations.

    An option that a game has in several ways is told apart behind a stroke, in options.py alone.
    """
    known = {rule.number for rule in gather.rules_of(slug)}
    ways = {text for _, text in numbers_in(ROOT / slug / "options.py")}
    assert {text.partition("/")[0] for text in ways} <= known
    found = {
        f"{path.name}:{line}: {text}"
        for path in modules(f"games/{slug}")
        for line, text in numbers_in(path)
        if text not in known | ways
    }
    assert found == set()


def numbers_in(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that are nothing but the number of a rule, with their lines."""
    if path.exists():
        for node in nodes(path):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and NUMBER.fullmatch(text):
                yield node.lineno, text


def test_a_part_that_only_our_list_has_is_not_shown() -> None:
    from pbem.text.source import cited

    assert cited("16.5.2/a") == "rule 16.5.2" and cited("16.5.2") == "rule 16.5.2"
    assert cited("protocol R7") == "protocol R7"


def test_no_number_stands_twice_in_the_rulebook(slug: str) -> None:
    numbers = [rule.number for rule in gather.rules_of(slug)]
    assert len(set(numbers)) == len(numbers)


def test_a_rule_is_kept_by_one_function(slug: str) -> None:
    """What else has to do with it serves it; a rule of several sentences has parts of its own."""
    kept: dict[str, set[str]] = {}
    for number, where in gather.code_citations(slug):
        kept.setdefault(number, set()).add(where)
    assert {number: where for number, where in kept.items() if len(where) > 1} == {}


def test_what_serves_a_rule_serves_one_that_is_kept(slug: str) -> None:
    kept = {number for number, _ in gather.code_citations(slug)}
    astray = {(number, where) for number, where in gather.served(slug) if number not in kept}
    assert astray == set()


def test_what_is_left_out_has_a_reason(slug: str) -> None:
    silent = {
        rule.number
        for rule in gather.rules_of(slug)
        if rule.kind in ("omitted", "umpire") and not rule.why
    }
    assert silent == set()


def test_every_rule_that_code_keeps_is_kept(slug: str, matrix: Matrix) -> None:
    assert_listed(matrix.without_code(), gather.unbuilt(slug)["code"], "no code cites")


def test_every_rule_that_code_keeps_is_shown_by_a_test(slug: str, matrix: Matrix) -> None:
    assert_listed(matrix.without_test(), gather.unbuilt(slug)["tests"], "no test is marked with")


def assert_listed(missing: tuple[str, ...], listed: list[str], what: str) -> None:
    new = [number for number in missing if number not in listed]
    done = [number for number in listed if number not in missing]
    assert not new, f"{what} {', '.join(new)}"
    assert not done, f"done but still in tests/house/unbuilt.yaml (make matrix): {', '.join(done)}"


def test_every_reading_says_something(matrix: Matrix) -> None:
    assert all(re.search(r"\w+ \w+ \w+", reading.text) for reading in matrix.readings)


def test_every_reading_is_listed_with_a_rule(matrix: Matrix) -> None:
    """Where `pbem rules` shows it: its function keeps or serves a rule, or it begins with one."""
    lost = [f"{each.file}:{each.line}: {each.text}" for each, rules in read_in(matrix) if not rules]
    assert lost == []


def test_the_coverage_page_is_not_stale(slug: str, matrix: Matrix) -> None:
    written = gather.coverage_file(slug).read_text(encoding="utf-8")
    wanted = page(matrix)
    changed = [line for line in wanted.splitlines() if line not in written]
    is_stale = written != wanted
    assert not is_stale, f"run make matrix and commit what it wrote: {changed[:2]}"

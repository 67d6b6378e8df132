"""Every number that is cited exists, and every rule that code shall keep is kept and shown."""

from __future__ import annotations

import re

import pytest

from pbem.engine.coverage import Matrix, page, unknown
from pbem.games import GAMES
from tests.house import matrix as gather

SLUGS = sorted(GAMES)


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


def test_no_number_stands_twice_in_the_rulebook(slug: str) -> None:
    numbers = [rule.number for rule in gather.rules_of(slug)]
    assert len(set(numbers)) == len(numbers)


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


def test_the_coverage_page_is_not_stale(slug: str, matrix: Matrix) -> None:
    written = gather.coverage_file(slug).read_text(encoding="utf-8")
    wanted = page(matrix)
    changed = [line for line in wanted.splitlines() if line not in written]
    is_stale = written != wanted
    assert not is_stale, f"run make matrix and commit what it wrote: {changed[:2]}"

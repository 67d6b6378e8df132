"""Code cites rule numbers, and a violation carries the number of the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.model import Violation
from pbem.engine.rules import Citations, Predicate, by_verb, checks
from tests.engine import toy
from tests.engine.toy import RED, Climb, Jump, Step, start

POSITION = start().position


def finds(*messages: str) -> Predicate:
    def predicate(stage: Any, position: Any, order: Any) -> Iterator[Violation]:
        for message in messages:
            yield Violation(message)

    return predicate


def judged(*rows: tuple[Predicate, ...]) -> list[str]:
    return [str(found.message) for found in checks(*rows)(None, None, None)]


def test_every_predicate_of_a_row_is_heard() -> None:
    assert judged((finds("a", "b"), finds("c"))) == ["a", "b", "c"]


def test_the_first_row_with_violations_ends_it() -> None:
    assert judged((finds(),), (finds("a"),), (finds("b"),)) == ["a"]


def test_no_rows_find_nothing() -> None:
    assert judged() == []


def test_a_check_stamps_its_number_unless_the_violation_knows_better() -> None:
    (low,) = Climb(RED).check(POSITION, Step(0))
    assert low.rule == "2.1"
    (past,) = Climb(RED).check(start(red=9).position, Step(2))
    assert past.rule == "2.3.1"


def test_each_verb_has_its_own_check() -> None:
    judge = by_verb({Step: checks((finds("step"),)), Jump: checks((finds("jump"),))})
    assert [str(found.message) for found in judge(None, None, Jump())] == ["jump"]


def test_citations_remember_where_each_number_is_kept() -> None:
    assert ("1.1", "tests.engine.toy.Climb") in toy.CITE.found
    assert ("2.2", "tests.engine.toy.at_most_three") in toy.CITE.found


def test_citing_leaves_the_function_as_it_was() -> None:
    cite = Citations("any")

    @cite.rule("1.0", "2.0")
    def half(number: int) -> int:
        """Half of it."""
        return number // 2

    assert half(8) == 4 and half.__doc__ == "Half of it."
    assert [number for number, _ in cite.found] == ["1.0", "2.0"]


def test_a_checked_predicate_keeps_its_name_and_sentence() -> None:
    assert toy.at_most_three.__name__ == "at_most_three"

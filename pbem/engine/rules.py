"""Citations and checks: code cites rule numbers here, and a stage lists its checks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from pbem.engine.model import Order, Violation
from pbem.value import replace

T = TypeVar("T")
Predicate = Callable[[Any, Any, Any], Iterator[Violation]]
Judge = TypeVar("Judge", bound=Callable[..., Iterator[Violation]])
Finding = TypeVar("Finding", bound=Callable[..., Violation | None])


class Citations:
    """Where the code implements each numbered rule of one game."""

    def __init__(self, game: str) -> None:
        self.game = game
        self._found: list[tuple[str, Any]] = []
        self._served: list[tuple[str, Any]] = []
        self.audited: list[str] = []

    @property
    def found(self) -> list[tuple[str, str]]:
        """The numbers, each with the function or class that keeps the rule."""
        return _named(self._found)

    @property
    def served(self) -> list[tuple[str, str]]:
        """The numbers, each with a function that serves the one that keeps the rule."""
        return _named(self._served)

    def rule(self, *numbers: str) -> Callable[[T], T]:
        """Marks a function or class as keeping these rules, which no other one keeps."""

        def mark(target: T) -> T:
            self._found += [(number, target) for number in numbers]
            return target

        return mark

    def serves(self, *numbers: str) -> Callable[[T], T]:
        """Marks a step or calculation within rules that other functions keep: `make mutants` tests
        it with the tests of these rules, and the matrix does not list it.
        """

        def mark(target: T) -> T:
            self._served += [(number, target) for number in numbers]
            return target

        return mark

    def audit(self, *numbers: str) -> Callable[[T], T]:
        """Marks a function by which rules are kept that the other player cannot judge as long as
        counters lie face down: their owner's program keeps them, and the audit holds it to them.
        """

        def mark(target: T) -> T:
            self.audited += numbers
            return target

        return mark

    def check(self, number: str) -> Callable[[Judge], Judge]:
        """Marks a predicate, or a function that judges part of an order for one, as keeping a rule,
        and stamps its number on every violation it yields.
        """

        def wrap(judge: Judge) -> Judge:
            return _stamped(self.rule(number)(judge), number)

        return wrap

    def refusal(self, number: str) -> Callable[[Judge], Judge]:
        """Marks a predicate that refuses its own orders by a rule which another function keeps: the
        number is stamped, and the matrix does not list the predicate.
        """

        def wrap(judge: Judge) -> Judge:
            return _stamped(self.serves(number)(judge), number)

        return wrap

    def finding(self, number: str) -> Callable[[Finding], Finding]:
        """Marks a function that finds at most one violation, and stamps its number on it."""

        def wrap(finds: Finding) -> Finding:
            self.rule(number)(finds)

            @functools.wraps(finds)
            def found(*given: Any) -> Violation | None:
                violation = finds(*given)
                return violation and replace(violation, rule=violation.rule or number)

            return cast(Finding, found)

        return wrap


def _named(cited: list[tuple[str, Any]]) -> list[tuple[str, str]]:
    return [(number, f"{each.__module__}.{each.__qualname__}") for number, each in cited]


def _stamped(judge: Judge, number: str) -> Judge:
    def stamp(violation: Violation) -> Violation:
        return replace(violation, rule=violation.rule or number)

    @functools.wraps(judge)
    def stamped(*given: Any) -> Iterator[Violation]:
        return map(stamp, judge(*given))

    stamped.unstamped = judge, number  # type: ignore[attr-defined]
    return cast(Judge, stamped)


def _unstamped(predicate: Predicate) -> tuple[Predicate, str]:
    """The predicate and the number it stamps. Nearly every order keeps nearly every rule, so a
    check stamps what it finds, and not what it calls.
    """
    found: tuple[Predicate, str] = getattr(predicate, "unstamped", (predicate, ""))
    return found


def checks(*rows: tuple[Predicate, ...]) -> Predicate:
    """A check of several rows, judged in turn; the first row with violations ends it, and reports
    all of them.
    """

    bare = tuple(tuple(_unstamped(predicate) for predicate in row) for row in rows)

    def check(stage: Any, position: Any, order: Any) -> Iterator[Violation]:
        found: list[Violation] = []
        for row in bare:
            for judge, number in row:
                for each in judge(stage, position, order):
                    found.append(replace(each, rule=each.rule or number))
            if found:
                break
        return iter(found)

    listed = tuple(each for row in rows for predicate in row for each in predicates_of(predicate))
    check.predicates = listed  # type: ignore[attr-defined]
    return check


def by_verb(table: dict[type[Order], Predicate]) -> Predicate:
    """A stage's check method when it takes several verbs: the check of the order's own verb."""

    def check(stage: Any, position: Any, order: Any) -> Iterator[Violation]:
        return table[type(order)](stage, position, order)

    check.verbs = frozenset(table)  # type: ignore[attr-defined]
    listed = tuple(each for judged in table.values() for each in predicates_of(judged))
    check.predicates = listed  # type: ignore[attr-defined]
    return check


def predicates_of(check: Predicate) -> tuple[Predicate, ...]:
    """The predicates of a check made by `checks` or `by_verb`; any other check is one itself."""
    found: tuple[Predicate, ...] = getattr(check, "predicates", (check,))
    return found


def judged_by(stage: Any) -> frozenset[type[Order]]:
    """The verbs that a stage can judge, whether or not it offers them now; empty for a stage with
    one, or that asks nobody.
    """
    check = getattr(type(stage), "check", None)
    found: frozenset[type[Order]] = getattr(check, "verbs", frozenset())
    return found

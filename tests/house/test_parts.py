"""Small changes of a function: how they are named, and where they are felt."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import pytest

from tests.house import parts


def _counts(few: list[int], many: bool) -> int:
    found = [each for each in few if each > 1]
    return sorted(found, reverse=True)[0] if found and many else 1


def _asserts(few: list[int]) -> int:
    assert few and len(few) > 1, "never otherwise"
    return few[0] + 7


def _sorts(few: list[int], key: Callable[[int], int] = lambda each: each) -> list[int]:
    return sorted(few, key=key)


def test_a_default_that_is_a_function_is_not_taken_for_the_function() -> None:
    (part,) = parts.changed(_sorts)
    assert part.code.co_name == parts.taking_notes(_sorts, print).co_name == "_sorts"
    assert FunctionType(part.code, {})([2, 1], abs) == [1, 2] != _sorts([1, 2], lambda each: -each)


def test_an_assertion_is_left_as_it_is() -> None:
    assert [part.how for part in parts.changed(_asserts)] == ["7 + 1"]


def test_a_change_is_named_by_its_text_and_counted_where_it_comes_again() -> None:
    assert [part.how for part in parts.changed(_counts)] == [
        "without `if each > 1`",
        "1 + 1",
        "without `reverse=True`",
        "without `found`",
        "without `many`",
        "1 + 1 #2",
    ]


@pytest.mark.parametrize(
    ("few", "many", "felt"),
    [
        ([2, 3], True, {"1 + 1", "without `reverse=True`"}),
        ([1, 2], True, {"without `if each > 1`", "1 + 1", "without `reverse=True`"}),
        ([], True, {"without `found`", "1 + 1 #2"}),
        ([2], False, {"without `many`", "1 + 1", "1 + 1 #2"}),
    ],
)
def test_a_change_is_felt_where_it_decides(few: list[int], many: bool, felt: set[str]) -> None:
    names = [part.how for part in parts.changed(_counts)]
    noted: set[str] = set()
    code = parts.taking_notes(_counts, lambda number: noted.add(names[number]))
    assert FunctionType(code, _counts.__globals__)(few, many) == _counts(few, many)
    assert noted == felt

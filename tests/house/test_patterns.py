"""Patterns find the same in every release of Python that may run them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from tests.house.source import ROOT, modules

ONE = (sre.IN, sre.LITERAL, sre.NOT_LITERAL, sre.ANY)


def groups(parsed: Any) -> Iterator[Any]:
    """The content of each possessive group in a parsed pattern, at any depth."""
    for op, arguments in parsed:
        if op is sre.POSSESSIVE_REPEAT and not is_one(arguments[2]):
            yield list(arguments[2])
        for each in arguments if isinstance(arguments, tuple | list) else (arguments,):
            for inner in each if isinstance(each, list) else (each,):
                if isinstance(inner, _parser.SubPattern):
                    yield from groups(inner)


def is_one(content: Any) -> bool:
    """Whether this matches one letter, whatever it is."""
    return len(content) == 1 and content[0][0] in ONE


def fails_at_once(content: Any) -> bool:
    """Whether a group, if it does not fit, fails at its first letter: all behind it may be left
    out.
    """
    (first, _), *rest = content
    return first in ONE and all(
        op in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT) and repeat[0] == 0 and is_one(repeat[2])
        for op, repeat in rest
    )


def unsafe(pattern: str | bytes) -> bool:
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    return not all(map(fails_at_once, groups(_parser.parse(text))))


def test_no_possessive_group_fails_behind_its_first_letter() -> None:
    """Before Python 3.11.5 one kept what it had read of a last turn that failed."""
    found = []
    for path in modules():
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        try:
            module = import_module(name)
        except ImportError:
            continue  # an extra that is not installed
        found += [f"{name}: {each}" for each, held in vars(module).items()
                  if isinstance(held, re.Pattern) and unsafe(held.pattern)]  # fmt: skip
    assert found == []


@pytest.mark.parametrize("pattern, is_unsafe", [
    (r"(?:[a-z]*+=)++", True), (r"x(?:(?:ab?c)*+y)?", True), (r"(?:(?=[a-z]++=)x)*+", True),
    (r"(?:^|(?:(--)x)?+)", True), (r"[a-z]++(?:[>|][ ]?+)++", False), (r"(?:ab?c)+", False),
])  # fmt: skip
def test_such_groups_are_found(pattern: str, is_unsafe: bool) -> None:
    assert unsafe(pattern) is is_unsafe

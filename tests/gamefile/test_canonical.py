"""Canonical bytes: equal to RFC 8785 on our domain, and nothing outside the domain gets through."""

import contextlib
import json

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.gamefile.canonical import MAX_INTEGER, canonical, check_domain, parse
from pbem.gamefile.errors import FileRefused
from tests.conftest import FUZZ

KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,39}", fullmatch=True)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=[*map(chr, range(10))]).filter(
        lambda char: char == "\n" or not (ord(char) < 32 or 127 <= ord(char) < 160)
    ),
    max_size=40,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def code(call, *arguments) -> str:
    with pytest.raises(FileRefused) as caught:
        call(*arguments)
    return caught.value.code


@settings(max_examples=40 * FUZZ, deadline=None, derandomize=True)
@given(VALUES)
def test_canonical_bytes_are_those_of_rfc_8785(value):
    body = canonical(value)
    assert body == rfc8785.dumps(value)
    assert parse(body) == value


@settings(max_examples=25 * FUZZ, deadline=None, derandomize=True)
@given(VALUES)
def test_layout_and_escapes_change_nothing(value):
    for text in (
        json.dumps(value, indent=3, ensure_ascii=True),
        json.dumps(value, indent=1).replace("\n", "\r\n"),
        "\ufeff" + json.dumps(value, ensure_ascii=False, sort_keys=True),
    ):
        assert canonical(parse(text.encode())) == canonical(value)


@pytest.mark.parametrize(
    "value, expected",
    [
        (1.0, "E-CANON"), (MAX_INTEGER + 1, "E-CANON"), (-MAX_INTEGER - 1, "E-CANON"),
        ({"A": 1}, "E-CANON"), ({"": 1}, "E-CANON"), ({"a\n": 1}, "E-CANON"), ({1: 1}, "E-CANON"),
        ({"a" * 41: 1}, "E-CANON"), ("\ud800", "E-CANON"), ("\x1b", "E-CANON"), ("\x00", "E-CANON"),
        ("\x7f", "E-CANON"), ("\x9b", "E-CANON"), ("\t", "E-CANON"), ("\r", "E-CANON"),
        ((1, 2), "E-CANON"), (b"x", "E-CANON"), ({1, 2}, "E-CANON"),
        ("x" * 4097, "E-LIMIT"), ([0] * 4097, "E-LIMIT"),
    ],
    ids=lambda value: ascii(value)[:20],
)  # fmt: skip
def test_what_is_outside_the_domain(value, expected):
    assert code(canonical, value) == expected


def test_the_edges_of_the_domain():
    check_domain([MAX_INTEGER, -MAX_INTEGER, "x" * 4096, "a\nb", "\u00a0\u202e", {"a" * 40: None}])
    check_domain([0] * 4096)


def nested(levels: int):
    value: list = []
    for _ in range(levels - 1):
        value = [value]
    return value


def nested_objects(levels: int):
    value: dict = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_sixteen_levels_and_no_more():
    check_domain(nested(16))
    assert code(check_domain, nested(17)) == "E-LIMIT"
    check_domain(nested_objects(16))
    assert code(check_domain, nested_objects(17)) == "E-LIMIT"


@pytest.mark.parametrize(
    "raw, expected",
    [
        (b'{"a":1,"a":1}', "E-CANON"), (b"1.0", "E-CANON"), (b"1e400", "E-CANON"),
        (b"-0", "E-CANON"), (b"NaN", "E-CANON"), (b"-Infinity", "E-CANON"),
        (b"9" * 5000, "E-CANON"), (b"\xff", "E-DAMAGED"), (b"", "E-DAMAGED"), (b"{", "E-DAMAGED"),
        (b"{'a':1}", "E-DAMAGED"), (b"[1,]", "E-DAMAGED"), (b'["a\nb"]', "E-DAMAGED"),
        (b'["a\x00b"]', "E-CANON"), (b"[" * 100_000, "E-DAMAGED"), (b"1 2", "E-DAMAGED"),
        (b"// x\n1", "E-DAMAGED"), (b"01", "E-DAMAGED"),
    ],
    ids=lambda value: ascii(value)[:20],
)  # fmt: skip
def test_what_is_no_strict_json(raw, expected):
    assert code(parse, raw) == expected


@settings(max_examples=40 * FUZZ, deadline=None, derandomize=True)
@given(st.binary(max_size=60))
def test_no_bytes_make_the_parser_fall(raw):
    with contextlib.suppress(FileRefused):
        check_domain(parse(raw))

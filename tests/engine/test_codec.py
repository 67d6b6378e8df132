"""One spelling of everything: typed value to plain value and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.codec import Misfit, from_plain, from_written, pairs, to_plain, to_written
from pbem.gamefile.canonical import canonical

Place = NewType("Place", str)


@dataclass(frozen=True)
class Plan:
    units: tuple[str, ...]
    to: Place = Place("")
    haste: bool = False


@dataclass(frozen=True)
class Everything:
    """A field of each sort the codec knows."""

    name: str
    number: int = 0
    use: str = field(default="rest", metadata={"written": "for"})
    stacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pair: tuple[int, str] | None = None
    marks: frozenset[str] = frozenset()
    plan: Plan | None = None
    plans: tuple[Plan, ...] = ()


@dataclass(frozen=True)
class Worded:
    """Fields that take a few words, one of them alone and one beside a list."""

    how: str = field(default="", metadata={"words": ("fast", "slow")})
    where: tuple[str, ...] | str = field(default=(), metadata={"words": ("all",)})


texts = st.text(max_size=6)
lists = st.lists(texts, max_size=3).map(tuple)
plans = st.builds(Plan, units=lists, to=texts.map(Place), haste=st.booleans())
everything = st.builds(
    Everything,
    name=texts,
    number=st.integers(),
    use=texts,
    stacks=st.dictionaries(texts, lists, max_size=3),
    pair=st.none() | st.tuples(st.integers(), texts),
    marks=st.frozensets(texts, max_size=3),
    plan=st.none() | plans,
    plans=st.lists(plans, max_size=2).map(tuple),
)


@given(everything)
def test_what_is_written_reads_back_equal(value: Everything) -> None:
    assert from_plain(Everything, to_plain(value)) == value


@given(everything)
def test_what_players_write_reads_back_equal(value: Everything) -> None:
    assert from_written(Everything, to_written(value)) == value


@given(everything)
def test_the_plain_value_survives_json(value: Everything) -> None:
    plain = to_plain(value)
    assert json.loads(json.dumps(plain)) == plain


@given(everything)
def test_there_is_one_spelling_of_a_value(value: Everything) -> None:
    assert to_plain(from_plain(Everything, to_plain(value))) == to_plain(value)


def test_defaults_are_left_out_and_fields_bear_the_name_players_write() -> None:
    assert to_plain(Everything("x", use="march")) == {"name": "x", "for": "march"}
    assert from_plain(Everything, {"name": "x", "for": "march"}).use == "march"


def test_sets_and_mappings_are_written_sorted() -> None:
    plain = to_plain(Everything("x", stacks={"b": (), "a": ()}, marks=frozenset("zay")))
    assert plain["stacks"] == [["a", []], ["b", []]] and plain["marks"] == ["a", "y", "z"]
    written = from_written(Everything, {"name": "x", "marks": ["z", "a", "y"]})
    assert written.marks == frozenset("zay")  # a player writes them in any order


def test_ids_of_any_game_are_keys_and_no_names_of_members() -> None:
    ids: dict[str, tuple[str, ...]] = {"3/7Leg": ("2007",), "2007": (), "I Bandera": (), "AA": ()}
    ids |= {"\U0001f6a2": (), "\uff21": ()}
    value = Everything("x", stacks=ids)
    plain = to_plain(value)
    keys = [key for key, _ in plain["stacks"]]
    assert keys == ["2007", "3/7Leg", "AA", "I Bandera", "\uff21", "\U0001f6a2"]  # code points
    canonical(plain)
    assert from_plain(Everything, plain) == value
    assert to_written(value)["stacks"] == {key: list(ids[key]) for key in keys}
    assert pairs({"b": 1, "B": 2}) == [["B", 2], ["b", 1]]


def test_the_order_in_which_a_player_writes_a_mapping_is_kept_till_it_is_in_a_file() -> None:
    one = from_written(Everything, {"name": "x", "stacks": {"b": ["u"], "a": []}})
    assert list(one.stacks) == ["b", "a"]
    assert to_plain(one)["stacks"] == [["a", []], ["b", ["u"]]]


@pytest.mark.parametrize(
    "plain, path, message",
    [
        ({}, (), "the field 'name' is missing"),
        ({"name": 7}, ("name",), "expected a name here, not the number 7"),
        ({"name": "x", "number": True}, ("number",), "expected a whole number here, not true"),
        ({"name": "x", "number": 1.5}, ("number",), "expected a whole number here"),
        ({"name": "x", "use": "y"}, ("use",), "no field 'use' here"),
        ({"name": "x", "stacks": {}}, ("stacks",), "expected a list of pairs here, not a mapping"),
        ({"name": "x", "stacks": [["a", ["b", 1]]]}, ("stacks", "a", 1), "expected a name here"),
        ({"name": "x", "stacks": ["ab"]}, ("stacks", 0), "expected a pair of a name and a value"),
        ({"name": "x", "stacks": [["a"]]}, ("stacks", 0), "a pair of a name"),
        ({"name": "x", "stacks": [["a", [], []]]}, ("stacks", 0), "a pair of a name"),
        ({"name": "x", "stacks": [[2007, []]]}, ("stacks", 0), "a pair of a name"),
        ({"name": "x", "stacks": [["a", []], ["a", []]]}, ("stacks", 1), "'a' is listed twice"),
        ({"name": "x", "stacks": [["b", []], ["a", []]]}, ("stacks", 1),
         "'a' belongs before 'b': pairs must be sorted"),
        ({"name": "x", "marks": ["b", "a"]}, ("marks",), "these must be sorted, and none listed "
                                                         "twice"),
        ({"name": "x", "marks": ["a", "a"]}, ("marks",), "these must be sorted, and none listed "
                                                         "twice"),
        ({"name": "x", "pair": [1]}, ("pair",), "expected a list of 2 here, not of 1"),
        ({"name": "x", "plan": {"units": "u"}}, ("plan", "units"), "expected a list here"),
        ({"name": "x", "plans": [{"units": [], "haste": 1}]}, ("plans", 0, "haste"), "true or"),
        ({"name": "x", "marks": [None]}, ("marks", 0), "not nothing"),
        ("x", (), "expected a mapping here, not the text 'x'"),
    ],
)  # fmt: skip
def test_a_misfit_tells_the_place_and_what_is_wanted(
    plain: Any, path: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(Misfit) as misfit:
        from_plain(Everything, plain)
    assert misfit.value.path == path
    assert message in str(misfit.value.message)


@pytest.mark.parametrize(
    "written, path, message",
    [
        ({"name": "x", "stacks": []}, ("stacks",), "expected a mapping here, not a list"),
        ({"name": "x", "stacks": {"a": ["b", 1]}}, ("stacks", "a", 1), "expected a name here"),
    ],
)  # fmt: skip
def test_players_write_no_pairs(written: Any, path: tuple[str | int, ...], message: str) -> None:
    with pytest.raises(Misfit) as misfit:
        from_written(Everything, written)
    assert misfit.value.path == path
    assert message in str(misfit.value.message)


def test_a_field_that_takes_words_takes_no_others() -> None:
    """What the other player's program has signed may say anything, and rules ask no further."""
    for taken in ({}, {"how": ""}, {"how": "slow"}, {"where": "all"}, {"where": ["x"]}):
        for read in (from_plain, from_written):
            assert to_plain(read(Worded, taken)) == ({} if taken == {"how": ""} else taken)
    for plain, wanted in (({"how": "R-75"}, "'fast' or 'slow'"), ({"where": "some"}, "'all'")):
        with pytest.raises(Misfit) as misfit:
            from_plain(Worded, plain)
        assert misfit.value.path == tuple(plain)
        (said,) = plain.values()
        assert str(misfit.value.message) == f"expected {wanted} here, not the text '{said}'"


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
named = st.dictionaries(
    st.sampled_from(["name", "number", "for", "stacks", "pair", "marks", "plan", "plans"]), anything
)


@given(anything | named)
def test_whatever_is_read_is_a_value_or_a_misfit(plain: Any) -> None:
    try:
        value = from_plain(Everything, plain)
    except Misfit:
        return
    assert from_plain(Everything, to_plain(value)) == value


@given(anything | named)
def test_whatever_a_player_writes_is_a_value_or_a_misfit(written: Any) -> None:
    try:
        value = from_written(Everything, written)
    except Misfit:
        return
    assert from_written(Everything, to_written(value)) == value


def test_what_has_no_plain_form_is_our_own_bug() -> None:
    with pytest.raises(TypeError, match="no plain form for float"):
        to_plain(0.5)

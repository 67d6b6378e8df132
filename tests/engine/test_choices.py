"""What a choice offers is what it draws."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.choices import Amount, Composed, Each, Maybe, OneOf, Path, Ready, SomeOf

seeds = st.integers(0, 10_000).map(random.Random)
words = st.lists(st.text("abc", min_size=1), unique=True).map(tuple)


@given(words.filter(bool), seeds)
def test_one_of(values: tuple[str, ...], rng: random.Random) -> None:
    assert OneOf(values).sample(rng) in values


@given(words, st.integers(0, 4), st.none() | st.integers(0, 4), seeds)
def test_some_of(values: tuple[str, ...], least: int, most: int | None, rng: random.Random) -> None:
    drawn = SomeOf(values, least, most).sample(rng)
    limit = len(values) if most is None else min(most, len(values))
    assert len(set(drawn)) == len(drawn) and set(drawn) <= set(values)
    assert min(least, limit) <= len(drawn) <= limit


@given(st.integers(-5, 5), st.integers(0, 9), seeds)
def test_amount(least: int, more: int, rng: random.Random) -> None:
    assert least <= Amount(least, least + more).sample(rng) <= least + more


LINKS = {"a": ("b",), "b": ("a", "c"), "c": ("b", "d"), "d": ()}


@given(st.integers(1, 6), seeds)
def test_a_path_walks_over_links(at_most: int, rng: random.Random) -> None:
    walk = Path(("a", "b"), LINKS, at_most).sample(rng)
    assert walk[0] in ("a", "b")
    assert len(walk) <= at_most + 1
    assert all(to in LINKS[here] for here, to in itertools.pairwise(walk))


@given(st.integers(0, 3), seeds)
def test_each_has_values_of_the_keys_own_choice(least: int, rng: random.Random) -> None:
    drawn = Each({"x": Amount(1, 2), "y": OneOf(("z",))}, at_least=least).sample(rng)
    assert min(least, 2) <= len(drawn)
    assert drawn.get("x", 1) in (1, 2) and drawn.get("y", "z") == "z"


def test_maybe_is_now_and_then_left_out() -> None:
    rng = random.Random(1)
    assert {Maybe(OneOf(("x",))).sample(rng) for _ in range(40)} == {"x", None}


@pytest.mark.parametrize(
    "choice, drawn",
    [(OneOf(()), ""), (SomeOf(()), ()), (Path((), {}, 3), ("",)), (Ready(()), None),
     (Each({}), {})],
    ids=lambda each: type(each).__name__,
)  # fmt: skip
def test_nothing_to_choose_from_draws_nothing(choice: object, drawn: object) -> None:
    assert choice.sample(random.Random(1)) == drawn  # type: ignore[attr-defined]


def test_whole_answers_are_drawn_whole() -> None:
    rng = random.Random(1)
    assert Ready((("a", 1),)).sample(rng) == ("a", 1)
    assert Composed(lambda rng: "made").sample(rng) == "made"

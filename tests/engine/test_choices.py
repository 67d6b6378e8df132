"""What a decision offers, and what bots make of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.choices import Amount, Example, Later, OneOf, Some, SomeOf, every, listed
from pbem.engine.model import Option, Order
from pbem.value import field, value
from tests.bots import sample, thinned

seeds = st.integers(0, 10_000).map(random.Random)
words = st.lists(st.text("abc", min_size=1), unique=True).map(tuple)


@value
class Sally(Order):
    by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tail: Tail | None = None
    units: tuple[str, ...] = ()
    steps: int = 0


@value
class Tail:
    to: tuple[str, ...] = ()


@value
class March(Order):
    verb: ClassVar[str] = "march"
    units: tuple[str, ...] = ()
    steps: Any = 0


def drawn(rng: random.Random, **fields: Any) -> Any:
    return sample(Option(March, fields), rng)


@given(words.filter(bool), seeds)
def test_one_of(values: tuple[str, ...], rng: random.Random) -> None:
    assert drawn(rng, steps=OneOf(values)).steps in values


@given(words, st.integers(0, 4), st.none() | st.integers(0, 4), seeds)
def test_some_of(values: tuple[str, ...], least: int, most: int | None, rng: random.Random) -> None:
    units = drawn(rng, units=SomeOf(values, least, most)).units
    limit = len(values) if most is None else min(most, len(values))
    assert len(set(units)) == len(units) and set(units) <= set(values)
    assert min(least, limit) <= len(units) <= limit


@given(st.integers(-5, 5), st.integers(0, 9), seeds)
def test_amount(least: int, more: int, rng: random.Random) -> None:
    assert least <= drawn(rng, steps=Amount(least, least + more)).steps <= least + more


def test_nothing_to_choose_from_draws_nothing() -> None:
    rng = random.Random(1)
    assert drawn(rng, steps=OneOf(()), units=SomeOf(())) == March(steps="")
    assert sample(Option(March), rng) == March()
    assert sample(Option(March, examples=listed(())), rng) is None


def test_orders_that_are_listed_are_all_there_are() -> None:
    orders = (March(("a",)), March(("b",)))
    option = Option(March, examples=listed(orders))
    assert [each.order for each in listed(orders)(every)] == [*orders]
    assert {sample(option, random.Random(seed)) for seed in range(9)} == {*orders}


LINKS = {"a": ("b", "c"), "b": ("d",), "c": (), "d": ()}


def test_whoever_wants_one_example_follows_one_branch() -> None:
    looked_at: list[str] = []

    def walk(some: Some) -> Iterator[Example]:
        for first in some(("a", "b")):
            looked_at.append(first)
            for then in some(LINKS[first]):
                yield Example(March((first, then)))

    assert [each.order.units for each in walk(every)] == [("a", "b"), ("a", "c"), ("b", "d")]
    looked_at.clear()
    found = {sample(Option(March, examples=walk), random.Random(seed)) for seed in range(20)}
    assert len(looked_at) == 20
    assert {("a", "b"), ("a", "c"), ("b", "d")} <= {order.units for order in found if order}


def test_a_field_takes_its_other_values() -> None:
    def ways(some: Some) -> Iterator[Example]:
        yield Example(March(steps=1), others={"steps": (1, 2, 3)})

    option = Option(March, examples=ways)
    found = {sample(option, random.Random(seed)) for seed in range(30)}
    assert found == {March(steps=1), March(steps=2), March(steps=3)}


@pytest.mark.parametrize("seed", range(12))
def test_a_thinner_order_has_less_of_the_same(seed: int) -> None:
    order = Sally({"p": ("q", "r"), "s": ("t",)}, Tail(("u", "v")), ("x", "y", "z"), 3)
    less = thinned(order, random.Random(seed))
    assert less.units and set(less.units) <= set(order.units) and less.steps == 3
    assert less.by and all(set(less.by[key]) <= set(order.by[key]) for key in less.by)
    assert less.tail is None or (less.tail.to and set(less.tail.to) <= {"u", "v"})
    assert thinned(March(), random.Random(seed)) == March()


def test_choices_are_worked_out_when_somebody_reads_them_and_once():
    made = []

    def make():
        made.append(1)
        return {"move": SomeOf(("a", "b"))}

    later = Later(make)
    orders = listed(lambda: iter(made))
    assert made == []
    assert (len(later), list(later), later["move"].values) == (1, ["move"], ("a", "b"))
    assert made == [1]
    assert [each.order for each in orders(every)] == [1]

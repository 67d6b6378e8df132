"""Random players and dice, for playouts and tests: the dice of a game come from both players."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.choices import Amount, Choice, OneOf, SomeOf
from pbem.engine.dice import Draw, Roll
from pbem.engine.kernel import violations, waits_for
from pbem.engine.model import Decision, Option, Order, State
from pbem.value import fields, is_value, replace


def legal_samples(state: State[Any], rng: random.Random, tries: int = 30) -> Iterator[Order]:
    """Random legal orders for the present decision, then the default."""
    decision = waits_for(state)
    assert isinstance(decision, Decision)
    for _ in range(tries):
        order = sample(rng.choice(decision.options), rng)
        if order is not None and not violations(state, order):
            yield order
    yield decision.default


def sample(option: Option, rng: random.Random) -> Order | None:
    """An order of one verb, which need not be legal; None where an option has no example of it."""
    if option.examples is None:
        return option.order(**{name: _value(each, rng) for name, each in option.fields.items()})
    examples = list(option.examples(lambda them: [rng.choice(them)] if them else []))
    if not examples:
        return None
    example = rng.choice(examples)
    others = {name: rng.choice(values) for name, values in example.others.items()}
    order: Order = replace(example.order, **others) if rng.random() < 0.5 else example.order
    return thinned(order, rng, example.others) if rng.random() < 0.5 else order


def _value(choice: Choice, rng: random.Random) -> Any:
    match choice:
        case OneOf(values):
            return rng.choice(values) if values else ""
        case SomeOf(values, least, most):
            limit = len(values) if most is None else min(most, len(values))
            return tuple(rng.sample(values, rng.randint(min(least, limit), limit)))
        case Amount(least, most):
            return rng.randint(least, most)


def thinned(order: Any, rng: random.Random, but: Collection[str] = ()) -> Any:
    """The order with some lists shorter, perhaps a part left out; all but the fields `but`."""
    less = {}
    for field in fields(order):
        value = getattr(order, field.name)
        if field.name in but:
            continue
        if isinstance(value, tuple) and len(value) > 1:
            less[field.name] = _some(value, rng)
        elif isinstance(value, Mapping) and value:
            kept = _some(tuple(value), rng)
            less[field.name] = {key: _some(value[key], rng) for key in kept}
        elif is_value(type(value)):
            less[field.name] = thinned(value, rng) if rng.random() < 0.5 else field.default
    return replace(order, **less) if less else order


def _some(values: Any, rng: random.Random) -> Any:
    """Some of what can be counted off; a number or a part of an order as it is."""
    if isinstance(values, int) or is_value(type(values)):
        return values
    return tuple(rng.sample(values, rng.randint(1, len(values))))


class RandomDice:
    """Dice of a seed."""

    def __init__(self, seed: int | str) -> None:
        self._rng = random.Random(f"dice {seed}")

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {draw.label: self._one(draw) for draw in draws}

    def _one(self, draw: Draw) -> Roll:
        if draw.is_sample:
            picked = tuple(self._rng.sample(range(draw.of), draw.take))
            return Roll(draw.label, draw.purpose, picked=picked)
        return Roll(draw.label, draw.purpose, face=self._rng.randint(1, draw.faces))


class ScriptedDice:
    """Dice that fall as written: faces in the order they are asked, for a sample its positions."""

    def __init__(self, *outcomes: int | Sequence[int]) -> None:
        self._outcomes = list(outcomes)

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {draw.label: self._next(draw) for draw in draws}

    def _next(self, draw: Draw) -> Roll:
        assert self._outcomes, f"no scripted outcome is left for {draw.label}"
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, int):
            assert not draw.is_sample and 1 <= outcome <= draw.faces, draw
            return Roll(draw.label, draw.purpose, face=outcome)
        assert draw.is_sample and len(outcome) == draw.take, draw
        return Roll(draw.label, draw.purpose, picked=tuple(outcome))

    @property
    def left(self) -> int:
        """How many outcomes have not been used; a test asks this to see that all were."""
        return len(self._outcomes)

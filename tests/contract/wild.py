"""Orders no sane player would write: every field of every verb filled with whatever comes."""

from __future__ import annotations

import random
import types
import typing
from collections.abc import Mapping
from typing import Any

from pbem.engine.codec import fields_of
from pbem.engine.model import Order
from pbem.value import is_value, replace

ODD_WORDS = ("", "none", "any", "nowhere", "N999", "a space ", "A Space", "0", "-1", "\N{SNOWMAN}",
             "n/1/4", "reserve", "pool", "eliminated", "__class__", "a" * 300)  # fmt: skip
ODD_NUMBERS = (-1, 0, 1, 2, 3, 7, 10**9)


class Wild:
    """Draws values of a type; `words` are the ids of the game, `rng` a random.Random."""

    def __init__(self, rng: random.Random, words: tuple[str, ...]) -> None:
        self.rng = rng
        self.words = words

    def order(self, kind: type[Order]) -> Order:
        return typing.cast(Order, self.record(kind))

    def record(self, kind: type) -> Any:
        values = {}
        for field in fields_of(kind).values():
            if field.is_needed or self.rng.random() < 0.6:
                values[field.name] = self.value(field.hint)
        return kind(**values)

    def value(self, hint: Any) -> Any:
        origin, inside = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return self.value(inside[0])
        if origin in (types.UnionType, typing.Union):
            chosen = self.rng.choice(inside)
            return None if chosen is type(None) else self.value(chosen)
        if origin is tuple and inside[-1] is Ellipsis:
            return tuple(self.value(inside[0]) for _ in range(self.rng.randint(0, 4)))
        if origin is tuple:
            return tuple(self.value(each) for each in inside)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {self.word(): self.value(inside[1]) for _ in range(self.rng.randint(0, 3))}
        if is_value(hint):
            return self.record(typing.cast(type, hint))
        if hint is bool:
            return self.rng.random() < 0.5
        if hint is int:
            return self.rng.choice(ODD_NUMBERS)
        return self.word()

    def word(self) -> str:
        return self.rng.choice(ODD_WORDS if self.rng.random() < 0.15 else self.words)

    def document(self, keys: tuple[str, ...], depth: int = 3) -> Any:
        """Plain data of any shape; mappings have some of these keys, and most of them first."""
        shape = self.rng.random() if depth else 1
        if shape < (0.9 if depth == 3 else 0.35):
            chosen = self.rng.sample(keys, self.rng.randint(1, 4))
            return {key: self.document(keys, depth - 1) for key in chosen}
        if shape < 0.7:
            return [self.document(keys, depth - 1) for _ in range(self.rng.randint(0, 3))]
        plain = (*ODD_NUMBERS, True, False, None, *keys, ">=2", "2+", "yes", "table", "n/1/4")
        return self.rng.choice(plain) if self.rng.random() < 0.6 else self.word()

    def mutated(self, order: Order) -> Order:
        """The order with one field changed a little or entirely."""
        known = [*fields_of(type(order)).values()]
        if not known:
            return order
        field = self.rng.choice(known)
        value = getattr(order, field.name)
        if isinstance(value, tuple) and value and self.rng.random() < 0.7:
            changed: Any = self.shuffled(value)
        elif isinstance(value, Mapping) and value and self.rng.random() < 0.7:
            changed = self.rekeyed(value)
        else:
            changed = self.value(field.hint)
        return replace(order, **{field.name: changed})

    def shuffled(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Doubled, without one, turned round, or with a stranger in it."""
        at = self.rng.randrange(len(value))
        stranger = self.word() if isinstance(value[at], str) else value[at]
        return self.rng.choice(
            [(*value, value[at]), value[:at] + value[at + 1 :], value[::-1],
             (*value[:at], stranger, *value[at + 1 :])]
        )  # fmt: skip

    def rekeyed(self, value: Mapping[str, Any]) -> dict[str, Any]:
        keys = list(value)
        key = self.rng.choice(keys)
        rest = {each: value[each] for each in keys if each != key}
        if self.rng.random() < 0.3:
            return rest
        if isinstance(value[key], tuple) and value[key] and self.rng.random() < 0.5:
            return {**value, key: self.shuffled(value[key])}
        if isinstance(value[key], str) and self.rng.random() < 0.5:
            return {**value, key: self.word()}
        return {**rest, self.word(): value[key]}

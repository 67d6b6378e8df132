"""Orders no sane player would write: every field of every verb filled with whatever comes."""

from __future__ import annotations

import random
import types
import typing
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pbem.engine.codec import WrittenField, fields_of
from pbem.engine.model import Order
from pbem.value import is_value, replace

ODD_WORDS = ("", "none", "any", "nowhere", "N999", "a space ", "A Space", "0", "-1", "\N{SNOWMAN}",
             "n/1/4", "reserve", "pool", "eliminated", "__class__", "a" * 300)  # fmt: skip
ODD_NUMBERS = (-1, 0, 1, 2, 3, 7, 10**9)


class Wild:
    """Draws values of a type; `words` are the ids of the game, `rng` a random.Random.

    `kinds` are the ids by what they name. An order with them names what its fields are for, and the
    same thing more than once, so that it says what a rule looks at: a unit that is assigned to
    itself, a way back to where it began.
    """

    def __init__(
        self, rng: random.Random, words: tuple[str, ...],
        kinds: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.rng = rng
        self.words = words
        self.kinds = kinds
        self._drawn: list[str] = []

    def order(self, kind: type[Order]) -> Order:
        self._drawn.clear()
        return typing.cast(Order, self.record(kind))

    def record(self, kind: type) -> Any:
        values = {}
        for field in fields_of(kind).values():
            if field.is_needed or self.rng.random() < 0.6:
                values[field.name] = self.filled(field)
        return kind(**values)

    def filled(self, field: WrittenField) -> Any:
        """A value of a field, one of its words where it has only words; others no reader takes."""
        hint = field.hint
        if field.words and typing.get_origin(hint) in (types.UnionType, typing.Union):
            hint = self.rng.choice(typing.get_args(hint))
        if field.words and hint is str:
            return self.rng.choice((*field.words, self.word()))
        return self.value(hint, field.kinds)

    def value(self, hint: Any, kinds: tuple[str, str] = ("", "")) -> Any:
        """A value of a field; `kinds` says what the keys of a mapping name, and what else does."""
        origin, inside = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return self.value(inside[0], kinds)
        if origin in (types.UnionType, typing.Union):
            chosen = self.rng.choice(inside)
            return None if chosen is type(None) else self.value(chosen, kinds)
        if origin is tuple and inside[-1] is Ellipsis:
            return tuple(self.value(inside[0], kinds) for _ in range(self.rng.randint(0, 4)))
        if origin is tuple:
            return tuple(self.value(each, kinds) for each in inside)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {
                self.word(kinds[0]): self.value(inside[1], kinds)
                for _ in range(self.rng.randint(0, 3))
            }
        if is_value(hint):
            return self.record(typing.cast(type, hint))
        if hint is bool:
            return self.rng.random() < 0.5
        if hint is int:
            return self.rng.choice(ODD_NUMBERS)
        return self.word(kinds[1])

    def word(self, kind: str = "") -> str:
        meant = self.kinds.get(kind)
        if meant and self._drawn and self.rng.random() < 0.2:
            return self.rng.choice(self._drawn)
        if meant and self.rng.random() < 0.7:
            word = self.rng.choice(meant)
            self._drawn.append(word)
            return word
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
            changed = self.filled(field)
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

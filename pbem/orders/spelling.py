"""Orders as players write them: with printed names where the ids of a game say nothing.

The way back is bind.py: what is spelt here reads back as the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.choices import Amount, Choice, Example, OneOf, Some, SomeOf
from pbem.engine.codec import full_hints
from pbem.engine.model import Decision, Option, Order
from pbem.orders.shape import kind_named
from pbem.value import fields, is_value, replace

if TYPE_CHECKING:
    from pbem.orders.bind import Names

Spell = Callable[[str, str], str]
"""From a kind and an id of it, the name to write."""


def spelt(order: Order, names: Names) -> Order:
    """The order with printed names where players write these."""
    return _respelt(order, names.spelt) if names.by_name else order


def unspelt(order: Order, names: Names) -> Order:
    """The order of `spelt` with ids again."""
    return _respelt(order, lambda kind, name: names.find(kind, name) or name)


def spelt_decision(decision: Decision, names: Names, spell: Spell | None = None) -> Decision:
    """The question with its choices as players write them, or as `spell` writes them."""
    if spell is None and not names.by_name:
        return decision
    spell = spell or names.spelt
    options = tuple(_option(option, spell) for option in decision.options)
    return replace(decision, options=options, default=_respelt(decision.default, spell))


def noting(names: Names, met: dict[str, str]) -> Spell:
    """Spells like `names`, and records in `met` the meaning of each letter it uses."""

    def spell(kind: str, name: str) -> str:
        printed = names.known(kind).get(name, "") if kind in names.by_letter else ""
        if printed not in ("", name):
            met[name] = printed
        return names.spelt(kind, name)

    return spell


def _option(option: Option, spell: Spell) -> Option:
    examples = option.examples
    kind = option.order
    choices = {name: _choice(kind, name, each, spell) for name, each in option.fields.items()}
    if examples is None:
        return replace(option, fields=choices)

    def respelt(some: Some) -> list[Example]:
        return [_example(each, spell) for each in examples(some)]

    return replace(option, fields=choices, examples=respelt)


def _example(example: Example, spell: Spell) -> Example:
    kind = type(example.order)
    others = {
        name: tuple(_of_field(kind, name, each, spell) for each in values)
        for name, values in example.others.items()
    }
    return replace(example, order=_respelt(example.order, spell), others=others)


def _choice(kind: type, name: str, choice: Choice, spell: Spell) -> Choice:
    if isinstance(choice, Amount):
        return choice
    values = tuple(_of_field(kind, name, each, spell) for each in choice.values)
    made: OneOf | SomeOf = replace(choice, values=values)
    return made


def _respelt(written: Any, spell: Spell) -> Any:
    """An order, or a part of one, with each name in it spelt."""
    kind = type(written)
    changed = {
        field.name: _of_field(kind, field.name, getattr(written, field.name), spell)
        for field in fields(kind)
    }
    return replace(written, **changed) if changed else written


def _of_field(kind: type, name: str, value: Any, spell: Spell) -> Any:
    hint = full_hints(kind)[name]
    field = next(each for each in fields(kind) if each.name == name)
    return _value(value, kind_named(field, hint), spell)


def _value(value: Any, kinds: tuple[str, str], spell: Spell) -> Any:
    keys, values = kinds
    if is_value(type(value)):
        return _respelt(value, spell)
    if isinstance(value, str):
        return spell(values, value) if values else value
    if isinstance(value, Mapping):
        return {
            spell(keys, key) if keys else key: _value(each, kinds, spell)
            for key, each in value.items()
        }
    if isinstance(value, tuple | list | frozenset):
        return type(value)(_value(each, kinds, spell) for each in value)
    return value

"""The names in an order: which fields have any, of what kind, and the order with other names."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from pbem.engine.codec import full_hints
from pbem.value import Field, fields, is_value, replace

T = TypeVar("T")
Spell = Callable[[str, str], str]
"""From a kind and an id of it, the name to write."""


def kind_named(field: Field, hint: Any) -> tuple[str, str]:
    """The kinds that the keys and the values of a field name; empty for what is no name."""
    keys, values = _annotated(hint)
    return str(field.metadata.get("key", keys)), str(field.metadata.get("kind", values))


def _annotated(hint: Any) -> tuple[str, str]:
    """The words in `Annotated[str, "hex"]`, however deep, for keys and for values."""
    if typing.get_origin(hint) is typing.Annotated:
        word = next((each for each in hint.__metadata__ if isinstance(each, str)), "")
        return "", word or _annotated(hint.__origin__)[1]
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _annotated(inside[0])[1], _annotated(inside[1])[1]
    found = [_annotated(each) for each in inside]
    return (
        next((keys for keys, _ in found if keys), ""),
        next((values for _, values in found if values), ""),
    )


@cache
def _kinds(order: type) -> Mapping[str, tuple[str, str]]:
    """The kinds that each field of an order, or of a part of one, names."""
    hints = full_hints(order)
    return {each.name: kind_named(each, hints[each.name]) for each in fields(order)}


def respelt(written: T, spell: Spell) -> T:
    """An order, or a part of one, with each name in it spelt."""
    order: type = type(written)
    kinds = _kinds(order)
    changed = {name: _value(getattr(written, name), kinds[name], spell) for name in kinds}
    return replace(written, **changed) if changed else written


def spelt_field(kind: type, name: str, value: Any, spell: Spell) -> Any:
    """The value of a field of an order with each name in it spelt."""
    return _value(value, _kinds(kind)[name], spell)


def _value(value: Any, kinds: tuple[str, str], spell: Spell) -> Any:
    keys, values = kinds
    if isinstance(value, str):
        return spell(values, value) if values else value
    if is_value(type(value)):
        return respelt(value, spell)
    if isinstance(value, Mapping):
        return {
            spell(keys, key) if keys else key: _value(each, kinds, spell)
            for key, each in value.items()
        }
    if isinstance(value, tuple | list | frozenset):
        return type(value)(_value(each, kinds, spell) for each in value)
    return value


def sorted_names(order: T, kind: str, key: Callable[[str], Any]) -> T:
    """An order with the names of one kind sorted where a field lists them; keys always are. A field
    whose metadata say `in_order` means them as they follow one another.
    """
    written: type = type(order)
    changed: dict[str, Any] = {}
    for field in fields(written):
        values = _kinds(written)[field.name][1]
        said = getattr(order, field.name)
        if values == kind and isinstance(said, tuple) and "in_order" not in field.metadata:
            changed[field.name] = tuple(sorted(said, key=key))
    return replace(order, **changed) if changed else order


def names_in(order: Any, kind: str) -> Iterator[str]:
    """The names of one kind in an order, in the order of its fields."""
    found: list[str] = []

    def note(named: str, name: str) -> str:
        if named == kind:
            found.append(name)
        return name

    respelt(order, note)
    return iter(found)

"""The names in an order: which fields have any, of what kind, and the order with other names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from pbem.engine.codec import fields_of
from pbem.value import is_value, replace

T = TypeVar("T")
Spell = Callable[[str, str], str]
"""From a kind and an id of it, the name to write."""


class NameFinder(Protocol):
    """Finds the ids of what players write."""

    def find(self, kind: str, written: str) -> str | None:
        """The id for what was written, or None."""


def respelt(written: T, spell: Spell) -> T:
    """An order, or a part of one, with each name in it spelt."""
    changed = {
        field.name: _value(getattr(written, field.name), field.kinds, spell)
        for field in fields_of(type(written)).values()
    }
    return replace(written, **changed) if changed else written


def spelt_field(kind: type, name: str, value: Any, spell: Spell) -> Any:
    """The value of a field of an order with each name in it spelt."""
    kinds = next(each.kinds for each in fields_of(kind).values() if each.name == name)
    return _value(value, kinds, spell)


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
    changed: dict[str, Any] = {}
    for field in fields_of(type(order)).values():
        said = getattr(order, field.name)
        if field.kinds[1] == kind and isinstance(said, tuple) and "in_order" not in field.metadata:
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

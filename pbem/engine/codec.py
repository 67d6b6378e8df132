"""Frozen dataclasses to plain values (JSON's) and back, guided by their annotations.

Orders travel in signed entries, events in machine reports, whole states in the local replay cache:
all go through these two functions, so there is one spelling of everything.
Supported: str, int, bool, None, Optional, tuples, frozensets (written sorted), mappings with text
keys, nested dataclasses, and unions of dataclasses through a registry of tags.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from pbem.value import MISSING, Field, fields, is_value

T = TypeVar("T")


class Misfit(ValueError):
    """A plain value does not fit the type; `path` leads to the place inside it."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def to_plain(value: Any) -> Any:
    """The value as JSON knows it. Fields that hold their default are left out."""
    if value is None or isinstance(value, str | int | bool):
        return value
    if is_value(value):
        return {
            written_name(field): to_plain(getattr(value, field.name))
            for field in _written_fields(value.__class__)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, Mapping):
        return {str(key): to_plain(value[key]) for key in sorted(value)}
    if isinstance(value, frozenset):
        return [to_plain(item) for item in sorted(value)]
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    raise TypeError(f"no plain form for {type(value).__name__}")


def from_plain(kind: type[T], plain: Any) -> T:
    """The typed value. Raises Misfit, with the path, for anything that does not fit."""
    return typing.cast(T, _read(kind, plain, ()))


@functools.cache
def _written_fields(kind: type) -> tuple[Field, ...]:
    return tuple(fields(kind))


def written_name(field: Field) -> str:
    """The name players write; it differs where Python keeps the word for itself (`for`)."""
    return str(field.metadata.get("written", field.name))


def _default(field: Field) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


@functools.cache
def hints(kind: type) -> dict[str, Any]:
    """The resolved annotations of a dataclass."""
    return typing.get_type_hints(kind)


def _read(kind: Any, plain: Any, path: tuple[str | int, ...]) -> Any:
    if kind is Any:
        return plain
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        return _read_union(typing.get_args(kind), plain, path)
    if origin is tuple:
        return _read_tuple(typing.get_args(kind), plain, path)
    if origin is frozenset:
        return frozenset(_read_tuple((typing.get_args(kind)[0], ...), plain, path))
    if origin is not None and issubclass(origin, Mapping):
        return _read_mapping(typing.get_args(kind)[1], plain, path)
    if is_value(kind):
        return _read_dataclass(kind, plain, path)
    return _read_scalar(getattr(kind, "__supertype__", kind), plain, path)


def _read_scalar(kind: Any, plain: Any, path: tuple[str | int, ...]) -> Any:
    if type(plain) is kind:
        return plain
    wanted = {str: "a name", int: "a whole number", bool: "true or false"}.get(kind, str(kind))
    raise Misfit(f"{wanted} is wanted here, not {_sort_of(plain)}", path)


def _read_union(kinds: tuple[Any, ...], plain: Any, path: tuple[str | int, ...]) -> Any:
    if plain is None and type(None) in kinds:
        return None
    real = [kind for kind in kinds if kind is not type(None)]
    failure: Misfit | None = None
    for kind in real:
        try:
            return _read(kind, plain, path)
        except Misfit as misfit:
            if failure is None or len(misfit.path) > len(failure.path):
                failure = misfit
    assert failure is not None
    raise failure


def _read_tuple(kinds: tuple[Any, ...], plain: Any, path: tuple[str | int, ...]) -> Any:
    if not isinstance(plain, list | tuple):
        raise Misfit(f"a list is wanted here, not {_sort_of(plain)}", path)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_read(kinds[0], item, (*path, i)) for i, item in enumerate(plain))
    if len(plain) != len(kinds):
        raise Misfit(f"a list of {len(kinds)} is wanted here, not of {len(plain)}", path)
    return tuple(
        _read(kind, item, (*path, i))
        for i, (kind, item) in enumerate(zip(kinds, plain, strict=True))
    )


def _read_mapping(kind: Any, plain: Any, path: tuple[str | int, ...]) -> Any:
    if not isinstance(plain, Mapping):
        raise Misfit(f"a mapping is wanted here, not {_sort_of(plain)}", path)
    return {key: _read(kind, item, (*path, key)) for key, item in plain.items()}


def _read_dataclass(kind: Any, plain: Any, path: tuple[str | int, ...]) -> Any:
    if not isinstance(plain, Mapping):
        raise Misfit(f"a mapping is wanted here, not {_sort_of(plain)}", path)
    known = {written_name(field): field for field in _written_fields(kind)}
    for key in plain:
        if key not in known:
            raise Misfit(f"no field {key!r} here", (*path, key))
    values = {
        field.name: _read(hints(kind)[field.name], plain[name], (*path, name))
        for name, field in known.items()
        if name in plain
    }
    for name, field in known.items():
        if name not in plain and _default(field) is MISSING:
            raise Misfit(f"the field {name!r} is missing", path)
    return kind(**values)


def _sort_of(plain: Any) -> str:
    if plain is None:
        return "nothing"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, int):
        return f"the number {plain}"
    if isinstance(plain, str):
        return f"the text {plain[:40]!r}"
    return "a list" if isinstance(plain, list | tuple) else "a mapping"

"""Frozen dataclasses to plain values (JSON's) and back, guided by their annotations.

Supported: str, int, bool, None, Optional, tuples, frozensets (written sorted), mappings with text
keys, nested dataclasses, and unions of dataclasses through a registry of tags.

There are two forms, which differ in how a mapping is written. In a file (`to_plain`, `from_plain`)
it is a list of pairs, sorted by key, because keys are ids of the game such as "3/7Leg" or "2007"
and not member names. Where players write (`to_written`, `from_written`) it is a mapping.
"""

from __future__ import annotations

import functools
import operator
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from pbem.messages import Said, marked, say
from pbem.value import MISSING, Field, fields, is_value

T = TypeVar("T")
Path = tuple[str | int, ...]
Keyed = Callable[[Any], Iterable[tuple[str, Any]]]
"""How the pairs of a mapping are read: as a file has them, or as players write them."""
Reader = Callable[[Any, Keyed], Any]
"""What reads a plain value."""


class Misfit(ValueError):
    """A plain value does not fit the type; `path` leads to the place inside it.

    Each reader that it passes puts its own part in front.
    """

    def __init__(self, message: Said, path: Path = ()) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def to_plain(value: Any) -> Any:
    """The value as it is written to a file. Fields with their default value are left out."""
    return _spelled(value, pairs)


def to_written(value: Any) -> Any:
    """The value as players write it: a mapping stays a mapping."""
    return _spelled(value, dict)


def pairs(mapping: Mapping[str, Any]) -> list[list[Any]]:
    """A mapping of ids as it is written to a file: [[id, value], ...], sorted by code points."""
    return [[str(key), mapping[key]] for key in sorted(mapping)]


def _spelled(value: Any, mapped: Callable[[dict[str, Any]], Any]) -> Any:
    if value is None or isinstance(value, str | int | bool):
        return value
    if is_value(value):
        return {
            written_name(field): _spelled(getattr(value, field.name), mapped)
            for field in _written_fields(value.__class__)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, Mapping):
        return mapped({str(key): _spelled(value[key], mapped) for key in sorted(value)})
    if isinstance(value, frozenset):
        return [_spelled(item, mapped) for item in sorted(value)]
    if isinstance(value, tuple | list):
        return [_spelled(item, mapped) for item in value]
    raise TypeError(f"no plain form for {type(value).__name__}")


def from_plain(kind: type[T], plain: Any) -> T:
    """The typed value of a plain one from a file. Raises Misfit, with the path, if it does not fit.

    Pairs must be sorted and no id may occur twice: each value has exactly one form.
    """
    return typing.cast(T, _read(kind, plain, _from_pairs))


def from_written(kind: type[T], written: Any) -> T:
    """The typed value of what a player wrote. Raises Misfit like `from_plain`."""
    return typing.cast(T, _read(kind, written, _from_mapping))


@functools.cache
def _written_fields(kind: type) -> tuple[Field, ...]:
    return tuple(fields(kind))


def written_name(field: Field) -> str:
    """The name players write; it differs where the field's name is a keyword of Python (`for`)."""
    return str(field.metadata.get("written", field.name))


def _default(field: Field) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


@functools.cache
def full_hints(kind: type) -> dict[str, Any]:
    """The annotations of a dataclass by its fields, with the kinds of names in them."""
    return {each.name: _meant(each.type, _declaring(kind, each)) for each in fields(kind)}


def _declaring(kind: type, field: Field) -> str:
    return next(
        base.__module__ for base in kind.__mro__
        if field.name in vars(base).get("__annotations__", ())
    )  # fmt: skip


@functools.cache
def _meant(written: Any, module: str) -> Any:
    """The type that an annotation of a module means.

    `typing.get_type_hints` compiles every annotation again wherever it is used, including class
    variables; that took a fiftieth of a cold command.
    """
    return eval(written, vars(import_module(module))) if isinstance(written, str) else written


@functools.cache
def hints(kind: type) -> dict[str, Any]:
    """The annotations of a dataclass by its fields, without the kinds of names."""
    return {name: _without_kinds(hint) for name, hint in full_hints(kind).items()}


def _without_kinds(hint: Any) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _without_kinds(inner[0])
    plain = tuple(map(_without_kinds, inner))
    if plain == inner:
        return hint
    return functools.reduce(operator.or_, plain) if origin is types.UnionType else origin[plain]


def _read(kind: Any, plain: Any, keyed: Keyed) -> Any:
    return _reader(kind)(plain, keyed)


@functools.cache
def _reader(kind: Any) -> Reader:
    """The reader for values of this annotation, cached."""
    if kind is Any:
        return lambda plain, keyed: plain
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        real = tuple(_reader(each) for each in inner if each is not type(None))
        return functools.partial(_read_union, real, len(real) < len(inner))
    if origin is tuple and inner[1:] == (Ellipsis,):
        return functools.partial(_read_items, _reader(inner[0]))
    if origin is tuple:
        return functools.partial(_read_row, tuple(map(_reader, inner)))
    if origin is frozenset:
        return functools.partial(_read_set, _reader(inner[0]))
    if origin is not None and issubclass(origin, Mapping):
        return functools.partial(_read_mapping, _reader(inner[1]))
    if is_value(kind):
        return functools.partial(_read_dataclass, kind)
    return functools.partial(_read_scalar, getattr(kind, "__supertype__", kind))


SORTS = {str: marked("a name"), int: marked("a whole number"), bool: marked("true or false")}


def _read_scalar(kind: Any, plain: Any, keyed: Keyed) -> Any:
    if type(plain) is kind:
        return plain
    wanted = say(SORTS[kind]) if kind in SORTS else str(kind)
    raise Misfit(say("expected {wanted} here, not {found}", wanted=wanted, found=_sort_of(plain)))


def _read_union(kinds: tuple[Reader, ...], may_be_none: bool, plain: Any, keyed: Keyed) -> Any:
    if plain is None and may_be_none:
        return None
    failure: Misfit | None = None
    for read in kinds:
        try:
            return read(plain, keyed)
        except Misfit as misfit:
            if failure is None or len(misfit.path) > len(failure.path):
                failure = misfit
    assert failure is not None
    raise failure


def _read_row(kinds: tuple[Reader, ...], plain: Any, keyed: Keyed) -> Any:
    _check_list(plain)
    if len(plain) != len(kinds):
        raise Misfit(
            say(
                "expected a list of {wanted} here, not of {given}",
                wanted=len(kinds),
                given=len(plain),
            )
        )
    return _each(zip(kinds, plain, strict=True), keyed)


def _read_items(read: Reader, plain: Any, keyed: Keyed) -> tuple[Any, ...]:
    _check_list(plain)
    return _each(((read, item) for item in plain), keyed)


def _check_list(plain: Any) -> None:
    if not isinstance(plain, list | tuple):
        raise Misfit(say("expected a list here, not {found}", found=_sort_of(plain)))


def _each(items: Iterable[tuple[Reader, Any]], keyed: Keyed) -> tuple[Any, ...]:
    found: list[Any] = []
    try:
        for read, item in items:
            found.append(read(item, keyed))
    except Misfit as misfit:
        misfit.path = (len(found), *misfit.path)
        raise
    return tuple(found)


def _read_set(read: Reader, plain: Any, keyed: Keyed) -> frozenset[Any]:
    items = _read_items(read, plain, keyed)
    if keyed is _from_pairs and list(items) != sorted(set(items)):
        raise Misfit(say("these must be sorted, and none listed twice"))
    return frozenset(items)


def _read_mapping(read: Reader, plain: Any, keyed: Keyed) -> Any:
    found = {}
    for key, item in keyed(plain):
        try:
            found[key] = read(item, keyed)
        except Misfit as misfit:
            misfit.path = (key, *misfit.path)
            raise
    return found


def _from_mapping(plain: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(plain, Mapping):
        raise Misfit(say("expected a mapping here, not {found}", found=_sort_of(plain)))
    return plain.items()


def _from_pairs(plain: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(plain, list | tuple):
        raise Misfit(say("expected a list of pairs here, not {found}", found=_sort_of(plain)))
    before = None
    for i, pair in enumerate(plain):
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            raise Misfit(say("expected a pair of a name and a value here"), (i,))
        if before is not None and pair[0] <= before:
            told = say(
                "{key} is listed twice" if pair[0] == before
                else "{key} belongs before {before}: pairs must be sorted",
                key=repr(pair[0][:40]), before=repr(before[:40]),
            )  # fmt: skip
            raise Misfit(told, (i,))
        before = pair[0]
        yield before, pair[1]


def _read_dataclass(kind: Any, plain: Any, keyed: Keyed) -> Any:
    if not isinstance(plain, Mapping):
        raise Misfit(say("expected a mapping here, not {found}", found=_sort_of(plain)))
    known = _members(kind)
    for key in plain:
        if key not in known:
            raise Misfit(say("no field {key} here", key=repr(key)), (key,))
    values = {}
    for name, (field, read, _) in known.items():
        if name in plain:
            try:
                values[field] = read(plain[name], keyed)
            except Misfit as misfit:
                misfit.path = (name, *misfit.path)
                raise
    if len(values) < len(known):
        for name, (_, _, is_needed) in known.items():
            if is_needed and name not in plain:
                raise Misfit(say("the field {name} is missing", name=repr(name)))
    return kind(**values)


@functools.cache
def _members(kind: type) -> dict[str, tuple[str, Reader, bool]]:
    """The fields of a dataclass by the names players write: the name of each, its reader, and
    whether it has no default.
    """
    of = hints(kind)
    return {
        written_name(each): (each.name, _reader(of[each.name]), _default(each) is MISSING)
        for each in _written_fields(kind)
    }


def _sort_of(plain: Any) -> Said:
    if plain is None:
        return say("nothing")
    if isinstance(plain, bool):
        return say("true") if plain else say("false")
    if isinstance(plain, int):
        return say("the number {plain}", plain=plain)
    if isinstance(plain, str):
        return say("the text {plain}", plain=repr(plain[:40]))
    return say("a list") if isinstance(plain, list | tuple) else say("a mapping")

"""Frozen dataclasses to plain values (JSON's) and back, guided by their annotations.

Supported: str, int, bool, None, Optional, tuples, frozensets (written sorted), mappings with text
keys, nested dataclasses, and unions of dataclasses through a registry of tags.

There are two forms, which differ in how a mapping is written. In a file (`to_plain`, `from_plain`)
it is a list of pairs, sorted by key, because keys are ids of the game such as "3/7Leg" or "2007"
and not member names. Where players write (`to_written`, `from_written`) it is a mapping.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

from pbem.messages import Said, either, marked, say
from pbem.value import MISSING, Field, fields, is_value, value

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


def pairs(mapping: Mapping[Any, Any]) -> list[list[Any]]:
    """A mapping of ids as it is written to a file: [[id, value], ...], sorted by code points."""
    return [[str(key), mapping[key]] for key in sorted(mapping)]


def pairs_as_laid(mapping: Mapping[str, Any]) -> list[list[Any]]:
    """The same in the order of the mapping: where it is that of the board."""
    return [[key, each] for key, each in mapping.items()]


def _spelled(value: Any, mapped: Callable[[dict[str, Any]], Any]) -> Any:
    if value is None or isinstance(value, str | int | bool):
        return value
    if is_value(value):
        return {
            name: _spelled(getattr(value, field.name), mapped)
            for name, field in fields_of(value.__class__).items()
            if getattr(value, field.name) != field.default
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


@value
class WrittenField:
    """A field as it is written and read, of an order, of a part of one or of another value."""

    name: str
    of: type
    """The class that has it."""
    annotation: Any
    """As it is written in that class, or in one of its bases."""
    default: Any
    """What it has where nothing is written; MISSING if it must be given."""
    metadata: Mapping[str, Any]

    @property
    def is_needed(self) -> bool:
        """Whether it must be given."""
        return self.default is MISSING

    @property
    def words(self) -> tuple[str, ...]:
        """The only words it may have (its metadata `words`), in order; empty: any text."""
        return tuple(self.metadata.get("words", ()))

    @cached_property
    def hint(self) -> Any:
        """What its annotation means, with the kinds of names in it."""
        return _meant(self.annotation, _declaring(self.of, self.name))

    @cached_property
    def kinds(self) -> tuple[str, str]:
        """The kinds of things that its keys and its values name; empty for what is no name."""
        keys, values = _annotated(self.hint)
        return str(self.metadata.get("key", keys)), str(self.metadata.get("kind", values))

    @cached_property
    def read(self) -> Reader:
        """What reads its value; a text has to be one of its words, if it has any."""
        read = _reader(self.hint)
        return functools.partial(_read_word, self, read) if self.words else read


def _fields_of(kind: type) -> Mapping[str, WrittenField]:
    return {
        str(each.metadata.get("written", each.name)): WrittenField(
            each.name, kind, each.type, _default(each), each.metadata
        )
        for each in fields(kind)
    }


fields_of: Callable[[type], Mapping[str, WrittenField]] = functools.cache(_fields_of)
"""The fields of a value by the names players write; these differ where the field's name is a
keyword of Python (`for`)."""


def _annotated(hint: Any) -> tuple[str, str]:
    """The words in `Annotated[str, "hex"]`, however deep in an annotation, for keys and values."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return "", str(inside[1])
    found = [_annotated(each) for each in inside]
    if is_mapping(hint):
        return found[0][1], found[1][1]
    return (
        next((keys for keys, _ in found if keys), ""),
        next((values for _, values in found if values), ""),
    )


def _default(field: Field) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _declaring(kind: type, name: str) -> str:
    return next(
        base.__module__ for base in kind.__mro__
        if name in vars(base).get("__annotations__", ())
    )  # fmt: skip


@functools.cache
def _meant(written: Any, module: str) -> Any:
    """The type that an annotation of a module means.

    `typing.get_type_hints` compiles every annotation again wherever it is used, including class
    variables; that took a fiftieth of a cold command.
    """
    return eval(written, vars(import_module(module))) if isinstance(written, str) else written


def is_mapping(hint: Any) -> bool:
    """Whether an annotation is that of a mapping."""
    origin = typing.get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def bare(hint: Any) -> Any:
    """An annotation without the kind of thing that it names."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def _read(kind: Any, plain: Any, keyed: Keyed) -> Any:
    return _reader(kind)(plain, keyed)


@functools.cache
def _reader(kind: Any) -> Reader:
    """The reader for values of this annotation, cached."""
    if kind is Any:
        return lambda plain, keyed: plain
    kind = bare(kind)
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
    if is_mapping(kind):
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


def _read_word(field: WrittenField, read: Reader, plain: Any, keyed: Keyed) -> Any:
    """A text in a field that has words is one of them, or what it has where nothing is written."""
    found = read(plain, keyed)
    if isinstance(found, str) and found not in (*field.words, field.default):
        wanted = either([repr(word) for word in field.words])
        raise Misfit(
            say("expected {wanted} here, not {found}", wanted=wanted, found=_sort_of(plain))
        )
    return found


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
    known = fields_of(kind)
    for key in plain:
        if key not in known:
            raise Misfit(say("no field {key} here", key=repr(key)), (key,))
    values = {}
    for name, field in known.items():
        if name in plain:
            try:
                values[field.name] = field.read(plain[name], keyed)
            except Misfit as misfit:
                misfit.path = (name, *misfit.path)
                raise
    if len(values) < len(known):
        for name, field in known.items():
            if field.is_needed and name not in plain:
                raise Misfit(say("the field {name} is missing", name=repr(name)))
    return kind(**values)


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

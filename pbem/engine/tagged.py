"""Our own objects as JSON that names their classes, and back.

It is for what one machine keeps for itself from one command to the next, sealed by the caller.
`codec.py` has the public form, which is guided by annotations; here every object names its class,
so that reading it back needs no annotations and runs no code of the classes.

The first line lists the classes, each with its fields (MADE where `__reduce__` says what its
objects are made of, null where it is no value); the second has the object. Texts, numbers, truth
values and None are themselves; a mapping with text keys is a JSON object, in its order; a list is a
JSON list. Any other object has TAG: the number of a class, the name of a sort of collection, or
SEEN for an object that came before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from pbem.value import fields, is_value

TAG = "!"
SEEN = "seen"
MADE = "made"
_LEAVES = frozenset((str, int, bool, type(None)))


class Unkeepable(Exception):
    """An object that cannot be written, or a text that cannot be read."""


def dumped(thing: Any, given: Mapping[type, str]) -> bytes:
    """The bytes of an object. `given` names the classes whose objects the reader supplies.

    Raises Unkeepable for an object that cannot be written.
    """
    writer = _Writer(given)
    body = _text(writer.plain(thing))
    return _text(writer.kinds) + b"\n" + body


def _text(plain: Any) -> bytes:
    written = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
    return written.encode("utf-8", "surrogatepass")


class _Writer:
    """The state of writing: the classes met, and the objects that may occur again."""

    def __init__(self, given: Mapping[type, str]) -> None:
        self.given = given
        self.kinds: list[tuple[str, list[str] | str | None]] = []
        self._numbers: dict[type, int] = {}
        self._seen: dict[int, int] = {}

    def plain(self, thing: Any) -> Any:
        kind = type(thing)
        if kind in _LEAVES:
            return thing
        if kind in self.given:
            return {TAG: "given", "of": self.given[kind]}
        if kind is list:
            return [self.plain(each) for each in thing]
        if kind is tuple:
            return self._tuple(thing)
        if kind is dict:
            return self._mapping(thing)
        if kind in (frozenset, set):
            listed = tuple(sorted(thing, key=repr))
            return {TAG: kind.__name__, "of": self.plain(listed)}
        if kind is bytes:
            return {TAG: "bytes", "of": thing.hex()}
        return self._object(thing, kind)

    def _tuple(self, thing: tuple[Any, ...]) -> Any:
        if thing and all(
            type(row) is tuple and all(type(each) in _LEAVES for each in row) for row in thing
        ):
            return {TAG: "rows", "of": thing}
        return {TAG: "tuple", "of": [self.plain(each) for each in thing]}

    def _mapping(self, thing: dict[Any, Any]) -> Any:
        if all(type(key) is str for key in thing) and TAG not in thing:
            return {key: self.plain(each) for key, each in thing.items()}
        keys = self.plain(tuple(thing))  # before the values, as they will be read
        return {TAG: "mapping", "keys": keys, "of": self.plain(tuple(thing.values()))}

    def _object(self, thing: Any, kind: type) -> Any:
        if id(thing) in self._seen:
            return {TAG: SEEN, "of": self._seen[id(thing)]}
        names, of = _shape(kind), self._content(thing, kind)
        number = self._numbers.setdefault(kind, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append((f"{kind.__module__}:{kind.__qualname__}", names))
        self._seen[id(thing)] = len(self._seen)  # it is read when all it holds was read
        return {TAG: number, "of": of}

    def _content(self, thing: Any, kind: type) -> Any:
        if "." in kind.__qualname__ or not kind.__module__.startswith("pbem."):
            raise Unkeepable(kind.__qualname__)
        shape = _shape(kind)
        if shape == MADE:
            same, arguments = thing.__reduce__()
            if same is not kind:
                raise Unkeepable(kind.__qualname__)
            return [self.plain(each) for each in arguments]
        if kind.__new__ is not object.__new__:
            raise Unkeepable(kind.__qualname__)
        content = thing.__getstate__() if hasattr(thing, "__getstate__") else vars(thing)
        if content is None:  # an object with nothing in it
            content = {}
        if type(content) is not dict:
            raise Unkeepable(kind.__qualname__)
        if shape is None:
            return {name: self.plain(each) for name, each in content.items()}
        return [self.plain(content[name]) for name in shape]


@cache
def _shape(kind: type) -> list[str] | str | None:
    """The fields of a value, MADE where a class says itself what its objects are made of, None for
    any other.
    """
    if "__reduce__" in vars(kind):
        return MADE
    return [each.name for each in fields(kind)] if is_value(kind) else None


def loaded(content: bytes, parts: tuple[str, ...], given: Mapping[str, Any]) -> Any:
    """The object again, from modules whose names begin with one of `parts`.

    Raises Unkeepable, or whatever JSON raises, for anything that `dumped` would not write.
    """
    head, _, body = content.partition(b"\n")
    seen: list[Any] = []
    makers: dict[Any, Callable[[Any], Any]] = {
        "tuple": tuple,
        "rows": lambda of: tuple(map(tuple, of)),
        "frozenset": frozenset,
        "set": set,
        "bytes": bytes.fromhex,
        "given": given.__getitem__,
        SEEN: seen.__getitem__,
    }
    for number, (tag, names) in enumerate(json.loads(head)):
        makers[number] = _maker(tag, names, parts, seen.append)

    def made(found: dict[str, Any]) -> Any:
        tag = found.get(TAG)
        if tag is None:
            return found
        if tag == "mapping":
            return dict(zip(found["keys"], found["of"], strict=True))
        return makers[tag](found["of"])

    return json.loads(body, object_hook=made)


def _maker(
    tag: str, names: list[str] | str | None, parts: tuple[str, ...], note: Callable[[Any], None]
) -> Callable[[Any], Any]:
    """Makes objects of a class from their content, and records each."""
    module, _, name = tag.partition(":")
    if not module.startswith(parts):
        raise Unkeepable(tag)
    kind: Any = getattr(import_module(module), name, None)
    if not isinstance(kind, type):
        raise Unkeepable(tag)
    if names != _shape(kind):
        raise Unkeepable(tag)
    new = object.__new__

    def built(of: Any) -> Any:
        thing = kind(*of)
        note(thing)
        return thing

    def filled(of: Any) -> Any:
        thing: Any = new(kind)
        thing.__dict__.update(of if names is None else zip(names, of, strict=True))
        note(thing)
        return thing

    return built if names == MADE else filled

"""value: a frozen dataclass that is cheap to define.

`dataclasses.dataclass` writes and compiles the source of six methods for every class, which costs
a cold command more than all else it does: a game is made of some hundreds of small values. Here
the same methods are shared functions over the class's fields. `dataclasses.fields`, `replace` and
`is_dataclass` know these classes as their own (decisions/ tells what was measured).
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def value(cls: type[T]) -> type[T]:
    """Makes a class a frozen dataclass: fields by annotation, equality and hash by content."""
    made: Any = cls
    made.__dataclass_fields__ = _Later("__dataclass_fields__", _fields)
    made.__shape__ = _Later("__shape__", _Shape)
    setattr(made, "__match_args__", _Later("__match_args__", _names))  # noqa: B010
    made.__dataclass_params__ = _PARAMS
    for name, method in SHARED.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    return cls


class _Later:
    """A class attribute that is worked out when it is first asked for: most values of a game are
    never made by a command."""

    def __init__(self, name: str, make: Any) -> None:
        self.name = name
        self.make = make

    def __get__(self, instance: Any, kind: Any) -> Any:
        owner = next(each for each in kind.__mro__ if each.__dict__.get(self.name) is self)
        found = self.make(owner)
        setattr(owner, self.name, found)
        return found


def _names(kind: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = kind.__shape__.names
    return names


class _Params:
    """What `dataclasses` asks of a base class when a dataclass is derived from it."""

    init = repr = eq = frozen = True
    order = unsafe_hash = False


_PARAMS = _Params()
_SAMPLE: Any = dataclasses.fields(dataclasses.make_dataclass("_Sample", ["it"]))[0]
"""Shows how `dataclasses` marks a field that is one of an instance."""


def _fields(cls: Any) -> dict[str, dataclasses.Field[Any]]:
    """The fields of the bases, then the class's own, in the order they are written."""
    found: dict[str, dataclasses.Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        found.update(getattr(base, "__dataclass_fields__", {}))
    own = cls.__dict__
    for name, kind in own.get("__annotations__", {}).items():
        if "ClassVar" in str(kind):
            continue
        given = own.get(name, dataclasses.MISSING)
        is_field = isinstance(given, dataclasses.Field)
        field: Any = given if is_field else dataclasses.field(default=given)
        field.name, field.type, field._field_type = name, kind, _SAMPLE._field_type
        field.kw_only = False
        if is_field:
            if field.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
        found[name] = field
    return found


class _Shape:
    """What the shared methods need to know of a class; worked out once."""

    def __init__(self, made: Any) -> None:
        fields = dataclasses.fields(made)
        self.names = tuple(field.name for field in fields)
        self.known = frozenset(self.names)
        self.compared = tuple(field.name for field in fields if field.compare)
        self.shown = tuple(field.name for field in fields if field.repr)
        missing = dataclasses.MISSING
        self.defaults = {f.name: f.default for f in fields if f.default is not missing}
        self.makers = [
            (f.name, f.default_factory) for f in fields if f.default_factory is not missing
        ]
        self.after = getattr(made, "__post_init__", None)


def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
    shape = type(self).__shape__
    content = self.__dict__
    content.update(shape.defaults)
    content.update(zip(shape.names, args, strict=False))
    content.update(kwargs)
    for name, make in shape.makers:
        if name not in content:
            content[name] = make()
    if len(content) != len(shape.names) or len(args) > len(content):
        raise TypeError(_misfit(self, args, kwargs))
    if args and kwargs and not kwargs.keys().isdisjoint(shape.names[: len(args)]):
        raise TypeError(_misfit(self, args, kwargs))
    if shape.after is not None:
        shape.after(self)


def _misfit(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """What is wrong with the arguments, for the programmer."""
    names, kind = self.__shape__.names, type(self).__name__
    strange = [name for name in kwargs if name not in names]
    if strange:
        return f"{kind} has no field {', '.join(strange)}"
    lacking = [name for name in names if name not in self.__dict__]
    if lacking:
        return f"{kind} needs {', '.join(lacking)}"
    return f"{kind} is given a field twice, or {len(args)} values for {len(names)} fields"


def __repr__(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__shape__.shown)
    return f"{type(self).__qualname__}({shown})"


def __eq__(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    mine, theirs = self.__dict__, other.__dict__
    shape: _Shape = self.__shape__
    return all(mine[name] == theirs[name] for name in shape.compared)


def __hash__(self: Any) -> int:
    content = self.__dict__
    return hash((type(self), *(content[name] for name in self.__shape__.compared)))


def __setattr__(self: Any, name: str, item: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to {name!r}")


def __delattr__(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete {name!r}")


def __getstate__(self: Any) -> dict[str, Any]:
    """The fields alone: what was worked out from them is not stored."""
    content = self.__dict__
    return {field.name: content[field.name] for field in dataclasses.fields(self)}


def __setstate__(self: Any, state: dict[str, Any]) -> None:
    self.__dict__.update(state)


SHARED = {
    method.__name__: method
    for method in (
        __init__, __repr__, __eq__, __hash__, __setattr__, __delattr__, __getstate__, __setstate__
    )
}  # fmt: skip

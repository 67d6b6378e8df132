"""value: a frozen dataclass that is cheap to define.

`dataclasses.dataclass` writes and compiles the source of six methods for every class, which costs a
cold command more than everything else it does: a game is made of several hundred small values. Here
the same methods are shared functions over the class's fields. `dataclasses.fields`, `replace` and
`is_dataclass` accept these classes, but `dataclasses` itself is loaded only on demand: a command
does not need it (measured in decisions/).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    import dataclasses

T = TypeVar("T")
_PURE: set[type] = set()
"""The values with no method of their own in place of a shared one."""
MISSING: Any = object()
"""What a field has for a default that it has not."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
MANY = 200
"""With so many values of a class, to compile an `__init__` of its own takes less than it saves."""


class Field:
    """A field of a value. `type` is the annotation as it was written; `name` and `type` are known
    once the class is."""

    name: str
    type: Any

    def __init__(
        self, default: Any = MISSING, default_factory: Any = MISSING, repr: bool = True,
        compare: bool = True, metadata: Mapping[str, Any] = NOTHING,
    ) -> None:  # fmt: skip
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.compare = compare
        self.metadata = metadata


def field(
    *, default: Any = MISSING, default_factory: Any = MISSING, repr: bool = True,
    compare: bool = True, metadata: Mapping[str, Any] | None = None,
) -> Any:  # fmt: skip
    """Says more of a field than its default, as `dataclasses.field` does."""
    return Field(default, default_factory, repr, compare, metadata or NOTHING)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Makes a class a frozen dataclass: fields by annotation, equality and hash by content."""
    made: Any = cls
    made.__shape__ = _ShapeLater()
    own = SHARED.keys() & cls.__dict__.keys()
    if not own:
        _PURE.add(cls)
    # A base may have given all of them already, and to set one is what costs most here.
    if own or cls.__bases__[1:] or cls.__base__ not in _PURE:
        for name in SHARED.keys() - own:
            setattr(made, name, SHARED[name])
    return cls


def is_value(thing: Any) -> bool:
    """Whether it is a value or a class of values; an ordinary dataclass counts as one."""
    return _holder(thing if isinstance(thing, type) else type(thing)) is not None


def fields(thing: Any) -> tuple[Field, ...]:
    """The fields of a value or of its class, those of its bases first; an ordinary dataclass, too,
    may be asked for."""
    kind: Any = thing if isinstance(thing, type) else type(thing)
    holder = kind if "__shape__" in kind.__dict__ else _holder(kind)
    assert holder is not None, kind
    if "__shape__" in holder.__dict__:
        found: tuple[Field, ...] = holder.__shape__.fields
        return found
    return _of_dataclass(holder)


def _holder(kind: type) -> Any:
    """The nearest class that is a value or a dataclass; None if there is none."""
    return next(filter(_holds, kind.__mro__), None)


def _holds(kind: type) -> bool:
    """Whether a class is a value or a dataclass itself, not by a base alone."""
    return "__shape__" in kind.__dict__ or "__dataclass_fields__" in kind.__dict__


def replace(given: T, /, **changes: Any) -> T:
    """The same value with other content in some of its fields."""
    kind: Any = type(given)
    content = given.__dict__
    if "__shape__" not in kind.__dict__ or kind.__init__ is not kind.__shape__.init:
        made: T = kind(**{each.name: content[each.name] for each in fields(kind)} | changes)
        return made
    shape: _Shape = kind.__shape__
    if not changes.keys() <= shape.known:
        raise TypeError(f"{kind.__name__} has no field {', '.join(changes.keys() - shape.known)}")
    made = twin(given)
    filled = made.__dict__
    for _ in range(len(filled) - shape.size):
        filled.popitem()  # what was computed, since the fields were there first
    filled.update(changes)
    if shape.after is not None:
        shape.after(made)
    return made


def filled(kind: type[T], content: dict[str, Any]) -> T:
    """The same as `kind(**content)` at half the price, for tables of hundreds of values."""
    shape: _Shape = kind.__shape__  # type: ignore[attr-defined]
    made = kind.__new__(kind)
    _fill(made, shape, (), content)
    if shape.after is not None:
        shape.after(made)
    return made


def twin(given: T) -> T:
    """An equal value that is another object, with all that was computed from the first.

    Whoever makes it may fill it with other content before anybody else has it. That is quicker than
    `replace`, and theirs to answer for: what was computed must be true still, or go.
    """
    made = given.__class__.__new__(given.__class__)
    made.__dict__.update(given.__dict__)
    return made


class _ShapeLater:
    """The shape of a class, computed when it is first asked for: most values of a game are never
    made by a command."""

    def __get__(self, instance: Any, kind: Any) -> _Shape:
        owner: Any = next(each for each in kind.__mro__ if each.__dict__.get("__shape__") is self)
        owner.__shape__ = _Shape(owner)
        found: _Shape = owner.__shape__
        return found


class _Asked:
    """A class attribute that few ask for: what `make` finds out of the class itself, each time."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make = make

    def __get__(self, instance: Any, kind: Any) -> Any:
        return self.make(kind)


class _Params:
    """What `dataclasses` asks of a base class when a dataclass is derived from it."""

    init = repr = eq = frozen = True
    order = unsafe_hash = False


_PARAMS = _Params()


def _fields(cls: Any) -> tuple[Field, ...]:
    """The fields of the bases, then the class's own, in the order they are written."""
    found: dict[str, Field] = {}
    for base in cls.__mro__[-2:0:-1]:  # `object` aside, which is the last
        if _holds(base):
            for each in fields(base):
                found[each.name] = each
    own = cls.__dict__
    for name, kind in own.get("__annotations__", {}).items():
        if "ClassVar" in str(kind):
            continue
        given = own.get(name, MISSING)
        each = given if isinstance(given, Field) else Field(given)
        each.name, each.type = name, kind
        if each is given:
            if each.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, each.default)
        found[name] = each
    return tuple(found.values())


def _getter(names: tuple[str, ...]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """What is under the names, as a tuple; in C wherever `itemgetter` gives one."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda content: tuple(content[name] for name in names)


class _Shape:
    """What the shared methods need to know of a class; computed once."""

    def __init__(self, made: Any) -> None:
        self.fields = _fields(made)
        self.names = tuple([field.name for field in self.fields])
        self.size = len(self.names)
        self.known = frozenset(self.names)
        self.key = _getter(tuple([field.name for field in self.fields if field.compare]))
        self.defaults = {f.name: f.default for f in self.fields if f.default is not MISSING}
        self.factories: dict[str, Callable[[], Any]] = {
            f.name: f.default_factory for f in self.fields if f.default_factory is not MISSING
        }
        self.needed = self._needed()
        self.after = getattr(made, "__post_init__", None)
        self.kind, self.init, self.made = made, __init__, 0

    def _needed(self) -> int:
        """How many fields must be given, in their order, so that constants can fill the others."""
        needed = self.size
        while needed and self.names[needed - 1] in self.defaults:
            needed -= 1
        return needed

    def compile_init(self) -> None:
        """Gives the class an `__init__` of its own: what the shared one does, its fields by name.

        Not where others derive from it, which would inherit it. Those that do so later have the
        shared one set.
        """
        optional = [name for name in self.names if name in self.defaults or name in self.factories]
        in_order = self.names[self.size - len(optional) :] == tuple(optional)
        if self.kind.__init__ is not __init__ or self.kind.__subclasses__() or not in_order:
            return
        taken = [f"{name}=None" if name in optional else name for name in self.names]
        lines = [f"def __init__(_self, {', '.join(taken)}):", "_content = _self.__dict__"]
        lines += [f"_content[{name!r}] = {name}" for name in self.names]
        lines += [f"if {name} is _missing: _content[{name!r}] = _made[{name!r}]()"
                  for name in self.factories]  # fmt: skip
        lines += ["_after(_self)"] if self.after is not None else []
        space = {"_missing": MISSING, "_made": self.factories, "_after": self.after}
        exec("\n ".join(lines), space)
        made: Any = space["__init__"]
        made.__defaults__ = tuple([self.defaults.get(name, MISSING) for name in optional])
        _PURE.discard(self.kind)
        self.init = self.kind.__init__ = made


# --- for those who ask with `dataclasses`


@cache
def _as_dataclasses_has_them(cls: Any) -> dict[str, dataclasses.Field[Any]]:
    import dataclasses

    sample: Any = dataclasses.fields(dataclasses.make_dataclass("_Sample", ["it"]))[0]
    found = {}
    for each in cls.__shape__.fields:
        words = {"repr": each.repr, "compare": each.compare, "metadata": each.metadata}
        if each.default is not MISSING:
            words["default"] = each.default
        if each.default_factory is not MISSING:
            words["default_factory"] = each.default_factory
        there: Any = dataclasses.field(**words)
        there.name, there.type, there._field_type = each.name, each.type, sample._field_type
        there.kw_only = False
        found[each.name] = there
    return found


def _of_dataclass(kind: Any) -> tuple[Field, ...]:
    import dataclasses

    found = []
    for each in dataclasses.fields(kind):
        default, make = (
            MISSING if given is dataclasses.MISSING else given
            for given in (each.default, each.default_factory)
        )
        mine = Field(default, make, each.repr, bool(each.compare), each.metadata)
        mine.name, mine.type = each.name, each.type
        found.append(mine)
    return tuple(found)


# --- the shared methods


def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
    shape = self.__shape__
    shape.made += 1
    if shape.made == MANY:
        shape.compile_init()
    if not kwargs and shape.needed <= len(args) <= shape.size:
        if len(args) < shape.size:
            self.__dict__.update(shape.defaults)
        self.__dict__.update(zip(shape.names, args))  # noqa: B905 - their number was looked at
    elif not args and kwargs.keys() == shape.known:
        self.__dict__.update(kwargs)
    else:
        _fill(self, shape, args, kwargs)
    if shape.after is not None:
        shape.after(self)


def _fill(self: Any, shape: _Shape, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """The content where defaults are to be put in, or where something does not fit."""
    content = self.__dict__
    content.update(shape.defaults)
    if args:
        content.update(zip(shape.names, args, strict=False))
    content.update(kwargs)
    for name, make in shape.factories.items():
        if name not in content:
            content[name] = make()
    if len(content) != len(shape.names) or len(args) > len(content):
        raise TypeError(_misfit(self, args, kwargs))
    if args and kwargs and not kwargs.keys().isdisjoint(shape.names[: len(args)]):
        raise TypeError(_misfit(self, args, kwargs))


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
    names = (field.name for field in self.__shape__.fields if field.repr)
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
    return f"{type(self).__qualname__}({shown})"


def __eq__(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    key = self.__shape__.key
    return key(self.__dict__) == key(other.__dict__)


def __hash__(self: Any) -> int:
    return hash((type(self), self.__shape__.key(self.__dict__)))


def __setattr__(self: Any, name: str, item: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to {name!r}")


def __delattr__(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete {name!r}")


def __getstate__(self: Any) -> dict[str, Any]:
    """The fields alone: what was computed from them is not stored."""
    content = self.__dict__
    return {field.name: content[field.name] for field in fields(self)}


def __setstate__(self: Any, state: dict[str, Any]) -> None:
    self.__dict__.update(state)


SHARED: dict[str, Any] = {
    method.__name__: method
    for method in (
        __init__, __repr__, __eq__, __hash__, __setattr__, __delattr__, __getstate__, __setstate__
    )
}  # fmt: skip
SHARED["__match_args__"] = _Asked(lambda kind: kind.__shape__.names)
SHARED["__dataclass_fields__"] = _Asked(_as_dataclasses_has_them)
SHARED["__dataclass_params__"] = _PARAMS

"""value: a frozen dataclass that is cheap to define.

`dataclasses.dataclass` writes and compiles the source of six methods for every class, which costs a
cold command more than everything else it does: a game is made of several hundred small values. Here
the same methods are shared functions over the class's fields. `dataclasses.fields`, `replace` and
`is_dataclass` accept these classes, but `dataclasses` itself is loaded only on demand: a command
does not need it (measured in decisions/).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    import dataclasses

T = TypeVar("T")
_PURE: set[type] = set()
"""The values with no method of their own in place of a shared one."""
MISSING: Any = object()
"""In place of a default, where a field has none."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
_new = object.__new__
FEW = 32
"""So many values a class makes before it gets an `__init__` of its own: to compile one costs as
much as the shared one for some fifty values. Most classes make a few in a command, some
hundreds."""


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
    made.__shape__ = _LATER
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


@cache
def _holder(kind: type) -> Any:
    """The nearest class that is a value or a dataclass; None if there is none."""
    return next(filter(_holds, kind.__mro__), None)


def _holds(kind: type) -> bool:
    """Whether a class is a value or a dataclass itself, not by a base alone."""
    return "__shape__" in kind.__dict__ or "__dataclass_fields__" in kind.__dict__


def replace(given: T, /, **changes: Any) -> T:
    """The same value with other content in some of its fields."""
    kind: Any = type(given)
    shape: _Shape | None = getattr(kind, "__shape__", None)
    if shape is None or shape.kind is not kind:
        content = given.__dict__
        copied: T = kind(**{each.name: content[each.name] for each in fields(kind)} | changes)
        return copied
    made = _new(kind)
    filled = made.__dict__
    filled.update(given.__dict__)
    while len(filled) > shape.size:
        filled.popitem()  # what was computed, since the fields were there first
    filled.update(changes)
    if len(filled) > shape.size:
        raise TypeError(f"{kind.__name__} has no field {', '.join(filled.keys() - shape.names)}")
    if shape.after is not None:
        shape.after(made)
    found: T = made
    return found


def filled(kind: type[T], content: dict[str, Any]) -> T:
    """The same as `kind(**content)` at half the price, for tables of hundreds of values."""
    shape: _Shape = kind.__shape__  # type: ignore[attr-defined]
    made = _new(kind)
    return made if shape.fill(made, content) else kind(**content)  # which tells what is wrong


def twin(given: T) -> T:
    """A copy of a value, with everything that was computed from it.

    The caller may change the copy before anybody else has it, which is quicker than `replace`. They
    must then remove what was computed and is no longer true.
    """
    made = _new(type(given))
    made.__dict__.update(given.__dict__)
    return made


class _ShapeLater:
    """The shape of a class, computed when it is first asked for: most values of a game are never
    made by a command."""

    def __get__(self, instance: Any, kind: Any) -> _Shape:
        owner: Any = next(each for each in kind.__mro__ if "__shape__" in each.__dict__)
        found = owner.__shape__ = _Shape(owner)
        return found


_LATER = _ShapeLater()


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


def _given(kind: Any) -> dict[str, Any]:
    """What each field has for a default, or its `Field`: those of the bases first, then the
    class's own, in the order they are written."""
    found: dict[str, Any] = {}
    for base in kind.__mro__[-2:0:-1]:  # `object` aside, which is the last
        if "__shape__" in base.__dict__:
            found.update(base.__shape__.given)
        elif _holds(base):
            found.update((each.name, each) for each in _of_dataclass(base))
    own = kind.__dict__
    for name, type_ in own.get("__annotations__", {}).items():
        if "ClassVar" in str(type_):
            continue
        given = found[name] = own.get(name, MISSING)
        if isinstance(given, Field):
            given.name, given.type = name, type_
            if given.default is MISSING:
                delattr(kind, name)
            else:
                setattr(kind, name, given.default)
    return found


def _getter(names: tuple[str, ...]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """What is under the names, as a tuple; in C wherever `itemgetter` gives one."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda content: tuple(content[name] for name in names)


class _Shape:
    """What the shared methods need to know of a class; computed once."""

    made = 0
    """How many values of the class the shared `__init__` has made."""

    def __init__(self, kind: Any) -> None:
        given = self.given = _given(kind)
        special = {name: each for name, each in given.items() if isinstance(each, Field)}
        self.kind, self.names, self.size = kind, tuple(given), len(given)
        compared = [name for name in given if name not in special or special[name].compare]
        self.key = _getter(tuple(compared))
        self.blank = given | {name: each.default for name, each in special.items()}
        """The default of each field; MISSING where there is none."""
        self.factories: dict[str, Callable[[], Any]] = {
            name: each.default_factory
            for name, each in special.items()
            if each.default_factory is not MISSING
        }
        self.needed = frozenset(
            [name for name, default in self.blank.items()
             if default is MISSING and name not in self.factories]
        )  # fmt: skip
        self.least = max((at for at, name in enumerate(given, 1) if name in self.needed), default=0)
        """So many values in sequence give a content to all fields that need one."""
        self.after = getattr(kind, "__post_init__", None)
        self.is_finished = not self.factories and self.after is None

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields, in the order of the names."""
        found: dict[str, Field] = {}
        for base in self.kind.__mro__[-2:0:-1]:
            if _holds(base):
                found.update((each.name, each) for each in fields(base))
        own = self.kind.__dict__
        for name, type_ in own.get("__annotations__", {}).items():
            if name in self.given:
                each = self.given[name]
                found[name] = each if isinstance(each, Field) else Field(each)
                found[name].name, found[name].type = name, type_
        return tuple(found.values())

    @cached_property
    def init(self) -> Callable[..., None]:
        """The `__init__` of the class, which has it from now on.

        It hands over a whole dictionary, as nothing else is quick to read: of one that was filled
        field by field Python 3.11 looks up every attribute by its name, instead of where it was in
        the last object. Values derived from it keep the shared one until they have theirs.
        """
        kind = self.kind
        content = ", ".join([f"{name!r}: {name}" for name in self.names])
        code = f"lambda {', '.join(('_self', *self.names))}: _self.__dict__.update({{{content}}})"
        made: Any = eval(code)
        made.__qualname__ = f"{kind.__qualname__}.__init__"
        are_needed = [name in self.needed for name in self.names]
        first = are_needed.index(False) if False in are_needed else self.size
        made.__defaults__ = tuple(self.blank.values())[first:]
        if MISSING in made.__defaults__ or self.after is not None:
            made = self._finishing(made)
        for derived in kind.__subclasses__():
            if "__shape__" in derived.__dict__ and "__init__" not in derived.__dict__:
                derived.__init__ = __init__
        if kind.__init__ is __init__:
            kind.__init__ = made
            _PURE.discard(kind)
        found: Callable[..., None] = made
        return found

    def _finishing(self, init: Callable[..., None]) -> Callable[..., None]:
        """The same, for a class that has more to do than to put its fields in."""

        def made(_self: Any, /, *args: Any, **kwargs: Any) -> None:
            init(_self, *args, **kwargs)
            content = _self.__dict__
            for name in self.needed:  # which may stand behind one that is not
                if content[name] is MISSING:
                    raise TypeError(f"{self.kind.__qualname__} needs {name}")
            self.finish(_self)

        return made

    def fill(self, made: Any, content: dict[str, Any]) -> bool:
        """Puts the fields into a new value; false if one is missing, or none is called so."""
        full = made.__dict__
        full.update(self.blank)
        full.update(content)
        if len(full) > self.size or not self.needed <= content.keys():
            return False
        if not self.is_finished:
            self.finish(made)
        return True

    def finish(self, made: Any) -> None:
        """Fills in what was not given and has no constant for a default."""
        content = made.__dict__
        for name, make in self.factories.items():
            if content[name] is MISSING:
                content[name] = make()
        if self.after is not None:
            self.after(made)


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
    """Of the first values of a class; one that is made again and again has its own compiled."""
    shape = self.__shape__
    if shape.made < FEW:
        shape.made += 1
        if not kwargs and shape.least <= len(args) <= shape.size:
            full = self.__dict__
            full.update(shape.blank)
            full.update(zip(shape.names, args, strict=False))
            if not shape.is_finished:
                shape.finish(self)
            return
        content = dict(zip(shape.names, args, strict=False), **kwargs)
        if len(content) == len(args) + len(kwargs) and shape.fill(self, content):
            return
    shape.init(self, *args, **kwargs)


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

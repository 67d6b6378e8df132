"""pbem.value: frozen values that `dataclasses` takes for its own."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import pytest

import pbem.value as values
from pbem.value import MISSING, field, fields, filled, is_value, replace, twin, value


@value
class Point:
    """A place."""

    kind: ClassVar[str] = "point"
    x: int
    y: int = 0
    tags: tuple[str, ...] = field(default=(), metadata={"written": "words"})
    notes: dict[str, int] = field(default_factory=dict, compare=False, repr=False)


@value
class Point3(Point):
    z: int = 5


@dataclass(frozen=True)
class Named(Point):
    name: str = "here"


@value
class Even:
    n: int

    def __post_init__(self) -> None:
        if self.n % 2:
            raise ValueError("odd")


@pytest.fixture(autouse=True, params=(0, 1000), ids=("compiled", "shared"))
def init(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test is for a class that makes many values, and for one that makes few."""
    monkeypatch.setattr(values, "FEW", request.param)
    for kind in (Point, Point3, Even):
        monkeypatch.setattr(kind, "__init__", values.__init__)


def test_fields_come_in_order_with_their_defaults() -> None:
    assert Point(1) == Point(1, 0, (), {})
    assert [each.name for each in dataclasses.fields(Point)] == ["x", "y", "tags", "notes"]
    assert dataclasses.fields(Point)[2].metadata["written"] == "words"
    assert Point3(1, z=2).z == 2
    assert [each.name for each in dataclasses.fields(Point3)][-1] == "z"
    assert Point.kind == "point"


def test_default_factories_make_a_fresh_one_each_time() -> None:
    assert Point(1).notes is not Point(1).notes
    given = {"a": 1}
    assert Point(1, notes=given).notes is filled(Point, {"x": 1, "notes": given}).notes is given


def test_equality_and_hash_are_by_content_and_class() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 2)
    assert Point(1) != Point3(1)
    assert Point(1, notes={"a": 1}) == Point(1)
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_nothing_can_be_changed() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    assert point.x == 1


@pytest.mark.parametrize(
    "args, kwargs, reason",
    [
        ((), {}, "missing 1 required positional argument: 'x'"),
        ((1,), {"w": 2}, "unexpected keyword argument 'w'"),
        ((1, 2, (), {}, 5), {}, "takes from 2 to 5 positional arguments but 6 were given"),
        ((1,), {"x": 2}, "multiple values for argument 'x'"),
    ],
)
def test_wrong_arguments_are_told(args: tuple, kwargs: dict, reason: str) -> None:
    """Of the first value of a class as of all others."""

    @value
    class Unmade(Point): ...

    for kind in (Unmade, Unmade, Point):
        with pytest.raises(TypeError, match=reason):
            kind(*args, **kwargs)
    assert Unmade(1, y=2) == Unmade(1, 2)


def test_dataclasses_take_it_for_their_own() -> None:
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.replace(Point(1, 2), y=7) == Point(1, 7)
    assert Named(1, name="there") == Named(1, name="there")
    assert repr(Point(1, 2)) == "Point(x=1, y=2, tags=())"
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_it_does_without_dataclasses() -> None:
    x, y, tags, notes = fields(Point)
    assert (x.name, x.default, y.default) == ("x", MISSING, 0)
    assert tags.metadata == {"written": "words"} and notes.default_factory is dict
    assert [each.name for each in fields(Named(1))] == ["x", "y", "tags", "notes", "name"]
    assert fields(Named)[-1].default == "here" and fields(Named)[0].default is MISSING
    assert replace(Point(1, 2), y=7) == Point(1, 7)
    assert replace(Named(1), name="there") == Named(1, name="there")
    with pytest.raises(TypeError, match="has no field w"):
        replace(Point(1), w=2)
    assert is_value(Point) and is_value(Named(1)) and not is_value(3) and not is_value(int)


@pytest.mark.parametrize("size", range(40))
def test_a_class_of_any_size_keeps_each_field_under_its_name(size: int) -> None:
    names = [f"field_{at}" for at in range(size)]
    made: Any = value(type("Sized", (), {"__annotations__": dict.fromkeys(names, "int")}))
    content = {name: at for at, name in enumerate(names)}
    for _ in range(2):
        assert vars(made(*range(size))) == vars(made(**content)) == content
        assert list(vars(made(**dict(reversed(content.items()))))) == names
    assert vars(filled(made, content)) == content
    with pytest.raises(TypeError, match=r"Sized.__init__\(\) takes"):
        made(*range(size + 1))


def test_what_is_filled_in_is_what_the_class_would_make_of_it() -> None:
    for content in ({"x": 1}, {"x": 1, "notes": {"a": 2}}, {"tags": ("b",), "x": 3, "y": 4}):
        assert vars(filled(Point, content)) == vars(Point(**content))
    assert list(vars(filled(Point, {"y": 2, "x": 1}))) == ["x", "y", "tags", "notes"]
    assert filled(Point, {"x": 1}).notes is not filled(Point, {"x": 1}).notes
    for wrong in ({}, {"y": 1}, {"x": 1, "w": 2}):
        with pytest.raises(TypeError):
            filled(Point, wrong)


def test_an_init_is_not_handed_down_and_calls_what_comes_after() -> None:
    @value
    class Base:
        x: int

    @value
    class Derived(Base):
        y: int

    @value
    class Later(Derived):
        pass

    for _ in range(2):
        assert vars(Base(1)) == {"x": 1}
        assert vars(Later(1, 2)) == vars(Derived(1, 2)) == vars(Derived(x=1, y=2))
    assert vars(value(type("Newest", (Base,), {"__annotations__": {"z": "int"}}))(1, 3))["z"] == 3
    Even(2)
    with pytest.raises(ValueError, match="odd"):
        Even(1)
    with pytest.raises(ValueError, match="odd"):
        replace(Even(2), n=3)


def test_a_field_without_default_may_stand_behind_one_with() -> None:
    @value
    class Base:
        x: int = 1

    @value
    class Derived(Base):
        y: int

    for _ in range(2):
        assert Derived(y=2) == Derived(1, 2)
        with pytest.raises(TypeError, match="needs y"):
            Derived(2)  # type: ignore[call-arg]


@value
class Loud(Point):
    def __repr__(self) -> str:
        return "LOUD"


@value
class Quiet(Loud):
    pass


def test_a_method_of_its_own_stays_and_is_not_handed_down() -> None:
    """As `dataclasses` would have it: each class has the methods made for its own fields."""
    assert repr(Loud(1)) == "LOUD"
    assert repr(Quiet(1)) == "Quiet(x=1, y=0, tags=())"


def test_what_was_worked_out_is_not_pickled() -> None:
    point = Point(3, 4)
    point.__dict__["cached"] = object()
    again = pickle.loads(pickle.dumps(point))
    assert again == point
    assert "cached" not in again.__dict__


@pytest.mark.parametrize(
    "point",
    [
        Point(1, 2, (), {}), Point(tags=(), y=2, x=1, notes={}), Point(y=2, x=1), Point(1, y=2),
        twin(Point(1, 2)), replace(Point(x=3), x=1, y=2), pickle.loads(pickle.dumps(Point(1, 2))),
        copy.copy(Point(1, 2)),
    ],
)  # fmt: skip
def test_what_was_worked_out_is_not_true_of_another_value(point: Point) -> None:
    names = [each.name for each in fields(point)]
    for _ in range(2):
        vars(point).update(seen=1, found=2)
        point = replace(point, y=7)
        assert sorted(vars(point)) == sorted(names) and point == Point(1, 7)


def test_a_cached_property_is_worked_out_once_for_each_value() -> None:
    asked = []

    @value
    class Square:
        side: int

        @cached_property
        def area(self) -> int:
            """Side by side."""
            asked.append(self.side)
            return self.side**2

    two, three = Square(2), Square(3)
    assert (two.area, two.area, three.area, twin(two).area, replace(two, side=4).area) == (
        4, 4, 9, 4, 16,
    )  # fmt: skip
    assert asked == [2, 3, 4] and two == Square(2)
    assert Square.area.__doc__ == "Side by side."


def test_a_value_may_refuse_its_content() -> None:
    assert Even(2).n == 2
    with pytest.raises(ValueError, match="odd"):
        Even(3)

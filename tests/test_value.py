"""pbem.value: frozen values that `dataclasses` takes for its own."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import pytest

from pbem.value import MANY, MISSING, field, fields, is_value, replace, twin, value


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


def test_fields_come_in_order_with_their_defaults() -> None:
    assert Point(1) == Point(1, 0, (), {})
    assert [each.name for each in dataclasses.fields(Point)] == ["x", "y", "tags", "notes"]
    assert dataclasses.fields(Point)[2].metadata["written"] == "words"
    assert Point3(1, z=2).z == 2
    assert [each.name for each in dataclasses.fields(Point3)][-1] == "z"
    assert Point.kind == "point"


def test_default_factories_make_a_fresh_one_each_time() -> None:
    assert Point(1).notes is not Point(1).notes


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
        ((), {}, "needs x"),
        ((1,), {"w": 2}, "has no field w"),
        ((1, 2, (), {}, 5), {}, "5 values for 4 fields"),
        ((1,), {"x": 2}, "given a field twice"),
    ],
)
def test_wrong_arguments_are_told(args: tuple, kwargs: dict, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        Point(*args, **kwargs)


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


def often(make: Callable[[], object]) -> None:
    for _ in range(MANY):
        make()


def test_what_is_made_often_has_an_init_of_its_own_which_does_the_same() -> None:
    @value
    class Often:
        x: int
        tags: tuple[str, ...] = field(default=(), compare=False)
        notes: dict[str, int] = field(default_factory=dict)

    shared = Often.__init__
    before = Often(1), Often(1, ("a",)), Often(x=1, notes={"b": 2}, tags=("c",))
    often(lambda: Often(3))
    assert Often.__init__ is not shared
    after = Often(1), Often(1, ("a",)), Often(x=1, notes={"b": 2}, tags=("c",))
    assert [each.__dict__ for each in before] == [each.__dict__ for each in after]
    assert Often(1).notes is not Often(1).notes
    assert replace(Often(1, ("a",)), x=2) == Often(2) and replace(Often(1, ("a",)), x=2).tags
    for args, kwargs in (((), {}), ((1,), {"w": 2}), ((1, (), {}, 5), {}), ((1,), {"x": 2})):
        with pytest.raises(TypeError):
            Often(*args, **kwargs)

    @value
    class More(Often):
        y: int = 4

    assert More(1, y=5).y == 5 and More(1).x == 1


def test_an_init_of_its_own_is_not_handed_down_and_calls_what_comes_after() -> None:
    @value
    class Base:
        x: int

    @value
    class Derived(Base):
        y: int

    often(lambda: Base(1))
    assert Derived(1, 2) == Derived(x=1, y=2)
    often(lambda: Even(2))
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

    often(lambda: Derived(y=2))
    assert Derived(y=2) == Derived(1, 2)


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


def test_a_value_may_refuse_its_content() -> None:
    assert Even(2).n == 2
    with pytest.raises(ValueError, match="odd"):
        Even(3)

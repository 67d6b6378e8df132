"""Conditions, and orders with one: what is asked too early, in vain, or of nothing known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar

from pbem.board.names import Vocabulary
from pbem.engine.conditions import (
    A_FLAG,
    A_NUMBER,
    ALWAYS,
    Condition,
    Fact,
    Facts,
    Sort,
    is_among,
)
from pbem.engine.model import Order, Side
from pbem.engine.order_shape import AnOrder
from pbem.engine.shapes import Many, name
from pbem.value import value

HEXES = {"2006": "Hill", "2107": "Ford"}
NAMES = Vocabulary({"hex": HEXES})
A_HEX = Sort(Many(name("hex", lambda position: HEXES), numbered=False), is_among)
FACTS = Facts(
    {"turn": Fact(A_NUMBER, lambda position, _: position.turn),
     "any": Fact(ALWAYS, lambda *_: True, always=True)},
    {"lost": Fact(A_FLAG, lambda *_: True), "fallen": Fact(A_HEX, lambda *_: "2006")},
    lambda fight: fight.is_fought,
)  # fmt: skip
TABLE = SimpleNamespace(turn=3)
BEFORE, BEHIND = SimpleNamespace(is_fought=False), SimpleNamespace(is_fought=True)
US = Side("us")


def found(shape: Any, written: Any) -> list[tuple[str, tuple[Any, ...], bool, str]]:
    """The faults of something: message, place, whether its key is meant, hint."""
    each: Iterator[Any] = shape.faults(TABLE, US, written, ())
    return [(str(one.message), one.at, one.is_key, str(one.hint)) for one in each]


def test_a_wrong_key_is_pointed_at() -> None:
    assert found(Condition(FACTS, True), {"lsot": True}) == [
        ("no condition is named 'lsot'", ("lsot",), True, "did you mean lost?")
    ]
    early = "lost is not known yet then"
    assert found(Condition(FACTS, False), {"lost": True}) == [(early, ("lost",), True, "")]


def test_names_are_bound_in_what_is_known_late() -> None:
    written = {"fallen": ["hill"], "after": {"fallen": ["Ford"]}, "turn": 3}
    bound = {"fallen": ["2006"], "after": {"fallen": ["2107"]}, "turn": 3}
    assert Condition(FACTS, True).bound(NAMES, written) == bound


def test_what_is_asked_after_is_not_so_before() -> None:
    """Whatever it asks: a fact that is known already as well."""
    for when in ({"after": {"turn": 3}}, {"after": {}}, {"lost": True}):
        assert not FACTS.holds(TABLE, BEFORE, when)
        assert FACTS.holds(TABLE, BEHIND, when)


def test_a_fact_asked_for_twice_is_told_and_one_asked_for_once_is_not() -> None:
    def told(when: Any) -> list[str]:
        return [str(each.message) for each in FACTS.contradictions(TABLE, when, ())]

    assert told({"lost": True, "after": {"lost": False}}) == ["lost is never both"]
    assert told({"lost": True}) == told({"lost": True, "after": {"lost": True}}) == []


def test_only_what_never_changes_always_holds() -> None:
    assert FACTS.always({}) and FACTS.always({"any": True})
    assert not FACTS.always({"any": False}) and not FACTS.always({"turn": 3})


def test_a_truth_value_is_no_number() -> None:
    told = "expected a number, or a comparison such as >=2 or 2+"
    assert found(Condition(FACTS, True), {"turn": True})[0][0] == told
    assert found(Condition(FACTS, True), {"turn": 2}) == []


# --- orders


@value
class March(Order):
    """Moves a unit to a hex."""

    verb: ClassVar[str] = "march"
    to: Annotated[str, "hex"]
    slowly: bool = False


@value
class Rest(Order):
    """Does nothing."""

    verb: ClassVar[str] = "rest"


@value
class Send(Order):
    """Sends units from each of some hexes to others."""

    verb: ClassVar[str] = "send"
    units: Mapping[Annotated[str, "hex"], tuple[Annotated[str, "hex"], ...]]


ORDER = AnOrder({"march": March, "rest": Rest}, Condition(FACTS, False), lambda _: {"hex": HEXES})


def test_an_order_is_bound_however_it_is_written() -> None:
    whole = {"march": {"to": "2006", "slowly": True}, "when": {"turn": 3}}
    assert ORDER.bound(NAMES, "rest") == {"rest": {}}
    assert ORDER.bound(NAMES, ["rest"]) == ["rest"]
    beside = {"march": {"to": "hill"}, "slowly": "yes", "when": {"turn": 3}}
    assert ORDER.bound(NAMES, beside) == whole
    assert ORDER.read(whole) == March("2006", slowly=True)
    assert ORDER.bound(NAMES, {"march": "hill", "slowly": True}) == {
        "march": "hill",
        "slowly": True,
    }
    two = {"march": {"to": "hill"}, "rest": {}}
    assert ORDER.bound(NAMES, two) == {"march": {"to": "2006"}, "rest": {}}


def test_a_misspelt_verb_is_answered_by_the_nearest() -> None:
    every = "it begins with march or rest"
    told = "expected one order"
    near = ("an order here cannot begin with 'mrach'", (), False, "did you mean march?")
    assert found(ORDER, {"mrach": {"to": "2006"}}) == [near]
    assert found(ORDER, {}) == [(told, (), False, every)]
    assert found(ORDER, {"march": {"to": "2006"}, "rest": {}}) == [(told, (), False, every)]
    assert found(ORDER, {"march": {"to": "2006"}}) == []


def test_a_name_that_is_none_is_told_where_it_stands_in_an_order() -> None:
    order = AnOrder({"send": Send}, Condition(FACTS, False), lambda _: {"hex": HEXES})
    ways = [["2006", ["2107", "2117"]], ["2016", []]]
    assert found(order, {"send": {"units": ways}}) == [
        ("no hex is named '2117'", ("send", "units", "2006", 1), False, "did you mean 2107?"),
        ("no hex is named '2016'", ("send", "units", "2016"), True, "did you mean 2006?"),
    ]
    assert found(order, {"send": {"units": [["2006", [""]]]}}) == [], "nothing is named"
    unknown = AnOrder({"send": Send}, Condition(FACTS, False), lambda _: {})
    assert found(unknown, {"send": {"units": ways}}) == []

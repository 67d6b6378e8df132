"""Standing orders are bound by their shapes: names of a game, however YAML read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.board.names import Vocabulary
from pbem.engine.conditions import A_FLAG, A_NUMBER, Condition, Fact, Facts, Sort, is_among
from pbem.engine.model import Side, Violation
from pbem.engine.policies import reading, scopes
from pbem.engine.policies.rows import Clause, PolicyPart, Slot, Times
from pbem.engine.policies.table import NO_POLICIES, PolicyTable
from pbem.engine.shapes import (
    TRUE,
    Also,
    ByKind,
    Each,
    Fields,
    Many,
    OneField,
    OrWord,
    Shape,
    Word,
    name,
    ranked_word,
)
from pbem.messages import say

HEXES = {"2006": "Hill", "1e3": "Ford", "true": "Town"}
NAMES = Vocabulary({"hex": HEXES, "unit": {"3/7Leg": "3/7Leg", "77": "77"}})
HEX = name("hex", lambda position: HEXES, "a hex is a number")
UNIT = ranked_word(
    lambda position: ("77",), "a unit", is_word=lambda position, word: word == "3/7Leg"
)


def nothing(position: Any, side: Side, written: Any) -> Iterator[Violation]:
    return iter(())


FACTS = Facts(
    {
        "hex": Fact(
            Sort(Many(name("hex", lambda position: HEXES), numbered=False), is_among),
            lambda *_: "2006",
        ),
        "turn": Fact(A_NUMBER, lambda *_: 1),
    },
    {"lost": Fact(A_FLAG, lambda *_: True)},
    lambda subject: True,
)


@pytest.mark.parametrize("shape, written, bound", [
    (HEX, 2006, "2006"), (HEX, "2006", "2006"), (HEX, True, "true"), (HEX, "hill", "2006"),
    (HEX, 1999, "1999"), (HEX, "Nowhere", "Nowhere"), (HEX, None, None), (HEX, [2006], [2006]),
    (UNIT, 77, "77"), (UNIT, "3 7 leg", "3/7Leg"),
    (Many(HEX), 2006, "2006"), (Many(HEX), [2006, "Ford"], ["2006", "1e3"]),
    (Many(UNIT, "a list"), [77], ["77"]), (Many(UNIT, "a list"), 77, 77),
    (OrWord(("none",), HEX), "none", "none"), (OrWord(("none",), HEX), 2006, "2006"),
    (Fields({"at": HEX, "n": TRUE}, ""), {"at": 2006, "n": 1, "x": 2006},
     {"at": "2006", "n": 1, "x": 2006}),
    (Fields({"at": HEX}, ""), 2006, 2006),
    (OneField({"at": HEX}, ""), {"at": 2006}, {"at": "2006"}),
    (ByKind(word=HEX, flag=True), 2006, "2006"), (ByKind(word=HEX, flag=True), True, True),
    (ByKind(word=HEX), True, "true"),
    (ByKind(mapping=Fields({"at": HEX}, ""), other=UNIT), 77, "77"),
    (ByKind(mapping=Fields({"at": HEX}, ""), other=UNIT), {"at": 2006}, {"at": "2006"}),
    (ByKind(many=Many(HEX)), [2006], ["2006"]), (ByKind(), 2006, 2006),
    (Also(Many(HEX), nothing), 2006, "2006"),
    (Word(("yes",), ""), 2006, 2006), (TRUE, True, True),
    (Condition(FACTS, True), {"hex": 2006, "turn": 3, "after": {"hex": ["Hill"]}, "x": 2006},
     {"hex": "2006", "turn": 3, "after": {"hex": ["2006"]}, "x": 2006}),
    (Condition(FACTS, True), 2006, 2006),
])  # fmt: skip
def test_names_are_bound_where_the_shape_names_something(
    shape: Shape, written: Any, bound: Any
) -> None:
    found = shape.bound(NAMES, written)
    assert found == bound and type(found) is type(bound)
    assert shape.bound(NAMES, found) == found


def table_of(*parts: PolicyPart) -> PolicyTable:
    return PolicyTable(
        rows=parts, facts=FACTS,
        slots={"night": Slot("night: {}", lambda *_: False, "", lambda *_: True)},
        subject=lambda stage: None, times=Times(lambda position: (1, 1)), told="", notes=(),
        goes_on="fights", for_example="", for_slots="", for_condition="",
    )  # fmt: skip


def test_standing_orders_are_bound_in_every_slot() -> None:
    camp = Clause(Many(HEX), sealed=HEX)
    rows = (PolicyPart("goal", "", Clause(HEX)), PolicyPart("camp", "", camp, slot="night"))
    said = {
        "goal": 2006, "scope": {"when": {"hex": "ford"}}, "night": {"camp": [2006], "goal": 2006},
        "slots": {"left": {"goal": "hill"}, "right": "none"}, "other": 2006,
    }  # fmt: skip
    assert reading.bound(table_of(*rows), NAMES, said) == {
        "goal": "2006", "scope": {"when": {"hex": "1e3"}},
        "night": {"camp": ["2006"], "goal": 2006},
        "slots": {"left": {"goal": "2006"}, "right": "none"}, "other": 2006,
    }  # fmt: skip
    assert reading.bound(table_of(*rows), NAMES, [2006]) == [2006]
    odd = {"slots": [2006], "night": "none"}
    assert reading.bound(table_of(*rows), NAMES, odd) == odd
    assert reading.bound(NO_POLICIES, NAMES, said) == said


def test_a_name_that_is_none_is_answered_by_the_nearest() -> None:
    def told(shape: Shape, written: Any) -> list[tuple[str, str]]:
        return [
            (str(each.message), str(each.hint))
            for each in shape.faults(None, Side("x"), written, ())
        ]

    assert told(HEX, "2066") == [("no hex is named '2066'", "did you mean 2006?")]
    assert told(HEX, "Elsewhere") == [("no hex is named 'Elsewhere'", "a hex is a number")]
    assert told(UNIT, "777") == [("no unit or kind of unit is named '777'", "did you mean 77?")]
    assert told(OrWord(("none",), HEX), "nnoe") == [
        ("no hex is named 'nnoe'", "did you mean none?")
    ]
    works = Word(("none", "position"), "expected none or position", "works: position")
    for no in ("no", "off", False):
        assert told(works, no) == [("expected none or position", "did you mean none?")]
    assert told(works, "wall") == [("expected none or position", "works: position")]


Told = tuple[str, tuple[Any, ...], bool, str]


def faults(shape: Shape, written: Any) -> list[Told]:
    """Each fault: message, place, whether a key is meant, hint."""
    found = shape.faults(None, Side("x"), written, ())
    return [(str(each.message), each.at, each.is_key, str(each.hint)) for each in found]


PAIRS = Each(HEX, TRUE, "pairs of hexes", "{2006: true}")
NO_PAIRS = [("pairs of hexes", (), False, "{2006: true}")]


@pytest.mark.parametrize("written", [{"2006": True}, [5], ["ab"], [[3, True]], [["2006"]]])
def test_what_are_no_pairs_is_refused_whatever_it_is(written: Any) -> None:
    assert faults(PAIRS, written) == NO_PAIRS


def test_pairs_are_in_order_each_once_and_told_by_their_keys() -> None:
    assert faults(PAIRS, [["1e3", True], ["2006", True]]) == []
    told = "'1e3' belongs before '2006'"
    assert faults(PAIRS, [["2006", True], ["1e3", True]]) == [(told, ("1e3",), True, "")]
    told = "'1e3' is named twice"
    assert faults(PAIRS, [["1e3", True], ["1e3", True]]) == [(told, ("1e3",), True, "")]
    ((_, place, is_key, hint),) = faults(PAIRS, [["2066", True]])
    assert (place, is_key, hint) == (("2066",), True, "did you mean 2006?")


def test_two_names_of_one_thing_are_bound_whatever_is_said_of_them() -> None:
    assert PAIRS.bound(NAMES, {"Hill": {}, "2006": [], "1e3": True}) == [
        ["1e3", True], ["2006", {}], ["2006", []]
    ]  # fmt: skip


def test_a_value_without_its_field_is_told_how_it_is_written() -> None:
    need = Fields({"at": HEX, "n": TRUE}, "a place", needs=("at",), hint="{at: 2006}")
    assert faults(need, "2006") == [("a place", (), False, "write {at: 2006}")]
    assert faults(need, 5) == [("a place", (), False, "{at: 2006}")]
    either = Fields({"at": HEX, "n": HEX}, "a place", needs=("at", "n"), hint="{at: 2006}")
    assert faults(either, "2006") == [("a place", (), False, "{at: 2006}")]


def test_the_whole_is_judged_where_what_it_needs_is_sound() -> None:
    def whole(position: Any, side: Side, written: Any) -> Iterator[Violation]:
        yield Violation(say("never"))

    shape = Fields({"at": HEX, "n": TRUE}, "", needs=("at",), whole=whole)
    assert [told for told, *_ in faults(shape, {"at": "2006"})] == ["never"]
    assert len(faults(shape, {"at": "2006", "n": 3})) == 2
    assert [told for told, *_ in faults(shape, {"at": "2066"})] == ["no hex is named '2066'"]


def test_one_item_is_told_how_it_becomes_a_list() -> None:
    shape = Many(HEX, "a list of hexes", hint="[2006]")
    assert faults(shape, "2006") == [("a list of hexes", (), False, "write [2006]")]
    assert faults(shape, "2066") == [("a list of hexes", (), False, "[2006]")]
    assert faults(Many(TRUE, "a list", hint="[true]"), True)[0][3] == "[true]"


def test_an_item_that_comes_again_is_judged_again_unless_that_is_the_fault() -> None:
    empty = Many(HEX, "a list", needed=True)
    often, once = Many(empty, "lists"), Many(empty, "lists", once=True)
    assert len([*often.vain(None, Side("x"), [[], []], ())]) == 2
    told = [each.at for each in once.vain(None, Side("x"), [[], []], ())]
    assert sorted(told) == [(0,), (1,)]


def test_a_mapping_of_one_field_has_one() -> None:
    shape = OneField({"at": HEX, "n": TRUE}, "one field", hint="at or n")
    assert faults(shape, {"at": "2006"}) == []
    for written in ({"at": "2006", "n": True}, {}, "at"):
        assert faults(shape, written) == [("one field", (), False, "at or n")]


def test_a_truth_value_is_judged_as_what_may_be_there() -> None:
    class Vain(Shape):
        def vain(self, position: Any, side: Side, written: Any, path: Any) -> Iterator[Violation]:
            yield Violation(say("no effect"), path)

    vain: Any = Vain()
    assert [*ByKind(flag=True, other=vain).vain(None, Side("x"), True, ())] == []
    assert len([*ByKind(other=vain).vain(None, Side("x"), True, ())]) == 1
    assert faults(ByKind("odd", word=HEX, flag=True), True) == []
    assert faults(ByKind("odd", word=HEX), True) == [("odd", (), False, "")]


def test_a_scope_of_whatever_kind_is_judged() -> None:
    table = table_of(PolicyPart("goal", "", Clause(HEX)))
    assert [*scopes.scope_faults(table, None, "", {"when": [{"turn": 3}]})] == []
    for wrong in ({"when": [{"trun": 3}]}, {"what": 1}, [3], "never"):
        assert [*scopes.scope_faults(table, None, "", wrong)]

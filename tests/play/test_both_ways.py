"""What changes in a game that goes on by other data, part by part (whole games: tests/releases)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.choices import Amount, OneOf, SomeOf
from pbem.engine.model import Option, Violation
from pbem.games.madrid.orders import Move, Pass
from pbem.messages import words
from pbem.play import both_ways
from pbem.play.both_ways import in_english
from pbem.play.table import Illegal, spelled

PASS = spelled(Pass())


def told(lines: Any) -> list[str]:
    return [words(line) for line in lines]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"vp": 7}, {"vp": 7}, []),
        ({"vp": 7, "rm": 3}, {"vp": 8, "rm": 3}, ["vp: 8; it was 7"]),
        ({"units": [["N01", "A"], ["N02", "B"]]}, {"units": [["N01", "A"], ["N02", "C"]]},
         ["units N02: C; it was B"]),
        ({"units": [["N01", {"at": "A"}]]}, {"units": [["N01", {"at": "B"}]]},
         ["units N01 at: B; it was A"]),
        ({"units": [["N01", "A"]]}, {"units": []}, ['units: []; it was {"N01":"A"}']),
        ({"units": {"N01": "A"}}, {"units": {}}, ["units N01: there is none any more; it was A"]),
        ({"units": {}}, {"units": {"N01": "A"}}, ["units N01: A; there was none"]),
        ({"stack": ["N01", "N02"]}, {"stack": ["N02", "N01"]},
         ['stack: ["N02","N01"]; it was ["N01","N02"]']),
        ({"led": True}, {"led": False}, ["led: no; it was yes"]),
        ({"cup": list(range(90))}, {"cup": []}, ["cup: []; it was a list"]),
    ],
)  # fmt: skip
def test_each_place_at_which_two_positions_differ_is_named(
    before: Any, after: Any, said: list[str]
) -> None:
    found = both_ways._differing("", before, after)
    assert [line for each in found for line in told(both_ways._otherwise(*each))] == said


def test_orders_are_tried_that_differ_in_one_field_each() -> None:
    fields = {
        "units": SomeOf(("N01", "N02", "N03"), at_least=1), "path": OneOf((("A",), ("B",))),
        "point": OneOf(("N01",)),
    }  # fmt: skip
    option: Any = Option(Move, fields)
    tried = {(order.units, order.path) for order in both_ways._samples(option)}
    assert tried == {(("N01",), ("A",)), (("N01",), ("B",)), (("N01", "N02"), ("A",))}
    assert both_ways._some(Amount(2, 9)) == (2, 9)


class Spoken:
    """A table as far as standing orders ask it."""

    def __init__(self, answer: Any = None, fault: str = "", *, covers: bool = True) -> None:
        self.policy_answer = lambda policy: answer
        self.covers = lambda *scope: covers
        self.fault = fault

    def check_policy(self, *said: Any) -> None:
        if self.fault:
            raise Illegal((Violation(self.fault),))


@pytest.mark.parametrize(
    ("now", "then", "said"),
    [
        (Spoken(PASS), Spoken(PASS), []),
        (Spoken(PASS), Spoken(),
         ["the standing orders 'own' of the player answer: nothing; it was: pass"]),
        (Spoken(PASS), Spoken(PASS, covers=False),
         ["the standing orders 'own' of the player answer: nothing; it was: pass"]),
        (Spoken(), Spoken(PASS),
         ["the standing orders 'own' of the player answer: pass; it was: nothing"]),
        (Spoken(PASS), Spoken(fault="no such unit"),
         ["the standing orders 'own' of the player say something that does not exist in the new "
          "data: no such unit"]),
        (Spoken(fault="no such unit"), Spoken(fault="no such unit"), []),
    ],
)  # fmt: skip
def test_standing_orders_are_asked_both_ways(
    now: Any, then: Any, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Any = SimpleNamespace(called=lambda player: "the player")
    monkeypatch.setattr(both_ways, "said", lambda table, order, side: "pass")
    policy = SimpleNamespace(slot="own", scope=None, until=None)
    assert told(both_ways._policy(both_ways._Both(game, now, then), "A", policy, {})) == said


def test_a_line_of_an_offer_is_one_line_and_not_too_long() -> None:
    (line,) = in_english(["a\nb" * 400])
    assert "\n" not in line and len(line) == both_ways.LONGEST_LINE


def test_more_than_an_offer_has_room_for_is_counted() -> None:
    lines: Any = [f"line {number}" for number in range(both_ways.MOST_LINES + 7)]
    *_, last = both_ways._bounded([*lines, "line 3"])
    assert words(last) == "and 7 more things"
    assert len(both_ways._bounded(lines)) == both_ways.MOST_LINES + 1

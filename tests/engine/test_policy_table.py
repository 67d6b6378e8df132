"""The table of standing orders, with rows of no game: what is given twice or never applies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from pbem.engine.conditions import A_NUMBER
from pbem.engine.model import Decision, Side, State
from pbem.engine.policies import answering, reading, scopes, sealing
from pbem.engine.policies.rows import Clause, PolicyPart, Slot, Times
from pbem.engine.policies.table import PolicyTable
from pbem.value import replace
from tests.engine.test_shapes import FACTS, HEX
from tests.engine.toy import RED, Climb, Ladder, Rest, Step

TABLE = PolicyTable(
    rows=(
        PolicyPart("goal", "", Clause(HEX)), PolicyPart("quiet", "", Clause(HEX), of_nothing=True),
        PolicyPart("camp", "", Clause(HEX), slot="night"),
    ),
    facts=FACTS, slots={"night": Slot("night: {}", lambda *_: False, "", lambda *_: True)},
    subject=lambda stage: None, times=Times(lambda position: (1, 1)), told="", notes=(),
    goes_on="fights", for_example="goal: 2006", for_slots="slots: {a: {goal: 2006}}",
    for_condition="",
)  # fmt: skip
ALWAYS_ASKED = "you are always asked, so this policy never answers"


def faults(written: Any) -> list[tuple[str, tuple[Any, ...], bool]]:
    """Each fault: message, place, whether a key is meant."""
    found = reading.faults(TABLE, None, Side("x"), written)
    return [(str(each.message), each.at, each.is_key) for each in found]


@pytest.mark.parametrize(("written", "told"), [
    ({"goal": "2006"}, []), ({"night": {"camp": "2006"}}, []), ({"slots": {"night": "none"}}, []),
    ({"slots": {"north": "none", "left": {"goal": "2006"}}}, []),
    ([3], [("a standing policy must be a mapping", (), False)]),
    ({"goal": "2006", "slots": {"standing": {"goal": "1e3"}}},
     [("the slot standing is given twice: the parts next to slots: belong to it",
       ("slots", "standing"), True)]),
    ({"slots": {"standing": {"goal": "1e3"}}}, []),
    ({"night": {"camp": "2006"}, "slots": {"standing": {"goal": "1e3"}}}, []),
    ({"slots": {}}, [("no slot is named", ("slots",), False)]),
    ({"night": {"camp": "2006"}, "slots": {"night": "none"}},
     [("night is given twice", ("slots", "night"), True)]),
    ({"slots": {"no slot": "none"}},
     [("a slot must be a short name of letters and digits", ("slots", "no slot"), True)]),
    ({"slots": {"night": {"goal": "2006"}}},
     [("night is already the name of a part", ("slots", "night"), True)]),
    ({"goal": "2006", "scope": {"only": ["quiet"]}},
     [("goal never applies: the scope is only for quiet", ("goal",), True)]),
    ({"goal": "2006", "scope": {"only": ["goal"]}}, []),
    ({"goal": "2006", "scope": {"ask": [{}]}}, [(ALWAYS_ASKED, ("scope", "ask", 0), False)]),
    ({"quiet": "2006", "scope": {"ask": [{}]}}, []),
    ({"goal": "2006", "scope": {"when": [{"turn": 2}], "ask": [{"turn": 2}]}},
     [("ask excludes everything in when, so this policy never answers", ("scope", "ask"), False)]),
    ({"quiet": "2006", "scope": {"only": ["quiet"], "when": [{"turn": 2}]}},
     [("when is about fights, which only excludes, so this policy never answers",
       ("scope", "when"), False)]),
    ({"quiet": "2006", "scope": {"only": ["quiet"]}}, []),
    ({"goal": "2006", "scope": {"only": ["goal"], "when": [{"turn": 2}]}}, []),
])  # fmt: skip
def test_what_is_given_twice_or_never_applies(written: Any, told: list[Any]) -> None:
    assert faults(written) == told


@pytest.mark.parametrize("document", [{"gaol": "2006"}, {"goal": "Nowhere"}, [3], "none", None])
def test_a_document_of_whatever_kind_is_judged(document: Any) -> None:
    assert [*sealing.document_faults(TABLE, None, Side("x"), {"goal": "2006"})] == []
    assert [*sealing.document_faults(TABLE, None, Side("x"), document)]


@dataclass(frozen=True)
class Asking(Climb):
    """A climb whose question standing orders answer."""

    def ask(self, position: Ladder) -> Decision | None:
        asked = super().ask(position)
        return replace(asked, policy="climb") if asked else None


def steps(position: Ladder, stage: Any, said: int) -> Step:
    return Step(said)


CLIMB = replace(TABLE, rows=(PolicyPart("climb", "", Clause(A_NUMBER.shape, order=steps)),))


@pytest.mark.parametrize(("document", "answer"), [
    ({"climb": 2}, Step(2)), ({"climb": 9}, Rest()), ({}, Rest()), ({"climb": "all"}, Rest()),
])  # fmt: skip
def test_an_answer_that_is_not_legal_is_not_given(document: Any, answer: Any) -> None:
    """The default one is, as where nothing is said."""
    state = State(Ladder(), (Asking(RED),))
    asked = state.agenda[-1].ask(state.position)
    assert asked is not None
    assert answering.answer(CLIMB, state, asked, document) == answer


@pytest.mark.parametrize(("scope", "until", "bound"), [
    ({}, None, True), ({}, "turn 1", True), ({}, "turn 0", False),
    ({"only": ["goal"]}, None, False), ({"only": ["goal", "quiet"]}, None, True),
    ({"only": ["goal", "quiet"]}, "turn 0", False),
])  # fmt: skip
def test_only_what_is_in_force_and_answers_everything_binds(
    scope: Any, until: str | None, bound: bool
) -> None:
    assert scopes.binds(TABLE, None, "standing", scope, until) is bound

"""One table says all there is of standing orders: form, faults, schema, questions and answers."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.engine.policies import answering, help, reading, sealing
from pbem.engine.policies.rows import ANY_SLOT, Clause
from pbem.engine.policies.table import ASK
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.policies.table import PARTS, TABLE
from pbem.games.crusade.policies.table import TABLE as STANDING
from pbem.games.crusade.position import ROUNDS
from pbem.late import LateName
from pbem.value import fields, is_value, replace
from tests.contract.wild import Wild
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field

STAGES = Path(__file__).resolve().parents[3] / "pbem" / "games" / "crusade" / "stages"
BY_NAME = {part.name: part for part in PARTS}
WORDS: dict[str, Any] = {
    "combat_card": "none",
    "cards": [{"slot": "table", "card": "R7"}],
    "losses": ["MIL"],
    "successor": ["INF"],
    "cancel_retreat": "always",
    "retreat": "toward_supply",
    "rally": ["MIL"],
    "spare": ["MIL"],
    "withdraw_first": True,
    "forced": {"discard": "lowest_ops"},
    "replacements": [{"replace": "INF"}],
    "returning": ["madrid"],
    "markers": ["madrid"],
    "surplus": ["MIL"],
    "guerrilla": "none",
    "discard": [],
    "redraw": "never",
    "advance": "never",
}
"""Something to say in each part."""
EVERY_RULE = frozenset({"18.1.9", "18.3.1", "18.2.9", "open_hands"})
"""With these everything is asked that can be, of one side or the other."""


def wrapped(name: str, said: Any) -> dict[str, Any]:
    own = {name: said}
    return own if BY_NAME[name].slot == ANY_SLOT else {BY_NAME[name].slot: own}


def validator(rows: Any) -> Draft202012Validator:
    standing, shared = help.schema(rows)
    return Draft202012Validator({**standing, "$defs": shared})


@cache
def whole() -> Draft202012Validator:
    """That of every row, which is itself sound."""
    found = validator(TABLE)
    found.check_schema(found.schema)
    return found


def asked_by_stages() -> set[str]:
    """Every word that a stage gives as `policy=`."""
    found = set()
    for path in STAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "policy":
                words = (each for each in ast.walk(node.value) if isinstance(each, ast.Constant))
                found |= {each.value for each in words if isinstance(each.value, str)}
    return found - {""}


def test_every_slot_that_a_stage_names_has_its_part_and_no_part_is_for_nothing() -> None:
    answered = {question for part in PARTS for question in (*part.answers, *part.own)}
    assert asked_by_stages() == answered
    assert {question for part in PARTS for question in part.beside} <= answered
    assert set(BY_NAME) == set(WORDS)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_without_its_row_a_part_is_nowhere(name: str) -> None:
    position = table(3, options=EVERY_RULE, hand={N: ["N7"], R: ["R7"]}, round=ROUNDS)
    written, kept = wrapped(name, WORDS[name]), BY_NAME[name]
    less = replace(TABLE, rows=tuple(part for part in PARTS if part.name != name))
    document = {name: WORDS[name]}
    assert name in help.vocabulary(TABLE) and list(whole().iter_errors(written)) == []
    for side in (N, R):
        assert [*unknown(TABLE, position, side, written)] == []
        assert [*unknown(less, position, side, written)] == [name]
        assert name not in begun(less, position, side)
        if kept.is_sealed:
            (fault,) = sealing.document_faults(less, position, side, document)
            assert str(fault.message) == f"standing orders have no field {name!r}"
        has_line = kept.clause.line(position, side) is not None
        assert begun(TABLE, position, side).count(name) == has_line, side
    assert list(validator(less).iter_errors(written)) != []
    alone = {
        question
        for question in kept.answers
        if not any(question in part.answers for part in PARTS if part.name != name)
    }
    slot = kept.slot or "standing"
    assert set(TABLE.questions(slot)) - set(less.questions(slot)) == alone


def begun(rows: Any, position: Any, side: Any) -> list[str]:
    """The parts that the lines of a form begin with."""
    return [text.split(":")[0].strip() for text, _ in help.example_lines(rows, position, side)]


def unknown(rows: Any, position: Any, side: Any, written: Any) -> list[str]:
    told = "standing orders have no field "
    faults = reading.faults(rows, position, side, written)
    return [str(each.at[-1]) for each in faults if str(each.message).startswith(told)]


@pytest.mark.rule("8.5.3.1")
def test_without_its_rows_a_question_gets_the_default() -> None:
    hand = {R: ["R7", "R29", "R55"]}
    position = field(3, sevilla="AFR-1 INF-1", riotinto="RPA-1 R-MIL-1", hand=hand,
                     options=frozenset({"open_hands"}))  # fmt: skip
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1"))
    (policy,) = sealing.parts(STANDING, position, R, {"combat_card": ["R7"]})
    assert answering.answer(TABLE, fought.state, fought.asks, policy["doc"]) == CombatCards(("R7",))
    rows = tuple(part for part in PARTS if "cards" not in part.answers)
    less = replace(TABLE, rows=rows)
    assert answering.answer(less, fought.state, fought.asks, policy["doc"]) == fought.asks.default
    assert answering.shows(less, fought.state, fought.asks, policy["doc"]) == ()


def test_a_misspelt_part_is_told_with_the_nearest() -> None:
    (fault,) = reading.faults(STANDING, table(), N, {"retraet": "toward_supply"})
    assert str(fault.hint).startswith("did you mean retreat?")
    (fault,) = reading.faults(STANDING, table(), N, {"zzzzzz": 1})
    assert str(fault.hint).startswith("they have scope, ")


@pytest.mark.parametrize(
    "written, message, hint",
    [
        ({"combat_card": "no"}, "no card is named 'no'", "did you mean none?"),
        ({"combat_card": False}, "", "did you mean none?"),
        ({"cancel_retreat": "No"}, "cancel_retreat must be never, always", "did you mean never?"),
        ({"turn_end": "discard none"}, "turn_end must be a mapping", "turn_end: {"),
        ({"slots": {"west": "x"}}, "west must be a mapping", "losses: [MIL, POL]"),
        ("x", "a standing policy must be a mapping", "losses: [MIL, POL]"),
    ],
)
def test_what_is_no_policy_is_told_what_to_write(written: Any, message: str, hint: str) -> None:
    (fault,) = reading.faults(STANDING, table(), N, written)
    assert str(fault.message).startswith(message) and str(fault.hint).startswith(hint)


def names_in(thing: Any) -> Iterator[LateName]:
    """Every name of a row that is looked up late."""
    if isinstance(thing, LateName):
        yield thing
    elif isinstance(thing, Mapping):
        for inner in thing.values():
            yield from names_in(inner)
    elif is_value(thing):
        for each in fields(thing):
            yield from names_in(getattr(thing, each.name))


def test_every_row_names_a_clause_that_answers_its_questions() -> None:
    for part in PARTS:
        assert isinstance(part.clause, LateName)
        clause = part.clause.found()
        assert isinstance(clause, Clause), part.name
        assert set(clause.answers) <= {*part.answers, *part.own}, part.name
        is_answered = clause.order is not None or set(clause.answers) >= set(part.answers)
        assert is_answered or not part.is_sealed, part.name
    for slot in TABLE.slots.values():
        assert all(callable(each.found()) for each in names_in(slot))


def test_whether_a_policy_speaks_is_told_without_its_form_and_its_answers() -> None:
    code = (
        "import sys; from pbem.games.crusade.policies.table import TABLE\n"
        "assert 'losses' in TABLE.questions('standing')\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if "crusade.policies." in name}
    assert loaded == {f"pbem.games.crusade.policies.{name}" for name in ("table", "moment")}


def test_a_fault_in_a_clause_does_not_hide_that_its_card_is_not_held() -> None:
    written = {"cards": [{"card": "R7", "when": {"wether": "rain"}}]}
    told = [str(each.message) for each in reading.faults(STANDING, table(), R, written)]
    assert told == ["no condition is named 'wether'", "R7 is not in your hand"]


def test_a_fault_in_one_part_does_not_hide_what_another_says_in_vain() -> None:
    written = {"combat_card": [{"card": "R7"}], "cards": [{"card": "R7", "target": "R-MIL-1"}]}
    found = reading.faults(STANDING, table(hand={R: ["R7"]}), R, written)
    assert [(str(each.message), each.is_key) for each in found] == [
        ("no card is named {'card': 'R7'}", False),
        ("R7 (Operation Orders Captured) takes no unit", True),
    ]


def test_a_scope_where_none_can_stand_is_told_once() -> None:
    written = {"turn_end": {"scope": {"only": ["losses"]}, "markers": ["madrid"]}}
    (fault,) = reading.faults(STANDING, table(), R, written)
    assert str(fault.message) == "standing orders have no field 'scope'"


# --- ask ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(name for name in BY_NAME if BY_NAME[name].answers))
def test_ask_in_place_of_an_answer_leaves_the_question_to_the_player(name: str) -> None:
    position = table(3, options=EVERY_RULE)
    part, written = BY_NAME[name], wrapped(name, ASK)
    assert list(whole().iter_errors(written)) == []
    assert {reading.faults(TABLE, position, side, written) for side in (N, R)} >= {()}
    (policy,) = sealing.parts(TABLE, position, R, written)
    slot = part.slot or "standing"
    always = TABLE.questions(slot, unsaid=True)
    left = {word for word in TABLE.questions(slot) if word not in part.answers}
    assert policy["slot"] == slot and policy["doc"] == {}
    assert set(policy["scope"]["only"]) == (left & {*always} if part.slot else left)
    assert (
        sealing.misfits(TABLE, position, R, slot, policy["scope"], policy["until"], policy["doc"])
        == ()
    )


def test_ask_beside_an_answer_leaves_the_other_questions_as_they_were() -> None:
    written = {"losses": ["MIL"], "retreat": ASK, "scope": {"only": ["losses", "retreat"]}}
    (policy,) = sealing.parts(TABLE, table(), R, written)
    assert policy["doc"] == {"losses": ["MIL"]} and policy["scope"] == {"only": ["losses"]}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"successor": ASK}, "expected a list of units or kinds of units"),
        ({"combat_card": ASK, "cards": [{"card": "R7"}]},
         "ask and cards answer the same question"),
        ({"retreat": ASK, "scope": {"only": ["retreat"]}},
         "you are always asked, so this policy never answers"),
        ({"retreat": ASK, "scope": {"only": ["losses"]}},
         "retreat never applies: the scope is only for losses"),
        ({"spare": ASK}, "no unit is spared without option 18.3.1"),
        ({"withdraw_first": ASK}, "withdrawal before combat needs option 18.3.1"),
        ({"turn_end": {"guerrilla": ASK}}, "you have no guerrillas"),
    ],
)  # fmt: skip
def test_asking_in_vain_is_a_fault(written: Any, message: str) -> None:
    position = table(options=frozenset({"open_hands"}))
    assert [str(each.message) for each in reading.faults(TABLE, position, R, written)] == [message]


@pytest.mark.parametrize("name", sorted({"losses", "retreat", "cancel_retreat", "cards"}))
def test_a_document_never_asks(name: str) -> None:
    """What is left to the player all can see in the scope; a sealed word cannot hold up a game."""
    assert [*sealing.document_faults(TABLE, table(), R, {name: ASK})] != []


# --- the schema and the checker -------------------------------------------------------------------


def test_what_the_checker_takes_fits_the_schema() -> None:
    schema, taken = whole(), 0
    position = table(3, options=EVERY_RULE)
    words = (*help.vocabulary(TABLE), "MIL", "POL", "madrid", "R7")
    for number in range(3000):
        wild = Wild(random.Random(number), words)
        name = wild.rng.choice(sorted(BY_NAME))
        written = wrapped(name, wild.document(words, 2))
        if not reading.faults(TABLE, position, R, written):
            taken += 1
            assert list(schema.iter_errors(written)) == [], written
    assert taken > 40


@pytest.mark.parametrize(
    "written",
    [
        {"lossses": ["MIL"]}, {"losses": "MIL"}, {"losses": [{"orders": ["MIL"]}]},
        {"retreat": "away"}, {"retreat": {"prefer": [{"near": "madrid"}]}},
        {"cancel_retreat": "sometimes"}, {"cancel_retreat": [{"if": {}}]},
        {"scope": {"only": ["lossses"]}}, {"scope": {"ask": [{"spaces": "madrid"}]}},
        {"scope": {"when": [{"difference": 1}]}}, {"slots": {"no name": {}}},
        {"slots": {"north": {"slots": {}}}}, {"turn_end": {"losses": ["MIL"]}},
        {"turn_end": {"redraw": "always"}}, {"turn_end": {"replacements": [{"buy": "INF"}]}},
        {"turn_end": {"replacements": [{"rebuild": {"unit": "INF", "steps": 3}}]}},
        {"turn_end": {"replacements": [{"replace": "INF"}] * 61}},
        {"withdraw_first": "perhaps"}, {"forced": {"N7": ["MIL"]}}, {"successor": ASK},
        {"cards": [{"when": {"any": True}}]}, {"combat_card": [7]},
    ],
)  # fmt: skip
def test_what_the_schema_refuses_the_checker_refuses(written: Any) -> None:
    position = table(3, options=EVERY_RULE)
    assert list(whole().iter_errors(written)) != []
    assert (
        reading.faults(TABLE, position, N, written)
        != ()
        != reading.faults(TABLE, position, R, written)
    )

"""The matrix joins what it is given, finds what is written, and forgets nothing."""

from __future__ import annotations

from tests.house.coverage import (
    Matrix,
    NamedChapter,
    NumberedRule,
    Reading,
    joined,
    marks,
    page,
    plain,
    read_in,
    readings,
    unknown,
)

RULES = (
    NumberedRule("8.0", "Cards", "omitted", "a heading"),
    NumberedRule("8.1", "Hands", "engine"),
    NumberedRule("8.1.1/a", "Too | many", "engine"),
    NumberedRule("8.10", "Decks", "data"),
    NumberedRule("charm 7", "Air Bridge", "charm"),
    NumberedRule("RC.near", "What is near", "engine"),
)
CHAPTERS = (
    NamedChapter("RC", "Clarifications"),
    NamedChapter("charm", "Charms", "what a charm does"),
)
CODE = (("8.1", "rules.cards.held"), ("8.1", "rules.cards.held"), ("9.9", "rules.cards.odd"))
TESTS = (("8.1", "tests/games/g/test_cards.py::test_hands"),)

TEST_MODULE = '''
import pytest
from pytest import mark

pytestmark = pytest.mark.rule("1.0")
CASES = [pytest.param(1, marks=pytest.mark.rule("1.1"))]

@pytest.mark.rule("2.1", "2.2")
@pytest.mark.parametrize("n", CASES)
def test_one(n):
    """Not pytest.mark.rule("9.9")."""

class TestTwo:
    @mark.rule("3.1")
    def test_inner(self): ...

@CITE.rule("4.1")
def no_test(): ...
'''


def test_marks_are_found_with_the_test_that_bears_them() -> None:
    assert set(marks(TEST_MODULE, "t.py")) == {
        ("1.0", "t.py"),
        ("1.1", "t.py"),
        ("2.1", "t.py::test_one"),
        ("2.2", "t.py::test_one"),
        ("3.1", "t.py::TestTwo::test_inner"),
    }


SOURCE = """
class Siege:
    # reading: of the class, right above a function.
    def relieve(self):
        if self:
            # reading: Q7, the siege ends
            # at once.
            # reading: Q8, always.
            x = 1

# reading: of the module.
"""


def test_readings_are_found_to_their_last_line() -> None:
    assert list(readings(SOURCE, "rules/siege.py")) == [
        Reading("rules/siege.py", 3, "Siege", "of the class, right above a function."),
        Reading("rules/siege.py", 6, "Siege.relieve", "Q7, the siege ends at once."),
        Reading("rules/siege.py", 8, "Siege.relieve", "Q8, always."),
        Reading("rules/siege.py", 11, "", "of the module."),
    ]


def test_a_reading_is_about_what_it_begins_with_and_what_the_code_around_it_keeps() -> None:
    told = (
        Reading("rules/cards.py", 1, "held", "Q1, of the function that keeps 8.1."),
        Reading("rules/cards.py", 2, "Hand.held", "of a class that serves 8.1.1/a."),
        Reading("rules/cards.py", 3, "", "Q2, charm 7, 8.10, 9.9, of two; 8.1 is named later."),
        Reading("rules/cards.py", 4, "odd", "The charm 7 is not named first."),
    )
    served = (("8.1.1/a", "rules.cards.Hand"),)
    found = Matrix("Game", joined(RULES, CODE, (), ()), told, CHAPTERS, served, ("8.1",))
    assert [rules for _, rules in read_in(found)] == [
        ("8.1",), ("8.1.1/a",), ("charm 7", "8.10"), (),
    ]  # fmt: skip
    listed = {rule["number"]: rule["readings"] for rule in plain(found)["rules"]}
    assert listed["8.1"] == [told[0].text] and listed["8.10"] == [told[2].text]
    assert [each["number"] for each in plain(found)["rules"] if each.get("audit")] == ["8.1"]


def test_a_row_has_each_place_once() -> None:
    row = joined(RULES, CODE, (), TESTS)[1]
    assert row.code == ("rules.cards.held",)
    assert row.tests == ("tests/games/g/test_cards.py::test_hands",)


def test_citations_of_no_rule_are_told() -> None:
    assert unknown(RULES, CODE) == [("9.9", "rules.cards.odd")]


def matrix() -> Matrix:
    return Matrix("Game", joined(RULES, CODE, (("8.10", "cards.yaml"),), TESTS), (), CHAPTERS)


def test_what_is_missing_is_known_by_number() -> None:
    assert matrix().without_code() == ("8.1.1/a", "charm 7", "RC.near")
    assert matrix().without_test() == ()
    in_code = (*CODE, ("8.10", "rules.cards.decks"))  # what is in the data needs no test of its own
    untested = Matrix("Game", joined(RULES, in_code, (), ()))
    assert untested.without_test() == ("8.1",)


def test_a_number_finds_what_stands_below_it_and_nothing_else() -> None:
    assert [row.rule.number for row in matrix().find("8.1")] == ["8.1", "8.1.1/a"]


def test_the_page_shows_every_rule_and_what_is_not_yet_there() -> None:
    text = page(matrix())
    assert "## 8. Cards" in text and "## Charms" in text and "## Clarifications" in text
    assert "| charm: what a charm does | 1 | 0 | 0 | 1 |" in text
    assert "| 8.0 | Cards | omitted | a heading |  |" in text
    assert "| 8.1 | Hands | engine | `rules.cards.held` | `test_cards::test_hands` |" in text
    assert r"| 8.1.1/a | Too \| many | engine | *not yet* |  |" in text
    assert "| 8.10 | Decks | data | cards.yaml |  |" in text
    assert "| engine: enforced by code | 3 | 1 | 1 | 2 |" in text

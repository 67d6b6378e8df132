"""What is left open with `...` is no order; it is said what may stand there."""

import pytest
from order_samples import NAMES, VERBS, Activate, Discard, Done, Move, Play

from pbem.engine.choices import Amount, Example, OneOf, SomeOf, listed
from pbem.engine.model import Decision, Option, Side
from pbem.engine.words import Words
from pbem.orders import openings
from pbem.orders.bind import bind
from pbem.orders.openings import open_choices
from pbem.orders.parse import parse
from pbem.problems import Refused
from pbem.text.source import Source

PLAYS = (Play("N1", "event"), Play("N7", "event"), Play("N7", "redeployment"), Play("none"))


def decision(*options, default=None):
    return Decision(Side("red"), "action", "play a card", "7.1", options, default or Play("none"))


def told(line, asked=None, **more):
    """Each open place of an order: column, message and hint."""
    file = parse(Source("f", f"orders:\n  - {line}\n"), VERBS)
    found = open_choices(file, 0, asked, **more)
    assert all(each.code == "open-choice" and each.span.line == 2 for each in found)
    assert all(each.rule == ("7.1" if asked else "") for each in found)
    return [(each.span.column, str(each.message), str(each.hint)) for each in found]


LISTED = str(openings.LISTED)
CARDS = decision(Option(Play, examples=listed(PLAYS)))
ANY = decision(
    Option(Activate, {"move": SomeOf(tuple("abcdefghijklmnop"), 0, 2), "attack": OneOf(("a", ""))}),
    Option(Done, {}),
    default=Done(),
)


@pytest.mark.parametrize(
    "line, asked, expected",
    [
        ("play: {card: ..., for: event}", CARDS, [(18, "fill in card: N1 or N7", "")]),
        ("play: {card: ...}", CARDS, [(18, "fill in card: N1, N7 or none", "")]),
        ("play: {card: n7, for: ...}", CARDS, [(27, "fill in for: event or redeployment", "")]),
        ("play: {card: X9, for: ...}", CARDS,
         [(27, "fill in for: event, redeployment or operations", "")]),
        ("play: {card: ..., for: ...}", CARDS,
         [(18, "fill in card: N1, N7 or none", ""),
          (28, "fill in for: event, redeployment or operations", "")]),
        ("play: {card: ..., for: ...}", None,
         [(18, "fill in card", LISTED), (28, "fill in for", LISTED)]),
        ("activate: {move: ..., attack: ...}", ANY,
         [(22, "fill in move: up to 2 of a, b, c, d, e, f, g, h, i, j, k, l and 4 more, which "
           "'pbem form' lists", ""), (35, "fill in attack: a", "")]),
        ("activate: {move: [a, ...]}", ANY, [(26, "fill in move", LISTED)]),
        ("attack: {space: a, units: {a: ...}}", ANY, [(35, "fill in units", LISTED)]),
        ("attack: {space: a, units: {a: [x]}, advance: {units: ...}}", ANY,
         [(58, "fill in advance", LISTED)]),
        ("...", ANY, [(5, "fill in this order: you are asked to play a card",
                       "write activate: {move: ..., attack: ...} or done")]),
        ("activate: ...", ANY, [(15, "fill in this order: you are asked to play a card",
                                 "write activate: {move: ..., attack: ...}")]),
        ("...", None, [(5, "fill in this order, or leave it out", LISTED)]),
        ("{move: {units: a, path: b}, by_rail: ...}", CARDS, [(42, "fill in by_rail", LISTED)]),
    ],
)  # fmt: skip
def test_an_open_choice_says_where_and_with_what_it_is_filled_in(line, asked, expected):
    assert told(line, asked) == expected


def test_an_answer_that_may_be_empty_says_so():
    asked = decision(Option(Discard, {"cards": SomeOf(("N1", "N2"))}), default=Discard())
    assert told("discard: {cards: ...}", asked) == [
        (22, "fill in cards: any of N1 and N2", "or write discard: none, to choose nothing")
    ]
    assert told("...", asked)[0][2] == "write discard: {cards: ...} or discard: none"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("discard: {cards: ...}",
         (22, "nothing can be named in cards here", "write discard: none")),
        ("...", (5, "fill in this order: you are asked to play a card", "write discard: none")),
    ],
)  # fmt: skip
def test_where_nothing_can_be_named_the_one_answer_is_told(line, expected):
    asked = decision(Option(Discard, {"cards": SomeOf(())}), default=Discard())
    assert told(line, asked) == [expected]


def played(*examples):
    return decision(Option(Play, examples=lambda some: examples))


def test_an_example_says_what_its_fields_may_be_beside_what_is_given():
    first = Example(Play("N1"), "dear", {"card": ("N1",), "use": ("operations", "event")})
    other = Example(Play("N7"), "cheap", {"card": ("N7", "N8"), "use": ("operations",)})
    asked = played(first, other)
    assert told("play: {card: ...}", asked)[0][1] == "fill in card: N1, N7 or N8"
    assert told("play: {card: n1, for: ...}", asked)[0][1] == "fill in for: operations or event"
    assert told("play: {card: N8, for: ...}", asked)[0][1] == "fill in for: operations"
    assert told("play: {card: ..., for: event}", asked)[0][1] == "fill in card: N1"


def test_an_example_that_names_not_all_values_of_a_field_tells_none():
    bare = played(Example(Play("N1"), "one of many"))
    assert told("play: {card: N1, for: ...}", bare)[0][1:] == ("fill in for", LISTED)
    some = played(Example(Play("N1"), others={"card": ("N1", "N7")}))
    assert told("play: {card: ..., for: ...}", some)[0][1] == "fill in card: N1 or N7"
    assert told("play: {card: ..., for: ...}", some)[1][1] == "fill in for"


def test_a_number_is_told():
    number = decision(Option(Move, {"by_rail": Amount(1, 3)}))
    assert (
        told("move: {units: a, path: b, by_rail: ...}", number)[0][1] == "fill in by_rail: 1 to 3"
    )


def test_a_hand_that_is_not_known_is_not_told():
    ((_, message, hint), second) = told("play: {card: ..., for: ...}", CARDS, blind=Words())
    assert message == "fill in card" and hint.startswith("without --key your hand is not known")
    assert second[1].startswith("fill in for: event")


@pytest.mark.parametrize(
    "line", ["...", "'...'", "play: ...", "play: {card: ...}", "activate: {move: [...]}",
             "attack: {space: a, units: {...: [INF]}}", "{activate: , move: ...}"],
)  # fmt: skip
def test_no_order_comes_of_an_open_line(line):
    file = parse(Source("f", f"orders:\n  - {line}\n"), VERBS)
    assert len(file.orders) == 1
    with pytest.raises(Refused) as refused:
        bind(file, 0, NAMES)
    assert {problem.code for problem in refused.value.problems} == {"open-choice"}


def test_other_slips_of_an_open_order_are_told():
    with pytest.raises(Refused) as refused:
        parse(Source("f", "orders:\n  - play: {crad: ..., for: [x]}\n  - plya: ...\n"), VERBS)
    assert [problem.code for problem in refused.value.problems] == [
        "unknown-field", "wrong-type", "unknown-verb",
    ]  # fmt: skip

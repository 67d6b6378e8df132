"""Orders to YAML and back; forms."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_samples import VERBS, Activate, Attack, Done, Going, Move, Play, Rebuild

from pbem.engine.choices import Amount, Example, OneOf, SomeOf, listed
from pbem.engine.codec import from_written
from pbem.engine.model import Decision, Option, Side
from pbem.orders.parse import parse
from pbem.orders.shape import CURLY
from pbem.orders.template import Head, described, form
from pbem.orders.written import inline, order_line, orders_text, scalar
from pbem.text.source import Source
from pbem.text.yamlsource import read
from pbem.value import replace
from tests.conftest import FUZZ

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=0, max_size=12)
NAME = TEXT.filter(lambda text: text != "..." and text[:1] not in CURLY if text else True)
NAMED = NAME.filter(lambda text: text not in ("", "none", "<<"))
LIST = st.lists(NAME, max_size=3).map(tuple)
ORDERS = st.one_of(
    st.builds(Play, NAME, NAMED),
    st.builds(Activate, LIST, LIST),
    st.builds(Move, LIST, LIST, st.booleans()),
    st.builds(
        Rebuild,
        NAME,
        st.integers(-999_999_999, 999_999_999),
        st.none() | st.tuples(st.integers(0, 9), NAME),
    ),
    st.builds(
        Attack,
        NAME,
        st.dictionaries(NAMED, LIST, max_size=3),
        NAME.filter("none".__ne__),
        LIST,
        st.none() | st.builds(Going, LIST, LIST, st.booleans()),
    ),
    st.just(Done()),
)


@settings(max_examples=60 * FUZZ, deadline=None)
@given(st.lists(ORDERS, max_size=4), TEXT)
def test_orders_survive_the_way_to_yaml_and_back(orders, say):
    file = parse(Source("f", orders_text(orders, say)), VERBS)
    assert [from_written(order.kind, order.plain) for order in file.orders] == orders
    assert file.say == say


@settings(max_examples=40 * FUZZ, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-999_999_999, 999_999_999) | TEXT,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMED, inner, max_size=3),
        max_leaves=8,
    )
)
def test_any_plain_value_survives(value):
    assert read(Source("f", f"key: {inline(value)}\n")).value == {"key": value}


@pytest.mark.parametrize(
    "text, written",
    [
        ("merida", "merida"),
        ("Santa Olalla", "Santa Olalla"),
        ("MIL-NAV", "MIL-NAV"),
        ("NO", "NO"),
        ("7", "'7'"),
        ("true", "'true'"),
        ("", "''"),
        ("it's", "'it''s'"),
        ("a: b", "'a: b'"),
        ("a\nb", '"a\\nb"'),
        ("12:30", "'12:30'"),
        ("r/1/4", "r/1/4"),
        (">=2", "'>=2'"),
        (None, "null"),
        (True, "true"),
        (7, "7"),
        ("Mérida", "Mérida"),
    ],
)
def test_texts_are_quoted_only_where_they_must_be(text, written):
    assert scalar(text) == written


@pytest.mark.parametrize(
    "order, line",
    [
        (Play("N7"), "play: {card: N7}"),
        (Play("N7", "event"), "play: {card: N7, for: event}"),
        (Done(), "done"),
        (
            Attack("merida", {"caceres": ("INF-1",)}),
            "attack: {space: merida, units: {caceres: [INF-1]}}",
        ),
    ],
)
def test_an_order_is_a_line(order, line):
    assert order_line(order) == line


def shown(*examples):
    return lambda some: examples


PLAY = Option(Play, {"card": OneOf(("N1", "N7")), "use": OneOf(("event",))})
DONE = Option(Done, {})
DECISION = Decision(
    side=Side("red"),
    stage="operations",
    prompt="Activate spaces, or say that you are done.",
    rule="8.2",
    default=Done(),
    optional=True,
    options=(
        Option(
            Activate,
            {"move": SomeOf(("merida", "caceres"), 1)},
            "one operations point for each space",
        ),
        Option(Play, {"card": OneOf(("N1", "N7")), "use": OneOf(("event",))}),
        Option(Rebuild, {"unit": OneOf(("INF-1",)), "steps": Amount(1, 2)}),
        Option(
            Attack,
            examples=shown(
                Example(Attack("merida", {"caceres": ("INF-1",)}), "it may also rain"),
            ),
        ),
        Option(Move, examples=listed((Move(("INF-1",), ("merida",)),))),
        Option(Rebuild, examples=listed(())),
        Option(Done, {}),
    ),
)


def test_a_form_is_open_and_reads_again():
    text = form(DECISION, Head("12345678901234567890", 7), given=(Play("N1"),))
    file = parse(Source("f", text), VERBS)
    assert [(order.verb, order.blanks) for order in file.orders] == [("play", ()), ("", ((),))]
    assert (file.game, file.entry) == ("12345678901234567890", 7)
    file = parse(Source("f", text.replace("  - ...", "  - done")), VERBS)
    assert from_written(file.orders[1].kind, file.orders[1].plain) == Done()


@pytest.mark.parametrize(
    "options, default, lines",
    [
        ((PLAY,), Play("N1", "event"),
         ["play: {card: ..., for: ...}", "play: {card: N1, for: event}"]),
        ((PLAY, DONE), Done(), ["...", "done   # nothing"]),
        ((Option(Activate, {"move": SomeOf(("a",))}),), Activate(),
         ["activate: {move: ...}", "activate: none   # nothing"]),
        ((Option(Activate, {"move": SomeOf(("a",)), "attack": SomeOf(("b",))}),), Activate(),
         ["...", "activate: none   # nothing"]),
        ((Option(Rebuild, {"unit": OneOf(("b", "a"))}),), Rebuild("a"),
         ["rebuild: {unit: ...}", "rebuild: {unit: a}   # a legal answer"]),
        ((Option(Play, examples=shown(Example(Play("N7", "event"), "x"))),), Play("N1"),
         ["play: {card: ..., for: ...}", "play: {card: N1}   # a legal answer"]),
        ((Option(Play, examples=listed((Play("N1"), Play("N7", "event")))),), Play("N7", "event"),
         ["play: {card: ...}", "play: {card: N7, for: event}"]),
        ((Option(Done, {}),), Done(), ["...", "done   # nothing"]),
        ((Option(Activate, {"move": SomeOf(())}),), Activate(),
         ["...", "activate: none   # no space can be named here"]),
    ],
)  # fmt: skip
def test_the_open_line_of_a_form_and_its_default(options, default, lines):
    """Even a question with one answer is open: what was not written is never sent."""
    decision = replace(DECISION, options=options, default=default, optional=False)
    text = form(decision)
    open_line, below = lines
    assert f"\norders:\n  - {open_line}   # fill in" in text
    assert f"\n  # - {below}\n" in text
    assert text.count(f"# - {below.partition('   #')[0]}\n") <= 1


def test_every_order_in_a_comment_of_a_form_reads_as_an_order():
    text = form(DECISION).replace("  # - ", "  - ")
    file = parse(Source("f", text), VERBS)
    assert [order.verb for order in file.orders] == [
        "",
        "done",
        "activate",
        "play",
        "rebuild",
        "attack",
        "move",
    ]


@pytest.mark.parametrize(
    "example, line",
    [
        (Example(Play("N1"), "dear"), "play: {card: N1}   # dear"),
        (Example(Play("N1"), "", {"use": ("operations", "event"), "card": ("N1",)}),
         "play: {card: N1, for: operations}   # for: operations, event"),
        (Example(Play("N1"), "dear", {"use": ("operations",)}),
         "play: {card: N1, for: operations}   # dear"),
        (Example(Activate(("a",)), "", {"move": (("a",), ("b",)), "attack": ((), ("c",))}),
         "activate: {move: [a]}   # move: [a], [b]; attack: [], [c]"),
        (Example(Done()), "done   # nothing"),
    ],
)  # fmt: skip
def test_an_example_in_a_form(example, line):
    """What a field says by default is written too where it could say something else."""
    option = Option(type(example.order), examples=shown(example))
    text = form(replace(DECISION, options=(option,), default=Done(), optional=False))
    assert f"\n  # - {line}\n" in text


def test_a_very_long_order_is_broken_behind_commas_and_reads_back():
    long = Activate(tuple(f"a_long_name_{at}" for at in range(20)))
    option = Option(Activate, examples=shown(Example(long, "dear")))
    text = form(replace(DECISION, options=(option,), default=long, optional=False))
    _, _, below = text.partition("  # - ")
    below, _, note = below.partition("\n  #     ")
    assert below.count("\n  #   a_long_name_") == 3 and note == "dear\n"
    assert all(len(line) <= 96 for line in text.splitlines())
    (order,) = parse(Source("f", f"orders:\n  - {below}".replace("  # ", "  ")), VERBS).orders
    assert from_written(order.kind, order.plain) == long


def test_a_verb_alone_that_is_not_legal_is_not_shown():
    options = (Option(Activate, {"move": SomeOf(("a",))}), DONE)
    decision = replace(DECISION, options=options, default=Activate(("a",)), optional=False)
    assert "# - done" in form(decision)
    assert "- done" not in form(decision, legal=lambda order: order != Done())


def test_a_form_says_what_is_legal():
    assert form(DECISION).splitlines()[:8] == [
        "# Activate spaces, or say that you are done. [rule 8.2]",
        "orders:",
        "  - ...   # fill in: replace this line with one of the orders below",
        "  # - done   # nothing more",
        "",
        "  # one operations point for each space",
        "  # - activate: {move: [merida]}",
        "  #     move: 1 or more of merida, caceres",
    ]
    assert all(len(line) <= 96 for line in form(DECISION).splitlines())


@pytest.mark.parametrize(
    "choice, words",
    [
        (OneOf(("a", "b")), "a, b"),
        (OneOf(()), "nothing is possible"),
        (OneOf(tuple(range(130))), ", ".join(map(str, range(120))) + " and 10 more"),
        (SomeOf(("a", "b")), "any of a, b"),
        (SomeOf(()), "nothing can be named here"),
        (SomeOf(("a", "b"), 2), "all of a, b"),
        (SomeOf(("a", "b", "c"), 1, 2), "1 to 2 of a, b, c"),
        (SomeOf(("a", "b", "c"), 0, 2), "up to 2 of a, b, c"),
        (SomeOf(("a", "b", "c"), 2, 2), "2 of a, b, c"),
        (Amount(1, 3), "1 to 3"),
        (Amount(2, 2), "2"),
        (OneOf(("", "a")), "a, or left out"),
    ],
)
def test_choices_in_words(choice, words):
    assert str(described(choice)) == words

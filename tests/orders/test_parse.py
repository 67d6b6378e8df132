"""Orders files as people write them."""

import pytest
from order_samples import VERBS, Attack

from pbem.engine.codec import from_written
from pbem.engine.model import Decision, Option, Side, Violation
from pbem.games.crusade.orders import VERBS as CRUSADE
from pbem.games.ctv.orders import VERBS as SANTANDER
from pbem.games.madrid.orders import VERBS as MADRID
from pbem.orders.parse import parse
from pbem.problems import Refused
from pbem.text.source import Source, render
from pbem.value import replace


def read(text):
    return parse(Source("orders.yaml", text), VERBS)


def problems(text):
    with pytest.raises(Refused) as refused:
        read(text)
    return refused.value.problems


def plain(text):
    return [(order.verb, order.plain) for order in read(f"orders:\n{text}").orders]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("  - play: {card: N7, for: event}", [("play", {"card": "N7", "for": "event"})]),
        ("  - play:\n      card: N7\n      for: event", [("play", {"card": "N7", "for": "event"})]),
        ("  - play:\n    card: N7\n    for: event", [("play", {"card": "N7", "for": "event"})]),
        ("  - play: {card: NO}", [("play", {"card": "NO"})]),
        ("  - done", [("done", {})]),
        ("  - done:", [("done", {})]),
        ("  - done: {}", [("done", {})]),
        ("  - discard: none", [("discard", {})]),
        ("  - activate: {move: merida}", [("activate", {"move": ["merida"]})]),
        ("  - activate: {move: none, attack: [merida]}", [("activate", {"attack": ["merida"]})]),
        ("  - activate: {move: , attack: []}", [("activate", {"attack": []})]),
        (
            "  - move: {units: INF, path: [a, b], by_rail: yes}",
            [("move", {"units": ["INF"], "path": ["a", "b"], "by_rail": True})],
        ),
        (
            "  - move: {units: [INF], path: [a], by_rail: false}",
            [("move", {"units": ["INF"], "path": ["a"], "by_rail": False})],
        ),
        (
            "  - rebuild: {unit: INF, steps: 2, pair: [1, x]}",
            [("rebuild", {"unit": "INF", "steps": 2, "pair": [1, "x"]})],
        ),
        (
            "  - attack: {space: a, units: {b: INF}, armor: none, advance: none}",
            [("attack", {"space": "a", "units": {"b": ["INF"]}})],
        ),
        (
            "  - attack: {space: a, units: {b: [INF]}, losses: [POL]}",
            [("attack", {"space": "a", "units": {"b": ["INF"]}, "losses": ["POL"]})],
        ),
        (
            "  - attack: {space: a, units: {b: [INF]}}\n    losses: [POL]\n"
            "    advance: {units: [INF]}",
            [
                (
                    "attack",
                    {
                        "space": "a",
                        "units": {"b": ["INF"]},
                        "losses": ["POL"],
                        "advance": {"units": ["INF"]},
                    },
                )
            ],
        ),
        (
            "  - losses: {steps: [INF]}\n  - advance: {units: [INF], to: a}",
            [("losses", {"steps": ["INF"]}), ("advance", {"units": ["INF"], "to": ["a"]})],
        ),
    ],
)
def test_what_is_read(text, expected):
    assert plain(text) == expected


def test_the_rest_of_the_file():
    file = read(
        "game: 12345678901234567890\nentry: 40\nsay: ¡No pasarán!\nstanding: {losses: [a]}\n"
    )
    assert (file.game, file.entry, file.say) == ("12345678901234567890", 40, "¡No pasarán!")
    assert file.standing == {"losses": ["a"]} and file.orders == ()
    assert file.standing_span(("losses", 0)).line == 4
    assert file.meant_for("12345678901234567890", 40) == ()
    assert file.meant_for("1234 5678 9012 3456 7890", 40) == ()
    assert file.meant_for("7", 40, also="1234567890 1234567890") == ()
    assert [p.code for p in file.meant_for("7", 41)] == ["wrong-game", "wrong-entry"]
    assert read("game: 77\norders: []\n").game == "77"


@pytest.mark.parametrize(
    "path, line, text",
    [
        ((), 2, "attack"),
        (("space",), 2, "Mérida"),
        (("units", "caceres"), 2, "[INF, MIL]"),  # written Cáceres
        (("units", "caceres", 1), 2, "MIL"),
        (("units", "caceres", 9), 2, "[INF, MIL]"),
        (("units", "nowhere"), 2, "{Cáceres"),
        (("losses", 1), 3, "POL"),
        (("advance", "to", 0), 4, "merida"),  # one text where a list is meant
        (("armor",), 2, "{space"),
    ],
)
def test_a_violation_finds_its_place(path, line, text):
    file = read(
        "orders:\n  - attack: {space: Mérida, units: {Cáceres: [INF, MIL]}}\n"
        "    losses: [INF, POL]\n    advance: {units: [INF], to: merida}\n"
    )
    span = file.span_of(0, path)
    assert span.line == line and span.excerpt[span.column - 1 :].startswith(text)
    problem = file.problem(0, Violation("it cannot", path, "8.2", "do otherwise"))
    assert render(problem).startswith(f"orders.yaml:{line}:{span.column}: it cannot [rule 8.2]\n")


@pytest.mark.parametrize(
    "half", ["  - discard", "  - discard:", "  - discard: ~", "  - discard: {cards: }",
             "  - discard:\n    cards:", "  - discard:\n    when: {turn: 2}"],
)  # fmt: skip
def test_an_order_that_could_be_none_is_not_read_as_none_while_it_is_half_written(half: str):
    (problem,) = problems(f"orders:\n{half}\n")
    assert (problem.code, str(problem.message)) == ("missing-field", "discard does not say what")
    assert str(problem.hint) == (
        "write discard: {cards: ...}, or discard: none if that is what you mean"
    )


def test_what_was_read_is_an_order():
    (written,) = read("orders: [attack: {space: a, units: {b: INF}}]").orders
    assert from_written(written.kind, written.plain) == Attack("a", {"b": ("INF",)})


@pytest.mark.parametrize(
    "text, codes",
    [
        ("", ["empty-file"]),
        ("# nothing", ["empty-file"]),
        ("orders", ["no-orders"]),
        ("- play: {card: N7}", ["wrong-type"]),
        ("{}", ["missing-field"]),
        ("game: x", ["missing-field"]),
        ("oders: []", ["unknown-field"]),
        ("orders: play", ["wrong-type"]),
        ("orders: {play: {card: N7}}", ["wrong-type"]),
        ("orders: []\nstanding: [a]", ["wrong-type"]),
        ("orders: []\nsay: 7", ["wrong-type"]),
        ("orders: []\nsay: " + "x" * 5000, ["too-long"]),
        ("orders: []\nentry: first", ["wrong-type"]),
        ("orders: []\ngame: [x]", ["wrong-type"]),
        ("orders: [[play]]", ["no-order"]),
        ("orders: [{}]", ["no-order"]),
        ("orders: [7, ]", ["no-order"]),
        ("orders: ['', '::']", ["no-order", "no-order"]),
        ("orders:\n -\n", ["no-order"]),
        ("orders: [" + "done, " * 201 + "]", ["too-long"]),
        ("orders: [{play: {card: N7}, move: {}}]", ["two-orders"]),
        ("orders: [{attack: {losses: [a], space: a, units: {}}, losses: [b]}]", ["doubled-field"]),
        ("orders: [{activate: none, move: [a]}]", ["doubled-field"]),
        ("orders: [rebuild: {unit: INF, pair: [1]}]", ["wrong-type"]),
        ("orders: [rebuild: {unit: INF, steps: yes}]", ["wrong-type"]),
        ("orders: [rebuild: {unit: {a: b}}]", ["wrong-type"]),
        ("orders: [move: {units: {a: b}, path: [a]}]", ["wrong-type"]),
        ("orders: [attack: {space: a, units: {b: }}]", ["missing-value"]),
        ("orders: [attack: {space: a, units: [b]}]", ["wrong-type"]),
        ("orders: [attack: {space: a, units: {b: c}, advance: {unit: d}}]", ["unknown-field"]),
        ("orders: [done: {now: yes}]", ["unknown-field"]),
    ],
)
def test_what_is_refused(text, codes):
    assert [problem.code for problem in problems(text)] == codes


def test_a_comma_in_braces_is_told_with_what_it_was_meant_for():
    for text, hint in (
        ("attack: {space: a, units: {b: 1/7Leg, INF}}", "a list needs brackets: b: [1/7Leg, INF]"),
        ("attack: {space: a, units: {INF}}", ""),
        ("attack: {space: a, units: {b: [x], INF}}", ""),
    ):
        (*_, problem) = problems(f"orders: [{text}]")
        assert (problem.code, str(problem.hint)) == ("missing-value", hint)


@pytest.mark.parametrize("word", ["pass", "end"])
@pytest.mark.parametrize("text", ["- {}", "- {}:", "- {}: {{}}"])
def test_who_writes_another_word_for_the_end_is_told_the_verb(word, text):
    source = Source("orders.yaml", "orders:\n" + text.format(word) + "\n")
    with pytest.raises(Refused) as refused:
        parse(source, CRUSADE)
    assert [str(each.hint) for each in refused.value.problems] == ["did you mean done?"]


def test_a_stray_verb_next_to_good_fields_is_a_field_that_the_order_does_not_have():
    text = "orders:\n- attack: {space: a, units: {b: [INF]}}\n  losses: [POL]\n  play: yes\n"
    (problem,) = problems(text)
    assert str(problem.message) == "attack has no field 'play'"
    assert (problem.span.line, problem.span.column) == (4, 3)
    assert str(problem.hint).startswith("it may be space, ")


def test_problems_of_yaml_and_of_shape_come_together_in_the_order_of_the_file():
    found = problems("orders:\n  - pay: {card: N7}\n  - play: {card: &a N7}\n  - play: {crd: N7}\n")
    assert [p.code for p in found] == [
        "unknown-verb",
        "yaml-anchor",
        "unknown-field",
    ]


@pytest.mark.parametrize(
    "line, meant",
    [
        ("  - redeploy:{units: [A], to: b}", "- redeploy: {units: [A], to: b}"),
        ("  -redeploy: {units: [A], to: b}", "- redeploy: {units: [A], to: b}"),
        ("  redeploy: {units: [A], to: b}", "- redeploy: {units: [A], to: b}"),
        ("  - redeploy {units: [A], to: b}", "- redeploy: {units: [A], to: b}"),
        ("  -done", "- done"),
        ("  done:", "- done"),
        ("  -done:", "- done"),
    ],
)
@pytest.mark.parametrize("before", ["", "  - play: {card: N1, for: event}\n"])
def test_a_slip_in_front_of_an_order_is_mended_by_the_hint(line, meant, before):
    """What the hint says is written in the line's place, and the file can be read."""
    verbs = CRUSADE
    with pytest.raises(Refused) as refused:
        parse(Source("o.yaml", f"orders:\n{before}{line}\n"), verbs)
    assert any(str(problem.hint).endswith(f": {meant}") for problem in refused.value.problems)
    mended = f"orders:\n{before}  {meant}\n".replace("{units: [A], to: b}", "{units: [A], to: [b]}")
    try:
        parse(Source("o.yaml", mended), verbs)
    except Refused as left:
        assert not [each for each in left.problems if "yaml" in each.code or "verb" in each.code]


@pytest.mark.parametrize(
    "line", ["- redeploy: {untis: [A]}", "- redeploy: [[A]]", "- rdeploy: {units: [A]}", "- x: [{"]
)
def test_where_nothing_mends_a_line_none_is_shown(line):
    found = problems(f"orders:\n  {line}\n")
    assert not [each for each in found if str(each.hint).startswith(("write it as", "write line"))]


@pytest.mark.parametrize("line, hint", [
    ("restore: INF-1", "write restore: {unit: INF-1}, perhaps with at"),
    ("play: N7", "write play: {card: N7}, perhaps with for"),
    ("play: N7 event", "write play: {card: ...}"),
    ("play: [N7]", "write play: {card: ...}"),
    ("activate: [merida, zafra]", "write activate: {move: [merida, zafra]}, perhaps with attack"),
    ("activate: merida", "write activate: {move: ..., attack: ...}"),
    ("activate: no", "write activate: none"),
    ("activate: yes", "write activate: {move: ..., attack: ...} or activate: none"),
    ("play: yes", "write play: {card: ...}"),
    ("move: [INF-1, merida]", "write move: {units: ..., path: ...}"),
])  # fmt: skip
def test_a_bare_value_is_put_where_it_probably_belongs(line, hint):
    with pytest.raises(Refused) as refused:
        parse(Source("f", f"orders:\n  - {line}\n"), VERBS)
    assert [str(problem.hint) for problem in refused.value.problems] == [hint]


def test_a_verb_that_is_like_no_other_is_told_those_that_can_be_given_now():
    """A list of every verb of a game says nothing to a player who may give five of them."""
    many = {f"verb{chr(97 + n) * 5}": VERBS["play"] for n in range(20)}
    options = (Option(VERBS["play"]), Option(VERBS["done"]))
    asked = Decision(Side("a"), "round", "play a card", "6", options, VERBS["done"]())
    for verbs, decision, hint in (
        ({**VERBS, **many}, asked, "an order can now begin with play or done"),
        (VERBS, None, "it may be play, activate, "),
        ({**VERBS, **many}, None, "'pbem form' lists the possible orders"),
    ):
        with pytest.raises(Refused) as refused:
            parse(Source("f", "orders:\n  - asalto: {}\n"), verbs, asked=lambda _, d=decision: d)
        assert str(refused.value.problems[0].hint).startswith(hint)


def test_an_order_that_is_not_asked_for_is_told_that_before_its_form():
    """What a player would mend in it could not be given anyway."""
    asked = Decision(Side("a"), "round", "end it", "6", (Option(VERBS["done"]),), VERBS["done"]())
    for decision, codes in (
        (asked, ["not-asked"]),
        (replace(asked, optional=True), ["wrong-type"]),
        (None, ["wrong-type"]),
    ):
        with pytest.raises(Refused) as refused:
            parse(Source("f", "orders:\n  - play: [1]\n"), VERBS, asked=lambda _, d=decision: d)
        assert [each.code for each in refused.value.problems] == codes


def test_what_stands_behind_a_verb_without_a_colon_goes_into_its_field():
    (found,) = problems("orders:\n  - play N1\n")
    assert str(found.hint) == "write it as: - play: {card: N1}"


@pytest.mark.parametrize("key, hint", [
    ("resign", "pbem resign"), ("offer", "pbem offer"), ("draw", "pbem offer draw"),
    ("undo", "pbem offer takeback"),
])  # fmt: skip
def test_what_is_a_command_is_no_order(key: str, hint: str):
    (found,) = problems(f"orders:\n  - {key}: yes\n")
    assert str(found.hint) == f"that is no order but a command: {hint}"


def test_an_entry_that_is_no_number():
    (found,) = problems("entry: four\norders: []\n")
    assert str(found.hint) == "you can leave this line out"


@pytest.mark.parametrize("item", ["{}", "when: {turn: 3}"])
def test_a_condition_alone_is_no_order(item: str):
    (found,) = problems(f"orders:\n  - {item}\n")
    assert str(found.message) == "there is no order here"
    assert "such as activate; a 'when' goes below it" in str(found.hint)


@pytest.mark.parametrize("text", [
    "```yaml\norders:\n  - done\n```\n", "```\norders:\n  - done\n",
    "orders:\n  - done\n```\n", "orders:\n  ```\n  - done\n",
])  # fmt: skip
def test_a_text_copied_with_its_fences(text: str):
    (found,) = problems(text)
    assert "this line is not YAML" in str(found.message)
    assert text.split("\n")[found.span.line - 1].lstrip().startswith("```")
    assert str(found.hint) == "delete the lines that begin with ```"


def test_standing_orders_are_not_taken_back_by_one_word():
    for word, hint in (("none", "slots: {standing: none}"), ("all", "'losses: [...]'")):
        with pytest.raises(Refused) as refused:
            parse(Source("f", f"standing: {word}\n"), VERBS)
        assert hint in str(refused.value.problems[0].hint)


def test_a_place_in_one_thing_is_told_as_in_a_list_of_one():
    """What is judged as a list of clauses may be written as one clause without brackets."""
    for text in ("{when: {fresh: x}}", "[{when: {fresh: x}}]"):
        file = parse(Source("f", f"standing:\n  c: {text}\norders: []\n"), VERBS)
        span = file.standing_span(("c", 0, "when", "fresh"))
        assert span.excerpt[span.column - 1 :].startswith("x}}")


@pytest.mark.parametrize("part, message", [
    ("support: {air: {a: b}}", "air must be a list, not pairs such as {a: b}"),
    ("advance: {unit: [INF]}", "advance has no field 'unit'"),
    ("support: [INF]", "support must be written {...: ...}, not as a list"),
    ("breakthrough: [a]", "breakthrough must be written {...: ...}, not as a list"),
])  # fmt: skip
def test_what_may_be_a_word_or_a_part_is_judged_by_the_form_it_has(part: str, message: str):
    text = f"orders:\n  - attack: {{hex: a, units: {{b: [INF]}}, {part}}}\n"
    with pytest.raises(Refused) as refused:
        parse(Source("f", text), SANTANDER)
    (found,) = refused.value.problems
    assert str(found.message) == message


def told(line, verbs):
    with pytest.raises(Refused) as refused:
        parse(Source("f", f"orders:\n  - {line}\n"), verbs)
    return [(str(each.message), str(each.hint)) for each in refused.value.problems]


def test_a_field_of_another_order_is_told_with_that_order():
    ((message, hint),) = told("attack: {units: [I], path: [A]}", MADRID)
    assert message == "attack has no field 'path'" and hint == "it is a field of move or assault"


def test_none_is_no_order_where_something_must_be_said():
    ((message, _),) = told("move: none", CRUSADE)
    assert message == "move takes {units: ..., path: ...}, not the text 'none'"

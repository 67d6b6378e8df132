"""Names to ids."""

from dataclasses import replace

import pytest
from order_samples import (
    NAMES,
    VERBS,
    Activate,
    Advance,
    Attack,
    Discard,
    Going,
    Land,
    Losses,
    Move,
    Play,
    Recall,
    Restore,
)

from pbem.orders.bind import bind, unknown_names
from pbem.orders.parse import parse
from pbem.orders.unknown import suggestion
from pbem.problems import Refused
from pbem.text.source import Source


def file_of(text):
    return parse(Source("f", f"orders:\n  - {text}\n"), VERBS)


@pytest.mark.parametrize(
    "text, order",
    [
        ("play: {card: n7}", Play("N7")),
        ("play: {card: Air Bridge, for: event}", Play("N1", "event")),
        ("play: {card: none}", Play("none")),
        (
            "activate: {move: [Mérida, emerita augusta], attack: [Santa Olalla]}",
            Activate(("merida", "merida"), ("santa_olalla",)),
        ),
        ("move: {units: [INF], path: [caceres, merida]}", Move(("INF-1",), ("caceres", "merida"))),
        (
            "move: {path: [caceres, merida], units: [MIL-NAV, mil-nav-2]}",
            Move(("MIL-NAV-1", "MIL-NAV-2"), ("caceres", "merida")),
        ),
        ("move: {units: [INF, INF], path: [sevilla]}", Move(("INF-2", "INF-3"), ("sevilla",))),
        (
            "attack: {space: Mérida, units: {Cáceres: [INF, MIL-NAV, MIL-NAV], sevilla: AFR},"
            " armor: ARM}",
            Attack(
                "merida",
                {"caceres": ("INF-1", "MIL-NAV-1", "MIL-NAV-2"), "sevilla": ("AFR-1",)},
                "CV-33",
            ),
        ),
        (
            "attack: {space: merida, units: {caceres: [MIL-NAV-2, INF]}, losses: [POL, INF],\n"
            "             advance: {units: [MIL-NAV, INF], to: Mérida, follow: yes}}",
            Attack(
                "merida",
                {"caceres": ("MIL-NAV-2", "INF-1")},
                "",
                ("POL", "INF"),
                Going(("MIL-NAV-2", "INF-1"), ("merida",), True),
            ),
        ),
        ("restore: {unit: MIL-NAV, at: Cáceres}", Restore("MIL-NAV-1", "caceres")),
        ("restore: {unit: AFR-1, at: caceres}", Restore("AFR-1", "caceres")),
        ("land: {unit: AFR, space: caceres}", Land("AFR-1", "caceres")),
        ("losses: {steps: [AFR, CV-33]}", Losses(("AFR-1", "CV-33"))),
        ("advance: {units: AFR, to: [merida, Zafra]}", Advance(("AFR-1",), ("merida", "zafra"))),
        ("discard: {cards: [N1, N10]}", Discard(("N1", "N10"))),
    ],
)
def test_names_become_ids(text, order):
    assert bind(file_of(text), 0, NAMES) == order
    assert unknown_names(file_of(text), NAMES) == ()


@pytest.mark.parametrize(
    "text, column, message, hint",
    [
        (
            "move: {units: [INF], path: [sanat_olalla]}",
            33,
            "no space is named 'sanat_olalla'",
            "did you mean santa_olalla?",
        ),
        (
            "move: {units: [INF], path: [Meridda]}",
            33,
            "no space is named 'Meridda'",
            "did you mean merida?",
        ),
        (
            "move: {units: INF-1 INF-2, path: [merida]}",
            19,
            "no unit is named 'INF-1 INF-2'",
            "write a list: [INF-1, INF-2]",
        ),
        ("play: {card: N70}", 18, "no card is named 'N70'", "did you mean N7 or N10?"),
        ("play: {card: zzz}", 18, "no card is named 'zzz'", "it may be N1, N7 or N10"),
        (
            "move: {units: [XYZ], path: [merida]}",
            20,
            "no unit is named 'XYZ'",
            "it may be INF-1, INF-2, INF-3, MIL-NAV-1, MIL-NAV-2, AFR-1, CV-33, POL-1 or POL-2",
        ),
        (
            "attack: {space: merida, units: {cacares: [INF]}}",
            37,
            "no space is named 'cacares'",
            "did you mean caceres?",
        ),
    ],
)
def test_unknown_names_are_told_before_anything_is_resolved(text, column, message, hint):
    (problem,) = unknown_names(file_of(text), NAMES)
    assert (problem.span.column, str(problem.message), str(problem.hint)) == (column, message, hint)
    with pytest.raises(Refused) as refused:
        bind(file_of(text), 0, NAMES)
    assert problem in refused.value.problems


@pytest.mark.parametrize(
    "text, code, hint",
    [
        ("move: {units: [INF], path: [sevilla]}", "ambiguous", "it may be INF-2 or INF-3"),
        ("losses: {steps: [INF]}", "ambiguous", "it may be INF-1, INF-2 or INF-3"),
        ("land: {unit: INF, space: sevilla}", "ambiguous", "it may be INF-1, INF-2 or INF-3"),
        ("move: {units: [INF], path: [zafra]}", "not-there", "it may be INF-1, INF-2 or INF-3"),
        ("move: {units: [AFR, AFR], path: [sevilla]}", "too-many", "it is AFR-1"),
        ("attack: {space: merida, units: {caceres: [INF], Cáceres: [AFR]}}", "doubled-name", ""),
    ],
)
def test_a_type_must_be_clear(text, code, hint):
    file = file_of(text)
    assert unknown_names(file, NAMES) == ()
    with pytest.raises(Refused) as refused:
        bind(file, 0, NAMES)
    problem = refused.value.problems[0]
    assert (problem.code, str(problem.hint)) == (code, hint)


@pytest.mark.parametrize("only, told", [("", "AFR"), ("reduced", "reduced AFR")])
def test_where_a_type_is_said_to_stand_it_must_stand(only, told):
    names = replace(NAMES, only=only)
    with pytest.raises(Refused) as refused:
        bind(file_of("restore: {unit: AFR, at: caceres}"), 0, names)
    (problem,) = refused.value.problems
    assert (problem.code, str(problem.message)) == ("not-there", f"no {told} is in Cáceres now")
    assert (problem.span.column, str(problem.hint)) == (21, "it may be AFR-1")


class Bare:
    """Names of a game that knows ids only."""

    by_name = by_letter = frozenset()

    def find(self, kind, written):
        return written if written in self.known(kind) else None

    def known(self, kind):
        return NAMES.known(kind) if kind == "unit" else {}

    def spelt(self, kind, name):
        return name


def test_a_game_may_know_ids_only():
    assert bind(file_of("move: {units: INF-1, path: x}"), 0, Bare()) == Move(("INF-1",), ("x",))
    with pytest.raises(Refused):
        bind(file_of("move: {units: INF, path: x}"), 0, Bare())
    assert [p.code for p in unknown_names(file_of("move: {units: INF, path: x}"), Bare())] == [
        "unknown-unit"
    ]


def test_suggestions_are_ids_also_for_printed_names():
    assert str(suggestion("Santa Olala", NAMES.known("space"))) == "did you mean santa_olalla?"
    areas = {"AA": "Madrid", "A": "Navalcarnero", "box": "box"}
    told = suggestion("Madird", areas, explained=True)
    assert str(told) == "did you mean Madrid (AA)?"
    assert str(suggestion("bx", areas, explained=True)) == "did you mean box?"
    columns = {"R02": "Columna Mangada", "R06": "Columna Bueno", "R10": "Columna Barceló"}
    assert str(suggestion("Manguda", columns)) == "did you mean Columna Mangada (R02)?"
    assert str(suggestion("Barselo", columns)) == "did you mean Columna Barceló (R10)?"
    assert "R02, R06 or R10" in str(suggestion("Colunma", columns)), "a word of all is of none"
    assert suggestion("zzzzzzz", {str(n): "" for n in range(99)}) == ""


@pytest.mark.parametrize(
    "text, order",
    [
        ("recall: {unit: POL, to: merida, by: box}", Recall("POL-2", "merida", "box")),
        ("recall: {unit: POL, from: zafra}", Recall("POL-1", start="zafra")),
        ("recall: {unit: POL-1, by: box}", Recall("POL-1", by="box")),
        (
            "recall: {unit: POL, from: zafra, by: box}",
            Recall("POL-1", by="box", start="zafra"),
        ),
    ],
)
def test_a_word_of_an_order_may_say_where_its_unit_stands(text, order):
    assert bind(file_of(text), 0, NAMES) == order


def test_a_type_that_does_not_stand_where_the_word_says_is_told():
    with pytest.raises(Refused) as refused:
        bind(file_of("recall: {unit: INF, by: box}"), 0, NAMES)
    (problem,) = refused.value.problems
    assert str(problem.message) == "no INF is in box now"


def test_what_is_no_word_of_its_field_is_told_with_the_names_that_are_none():
    file = parse(
        Source(
            "f",
            "orders:\n"
            "  - recall: {unit: POL, by: raod}\n"
            "  - activate: {move: [merda]}\n"
            "  - recall: {unit: POL, by: rail}\n",
        ),
        VERBS,
    )
    problems = unknown_names(file, NAMES)
    assert [(each.span.line, str(each.message), str(each.hint)) for each in problems] == [
        (2, "'by' cannot be 'raod'", "did you mean road?"),
        (3, "no space is named 'merda'", "did you mean merida?"),
        (4, "'by' cannot be 'rail'", "it may be road or box"),
    ]

"""A game with hexes, areas, chits and plans: its kinds of names, and ids that look like numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.names import NamedUnit, Vocabulary
from pbem.engine.choices import Example, OneOf
from pbem.engine.codec import from_plain, to_plain
from pbem.engine.model import Decision, Option, Order, Side
from pbem.gamefile.canonical import canonical
from pbem.orders.bind import bind, unknown_names
from pbem.orders.parse import parse
from pbem.orders.template import form
from pbem.orders.written import order_line
from pbem.problems import Refused
from pbem.text.source import Source

Hex = Annotated[str, "hex"]
Unit = Annotated[str, "unit"]


@dataclass(frozen=True)
class March(Order):
    verb: ClassVar[str] = "march"
    units: tuple[Unit, ...]
    path: tuple[Hex, ...] = field(metadata={"stands": "first"})
    hours: int = 1


@dataclass(frozen=True)
class Assign(Order):
    verb: ClassVar[str] = "assign"
    units: Mapping[Hex, tuple[Unit, ...]]
    chit: Annotated[str, "chit"] = ""
    plan: Annotated[str, "plan"] = ""
    area: Annotated[str, "area"] = ""
    rank: Mapping[Unit, int] = field(default_factory=dict)


VERBS: Mapping[str, type[Order]] = {order.verb: order for order in (March, Assign)}
HEXES = ("2006", "2007", "0105", "105", "1000")
CHITS = ("1e3", "1_000", "yes", "no", "true", "1:30", "-3", "0x1F", "7", "2026-11-22")
COUNTERS = (
    NamedUnit("1/7Leg", "Bandera", "2006"),
    NamedUnit("2/7Leg", "Bandera", "2006"),
    NamedUnit("3/7Leg", "Bandera", "0105"),
    NamedUnit("77", "Tabor", "2006"),
)
NAMES = Vocabulary(
    printed={
        "hex": {hex: f"hex {hex}" for hex in HEXES},
        "unit": {counter.id: counter.id for counter in COUNTERS},
        "chit": {chit: chit for chit in CHITS},
        "plan": {"A": "the plan of A", "B": "the plan of B"},
        "area": {"IV": "the fourth"},
    },
    counters=COUNTERS,
)


def file_of(text: str):
    return parse(Source("f", f"orders:\n  - {text}\n"), VERBS)


@pytest.mark.parametrize(
    "text, order",
    [
        ("march: {units: [1/7Leg], path: [2006, 2007]}", March(("1/7Leg",), ("2006", "2007"))),
        ("march: {units: 77, path: 2006}", March(("77",), ("2006",))),
        ("march: {units: [77], path: [0105, 105]}", March(("77",), ("0105", "105"))),
        ("march: {units: ['77'], path: [\"0105\"], hours: 3}", March(("77",), ("0105",), 3)),
        ("march:\n      units: [Bandera]\n      path:\n      - 0105\n      - 1000  # far",
         March(("3/7Leg",), ("0105", "1000"))),
        ("march: {units: [bandera, BANDERA], path: [2006]}",
         March(("1/7Leg", "2/7Leg"), ("2006",))),
        ("assign: {units: {2006: [77], 0105: Bandera}, plan: b, area: iv, rank: {77: 2}}",
         Assign({"2006": ("77",), "0105": ("3/7Leg",)}, "", "B", "IV", {"77": 2})),
        *((f"assign: {{units: {{}}, chit: {chit}}}", Assign({}, chit)) for chit in CHITS),
        *((f"assign:\n      units: {{}}\n      chit: {chit}", Assign({}, chit))
          for chit in CHITS),
    ],
)  # fmt: skip
def test_a_name_is_the_text_that_is_written(text: str, order: Order) -> None:
    file = file_of(text)
    assert unknown_names(file, NAMES) == ()
    assert bind(file, 0, NAMES) == order


@pytest.mark.parametrize("order", [
    March(("1/7Leg", "77"), ("2006", "0105")), Assign({"2006": ("77",)}, "true"),
    *(Assign({}, chit) for chit in CHITS),
])  # fmt: skip
def test_it_is_written_without_quotes_and_survives_the_file(order: Order) -> None:
    assert bind(file_of(order_line(order)), 0, NAMES) == order
    plain = to_plain(order)
    canonical(plain)
    assert from_plain(type(order), plain) == order
    assert "'2006'" not in order_line(order)


@given(st.text(max_size=5), st.text(max_size=5), st.text(min_size=1, max_size=5))
def test_any_id_survives_yaml_and_file(unit: str, chit: str, hex: str) -> None:
    printed = {"hex": {hex: ""}, "unit": {unit: ""}, "chit": {chit: ""}}
    order = Assign({hex: (unit,)}, chit)
    if "..." in (unit, chit, hex) or "none" in (unit, chit) or hex == "<<":
        return
    try:
        file = file_of(order_line(order))
    except Refused as refused:  # typographic quotes, say, which nobody means
        assert {each.code for each in refused.problems} <= {"curly-quotes"}
        return
    assert bind(file, 0, Vocabulary(printed)) == order
    assert from_plain(Assign, to_plain(order)) == order


@pytest.mark.parametrize(
    "text, where, told, hint",
    [
        ("march: {units: [77], path: [2006, 2016]}", "2016", "no hex is named '2016'",
         "did you mean 2006?"),
        ("march: {units: [77], path: 2016}", "2016", "no hex is named '2016'",
         "did you mean 2006?"),
        ("assign: {units: {2016: [77]}}", "2016", "no hex is named '2016'", "did you mean 2006?"),
        ("march: {units: [Bandera], path: [2007]}", "Bandera",
         "no Bandera is in hex 2007 now", "it may be 1/7Leg, 2/7Leg or 3/7Leg"),
        ("assign: {units: {2007: [Tabor]}}", "Tabor", "", ""),
        ("assign: {units: {}, plan: C}", "C", "no plan is named 'C'", "it may be A or B"),
        ("assign: {units: {}, plan: [A]}", "[A]", "plan must be a text, not a list",
         "only one can be named here"),
        ("march: {units: [77], path: [2006], hours: 2006h}", "2006h",
         "hours must be a whole number, not '2006h'", ""),
        ("march: {units: [77], path: [null]}", "null",
         "an entry of path must be a text, not nothing", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_name_is_said_with_its_kind(
    text: str, where: str, told: str, hint: str
) -> None:
    if not told:  # the only one of its type, wherever it stands
        assert bind(file_of(text), 0, NAMES) == Assign({"2007": ("77",)})
        return
    with pytest.raises(Refused) as refused:
        bind(file_of(text), 0, NAMES)
    (problem,) = refused.value.problems
    assert (str(problem.message), str(problem.hint)) == (told, hint)
    assert problem.span is not None
    assert problem.span.excerpt[problem.span.column - 1 :].startswith(where)


@pytest.mark.parametrize("text, turned, unknown", [
    ("{77: 2006}", "2006: 77", ["77"]),
    ("{Bandera: [0105]}", "0105: Bandera", ["Bandera"]),
    ("{77: 2016}", "", ["77", "2016"]), ("{78: 2006}", "", ["78", "2006"]),
    ("{2006: 2007}", "", ["2007"]), ("{77: Bandera}", "", ["77"]),
    ("{77: [2006, 2007]}", "", ["77", "2006", "2007"]),
])  # fmt: skip
def test_a_key_in_place_of_its_value_is_told_once_with_both_turned(
    text: str, turned: str, unknown: list[str]
) -> None:
    found = unknown_names(file_of(f"assign: {{units: {text}}}"), NAMES)
    assert [str(each.message).split("'")[1] for each in found] == unknown
    hints = [str(each.hint) for each in found if "round" in str(each.hint)]
    assert hints == ([f"write it the other way round: {turned}"] if turned else [])


def test_a_form_names_hexes_as_the_map_does() -> None:
    marches = Example(
        March(("77",), ("2006", "2007")), others={"path": (("2006",), ("2006", "2007"))}
    )
    option = Option(March, examples=lambda some: [marches])
    other = Option(Assign, {"chit": OneOf(("7", "yes"))}, examples=lambda some: [
        Example(Assign({"2006": ("77",)}, "7"), "as 77")
    ])  # fmt: skip
    default = March(("77",), ("2006", "2007"))
    text = form(Decision(Side("Legion"), "march", "march", "1", (option, other), default))
    assert "  # - march: {units: [77], path: [2006, 2007]}" in text
    assert "   # path: [2006], [2006, 2007]\n" in text
    assert "  # - assign: {units: {2006: [77]}, chit: 7}   # as 77\n" in text
    assert "chit: 7, yes" in text
    freed = [line.replace("# ", "", 1) for line in text.splitlines() if line.startswith("  # - ")]
    file = parse(Source("f", "\n".join(["orders:", *freed]) + "\n"), VERBS)
    orders = [bind(file, index, NAMES) for index in range(len(freed))]
    assert default in orders and Assign({"2006": ("77",)}, "7") in orders

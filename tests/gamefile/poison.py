"""Orders and standing orders that no game can read, in lists that are well signed and follow on.

Their author's program lets them pass, so the digest of the state is the right one: what refuses the
entry is that its form is judged when it is folded, wherever in the list it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

from pbem.gamefile.chain import Entry
from tests.gamefile.mutations import GOOD, Case, case
from tests.gamefile.players import forge, opened, policy, proposed, reveal, started, write

ATTACK, PASS = {"attack": {"force": 4}}, {"pass": {}}
ORDERS: Mapping[str, dict[str, Any]] = MappingProxyType({
    "a verb that no game has": {"zzz": {}}, "a number for its fields": {"stand": 5},
    "nothing for its fields": {"advance": None}, "a text for its fields": {"pass": "x"},
    "a list for its fields": {"card": []},
    "a condition of unknown words": {"pass": {}, "when": {"weather": 1}},
    "a condition on what is hidden": {"pass": {}, "when": {"hand": 4}},
    "a condition in a condition": {"pass": {}, "when": {"round": {"round": 1}}},
})  # fmt: skip
POLICIES: Mapping[str, dict[str, Any]] = MappingProxyType({
    "a scope of unknown words": policy("all", None) | {"scope": {"weather": "rain"}},
    "a document of unknown words": policy("all", None) | {"doc": {"surrender": True}},
})  # fmt: skip


def poison_cases() -> Iterator[Case]:
    """Number 85, with its honest twins."""
    fold = opened()
    for what, order in ORDERS.items():
        for where, given in (
            ("last in the list", [ATTACK, PASS, order]), ("behind an attack", [ATTACK, order, PASS])
        ):  # fmt: skip
            entries = _let_through(fold, "A", [{"do": "orders", "list": given}])
            yield case(85, f"{what}, {where}", "E-ORDER", entries)
    known = {"advance": {"go": True}}
    honest = _let_through(fold, "A", [{"do": "orders", "list": [ATTACK, PASS, known]}])
    yield case(85, "an order that is read and never asked for", GOOD, honest)
    for what, expected, order in (
        ("a condition that is no mapping", "E-SCHEMA", {"pass": {}, "when": [1]}),
        ("a condition without a verb", "E-SCHEMA", {"when": {"round": 1}}),
        ("a condition that does not hold", "E-ORDER", {"pass": {}, "when": {"ground": 1}}),
        ("a condition that holds", GOOD, {"pass": {}, "when": {"round": 1}}),
    ):
        entries = _let_through(fold, "A", [{"do": "orders", "list": [order]}])
        yield case(85, f"{what}, alone in the list", expected, entries)
    for what, plan in POLICIES.items():
        entries = _let_through(started(), "B", [
            reveal(started(), "B", 1), {"do": "policy", **plan}
        ])  # fmt: skip
        yield case(85, what, "E-POLICY", entries)
    begun = _let_through(proposed(), "B", [
        write(proposed(), "B").entries[1].steps[0],
        {"do": "policy", **POLICIES["a scope of unknown words"]},
    ])  # fmt: skip
    yield case(85, "a scope of unknown words in the entry that accepts", "E-POLICY", begun)


def _let_through(fold: Any, player: str, steps: list[dict[str, Any]]) -> list[Entry]:
    with (
        patch(
            "pbem.gamefile.steps.orders.read_orders",
            lambda table, orders: tuple(map(table.unchecked, orders)),
        ),
        patch("pbem.gamefile.steps.orders.check_policy", lambda *given: None),
    ):
        return [*fold.entries, forge(fold, player, steps)]

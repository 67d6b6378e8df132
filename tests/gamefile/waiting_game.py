"""A duel with orders that wait, its vector `20-waiting.json`, and lists that are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pbem.gamefile import format
from pbem.gamefile.fold import Fold
from tests.gamefile.players import KEYS, opened, write

PASS: dict[str, Any] = {"pass": {}}
HOLD: dict[str, Any] = {"stand": {"how": "hold"}}


def attack(force: int, **when: int) -> dict[str, Any]:
    """An attack; one that waits, if a fact is named."""
    return {"attack": {"force": force}, **({"when": when} if when else {})}


def planned() -> Fold:
    """A attacks now if ground was won, passes, and has said what they do in round 3 and 5."""
    given = (attack(9, ground=1), PASS, attack(2, round=3), attack(4, round=5))
    return write(opened(), "A", *given)


def answered() -> Fold:
    """B passes; so round 3 begins, and what A has said for it is carried out."""
    return write(planned(), "B", PASS)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "what it waits for is not so": (attack(2, ground=1), "E-ORDER"),
    "a fact that the game does not have": (attack(2, weather=1), "E-ORDER"),
    "a fact that nobody but its owner knows": (attack(2, hand=4), "E-ORDER"),
    "a value that the fact never has": ({**attack(2), "when": {"round": "3"}}, "E-ORDER"),
    "a condition in a condition": ({**attack(2), "when": {"round": {"round": 3}}}, "E-ORDER"),
    "a condition of more than 1,024 bytes": (
        {**attack(2), "when": {"round": "3" * 1013}}, "E-LIMIT"
    ),
    "no mapping": ({**attack(2), "when": [3]}, "E-SCHEMA"),
    "a condition without a verb": ({"when": {"round": 3}}, "E-SCHEMA"),
    "two verbs": ({**attack(2, round=3), **PASS}, "E-SCHEMA"),
}  # fmt: skip


def refusals() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What is done, its class, and the step that does it."""
    for what, (order, expected) in REFUSED.items():
        yield what, expected, {"do": "orders", "list": [order]}


def waiting_vectors() -> Any:
    """The file 20-waiting.json."""
    fold = answered()
    spoilt = []
    for what, expected, step in refusals():
        spoilt.append({"what": what, "expected": expected, "entry": 4, "step": step})
    return {
        "note": "the duel of 13-game.json with orders that wait: when {round} for a round of "
        "that number, when {ground} for so much ground won at least; an attack that waits "
        "outlives a round",
        "seeds": {player: key.seed.hex() for player, key in KEYS.items()},
        "file": json.loads(format.write(fold.entries)),
        "given_behind_4": planned().machine.public_state()["protocol"]["given"],
        "given_behind_5": fold.machine.public_state()["protocol"]["given"],
        "refused": spoilt,
    }

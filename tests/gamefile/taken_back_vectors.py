"""The vector of a take-back behind which the game goes on: the question that was open is gone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pbem.gamefile.chain import Entry
from pbem.gamefile.consent import rules_of
from pbem.gamefile.fold import Fold
from tests.gamefile.mutations import GOOD, as_stored, numbered
from tests.gamefile.players import forge, reveal, write
from tests.gamefile.sealed_game import to_orders_of
from tests.gamefile.sealed_toy import open_wary_toy
from tests.gamefile.test_sealed_take_back import audited, gone_back_to_a_question_that_is_gone


@cache
def asked() -> tuple[Fold, int]:
    """A has asked to go back to a question, whose cards B has shown since; B is to answer."""
    fold, to = gone_back_to_a_question_that_is_gone()
    return write(fold, "A", offer={"what": "takeback", "to": to, "known_randomness": True}), to


@cache
def sample() -> Fold:
    """B agrees, with the value of the beacon that is locked then; played on, ended and audited."""
    return audited(to_orders_of(write(asked()[0], "B", answer=True), "B"), open_wary_toy)


def files() -> Iterator[tuple[str, str, list[Entry]]]:
    """What, the class it is refused with, and the entries of the file."""
    yield "the sample", GOOD, list(sample().entries)
    for what, code, fold, player, steps in _spoilt():
        yield what, code, [*fold.entries, forge(fold, player, steps)]


def _spoilt() -> Iterator[tuple[str, str, Fold, str, list[dict[str, Any]]]]:
    fold, to = asked()
    yes = {"do": "answer", "offer": fold.entries[-1].id, "yes": True}
    back, words = {"do": "takeback", "to": to}, {"do": "say", "text": ["Again."]}
    known, value = fold.machine.next_beacon - 1, reveal(fold, "B", fold.machine.next_beacon)
    for what, code, steps in (
        ("the lock without its value", "E-NOREVEAL", [yes, back]),
        ("words in place of the value", "E-NOREVEAL", [yes, back, words]),
        ("the answer to the question that is gone", "E-NOREVEAL",
         [yes, back, {"do": "react", "answers": [{"card": {"use": None}}]}]),
        ("a value that was shown before", "E-REVEAL", [yes, back, reveal(fold, "B", known)]),
        ("a later value", "E-REVEAL", [yes, back, reveal(fold, "B", known + 2)]),
        ("the value of another beacon", "E-REVEAL",
         [yes, back, {**value, "x": reveal(fold, "B", known)["x"]}]),
        ("orders behind the value", "E-TURN",
         [yes, back, value, {"do": "orders", "list": [{"pass": {}}]}]),
        ("a yes, and not taken back", "E-CONSENT", [yes, value]),
        ("a no, and taken back", "E-CONSENT", [{**yes, "yes": False}, back, value]),
        ("taken back without the yes", "E-CONSENT", [back, value]),
        ("taken back to another entry", "E-CONSENT", [yes, {**back, "to": to - 1}, value]),
    ):  # fmt: skip
        yield what, code, fold, "B", steps
    fold, to = gone_back_to_a_question_that_is_gone()
    offer = {"do": "offer", "what": "takeback", "to": to}
    yield "offered as if nothing were known since", "E-CONSENT", fold, "A", [offer]
    old = rules_of(fold.machine)
    other = {"do": "offer", "what": "upgrade", "old": old, "new": {**old, "ruleset": "nogame/1"}}
    yield ANOTHER_GAME, "E-CONSENT", fold, "A", [other]


ANOTHER_GAME = "an offer of the rules of another game"
WITHOUT_RULES = frozenset({"E-REVEAL", "E-TURN"})
"""What shows to who does not know the rules of the duel: they do not know that a value is due."""


def taken_back_vectors() -> Any:
    """The file 27-takeback.json."""
    stored = as_stored(sample().entries)

    return {
        "what": "a take-back to a question that what was shown since has answered: the game goes "
        "on to the next lock; and spoilt copies with the class each must be refused with. The "
        "rules are those of 13-sealed-game.json, but a question about cards that both know is not "
        "asked",
        "file": {"entries": stored, "format": "pbem-game/1"},
        "entry": next(
            number
            for number, entry in enumerate(sample().entries)
            if any(step["do"] == "takeback" for step in entry.steps)
        ),
        "mutations": [
            {"what": what, "expected": code,
             "rules": code not in WITHOUT_RULES and what != ANOTHER_GAME,
             "entries": numbered(entries, stored)}
            for what, code, entries in files()
            if code != GOOD
        ],
    }  # fmt: skip

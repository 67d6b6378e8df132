"""Entries and proposals that hold more, or other things, than the format allows.

All are well signed and follow on: their author's program lets them pass, so what refuses them is
the reader's own judgement of the content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from pbem.gamefile import format, limits
from pbem.gamefile.chain import Entry
from pbem.gamefile.compose import propose_solo
from pbem.gamefile.fold import Fold
from pbem.play import systems
from pbem.value import replace
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import GOOD, OFF_CURVE, SMALL, Case, case
from tests.gamefile.players import (
    SEALED,
    TERMS,
    TOOL,
    forge,
    opened,
    policy,
    proposed,
    resigned,
    write,
)
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.test_rotation import step as rotated
from tests.gamefile.toy import open_toy

PASS: dict[str, Any] = {"pass": {}}
EMOJI = "\U0001f600"


def oversized_cases() -> Iterator[Case]:
    """Numbers 59, 90 and 91, with honest twins; judged with the open duel."""
    yield from [*unfit_keys(), *too_much_in_an_entry(), *forged_proposals(), *practice_games()]


def unfit_keys() -> Iterator[Case]:
    """Whoever signs with a key that nobody has could deny it, or leave the other without a game."""
    fold = opened()
    for what, public in (("no point of the curve", OFF_CURVE[0]), ("a point of order 4", SMALL[0])):
        for whose, by, right in (("one's own", "A", "old"), ("the opponent's", "B", "opponent")):
            step = rotated(fold, new_pub=public, signed_by=right)
            yield case(59, f"{what} for {whose} key", "E-KEY",
                       [*fold.entries, forge(fold, by, [step])])  # fmt: skip


def too_much_in_an_entry() -> Iterator[Case]:
    fold = opened()
    orders = {"do": "orders", "list": [PASS]}
    for what, expected, steps in (
        ("words of 4,097 bytes", "E-LIMIT", [orders, *said(["a" * 398] * 10 + ["a" * 95])]),
        ("words of 4,096 bytes", GOOD, [orders, *said(["a" * 398] * 10 + ["a" * 94])]),
        ("emoji that take more as they are stored", "E-LIMIT", [orders, *said([EMOJI * 30] * 12)]),
        ("1,025 orders", "E-LIMIT", listed(1025)),
        ("64 KiB of orders", "E-LIMIT", [orders, *[padded(3000)] * 22]),
        ("an order that waits for what 1,025 bytes say", "E-LIMIT", [waits("x" * 1013)]),
        ("a scope of 65 clauses", "E-LIMIT", [orders, standing({"only": [{}] * 65}, {})]),
        ("a document of 65 clauses", "E-LIMIT", [orders, standing(None, {"card": [{}] * 65})]),
        ("65 clauses in each other and in lists", "E-LIMIT",
         [orders, standing({"only": [[{}]] * 33}, {"card": [{"x": {}}] * 16})]),
        ("a document of 64 clauses", GOOD, [orders, standing(None, {"card": [{}] * 64})]),
        ("a scope of 2 KB", "E-LIMIT", [orders, standing({"only": ["x" * 2000]}, {})]),
        ("a document of 4 KB", "E-LIMIT", [orders, standing(None, {"card": "x" * 4000})]),
        ("17 slots", "E-LIMIT", [orders, *map(slot, range(17))]),
        ("16 slots", GOOD, [orders, *map(slot, range(16))]),
    ):  # fmt: skip
        yield case(90, what, expected, [*fold.entries, forge(fold, "A", steps)])
    yield from too_many_waiting()


def waits(text: str) -> dict[str, Any]:
    return {"do": "orders", "list": [{**PASS, "when": {"round": text}}]}


def too_many_waiting() -> Iterator[Case]:
    """Answers that nobody has asked for yet wait over entries, and more come with every attack."""
    holds = policy("all", card=None, stand="hold")
    for what, times, count, padding in (
        ("1,024 orders", 5, 255, 0), ("64 KiB of orders", 3, 18, 1500)
    ):  # fmt: skip
        fold = write(begun(), "B", policies=(holds,))
        later = {"advance": {"go": True, "why": "x" * padding}}
        with patch.object(limits, "check_waiting", lambda *given: None):
            for _ in range(times):
                fold = fold if fold.pen == "A" else write(fold, "B")
                fold = write(fold, "A", {"attack": {"force": 1}}, *[later] * count)
        yield case(90, f"more than {what} waiting", "E-LIMIT", fold.entries)


def begun() -> Fold:
    """Dice with which both last five attacks."""
    return write(write(proposed(nonce=b"\x01" * 16), "B"), "A")


def beyond_a_share() -> Iterator[tuple[Case, Callable[[Entry], int]]]:
    """Number 92. Twelve MiB take long to fold, so each byte of an entry is counted for 1,024.

    With each case comes what the reader is to take for the stored size of an entry.
    """
    stored, fold = format.stored_size, opened()
    while fold.machine.entry.written["A"] <= limits.SHARE >> 10:
        last, pad = fold, ("a" * 398,) * 8
        fold = write(fold, fold.pen, PASS, say=pad if fold.pen == "A" else ())
    for what, expected, entries in (
        ("the entry that makes it more than 12 MiB", "E-LIMIT", fold.entries),
        ("all entries before it", GOOD, last.entries),
    ):
        yield case(92, what, expected, entries), lambda entry: stored(entry) << 10


def forged_proposals() -> Iterator[Case]:
    first = mini_game().entries[0]
    offer = first.steps[0]
    cards = [f"c{at:03}" for at in range(512)]
    decks = [{"deck": f"d{at}", "by": "A", "cards": cards} for at in range(5)]
    for what, expected, changes in (
        ("open hands in quotation marks", "E-SCHEMA", {"options": {"open_hands": "yes"}}),
        ("an option that is false", "E-SCHEMA", {"options": {"open_hands": False}}),
        ("a seed of two lines", "E-SCHEMA", {"options": {"seed": "one\ntwo"}}),
        ("terms that nobody asked for", "E-SCHEMA",
         {"terms": ["By accepting, B concedes the match."]}),
        ("a match of two lines", "E-SCHEMA", {"match": "Final\nB concedes the match."}),
        ("decks of 2,560 cards with 64 trials", "E-LIMIT", {"decks": decks, "m": 64}),
        ("decks with 128 trials", "E-SCHEMA", {"decks": decks[:1], "m": 128}),
        ("a deck with a card twice", "E-SCHEMA",
         {"decks": [{**decks[0], "cards": ["c1", "c2", "c1"]}]}),
        ("a deck with no card", "E-SCHEMA", {"decks": [{**decks[0], "cards": []}]}),
        ("fixes of the rules", GOOD, {"fixes": [1, 3]}),
        ("fixes, and there is none", "E-SCHEMA", {"fixes": []}),
        ("a fix twice", "E-SCHEMA", {"fixes": [3, 3]}),
        ("fixes in another order", "E-SCHEMA", {"fixes": [3, 1]}),
        ("a fix of a high number", GOOD, {"fixes": [4096]}),
        ("a fix of a number that is too high", "E-SCHEMA", {"fixes": [4097]}),
        ("a fix that is no number", "E-SCHEMA", {"fixes": ["3"]}),
        ("a bot in a game of two", "E-SCHEMA", {"options": {"bot_b": True}}),
        ("bots on both sides", "E-SCHEMA",
         {"options": {"solo": True, "seed": "x", "bot_a": True, "bot_b": True}}),
        ("a solo game without its seed", "E-SCHEMA", {"options": {"solo": True}}),
        ("a solo game with other keys", "E-KEY",
         {"options": {"solo": True, "seed": "x", "bot_b": True}}),
        ("options of more than 2 KB", "E-LIMIT",
         {"options": {f"x{at:02}{'x' * 27}": True for at in range(60)}}),
    ):  # fmt: skip
        yield case(91, what, expected, [resigned(first, steps=[{**offer, **changes}])])


def forged_decks() -> Iterator[Case]:
    """What only the game can say of decks, and who must be bound to which; with the sealed duel."""
    sealed = proposed(SEALED, table=open_sealed_toy)
    (offer,) = sealed.entries[0].steps
    a, b = offer["decks"]
    tagged = {**a, "cards": [*a["cards"], "b.1.0"]}
    shares = {**b, "cards": [*b["cards"], a["cards"][0]]}
    down = {"pieces": True}
    for what, found in (
        ("two decks of one name", [a, {**b, "deck": a["deck"]}]),
        ("a counter with the name of a tag", [tagged | down, b]),
        ("a counter in two decks", [a | down, shares | down]),
        ("a card in two decks, other than those of the game", [a, shares]),
        ("decks the game does not have", [a]),
    ):
        forged = resigned(sealed.entries[0], steps=[{**offer, "decks": found}])
        yield case(91, what, "E-DECK", [forged])
    accepted = write(sealed, "B")
    for fold in (sealed, accepted):
        honest = write(fold, fold.pen or "").entries[-1]
        begins, *rest = honest.steps
        for what, found in (("no", {}), ("another", {"x": "0" * 64, **begins["decks"]})):
            forged = resigned(honest, steps=[{**begins, "decks": found}, *rest])
            yield case(91, f"bound to {what} deck in the {begins['do']} step", "E-DECK",
                       [*fold.entries, forged])  # fmt: skip


def practice_games() -> Iterator[Case]:
    """A person with both seats, and one with whom the program plays."""
    for options in ((), ("bot_a",), ("bot_b",)):
        terms = replace(TERMS, options={**TERMS.options, **dict.fromkeys(options, True)})
        solo = propose_solo(terms, "practice", open_toy, tool=TOOL)
        yield case(91, f"a practice game with {options[0] if options else 'no bot'}", GOOD,
                   solo.entries[:1])  # fmt: skip


def unknown_options() -> Iterator[Case]:
    """Judged by a game that has options; the toy has none of its own."""
    first = mini_game().entries[0]
    data = systems.opened("crusade")
    step = {
        **first.steps[0], "ruleset": "crusade/1", "data": data.digest, "scenario": "campaign",
        "options": {"open_hands": True, "b_concedes": True},
    }  # fmt: skip
    yield case(91, "an option that the game does not have", "E-RULES",
               [resigned(first, steps=[step])])  # fmt: skip


# --- steps


def said(lines: list[str]) -> list[dict[str, Any]]:
    return [{"do": "say", "text": lines}]


def listed(count: int) -> list[dict[str, Any]]:
    """Orders in steps as long as a step may be."""
    return [{"do": "orders", "list": [PASS] * min(256, count - at)} for at in range(0, count, 256)]


def padded(size: int) -> dict[str, Any]:
    return {"do": "orders", "list": [{"pass": {"why": "x" * size}}]}


def standing(scope: dict[str, Any] | None, doc: dict[str, Any]) -> dict[str, Any]:
    return {"do": "policy", **policy("all"), "scope": scope, "doc": doc}


def slot(number: int) -> dict[str, Any]:
    return {"do": "policy", **policy(f"slot{number}", card=None)}

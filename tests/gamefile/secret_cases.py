"""What cannot be done with a secret choice, and the vector of a game with two of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from pbem.gamefile import choices
from pbem.gamefile.canonical import canonical
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.secrets import Secrets
from tests.gamefile.mutations import as_stored, numbered
from tests.gamefile.players import KEYS, forge, opened, reveal, write
from tests.gamefile.secret_toy import (
    BOLD,
    CONSPIRE,
    LEFT,
    RIGHT,
    both_bound,
    conspired,
    open_secret_toy,
)

GOOD = "good"


def secrets(fold: Fold, player: str) -> Secrets:
    return Secrets.in_game(fold.machine, KEYS[player], player)


def sealing(
    fold: Fold, player: str, order: dict[str, Any], step: int = 0, room: int = 0
) -> dict[str, Any]:
    """The step of an author whose own program judges nothing."""
    sealed = choices.seal(secrets(fold, player).game, len(fold.entries), step, order, room)
    return {"do": "seal", "c": sealed.c, "box": sealed.box}


@cache
def cases() -> dict[str, tuple[Fold, str, list[dict[str, Any]], str]]:
    asked, bound = conspired(), both_bound()
    start = opened(table=open_secret_toy)
    plot = sealing(asked, "B", LEFT)
    due = secrets(bound, "A").tell(bound.machine.hidden.chosen[0])
    orders = {"do": "orders", "list": [CONSPIRE]}
    tell_b = {"do": "tell", "order": LEFT, "salt": choices.salt_of(
        secrets(asked, "B").game, len(asked.entries), 0, LEFT)}  # fmt: skip
    early = secrets(asked, "A").tell(asked.machine.hidden.chosen[0])
    other_salt = {**due, "salt": "0" * 64}
    return {
        "two seals for one question": (asked, "B", [plot, sealing(asked, "B", RIGHT, 1)],
            "E-POLICY: tell a plot is owed first, but this is a seal step"),
        "two seals of the first to choose": (start, "A",
            [orders, sealing(start, "A", LEFT, 1), sealing(start, "A", RIGHT, 2)],
            "E-TURN: player A is asked for no secret choice now"),
        "a box too small for this question": (asked, "B", [sealing(asked, "B", LEFT, room=9)],
            "E-POLICY: the box of a secret choice has the wrong length"),
        "another plot is told": (bound, "A", [{**due, "order": LEFT}],
            "E-POLICY: the choice shown is not the one sealed in entry 4"),
        "another salt": (bound, "A", [other_salt],
            "E-POLICY: the choice shown is not the one sealed in entry 4"),
        "told in front of one's own choice": (asked, "B", [tell_b],
            "E-POLICY: no tell is owed"),
        "told before both are bound": (start, "A", [orders, sealing(start, "A", BOLD, 1), early],
            "E-POLICY: no tell is owed"),
        "kept back by words": (bound, "A", [{"do": "say", "text": ["Later."]}],
            "E-POLICY: tell a plot is owed first, but this is a say step"),
        "kept back behind one's own seal": (asked, "B", [plot],
            "E-POLICY: ends without tell a plot"),
        "kept back for orders": (bound, "A", [{"do": "orders", "list": [{"pass": {}}]}],
            "E-POLICY: tell a plot is owed first, but this is an orders step"),
        "a void beacon in place of telling": (bound, "A",
            [{**reveal(bound, "A", 2), "void": True}],
            "E-POLICY: tell a plot is owed first, but this is a reveal step"),
        "sealed where nothing secret is asked": (start, "A", [sealing(start, "A", LEFT)],
            "E-TURN: player A is asked for no secret choice now"),
        "sealed in a note": (asked, "A", [sealing(asked, "A", LEFT)],
            "E-TURN: it is not A's turn to write, so a seal step is out of place"),
        "told in a note": (bound, "B", [tell_b],
            "E-TURN: it is not B's turn to write, so a tell step is out of place"),
        "chosen openly": (asked, "B", [{"do": "react", "answers": [LEFT]}],
            "E-TURN: a plot is chosen in secret: answer it with a seal step"),
        "sent ahead in clear": (start, "A", [{"do": "orders", "list": [CONSPIRE, LEFT]}],
            "E-ORDER: order 2 is a secret choice, which is sealed when it is asked for and is "
            "never in a list"),
    }  # fmt: skip


def other_box() -> tuple[Fold, Entry]:
    """A game whose loser has sealed one plot and boxed another, and their audit."""
    start = opened(table=open_secret_toy)
    entry = conspired().entries[-1]
    boxed = sealing(start, "A", LEFT, 1)["box"]
    steps = [entry.steps[0], {**entry.steps[1], "box": boxed}]
    fold = after(start, sign_entry(KEYS["A"], {**entry.payload, "steps": steps}))
    ended = write(write(fold, "B", LEFT), "B", resign=True)
    audit = {"do": "audit", "gsec": secrets(ended, "A").game.hex()}
    return ended, forge(ended, "A", [audit])


def files() -> Iterator[tuple[str, str, list[Entry]]]:
    """What, the class it is refused with, and the entries of the file."""
    yield "the sample", GOOD, list(sample().entries)
    for what, (fold, player, steps, message) in cases().items():
        yield what, message[: message.index(":")], [*fold.entries, forge(fold, player, steps)]
    ended, audit = other_box()
    yield "another plot in the box", "E-AUDIT", [*ended.entries, audit]
    long = {"plot": {"how": "left", "why": ["x" * 999] * 3}}
    salt = choices.salt_of(secrets(conspired(), "B").game, len(conspired().entries), 0, long)
    told = {"do": "tell", "order": long, "salt": salt}
    seal = {**sealing(conspired(), "B", LEFT), "c": choices.commitment(
        len(conspired().entries), 0, salt, long)}  # fmt: skip
    entry = forge(conspired(), "B", [seal, told])
    yield "a choice longer than its box", "E-LIMIT", [*conspired().entries, entry]
    short = {**sealing(conspired(), "B", LEFT), "box": "A" * 2748}
    yield "a shorter box", "E-SCHEMA", [*conspired().entries, forge_any(conspired(), "B", [short])]


def forge_any(fold: Fold, player: str, steps: list[dict[str, Any]]) -> Entry:
    """An entry of steps that have no right shape."""
    payload = {**forge(fold, player, [{"do": "resign"}]).payload, "steps": steps}
    return sign_entry(KEYS[player], payload)


@cache
def sample() -> Fold:
    """Both plot, the die falls, A resigns, and both show their secrets."""
    fold = write(write(both_bound(), "A"), "B")
    return write(write(write(fold, "A", resign=True), "B"), "A")


def choice_vectors() -> Any:
    """The file 19-choices.json."""
    fold = sample()
    stored = as_stored(fold.entries)

    return {
        "rules": (open_secret_toy.__globals__["__doc__"] or "").splitlines(),
        "note": "all else is as in 13-game.json; in a mutation a number stands for that entry of "
        "the file",
        "seeds": {player: key.seed.hex() for player, key in KEYS.items()},
        "choices": [choice(fold, player, *place, order)
                    for player, place, order in (("A", (4, 1), BOLD), ("B", (5, 0), RIGHT))],
        "file": {"format": "pbem-game/1", "entries": stored},
        "ids": [entry.id for entry in fold.entries],
        "state_between": conspired().machine.public_state(),
        "mutations": [
            {"what": what, "expected": expected, "entries": numbered(entries, stored)}
            for what, expected, entries in files()
        ],
    }  # fmt: skip


def choice(fold: Fold, player: str, seq: int, step: int, order: dict[str, Any]) -> Any:
    """All that is hashed for one choice, and what comes of it."""
    gsec, digest = secrets(fold, player).game, hashlib.sha256(canonical(order)).hexdigest()
    salt, sealed = choices.salt_of(gsec, seq, step, order), choices.seal(gsec, seq, step, order)
    assert {"do": "seal", "c": sealed.c, "box": sealed.box} == fold.entries[seq].steps[step]
    return {
        "by": player, "gsec": gsec.hex(), "entry": seq, "step": step, "order": order,
        "order_sha256": digest,
        "salt_input_hex": f"pbem1/choicesalt\n{seq}\n{step}\n{digest}".encode().hex(),
        "salt": salt,
        "c_input_hex": f"pbem1/choice\n{seq}\n{step}\n{salt}\n{digest}".encode().hex(),
        "c": sealed.c,
        "box_associated_hex": f"pbem1/choicebox\n{seq}\n{step}".encode().hex(),
        "box": sealed.box,
    }  # fmt: skip

"""The vector of new secrets: a game in which A has lost their key, and what is refused in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pbem.gamefile import beacons, chain, format
from pbem.gamefile.chain import Entry
from pbem.gamefile.fold import Fold
from pbem.gamefile.generations import generations
from tests.gamefile.mutations import numbered
from tests.gamefile.players import KEYS, forge, reveal, sealed, write
from tests.gamefile.renewed import (
    NEW,
    OFFER,
    OLD,
    audited,
    named,
    played_on,
    rotated,
    secret,
    signing,
    taken,
)
from tests.gamefile.sealed_game import to_orders_of
from tests.gamefile.test_consent import yes

GOOD = "good"
PASS = {"pass": {}}


@lru_cache(maxsize=1)
def before() -> Fold:
    """A owes their value of beacon 2, and their key is lost with all that came from it."""
    fold = write(to_orders_of(sealed(), "A"), "A", {"attack": {"force": 2}})
    return write(fold, "B", {"card": {"use": None}})


@lru_cache(maxsize=1)
def renewed_game() -> Fold:
    """The game after B named A's new key, and offered new secrets, up to A's next orders."""
    fold = played_on(write(taken(named(before(), "A")), "B"), "A")
    with signing(A=NEW):
        return to_orders_of(fold, "A")


def renewed_vectors() -> Any:
    fold = renewed_game()
    file = json.loads(format.write(fold.entries))
    (renewal,) = fold.machine.keys.renewals
    step = fold.entries[renewal.entry].steps[1]
    gsec, context = secret(fold, "A", NEW), fold.machine.keys.contexts["A"]
    values = beacons.derive_chain(bytes.fromhex(gsec), "A", context, 64)
    return {
        "note": "the rules are those of 13-sealed-game.json; the hidden cards of a player who goes "
        "on with new secrets are a new epoch, and as many are drawn as they held. In a mutation a "
        "number stands for that entry of the file",
        "seeds": {
            "A before": OLD["A"].seed.hex(), "A": NEW.seed.hex(), "B": KEYS["B"].seed.hex(),
        },
        "entry": renewal.entry, "base": renewal.base, "prev": renewal.prev,
        "gsec_before": secret(fold, "A", OLD["A"], 0),
        "info_hex": f"A\n{generations(fold.machine, 'A')[1].context}".encode().hex(), "gsec": gsec,
        "anchor": step["anchor"],
        "anchor_input_hex": "\n".join(["pbem1/step", "A", context, "1", values[1]]).encode().hex(),
        "reveals": [
            {"n": each["n"], "index": each["n"] - renewal.base, "x": each["x"]}
            for entry in fold.entries[renewal.entry :]
            for each in entry.steps
            if each["do"] == "reveal" and entry.by == "A"
        ],
        "file": file,
        "ids": [entry.id for entry in fold.entries],
        "state": fold.machine.public_state(),
        "mutations": [
            {"what": what, "expected": expected, "entries": numbered(entries, file["entries"])}
            for what, expected, entries in cases()
        ],
    }  # fmt: skip


def cases() -> Iterator[tuple[str, str, list[Entry]]]:
    """What, the class it is refused with, and the entries of the file."""
    yield "the sample", GOOD, list(renewed_game().entries)
    yield from taking_up()
    yield from behind_it()
    yield from audits()


def taking_up() -> Iterator[tuple[str, str, list[Entry]]]:
    fold = named(before(), "A")
    made = taken(fold).entries[-1].steps
    renew = made[1]
    no = {**yes(fold), "yes": False}
    with signing(A=OLD["A"]):
        old = reveal(fold, "A", 3)
    changed = [
        ("new secrets without the yes", "E-CONSENT", [renew]),
        ("new secrets behind a no", "E-NOREVEAL", [no, renew]),
        ("agreed, and not taken up", "E-CONSENT", [yes(fold), {"do": "say", "text": ["Fine."]}]),
        ("the anchor of before", "E-REVEAL",
         [yes(fold), {**renew, "anchor": fold.machine.beacons.anchors["A"][0]}]),
        ("a value of the old chain behind it", "E-REVEAL", [yes(fold), *made[1:-1], old]),
        ("the value that was burnt", "E-REVEAL", [yes(fold), *made[1:-1], {**old, "n": 2}]),
        ("the new deck not committed to, and locked", "E-EARLY", [yes(fold), renew, made[-1]]),
        ("taken up twice", "E-TURN", [yes(fold), renew, made[2], made[3], renew]),
    ]  # fmt: skip
    with signing(A=NEW):
        for what, expected, steps in changed:
            yield what, expected, [*fold.entries, forge(fold, "A", steps)]
    yield "offered where no key was replaced", "E-CONSENT", [
        *before().entries, forge(before(), "B", [OFFER]),
    ]  # fmt: skip
    asked = rotated(to_orders_of(sealed(), "A"), "B")
    yield "offered to the player who is not to write", "E-CONSENT", [
        *asked.entries, forge(asked, "A", [OFFER, {"do": "orders", "list": [PASS]}]),
    ]  # fmt: skip
    fold = to_orders_of(sealed(), "A")
    yield "taken up beside the turn", "E-TURN", [*fold.entries, forge(fold, "B", [renew])]


def behind_it() -> Iterator[tuple[str, str, list[Entry]]]:
    fold, old = renewed_game(), Fold(before().entries, (), before().machine)
    back = {"do": "offer", "what": "takeback", "to": 5, "known_randomness": True}
    yield "a take-back behind it", "E-CONSENT", [*fold.entries, forge(fold, "B", [back])]
    slot = old.in_play.hand("A")[0]
    with signing(A=NEW):
        deck, epoch, place = slot.split("/")
        card = {"do": "open", "deck": deck, "epoch": int(epoch), "pos": int(place),
                "card": "a1x", "nonce": "00" * 32}  # fmt: skip
        yield "a card of the hand of before", "E-CARD", [*fold.entries, forge(fold, "A", [card])]


def audits() -> Iterator[tuple[str, str, list[Entry]]]:
    fold = renewed_game()
    shown = audited(fold, "A", NEW.in_place_of(OLD["A"]))
    yield "audits with the secrets of before", GOOD, list(shown.entries)
    lost = audited(fold, "A", lost=True)
    yield "audits, the secrets of before lost", GOOD, list(lost.entries)
    over, step = list(shown.entries[:-2]), shown.entries[-2].steps[0]
    state = {name: item for name, item in step.items() if name != "earlier"}
    for what, changed in (
        ("an audit that says nothing of the secrets of before", state),
        ("an audit with other secrets of before", {**step, "earlier": [step["gsec"]]}),
        ("an audit with the two changed about",
         {**step, "gsec": step["earlier"][0], "earlier": [step["gsec"]]}),
    ):  # fmt: skip
        entry = shown.entries[-2]
        payload = {**entry.payload, "steps": [changed]}
        yield what, "E-AUDIT", [*over, chain.sign_entry(NEW, payload)]

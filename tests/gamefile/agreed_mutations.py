"""Cheats with what two players agree on, and with new keys, and the class each is met with.

The numbers are those of mutations.py; all but the upgrades are judged with the open duel.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.gamefile.chain import sign_entry
from pbem.gamefile.fold import Fold
from pbem.gamefile.new_keys import proof as proof_of
from tests.gamefile.mutations import GOOD, Case, case, opened_with, say
from tests.gamefile.players import KEYS, closed, forge, opened, reveal, value, write
from tests.gamefile.test_consent import NEW as NEW_RULES
from tests.gamefile.test_consent import OLD as OLD_RULES
from tests.gamefile.test_consent import asks, open_both, upgrading, yes
from tests.gamefile.test_rotation import NEW, NEWER, SPARE, renewed, spared, step

PASS, DRAW = {"pass": {}}, {"draw": {}}
ORDERS = {"do": "orders", "list": [DRAW]}


def agreed_cases() -> Iterator[Case]:
    """All cases but those of upgrades, in the order of their numbers."""
    yield from [*without_consent(), *taken_back(), *new_keys(), *retired()]
    yield from [*another_game(), *beside_a_lock(), *baits(), *built_on_notes()]


def on(number: int, what: str, expected: str, fold, by: str, *steps, key=None) -> Case:
    entry = forge(fold, by, list(steps))
    if key is not None:
        entry = sign_entry(key, entry.payload)
    return case(number, what, expected, [*fold.entries, entry])


def without_consent() -> Iterator[Case]:
    fold, back = write(opened(), "A", PASS), {"do": "takeback", "to": 3}
    yield on(56, "a take-back nobody was asked for", "E-CONSENT", fold, "B", back)
    asked = asks(fold, "A", "takeback", to=3)
    yield on(56, "a take-back without the answer", "E-CONSENT", asked, "B", back)
    no = {**yes(asked), "yes": False}
    yield on(56, "a take-back behind a no", "E-CONSENT", asked, "B", no, back)
    yield on(56, "a take-back further than was agreed", "E-CONSENT", asked, "B", yes(asked),
             {"do": "takeback", "to": 2})  # fmt: skip
    yield on(56, "agreed, and not carried out", "E-CONSENT", asked, "B", yes(asked), say("Fine."))
    offered = asks(opened(), "B", "draw")
    other = {"do": "answer", "offer": "ab" * 32, "yes": True}
    yield on(56, "an answer that names another offer", "E-CONSENT", offered, "A", other)
    lapsed = write(write(offered, "A", PASS), "B", PASS)
    yield on(56, "an answer behind the lapse of the offer", "E-CONSENT", lapsed, "A",
             yes(lapsed, entry=4))  # fmt: skip
    answered = write(write(offered, "A", PASS, answer=False), "B", PASS)
    yield on(56, "an answer given a second time", "E-CONSENT", answered, "A",
             yes(answered, entry=4))  # fmt: skip
    yield case(56, "asked, answered and carried out", GOOD, write(asked, "B", answer=True).entries)
    over = write(offered, "A", resign=True)
    yield on(58, "a draw agreed to behind a resignation", "E-TURN", over, "A", yes(over, entry=4))


def taken_back() -> Iterator[Case]:
    fold = write(write(opened(), "A", DRAW), "B")
    fold = write(asks(fold, "B", "takeback", to=3, known_randomness=True), "A", answer=True)
    yield on(57, "an old number shown again behind a take-back", "E-REVEAL", fold, "A", ORDERS,
             reveal(fold, "A", 2))  # fmt: skip
    moved = {"do": "reveal", "n": 3, "x": value("A", 2, fold)}
    yield on(57, "an old value under a new number", "E-REVEAL", fold, "A", ORDERS, moved)
    rolled = write(write(opened(), "A", DRAW), "B")
    offer = {"do": "offer", "what": "takeback", "to": 3}
    yield on(57, "a take-back behind dice, not said so", "E-CONSENT", rolled, "B", offer)
    locked = {**offer, "to": 4, "known_randomness": True}
    yield on(57, "a take-back to a state that waits for a beacon", "E-CONSENT", rolled, "B", locked)


def new_keys() -> Iterator[Case]:
    fold = opened()
    for what, proof in (
        ("with the proof for another entry", step(write(fold, "A", PASS))["proof"]),
        ("with the proof for another game", proof_of(NEW, "ab" * 32, 4, KEYS["A"].public)),
        ("with the proof of another key", proof_of(NEWER, fold.game, 4, KEYS["A"].public)),
    ):
        yield on(59, f"a new key {what}", "E-KEY", fold, "A", step(fold, proof=proof))
    bare = {name: item for name, item in step(fold).items() if name != "proof"}
    yield on(59, "a new key without a proof", "E-SCHEMA", fold, "A", bare)
    yield on(59, "a new key for the other player, as if they had signed it", "E-KEY", fold, "B",
             step(fold))  # fmt: skip
    yield case(59, "a new key with its proof", GOOD, renewed(fold).entries)


def retired() -> Iterator[Case]:
    fold = renewed(opened())
    push = {"do": "orders", "list": [PASS]}
    yield on(60, "an entry signed with the retired key", "E-FORGED", fold, "A", push)
    named = spared()
    theirs = step(named, signed_by="opponent")
    yield on(60, "a new key by the opponent's word, though a spare one is named", "E-CONSENT",
             named, "B", theirs)  # fmt: skip
    spare = step(named, signed_by="spare")
    yield on(60, "a new key by the spare one", GOOD, named, "A", spare, key=SPARE)


def beside_a_lock() -> Iterator[Case]:
    fold, draw = opened(), {"do": "offer", "what": "draw"}
    yield on(78, "an offer in front of orders that lock", "E-TURN", fold, "A", draw, ORDERS)
    yield on(78, "an offer behind the value", "E-TURN", fold, "A", ORDERS, reveal(fold, "A", 2),
             draw)  # fmt: skip
    fold = asks(write(fold, "A", PASS), "A", "draw")
    locked = write(fold, "B", DRAW)
    drawn = write(locked, "A")
    yield on(78, "an answer to an offer that lapsed by a lock", "E-CONSENT", drawn, "B",
             yes(drawn, entry=5))  # fmt: skip


def baits() -> Iterator[Case]:
    fold, draw = opened(), {"do": "offer", "what": "draw"}
    yield on(86, "an offer alone in one's own turn", "E-CONSENT", fold, "A", draw)
    took = write(fold, "A", {"attack": {"force": 12}})
    kept = at_advance()
    go = {"do": "post_choice", "answers": [{"advance": {"go": True}}]}
    yield on(86, "an offer with orders that keep the pen", "E-CONSENT", kept, "A", go, draw)
    beside = asks(took, "A", "draw")
    yield on(86, "an answer beside the turn", "E-TURN", beside, "A", yes(beside))
    passed = write(fold, "A", PASS, offer={"what": "takeback", "to": 3})
    agreed = write(passed, "B", answer=True)
    asked, back = asks(write(fold, "A", PASS), "A", "takeback", to=3), {"do": "takeback", "to": 3}
    yield on(86, "a take-back agreed to beside the turn", "E-TURN", asked, "A", yes(passed), back)
    yield on(86, "the offerer's orders behind the offer, which was agreed to", "E-TURN", passed,
             "A", ORDERS)  # fmt: skip
    yield case(
        86, "an offer in turn that leaves the pen, and the yes in turn", GOOD, agreed.entries
    )


def at_advance() -> Fold:
    """A is asked whether to advance, and has the pen behind that, too."""
    for number in range(1, 60):
        fold = write(opened_with(bytes([number]) * 16), "A", {"attack": {"force": 12}})
        fold = write(write(fold, "B", {"card": {"use": None}}), "A")
        if fold.in_play.stage == "stand":
            return write(fold, "B", {"stand": {"how": "fall_back"}})
    raise AssertionError("no attack ever went well")


def built_on_notes() -> Iterator[Case]:
    fold = opened()
    note, gone = write(fold, "B", say=("Hello?",)), write(fold, "B", resign=True)
    yield on(89, "more words on one's own note", "E-TURN", note, "B", say("Hello??"))
    draw = {"do": "offer", "what": "draw"}
    yield on(89, "an offer on one's own note", "E-TURN", note, "B", draw)
    close = {"do": "close", "result": dict(gone.result or {}), "audits": {"a": None, "b": None}}
    yield on(89, "a close on one's own resignation beside the turn", "E-TURN", gone, "B", close)
    yield on(89, "a key for the other on one's own resignation", "E-TURN", gone, "B",
             step(gone, signed_by="opponent"))  # fmt: skip
    yield on(89, "a key for the other on one's own words", GOOD, note, "B",
             step(note, signed_by="opponent"))  # fmt: skip
    over = write(fold, "A", resign=True)
    mine = closed(over, "A")
    yield on(89, "words on one's own close beside the turn", "E-TURN", mine, "A", say("Well?"))
    yield case(89, "the other's close on it", GOOD, closed(mine, "B").entries)


def another_game() -> Iterator[Case]:
    fold = opened()
    new = {**NEW_RULES, "ruleset": "nogame/1"}
    wrong = {"do": "offer", "what": "upgrade", "old": OLD_RULES, "new": new}
    yield on(61, "an upgrade to another game", "E-CONSENT", fold, "B", wrong)
    right = {**wrong, "new": {**NEW_RULES, "ruleset": "toy/2"}}
    yield on(61, "an offer of later rules", GOOD, fold, "B", right)


def upgrade_cases() -> Iterator[Case]:
    """Judged with a table that knows two sets of rules (`open_both`)."""
    fold = upgrading(opened(table=open_both))
    other = {"ruleset": "toy/1", "data": "f" * 64}
    yield on(61, "an upgrade to other rules than were agreed on", "E-CONSENT", fold, "A", yes(fold),
             {"do": "upgrade", "old": OLD_RULES, "new": other})  # fmt: skip
    alone = {"do": "upgrade", "old": OLD_RULES, "new": NEW_RULES}
    yield on(61, "an upgrade without the answer", "E-CONSENT", fold, "A", alone)
    yield case(61, "an upgrade asked, answered and carried out", GOOD,
               write(fold, "A", answer=True).entries)  # fmt: skip

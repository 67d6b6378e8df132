"""A sealed duel in which an attack is decided by what its author said openly beside it.

Also its vector `26-openly.json`: which of several policies answers, and ways to have it otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any
from unittest.mock import patch

from pbem.gamefile import format
from pbem.gamefile.compose import Wish, binds_the_other
from pbem.gamefile.draft import Draft
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.journal import Answered
from tests.gamefile.players import KEYS, SEALED, TOOL, forge, proposed, reveal, write
from tests.gamefile.sealed_toy import SealedToy, open_sealed_toy

ATTACK, GO, PASS, DRAW = {"attack": {"force": 4}}, {"advance": {"go": True}}, {"pass": {}}, {
    "draw": {}
}  # fmt: skip


def sealed_as(slot: str, scope: Any = None, /, **doc: Any) -> dict[str, Any]:
    return {"slot": slot, "scope": scope, "until": None, "doc": doc}


YIELDING = sealed_as("all", slot="none", stand="fall_back")
OPENLY = {**sealed_as("own", {"only": ["go"]}, go=True), "clear": True}
OTHERWISE = {**sealed_as("own", {"only": ["go"]}, go=False), "clear": True}
SEALED_GO = sealed_as("plans", {"only": ["go"]}, go=False)


@cache
def begun(nonce: int) -> Fold:
    """A sealed duel at A's first round, before which B accepted without policies."""
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        fold = proposed(SEALED, nonce=bytes([nonce]) * 16, table=open_sealed_toy)
    for player in "BAB":
        fold = write(fold, player)
    return fold


def with_sealed(nonce: int, *wanted: dict[str, Any]) -> Fold:
    """The same, but B seals these before A's first orders: A passes, and B passes back."""
    fold = write(begun(nonce), "A", PASS)
    return write(fold, "B", PASS, policies=wanted, in_clear=False)


def find(play: Callable[[int], Any], suits: Callable[[Any], Any]) -> Any:
    """The first of many deals in which a play comes to something that suits."""
    for nonce in range(60):
        fold = play(nonce)
        if suits(fold):
            return fold
    raise AssertionError("sixty deals, and none suits")


def answers(fold: Fold) -> list[Answered]:
    """What policies answered in the last entry."""
    return [one for one in fold.journal[-1] if isinstance(one, Answered)]


def of_a(fold: Fold) -> list[Answered]:
    return [one for one in answers(fold) if one.by == "A"]


# --- plays of it


def attacked(nonce: int, *wanted: dict[str, Any]) -> Fold:
    """B has sealed an answer to everything; A attacks, with these policies in front."""
    return write(with_sealed(nonce, YIELDING), "A", ATTACK, PASS, policies=wanted, in_clear=False)


def both_ways(nonce: int) -> Fold:
    """A says openly that they advance, and seals in the same entry, later, that they do not."""
    return write(attacked(nonce, OPENLY, SEALED_GO), "B", DRAW, PASS)


def behind_the_value(nonce: int) -> Fold:
    """A says openly that they advance, and the opposite in another slot behind their value."""
    fold = with_sealed(nonce, YIELDING)
    draft = Draft(fold.machine, "A", KEYS["A"])
    draft.pay()
    draft.order_policy(OPENLY, in_clear=True)
    draft.hand_over((ATTACK, PASS))
    draft.pay()
    draft.order_policy({**OTHERWISE, "slot": "own2"}, in_clear=True)
    return write(after(fold, draft.sign(TOOL, None), draft.machine), "B")


def sealed_only(nonce: int) -> Fold:
    """A has sealed that they stay, and the dice have fallen."""
    return write(attacked(nonce, SEALED_GO), "B")


@cache
def sealed_owed() -> Fold:
    """The same, where A owes the document."""
    return find(sealed_only, lambda fold: fold.owed[0].code == "unseal" and fold.pen == "A")


# --- the vector


def openly_vectors() -> Any:
    """The file 26-openly.json."""
    return {
        "note": "sealed duels of 13-sealed-game.json with decks of four trials; answers are those "
        "of policies in the last entry, next are slot and entry of the policies that would be "
        "looked at then, in this order",
        "answered": list(answered_files()),
        "refused": list(spoilt()),
        "said_later": {
            "note": "in this entry its author says in clear, or could say, what they had sealed in "
            "that slot before; bound: the entry leads straight to a sealed policy of the other "
            "player in the same slot, as their next entry shows, so they can make no use of it "
            "(12)",
            "entries": list(said_later()),
        },
    }


def plainly(fold: Fold) -> Any:
    return json.loads(format.write(fold.entries))


def answered_files() -> Iterator[dict[str, Any]]:
    """Honest games, and what answered the questions of the last entry."""
    dice_known = write(sealed_owed(), "A", policies=(OPENLY,), in_clear=False)
    for what, fold in (
        ("in clear comes first, though more was sealed later", find(both_ways, of_a)),
        ("said behind the value, for the next question", find(behind_the_value, of_a)),
        ("said once the dice are known: the sealed document answers", dice_known),
        ("sealed first, and said otherwise in the same entry",
         find(lambda nonce: write(attacked(nonce, SEALED_GO, OTHERWISE), "B"), of_a)),
    ):  # fmt: skip
        yield {
            "what": what, "file": plainly(fold), "next": {by: in_order(fold, by) for by in "AB"},
            "answers": [
                {"by": one.by, "slot": one.slot, "entry": one.sent.entry, "order": one.order}
                for one in answers(fold)
            ],
        }  # fmt: skip


def in_order(fold: Fold, player: str) -> list[list[Any]]:
    standing = sorted(fold.policies(player), key=lambda one: one.c is not None)
    return [[one.slot, one.sent.entry] for one in standing]


def spoilt() -> Iterator[dict[str, Any]]:
    """Entries of players who would rather have another policy answer, and the class of each."""
    for what, play in (
        ("what was sealed later answers", both_ways),
        ("what came too late answers", behind_the_value),
    ):  # fmt: skip
        fold = find(play, of_a)
        answer = SealedToy.policy_answer

        def otherwise(table: SealedToy, policy: Any, answer: Any = answer) -> Any:
            stays = table.stage == "advance"
            return table.read({"advance": {"go": False}}) if stays else answer(table, policy)

        before = replay(fold.entries[:-1], open_sealed_toy)
        with patch.object(SealedToy, "policy_answer", otherwise):
            yield refused(what, "E-STATE", write(before, "B", *ordered(fold)))
    fold = find(both_ways, of_a)
    shown = unsealed(fold, "plans")
    steps = [reveal(fold, "A", fold.machine.beacons.locked), shown]
    yield refused("a sealed document shown that nothing asks for", "E-POLICY", fold, "A", steps)
    fold = sealed_owed()
    openly = {"do": "policy", **{key: OPENLY[key] for key in ("slot", "scope", "until", "doc")}}
    yield refused("said in clear in place of the sealed document", "E-POLICY", fold, "A", [openly])
    told = {**unsealed(fold, "plans"), "doc": OPENLY["doc"]}
    yield refused("the sealed document told otherwise", "E-POLICY", fold, "A", [told])
    sealed = {step["do"]: dict(step) for step in attacked(1, SEALED_GO).entries[-1].steps}["policy"]
    twice = [{**openly, "slot": "plans"}, sealed]
    passes = {"do": "orders", "list": [PASS]}
    yield refused("in clear and sealed in one slot of an entry", "E-POLICY",
                  with_sealed(1, YIELDING), "A", [*twice, passes])  # fmt: skip


def ordered(fold: Fold) -> list[dict[str, Any]]:
    """The orders of the last entry."""
    return [
        one for step in fold.entries[-1].steps if step["do"] == "orders" for one in step["list"]
    ]


def unsealed(fold: Fold, slot: str) -> dict[str, Any]:
    """The honest step of A that shows what they sealed in a slot."""
    (standing,) = [one for one in fold.policies("A") if one.slot == slot]
    return Draft(fold.machine, "A", KEYS["A"]).secrets.unseal(standing)


def refused(
    what: str, expected: str, fold: Fold, by: str = "", steps: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """The file, with an entry of these steps at its end if there are any, and its class."""
    entries = [*fold.entries, forge(fold, by, list(steps))] if by else fold.entries
    return {"what": what, "expected": expected, "file": json.loads(format.write(entries))}


def said_later() -> Iterator[dict[str, Any]]:
    """A has sealed what they do, and says it in clear in their next entry."""
    mine = {**SEALED_GO, "slot": "all"}
    for what, of_b, orders in (
        ("the other has sealed their part", (YIELDING,), (ATTACK, PASS)),
        ("the other has sealed nothing, and is asked", (), (ATTACK, PASS)),
        ("the other has sealed something in another slot",
         ({**YIELDING, "slot": "guard"},), (ATTACK, PASS)),
        ("the other has sealed their part, but has a round of their own first",
         (YIELDING,), (PASS,)),
    ):  # fmt: skip
        fold = write(begun(1), "A", PASS, policies=(mine,), in_clear=False)
        fold = write(fold, "B", PASS, policies=of_b, in_clear=False)
        wish = Wish(orders=orders, policies=({**mine, "clear": True},))
        draft = Draft(fold.machine, "A", KEYS["A"])
        draft.pay()
        bound = binds_the_other(draft, wish)
        said = write(fold, "A", *orders, policies=wish.policies, in_clear=False)
        answered = write(said, "B", *any_answer(said))
        yield {
            "what": what, "file": plainly(answered), "entry": len(said.entries) - 1,
            "slot": "all", "bound": bound,
        }  # fmt: skip


def any_answer(fold: Fold) -> tuple[dict[str, Any], ...]:
    """No card, or nothing in their round, where B is asked."""
    if fold.owed[0].code != "answer":
        return ()
    return (PASS,) if fold.in_play.stage == "order" else ({"card": {"use": None}},)

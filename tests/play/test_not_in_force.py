"""What of standing orders must be sealed: not what the chain has already, sealed or in clear."""

from __future__ import annotations

from functools import cache

from pbem.gamefile.fold import Fold
from pbem.play.standing import not_in_force
from pbem.value import replace
from tests.gamefile.players import KEYS, write
from tests.gamefile.test_sealed_policies import CARDS, FULL, PASS, begun

CLEAR = {"slot": "all", "scope": None, "until": None, "doc": {"slot": "none", "stand": "hold"}}


@cache
def with_policies(in_clear: bool, *names: str) -> Fold:
    parts = tuple({"full": FULL, "cards": CARDS}[name] for name in names)
    fold = write(begun(1), "A", PASS)
    return write(fold, "B", PASS, policies=parts, in_clear=in_clear)


def left(fold: Fold, *parts: dict) -> list[dict]:
    return list(not_in_force(parts, fold.machine, KEYS["B"], "B"))


def test_what_is_sealed_is_not_sealed_again_nor_said_in_clear() -> None:
    fold = with_policies(False, "full")
    assert left(fold, FULL, CARDS) == [CARDS]
    assert left(fold, {**FULL, "clear": True}) == []


def test_what_is_in_clear_is_not_said_again() -> None:
    fold = with_policies(True, "full")
    assert left(fold, {**FULL, "clear": True}, CARDS) == [CARDS]


def test_whatever_differs_is_new() -> None:
    for in_clear in (False, True):
        fold = with_policies(in_clear, "full")
        for other in (
            {**FULL, "slot": "other"}, {**FULL, "scope": {"only": ["card"]}},
            {**FULL, "until": "round 3"}, {**FULL, "doc": {"slot": "none", "stand": "fall_back"}},
        ):  # fmt: skip
            assert left(fold, other) == [other]


def test_what_was_opened_is_sealed_anew() -> None:
    """It answers for the beacon it was opened for, and for none after it."""
    fold = with_policies(False, "full")
    (policy,) = fold.machine.in_force("B")
    opened = replace(policy, doc=FULL["doc"])
    policies = tuple(opened if each is policy else each for each in fold.machine.pending.policies)
    pending = replace(fold.machine.pending, policies=policies)
    machine = replace(fold.machine, pending=pending)
    (again,) = machine.in_force("B")
    assert again.is_unsealed
    assert not_in_force((FULL,), machine, KEYS["B"], "B") == (FULL,)


def test_one_does_not_speak_for_another() -> None:
    fold = with_policies(False, "full", "cards")
    assert left(fold, FULL, CARDS) == []


def test_what_cannot_be_read_is_withdrawn_all_the_same() -> None:
    """A box of a broken program says nothing, which is no withdrawal."""
    fold = with_policies(False, "full")
    (policy,) = fold.machine.in_force("B")
    pending = replace(fold.machine.pending, policies=(replace(policy, box="00" * 40),))
    machine = replace(fold.machine, pending=pending)
    withdrawn = {**FULL, "doc": None, "clear": True}
    assert not_in_force((withdrawn, FULL), machine, KEYS["B"], "B") == (withdrawn, FULL)


def test_a_withdrawal_is_said_where_there_is_something_to_withdraw() -> None:
    fold = with_policies(False, "full")
    withdrawn = {**FULL, "doc": None, "clear": True}
    assert left(fold, withdrawn, {**withdrawn, "slot": "other"}) == [withdrawn]
    assert not_in_force((withdrawn,), fold.machine, KEYS["A"], "A") == (), "it is not theirs"
    (policy,) = fold.machine.in_force("B")
    later = replace(policy, stamp=policy.stamp + 1000)
    gone = replace(policy, doc=None, c=None, box=None)
    for policies, said in (
        ((later,), [withdrawn]), ((policy, gone), []), ((gone, later), [withdrawn]),
    ):  # fmt: skip
        pending = replace(fold.machine.pending, policies=policies)
        machine = replace(fold.machine, pending=pending)
        assert [*not_in_force((withdrawn,), machine, KEYS["B"], "B")] == said

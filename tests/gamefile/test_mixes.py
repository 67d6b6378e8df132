"""Mixing: groups that change places by themselves, and the layouts that are caught."""

from __future__ import annotations

import hashlib
import time
from itertools import accumulate

import pytest

from pbem.gamefile import decks
from pbem.gamefile.decks import Epoch, Layout, Reply
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.without_rules import check_groups
from pbem.value import replace

SECRET = b"\x07" * 32
CARDS = ("n.1.0", "n.1.3", "n.1.1", "n.1.2", "n.1.4", "N-X", "n.1.5")
GROUPS = (2, 3, 2)
MIX = Epoch("n", "A", 2, CARDS, 16, 5, GROUPS)


def parts(cards):
    ends = [*accumulate(GROUPS)]
    return [set(cards[end - size : end]) for end, size in zip(ends, GROUPS, strict=True)]


def test_each_group_stays_where_it_stands_and_is_shuffled() -> None:
    seen = set()
    for trial in range(16):
        laid = decks.layout_of(SECRET, MIX, trial)
        assert parts(laid.cards) == parts(CARDS)
        seen.add(laid.cards)
    assert len(seen) > 8
    assert all(len({cards[at] for cards in seen}) > 1 for at in range(len(CARDS)))


def test_a_reply_proves_all_other_trials() -> None:
    c = decks.commitment_of(SECRET, MIX)
    for trial in (0, 7, 15):
        reply = decks.reply_of(SECRET, MIX, trial)
        decks.check_reply(MIX, c, trial, reply)
        for spoilt in (
            replace(MIX, groups=(2, 2, 3)), replace(MIX, groups=()), replace(MIX, number=3),
        ):  # fmt: skip
            with pytest.raises(FileRefused):
                decks.check_reply(spoilt, c, trial, reply)
        for wrong in (
            replace(reply, siblings=reply.siblings[::-1]), Reply(reply.leaves[1:], reply.siblings),
        ):  # fmt: skip
            with pytest.raises(FileRefused) as caught:
                decks.check_reply(MIX, c, trial, wrong)
            assert (caught.value.code, caught.value.rule) == ("E-DECK", "sealed decks")


def test_the_root_binds_the_sizes_of_groups() -> None:
    assert decks.root_of(SECRET, MIX) != decks.root_of(SECRET, replace(MIX, groups=(3, 2, 2)))
    first = replace(MIX, number=1)  # counters that came in open may be mixed first of all
    assert decks.root_of(SECRET, first) != decks.root_of(SECRET, replace(first, challenge=6))


def test_a_layout_without_groups_is_as_before() -> None:
    whole = replace(MIX, groups=(), cards=tuple(sorted(CARDS)))
    assert sorted(decks.layout_of(SECRET, whole, 3).cards) == sorted(CARDS)


@pytest.mark.parametrize(
    ("cards", "groups"),
    [
        (CARDS, (2, 3)), (CARDS, (2, 3, 3)), (CARDS, (1, 4, 2)), (CARDS, (2, 4, 1)), (CARDS, ()),
        (("n.1.3", "n.1.0", *CARDS[2:]), GROUPS),
        ((*CARDS[2:5], *CARDS[:2], *CARDS[5:]), (3, 2, 2)),
        (("s.1.0", "s.1.3", *CARDS[2:]), GROUPS),
    ],
)  # fmt: skip
def test_groups_of_another_form(cards, groups) -> None:
    with pytest.raises(FileRefused) as refused:
        check_groups("n", cards, groups)
    assert refused.value.code == "E-DECK"


def test_groups_as_they_have_to_be() -> None:
    ordered = ("N-X", "n.1.5", "n.1.0", "n.1.3", "n.1.1", "n.1.2", "n.1.4")
    check_groups("n", ordered, (2, 2, 3))


def stacked(secret: bytes, wrong: int) -> tuple[str, list[Layout]]:
    """A commitment whose owner moves a counter between groups in one trial of the mix."""
    root = decks.root_of(secret, MIX)
    seeds = [root]
    for _ in range(MIX.depth):
        seeds = [decks._child(each, bit) for each in seeds for bit in (0, 1)]
    laid = [decks.layout(seed, MIX.cards, MIX.groups) for seed in seeds]
    cards = list(laid[wrong].cards)
    cards[0], cards[2] = cards[2], cards[0]
    laid[wrong] = Layout(tuple(cards), laid[wrong].nonces)
    roots = (
        decks._trial_root(MIX, trial, decks._leaves(MIX, trial, each))
        for trial, each in enumerate(laid)
    )
    return decks._over_trials(roots), laid


def test_a_mix_that_moves_a_counter_between_groups_is_caught_as_often_as_promised() -> None:
    """Of 400 wrong mixes 15 in 16 cannot be replied for; what is found later the audit finds."""
    caught = 0
    for number in range(400):
        secret = hashlib.sha256(f"stacked {number}".encode()).digest()
        beacon = hashlib.sha256(f"beacon {number}".encode()).digest()
        wrong = number % 16
        commitment, laid = stacked(secret, wrong)
        assert commitment != decks.commitment_of(secret, MIX), "the audit compares these"
        trial = decks.trial_of(beacon, MIX)
        honest = decks.reply_of(secret, MIX, trial)
        leaves = tuple(leaf.hex() for leaf in decks._leaves(MIX, trial, laid[trial]))
        try:
            decks.check_reply(MIX, commitment, trial, Reply(leaves, honest.siblings))
        except FileRefused as refused:
            assert refused.code == "E-DECK"
            caught += 1
    assert 355 <= caught <= 393, caught  # 375 expected, four deviations


def test_a_large_mix_is_made_and_checked_quickly() -> None:
    cards = tuple(f"n.1.{at:02}" for at in range(36))
    epoch = Epoch("n", "A", 2, cards, 16, 5, (3,) * 12)
    decks._laid_root.cache_clear()
    began = time.process_time()
    commitment = decks.commitment_of(SECRET, epoch)
    reply = decks.reply_of(SECRET, epoch, 5)
    decks._laid_root.cache_clear()
    decks.check_reply(epoch, commitment, 5, reply)
    assert time.process_time() - began < 0.1, "ten milliseconds on an idle machine"

"""Hundreds of stacked decks: caught at the challenge as often as they should be, the rest by the
audit, every one."""

from unittest.mock import patch

import pytest

from pbem.gamefile import decks
from pbem.gamefile.chain import digest
from pbem.gamefile.decks import Epoch, Reply
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from tests.conftest import FUZZ
from tests.gamefile.players import KEYS, SEALED, forge, proposed, reveal, write
from tests.gamefile.sealed_mutations import audit
from tests.gamefile.sealed_toy import CARDS, open_sealed_toy
from tests.gamefile.stacked import (
    Stacking,
    best_only,
    one_doubled,
    secret_of,
    stacked_write,
    stacker,
)

DECKS, GAMES = 400 if FUZZ == 1 else 1600, 60 * FUZZ
LAID = {
    "a deck": (1, CARDS["B"][:5]),
    "a cup of chits": (1, tuple(sorted(f"CN{number}a" for number in range(1, 16)))),
    "a mix of tags": (2, tuple(sorted(["CN2a", *(f"b.1.{place}" for place in range(14))]))),
}


def caught(number: int, trials: int, stacking: Stacking, laid: str = "a deck") -> bool:
    """Whether one stacked deck is caught at a challenge that its owner could not know."""
    secret, (which, cards) = digest("a stacker", str(number)), LAID[laid]
    epoch = Epoch("b", "B", which, cards, trials, 1)
    commitment = stacking.commitment(secret, epoch)
    trial = decks.trial_of(digest("a beacon", str(number)), epoch)
    honest = decks.reply_of(secret, epoch, trial)
    reply = Reply(tuple(stacking.leaves(secret, epoch, trial)), honest.siblings)
    try:
        decks.check_reply(epoch, commitment, trial, reply)
    except FileRefused as refused:
        assert refused.code == "E-DECK"
        return True
    assert decks.commitment_of(secret, epoch) != commitment, "the audit sees it"
    return False


@pytest.mark.parametrize(
    "trials, count, laid",
    [
        (16, DECKS, "a deck"), (64, DECKS // 4, "a deck"), (16, DECKS // 4, "a cup of chits"),
        (16, DECKS // 4, "a mix of tags"),
    ],
)  # fmt: skip
def test_one_wrong_layout_is_caught_at_the_expected_rate(trials, count, laid):
    """One of M trials is wrong, and passes when it is the one picked: 1 in M. Four deviations."""
    found = sum(
        caught(number, trials, Stacking(frozenset({number % trials}), one_doubled), laid)
        for number in range(count)
    )
    assert within_four_deviations(found, count, trials)
    assert found < count, "some pass, and are left to the audit"


def within_four_deviations(found: int, decks: int, trials: int) -> bool:
    """Whether so many of the decks, each wrong in one of its trials, may well be caught."""
    passes = 1 / trials
    deviation = (decks * passes * (1 - passes)) ** 0.5
    return abs(found - decks * (1 - passes)) <= 4 * deviation


@pytest.mark.parametrize("wrong", [2, 5, 16])
def test_two_wrong_layouts_never_pass(wrong):
    """At most one of them can be the one that is not shown."""
    for number in range(60):
        trials = frozenset((number + each) % 16 for each in range(wrong))
        assert caught(number, 16, Stacking(trials, best_only))


def test_in_whole_games_all_are_caught_in_the_end():
    """By files: what the challenge lets pass, the audit finds, and names the stacker."""
    at_once = at_the_end = 0
    for number in range(GAMES):
        stacking = Stacking(frozenset({number % 16}), one_doubled)
        with patch("pbem.gamefile.compose.DECK_TRIALS", 16):
            fold = proposed(SEALED, nonce=number.to_bytes(16), table=open_sealed_toy)
        fold = write(stacked_write(stacking, fold, "B"), "A")
        steps = [reveal(fold, "B", 1), reply_to(fold, stacking)]
        try:
            fold = replay([*fold.entries, forge(fold, "B", steps)], open_sealed_toy)
        except FileRefused as refused:
            assert refused.code == "E-DECK" and refused.whose == "B"
            at_once += 1
            continue
        over = write(fold, "A", resign=True)
        entry = forge(over, "B", [audit(over, "B")])
        with pytest.raises(FileRefused) as found:
            replay([*over.entries, entry], open_sealed_toy)
        assert found.value.code == "E-AUDIT" and found.value.whose == "B"
        at_the_end += 1
    assert within_four_deviations(at_once, GAMES, 16) and at_the_end > 0
    assert at_once + at_the_end == GAMES


def reply_to(fold, stacking):
    from pbem.gamefile.entry import begin_entry, take_step

    machine = take_step(begin_entry(fold.machine, "B"), reveal(fold, "B", 1))
    (bound,) = machine.hidden.decks.unanswered("B")
    return stacker(stacking)("B", secret_of(KEYS["B"], "B", fold)).deck_reply(bound)

"""Players whose tools are modified: any steps, in any order, well signed.

Whatever the verifier lets through of it must be fair: nobody has looked ahead in games in which
both players try everything. And nothing they try makes the verifier stumble.
"""

import random
from collections import Counter

import pytest

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.machine import Machine
from pbem.gamefile.steps import turn
from tests.conftest import FUZZ
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import opened, reveal, started, tried, write
from tests.gamefile.random_games import leading, next_mail, some_order, some_policies
from tests.gamefile.toy import open_toy

EXPECTED = {
    "E-TURN",
    "E-NOREVEAL",
    "E-EARLY",
    "E-REVEAL",
    "E-ORDER",
    "E-STATE",
    "E-LIMIT",
    "E-POLICY",
}


def wild_steps(fold, player, rng):
    """A handful of steps such as might stand in an entry, shuffled more often than not."""
    number = fold.machine.beacons.revealed[player] + 1
    pool = [reveal(fold, player, number)]
    for _ in range(rng.randrange(5)):
        pool.append(
            rng.choice(
                [
                    reveal(fold, player, number + rng.choice([0, 1, 1])),
                    {**reveal(fold, player, number), "void": True},
                    {"do": "orders", "list": [leading(rng), some_order(rng)]},
                    {"do": "react", "answers": [{"card": {"use": None}}, some_order(rng)]},
                    {"do": "post_choice", "answers": [some_order(rng)]},
                    {"do": "post_choice", "answers": [{"advance": {"go": True}}, leading(rng)]},
                    {"do": "say", "text": ["..."]},
                    *({"do": "policy", **policy} for policy in some_policies(rng)),
                ]
            )
        )
    if rng.random() < 0.3:
        pool.pop(0)
    if rng.random() < 0.7:
        rng.shuffle(pool)
    return pool or [{"do": "say", "text": ["..."]}]


def wild_game(seed, tally):
    rng = random.Random(seed)
    fold = opened()
    for _ in range(50):
        if fold.phase == "over":
            break
        for _ in range(12):
            player = fold.pen if rng.random() < 0.8 else rng.choice("AB")
            try:
                fold = tried(fold, player, wild_steps(fold, player, rng))
            except FileRefused as refused:
                assert refused.code in EXPECTED and "cannot be judged" not in str(refused.message)
                tally[refused.code] += 1
                continue
            tally["accepted"] += 1
            break
        else:
            fold = next_mail(fold, rng)
    return fold


@pytest.fixture(scope="module")
def wild():
    tally = Counter()
    return [wild_game(seed, tally) for seed in range(12 * FUZZ)], tally


def test_what_is_let_through_is_fair(wild):
    games, _ = wild
    for fold in games:
        assert look_aheads(fold) == []


def test_enough_was_tried_and_enough_let_through(wild):
    _, tally = wild
    assert tally["accepted"] > 60 * FUZZ, tally
    assert {"E-TURN", "E-NOREVEAL", "E-EARLY", "E-REVEAL", "E-ORDER"} <= set(tally), tally


def test_the_files_verify(wild):
    games, _ = wild
    for fold in games[:10]:
        assert replay(fold.entries, open_toy).head == fold.head


def test_two_layers_keep_a_late_policy_from_a_known_roll(monkeypatch):
    """A policy in front of the owed reveal is refused; were it let through, it would not speak.

    Only with both layers taken away does the checker find somebody who looked ahead.
    """
    full = {"slot": "all", "scope": None, "until": None, "doc": {"card": None, "stand": "hold"}}
    fold = write(started(), "B", policies=(full,))
    fold = write(fold, "A", {"attack": {"force": 4}}, {"attack": {"force": 3}})
    late = [{"do": "policy", **full}, reveal(fold, "B", 2)]
    with pytest.raises(FileRefused) as caught:
        tried(fold, "B", late)
    assert caught.value.code == "E-NOREVEAL"
    monkeypatch.setattr(turn, "_check_turn", lambda machine, kind: None)
    assert look_aheads(tried(fold, "B", late)) == []
    everything = Machine.in_force

    def unfiltered(machine, player):
        return everything(machine.put(dice=None), player)

    monkeypatch.setattr(Machine, "in_force", unfiltered)
    assert look_aheads(tried(fold, "B", late))

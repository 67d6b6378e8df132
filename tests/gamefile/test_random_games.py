"""Random games: nobody looks ahead, nobody is stuck, all reach the same bytes."""

import base64
import random

import pytest

from pbem.gamefile import advance, format
from pbem.gamefile.beacons import derive_chain
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.journal import Answered, Completed, Lapsed, Ordered, Rolled
from pbem.gamefile.keys import game_secret
from pbem.gamefile.machine import Machine
from pbem.gamefile.verify import examine
from tests.conftest import FUZZ
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import KEYS, opened, write
from tests.gamefile.random_games import game_of, next_mail, play, play_with_take_backs, received
from tests.gamefile.sealed_game import to_orders_of
from tests.gamefile.sealed_toy import open_wary_toy
from tests.gamefile.toy import open_toy

SEEDS = range(20 * FUZZ)


@pytest.fixture(scope="module")
def games():
    return [game_of(seed) for seed in SEEDS]


def test_nobody_looks_ahead_and_nobody_is_stuck(games):
    for fold in games:
        assert look_aheads(fold) == []
        assert fold.phase == "over" or fold.pen is not None
    assert sum(fold.phase == "over" for fold in games) > 0.9 * len(games)


def test_nobody_is_stuck_behind_a_take_back():
    """Nor where what was shown since has answered the question that they go back to."""
    rolls = 0
    for seed in range(4, 5 + FUZZ):
        for fold in play_with_take_backs(seed):
            assert fold.pen is not None
            rolls += fold.locked is not None
            if fold.locked:
                assert [step["do"] for step in fold.entries[-1].steps][-1] == "reveal"
                assert replay(fold.entries, open_wary_toy).head == fold.head
    assert rolls > 1


def test_a_game_that_leaves_nobody_to_write_is_refused_at_once(monkeypatch):
    """Nobody could ever end it: better no entry than one behind which nothing may come."""
    fold = to_orders_of(opened(), "A")
    monkeypatch.setattr(Machine, "_owed", lambda machine: iter(()))
    with pytest.raises(FileRefused, match="nobody would have to write"):
        write(fold, "A", {"pass": {}})


def test_the_games_are_worth_playing(games):
    """Enough of everything happens in them for the other tests to mean something."""
    count = dict.fromkeys((Rolled, Ordered, Answered, Lapsed, Completed), 0)
    for fold in games:
        for one in fold.told():
            if type(one) in count:
                count[type(one)] += 1
    assert min(count.values()) > 0.2 * len(games), count
    assert count[Rolled] > 8 * len(games)


def test_the_knowledge_checker_has_teeth(monkeypatch):
    """With the closing of a beacon at an open decision switched off, the games are flagged."""
    monkeypatch.setattr(advance, "close_beacon", lambda machine: machine)
    flagged = [bool(look_aheads(play(seed))) for seed in range(20)]
    assert sum(flagged) >= 19


def test_both_players_reach_the_same_bytes(games):
    for fold in games[: 8 * FUZZ]:
        again = received(fold)
        assert again.machine.put(recall=None) == fold.machine.put(recall=None)
        assert again.journal == fold.journal
        assert format.write(again.entries) == format.write(fold.entries)


def test_composing_again_gives_the_same_bytes():
    for seed in range(5):
        one, two = game_of(seed), play(seed)
        assert format.write(one.entries) == format.write(two.entries)


def test_other_orders_leave_the_beacons_as_they_are():
    """Two plays that differ in every decision share all the beacon values both came to."""
    values = []
    for seed in (1, 2, 3):
        rng = random.Random(seed)
        fold = beginning()
        for _ in range(40):
            if fold.phase == "over":
                break
            fold = next_mail(fold, rng)
        values.append({one.n: one.value for one in fold.told() if isinstance(one, Completed)})
    shared = set(values[0]) & set(values[1]) & set(values[2])
    assert len(shared) > 5
    for number in shared:
        assert len({found[number] for found in values}) == 1


def beginning():
    from tests.gamefile.players import opened

    return opened()


def test_no_secret_leaves_the_house(games):
    """Neither seeds, game secrets nor values still to come are in the file, in any usual form."""
    for fold in games[:40]:
        raw = format.write(fold.entries).replace(b"\n", b"").replace(b" ", b"")
        for player, key in KEYS.items():
            context = fold.machine.keys.contexts[player]
            secret = game_secret(key.seed, player, context)
            chain = derive_chain(secret, player, context, fold.machine.chain_length)
            hidden = [
                bytes.fromhex(value) for value in chain[fold.machine.beacons.revealed[player] + 1 :]
            ]
            for value in (key.seed, secret, *hidden):
                assert value.hex().encode() not in raw.lower()
                assert base64.b64encode(value)[:40] not in raw


def test_every_prefix_of_a_good_game_is_good(games):
    fold = max(games, key=lambda fold: len(fold.entries))
    for count in range(1, len(fold.entries)):
        assert replay(fold.entries[:count], open_toy).head == fold.entries[count - 1].id


def test_verify_counts_what_is_proven(games):
    for fold in games[:10]:
        report = examine(format.write(fold.entries), open_toy)
        assert report.is_good
        rolled = [one for one in fold.told() if isinstance(one, Rolled)]
        dice = sum(record.faces > 0 for one in rolled for record in one.records)
        assert report.proven.dice == dice and report.proven.entries == len(fold.entries)
        assert len(report.proven.sentences()) == 4

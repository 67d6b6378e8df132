"""The links of the chains: every line that is printed for a player gives what stands beside it."""

from __future__ import annotations

import random
import shutil
import subprocess

import pytest

from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.links import ChainLink, links
from tests.gamefile.random_games import next_mail, play
from tests.gamefile.renewed import NEW, renewed, signing
from tests.gamefile.tree_games import chains

OPENSSL = shutil.which("openssl")


def shown(fold: Fold) -> list[ChainLink]:
    return [link for found in links(fold).values() for link in found]


def steps(fold: Fold, *kinds: str) -> list[tuple[int, str, dict]]:
    return [
        (entry.seq, entry.by, step)
        for entry in fold.entries
        for step in entry.steps
        if step["do"] in kinds
    ]


def held_by_hand(fold: Fold) -> list[ChainLink]:
    """The links of a file, each run through openssl, and held against the entry it names."""
    found = shown(fold)
    script = "\n".join(link.command for link in found)
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert [line.split()[-1] for line in done.stdout.splitlines()] == [
        link.before for link in found
    ]
    for link in found:
        there = {
            step.get("x", step.get("anchor"))
            for seq, by, step in steps(fold, "reveal", "accept", "start", "anchor", "renew")
            if (seq, by) == (link.bound, link.player)
        }
        assert link.before in there
        assert link.bound <= link.entry  # a game may roll in the entry that begins it
    return found


needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="openssl is not here")


@needs_openssl
@pytest.mark.parametrize("seed", range(3))
def test_every_value_of_a_file_hashes_to_the_one_before_it(seed: int) -> None:
    """Chains of four values: each player gives further anchors, and begins them."""
    with chains(4):
        fold = play(seed)
        found = held_by_hand(fold)
    assert len(found) == len(steps(fold, "reveal")) > 8
    for player in PLAYERS:
        mine = [link for link in found if link.player == player]
        assert [link.number for link in mine] == list(range(1, len(mine) + 1))
        assert [link.of for link in mine] == [
            0 if link.number % 4 == 1 else link.number - 1 for link in mine
        ]


@needs_openssl
def test_new_secrets_begin_a_chain_of_their_own() -> None:
    fold = play(1, mails=12)
    player = fold.pen
    assert player is not None
    fold = renewed(fold, player)
    with signing(**{player: NEW}):
        rng = random.Random(1)
        while fold.phase != "over":
            fold = next_mail(fold, rng)
    (begun,) = [seq for seq, _, _ in steps(fold, "renew")]
    mine = [link for link in held_by_hand(fold) if link.player == player]
    (first, *_) = (link for link in mine if link.entry >= begun)
    assert (first.of, first.bound) == (0, begun) and first != mine[0]

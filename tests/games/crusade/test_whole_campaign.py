"""A whole signed Campaign, kept as a file."""

from __future__ import annotations

from pbem.gamefile.format import write
from pbem.play.snapshot import read_game
from pbem.play.systems import opened
from tests.pinned import as_they_are
from tests.replays import campaign


def test_a_whole_campaign_is_verified_byte_for_byte() -> None:
    """Signatures, dice, orders and result of at least two hundred rounds."""
    with as_they_are():
        is_as_stored()


def is_as_stored() -> None:
    facts = campaign.facts_of()
    assert facts["data"] == opened("crusade").digest, (
        "the stored Campaign was played with other data than these: if they are to stay, run "
        "python -m tests.replays.make campaign (make golden does) and commit what it writes"
    )
    raw = campaign.raw_of()
    game = read_game(raw)
    assert write(game.fold.entries) == raw
    assert campaign.facts(game, facts["seed"]) == facts
    assert facts["rounds"] >= campaign.ROUNDS and facts["result"]

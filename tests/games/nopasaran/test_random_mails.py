"""2.6: random games by two keys with counters face down, to both audits."""

from __future__ import annotations

import pytest

from tests.conftest import FUZZ
from tests.games.nopasaran.random_mails import RENEWALS, happened, is_one_story, played, shown
from tests.games.nopasaran.table import SMALL


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("seed", range(101, 101 + FUZZ))
def test_whoever_reads_a_random_game_reads_the_same_one(seed: int) -> None:
    fold = shown(played(SMALL, seed, "secret_set_up", days=1))
    is_one_story(fold)
    found = happened(fold)
    assert all(found[each] for each in ("ListSealed", "ListTold", "DeckBound", "Opened")), found


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("seed", range(204, 204 + FUZZ))
def test_new_secrets_make_no_honest_player_fail_the_audit(seed: int) -> None:
    """Some still have the key of the old ones, and show what it hid."""
    fold = shown(played(SMALL, seed, "secret_set_up", RENEWALS, days=1))
    is_one_story(fold)
    assert happened(fold)["Renewed"] or FUZZ > 1

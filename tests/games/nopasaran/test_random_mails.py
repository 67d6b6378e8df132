"""2.6: random games by two keys with counters face down, to both audits."""

from __future__ import annotations

import pytest

from tests.conftest import FUZZ
from tests.games.nopasaran.random_mails import happened, is_one_story, played, shown
from tests.games.nopasaran.table import SMALL


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("seed", range(101, 101 + FUZZ))
def test_whoever_reads_a_random_game_reads_the_same_one(seed: int) -> None:
    fold = shown(played(SMALL, seed, "secret_set_up", days=1))
    is_one_story(fold)
    found = happened(fold)
    assert all(found[each] for each in ("ListSealed", "ListTold", "DeckBound", "Opened")), found

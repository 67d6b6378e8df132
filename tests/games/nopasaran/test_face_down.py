"""2.6: counters face down: both players and an audit see one game, and nobody is stuck in it."""

from __future__ import annotations

import pytest

from pbem.engine.tags import is_tag
from tests.conftest import FUZZ
from tests.games.nopasaran.face_down import playout


@pytest.mark.rule("2.6")
@pytest.mark.parametrize(
    "seed, practice",
    [(seed, practice) for seed in range(2 * FUZZ) for practice in (False, True)],
)
def test_every_view_of_a_game_agrees_on_the_public_state(seed: int, practice: bool) -> None:
    """Each order is judged by its author, by both, and with all faces known; each post is compared.
    What was said and what was moved is true of whoever is shown.
    """
    most = 0
    for game in playout("jarama_pindoque", seed, all_hidden=True, practice=practice):
        most = max(most, sum(map(is_tag, game.state.position.hexes)))
    assert game.state.position.result is not None
    assert most > 20, "a game in which little is hidden shows nothing"

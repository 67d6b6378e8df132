"""Stored games, one for each way to end: all end as they ended."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from tests.replays.stored import HERE, WAYS, finished, path_of, stored, way_of_replay

KEPT = sorted((slug, way) for slug, ways in WAYS.items() for way in ways)


def test_every_way_to_end_has_a_stored_game() -> None:
    assert set(WAYS) == set(GAMES)
    for slug, ways in WAYS.items():
        missing = [way for way in ways if not path_of(slug, way).exists()]
        assert not missing, "python -m tests.replays.make"
        names = {path.stem for path in (HERE / slug).glob("*.json")}
        assert names - set(ways) <= {"campaign", "covered"}, "a stored game of no known way"


@pytest.mark.parametrize("slug, way", KEPT)
def test_a_stored_game_ends_as_it_ended(slug: str, way: str) -> None:
    replay = stored(path_of(slug, way))
    again = finished(slug, replay.scenario, replay.options, replay.dice, replay.orders)
    assert again == replay, f"it ends otherwise now: python -m tests.replays.make {way}"
    assert way_of_replay(replay) == way
    assert set(WAYS[slug][way].under) <= set(replay.options)
    assert path_of(slug, way).read_text(encoding="utf-8") == replay.text()

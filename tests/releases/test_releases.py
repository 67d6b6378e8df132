"""What earlier releases have written is read, told and played on by the program of today."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.gamedata.load import load
from pbem.gamedata.past import load_past
from pbem.gamefile.consent import open_offer
from pbem.gamefile.in_play import other
from pbem.play import both_ways
from pbem.play.answer import agreed
from pbem.play.game import Game
from pbem.play.seen import seen
from pbem.play.snapshot import read_game
from pbem.play.story import story
from pbem.play.summary import summary
from pbem.play.systems import opened
from tests.pinned import as_they_are
from tests.releases.make import GAMES, file_of, listed
from tests.releases.overlay import HERE, data_of, made_releases
from tests.releases.play import Kept, to_its_end

AGAIN = "python -m tests.releases.make makes what is kept of a release that is not yet published"


@pytest.fixture(autouse=True)
def digests_of_today() -> Iterator[None]:
    with as_they_are():
        yield


@cache
def games_of(release: str) -> dict[str, Any]:
    found: dict[str, Any] = listed(release)["games"]
    return found


def every_game(phase: str = "") -> list[tuple[str, str]]:
    return [
        (release, name)
        for release in made_releases()
        for name, facts in games_of(release).items()
        if phase in ("", facts["phase"])
    ]


def content(release: str, name: str) -> bytes:
    return (HERE / release / name).read_bytes()


@cache
def read(release: str, name: str) -> Game:
    """The game, with every check."""
    return read_game(gzip.decompress(content(release, name)))


def kept_of(facts: dict[str, Any]) -> Kept:
    """Who plays it: their keys come of its name."""
    return Kept(facts["name"], facts["system"], "")


def test_every_system_and_scenario_is_kept_finished_and_running_hidden_and_open() -> None:
    slugs = {kept.slug for kept in GAMES}
    assert {(each.slug, each.scenario) for each in GAMES} == {
        (slug, scenario.id) for slug in slugs for scenario in opened(slug).system.scenarios()
    }
    for slug in slugs:
        its = [each for each in GAMES if each.slug == slug]
        assert {bool(each.mails) for each in its} == {True, False}, slug
        assert {bool(each.options) for each in its} == {True, False}, slug
    games = [read(release, name) for release, name in every_game("running")]
    assert any(game.fold.machine.agreements.offers for game in games)
    assert any(game.fold.machine.pending.policies for game in games)
    assert any(game.fold.given(player) for game in games for player in "AB")


@pytest.mark.parametrize("release, name", every_game())
def test_it_is_verified_and_told(release: str, name: str) -> None:
    facts = games_of(release)[name]
    assert sha256(content(release, name)).hexdigest() == facts["sha256"], AGAIN
    game = read(release, name)
    assert (len(game.fold.entries), game.fold.phase) == (facts["entries"], facts["phase"])
    assert game.fold.entries[-1].payload["post"] == facts["post"]
    assert game.fold.result == facts["result"]
    assert story(game).chapters
    assert summary(game) is not None
    assert seen(game, None, None).board


@pytest.mark.parametrize("release, name", every_game("running"))
def test_a_running_game_goes_on_to_its_end(release: str, name: str) -> None:
    facts = games_of(release)[name]
    game, kept = read(release, name), kept_of(facts)
    for player in "AB":
        offer = open_offer(game.fold.machine, player)
        if offer is not None and offer.what == "adjourn":  # any other lapses
            game = agreed(game, kept.key(other(player)), None, reply=True).game
    for after in to_its_end(game, kept):
        game = after
    assert game.fold.phase == "over" and not game.fold.owed


def test_the_data_of_each_release_are_here() -> None:
    for release in made_releases():
        for slug, each in data_of(release).items():
            found = load(slug)
            if each["digest"] != found.digest:
                past = load_past(slug, each["digest"])
                assert past is not None, "python -m tests.releases.overlay"
                assert past.digest == each["digest"]


def test_every_game_kept_is_in_the_list_of_its_release() -> None:
    for release in made_releases():
        there = {path.name for path in Path(HERE / release).glob("*.pbem.json.gz")}
        assert there == set(games_of(release))
    assert set(map(file_of, GAMES)) == set(games_of(made_releases()[0]))


@pytest.mark.parametrize("release, name", every_game("running"))
def test_nothing_changes_for_a_game_that_goes_on_as_it_is(release: str, name: str) -> None:
    """Tried both ways by the same data and rules, in the view of both and of each."""
    game, kept = read(release, name), kept_of(games_of(release)[name])
    nothing = both_ways.in_english(both_ways.public_changes(game, game.opened))
    assert nothing == ["nothing changes that both players can see"]
    for player in "AB":
        assert both_ways.own_changes(game, game.opened, kept.key(player)) == ()

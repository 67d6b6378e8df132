"""Random games by waits_for, submit and roll: no dead end, no fault, nothing lost."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.games import GAMES
from tests.conftest import FUZZ
from tests.contract.kits import kit
from tests.contract.owned import problems_of
from tests.contract.playing import (
    Moment,
    every_beginning,
    every_game,
    first_state,
    playout,
    some_options,
    system,
)
from tests.replays.stored import way_of

GROUP = 4
"""Playouts of one test, so that both cores have something to do."""


def times(games: int) -> int:
    """How many of so many games are played: every day a third."""
    return -(-games // 3) if FUZZ == 1 else games * FUZZ


RESTS = 4 if FUZZ == 1 else 1
"""Of so many positions at rest one is written out as a scenario and judged: what is written into it
changes little from one to the next."""
EDITIONS = times(5)
"""Playouts of each scenario in another edition."""


def groups() -> Iterator[tuple[str, str, range]]:
    seen: set[str] = set()
    for slug, scenario in every_beginning():
        played = kit(slug).playouts
        how_many = times(played.further if slug in seen else played.first)
        whole = played.whole if FUZZ == 1 else 0  # they begin as the whole games below
        for first in range(whole, how_many, GROUP):
            yield slug, scenario, range(first, min(first + GROUP, how_many))
        seen.add(slug)


@pytest.mark.parametrize("slug, scenario, seeds", list(groups()))
def test_random_games_come_to_their_end(slug: str, scenario: str, seeds: range) -> None:
    for seed in seeds:
        one_game(slug, scenario, seed)


@pytest.mark.parametrize("seed", range(times(6)))
@pytest.mark.parametrize("slug", sorted(GAMES))
def test_random_games_with_options_come_to_their_end(slug: str, seed: int) -> None:
    rng = random.Random(f"options {seed}")
    scenario = rng.choice(system(slug).scenarios()).id
    one_game(slug, scenario, seed, some_options(slug, scenario, rng))


def other_editions() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each scenario that another edition of its game has, with the options that make it."""
    for slug in sorted(GAMES):
        for scenario in system(slug).scenarios():
            for options in kit(slug).editions:
                if not {*options} & {*scenario.excludes}:
                    yield slug, scenario.id, options


def other_beginnings() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Those of them whose playouts are not those of another scenario."""
    beginnings = every_beginning()
    yield from (each for each in other_editions() if each[:2] in beginnings)


@pytest.mark.parametrize("first", range(FUZZ == 1, EDITIONS, GROUP))
@pytest.mark.parametrize("slug, scenario, options", list(other_beginnings()))
def test_random_games_of_other_editions_come_to_their_end(
    slug: str, scenario: str, options: tuple[str, ...], first: int
) -> None:
    for seed in range(first, min(first + GROUP, EDITIONS)):
        one_game(slug, scenario, seed, options)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_scenarios_that_are_alike_are_the_same_game_as_far_as_playouts_go(slug: str) -> None:
    """So only one of them is played here; their ends differ, and whole games of both are."""
    for twin, scenario in kit(slug).alike.items():
        for options in ((), *kit(slug).editions):
            one, other = (
                [(moment.order, moment.step.events) for moment in games]
                for games in (playout(slug, each, 1, options=options) for each in (scenario, twin))
            )
            assert one == other


@pytest.mark.parametrize("seed", range(FUZZ))
@pytest.mark.parametrize("slug, scenario, options", list(other_editions()))
def test_a_whole_game_of_another_edition_has_a_result(
    slug: str, scenario: str, options: tuple[str, ...], seed: int
) -> None:
    last = one_game(slug, scenario, seed, options, whole=True).step.state
    result = system(slug).result(last.position)
    assert last.agenda == () and result is not None
    way = way_of(slug, scenario, result.winner, result.reason, options)
    assert way and kit(slug).ways[way].under == options, "an end without a stored replay"


def test_no_option_excludes_what_does_not_exist() -> None:
    for slug in GAMES:
        options = {option.id: option for option in system(slug).options()}
        for option in options.values():
            assert {*option.excludes, *option.needs} <= set(options), option
            assert not set(option.excludes) & set(option.needs), option
            assert option.id not in option.excludes, option
        for scenario in system(slug).scenarios():
            assert {*scenario.excludes, *scenario.needs} <= set(options), scenario
            assert not set(scenario.excludes) & set(scenario.needs), scenario


def one_game(
    slug: str, scenario: str, seed: int, options: tuple[str, ...] = (), *, whole: bool = False
) -> Moment:
    """Plays and looks at every move; the last one is returned."""
    faults, its = system(slug).faults, kit(slug)
    watch = its.watch and its.watch(first_state(slug, scenario, options).state.position)
    moves = rests = 0
    for moment in playout(slug, scenario, seed, options=options, whole=whole):
        moves += 1
        position = moment.step.state.position
        where = f"{scenario} {options}, seed {seed}, move {moves}, {moment.order}"
        assert faults(position) == (), where
        assert list(its.faults(position)) == [], where
        assert list(_miscounted(slug, moment)) == [], where
        assert not watch or list(watch.sees(moment)) == [], where
        now, most = its.counts(position), its.due(position)
        assert all(now[each] <= most[each] for each in now), where
        if moment.decision and its.is_at_rest(moment.decision):
            before = moment.state.position
            assert its.counts(before) == its.due(before), where
            scenario_here = rests % RESTS == 0 and its.written_out(before, options)
            rests += 1
            told = scenario_here and [
                str(each.message) for each in problems_of(slug, scenario_here)
            ]
            assert not told, where
    assert moves >= 20, "a game of so few moves shows nothing"
    return moment


def _miscounted(slug: str, moment: Moment) -> Iterator[str]:
    """What an event does to units, steps and points without saying so."""
    before = moment.state.position
    for event, after in zip(moment.step.events, moment.step.positions, strict=True):
        yield from kit(slug).accounts(event, before, after)
        before = after


def whole_games() -> Iterator[tuple[str, str, int]]:
    for slug, scenario in every_game():
        played = kit(slug).playouts
        seeds = range(played.whole if FUZZ == 1 else played.whole_in_fuzz)
        yield from ((slug, scenario, seed) for seed in seeds)


@pytest.mark.parametrize("slug, scenario, seed", list(whole_games()))
def test_a_whole_game_has_a_result(slug: str, scenario: str, seed: int) -> None:
    last = one_game(slug, scenario, seed, whole=True).step.state
    result = system(slug).result(last.position)
    assert last.agenda == () and result is not None
    assert result.reason and result.score
    assert way_of(slug, scenario, result.winner, result.reason), "an end without a stored replay"

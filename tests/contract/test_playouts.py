"""A hundred random games by waits_for, submit and roll: no dead end, no fault, nothing lost."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.games import GAMES
from tests.conftest import FUZZ
from tests.contract.conserved import CONSERVED, COUNTS, NOTHING_IN_PLAY
from tests.contract.playing import every_game, first_state, playout, some_options, system

PLAYOUTS = 100 * FUZZ
FURTHER = 20 * FUZZ
"""Playouts of a game's first scenario, and of each further one."""

GROUP = 5
"""Playouts of one test, so that both cores have something to do."""


def groups() -> Iterator[tuple[str, str, int]]:
    seen: set[str] = set()
    for slug, scenario in every_game():
        how_many = FURTHER if slug in seen else PLAYOUTS
        yield from ((slug, scenario, first) for first in range(0, how_many, GROUP))
        seen.add(slug)


@pytest.mark.parametrize("slug, scenario, first", list(groups()))
def test_random_games_come_to_their_end(slug: str, scenario: str, first: int) -> None:
    for seed in range(first, first + GROUP):
        one_game(slug, scenario, seed)


@pytest.mark.parametrize("seed", range(15 * FUZZ))
@pytest.mark.parametrize("slug", sorted(GAMES))
def test_random_games_with_options_come_to_their_end(slug: str, seed: int) -> None:
    rng = random.Random(f"options {seed}")
    scenario = rng.choice(system(slug).scenarios()).id
    one_game(slug, scenario, seed, some_options(slug, rng))


def test_no_option_excludes_what_does_not_exist() -> None:
    for slug in GAMES:
        options = {option.id: option for option in system(slug).options()}
        for option in options.values():
            assert set(option.excludes) <= set(options), option
            assert option.id not in option.excludes, option


def one_game(slug: str, scenario: str, seed: int, options: tuple[str, ...] = ()) -> None:
    faults, conserved = system(slug).faults, CONSERVED[slug]
    counts, nothing_in_play = COUNTS[slug], NOTHING_IN_PLAY[slug]
    cards = counts(first_state(slug, scenario, options).state.position)
    moves = 0
    for moment in playout(slug, scenario, seed, options=options):
        moves += 1
        position = moment.step.state.position
        where = f"{scenario} {options}, seed {seed}, move {moves}, {moment.order}"
        assert faults(position) == (), where
        assert list(conserved(position)) == [], where
        now, before = counts(position), moment.state.position
        assert all(now[side] <= cards[side] for side in cards), where
        if moment.decision and nothing_in_play(moment.decision):
            assert counts(before) == cards, where
    assert moves > 20, "a game of so few moves shows nothing"


@pytest.mark.parametrize("seed", range(4 * FUZZ))
@pytest.mark.parametrize("table", every_game(), ids="-".join)
def test_a_whole_game_has_a_result(table: tuple[str, str], seed: int) -> None:
    slug, scenario = table
    last = [moment.step.state for moment in playout(slug, scenario, seed, whole=True)][-1]
    result = system(slug).result(last.position)
    assert last.agenda == () and result is not None
    assert result.reason and result.score
    assert result.winner is None or result.winner in system(slug).sides

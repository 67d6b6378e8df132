"""The chances that a game tells: whole, the same each time, and the same for every viewer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, Event, Order
from pbem.engine.odds import Ending, Waged
from pbem.gamefile.in_play import has_counters
from pbem.games import GAMES
from pbem.play.table import Table, spelled
from pbem.value import replace
from tests.contract.playing import Moment, played, playout, system
from tests.contract.test_hidden_hands import TABLES, game_seen_by_all

MOST, MOST_SEEN = 15, 3
TELLING = [slug for slug in sorted(GAMES) if system(slug).odds.attacks]


def test_some_game_tells_odds() -> None:
    assert TELLING


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_chances_are_asked_of_orders_of_the_game(slug: str) -> None:
    assert system(slug).odds.attacks <= set(system(slug).verbs.values())


@pytest.mark.parametrize("slug", TELLING)
def test_chances_are_whole_and_the_same_each_time(slug: str) -> None:
    game, told = system(slug), 0
    scenario = game.scenarios()[0].id
    for moment in (each for seed in (7, 8, 9) for each in playout(slug, scenario, seed)):
        if type(moment.order) not in game.odds.attacks:
            continue
        assert moment.order
        chances = game.odds.of(moment.state, moment.order)
        assert chances == game.odds.of(moment.state, moment.order)
        assert all(branch.ways > 0 for branch in chances.branches)
        sides = [salvo.side for salvo in chances.salvos]
        assert sorted(sides) == sorted(game.sides)
        results = [(branch.winner, branch.lost) for branch in chances.branches]
        assert len(set(results)) == len(results)
        for side in sides:
            assert sum(chances.spread(side).values()) == chances.ways
        assert sum(chances.ways_where(lambda each, who=who: each.winner == who)  # type: ignore[misc]
                   for who in (None, *sides)) == chances.ways  # fmt: skip
        for branch in chances.branches:
            assert [side for side, _ in branch.lost] == sides
            assert all(lost >= 0 for _, lost in branch.lost)
        for factor in (*chances.notes, *chances.supposed):
            assert str(factor.words) and factor.rule and factor.number == 0
        for salvo in chances.salvos:
            for factor in (*salvo.shifts, *salvo.modifiers):
                assert str(factor.words) and factor.rule and factor.number
        told += 1
        if told == MOST:
            break
    assert told


@pytest.mark.parametrize("slug", TELLING)
def test_what_comes_of_an_attack_is_told_as_its_chances_are(slug: str) -> None:
    """As soon as it is decided and not before; where nobody interferes it is one of its chances."""
    game = system(slug)
    games = ([*islice(decided_in(slug, seed), MOST)] for seed in range(1, 10))
    decided, known = next(filter(None, games)), 0
    for moment, (winner, lost) in decided:
        assert moment.order
        chances = game.odds.of(moment.state, moment.order)
        assert winner in (None, *game.sides)
        assert [side for side, _ in lost] == [salvo.side for salvo in chances.salvos]
        known += (winner, lost) in [(branch.winner, branch.lost) for branch in chances.branches]
    assert known * 2 > len(decided)


def decided_in(slug: str, seed: int) -> Iterator[tuple[Moment, Ending]]:
    """The attacks of a random game that were decided, with what came of each."""
    game = system(slug)
    moments = played(slug, game.scenarios()[0].id, seed)
    for at, moment in enumerate(moments):
        if type(moment.order) not in game.odds.attacks:
            continue
        assert moment.order
        span, found = game.clock(moment.state.position).span, list[tuple[Event[Any], Any]]()
        for event, after in (each for later in moments[at:] for each in happened(later)):
            if game.clock(after).span != span:
                break
            found.append((event, after))
        ordered = Waged(moment.state, moment.order, (), is_over=False)
        assert game.odds.came(ordered) is None
        came = game.odds.came(replace(ordered, happenings=tuple(found), is_over=True))
        if came is not None:
            yield moment, came


def happened(moment: Moment) -> Iterator[tuple[Event[Any], Any]]:
    return zip(moment.step.events, moment.step.positions, strict=True)


@pytest.mark.parametrize("table", [each for each in TABLES if each[0] in TELLING], ids="-".join)
def test_chances_read_nothing_hidden(table: tuple[str, str]) -> None:
    """Every view of a game, the audit's which knows all, tells the same of an attack."""
    odds, told = system(table[0]).odds, 0
    for seed in (5, 6, 7):
        if told:
            break  # in a short game nobody may attack with what both know
        for views, decision, order in game_seen_by_all(*table, seed):
            if decision is None or order is None or type(order) not in odds.attacks:
                continue
            # The counters that attack are shown with the order.
            by = views.public.player_of(decision.side)
            worded = views.tables[by].worded(by, spelled(order))
            if has_counters(views.public) and views.tables[by].shows(by, worded):
                continue
            for bare in without_cards(views.public, decision, worded.meant):
                found = [odds.of(each.state, bare) for each in views.tables.values()]
                assert all(each == found[0] for each in found)
                told += 1
            if told >= MOST_SEEN:
                break
    assert told


def without_cards(public: Table, decision: Decision, order: Order) -> Iterator[Order]:
    """The order without what it takes from a hidden hand, where it is legal for everybody."""
    for held in ("cards", "chits"):
        if getattr(order, held, ()):
            order = replace(order, **{held: ()})
    if decision.takes(order) and not kernel.violations(public.state, order):
        yield order

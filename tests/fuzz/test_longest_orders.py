"""An order of twice the length takes twice the time to judge, whichever list of it is long.

The orders are those of the stored games and what is offered beside them, with one list or mapping
as long as a file may have it: what stands there over and over, to and fro, or names that nothing
has. A changed program signs such orders, and whoever reads its file has to judge them.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.codec import from_written
from pbem.engine.model import Decision, Order, State
from pbem.gamefile.canonical import MAX_ARRAY
from pbem.games import GAMES
from pbem.orders.fields import kinds_of
from pbem.value import fields, is_value, replace
from tests.bots import RandomDice, sample
from tests.conftest import FUZZ
from tests.contract.playing import first_state, system
from tests.fuzz import test_linear
from tests.fuzz.test_linear import MOST, growth, seconds
from tests.replays.stored import WAYS, path_of, stored

Names = tuple[str, ...]
without_collection = test_linear.without_collection
LONG = MAX_ARRAY // 8
AT_ONCE = 0.005
"""Seconds: what takes less so far can take a third of one at eight times the length, at most."""
OF_A_WAY, SAMPLES = (4, 1) if FUZZ == 1 else (20, 3)
"""So many times a list is made longer that may be a way, for where it leads decides how it is
judged; others once. So many orders beside the answers are taken of each verb.
"""
TO_AND_FRO = "to and fro"


def asked(slug: str) -> Iterator[tuple[State[Any], Decision, Order]]:
    """Every question of the stored games of a game, with its answer."""
    verbs = system(slug).verbs
    for way in WAYS[slug]:
        replay = stored(path_of(slug, way))
        state = first_state(slug, replay.scenario, replay.options).state
        left, dice = iter(replay.orders), RandomDice(replay.dice)
        while (wanted := kernel.waits_for(state)) is not None:
            if isinstance(wanted, Decision):
                ((verb, written),) = next(left).items()
                order = from_written(verbs[verb], written)
                yield state, wanted, order
                state = kernel.submit(state, order).state
            else:
                state = kernel.roll(state, dice).state


def names_of(slug: str, state: State[Any], side: str) -> Names:
    """Everything that an order can name, of both sides."""
    game = system(slug)
    names = game.names(state, side, None, answering=False)
    kinds = {kind: None for order in game.verbs.values() for kind in kinds_of(order).values()}
    return tuple(name for kind in kinds if kind for name in names.known(kind))


def over_and_over(given: tuple[Any, ...]) -> Iterator[Any]:
    """To the end and back again, which is a way on a map, too."""
    return itertools.cycle((*given, *given[-2:0:-1]))


def strangers() -> Iterator[str]:
    return (f"x{number}" for number in itertools.count())


def longer(given: Any, size: int, names: Names, at: str = "") -> Iterator[tuple[str, Any]]:
    """A value with one of the lists and mappings in it made so long, and which one it is."""
    if isinstance(given, tuple) and given:
        how = TO_AND_FRO if len(given) > 1 else "over and over"
        yield f"{at} {how}", tuple(itertools.islice(over_and_over(given), size))
        if isinstance(given[0], str):
            yield f"{at} strangers", (*given, *itertools.islice(strangers(), size))
            yield f"{at} all names", tuple(itertools.islice(itertools.cycle(names), size))
        for where, inside in longer(given[0], size, names, f"{at}[]"):
            yield where, (inside, *given[1:])
    elif isinstance(given, Mapping) and given:
        first = next(iter(given))
        others = dict.fromkeys(itertools.islice(strangers(), size), given[first])
        yield f"{at} strangers", {**given, **others}
        for where, inside in longer(given[first], size, names, f"{at}{{}}"):
            yield where, {**given, first: inside}
    elif is_value(type(given)):
        for field in fields(type(given)):
            inside = longer(getattr(given, field.name), size, names, f"{at}.{field.name}")
            for where, value in inside:
                yield where, replace(given, **{field.name: value})


def too_slow(state: State[Any], order: Order, names: Names, which: set[str]) -> Iterator[str]:
    """Which of these lists of an order are judged in more time than their length accounts for."""

    def judge(each: Any) -> None:
        kernel.violations(State(state.position, state.agenda, state.seq), each)

    def made(where: str, size: int) -> Order:
        return next(long for one, long in longer(order, size, names) if one == where)

    for where in sorted(which):
        if seconds(judge, made(where, LONG)) > AT_ONCE:
            times = growth(judge, partial(made, where), LONG // 2)
            if times >= MOST:
                yield f"{order.verb}{where}: {times:.1f} times as long"


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_longest_orders_are_judged_in_proportion(slug: str) -> None:
    rng, done, slow = random.Random(slug), Counter[str](), list[str]()
    for state, wanted, answer in asked(slug):
        unseen = [each for each in wanted.options if done[each.order.verb] < SAMPLES]
        done.update(each.order.verb for each in unseen)
        for order in filter(None, (answer, *(sample(each, rng) for each in unseen))):
            lists = {where: order.verb + where for where, _ in longer(order, 0, ())}
            which = {
                where
                for where, name in lists.items()
                if done[name] < (OF_A_WAY if where.endswith(TO_AND_FRO) else 1)
            }
            done.update(map(lists.__getitem__, which))
            if which:
                slow += too_slow(state, order, names_of(slug, state, wanted.side), which)
    assert sorted(slow) == []
    assert len(done) > 30

"""Random games through the public calls of the engine, told moment by moment."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Event, Order, State
from pbem.engine.picture import NO_PICTURE
from pbem.games import GAMES
from pbem.games.system import GameSystem
from pbem.play.systems import opened
from tests.bots import RandomDice, legal_samples
from tests.contract.kits import kit

MOST_MOVES = 5_000
"""A playout that has not stopped by then has no end."""


@cache
def system(slug: str) -> GameSystem:
    return opened(slug).system


def every_game() -> list[tuple[str, str]]:
    """Each game with each of its scenarios."""
    return [(slug, scenario.id) for slug in sorted(GAMES) for scenario in system(slug).scenarios()]


def every_beginning() -> list[tuple[str, str]]:
    """The same without scenarios whose playouts are, move by move, those of another one."""
    return [each for each in every_game() if each[1] not in kit(each[0]).alike]


def is_drawn(slug: str) -> bool:
    """Whether a game has a board to look at."""
    return system(slug).picture is not NO_PICTURE


def first_state(slug: str, scenario: str, more: Iterable[str] = ()) -> kernel.Progress:
    """The beginning of a playout, without options that cannot join those of the game's kit."""
    its = kit(slug)
    begins = its.begins or system(slug).setup
    barred = {each.id for each in system(slug).options() if its.options.intersection(each.excludes)}
    return kernel.begin(begins(scenario, its.options.union(more) - barred))


def some_options(
    slug: str, scenario: str, rng: random.Random, most: int | None = 8
) -> tuple[str, ...]:
    """A few options that may be in force together in a scenario; None: as many as there can be."""
    played = next(each for each in system(slug).scenarios() if each.id == scenario)
    chosen = list(played.needs)
    barred = {*played.excludes, *chosen}
    offered = list(system(slug).options())
    count = len(offered) if most is None else min(len(offered), rng.randint(1, most))
    for option in rng.sample(offered, count):
        fits = set(option.needs) <= set(chosen) and not set(option.excludes) & set(chosen)
        if option.id not in barred and fits:
            chosen.append(option.id)
            barred |= {option.id, *option.excludes}
    return tuple(chosen)


@dataclass(frozen=True)
class Moment:
    """A place in a playout: the state, the question and the order (None: a roll), the step."""

    state: State[Any]
    decision: Decision | None
    order: Order | None
    step: kernel.Progress


@dataclass
class Player:
    """Gives random legal orders. `bold` is how often it looks for more than the default answer."""

    seed: int
    bold: float = 0.9
    tries: int = 40
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"player {self.seed}")

    def order(self, state: State[Any], decision: Decision) -> Order:
        if self.rng.random() > self.bold:
            return decision.default
        samples = legal_samples(state, self.rng, self.tries)
        return next((order for order in samples if order != decision.default), decision.default)


@lru_cache(maxsize=16)
def played(slug: str, scenario: str, seed: int = 1) -> tuple[Moment, ...]:
    """The moments of a playout, played once for all tests that only look at them."""
    return tuple(playout(slug, scenario, seed))


def playout(
    slug: str, scenario: str, seed: int, *, whole: bool = False, options: Iterable[str] = ()
) -> Iterator[Moment]:
    """One random game, moment by moment; unless `whole`, to where the game's playouts stop."""
    player, dice = Player(seed), RandomDice(seed)
    state = first_state(slug, scenario, options).state
    over = kit(slug).is_long_enough if not whole else _never
    for _ in range(MOST_MOVES):
        wanted = kernel.waits_for(state)
        if wanted is None or over(state.position):
            return
        if isinstance(wanted, Decision):
            order = player.order(state, wanted)
            moment = Moment(state, wanted, order, kernel.submit(state, order))
        else:
            moment = Moment(state, None, None, kernel.roll(state, dice))
        yield moment
        state = moment.step.state
    raise AssertionError(f"no end after {MOST_MOVES} moves: {state.agenda[-1]!r}")


def _never(position: Any) -> bool:
    return False


@cache
def decisions(slug: str, scenario: str, seed: int, most: int) -> tuple[Moment, ...]:
    """Some decisions of one playout, spread over it; every kind of question at least once."""
    asked = [moment for moment in played(slug, scenario, seed) if moment.decision]
    stride = max(1, len(asked) // most)
    kinds: dict[str, Moment] = {}
    for moment in asked:
        assert moment.decision
        kinds.setdefault(moment.decision.stage, moment)
    chosen = {id(moment): moment for moment in [*asked[::stride], *kinds.values()]}
    return tuple(moment for moment in asked if id(moment) in chosen)


def replayed(slug: str, scenario: str, orders: Sequence[Order], seed: int) -> list[Event[Any]]:
    """Every event of the same orders under the same dice."""
    start = first_state(slug, scenario)
    state, told, dice, left = start.state, [*start.events], RandomDice(seed), list(orders)
    while True:
        wanted = kernel.waits_for(state)
        if isinstance(wanted, Decision):
            if not left:
                return told
            step = kernel.submit(state, left.pop(0))
        elif wanted is None:
            return told
        else:
            step = kernel.roll(state, dice)
        told += step.events
        state = step.state

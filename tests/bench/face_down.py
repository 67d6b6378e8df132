"""¡No Pasarán! with counters face down beside the same game with open ones: what it takes to read
the orders of an activation.

Both games have the same random orders and dice. They are played once, and then read move by move as
from a file: the game asks, what the order shows is taken, the order is judged and carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.games.nopasaran.events import CounterShown
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import cover
from tests.games.nopasaran.face_down import GAME
from tests.games.nopasaran.test_covered_as_open import steps

SEEDS, TIMES, ORDERS = (1, 2, 3), 3, 20
CALLS = ("learn", "submit", "roll", "seal")


@dataclass(frozen=True)
class Move:
    """A call of the engine, from one state to another."""

    call: str
    before: State[Position]
    given: Any
    after: State[Position]


@dataclass(frozen=True)
class Beside:
    """Milliseconds to read twenty orders of an activation, with counters face down and with open
    ones; how many times as long it takes to judge them alone; the part of the first that is spent
    on whom a counter may be: whether it can be who is shown, and whether any of those whom it may
    be could do what it does.
    """

    face_down: float
    open: float
    judged: float
    fields: float


def beside(*, tops: bool) -> Beside:
    """Of each game the least of a few times, in turns. Without `tops` those lie face down that can
    be mixed in an evening, below another counter; else all, which a secret set-up alone brings.
    """
    games = [_played(seed, tops=tops) for seed in SEEDS]
    down, open = [0.0, 0.0], [0.0, 0.0]
    for game in games:
        turns = [[_seconds(moves) for moves in game] for _ in range(TIMES)]
        for at, sums in enumerate((down, open)):
            asking, judging, going_on = map(min, zip(*(turn[at] for turn in turns), strict=True))
            sums[0] += asking + judging + going_on
            sums[1] += judging
    orders = sum(len([*_unread(closed)]) for closed, _ in games)
    many = 1000 * ORDERS / orders
    fields = median(_on_fields([closed for closed, _ in games]) for _ in range(TIMES))
    return Beside(many * down[0], many * open[0], down[1] / open[1], fields)


def _played(seed: int, *, tops: bool) -> tuple[list[Move], list[Move]]:
    """The moves of the game as both know it, and of the open one."""
    calls = list[Move]()
    closed, opened = (list[State[Position]]() for _ in range(2))
    with _noted(calls):
        for game, state in steps(seed, tops=tops):
            closed.append(game.state)
            opened.append(state)
    return _between(calls, closed), _between(calls, opened)


def _between(calls: Sequence[Move], states: Sequence[State[Position]]) -> list[Move]:
    """The calls that lead from the first of these states to the last."""
    found, now = list[Move](), states[0]
    for each in calls:
        if each.before is now:
            found.append(each)
            now = each.after
    assert now is states[-1]
    return found


@contextmanager
def _noted(calls: list[Move]) -> Iterator[None]:
    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(state: State[Position], given: Any) -> Any:
            step = call(state, given)
            after = step if isinstance(step, State) else step.state
            calls.append(Move(name, state, given, after))
            return step

        return called

    with patch.multiple(kernel, **{name: noted(name, getattr(kernel, name)) for name in CALLS}):
        yield


@dataclass
class Unread:
    """An order of an activation, the state in which it is read, of which nothing has been worked
    out since the move before, and what is shown in front of it.
    """

    state: State[Position]
    shown: Sequence[Any]
    order: Any

    def ask(self) -> None:
        """The question is asked, and what is shown is taken."""
        kernel.waits_for(self.state)
        for events in self.shown:
            for event in events:
                if isinstance(event, CounterShown):
                    assert not GAME.pieces.misfit(self.state, event.slot, event.card)
            self.state = kernel.learn(self.state, events).state
        self.order = GAME.pieces.meant(self.state.position, self.order)

    def judge(self) -> None:
        """The order is legal."""
        assert not kernel.violations(self.state, self.order)

    def go_on(self) -> None:
        """It is carried out."""
        kernel.resolved(self.state, self.order)


def _unread(moves: Sequence[Move]) -> Iterator[Unread]:
    state, shown = moves[0].before, list[Any]()
    for move in moves:
        if not shown:
            unread = State(state.position.but(), state.agenda, state.seq)
        asked = kernel.waits_for(state)
        if move.call == "submit" and isinstance(asked, Decision) and asked.stage == "action":
            yield Unread(unread, shown, move.given)
        shown = [*shown, move.given] if move.call == "learn" else []
        step = getattr(kernel, move.call)(state, move.given)
        state = step if isinstance(step, State) else step.state


def _seconds(moves: Sequence[Move]) -> tuple[float, float, float]:
    """Seconds of the processor in which all is asked and shown, judged, and carried out. The clock
    is read seldom, as that takes as long as an order.
    """
    orders, found = [*_unread(moves)], list[float]()
    for part in (Unread.ask, Unread.judge, Unread.go_on):
        begun = process_time()
        for each in orders:
            part(each)
        found.append(process_time() - begun)
    return found[0], found[1], found[2]


def _on_fields(games: Sequence[Sequence[Move]]) -> float:
    """The part of the time that goes into whom a counter may be; of calls in one another the outer
    one counts.
    """
    spent, inside = list[float](), list[bool]()

    def timed(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            if inside:
                return function(*given)
            inside.append(True)
            begun = process_time()
            found = function(*given)
            found = list(found) if isinstance(found, Iterator) else found
            spent.append(process_time() - begun)
            inside.clear()
            return found

        return called

    orders = [each for moves in games for each in _unread(moves)]
    with (
        patch.object(cover, "could_do_it", timed(cover.could_do_it)),
        patch.object(cover, "who_could", timed(cover.who_could)),
        patch.object(GAME.pieces, "misfit", timed(GAME.pieces.misfit)),
    ):
        begun = process_time()
        for each in orders:
            each.ask()
            each.judge()
            each.go_on()
        return sum(spent) / (process_time() - begun)

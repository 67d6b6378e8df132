"""2.6: counters face down hide who is there, and change nothing else: the same orders and dice have
the same outcome as with open ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Chance, Decision, Order, State
from pbem.engine.public import plain
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.options import OPEN_UNITS
from pbem.games.nopasaran.orders import Counterbattery, Move, Unmask
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import activation, air, cover
from pbem.games.nopasaran.tables import SIDES
from pbem.value import replace
from tests.bots import legal_samples
from tests.games.nopasaran.face_down import GAME, FaceDownGame
from tests.games.nopasaran.table import SMALL

NOT_COMPARED = ("masks", "mixed", "may_act", "spent_as", "cut_off_as", "papers", "told", "unled",
                "fields", "facts", "control", "missions", "finished")  # fmt: skip
"""What lies face down and how the books tell of it; and who is finished, since whoever might still
act face down says that they do not, but who is asked next is compared.
"""
LOT = "picks"
"""The dice for what reconnaissance shows: there is nothing to show with open counters."""


def both_ways(seed: int, *, tops: bool = True) -> tuple[FaceDownGame, State[Position]]:
    """The small battle with all counters but headquarters face down, or those below another one, of
    whose zones all is said, and with the same counters in view.
    """
    closed = FaceDownGame.of(SMALL, seed, all_hidden=True, tops=tops)
    say_zones(closed, closed.state.position.stacks)
    public = closed.state.position
    stacks = {hex: tuple(closed.faces.get(unit, unit) for unit in units)
              for hex, units in public.stacks.items()}  # fmt: skip
    begun = kernel.begin(GAME.setup(SMALL, frozenset({OPEN_UNITS}))).state
    return closed, State(begun.position.but(stacks=stacks), begun.agenda, begun.seq)


def say_zones(closed: FaceDownGame, hexes: Iterable[str]) -> None:
    """It is said of the counters face down of some hexes what they come to."""
    known, public = closed.view(*SIDES).position, closed.state.position
    for hex in hexes:
        for said in cover.zone_of(known, public.tags_at(hex)):
            public = e.ZoneSaid(said.units, said.zone).apply(public)
    closed.state = State(public, closed.state.agenda, closed.state.seq)


def named(closed: FaceDownGame) -> Position:
    """The game as somebody sees it who knows all counters and lists."""
    position = closed.view(*SIDES).position
    for side in SIDES:
        position = position.seen(side)
    return position


def told(position: Position) -> Mapping[str, Any]:
    """What there is of a position, with all counters by their names."""
    found = dict(plain(GAME.public(position)))
    for name in NOT_COMPARED:
        found.pop(name, None)
    combat, cycle = position.combat, position.cycle
    if combat and combat.plan:  # whether lines are told in front is the program's
        combat = replace(combat, plan=replace(combat.plan, told=False))
    if cycle:  # who is gone acts no more, whether or not they are listed
        cycle = replace(cycle, able=frozenset(filter(position.at, cycle.able)))
    return {**found, "missions": position.missions, "cycle": cycle, "combat": combat}


def asks(state: State[Position], closed: FaceDownGame) -> Any:
    """Who is asked what, or which dice are wanted."""
    waits = kernel.waits_for(state)
    if isinstance(waits, Chance):
        return sorted(name_of(draw.label, closed.faces) for draw in waits.draws)
    return waits and (waits.side, waits.stage)


def name_of(label: str, faces: Mapping[str, str]) -> str:
    """A label with the name of the counter whose die it is."""
    head, _, unit = label.partition("/#/")
    return f"{head}/{faces.get(unit, unit)}"


class Dice:
    """The same die for the same thing in both games."""

    def __init__(self, number: int, faces: Mapping[str, str]) -> None:
        self.number, self.names = number, faces

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        found = {}
        for draw in draws:
            rng = random.Random(f"{self.number} {name_of(draw.label, self.names)}")
            face, picked = (
                (0, tuple(rng.sample(range(draw.of), draw.take)))
                if draw.is_sample
                else (rng.randint(1, draw.faces), ())
            )
            found[draw.label] = Roll(draw.label, draw.purpose, face, picked)
        return found


def settled(closed: FaceDownGame, rng: random.Random) -> None:
    """Goes on to the next question that there is with open counters, too."""
    while (asked := closed.asked) is not None:
        if isinstance(asked, Chance):
            if asked.stage != LOT:
                return
            closed.roll(Dice(rng.randrange(10**9), closed.faces))
        elif closed.answers_by_itself(asked):
            continue
        elif asked.stage == "unmask":
            own = closed.view(asked.side).position
            stage: Any = closed.state.agenda[-1]
            closed.order(Unmask(air.unseen_guns(own, asked.side, stage.path)))
        else:
            return


def steps(seed: int, *, tops: bool = True) -> Iterator[tuple[FaceDownGame, State[Position]]]:
    """Both games, step by step, by the same orders and dice."""
    rng = random.Random(f"as open {seed}")
    closed, opened = both_ways(seed, tops=tops)
    while True:
        settled(closed, rng)
        while asks(closed.state, closed) != asks(opened, closed) and isinstance(
            closed.asked, Decision
        ):
            if not may_be_asked(closed.asked, opened.position):
                break
            closed.order(closed.asked.default)  # as far as both know, a counter might do this
            settled(closed, rng)
        yield closed, opened
        waits = kernel.waits_for(opened)
        if waits is None:
            return
        if isinstance(waits, Decision):
            order = chosen(closed, opened, waits, rng)
            closed.order(order)
            opened = kernel.submit(opened, order).state
        else:
            dice = Dice(rng.randrange(10**9), closed.faces)
            closed.roll(dice)
            opened = kernel.roll(opened, dice).state


MAY_BE_ASKED = ("react", "defend", "withdraw", "counterbattery", "works", "lead", "advance")


def may_be_asked(asked: Decision, position: Position) -> bool:
    """Whether a question may come in the hidden game alone: a counter face down might answer it."""
    is_idle = not activation.has_more_to_do(position, asked.side)
    return asked.stage in MAY_BE_ASKED or (asked.stage == "activation" and is_idle)


def chosen(
    closed: FaceDownGame, opened: State[Position], asked: Decision, rng: random.Random
) -> Order:
    """A random order that is legal in both games, and whose cost is no secret."""
    own = closed.view(asked.side)
    for order in legal_samples(opened, rng, 12):
        is_alike = is_known_to_both(closed.state.position, own.position, order)
        if order != asked.default and is_alike and not kernel.violations(own, order):
            return order
    return asked.default


def is_known_to_both(position: Position, own: Position, order: Order) -> bool:
    """Whether both know all on which an order depends that they go by. Fire at guns hits those that
    both know to be guns; how much friends in the way cost hangs on their points (10.p8).
    """
    if isinstance(order, Move):
        unseen = any(own.down.tag(unit, position.hexes) != unit for unit in order.units)
        return not any(position.tags_at(hex) or (unseen and position.stacks.get(hex))
                       for hex in order.path)  # fmt: skip
    return not isinstance(order, Counterbattery)


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("seed", [1])
def test_the_same_orders_and_dice_end_alike_with_covered_and_with_open_counters(seed: int) -> None:
    hidden = 0
    for closed, opened in steps(seed):
        assert asks(closed.state, closed) == asks(opened, closed)
        one, other = told(named(closed)), told(opened.position)
        assert {name: (one[name], other[name]) for name in one if one[name] != other[name]} == {}
        hidden += sum(map(is_tag, closed.state.position.hexes))
    assert hidden > 1000

"""What `pbem check` says about a legal order: its cost, which enemy units may fire at it, and what
a pass gives away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from pbem.board.ledger import total
from pbem.engine.advice import Advice
from pbem.engine.model import Decision, Order, Side, State, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.events import UnitsMoved
from pbem.games.madrid.orders import Again, Assault, Attack, Bombard, Lead, Move, Pass, Play
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.bombardment import shelling_told
from pbem.games.madrid.rules.combat import (
    Fight,
    area_of,
    attack_value,
    intensity,
    may_counterattack,
)
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.fire import fire_strength
from pbem.games.madrid.rules.morale import test_modifiers, tested_in_combat
from pbem.games.madrid.rules.movement import areas_that_fire, path_told
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.rules.units import BOTH_PASS, passes_unasked, price, ready_stacks
from pbem.games.madrid.stages.impulse import GoingOn
from pbem.games.madrid.tables import ENEMY, REPUBLICAN
from pbem.messages import Said, marked, say, say_many

IMPULSES = (Move, Bombard, Attack, Assault, Play, Pass)


class Counsel(Advice):
    """The capability: advice on each order. A second impulse in one file is refused."""

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[Said, ...]]:
        return tuple(comes_in_its_own_impulse(before, order)), ()

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        is_over = isinstance(state.agenda[-1], GoingOn) and isinstance(order, IMPULSES)
        return next(needs_a_chit(order), None) if is_over else None

    def closing(self, state: State[Any], decision: Decision) -> Order | None:
        """`again: none`, where a chit could give a second impulse after this one (15.CR7)."""
        position = state.position
        is_asked = isinstance(state.agenda[-1], GoingOn)
        leads = any(option.order.role == "lead" for option in decision.options)
        may = decision.side == REPUBLICAN and leads and not position.run
        if is_asked or (may and chits.may_play(position, REPUBLICAN, chits.AGAIN)):
            return Again()
        return None

    def remarks(self, state: State[Any], order: Order) -> tuple[Said, ...]:
        if isinstance(order, Pass):
            return tuple(_of_a_pass(state.position))
        if isinstance(order, Lead):
            return tuple(_of_a_stop(state, order))
        if not isinstance(order, Move | Bombard | Attack | Assault):
            return ()
        return tuple(_remarks(chits.as_played(state.position, order), order))


@CITE.refusal("9.0.1")
def comes_in_its_own_impulse(before: Sequence[Order], order: Order) -> Iterator[Violation]:
    """An impulse written after another would lapse: nobody asks for it in time."""
    if isinstance(order, IMPULSES) and any(isinstance(each, IMPULSES) for each in before):
        yield Violation(
            say("this is a second impulse, and the first one is still under way"),
            hint=say(
                "write later impulses under `impulses:` in `standing:`, or when you are asked"
            ),
        )


@CITE.refusal("15.CR7")
def needs_a_chit(order: Order) -> Iterator[Violation]:
    """Why no impulse can follow one's own."""
    if isinstance(order, Pass):
        yield Violation(say("your impulse is over, and a second one is declined with again: none"))
    else:
        yield Violation(say("your impulse is over, and only the chit CR7 gives you a second one"))


@CITE.serves("9.0.2")
def _of_a_pass(position: Position) -> Iterator[Said]:
    """9.0.2: what a pass gives away while units of the side may still be activated."""
    side = position.active
    ready = ready_stacks(position, side)
    if not ready:
        return
    if position.run:
        yield say_many(
            "run", "it gives away the {run} impulse left to you before the enemy's (9.0.2)",
            "it gives away the {run} impulses left to you before the enemy's (9.0.2)",
            run=position.run,
        )  # fmt: skip
    if position.passes + 1 >= BOTH_PASS or passes_unasked(position, ENEMY[side]):
        places = position.board.graph.in_order(ready)
        yield say(
            "the impulses of this turn end with it, and your fresh units in {places} have not "
            "acted (9.0.2)",
            places=tuple(map(position.called, places)),
        )


@CITE.serves("9.5.g")
def _of_a_stop(state: State[Any], order: Lead) -> Iterator[Said]:
    """9.5.g: units of an assault that is stopped are spent for nothing."""
    stage: Any = state.agenda[-1]
    if not order.point:
        names = tuple(state.position.unit(unit).name for unit in stage.units)
        yield say_many(
            "names", "{names} does not attack, and is spent (9.5.g)",
            "{names} do not attack, and are spent (9.5.g)", names=names,
        )  # fmt: skip


def _remarks(position: Position, order: Move | Bombard | Attack | Assault) -> Iterator[Said]:
    cost = price(position, order)
    if cost:
        left = position.support[position.active] - cost
        yield say_many(
            "cost", "it costs {cost} support point, which leaves {left}",
            "it costs {cost} support points, which leaves {left}", cost=cost, left=left,
        )  # fmt: skip
    if isinstance(order, Move | Assault):
        yield from _of_a_path(position, order)
    if isinstance(order, Attack | Assault):
        yield from _of_a_combat(position, order)
    if isinstance(order, Bombard):
        yield shelling_told(position, order)


def _of_a_path(position: Position, order: Move | Assault) -> Iterator[Said]:
    """9.2: the movement points, and which enemies may fire."""
    side = position.side_of(order.units[0])
    yield path_told(position, order.units, order.path)
    if "CN3" in chits.kinds_of(position, order.chits):
        return
    is_assault = isinstance(order, Assault)
    for there in areas_that_fire(position, order.units, order.path, is_assault=is_assault):
        strength = fire_strength(position, ENEMY[side], there)
        point = position.unit(order.point or order.units[0])
        yield (
            say(
                "the enemy in {there} may fire with strength {strength} at {point}, "
                "defence {defence}",
                there=position.called(there),
                strength=strength,
                point=point.name,
                defence=point.fresh.defence,
            )
        )


def _of_a_combat(position: Position, order: Attack | Assault) -> Iterator[Said]:
    """9.4: who tests morale, the attack value, and the intensity with and without a counter-attack.

    All as they are before anyone is fired at or tests.
    """
    side, area = position.side_of(order.units[0]), area_of(position, order)
    kinds = chits.kinds_of(position, order.chits)
    fight = Fight(
        side, area, order.units, order.point, tanks="CR3" in kinds,
        is_assault=isinstance(order, Assault), surprise="CN3" in kinds, stampede="CN8" in kinds,
    )  # fmt: skip
    there = _arrived(position, order)
    is_fired_at = isinstance(order, Assault) and not fight.surprise and any(
        areas_that_fire(position, order.units, order.path, is_assault=True)
    )  # fmt: skip
    tests = tested_in_combat(there, side, area, is_stampede=fight.stampede)
    if tests:
        modifier = total(test_modifiers(there, area))
        yield say(
            "{names} must test morale first, at {modifier}",
            names=names_of(there, tests),
            modifier=format(modifier, "+d"),
        )
    may = may_counterattack(there, fight)
    level = intensity(there, fight)
    most = intensity(there, fight.but(counterattack=may))
    told = say(
        "the attack value is {value} and the intensity {level}",
        value=attack_value(there, fight), level=level,
    )  # fmt: skip
    if may:
        text = marked("{told}, or {most} if all units that can counter-attack do")
        if chits.may_play(there, fight.enemy, chits.OF_FIRE):
            text = marked(
                "{told}, or {most} if all units that can counter-attack do ({tanks} with Tanks!)"
            )
        tanks = most + there.board.charts["chits"]["tanks"]
        told = say(text, told=told, most=most, tanks=tanks)
    if tests or is_fired_at:
        told = say("{told}; units that leave before the dice change these", told=told)
    yield told


def _arrived(position: Position, order: Attack | Assault) -> Position:
    """The position in which the combat begins if nobody fires at an assault.

    Its units may raise morale on their way, by leaving an area of the city (3.4.1.d).
    """
    story = Story(position)
    for here, there in pairwise(order.path if isinstance(order, Assault) else ()):
        story.happen(UnitsMoved(order.units, here, there))
        story.settle()
    return story.position


COUNSEL: Advice = Counsel()

"""What `pbem check` says about a legal order: its cost, and which enemy units may fire at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from pbem.board.ledger import total
from pbem.engine.advice import NoAdvice
from pbem.engine.model import Order, Side, State, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.events import UnitsMoved
from pbem.games.madrid.orders import Assault, Attack, Bombard, Move, Pass, Play
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.bombardment import attacker_names_point, gun_modifier
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
from pbem.games.madrid.rules.movement import areas_that_fire, costs, speed
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.rules.units import price
from pbem.games.madrid.stages.impulse import GoingOn
from pbem.games.madrid.tables import ENEMY
from pbem.messages import say
from pbem.words import listing

IMPULSES = (Move, Bombard, Attack, Assault, Play, Pass)


class Counsel(NoAdvice):
    """The capability: advice on each order. A second impulse in one file is refused."""

    def foreseen(
        self, state: State[Any], side: Side, order: Order, before: Sequence[Order]
    ) -> tuple[tuple[Violation, ...], tuple[str, ...]]:
        return tuple(comes_in_its_own_impulse(before, order)), ()

    def why_not_now(self, state: State[Any], order: Order) -> Violation | None:
        is_over = isinstance(state.agenda[-1], GoingOn) and isinstance(order, IMPULSES)
        return next(needs_a_chit(order), None) if is_over else None

    def remarks(self, state: State[Any], order: Order) -> tuple[str, ...]:
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


def _remarks(position: Position, order: Move | Bombard | Attack | Assault) -> Iterator[str]:
    cost = price(position, order)
    if cost:
        left = position.support[position.active] - cost
        yield f"it costs {cost} support point{'s' if cost > 1 else ''}, which leaves {left}"
    if isinstance(order, Move | Assault):
        yield from _of_a_path(position, order)
    if isinstance(order, Attack | Assault):
        yield from _of_a_combat(position, order)
    if isinstance(order, Bombard):
        yield from _of_a_bombardment(position, order)


def _of_a_path(position: Position, order: Move | Assault) -> Iterator[str]:
    """9.2: the movement points, and which enemies may fire."""
    side = position.side_of(order.units[0])
    needed = costs(position, order.units, order.path)
    sums = " + ".join(map(str, needed))
    yield f"it costs {sums} of {speed(position, order.units)} movement points"
    if "CN3" in chits.kinds_of(position, order.chits):
        return
    is_assault = isinstance(order, Assault)
    for there in areas_that_fire(position, order.units, order.path, is_assault=is_assault):
        strength = fire_strength(position, ENEMY[side], there)
        point = position.unit(order.point or order.units[0])
        yield (
            f"the enemy in {position.called(there)} may fire with strength {strength} "
            f"at {point.name}, defence {point.fresh.defence}"
        )


def _of_a_combat(position: Position, order: Attack | Assault) -> Iterator[str]:
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
        yield f"{names_of(there, tests)} must test morale first, at {modifier:+d}"
    may = may_counterattack(there, fight)
    level = intensity(there, fight)
    most = intensity(there, fight.but(counterattack=may))
    told = f"the attack value is {attack_value(there, fight)} and the intensity {level}"
    if may:
        told += f", or {most} if all units that can counter-attack do"
        if chits.may_play(there, fight.enemy, chits.OF_FIRE):
            told += f" ({most + there.board.charts['chits']['tanks']} with Tanks!)"
    yield told + ("; units that leave before the dice change these" if tests or is_fired_at else "")


def _arrived(position: Position, order: Attack | Assault) -> Position:
    """The position in which the combat begins if nobody fires at an assault.

    Its units may raise morale on their way, by leaving an area of the city (3.4.1.d).
    """
    story = Story(position)
    for here, there in pairwise(order.path if isinstance(order, Assault) else ()):
        story.happen(UnitsMoved(order.units, here, there))
        story.settle()
    return story.position


def _of_a_bombardment(position: Position, order: Bombard) -> Iterator[str]:
    """9.3: the modifier of the dice, and the defence they must beat."""
    side = position.side_of(order.guns[0])
    dice = "the best two of 3D6" if position.places[order.guns[0]] == order.target else "2D6"
    defence = position.terrain(order.target)
    there = position.units_at(order.target, ENEMY[side])
    if attacker_names_point(position, order.target):
        against = str(defence + position.face(order.point).defence)
    else:
        values = sorted({defence + position.face(unit).defence for unit in there})
        against = listing(values, "or")
    yield f"{dice} + {gun_modifier(position, len(order.guns))} against {against}"


COUNSEL = Counsel()

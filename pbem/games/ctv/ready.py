"""Attacks that could be ordered once the movement is over: what a form shows ready."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest

from pbem.engine import kernel
from pbem.engine.advice import ReadyAttack
from pbem.engine.choices import every
from pbem.engine.model import Decision, Side, State
from pbem.games.ctv import practice
from pbem.games.ctv.odds import CombatOdds, uncounted
from pbem.games.ctv.orders import NONE, Attack, Done, Following
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import combat
from pbem.games.ctv.stages.combat import BreakingThrough, Entering
from pbem.games.ctv.stages.movement import Marching
from pbem.value import replace

TRIED, SHOWN = 6, 3
"""The number of attacks whose odds are counted, those of the best ratio of strengths, and of them
the number that is shown.
"""


def ready(state: State[Position], decision: Decision) -> Sequence[ReadyAttack]:
    """The attacks with the best odds, as the units stand (engine/advice.py), each with all that
    may be said of it: nothing is asked after the dice. None is shown that cannot win.
    """
    stage, done = state.agenda[-1], Done()
    if not isinstance(stage, Marching):
        return ()  # a question for attacks shows them itself
    after = kernel.submit(state, done).state
    best = nlargest(TRIED, _attacks(after), key=lambda attack: _ratio(after.position, attack))
    found = (_whole(after, attack) for attack in best)
    able = [
        replace(each, orders=(done, *each.orders))
        for each in found
        if each.chances.won_by(stage.side)
    ]
    return nlargest(SHOWN, able, key=lambda each: _promise(each, stage.side))


def _whole(state: State[Position], attack: Attack) -> ReadyAttack:
    """An attack with losses and advance, and with support unless it wins in any case."""
    side = state.position.active
    position = state.position.seen(side)
    units = [unit for those in attack.units.values() for unit in those]
    ground = practice.Ground(position, side)
    attack = replace(
        attack,
        support=NONE,
        losses=combat.ranked(position, None, units),
        advance=Following(practice.going_in(position, attack.hex, units), attack.hex),
        breakthrough=practice.through(ground, attack.hex, units),
    )
    attack = as_far_as_they_may(position, side, attack)
    chances = CombatOdds().of(state, attack, briefly=True)
    support = practice.backing(position, side, attack.hex, units)
    is_sure = chances.won_by(side) == chances.ways and attack.hex not in position.covers
    if not is_sure and (support.air or support.hq):
        attack = replace(attack, support=support)
        chances = CombatOdds().of(state, attack, briefly=True)
    left_out = [each.told for each in uncounted(len(position.covers.get(attack.hex, ())))]
    return ReadyAttack((attack,), chances, *left_out)


def as_far_as_they_may(position: Position, side: Side, attack: Attack) -> Attack:
    """The attack with those alone who may advance, and no farther than they may."""
    after = combat.emptied(position, attack)
    assert isinstance(attack.breakthrough, Mapping) and isinstance(attack.advance, Following)
    far = BreakingThrough(side).as_far(after, attack.breakthrough.items()).paths
    going = Entering(side).as_many(after, attack.advance.units).units
    return replace(
        attack, breakthrough=far or NONE, advance=Following(going, attack.hex) if going else NONE
    )


def _attacks(state: State[Position]) -> Iterator[Attack]:
    asked = kernel.waits_for(state)
    for option in asked.options if isinstance(asked, Decision) else ():
        for example in option.examples(every) if option.examples else ():
            if isinstance(example.order, Attack):
                yield example.order


def _ratio(position: Position, attack: Attack) -> float:
    theirs = combat.defence_strength(position, attack.hex)
    return combat.attack_strength(position, attack.units) / theirs


def _promise(ready: ReadyAttack, side: Side) -> float:
    """The share of the results that win."""
    return ready.chances.won_by(side) / ready.chances.ways

"""Attacks that could be ordered once the movement is over: what a form shows ready."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest

from pbem.engine import kernel
from pbem.engine.advice import ReadyAttack
from pbem.engine.choices import every
from pbem.engine.model import Decision, Side, State
from pbem.games.ctv.odds import CombatOdds
from pbem.games.ctv.orders import Attack, Done
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import combat
from pbem.games.ctv.stages.movement import Marching

TRIED, SHOWN = 6, 3
"""The number of attacks whose odds are counted, those of the best ratio of strengths, and of them
the number that is shown.
"""


def ready(state: State[Position], decision: Decision) -> Sequence[ReadyAttack]:
    """The attacks with the best odds, as the units stand (engine/advice.py)."""
    stage, done = state.agenda[-1], Done()
    if not isinstance(stage, Marching):
        return ()  # a question for attacks shows them itself
    after = kernel.submit(state, done).state
    best = nlargest(TRIED, _attacks(after), key=lambda attack: _ratio(after.position, attack))
    found = [ReadyAttack((done, attack), CombatOdds().of(after, attack)) for attack in best]
    return nlargest(SHOWN, found, key=lambda each: _promise(each, stage.side))


def _attacks(state: State[Position]) -> Iterator[Attack]:
    asked = kernel.waits_for(state)
    for option in asked.options if isinstance(asked, Decision) else ():
        for example in option.examples(every) if option.examples else ():
            if isinstance(example.order, Attack):
                yield example.order


def _ratio(position: Position, attack: Attack) -> float:
    theirs = combat.defence_strength(position, attack.hex)
    return combat.attack_strength(position, attack.units) / max(theirs, 1)


def _promise(ready: ReadyAttack, side: Side) -> float:
    """The share of the results that win."""
    return ready.chances.won_by(side) / ready.chances.ways

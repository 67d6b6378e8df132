"""Remarks on an attack that may not cost or bring what its author thinks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import STACKING_LIMIT, Position
from pbem.games.crusade.rules.attack import idle_in_ranking
from pbem.games.crusade.rules.losses import first_duty_rule, overruled
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.messages import Said, either, say


def of_an_attack(position: Position, stage: Any, order: Attack) -> Iterator[Said]:
    """Its ranking of losses, and its plan of advance."""
    if not isinstance(stage, Combats):
        return
    idle = idle_in_ranking(position, order)
    if idle:
        yield say("losses: no attacker matches {words}, so that is skipped", words=either(idle))
    combat, _ = stage.committed(position, order)
    first = overruled(position, combat)
    if first:
        units = tuple(first)
        yield say(
            "losses: the first loss falls on {units} whatever the ranking says ({rule})",
            units=units,
            rule=first_duty_rule(position, combat),
        )
    yield from _of_a_crowd(position, stage, order)


def _of_a_crowd(position: Position, stage: Combats, order: Attack) -> Iterator[Said]:
    """9.1.1: a plan may name more units than there is room for; the last of them stay."""
    plan = order.advance
    if plan is None or not plan.to:
        return
    space = plan.to[-1]
    there = [unit for unit in position.units_in(space, stage.side) if unit not in plan.units]
    room = max(0, STACKING_LIMIT - len(there))
    if len(plan.units) > room:
        yield (
            say(
                "advance: of {number} named, {space} has room for {room}; the last ones stay "
                "behind unless others are lost (9.1.1)",
                space=position.space(space).name,
                room=room,
                number=len(plan.units),
            )
        )

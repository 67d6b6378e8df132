"""9.4.1.C3, 9.4.1.C6: the checks of an answer to an attack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pbem.engine.mentions import in_turn
from pbem.engine.model import Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Defend
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits, combat
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.rules.retreat import names_of
from pbem.messages import say


class Answering(Protocol):
    """A stage that answers an attack."""

    @property
    def fight(self) -> Fight: ...


@CITE.refusal("9.4.1.C3")
def counterattacks_with_fresh_units(
    stage: Answering, position: Position, order: Defend
) -> Iterator[Violation]:
    may = combat.may_counterattack(position, stage.fight)
    for at, unit, is_again in in_turn(order.counterattack):
        if unit not in may or is_again:
            message = say("{unit} cannot counter-attack", unit=position.called(unit))
            if stage.fight.surprise:
                message = say("no unit can counter-attack: the attack is a surprise")
            hint = (
                say("units that can: {names}", names=names_of(position, may))
                if may
                else say("no unit can")
            )
            rule = "15.CN3" if stage.fight.surprise else ""
            yield Violation(message, ("counterattack", at), rule=rule, hint=hint)


@CITE.refusal("9.4.1.C6")
def leads_with_the_best_class(
    stage: Answering, position: Position, order: Defend
) -> Iterator[Violation]:
    may = combat.may_lead(position, stage.fight, order.counterattack)
    if order.point not in may:
        message = (
            say("{point} cannot be the point unit", point=position.called(order.point))
            if order.point
            else say("name a point unit")
        )
        yield Violation(
            message, ("point",), hint=say("name one of {names}", names=names_of(position, may))
        )


@CITE.refusal("15.CN12")
def is_led_well(stage: Answering, position: Position, order: Defend) -> Iterator[Violation]:
    yield from chits.leader_fault(position, order.chits, order.point)

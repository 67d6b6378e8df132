"""9.5: defensive fire."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Lead
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import KnowsUnits
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.rules.units import strength_of
from pbem.messages import say

TRIO = 3


@CITE.rule("9.5.b")
def fire_strength(position: Position, side: Side, area: str) -> int:
    """The factors of all fresh units with 1 or more, plus 1 for every three fresh ones with 0."""
    # reading: units with none of this still fire, by the dice alone.
    fresh = [unit for unit in position.units_at(area, side) if position.is_fresh(unit)]
    factors = [strength_of(position, unit) for unit in fresh]
    return sum(factors) + factors.count(0) // TRIO


@CITE.rule("9.5.d")
def fire_losses(rolled: int, strength: int, defence: int) -> int:
    """The loss points: dice plus strength minus the point unit's defence, without terrain."""
    return max(0, rolled + strength - defence)


@CITE.refusal("9.5.g")
def leads_with_a_fresh_unit(
    stage: KnowsUnits, position: Position, order: Lead
) -> Iterator[Violation]:
    if order.point and order.point not in stage.units:
        message = say("{point} cannot lead the assault", point=position.called(order.point))
        hint = say(
            "name one of {names}, or leave point out to stop", names=names_of(position, stage.units)
        )
        yield Violation(message, ("point",), hint=hint)

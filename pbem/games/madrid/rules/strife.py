"""15.CN6: strife between communists and anarchists."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import GROUPS, Assault, Attack, Bombard, Keep, Move
from pbem.games.madrid.position import STRIFE, Position
from pbem.games.madrid.rules.asks import KnowsUnits
from pbem.games.madrid.rules.units import Activating, units_of
from pbem.games.madrid.tables import REPUBLICAN
from pbem.messages import say
from pbem.value import replace

ANARCHISTS, COMMUNISTS = GROUPS
DIVIDES = 4
"""The lowest die that divides them."""
GROUP_OF = {
    "anarchist": ANARCHISTS, "communist": COMMUNISTS, "international_brigade": COMMUNISTS,
}  # fmt: skip


def group_of(position: Position, unit: str) -> str:
    """The group of a unit; empty for one in neither."""
    return GROUP_OF.get(position.unit(unit).faction, "")


@CITE.serves("15.CN6")
def may_fall_out(position: Position, side: Side, order: Activating) -> bool:
    """Whether a Republican order activates units of both groups while there is strife."""
    groups = {group_of(position, unit) for unit in units_of(order)}
    return STRIFE in position.facts and side == REPUBLICAN and set(GROUPS) <= groups


@CITE.rule("15.CN6")
def divided(position: Position, order: Activating, kept: str, point: str) -> Activating:
    """The order without the units of the other group, which stay fresh."""
    # reading: the costs are those of the order as it was given.
    left = tuple(unit for unit in units_of(order) if group_of(position, unit) in ("", kept))
    lead = point or (order.point if order.point in left else left[0])
    if isinstance(order, Bombard):
        return replace(order, guns=left)
    assert isinstance(order, Move | Attack | Assault)
    return replace(order, units=left, point=lead)


@CITE.refusal("15.CN6")
def keeps_a_group(stage: KnowsUnits, position: Position, order: Keep) -> Iterator[Violation]:
    if order.group not in GROUPS:
        hint = say(
            "write {anarchists} or {communists}", anarchists=ANARCHISTS, communists=COMMUNISTS
        )
        yield Violation(say("choose the group that still acts"), ("group",), hint=hint)
    elif order.point:
        is_there = order.point in stage.units
        if not is_there or group_of(position, order.point) not in ("", order.group):
            message = say("{point} would not act then", point=position.called(order.point))
            yield Violation(message, ("point",), hint=say("name a unit that would still act"))

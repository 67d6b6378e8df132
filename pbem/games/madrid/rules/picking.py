"""15.CR5, 15.CN5, 15.CN11: which units a chit turns."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Pick
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import Picking
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.tables import REPUBLICAN
from pbem.messages import all_of, say, say_many


@CITE.rule("15.CR5")
def may_turn_fresh(position: Position, side: Side) -> tuple[str, ...]:
    """The spent units of a side, wherever they are; one that leaves the map no longer counts."""
    spent = position.board.in_order(position.spent)
    return tuple(unit for unit in spent if position.side_of(unit) == side)


@CITE.rule("15.CN5")
def may_be_spent(position: Position, area: str) -> tuple[str, ...]:
    """The fresh Republican units of an area, from which the Nationalists choose."""
    there = position.units_at(area, REPUBLICAN)
    return tuple(unit for unit in there if position.is_fresh(unit))


@CITE.refusal("15.CR5")
def picks_so_many(stage: Picking, position: Position, order: Pick) -> Iterator[Violation]:
    for at, unit, is_again in in_turn(order.units):
        if unit not in stage.units or is_again:
            hint = say(
                "name {count} of {names}", count=stage.count,
                names=all_of(names_of(position, stage.units)),
            )  # fmt: skip
            message = say("{unit} cannot be picked", unit=position.called(unit))
            yield Violation(message, ("units", at), rule=stage.rule, hint=hint)
    if len(order.units) != stage.count:
        hint = say(
            "name {count} of {names}", count=stage.count,
            names=all_of(names_of(position, stage.units)),
        )  # fmt: skip
        message = say_many(
            "number",
            "{number} unit is named, and {count} must be",
            "{number} units are named, and {count} must be",
            number=len(order.units),
            count=stage.count,
        )
        yield Violation(message, ("units",), rule=stage.rule, hint=hint)

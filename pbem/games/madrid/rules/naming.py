"""9.3.d: the checks of a point unit that player B names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Name
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.retreat import names_of
from pbem.messages import say


class Shelled(Protocol):
    """A stage of a bombardment."""

    @property
    def side(self) -> Side: ...
    @property
    def shelling(self) -> Any: ...


@CITE.refusal("9.3.d")
def names_one_of_those(stage: Shelled, position: Position, order: Name) -> Iterator[Violation]:
    there = position.units_at(stage.shelling.area, stage.side)
    if order.point not in there:
        area = position.called(stage.shelling.area)
        message = say(
            "{point} is not one of your units in {area}",
            point=position.called(order.point),
            area=area,
        )
        yield Violation(
            message, ("point",), hint=say("name one of {names}", names=names_of(position, there))
        )


@CITE.refusal("15.CN12")
def is_led_well(stage: Shelled, position: Position, order: Name) -> Iterator[Violation]:
    yield from chits.leader_fault(position, order.chits, order.point)

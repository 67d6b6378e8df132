"""15.2.2 and 15.2.3: filling the Reserve after the first corps, and converting militia."""

from __future__ import annotations

from pbem.engine.choices import OneOf
from pbem.engine.model import Decision, Option, Order, Outcome, PlayerStage, Side
from pbem.engine.rules import by_verb, checks
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, Militarize, Withdraw
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.mobilization import (
    division_helps_the_reserve,
    militia_may_be_converted,
    militia_to_convert,
    regulars_in_the_box,
    withdrawable,
)
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN
from pbem.messages import say
from pbem.value import replace, value


@value
@CITE.rule("15.2.2")
class ReserveCheck(PlayerStage[Position]):
    """The sides fill their Reserves by turns, Nationalists first, as far as they can."""

    next: Side = NATIONALIST

    def mover(self, position: Position) -> Side | None:
        sides = (self.next, ENEMY[self.next])
        return next((side for side in sides if withdrawable(position, side)), None)

    def ask(self, position: Position) -> Decision | None:
        side = self.mover(position)
        if side is None:
            return None
        units = withdrawable(position, side)
        return Decision(
            side=side,
            stage="reserve",
            prompt=say("withdraw a division from the map to the Reserve, which has too few"),
            rule="15.2.2.2",
            options=(Option(Withdraw, {"unit": OneOf(units)}),),
            default=Withdraw(units[0]),
        )

    check = checks((division_helps_the_reserve,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Withdraw)
        after = ENEMY[position.side_of(order.unit)]
        return Outcome((e.UnitSentToReserve(order.unit),), keep=replace(self, next=after))

    def units_in_question(self, position: Position) -> tuple[str, ...]:
        """The units that a name in an order can mean now."""
        side = self.mover(position)
        return withdrawable(position, side) if side else ()


@value
class Militarization(PlayerStage[Position]):
    """15.2.3: militia become Popular Army divisions one by one."""

    left: int

    def ask(self, position: Position) -> Decision | None:
        units = militia_to_convert(position)
        if self.left < 1 or not units or not regulars_in_the_box(position):
            return None
        return Decision(
            side=REPUBLICAN,
            stage="militarization",
            prompt=say("turn militia into regulars ({left} at most), or say done", left=self.left),
            rule="15.2.3",
            options=(Option(Militarize, {"unit": OneOf(units)}), Option(Done, {})),
            default=Done(),
            optional=True,
        )

    check = by_verb({Militarize: checks((militia_may_be_converted,)), Done: checks()})

    def resolve(self, position: Position, order: Order) -> Outcome:
        if not isinstance(order, Militarize):
            return Outcome()
        regulars = regulars_in_the_box(position)[0]
        converted = rare.MilitiaConverted(order.unit, regulars)
        return Outcome((converted,), keep=replace(self, left=self.left - 1))

    def units_in_question(self, position: Position) -> tuple[str, ...]:
        """The units that a name in an order can mean now."""
        return militia_to_convert(position)

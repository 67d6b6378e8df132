"""19.5.5.1: losses of both armies by one die, before Republican Collapse begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import Losses
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.initial_losses import (
    amount_owed,
    losers,
    losses_are_met_by_full_units,
    some_losses,
    worth,
)
from pbem.games.crusade.tables import ENEMY, PEOPLE
from pbem.messages import say, say_many
from pbem.value import value

DIE = "attrition/#/die/1"


@value
class AttritionRoll(s.ChanceStage[Position]):
    """One die for both sides. `losses` is the table by its faces; `first` takes them first."""

    roller: s.Side
    first: s.Side
    losses: tuple[int, ...]
    rule: str

    def chance(self, position: Position) -> s.Chance:
        draw = s.Draw(
            DIE,
            say("losses of both sides, rolled by the {side} side", side=say(PEOPLE[self.roller])),
        )
        return s.Chance("attrition of the long war", self.rule, (draw,))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        die = rolled[DIE].face
        number = self.losses[die - 1]
        sides = (self.first, ENEMY[self.first])
        return s.Outcome(
            (rare.WearRolled(die, number),),
            then=tuple(InitialLosses(side, number, self.rule) for side in sides),
        )


@value
class InitialLosses(s.PlayerStage[Position]):
    """A side reduces full units."""

    side: s.Side
    number: int
    rule: str

    def ask(self, position: Position) -> s.Decision | None:
        owed = amount_owed(position, self.side, self.number)
        if not owed:
            return None
        units = losers(position, self.side)
        ways = partial(_examples, position, units, owed)
        return s.Decision(
            side=self.side,
            stage="losses before the first turn",
            prompt=say_many(
                "owed",
                "take {owed} loss by reducing a full unit",
                "take {owed} losses by reducing full units",
                owed=owed,
            ),
            rule=self.rule,
            options=(s.Option(Losses, examples=ways),),
            default=Losses(some_losses(position, units, owed)),
            policy="losses",
        )

    check = s.checks((losses_are_met_by_full_units,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Losses)
        return s.Outcome(tuple(e.UnitReduced(unit) for unit in order.steps))

    def units_in_question(self, position: Position) -> tuple[str, ...]:
        """The units that a name in an order can mean now."""
        return losers(position, self.side)


def _examples(
    position: Position, units: tuple[str, ...], owed: int, some: s.Some
) -> Iterator[s.Example]:
    """The units by the losses each covers, and a way to take all losses with one of them."""
    by_worth: dict[int, list[str]] = {}
    for unit in units:
        by_worth.setdefault(worth(position, (unit,)), []).append(unit)
    for each, them in sorted(by_worth.items()):
        for first in tuple(some(them))[:1]:
            steps = some_losses(position, [first, *(u for u in units if u != first)], owed)
            if first in steps:
                yield s.Example(
                    Losses(steps), say("{each} each: {them}", each=each, them=", ".join(them))
                )

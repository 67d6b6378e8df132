"""Dice of ten faces, and stages of chance that may have nothing to roll."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import AutoStage, ChanceStage, Order, Outcome, Violation
from pbem.games.nopasaran.position import Position
from pbem.value import value

FACES = 10


def nothing(stage: object, position: Position, order: Order) -> Iterator[Violation]:
    """For an order that cannot be wrong."""
    return iter(())


@value
class IfRolled(AutoStage[Position]):
    """A stage of chance that may have nothing to roll: then it waits for no dice."""

    stage: ChanceStage[Position]

    def run(self, position: Position) -> Outcome:
        if self.stage.chance(position).draws:
            return Outcome(then=(self.stage,))
        return self.stage.resolve(position, {})

"""Dice of ten faces, and stages of chance that may have nothing to roll."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.dice import Draw
from pbem.engine.model import AutoStage, ChanceStage, Order, Outcome, Violation
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Position
from pbem.messages import Said
from pbem.value import value

FACES = 10


@CITE.rule("2.7")
def ten_sided(label: str, purpose: Said) -> Draw:
    """A die of the game: it has ten faces, and its 0 is a 10."""
    return Draw(label, purpose, FACES)


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

"""18.3.1: of a force that withdraws and would be lost whole, one unit survives."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.choices import OneOf
from pbem.engine.model import Decision, Option, Order, Outcome, Unfolding, Violation
from pbem.engine.rules import checks
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Spare
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.losses import fight_of, is_owing, settled
from pbem.games.crusade.rules.options_combat import possible_survivors
from pbem.games.crusade.stages.combat.losses import suffer
from pbem.games.crusade.stages.combat.step import Question
from pbem.value import value


@CITE.check("18.3.1")
def may_survive(stage: object, position: Position, order: Spare) -> Iterator[Violation]:
    """A unit of the force, neither of the Army of Africa nor armor."""
    could = possible_survivors(position, position.fought)
    if order.unit not in could:
        yield Violation(
            f"{order.unit} cannot be the one that survives", at=("unit",), hint=", ".join(could)
        )


@value
class Survivor(Question):
    """The defender names the unit, if several could be it: only then losses are still owed."""

    def arises(self, position: Position, combat: Combat) -> bool:
        return is_owing(combat, self.side)

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        could = possible_survivors(position, combat)
        return Decision(
            side=self.side,
            stage="survivor",
            prompt=f"name the unit that survives in {position.space(combat.space).name}",
            rule="18.3.1",
            options=(Option(Spare, {"unit": OneOf(could)}),),
            default=Spare(could[0]),
            policy="spare",
        )

    check = checks((may_survive,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Spare)
        combat = position.fought
        fight = fight_of(position, combat, self.side)
        allocation = settled(position, combat, self.side, fight)
        assert allocation is not None
        story: Unfolding[Position] = Unfolding(position)
        suffer(story, self.side, allocation, order.unit)
        return story.outcome()

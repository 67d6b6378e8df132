"""11.4.3: defenders stay because of a card, or by paying a step."""

from __future__ import annotations

from pbem.engine.choices import OneOf
from pbem.engine.model import Decision, Option, Order, Outcome, Unfolding
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import CancelRetreat
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.combat import has_to_retreat
from pbem.games.crusade.rules.options_combat import steps_to_stay
from pbem.games.crusade.rules.retreat import pay_to_stay, payers, payers_in_order
from pbem.games.crusade.rules.retreat_checks import CANCEL_CHECKS
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.messages import say
from pbem.value import replace, value


@value
class Staying(Step):
    """A card may let the defender stay without a price; a withdrawal goes on all the same."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        if combat.withdrawal or not has_to_retreat(story.position, combat):
            return story.outcome()
        if cards.retreat_is_cancelled(story.position, combat):
            story.happen(e.RetreatCancelled(combat.space, ""), e.CombatEnded())
        elif payers(story.position, combat):
            return story.outcome(then=(StandFast(combat.defender),))
        return story.outcome()


@value
class StandFast(Question):
    """The defender may pay a step to cancel the retreat.

    The unit that loses least pays the rest of a price by default.

    `before` is the position when the first of two steps was paid (18.2.9).
    """

    before: Position | None = None

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        could = payers(position, combat)
        return Decision(
            side=self.side,
            stage="cancel retreat",
            prompt=say(
                "choose a unit to pay for staying in {space}, or none",
                space=position.space(combat.space).name,
            ),
            rule="11.4.3",
            options=(Option(CancelRetreat, {"by": OneOf(could if combat.paid else ("", *could))}),),
            default=CancelRetreat(payers_in_order(position, combat, ())[0] if combat.paid else ""),
            policy="cancel_retreat",
        )

    check = checks(*CANCEL_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, CancelRetreat)
        if not order.by:
            return Outcome()
        story: Unfolding[Position] = Unfolding(position)
        story.happen(e.RetreatCancelled(position.fought.space, order.by))
        pay_to_stay(story, position.fought, order.by, order.successor)
        if steps_to_stay(position, position.fought) > 1:
            return story.outcome(keep=replace(self, before=position))
        story.happen(e.CombatEnded())
        return story.outcome()

"""8.5.3.4: retained cards are used up for the round once it is sure that the combat takes place."""

from __future__ import annotations

from pbem.engine.model import Outcome, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.stages.combat.step import Step
from pbem.value import value


@value
class CardsInUse(Step):
    """Committed cards that came from no hand lay on the table, and serve in this combat."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        for side in (combat.attacker, combat.defender):
            for card in combat.cards_of(side):
                if card not in combat.slots:
                    story.happen(e.RetainedCardUsed(side, card))
        return story.outcome()

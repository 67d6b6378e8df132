"""11.2.9: the winner, and where the committed cards go."""

from __future__ import annotations

from pbem.engine.model import Outcome, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.combat import winner
from pbem.games.crusade.rules.combat_cards import put_away
from pbem.games.crusade.stages.combat.step import Step
from pbem.value import value


@value
class Winner(Step):
    """The higher Loss Number wins."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        victor = winner(combat)
        assert combat.by_attacker is not None and combat.by_defender is not None
        story.happen(
            e.CombatDecided(combat.space, victor or "", combat.by_attacker, combat.by_defender)
        )
        put_away(story, combat, victor)
        return story.outcome()

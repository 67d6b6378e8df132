"""11.2: the steps of a combat in order, after its declaration."""

from __future__ import annotations

from functools import cache

from pbem.engine.model import Outcome, Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.stages.combat.advance import Advancing
from pbem.games.crusade.stages.combat.defence import CardsInUse, Defending
from pbem.games.crusade.stages.combat.fire import Firing
from pbem.games.crusade.stages.combat.late_cards import AfterTheDice
from pbem.games.crusade.stages.combat.losses import TakingLosses
from pbem.games.crusade.stages.combat.rally import Rally
from pbem.games.crusade.stages.combat.retreat import Retreating
from pbem.games.crusade.stages.combat.staying import Staying
from pbem.games.crusade.stages.combat.step import Step
from pbem.games.crusade.stages.combat.winner import Winner
from pbem.games.crusade.stages.combat.withdrawal import Withdrawing
from pbem.games.crusade.tables import ENEMY
from pbem.value import value


@CITE.rule("11.2.1")
@cache
def steps(attacker: Side) -> tuple[Step, ...]:
    """The steps after an attack (11.2.2) and the attacker's cards: the same values each time.

    Strengths, modifiers and columns (11.2.3, 11.2.5, 11.2.6) are computed with the dice.
    """
    defender = ENEMY[attacker]
    return (
        Withdrawing(),  # 18.3.1
        Defending(),  # 11.2.4
        CardsInUse(),
        Firing(),  # 11.2.7
        TakingLosses(defender),  # 11.2.8
        TakingLosses(attacker),
        Firing(),  # with R7 the attacker fires only now
        TakingLosses(defender),
        AfterTheDice(),  # Q48
        Winner(),  # 11.2.9
        Rally(),  # R60
        Staying(),  # 11.4.3
        Retreating(),  # 11.2.10
        Advancing(),  # 11.2.11
        Ended(),
    )


@value
class Ended(Step):
    """The combat is over."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        story.happen(e.CombatEnded())
        return story.outcome()

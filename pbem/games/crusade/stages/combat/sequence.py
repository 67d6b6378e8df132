"""11.2: the steps of a combat in their order, from the end of its declaration on."""

from __future__ import annotations

from pbem.engine.model import Outcome, Side, Stage, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.stages.combat.advance import PlannedAdvance, Pursuit
from pbem.games.crusade.stages.combat.defence import DefendersCards
from pbem.games.crusade.stages.combat.fire import Firing
from pbem.games.crusade.stages.combat.late_cards import LateCards
from pbem.games.crusade.stages.combat.losses import Casualties, SettledLosses
from pbem.games.crusade.stages.combat.rally import Rallying, Restored
from pbem.games.crusade.stages.combat.retained import CardsInUse
from pbem.games.crusade.stages.combat.retreat import Retreating
from pbem.games.crusade.stages.combat.staying import KeptByCard, StandFast
from pbem.games.crusade.stages.combat.step import Asked, Step
from pbem.games.crusade.stages.combat.survivor import Survivor
from pbem.games.crusade.stages.combat.winner import Winner
from pbem.games.crusade.stages.combat.withdrawal import Withdrawal
from pbem.games.crusade.tables import ENEMY
from pbem.value import value


@CITE.rule("11.2.1")
def steps(attacker: Side) -> tuple[Stage[Position], ...]:
    """What follows an attack (11.2.2) and the attacker's cards. Strengths, modifiers and columns
    (11.2.3, 11.2.5, 11.2.6) are worked out with the dice."""
    defender = ENEMY[attacker]
    return (
        Asked(Withdrawal(defender)),  # 18.3.1
        Asked(DefendersCards(defender)),  # 11.2.4
        CardsInUse(),
        Firing(),  # 11.2.7
        *losses(defender),  # 11.2.8
        *losses(attacker),
        Firing(),  # with R7 the attacker fires only now
        *losses(defender),
        Asked(LateCards(defender)),  # Q48
        Winner(),  # 11.2.9
        Restored(),  # R60
        Asked(Rallying(defender)),
        KeptByCard(),  # 11.4.3
        Asked(StandFast(defender)),
        Retreating(),  # 11.2.10
        PlannedAdvance(),  # 11.2.11
        Asked(Pursuit(attacker)),
        Ended(),
    )


@CITE.rule("11.2.8")
def losses(side: Side) -> tuple[Stage[Position], ...]:
    """What a side loses: settled as far as possible, else chosen; of all one may be spared."""
    return (SettledLosses(side), Asked(Casualties(side)), Asked(Survivor(side)))


@value
class Ended(Step):
    """The combat is over."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        story.happen(e.CombatEnded())
        return story.outcome()

"""What the questions a combat puts to its defender have in common."""

from __future__ import annotations

from pbem.engine.model import PlayerStage, Side
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.engagement import Combat
from pbem.value import value


@value
class DefenderAsked(PlayerStage[Position]):
    """The defender of a combat is asked something about it."""

    combat: Combat

    @property
    def side(self) -> Side:
        return self.combat.defender

"""What the steps of a combat have in common: nothing comes of them once it is over."""

from __future__ import annotations

from pbem.engine.model import AutoStage, Outcome, PlayerStage, Side, Unfolding
from pbem.games.crusade.position import Combat, Position
from pbem.value import value


@value
class Step(AutoStage[Position]):
    """A step that does what nobody has to be asked for, and puts the question if there is one.

    Once that is put, no card that is opened to answer it takes it back.
    """

    def run(self, position: Position) -> Outcome:
        if position.combat is None:
            return Outcome()
        return self.carried_out(Unfolding(position), position.combat)

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        """What happens in this step of the combat."""
        raise NotImplementedError


@value
class Question(PlayerStage[Position]):
    """A question of a combat to one of its sides."""

    side: Side

"""What the steps of a combat have in common: nothing comes of them once it is over."""

from __future__ import annotations

from pbem.engine.model import AutoStage, Outcome, PlayerStage, Side, Unfolding
from pbem.games.crusade.position import Combat, Position
from pbem.value import value


@value
class Step(AutoStage[Position]):
    """A step in which nobody has to be asked, or that knows whom it has to ask."""

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

    def arises(self, position: Position, combat: Combat) -> bool:
        """Whether there is anything to ask, when its step has come."""
        raise NotImplementedError


@value
class Asked(Step):
    """A question is put if it arises; once it is put, no card that is opened takes it back."""

    question: Question

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        arises = self.question.arises(story.position, combat)
        return Outcome(then=(self.question,) if arises else ())

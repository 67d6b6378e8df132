"""The common base of combat steps: they do nothing once the combat is over."""

from __future__ import annotations

from pbem.engine.choices import Choice, Later, SomeOf
from pbem.engine.model import AutoStage, Decision, Option, Outcome, PlayerStage, Side, Unfolding
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import combat_cards
from pbem.messages import Said
from pbem.value import value


@value
class Step(AutoStage[Position]):
    """A step that does what needs no question, and then asks its question, if any.

    Once asked, a card that is opened to answer the question does not withdraw it.
    """

    def run(self, position: Position) -> Outcome:
        if position.combat is None:
            return Outcome()
        return self.carried_out(Unfolding(position), position.combat)

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        """Carries out this step of the combat."""
        raise NotImplementedError


@value
class Question(PlayerStage[Position]):
    """A question of a combat to one of its sides."""

    side: Side


def for_cards(position: Position, side: Side, prompt: Said, rule: str) -> Decision:
    """Asks a side for the combat cards that it can use now, or none."""

    def playable() -> dict[str, Choice]:
        return {"cards": SomeOf(combat_cards.usable_cards(position, position.fought, side))}

    return Decision(
        side=side,
        stage="combat cards",
        prompt=prompt,
        rule=rule,
        options=(Option(CombatCards, Later(playable)),),
        default=CombatCards(),
        policy="cards",
    )

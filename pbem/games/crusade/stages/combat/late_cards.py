"""Reading Q48, by agreement: cards that affect a retreat are played after the dice."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Decision, Order, Outcome, Side, Unfolding, Violation
from pbem.engine.rules import checks
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import combat_cards
from pbem.games.crusade.rules.combat import is_beaten
from pbem.games.crusade.stages.combat.step import Question, Step, for_cards
from pbem.messages import say
from pbem.value import value


@value
class AfterTheDice(Step):
    """Asks defeated defenders that may hold such a card."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        position, side = story.position, combat.defender
        if not position.option("Q48") or not is_beaten(position, combat):
            return story.outcome()
        may = combat_cards.may_hold_a_card(position, combat, side)
        return story.outcome(then=(LateCards(side),) if may else ())


@CITE.refusal("CC.N14")
def names_no_unit(stage: object, position: Position, order: CombatCards) -> Iterator[Violation]:
    """No card played after the dice names a unit."""
    if order.target:
        yield Violation(say("no card takes a unit now"), at=("target",))


@value
@CITE.serves("8.5.3.1")
class LateCards(Question):
    """The defeated defender commits cards that cancel or ease their retreat, or none."""

    def ask(self, position: Position) -> Decision:
        prompt = say("choose cards to help the beaten units, or none")
        return for_cards(position, self.side, prompt, "8.5.3.1")

    def committed(self, position: Position, order: CombatCards) -> tuple[Combat, Side]:
        """The combat with these cards in addition to those committed before."""
        return position.fought.with_cards(self.side, order.cards), self.side

    check = checks(*combat_cards.CARD_CHECKS, (names_no_unit,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, CombatCards)
        story: Unfolding[Position] = Unfolding(position)
        combat_cards.commit(story, self.side, order.cards)
        return story.outcome()

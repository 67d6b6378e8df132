"""11.2.4: the defender's combat cards, and effects of cards before strengths are counted."""

from __future__ import annotations

from pbem.engine.model import Decision, Order, Outcome, Side, Unfolding
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as effects
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import combat_cards
from pbem.games.crusade.rules.attack import called_off
from pbem.games.crusade.stages.combat.step import Question, Step, for_cards
from pbem.messages import say
from pbem.value import value


@value
class Defending(Step):
    """Asks the defender if they may hold a card for the defence, as far as both players know."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        may = combat_cards.may_hold_a_card(story.position, combat, combat.defender)
        return story.outcome(then=(DefendersCards(combat.defender),) if may else ())


@value
@CITE.serves("8.5.3.1")
class DefendersCards(Question):
    """The defender commits combat cards, knowing those of the attacker."""

    def ask(self, position: Position) -> Decision:
        space = position.space(position.fought.space).name
        prompt = say("choose combat cards to defend {space}", space=space)
        return for_cards(position, self.side, prompt, "11.2.4")

    def committed(self, position: Position, order: CombatCards) -> tuple[Combat, Side]:
        """The combat with the defender's cards, and the side that commits them."""
        return position.fought.with_cards(self.side, order.cards), self.side

    check = checks(*combat_cards.CARD_CHECKS, (combat_cards.target_fits_the_card,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, CombatCards)
        story: Unfolding[Position] = Unfolding(position)
        combat_cards.commit(story, self.side, order.cards)
        _take_effect(story, order.target)
        return story.outcome()


@CITE.serves("card N7", "card N14")
def _take_effect(story: Unfolding[Position], target: str) -> None:
    """Applies cards that call off the attack, or make police defect."""
    combat = story.position.fought
    ending = effects.calls_off(story.position, combat)
    taker = next(
        (card for card in combat.cards if effects.names_a_target(story.position, card)), ""
    )
    if taker and not ending:
        # reading: D22, if no unit is named the first full police in stack order defects.
        defector = target or effects.defectors(story.position, combat)[0]
        story.happen(e.UnitEliminated(defector, for_good=True))
        if not combat.attackers(story.position):
            # reading: Q50, there was then no combat, and others may attack the space.
            ending = taker
            mark = called_off(combat.attacker, story.position, combat.space)
            story.happen(e.TurnMarkSet(mark))
    if ending:
        combat_cards.call_off(story, combat, ending)
        story.happen(e.CombatEnded())


@value
class CardsInUse(Step):
    """8.5.3.4: retained cards are used up for the round once the combat is certain."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        for side in (combat.attacker, combat.defender):
            for card in combat.cards_of(side):
                if card not in combat.slots:
                    story.happen(e.RetainedCardUsed(side, card))
        return story.outcome()

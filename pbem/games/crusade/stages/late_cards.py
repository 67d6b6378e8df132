"""Reading Q48, by agreement: cards that act on a retreat are played after the dice."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.choices import SomeOf
from pbem.engine.model import (
    Decision,
    Option,
    Order,
    Outcome,
    Side,
    Unfolding,
    Violation,
)
from pbem.engine.rules import checks
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import CombatCards
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules import combat_cards
from pbem.games.crusade.rules.combat import winner
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.stages.defender import DefenderAsked
from pbem.value import replace, value


def late_cards_are_due(position: Position, combat: Combat) -> bool:
    """Whether the beaten defender is still to be asked for cards."""
    if combat.late or not position.option("Q48") or winner(combat) != combat.attacker:
        return False
    beaten = combat.defenders(position)
    return bool(beaten) and combat_cards.may_hold_a_card(position, combat, combat.defender)


@CITE.check("CC.N14")
def names_no_unit(stage: object, position: Position, order: CombatCards) -> Iterator[Violation]:
    """After the dice no card takes a unit."""
    if order.target:
        yield Violation("no card takes a unit now", at=("target",))


@value
@CITE.rule("8.5.3.1")
class LateCards(DefenderAsked):
    """The beaten defender commits cards that cancel or ease their retreat, or none."""

    def ask(self, position: Position) -> Decision:
        playable = combat_cards.usable_cards(position, self.combat, self.side)
        return Decision(
            side=self.side,
            stage="combat cards",
            prompt="say which cards help your beaten units, or none",
            rule="8.5.3.1",
            options=(Option(CombatCards, {"cards": SomeOf(playable)}),),
            default=CombatCards(),
            policy="cards",
        )

    def committed(self, position: Position, order: CombatCards) -> tuple[Combat, Side]:
        """The combat with these cards beside those committed before."""
        cards = (*self.combat.defender_cards, *order.cards)
        return replace(self.combat, defender_cards=cards, late=True), self.side

    check = checks(*combat_cards.CARD_CHECKS, (names_no_unit,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        # Imported here because a combat that is concluded asks for these cards.
        from pbem.games.crusade.stages.retreat import conclude

        assert isinstance(order, CombatCards)
        story: Unfolding[Position] = Unfolding(position)
        slots = combat_cards.commit_from_hand(story, self.side, order.cards)
        combat, _ = self.committed(position, order)
        return conclude(story, combat.with_slots(slots))

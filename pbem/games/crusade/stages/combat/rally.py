"""Card R60: the defeated recover a step they lost in this combat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.engine.choices import OneOf
from pbem.engine.model import Decision, Option, Order, Outcome, Unfolding, Violation
from pbem.engine.rules import checks
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import Replace
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.combat import is_beaten
from pbem.games.crusade.rules.stacking import has_to_stand_in
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.late import Late
from pbem.messages import a_few, say
from pbem.value import value

if TYPE_CHECKING:
    from pbem.games.crusade import events_seldom as rare
else:
    rare = Late("pbem.games.crusade.events_seldom")


@CITE.rule("card R60")
def restorable(position: Position, combat: Combat) -> tuple[str, ...]:
    """The defeated units of which one recovers a step."""
    helped = is_beaten(position, combat) and cards.restores_step(position, combat)
    return combat.worn if helped else ()


@value
class Rally(Step):
    """Restores the step, without a question if only one unit can recover it."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        worn = restorable(story.position, combat)
        if len(worn) > 1:
            return story.outcome(then=(Rallying(combat.defender),))
        story.happen(*(rare.UnitRestored(unit) for unit in worn))
        return story.outcome()


@CITE.refusal("card R60")
def lost_a_step_here(stage: object, position: Position, order: Replace) -> Iterator[Violation]:
    """The step goes to a defender that lost one in this combat, and costs nothing."""
    worn = position.fought.worn
    if order.unit not in worn:
        yield Violation(
            say("{unit} has lost no step in this combat", unit=order.unit),
            at=("unit",),
            hint=a_few(worn),
        )
    else:
        yield from has_to_stand_in(position, order.unit, order.at, "at")
    if order.using:
        yield Violation(say("this step costs no replacement points"), at=("using",))


@value
class Rallying(Question):
    """Asks which of several units recovers its step."""

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        first = min(combat.worn, key=lambda unit: not position.type_of(unit).is_corps)
        return Decision(
            side=self.side,
            stage="organized retreat",
            prompt=say("choose a unit to regain a step"),
            rule="8.5.1.1",
            options=(Option(Replace, {"unit": OneOf(combat.worn)}),),
            default=Replace(first),
            policy="rally",
        )

    check = checks((lost_a_step_here,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Replace)
        return Outcome((rare.UnitRestored(order.unit),))

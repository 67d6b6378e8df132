"""11.2.8: the losses of a side, or, with 18.3.1, of all but one of a withdrawing force."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.engine.choices import OneOf, listed
from pbem.engine.model import Decision, Option, Order, Outcome, Side, Unfolding, Violation
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Losses, Spare
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.allocations import Allocation, LossPool, allocation_of
from pbem.games.crusade.rules.loss_checks import LOSS_CHECKS
from pbem.games.crusade.rules.losses import (
    eliminate_retreated,
    fight_of,
    first_duty_rule,
    is_owing,
    lose,
    overruled,
    settled,
    spared_step,
    who_could_survive,
)
from pbem.games.crusade.rules.options_combat import possible_survivors
from pbem.games.crusade.rules.ranking import ORDER, preferred
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.messages import a_few, say
from pbem.value import value


@value
@CITE.rule("11.2.8")
class TakingLosses(Step):
    """Asks a side for losses, or for the survivor, if that is not settled."""

    side: Side

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        if not is_owing(combat, self.side):
            return story.outcome()
        if self.side == combat.defender:
            eliminate_retreated(story, combat)
        allocation = settled(story.position, combat, self.side)
        if allocation is None:
            return story.outcome(then=(Casualties(self.side),))
        could = who_could_survive(story.position, combat, self.side, allocation)
        if len(could) > 1:
            return story.outcome(then=(Survivor(self.side),))
        suffer(story, self.side, allocation, *could)
        return story.outcome()


@value
@CITE.serves("11.3.2")
class Casualties(Question):
    """11.3: a side chooses which steps meet the Loss Number."""

    def fight(self, position: Position, apart: Collection[str] = ()) -> LossPool:
        return fight_of(position, position.fought, self.side, apart)

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        fight = self.fight(position)
        default = preferred(position, ({ORDER: ()},), fight.best)
        name = position.space(combat.space).name
        return Decision(
            side=self.side,
            stage="losses",
            prompt=say(
                "take a Loss Number of {loss_number} in the combat for {name}",
                loss_number=fight.loss_number,
                name=name,
            ),
            rule="11.2.8",
            options=(Option(Losses, examples=listed([each.order() for each in fight.best])),),
            default=default.order(),
            policy="losses" if self.side == combat.defender else "own_losses",
        )

    check = checks(*LOSS_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Losses)
        story: Unfolding[Position] = Unfolding(position)
        suffer(story, self.side, allocation_of(self.fight(position), order))
        return story.outcome()


@CITE.check("18.3.1/a")
def may_survive(stage: object, position: Position, order: Spare) -> Iterator[Violation]:
    """The survivor is a unit of the force, neither Army of Africa nor armor."""
    could = possible_survivors(position, position.fought)
    if order.unit not in could:
        yield Violation(
            say("{unit} cannot be the survivor", unit=order.unit),
            at=("unit",),
            hint=a_few(could),
        )


@value
class Survivor(Question):
    """18.3.1: the defender spares one unit of a withdrawing force that would be lost."""

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        could = possible_survivors(position, combat)
        return Decision(
            side=self.side,
            stage="survivor",
            prompt=say(
                "name the unit that survives in {space}", space=position.space(combat.space).name
            ),
            rule="18.3.1",
            options=(Option(Spare, {"unit": OneOf(could)}),),
            default=Spare(could[0]),
            policy="spare",
        )

    check = checks((may_survive,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Spare)
        allocation = settled(position, position.fought, self.side)
        assert allocation is not None
        story: Unfolding[Position] = Unfolding(position)
        suffer(story, self.side, allocation, order.unit)
        return story.outcome()


def suffer(
    story: Unfolding[Position], side: Side, allocation: Allocation, survivor: str = ""
) -> None:
    """A side takes its losses; a withdrawing unit may be spared the last step."""
    combat = story.position.fought
    if survivor:
        story.happen(e.UnitSpared(survivor))
        allocation = allocation.with_survivor(survivor, story.position.steps_left(survivor))
    if side == combat.attacker and combat.boost.spares_step:
        allocation = _spare_a_step(story, allocation)
    if side == combat.attacker:
        paying = tuple(u for u in overruled(story.position, combat) if u in allocation.steps)
        if paying:
            story.happen(e.FirstLossOwed(paying, first_duty_rule(story.position, combat)))
    lose(story, allocation)
    lost = allocation.steps if side == combat.defender else ()
    worn = tuple(unit for unit in lost if story.position.place_of(unit) == combat.space)
    story.happen(e.LossesTaken(side, worn))


def _spare_a_step(story: Unfolding[Position], allocation: Allocation) -> Allocation:
    """The losses without their first step, which is reported."""
    unit = spared_step(story.position, allocation)
    if not unit:
        return allocation
    story.happen(e.StepSpared(unit))
    return allocation.without_a_step(unit)

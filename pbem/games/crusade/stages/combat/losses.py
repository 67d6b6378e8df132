"""11.2.8: the losses of a side: those that are settled, and those that have to be chosen."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.choices import listed
from pbem.engine.model import Decision, Option, Order, Outcome, Side, Unfolding
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Losses
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.allocations import Allocation, Fight, allocation_of
from pbem.games.crusade.rules.loss_checks import LOSS_CHECKS
from pbem.games.crusade.rules.losses import (
    eliminate_retreated,
    fight_of,
    is_owing,
    lose,
    overruled,
    settled,
    spared_step,
    who_could_survive,
)
from pbem.games.crusade.rules.ranking import preferred
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.value import value


@value
class SettledLosses(Step):
    """Losses nobody needs to be asked for, neither who dies nor who survives."""

    side: Side

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        if not is_owing(combat, self.side):
            return story.outcome()
        if self.side == combat.defender:
            eliminate_retreated(story, combat)
        fight = fight_of(story.position, combat, self.side)
        allocation = settled(story.position, combat, self.side, fight)
        if allocation is not None:
            could = who_could_survive(story.position, combat, fight, allocation)
            if len(could) < 2:
                suffer(story, self.side, allocation, *could)
        return story.outcome()


@value
@CITE.rule("11.3.2")
class Casualties(Question):
    """11.3: a side chooses which steps meet the Loss Number."""

    def fight(self, position: Position, apart: Collection[str] = ()) -> Fight:
        return fight_of(position, position.fought, self.side, apart)

    def arises(self, position: Position, combat: Combat) -> bool:
        return is_owing(combat, self.side) and (
            settled(position, combat, self.side, self.fight(position)) is None
        )

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        fight = self.fight(position)
        default = preferred(position, (), fight.best)
        name = position.space(combat.space).name
        return Decision(
            side=self.side,
            stage="losses",
            prompt=f"take a Loss Number of {fight.loss_number} in the combat for {name}",
            rule="11.2.8",
            options=(Option(Losses, examples=listed([each.order() for each in fight.best])),),
            default=default.order(),
            policy="losses" if self.side == combat.defender else "",
        )

    check = checks(*LOSS_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Losses)
        story: Unfolding[Position] = Unfolding(position)
        suffer(story, self.side, allocation_of(self.fight(position), order))
        return story.outcome()


def suffer(
    story: Unfolding[Position], side: Side, allocation: Allocation, survivor: str = ""
) -> None:
    """A side takes its losses; a unit of those that withdraw may be spared the last step."""
    combat = story.position.fought
    if survivor:
        story.happen(e.UnitSpared(survivor))
        allocation = allocation.with_survivor(survivor, story.position.steps_left(survivor))
    if side == combat.attacker and combat.boost.spares_step:
        allocation = _spare_a_step(story, allocation)
    if side == combat.attacker:
        paying = tuple(u for u in overruled(story.position, combat) if u in allocation.steps)
        story.happen(*(e.FirstLossOwed(paying),) if paying else ())
    lose(story, allocation)
    lost = allocation.steps if side == combat.defender else ()
    worn = tuple(unit for unit in lost if story.position.place_of(unit) == combat.space)
    story.happen(e.LossesTaken(side, worn))


def _spare_a_step(story: Unfolding[Position], allocation: Allocation) -> Allocation:
    """The losses without their first step, which is told."""
    unit = spared_step(story.position, allocation)
    if not unit:
        return allocation
    story.happen(e.StepSpared(unit))
    return allocation.without_a_step(unit)

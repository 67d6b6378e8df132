"""18.3.1: the defender of a combat may withdraw from it, and one of their units always survives."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.choices import OneOf
from pbem.engine.model import (
    Decision,
    Option,
    Order,
    Outcome,
    Unfolding,
    Violation,
)
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Spare, WithdrawFirst
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.allocations import Allocation, Fight
from pbem.games.crusade.rules.asks import InCombat
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.rules.options_combat import may_withdraw, possible_survivors
from pbem.games.crusade.stages.defender import DefenderAsked
from pbem.value import replace, value


@value
@CITE.rule("18.3.1")
class Withdrawal(DefenderAsked):
    """Before cards and dice the defender says whether they withdraw."""

    def ask(self, position: Position) -> Decision | None:
        if not may_withdraw(position, self.combat):
            return None
        return Decision(
            side=self.side,
            stage="withdrawal",
            prompt=f"say whether you withdraw from {position.space(self.combat.space).name}",
            rule="18.3.1",
            options=(Option(WithdrawFirst, {"declared": OneOf((False, True))}),),
            default=WithdrawFirst(declared=False),
            policy="withdraw_first",
        )

    check = checks()

    def resolve(self, position: Position, order: Order) -> Outcome:
        # Imported here because combats offer the withdrawal.
        from pbem.games.crusade.stages.combat import answered

        assert isinstance(order, WithdrawFirst)
        story: Unfolding[Position] = Unfolding(position)
        if order.declared:
            story.happen(e.WithdrawalDeclared(self.combat.space, self.side))
        return answered(story, replace(self.combat, withdrawal=order.declared))


# --- who survives -------------------------------------------------------------------------------


def is_wiped_out(position: Position, combat: Combat, fight: Fight, allocation: Allocation) -> bool:
    """Whether these losses leave nobody of a force that withdraws; attackers never do."""
    if not combat.withdrawal or not fight.fighters:
        return False
    everybody = {fighter.unit for fighter in fight.fighters} == set(combat.defenders(position))
    return everybody and all(
        allocation.steps.get(each.unit, 0) == len(each.steps) for each in fight.fighters
    )


def survivor_of(position: Position, combat: Combat) -> tuple[Combat, Survivor | None]:
    """The combat with its survivor, where nobody has to be asked; else the question."""
    if combat.survivor:
        return combat, None
    could = possible_survivors(position, combat)
    if len(could) > 1:
        return combat, Survivor(combat)
    return replace(combat, survivor=could[0] if could else ""), None


def spare(story: Unfolding[Position], combat: Combat, allocation: Allocation) -> Allocation:
    """The losses without those that would kill the survivor: it stays, at reduced strength."""
    unit = combat.survivor
    if not unit:
        return allocation
    story.happen(e.UnitSpared(unit))
    left = {each: lost for each, lost in allocation.steps.items() if each != unit}
    falls = story.position.steps_left(unit) > 1
    return replace(allocation, steps={**left, unit: 1} if falls else left)


@CITE.check("18.3.1")
def may_survive(stage: InCombat, position: Position, order: Spare) -> Iterator[Violation]:
    """A unit of the force, neither of the Army of Africa nor armor."""
    could = possible_survivors(position, stage.combat)
    if order.unit not in could:
        yield Violation(
            f"{order.unit} cannot be the one that survives", at=("unit",), hint=", ".join(could)
        )


@value
class Survivor(DefenderAsked):
    """All that withdraw would be lost: the defender names the one that is not."""

    def ask(self, position: Position) -> Decision:
        could = possible_survivors(position, self.combat)
        return Decision(
            side=self.side,
            stage="survivor",
            prompt=f"name the unit that survives in {position.space(self.combat.space).name}",
            rule="18.3.1",
            options=(Option(Spare, {"unit": OneOf(could)}),),
            default=Spare(could[0]),
            policy="spare",
        )

    check = checks((may_survive,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        from pbem.games.crusade.stages.fire import go_on

        assert isinstance(order, Spare)
        story: Unfolding[Position] = Unfolding(position)
        return go_on(story, replace(self.combat, survivor=order.unit))

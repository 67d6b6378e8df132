"""18.3.1: the defender of a combat may withdraw from it, before cards and dice."""

from __future__ import annotations

from pbem.engine.choices import OneOf
from pbem.engine.model import Decision, Option, Order, Outcome, Unfolding
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import WithdrawFirst
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.options_combat import may_withdraw
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.messages import say
from pbem.value import value


@value
class Withdrawing(Step):
    """Asks defenders that may withdraw."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        may = may_withdraw(story.position, combat)
        return story.outcome(then=(Withdrawal(combat.defender),) if may else ())


@value
@CITE.serves("18.3.1")
class Withdrawal(Question):
    """The defender withdraws, or stays."""

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        return Decision(
            side=self.side,
            stage="withdrawal",
            prompt=say(
                "say whether to withdraw from {space}", space=position.space(combat.space).name
            ),
            rule="18.3.1",
            options=(Option(WithdrawFirst, {"declared": OneOf((False, True))}),),
            default=WithdrawFirst(declared=False),
            policy="withdraw_first",
        )

    check = checks()

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, WithdrawFirst)
        story: Unfolding[Position] = Unfolding(position)
        if order.declared:
            story.happen(e.WithdrawalDeclared(position.fought.space, self.side))
        return story.outcome()

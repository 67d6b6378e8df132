"""11.2.11: the winner's advance, as it was planned or is ordered now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.engine.choices import Example, Some
from pbem.engine.model import Decision, Option, Order, Outcome, Unfolding
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Advance
from pbem.games.crusade.position import STACKING_LIMIT, Combat, Position
from pbem.games.crusade.rules import advance as advances
from pbem.games.crusade.rules.combat import winner
from pbem.games.crusade.rules.retreat_checks import ADVANCE_CHECKS
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.messages import say
from pbem.value import replace, value


@value
class Advancing(Step):
    """Carries out what is legal of a planned advance, or asks for one."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        position = story.position
        if not advances.who_may_advance(position, combat):
            return story.outcome()
        if combat.plan is None:
            return story.outcome(then=(Pursuit(combat.attacker),))
        plan = advances.planned(position, combat, combat.plan)
        if plan.units:
            cuts = tuple(advances.cuts(position, combat, combat.plan, plan))
            _enter(story, combat, plan.units, plan.to)
            story.happen(*cuts)
        else:
            story.happen(e.AdvanceForgone(combat.space))
        return story.outcome()


@CITE.rule("8.5.5.4")
def _enter(
    story: Unfolding[Position], combat: Combat, units: tuple[str, ...], to: tuple[str, ...]
) -> None:
    """Units advance; a victory that may win a counterattack's bonus is recorded."""
    # reading: Q47, the bonus goes to the attacked space, the first one entered.
    advances.carry_out(story, combat, units, to)
    mark = f"victorious/{combat.space}"
    won = winner(combat) == combat.attacker and combat.boost.marks_victories
    if won and mark not in story.position.turn_marks:
        story.happen(e.TurnMarkSet(mark))


@value
@CITE.serves("11.5.1")
class Pursuit(Question):
    """11.5: the attacker may advance into the spaces that the defenders left.

    Some units may go further than others: it asks again while a unit is left that could advance.
    """

    again: bool = False

    def ask(self, position: Position) -> Decision | None:
        combat = position.fought
        if not any(advances.possible(position, combat)):
            return None
        return Decision(
            side=self.side,
            stage="advance",
            prompt=say("advance into {space}, or stay", space=position.space(combat.space).name),
            rule="11.5.1",
            options=(Option(Advance, examples=partial(self._examples, position)),),
            default=Advance(),
            optional=self.again,
            policy="advance",
        )

    def _examples(self, position: Position, some: Some) -> Iterator[Example]:
        """For each path, as many units as may take it, or the first of them."""
        ways: dict[tuple[str, ...], list[str]] = {}
        for unit, path in advances.possible(position, position.fought):
            ways.setdefault(tuple(path), []).append(unit)
        for path, units in some(tuple(ways.items())):
            order = Advance(tuple(units[:STACKING_LIMIT]), path)
            if any(self.check(position, order)):
                order = Advance((units[0],), path)
            yield Example(
                order,
                say(
                    "at most {stacking_limit} of {units}",
                    stacking_limit=STACKING_LIMIT,
                    units=", ".join(units),
                ),
            )

    check = checks(*ADVANCE_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Advance)
        if not order.units:
            forgone = (e.AdvanceForgone(position.fought.space),)
            return Outcome(() if self.again else forgone)
        story: Unfolding[Position] = Unfolding(position)
        _enter(story, position.fought, order.units, order.to)
        return story.outcome(keep=replace(self, again=True))

"""11.3: the checks of losses as a player orders them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Losses
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.allocations import (
    Allocation,
    LossPool,
    allocation_of,
    heirs_that_misfit,
)
from pbem.games.crusade.rules.asks import KnowsLossPool
from pbem.games.crusade.rules.losses import first_duties, why_no_replacement
from pbem.messages import Either, Said, a_few, either, say, say_many


def _legal(fight: LossPool) -> Said:
    """A legal answer, as it would be written."""
    order = fight.best[0].order()
    steps = f"steps: [{', '.join(order.steps)}]"
    if order.successors:
        steps += f", successors: [{', '.join(order.successors)}]"
    return say("legal losses: {{steps}}", steps=steps)


@CITE.check("11.1.7")
def losers_take_part(
    stage: KnowsLossPool, position: Position, order: Losses
) -> Iterator[Violation]:
    """Only units of the combat, and divisions that replace their corps, lose steps."""
    fight = stage.fight(position)
    fighting = {each.unit for each in fight.fighters}
    called = {spare.unit for spare in fight.spares} & set(order.successors)
    for place, unit in enumerate(order.steps):
        if unit not in position.counters:
            yield Violation(
                say("no unit is named {unit}", unit=repr(unit)),
                at=("steps", place),
                hint=_legal(fight),
            )
        elif unit not in fighting | called and not _may_come(fight, unit):
            yield Violation(
                say("{unit} does not take part in this combat", unit=unit),
                at=("steps", place),
                hint=_legal(fight),
            )


def _may_come(fight: LossPool, unit: str) -> bool:
    """Whether a Reserve division may be listed without being named as a successor."""
    return any(spare.unit == unit for spare in fight.spares)


@CITE.check("11.3.5.2")
def successors_may_replace(
    stage: KnowsLossPool, position: Position, order: Losses
) -> Iterator[Violation]:
    """A dead corps is replaced by an eligible division, at full strength if there is one."""
    for place, corps, possible in heirs_that_misfit(stage.fight(position), order):
        heir = order.successors[place]
        if corps:
            yield Violation(
                say("{heir} may not replace {corps}", heir=heir, corps=corps),
                at=("successors", place),
                rule=why_no_replacement(position, corps, heir),
                hint=say(
                    "{corps} is replaced by {possible}",
                    corps=corps,
                    possible=Either(tuple(possible)),
                ),
            )
        else:
            yield Violation(
                say("these losses eliminate no corps that {heir} could replace", heir=heir),
                at=("successors", place),
                rule="11.3.5",
                hint=say("leave {heir} out of the successors", heir=heir),
            )


@CITE.refusal("11.3.2")
def steps_are_there(stage: KnowsLossPool, position: Position, order: Losses) -> Iterator[Violation]:
    """A unit loses no more steps than it has, and a replacement only after its corps is dead."""
    fight = stage.fight(position)
    came = {heir for _, heir in allocation_of(fight, order).heirs}
    fighting = {each.unit for each in fight.fighters}
    losing: dict[str, int] = {}
    for place, unit in enumerate(order.steps):
        losing[unit] = losing.get(unit, 0) + 1
        if unit not in fighting | came:
            yield Violation(
                say("{unit} does not replace a corps here", unit=unit),
                at=("steps", place),
                rule="11.3.5",
                hint=say(
                    "losses are taken by {units}",
                    units=a_few(tuple(each.unit for each in fight.fighters)),
                ),
            )
        elif losing[unit] > len(fight.steps_of(unit)):
            have = len(fight.steps_of(unit))
            yield Violation(
                say_many(
                    "have",
                    "{unit} has only {have} step to lose",
                    "{unit} has only {have} steps to lose",
                    unit=unit,
                    have=have,
                ),
                at=("steps", place),
            )


@CITE.check("11.3.4")
def as_much_as_possible(
    stage: KnowsLossPool, position: Position, order: Losses
) -> Iterator[Violation]:
    """The losses meet as much of the Loss Number as possible, and never more."""
    fight = stage.fight(position)
    taken, _, _ = allocation_of(fight, order).score(fight)
    most, _, _ = fight.best[0].score(fight)
    if taken > fight.loss_number:
        yield Violation(
            say(
                "these losses come to {taken}, more than the Loss Number {loss_number}",
                taken=taken,
                loss_number=fight.loss_number,
            ),
            at=("steps",),
            hint=_legal(fight),
        )
    elif taken < most:
        yield Violation(
            say(
                "these losses come to {taken}; {most} of {loss_number} can and must be taken",
                taken=taken,
                most=most,
                loss_number=fight.loss_number,
            ),
            at=("steps",),
            hint=_legal(fight),
        )


@CITE.check("11.3.5.1")
def steps_are_real(stage: KnowsLossPool, position: Position, order: Losses) -> Iterator[Violation]:
    """If real units can meet as much of the number, no phantom division does."""
    fight = stage.fight(position)
    taken, real, _ = allocation_of(fight, order).score(fight)
    most, most_real, _ = fight.best[0].score(fight)
    if taken == most and real < most_real:
        yield Violation(
            say("losses may not be assigned to a division that is not there"),
            at=("steps",),
            hint=_legal(fight),
        )


@CITE.check("11.3.6")
def first_losses_are_taken(
    stage: KnowsLossPool, position: Position, order: Losses
) -> Iterator[Violation]:
    """Army of Africa and claimed armor lose first, if as much of the number is met that way."""
    fight = stage.fight(position)
    allocation, legal = allocation_of(fight, order), fight.best[0]
    found, best = allocation.score(fight), legal.score(fight)
    if found[:2] == best[:2] and found[2] < best[2]:
        owing = tuple(either(sorted(bearers)) for bearers in fight.duties)
        yield Violation(
            say("the first loss falls on {owing}", owing=owing),
            at=("steps",),
            rule=_broken_duty(position, allocation, legal),
            hint=_legal(fight),
        )


def _broken_duty(position: Position, allocation: Allocation, legal: Allocation) -> str:
    """The rule of the most urgent first loss that legal losses meet and these do not."""
    duties = first_duties(position, position.fought)
    return next(
        rule for rule, bearers in duties
        if not bearers.intersection(allocation.steps) and bearers.intersection(legal.steps)
    )  # fmt: skip


LOSS_CHECKS = (
    (losers_take_part,),
    (successors_may_replace,),
    (steps_are_there,),
    (as_much_as_possible, steps_are_real, first_losses_are_taken),
)

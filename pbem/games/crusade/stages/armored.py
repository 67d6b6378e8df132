"""Armor after an event: a captured T-26 (18.2.4), an armored corps (18.4.1)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy, Done, Exchange
from pbem.games.crusade.position import RESERVE, Position
from pbem.games.crusade.rules.options_units import (
    PLANS,
    TROPHY,
    armored_spaces,
    exchangeable,
    is_in_play,
    may_stay,
    strange_to_armor,
    tanks_of,
)
from pbem.games.crusade.rules.reinforcement import has_to_come_in_at
from pbem.games.crusade.tables import NATIONALIST
from pbem.messages import a_few, any_of, say
from pbem.value import replace, value


def after_event(before: Position, side: s.Side, card: str) -> tuple[s.Stage[Position], ...]:
    """The stages that optional rules add to an event; `before` is the position before its
    effect.
    """
    stages: list[s.Stage[Position]] = []
    units = exchangeable(before, card)
    if units:
        stages.append(CapturedTank(units))
    if comes_of_tanks(before, side, card):
        stages.append(ArmoredCorps(side))
    return tuple(stages)


@CITE.serves("18.4.1.1", "18.4.1.2")
def comes_of_tanks(before: Position, side: s.Side, card: str) -> bool:
    """Whether the armored corps may be placed after this event: once its card was played."""
    # reading: 18.4.1 sets an order and no deadline: a side that lacks tanks, waits for the enemy's
    # corps or wants to wait may place the corps after any later event of its own.
    plan = PLANS[side]
    return before.option(plan.rule) and plan.card in (card, *before.played)


# --- the captured tank --------------------------------------------------------------------------


@CITE.refusal("18.2.4")
def gives_way_to_the_trophy(
    stage: CapturedTank, position: Position, order: Exchange
) -> Iterator[s.Violation]:
    """The unit is a CV-33 or PZ-I that may be exchanged now."""
    could = stage.ready(position)
    if order.unit not in could:
        yield s.Violation(
            say("{unit} cannot be exchanged for the T-26", unit=order.unit),
            at=("unit",),
            hint=a_few(could),
        )


@value
class CapturedTank(s.PlayerStage[Position]):
    """The Nationalists may exchange an armor unit for the T-26, in its place and at its
    strength.
    """

    units: tuple[str, ...]

    def ready(self, position: Position) -> tuple[str, ...]:
        """Those of its units that are in the game."""
        return tuple(unit for unit in self.units if is_in_play(position, unit))

    def ask(self, position: Position) -> s.Decision | None:
        ready = self.ready(position)
        if not ready:
            return None
        return s.Decision(
            side=NATIONALIST,
            stage="captured tank",
            prompt=say("exchange an armor unit for the captured T-26, or say done"),
            rule="18.2.4",
            options=(s.Option(Exchange, {"unit": s.OneOf(ready)}), s.Option(Done, {})),
            default=Done(),
            optional=True,
        )

    check = s.by_verb({Exchange: s.checks((gives_way_to_the_trophy,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, Exchange):
            return s.Outcome()
        return s.Outcome((rare.UnitExchanged(order.unit, TROPHY),))


# --- armored corps ------------------------------------------------------------------------------


@CITE.serves("18.4.1.1", "18.4.1.2")
def corps_comes_to_its_tanks(
    stage: ArmoredCorps, position: Position, order: Deploy
) -> Iterator[s.Violation]:
    """The armored corps is placed with one of its tanks or in a depot; `to_reserve` is one of them.

    Each side's corps has its own rule number.
    """
    for violation in _misplaced(stage, position, order):
        yield replace(violation, rule=PLANS[stage.side].rule)


def _misplaced(stage: ArmoredCorps, position: Position, order: Deploy) -> Iterator[s.Violation]:
    corps, spaces = PLANS[stage.side].corps, armored_spaces(position, stage.side)
    if order.unit != corps:
        yield s.Violation(say("only {corps} may be deployed now", corps=corps), at=("unit",))
    yield from has_to_come_in_at(
        position, spaces, corps, order.to, strange_to_armor(position, stage.side, order.to)
    )
    stay = may_stay(position, stage.side)
    if order.to_reserve and order.to_reserve not in stay:
        yield s.Violation(
            say("{to_reserve} cannot be the tank that stays", to_reserve=order.to_reserve),
            at=("to_reserve",),
            hint=say("it may be {stay}", stay=any_of(stay)),
        )


@value
class ArmoredCorps(s.PlayerStage[Position]):
    """After its card a side may form a corps from its tanks: three leave, one stays in the
    Reserve.
    """

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        spaces = armored_spaces(position, self.side)
        if not spaces:
            return None
        corps = PLANS[self.side].corps
        stay = s.OneOf(may_stay(position, self.side))
        fields = {"unit": s.OneOf((corps,)), "to": s.OneOf(spaces), "to_reserve": stay}
        deploy = s.Option(Deploy, fields)
        return s.Decision(
            side=self.side,
            stage="armored corps",
            prompt=say("deploy {corps} for the tanks, or say done", corps=corps),
            rule=PLANS[self.side].rule,
            options=(deploy, s.Option(Done, {})),
            default=Done(),
            optional=True,
        )

    check = s.by_verb({Deploy: s.checks((corps_comes_to_its_tanks,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, Deploy):
            return s.Outcome()
        stays = order.to_reserve or may_stay(position, self.side)[0]
        story: s.Unfolding[Position] = s.Unfolding(position)
        for unit in tanks_of(position, self.side):
            if unit != stays and is_in_play(position, unit):
                story.happen(e.UnitDisbanded(unit))
        if position.place_of(stays) != RESERVE:
            story.happen(e.UnitPlaced(stays, RESERVE, position.is_reduced(stays)))
        story.happen(e.UnitPlaced(order.unit, order.to))
        return story.outcome()

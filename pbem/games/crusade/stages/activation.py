"""Activation (8.2): which spaces move and which attack. Movement and combat are loaded on
demand.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Activate
from pbem.games.crusade.position import NO_BOOST, Boost, Position
from pbem.games.crusade.rules import activation
from pbem.games.crusade.rules.event_limits import (
    far_from_france,
    few_enough_attack_spaces,
    most_attack_spaces,
)
from pbem.games.crusade.rules.options_operations import (
    GUERRILLA_MET,
    beach_head_waits,
    meets_guerrillas,
)
from pbem.games.crusade.tables import ENEMY
from pbem.messages import say, say_many
from pbem.value import value


@value
@CITE.rule("8.2.4", "8.2.5")
class Activation(s.PlayerStage[Position]):
    """8.2: all spaces are activated at once; then stacks move; then combats are fought.

    An event may name spaces (`named`) and leave `free` others; `points` is then the sum. With
    `attack_only` it gives only attack markers; `boost` is its effect on the attacks.
    """

    side: s.Side
    points: int
    named: tuple[str, ...] = ()
    free: int | None = None
    attack_only: bool = False
    boost: Boost = NO_BOOST
    closed: tuple[str, ...] = ()
    """Spaces that may not be activated in this round (18.2.12)."""

    def ask(self, position: Position) -> s.Decision:
        prompt = say_many(
            "points", "activate up to {points} space", "activate up to {points} spaces",
            points=self.points,
        )  # fmt: skip
        if self.attack_only:
            prompt = say_many(
                "points", "activate up to {points} space for combat",
                "activate up to {points} spaces for combat", points=self.points,
            )  # fmt: skip
        if self.named:
            named = activation.named_and_free(self, position)
            prompt = say("{prompt}: {named}", prompt=prompt, named=named)
        return s.Decision(
            side=self.side,
            stage="activation",
            prompt=prompt,
            rule="8.2.1",
            options=(s.Option(Activate, s.Later(lambda: self._spaces(position))),),
            default=Activate(),
            optional=True,
        )

    def _spaces(self, position: Position) -> Mapping[str, s.Choice]:
        movable = () if self.attack_only else activation.movable_spaces(position, self.side)
        attackable = activation.attackable_spaces(position, self.side)
        attacks = min(self.points, most_attack_spaces(position, self.side))
        return {
            "move": s.SomeOf(movable, 0, self.points),
            "attack": s.SomeOf(attackable, 0, attacks),
        }

    check = s.checks(
        (activation.names_known_spaces,),
        (activation.occupied_by_own_units, activation.one_mode_each),
        (
            activation.within_points,
            beach_head_waits,
            activation.spaces_are_supplied,
            activation.limited_supply_only_moves,
            activation.isolated_only_moves,
            activation.one_northern_attack,
            activation.spaces_of_the_event,
            few_enough_attack_spaces,
            far_from_france,
        ),
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Activate)
        told: tuple[s.Event[Position], ...] = (
            e.SpacesActivated(self.side, order.move, order.attack),
        )
        if meets_guerrillas(position, self.side, (*order.move, *order.attack)):
            told += (e.TurnMarkSet(GUERRILLA_MET),)
        stages: list[s.Stage[Position]] = []
        if order.move:
            from pbem.games.crusade.stages.operations import Movement

            hostile = frozenset(position.spaces_of(ENEMY[self.side]))
            stages.append(Movement(self.side, order.move, order.attack, hostile))
        if order.attack:
            # Combats and all their rules are loaded only for an attack.
            from pbem.games.crusade.stages.combat.attack import Combats

            stages.append(Combats(self.side, order.attack, self.boost))
        return s.Outcome(told, then=tuple(stages))

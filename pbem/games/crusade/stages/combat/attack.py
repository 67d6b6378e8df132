"""11.1, 11.2.2: the attacks and assaults of a round, with the attacker's cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import AdvancePlan, Assault, Attack, Done
from pbem.games.crusade.position import NO_BOOST, RESERVE, STACKING_LIMIT, Boost, Combat, Position
from pbem.games.crusade.rules import combat_cards
from pbem.games.crusade.rules.assault import (
    ASSAULT_CHECKS,
    assailable_sieges,
)
from pbem.games.crusade.rules.attack import (
    ATTACK_CHECKS,
    called_off,
    claimable_armor,
    targets,
)
from pbem.games.crusade.rules.ranking import by_what_is_lost
from pbem.games.crusade.stages.combat.assault import SiegeAssault
from pbem.messages import Either, Said, say
from pbem.value import replace, value


@value
@CITE.serves("11.1.1", "11.2.2")
class Combats(s.PlayerStage[Position]):
    """11.1: attacks and assaults from the activated spaces, one after another.

    `marked` are the spaces with attack markers, `boost` what an event adds to the attacks, `fought`
    the units that have fought or can only replace one that did, `struck` the spaces attacked,
    `spent` which single benefits of the event are used up. It ends by itself when no unit is left
    that could attack.
    """

    side: s.Side
    marked: tuple[str, ...]
    boost: Boost = NO_BOOST
    fought: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()

    def lapsing(self, position: Position) -> Iterator[Said]:
        """11.1: spaces activated for combat whose units have all stood by, and what they could
        attack.
        """
        for space in self.marked:
            near = [each for each, origins in targets(self, position).items() if space in origins]
            if near and not self.fought.intersection(position.units_in(space)):
                yield say(
                    "you activated {space} for combat, but it does not attack {targets} (11.1)",
                    space=position.called(space),
                    targets=Either(tuple(map(position.called, near))),
                )

    def ask(self, position: Position) -> s.Decision | None:
        attackable = targets(self, position)
        sieges = assailable_sieges(self, position)
        if not attackable and not sieges:
            return None
        options = [
            s.Option(
                Attack,
                note=position.space(space).name,
                examples=partial(_attacks, self, position, space, origins),
            )
            for space, origins in attackable.items()
        ]
        options += [
            s.Option(Assault, examples=s.listed((Assault(space, units),)))
            for space, units in sieges.items()
        ]
        return s.Decision(
            side=self.side,
            stage="combat",
            prompt=say("attack a space, or say done"),
            rule="11.2.2",
            options=(*options, s.Option(Done, {})),
            default=Done(),
            optional=True,
        )

    def committed(self, position: Position, order: Attack) -> tuple[Combat, s.Side]:
        """The combat an attack would begin, and the side that commits cards with it."""
        return self._declared(order).with_cards(self.side, order.cards), self.side

    def _declared(self, order: Attack) -> Combat:
        """The combat of an attack, without the cards of either side yet."""
        origins = {unit: space for space, units in order.units.items() for unit in units}
        boost = self.boost
        if boost.once and not order.air_bonus:
            boost = replace(boost, drm=0)
        if boost.terrain_free and not order.cancel_terrain:
            # reading: 8.5.5.3, if one attack has its terrain cancelled, only that one may win the
            # bonus.
            boost = replace(boost, marks_victories=False)
        return Combat(
            attacker=self.side,
            space=order.space,
            origins=origins,
            number=len(self.struck) + 1,
            armor=order.armor,
            boost=boost,
            terrain_free=order.cancel_terrain,
            ranking=order.losses,
            plan=order.advance,
        )

    check = s.by_verb(
        {
            Attack: s.checks(*ATTACK_CHECKS, *combat_cards.CARD_CHECKS),
            Assault: s.checks(*ASSAULT_CHECKS),
            Done: s.checks(),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Attack):
            return self._attack(position, order)
        if isinstance(order, Assault):
            after = replace(
                self,
                fought=self._out_of_later_fights(position, order.units),
                struck=self.struck | {order.space},
            )
            return s.Outcome(keep=after, then=(SiegeAssault(order.space, order.units),))
        return s.Outcome()

    @CITE.serves("11.1.5")
    def _out_of_later_fights(self, position: Position, units: Iterable[str]) -> frozenset[str]:
        """The units that can join no further combat of the round once these begin one."""
        # A division of the Reserve Box enters combat only to replace a dead corps: it takes part in
        # that one combat, including losses and advance.
        return self.fought.union(units, position.units_in(RESERVE, self.side))

    def _attack(self, position: Position, order: Attack) -> s.Outcome:
        combat = self._declared(order)
        story: s.Unfolding[Position] = s.Unfolding(position)
        allowed = called_off(self.side, position, order.space)
        if allowed in position.turn_marks:
            # This attack replaces the one that was not a combat (11.1.5).
            story.happen(e.TurnMarkUsed(allowed))
        story.happen(
            e.AttackDeclared(
                side=self.side,
                space=combat.space,
                attackers=combat.attackers(position),
                origins=combat.from_spaces,
                defenders=combat.defenders(position),
                armor=combat.armor,
            )
        )
        story.happen(e.CombatBegan(combat))
        combat_cards.commit(story, self.side, order.cards)
        used = {"terrain": order.cancel_terrain, "drm": order.air_bonus}
        after = replace(
            self,
            fought=self._out_of_later_fights(position, combat.origins),
            struck=self.struck | {combat.space},
            spent=self.spent | {favour for favour, is_used in used.items() if is_used},
        )
        # The rules of fire, losses and retreats are loaded only for an attack.
        from pbem.games.crusade.stages.combat.sequence import steps

        return story.outcome(keep=after, then=steps(self.side))


def _attacks(
    stage: Combats, position: Position, space: str, origins: Mapping[str, tuple[str, ...]],
    some: s.Some,
) -> Iterator[s.Example]:  # fmt: skip
    """An attack with all units that may join it; if not all may fight together, one from each
    space.
    """
    wishes = [origins, *({origin: units} for origin, units in origins.items())]
    orders = [Attack(space, units) for units in some(wishes)]
    legal = [order for order in orders if not any(stage.check(position, order))]
    is_all = legal and legal[0].units == origins
    for order in legal[:1] if is_all else legal:
        yield _with_what_may_be_said(stage, position, order)


def _with_what_may_be_said(stage: Combats, position: Position, order: Attack) -> s.Example:
    """The attack with the answers that would otherwise cost a mail, and its other fields."""
    combat, side = stage.committed(position, order)
    everyone = tuple(unit for them in order.units.values() for unit in them)
    found = {
        "cards": combat_cards.usable_cards(position, combat, side),
        "armor": claimable_armor(position, order),
    }
    told = [f"{name}: {', '.join(values)}" for name, values in found.items() if values]
    whole = replace(
        order,
        losses=by_what_is_lost(position, everyone),
        advance=AdvancePlan(everyone[:STACKING_LIMIT], (order.space,)),
    )
    others = {"cards": ((), *((card,) for card in found["cards"])), "armor": ("", *found["armor"])}
    return s.Example(whole, say("you may add {told}", told="; ".join(told)) if told else "", others)

"""11.2.9-11.2.11: who won, the retreat of the beaten and the advance of the winner."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from pbem.engine.choices import Composed, OneOf, Ready, SomeOf
from pbem.engine.model import (
    Decision,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Unfolding,
    Violation,
)
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import Advance, CancelRetreat, Replace, Retreat
from pbem.games.crusade.position import STACKING_LIMIT, Position
from pbem.games.crusade.rules import advance as advances
from pbem.games.crusade.rules.combat import winner
from pbem.games.crusade.rules.combat_cards import put_away
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.rules.ground import enter_spaces, remove_enemy_fort
from pbem.games.crusade.rules.options_combat import steps_to_stay
from pbem.games.crusade.rules.ranking import loses_least
from pbem.games.crusade.rules.retreat import (
    Ways,
    first_steps,
    pay_to_stay,
    payers,
    price_of,
    retreat_length,
    ways_out,
)
from pbem.games.crusade.rules.retreat_checks import (
    ADVANCE_CHECKS,
    CANCEL_CHECKS,
    RETREAT_CHECKS,
    way_of,
)
from pbem.games.crusade.rules.stacking import has_to_stand_in, room_in
from pbem.games.crusade.stages.defender import DefenderAsked
from pbem.games.crusade.stages.late_cards import LateCards, late_cards_are_due
from pbem.value import replace, value


@CITE.rule("11.2.10", "11.4.1", "11.4.7")
def conclude(story: Unfolding[Position], combat: Combat) -> Outcome:
    """The winner, the cards, and then retreat and advance as far as nobody has to be asked."""
    if late_cards_are_due(story.position, combat):
        return story.outcome(then=(LateCards(combat),))
    victor = winner(combat)
    assert combat.by_attacker is not None and combat.by_defender is not None
    story.happen(
        e.CombatDecided(combat.space, victor or "", combat.by_attacker, combat.by_defender)
    )
    put_away(story, combat, victor)
    beaten = combat.defenders(story.position)
    if victor == combat.attacker and beaten:
        return rally(story, combat)
    return follow(story, combat)


@CITE.rule("card R60")
def rally(story: Unfolding[Position], combat: Combat) -> Outcome:
    """A card may give the beaten a step back; its owner is asked only if several could have it."""
    worn = combat.worn if cards.restores_step(story.position, combat) else ()
    if len(worn) > 1:
        return story.outcome(then=(Rallying(combat),))
    story.happen(*(e.UnitRestored(unit) for unit in worn))
    return give_way(story, combat)


def give_way(story: Unfolding[Position], combat: Combat) -> Outcome:
    """The beaten stay by a card or at a price, or retreat; without an attacker left they stay."""
    if combat.withdrawal:
        return fall_back(story, combat)
    if not combat.attackers(story.position):
        return follow(story, combat)
    if cards.retreat_is_cancelled(story.position, combat):
        story.happen(e.RetreatCancelled(combat.space, ""))
        return story.outcome()
    if payers(story.position, combat):
        return story.outcome(then=(StandFast(combat),))
    return fall_back(story, combat)


@CITE.check("card R60")
def lost_a_step_here(stage: Rallying, position: Position, order: Replace) -> Iterator[Violation]:
    """The step goes to a defender that lost one in this combat, and costs nothing."""
    if order.unit not in stage.combat.worn:
        yield Violation(f"{order.unit} has lost no step in this combat", at=("unit",),
                        hint=", ".join(stage.combat.worn))  # fmt: skip
    else:
        yield from has_to_stand_in(position, order.unit, order.at, "at")
    if order.using:
        yield Violation("this step costs no replacement points", at=("using",))


@value
class Rallying(DefenderAsked):
    """R60: which of the beaten gets back the step it lost."""

    def ask(self, position: Position) -> Decision:
        worn = self.combat.worn
        first = min(worn, key=lambda unit: not position.type_of(unit).is_corps)
        return Decision(
            side=self.side,
            stage="organized retreat",
            prompt="say which unit gets back a step",
            rule="8.5.1.1",
            options=(Option(Replace, {"unit": OneOf(worn)}),),
            default=Replace(first),
            policy="rally",
        )

    check = checks((lost_a_step_here,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Replace)
        story: Unfolding[Position] = Unfolding(position)
        story.happen(e.UnitRestored(order.unit))
        return give_way(story, self.combat)


# --- staying ------------------------------------------------------------------------------------


@value
class StandFast(DefenderAsked):
    """11.4.3: the defender may pay a step to cancel the retreat.

    `before` is the table as it stood when the first of two steps was paid (18.2.9).
    """

    before: Position | None = None

    def ask(self, position: Position) -> Decision:
        could = payers(position, self.combat)
        return Decision(
            side=self.side,
            stage="cancel retreat",
            prompt=f"say who pays to stay in {position.space(self.combat.space).name}, or nobody",
            rule="11.4.3",
            options=(Option(CancelRetreat, {"by": OneOf(self._answers(could))}),),
            default=CancelRetreat(self._cheapest(position, could) if self.combat.paid else ""),
            policy="cancel_retreat",
        )

    def _cheapest(self, position: Position, could: tuple[str, ...]) -> str:
        """Who pays the rest of a price that is begun, without a wish: where least is lost."""
        # As with losses, nobody dies where another unit can be flipped.
        return min(
            could,
            key=lambda unit: loses_least(position, price_of(position, self.combat, unit)),
        )

    def _answers(self, could: tuple[str, ...]) -> tuple[str, ...]:
        return could if self.combat.paid else ("", *could)

    check = checks(*CANCEL_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, CancelRetreat)
        story: Unfolding[Position] = Unfolding(position)
        if not order.by:
            return fall_back(story, self.combat)
        story.happen(e.RetreatCancelled(self.combat.space, order.by))
        pay_to_stay(story, self.combat, order.by, order.successor)
        owed = steps_to_stay(position, self.combat) > 1
        again = replace(self.combat, paid=self.combat.paid + 1)
        return story.outcome(then=(StandFast(again, before=position),) if owed else ())


# --- going --------------------------------------------------------------------------------------


@CITE.rule("11.4.4", "11.5.7")
def fall_back(story: Unfolding[Position], combat: Combat) -> Outcome:
    """Unit by unit, as long as there is nothing to choose; who cannot go is lost for good."""
    while units := combat.defenders(story.position):
        ways = ways_out(story.position, combat)
        if not ways.paths:
            if retreat_length(story.position, combat) > 1:
                combat = _with_followed(combat, first_steps(story.position, combat))
            for unit in units:
                story.happen(e.UnitEliminated(unit, for_good=True))
            break
        if len(ways.paths) > 1 or not order_is_free(story.position, units, ways.paths[0]):
            return story.outcome(then=(FallBack(combat),))
        combat = withdraw(story, combat, units[0], ways.paths[0])
    return follow(story, combat)


def order_is_free(position: Position, units: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether it makes no difference which unit goes first along the only path."""
    kinds = {(position.type_of(unit).id, position.is_reduced(unit)) for unit in units}
    return len(kinds) == 1 or room_in(position, path[-1]) >= len(units)


@CITE.rule("11.4.8", "16.4.2.3", "18.2.10")
def withdraw(
    story: Unfolding[Position], combat: Combat, unit: str, path: tuple[str, ...]
) -> Combat:
    """One unit retreats; only where it ends does it take a space, never the one it leaves."""
    # reading: 18.2.10, of the enemy's works those are captured that a move enters or an advance: a
    # retreat removes them, where it passes and where it ends, and captures none.
    story.happen(e.UnitRetreated(unit, path))
    for space in path:
        remove_enemy_fort(story, space, combat.defender)
    enter_spaces(story, path[-1:], combat.defender)
    return with_followed_path(story.position, combat, path)


def with_followed_path(position: Position, combat: Combat, path: tuple[str, ...]) -> Combat:
    """The combat after a retreat along a path: who goes two spaces may be followed (11.5.3)."""
    if retreat_length(position, combat) == 1:
        return combat
    return _with_followed(combat, path[:-1])


def _with_followed(combat: Combat, spaces: tuple[str, ...]) -> Combat:
    """Spaces next to the target that an advance may follow into (11.5.3)."""
    fresh = tuple(space for space in spaces if space not in combat.followed)
    return replace(combat, followed=(*combat.followed, *fresh))


@value
class FallBack(DefenderAsked):
    """11.4.5: the owner retreats their units one by one, in the order they like."""

    def ways(self, position: Position) -> Ways:
        return ways_out(position, self.combat)

    def ask(self, position: Position) -> Decision:
        # reading: Q9, the owner chooses the order, even if a later unit then has no way out.
        ways = self.ways(position)
        units = self.combat.defenders(position)
        return Decision(
            side=self.side,
            stage="retreat",
            prompt=f"retreat a unit from {position.space(self.combat.space).name}",
            rule="11.4.5",
            options=(Option(Retreat, {"unit": OneOf(units), "path": Ready(ways.paths)}),),
            default=Retreat(units[0], ways.paths[0]),
            policy="retreat",
        )

    check = checks(*RETREAT_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Retreat)
        story: Unfolding[Position] = Unfolding(position)
        way = way_of(self.combat.space, order.path)
        return fall_back(story, withdraw(story, self.combat, order.unit, way))


# --- following ------------------------------------------------------------------------------------


def follow(story: Unfolding[Position], combat: Combat) -> Outcome:
    """The advance, as it was planned or as the attacker says now."""
    position = story.position
    if not advances.who_may_advance(position, combat):
        return story.outcome()
    if combat.plan is None:
        pursuit = (Pursuit(combat),) if any(advances.possible(position, combat)) else ()
        return story.outcome(then=pursuit)
    plan = advances.planned(position, combat, combat.plan)
    if plan.units:
        cuts = tuple(advances.cuts(position, combat, combat.plan, plan))
        _enter(story, combat, plan.units, plan.to)
        story.happen(*cuts)
    else:
        story.happen(e.AdvanceForgone(combat.space))
    return story.outcome()


@CITE.rule("8.5.5.3", "8.5.5.4")
def _enter(
    story: Unfolding[Position], combat: Combat, units: tuple[str, ...], to: tuple[str, ...]
) -> None:
    """Units advance; a victory that may win the bonus of a counterattack is remembered."""
    # reading: Q47, the bonus goes to the attacked space, the first one entered.
    # reading: 8.5.5.4, a beach head that the advance has removed (8.5.6.4) is no space any more,
    # so no marker lies there and no point is won that nobody could win back (8.5.5.5).
    advances.carry_out(story, combat, units, to)
    mark = f"victorious/{combat.space}"
    won = winner(combat) == combat.attacker and combat.boost.marks_victories
    lies = story.position.is_open_for_play(combat.space)
    if won and lies and mark not in story.position.turn_marks:
        story.happen(e.TurnMarkSet(mark))


@value
@CITE.rule("11.5.1")
class Pursuit(PlayerStage[Position]):
    """11.5: the attacker advances into what the defenders left, or does not.

    Some units may go further than others: it asks again while somebody is left who could go.
    """

    combat: Combat
    again: bool = False

    @property
    def side(self) -> Side:
        return self.combat.attacker

    def ask(self, position: Position) -> Decision | None:
        if not any(advances.possible(position, self.combat)):
            return None
        return Decision(
            side=self.side,
            stage="advance",
            prompt=f"advance into {position.space(self.combat.space).name}, or stay",
            rule="11.5.1",
            options=(
                Option(
                    Advance, {"": Composed(self._drawn(position), partial(self._lines, position))}
                ),
            ),
            default=Advance(),
            optional=self.again,
        )

    def _lines(self, position: Position) -> tuple[str, ...]:
        """For each path one order, and who may go along it."""
        ways: dict[tuple[str, ...], list[str]] = {}
        for unit, path in advances.possible(position, self.combat):
            ways.setdefault(tuple(path), []).append(unit)
        return tuple(
            f"advance: {{units: [{units[0]}], to: [{', '.join(path)}]}}"
            f"   # at most {STACKING_LIMIT} of {', '.join(units)}"
            for path, units in ways.items()
        )

    def _drawn(self, position: Position) -> Any:
        def draw(rng: Any) -> Advance:
            path = rng.choice(advances.advance_paths(position, self.combat))
            units = advances.who_may_advance(position, self.combat)
            chosen = SomeOf(units, 0, STACKING_LIMIT).sample(rng)
            return Advance(chosen, path) if chosen else Advance()

        return draw

    check = checks(*ADVANCE_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Advance)
        if not order.units:
            forgone = (e.AdvanceForgone(self.combat.space),)
            return Outcome(() if self.again else forgone)
        story: Unfolding[Position] = Unfolding(position)
        _enter(story, self.combat, order.units, order.to)
        left = advances.without_units(self.combat, order.units)
        return story.outcome(keep=replace(self, combat=left, again=True))

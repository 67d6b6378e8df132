"""11.2.7, 11.2.8: the dice of a combat, and the losses they bring."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pbem.engine.choices import Ready
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import (
    Chance,
    ChanceStage,
    Decision,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Unfolding,
)
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import Losses
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.allocations import Allocation, Fight, allocation_of
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.rules.loss_checks import LOSS_CHECKS
from pbem.games.crusade.rules.losses import (
    eliminate_retreated,
    fight_of,
    lose,
    overruled,
    spared_step,
)
from pbem.games.crusade.rules.options_combat import dice_thrown, is_in_earnest, middle
from pbem.games.crusade.rules.ranking import preferred
from pbem.games.crusade.stages.retreat import conclude
from pbem.games.crusade.stages.withdrawal import is_wiped_out, spare, survivor_of
from pbem.games.crusade.tables import NATIONALIST
from pbem.value import replace, value

ROLES = {True: "att", False: "def"}


@value
@CITE.rule("11.2.7")
class Fire(ChanceStage[Position]):
    """11.2.7: both sides fire at once; with R7 the defender first, and then who is left."""

    combat: Combat

    def firing(self, position: Position) -> tuple[Side, ...]:
        """The sides that fire with this roll."""
        combat = self.combat
        if combat.by_defender is not None:
            return (combat.attacker,)
        if cards.defender_fires_first(position, combat):
            return (combat.defender,)
        return (combat.attacker, combat.defender)

    def chance(self, position: Position) -> Chance:
        draws = tuple(draw for side in self.firing(position) for draw in self._dice(position, side))
        return Chance(stage="combat", rule="11.2.7", draws=draws)

    def _dice(self, position: Position, side: Side) -> Iterator[Draw]:
        attacks = side == self.combat.attacker
        purpose = "attacker's fire" if attacks else "defender's fire"
        for number in range(1, dice_count(position, self.combat, side) + 1):
            yield Draw(f"combat/#/{ROLES[attacks]}/die/{number}", purpose)

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        combat = self.combat
        if combat.by_defender is None:
            note_madrid(story, combat)
        for side in self.firing(position):
            faces = [rolled[draw.label].face for draw in self._dice(position, side)]
            number = fire(story, self.combat, side, chosen_die(position, combat, side, faces))
            if side == combat.attacker:
                combat = replace(combat, by_attacker=number)
            else:
                combat = replace(combat, by_defender=number)
        return go_on(story, combat)


@CITE.rule("card N57", "card R59")
def dice_count(position: Position, combat: Combat, side: Side) -> int:
    return 2 if cards.dice_rule(position, combat, side) else dice_thrown(position)


def chosen_die(position: Position, combat: Combat, side: Side, faces: list[int]) -> int:
    rule = cards.dice_rule(position, combat, side)
    return {"keep_low": min, "keep_high": max}.get(rule, middle)(faces)


def fire(story: Unfolding[Position], combat: Combat, side: Side, die: int) -> int:
    """One side's fire as an event; gives the Loss Number."""
    position = story.position
    shifts, drms = rules.shifts(position, combat, side), rules.drms(position, combat, side)
    table = rules.fire_table(position, combat, side)
    number = rules.loss_number(position, combat, side, die)
    story.happen(
        e.FireResolved(
            side=side,
            strength=rules.strength(position, combat, side),
            table=table,
            column=position.tables.fire_tables[table].heading(rules.column(position, combat, side)),
            shifts=shifts,
            die=die,
            drms=drms,
            modified=rules.modified(position, combat, side, die),
            loss_number=number,
        )
    )
    return number


@CITE.rule("17.3.2/b")
def note_madrid(story: Unfolding[Position], combat: Combat) -> None:
    """Remember that the Nationalists attacked Madrid or next to it in the first phase."""
    # reading: Q55, an attack counts once dice are rolled for it.
    position = story.position
    if combat.attacker != NATIONALIST or position.phase != "columns":
        return
    flag = ""
    if combat.space == "madrid":
        flag = "madrid_attacked" if is_in_earnest(position, combat) else ""
    elif position.tables.adjacent_to_madrid(combat.space) and not _is_exempt(position, combat):
        flag = "madrid_neighbour_attacked"
    if flag and not position.has(flag):
        story.happen(e.FlagSet(flag))


def _is_exempt(position: Position, combat: Combat) -> bool:
    return combat.space in position.tables.tables["madrid_priority"]["attack_not_counted"]


# --- losses -------------------------------------------------------------------------------------


@CITE.rule("11.2.8")
def go_on(story: Unfolding[Position], combat: Combat) -> Outcome:
    """What follows the dice: losses as far as they can be settled, the second fire, the end.

    The defender takes their losses first; with R7 the attacker does, and only then fires.
    """
    for side in (combat.defender, combat.attacker):
        owed = combat.owed_by(side)
        if owed is None or side in combat.suffered:
            continue
        if side == combat.defender:
            eliminate_retreated(story, combat)
        fight = fight_of(story.position, combat, side)
        allocation = settled(story.position, combat, side, fight)
        if allocation is None:
            return story.outcome(then=(Casualties(combat, side),))
        if is_wiped_out(story.position, combat, fight, allocation):
            combat, asked = survivor_of(story.position, combat)
            if asked is not None:
                return story.outcome(then=(asked,))
            allocation = spare(story, combat, allocation)
        combat = suffer(story, combat, side, allocation)
    if combat.by_attacker is None and combat.attackers(story.position):
        return story.outcome(then=(Fire(combat),))
    if combat.by_attacker is None:
        # reading: R7, attackers who are all dead before their die inflict nothing.
        return go_on(story, replace(combat, by_attacker=0))
    return conclude(story, combat)


def settled(position: Position, combat: Combat, side: Side, fight: Fight) -> Allocation | None:
    """The losses nobody needs to be asked for: only one way, or ranked before the dice."""
    if side == combat.attacker and combat.ranking:
        told_apart = fight_of(position, combat, side, combat.ranking)
        return preferred(position, combat.ranking, told_apart.best)
    return fight.best[0] if len(fight.best) == 1 else None


def suffer(
    story: Unfolding[Position], combat: Combat, side: Side, allocation: Allocation
) -> Combat:
    """Losses are taken; the combat knows of the divisions that came in for dead corps."""
    if side == combat.attacker and combat.boost.spares_step:
        allocation = spare_a_step(story, allocation)
    if side == combat.attacker:
        paying = tuple(u for u in overruled(story.position, combat) if u in allocation.steps)
        story.happen(*(e.FirstLossOwed(paying),) if paying else ())
    came = lose(story, allocation)
    suffered = (*combat.suffered, side)
    if side == combat.attacker:
        return replace(combat, origins={**combat.origins, **came}, suffered=suffered)
    worn = tuple(u for u in allocation.steps if story.position.place_of(u) == combat.space)
    return replace(combat, worn=worn, suffered=suffered)


def spare_a_step(story: Unfolding[Position], allocation: Allocation) -> Allocation:
    """The losses without their first step, which is told."""
    unit = spared_step(story.position, allocation)
    if not unit:
        return allocation
    story.happen(e.StepSpared(unit))
    return allocation.without_a_step(unit)


@value
@CITE.rule("11.3.2")
class Casualties(PlayerStage[Position]):
    """11.3: a side chooses which steps meet the Loss Number."""

    combat: Combat
    side: Side

    def fight(self, position: Position, apart: Collection[str] = ()) -> Fight:
        return fight_of(position, self.combat, self.side, apart)

    def ask(self, position: Position) -> Decision:
        fight = self.fight(position)
        default = preferred(position, (), fight.best)
        name = position.space(self.combat.space).name
        return Decision(
            side=self.side,
            stage="losses",
            prompt=f"take a Loss Number of {fight.loss_number} in the combat for {name}",
            rule="11.2.8",
            options=(Option(Losses, {"": Ready(tuple(each.order() for each in fight.best))}),),
            default=default.order(),
            policy="losses" if self.side == self.combat.defender else "",
        )

    check = checks(*LOSS_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Losses)
        from_order = allocation_of(self.fight(position), order)
        story: Unfolding[Position] = Unfolding(position)
        return go_on(story, suffer(story, self.combat, self.side, from_order))

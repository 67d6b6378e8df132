"""11.2.7: the dice of a combat, and its Loss Numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Chance, ChanceStage, Outcome, Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.options_combat import dice_thrown, is_in_earnest, middle
from pbem.games.crusade.stages.combat.step import Step
from pbem.games.crusade.tables import NATIONALIST
from pbem.messages import say
from pbem.value import value

ROLES = {True: "att", False: "def"}


@value
class Firing(Step):
    """Rolls the dice if a side still has to fire and can."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        if combat.by_attacker is not None:
            return story.outcome()
        if combat.attackers(story.position):
            return story.outcome(then=(FireDice(),))
        # reading: card R7, attackers that are all eliminated before their die inflict nothing.
        story.happen(e.FireForgone(combat.attacker))
        return story.outcome()


@value
@CITE.serves("11.2.7")
class FireDice(ChanceStage[Position]):
    """11.2.7: both sides fire at once; with R7 the defender first, then the survivors."""

    def firing(self, position: Position) -> tuple[Side, ...]:
        """The sides that fire with this roll."""
        combat = position.fought
        if combat.by_defender is not None:
            return (combat.attacker,)
        if cards.defender_fires_first(position, combat):
            return (combat.defender,)
        return (combat.attacker, combat.defender)

    def chance(self, position: Position) -> Chance:
        draws = tuple(draw for side in self.firing(position) for draw in dice_of(position, side))
        return Chance(stage="combat", rule="11.2.7", draws=draws)

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        combat = position.fought
        if combat.by_defender is None:
            note_madrid(story, combat)
        for side in self.firing(position):
            faces = [rolled[label].face for label in labels_of(position, side)]
            story.happen(fire(position, side, chosen_die(position, combat, side, faces)))
        return story.outcome()


def dice_of(position: Position, side: Side) -> Iterator[Draw]:
    """The dice of one side of the combat that is fought."""
    """The dice of one side of the combat that is fought."""
    attacks = side == position.fought.attacker
    purpose = say("attacker's fire") if attacks else say("defender's fire")
    return (Draw(label, purpose) for label in labels_of(position, side))


def labels_of(position: Position, side: Side) -> list[str]:
    """The labels of these dice."""
    count = dice_count(position, position.fought, side)
    role = ROLES[side == position.fought.attacker]
    return [f"combat/#/{role}/die/{number}" for number in range(1, count + 1)]


@CITE.serves("card N57", "card R59")
def dice_count(position: Position, combat: Combat, side: Side) -> int:
    return 2 if cards.dice_rule(position, combat, side) else dice_thrown(position)


def chosen_die(position: Position, combat: Combat, side: Side, faces: list[int]) -> int:
    """The face that counts if a card has several dice rolled: lowest, highest or middle one."""
    rule = cards.dice_rule(position, combat, side)
    return {"keep_low": min, "keep_high": max}.get(rule, middle)(faces)


def fire(position: Position, side: Side, die: int) -> e.FireResolved:
    """One side's fire as an event, as it was aimed before either fired."""
    aimed = rules.aim(position, side)
    return e.FireResolved(
        side=side,
        strength=aimed.strength,
        table=aimed.table,
        column=position.tables.fire_tables[aimed.table].heading(aimed.column),
        shifts=aimed.shifts,
        die=die,
        drms=aimed.drms,
        modified=rules.modified(position, aimed, die),
        loss_number=rules.loss_number(position, aimed, die),
    )


@CITE.rule("17.3.2/b")
def note_madrid(story: Unfolding[Position], combat: Combat) -> None:
    """Records that the Nationalists attacked Madrid or next to it in the first phase."""
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

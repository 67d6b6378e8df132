"""11.2.10: the retreat of the defeated."""

from __future__ import annotations

from pbem.engine.choices import OneOf
from pbem.engine.model import Decision, Option, Order, Outcome, Side, Unfolding
from pbem.engine.rules import checks
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Retreat
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.combat import has_to_retreat
from pbem.games.crusade.rules.elimination import eliminated
from pbem.games.crusade.rules.ground import enter_spaces, liberate_siege, remove_enemy_fort
from pbem.games.crusade.rules.retreat import (
    Ways,
    first_steps,
    left_open,
    retreat_length,
    ways_out,
    would_be_supplied,
)
from pbem.games.crusade.rules.retreat_checks import RETREAT_CHECKS, way_of
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.stages.combat.step import Question, Step
from pbem.games.crusade.tables import NATIONALIST
from pbem.messages import say
from pbem.value import value


@value
@CITE.rule("11.4.4", "11.5.7")
class Retreating(Step):
    """Retreats unit by unit without a choice; a unit that cannot retreat is lost for good."""

    def carried_out(self, story: Unfolding[Position], combat: Combat) -> Outcome:
        while has_to_retreat(story.position, story.position.fought):
            position, combat = story.position, story.position.fought
            units, ways = combat.defenders(position), ways_out(position, combat)
            if not ways.paths:
                if retreat_length(position, combat) > 1:
                    _leave_open(story, first_steps(position, combat))
                story.happen(*(without_a_way(position, combat, unit) for unit in units))
            elif len(ways.paths) == 1 and order_is_free(position, units, ways.paths[0]):
                withdraw(story, units[0], ways.paths[0])
            else:
                return story.outcome(keep=self, then=(FallBack(combat.defender),))
        return story.outcome()


def order_is_free(position: Position, units: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether it makes no difference which unit takes the only path first."""
    kinds = {(position.type_of(unit).id, position.is_reduced(unit)) for unit in units}
    return len(kinds) == 1 or room_in(position, path[-1]) >= len(units)


@CITE.serves("11.4.4", "18.3.1")
def without_a_way(position: Position, combat: Combat, unit: str) -> e.UnitEliminated:
    """The loss of a unit that has to retreat and cannot."""
    # reading: Q67, 18.3.1 says "eliminated" of a withdrawing unit without a space: for good, like
    # any that cannot retreat (11.4.4); by agreement as in a combat, so that it may be rebuilt.
    if combat.withdrawal and position.option("Q67"):
        return eliminated(position, unit, combat.space, None)
    return e.UnitEliminated(unit, True, "11.4.4")


@CITE.rule("11.4.8", "16.4.2.3")
def withdraw(story: Unfolding[Position], unit: str, path: tuple[str, ...]) -> None:
    """One unit retreats. It takes only the space where it ends, never the one it leaves."""
    # reading: 18.2.10, enemy works are captured by a move or an advance that enters them: a retreat
    # removes them, where it passes and where it ends, but captures none.
    combat = story.position.fought
    story.happen(e.UnitRetreated(unit, path))
    for space in path:
        remove_enemy_fort(story, space, combat.defender)
    for space in path[:-1]:
        _relieve_in_passing(story, space, combat.defender)
    enter_spaces(story, path[-1:], combat.defender)
    _leave_open(story, left_open(story.position, combat, path))


@CITE.serves("16.1.3")
def _relieve_in_passing(story: Unfolding[Position], space: str, side: Side) -> None:
    """A unit in supply that passes a siege lifts it, though it takes nothing there."""
    if side == NATIONALIST and would_be_supplied(story.position, side, space):
        liberate_siege(story, space)


def _leave_open(story: Unfolding[Position], spaces: tuple[str, ...]) -> None:
    story.happen(*(e.WayFollowed(spaces),) if spaces else ())


@value
class FallBack(Question):
    """11.4.5: the owner retreats their units one by one, in any order."""

    def ways(self, position: Position) -> Ways:
        return ways_out(position, position.fought)

    def ask(self, position: Position) -> Decision:
        combat = position.fought
        # reading: 11.4.5, Q9, the owner chooses the order, even if a later unit then has no way
        # out.
        ways = self.ways(position)
        units = combat.defenders(position)
        return Decision(
            side=self.side,
            stage="retreat",
            prompt=say("retreat a unit from {space}", space=position.space(combat.space).name),
            rule="11.4.5",
            options=(Option(Retreat, {"unit": OneOf(units), "path": OneOf(ways.paths)}),),
            default=Retreat(units[0], ways.paths[0]),
            policy="retreat",
        )

    check = checks(*RETREAT_CHECKS)

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Retreat)
        story: Unfolding[Position] = Unfolding(position)
        withdraw(story, order.unit, way_of(position.fought.space, order.path))
        return story.outcome()

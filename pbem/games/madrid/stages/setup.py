"""12: the turn to begin with, and the set-up."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.choices import Example, Some, listed
from pbem.engine.model import AutoStage, Decision, Option, Outcome, PlayerStage, Side
from pbem.engine.rules import checks
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Begin, PlaceUnits
from pbem.games.madrid.position import JUNTA, Position
from pbem.games.madrid.rules.arrivals import (
    SET_UP_CHECKS,
    places_told,
    set_up_places,
    set_up_rule,
    spread,
    to_set_up,
)
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.turn import begins_on_a_turn_offered, starts_with_junta
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN, Start
from pbem.messages import say
from pbem.value import value


@value
@CITE.serves("5.1", "12.2.a")
class Begins(PlayerStage[Position]):
    """Asks the Nationalists on which turn a scenario begins that has several."""

    @property
    def side(self) -> Side:
        return NATIONALIST

    def ask(self, position: Position) -> Decision:
        orders = [Begin(start.turn) for start in position.card.starts]
        return Decision(
            side=NATIONALIST,
            stage="begin",
            prompt=say("choose the turn on which the battle begins"),
            rule="12.2.a",
            options=(Option(Begin, examples=listed(orders)),),
            default=orders[0],
        )

    check = checks((begins_on_a_turn_offered,))

    def resolve(self, position: Position, order: Begin) -> Outcome:  # type: ignore[override]
        (start,) = (each for each in position.card.starts if each.turn == order.turn)
        return begun(position, start)


def begun(position: Position, start: Start) -> Outcome:
    """The support points of the start, and the Junta if it is already formed."""
    support = start.support
    began = e.GameBegan(start.turn, support[NATIONALIST], support[REPUBLICAN])
    if starts_with_junta(position):
        return Outcome((began, e.FactSet(JUNTA)))
    return Outcome((began,))


@value
@CITE.serves("12.1.b", "12.3.a", "5.1")
class Opens(AutoStage[Position]):
    """The first stage of all."""

    def run(self, position: Position) -> Outcome:
        starts = position.card.starts
        return Outcome(then=(Begins(),)) if len(starts) > 1 else begun(position, starts[0])


@value
@CITE.serves("1.1.9", "12.2.b", "12.2.c")
class SetUp(PlayerStage[Position]):
    """Asks a side to place the units whose marks leave a choice."""

    side: Side
    units: tuple[str, ...]

    def ask(self, position: Position) -> Decision:
        default = PlaceUnits(spread(position, self.units))
        return Decision(
            side=self.side,
            stage="set_up",
            prompt=say("set up the units"),
            rule=set_up_rule(position, self.side),
            options=(
                Option(
                    PlaceUnits,
                    note=places_told(
                        position, {unit: set_up_places(position, unit) for unit in self.units}
                    ),
                    examples=lambda some: self._ways(position, some),
                ),
            ),
            default=default,
        )

    def _ways(self, position: Position, some: Some) -> Iterator[Example]:
        """The units spread over the areas in turn, each time beginning with another area."""
        turns = max(len(set_up_places(position, unit)) for unit in self.units)
        for first in some(range(turns)):
            yield Example(PlaceUnits(spread(position, self.units, first)))

    check = checks(*SET_UP_CHECKS)

    def resolve(self, position: Position, order: PlaceUnits) -> Outcome:  # type: ignore[override]
        story = Story(position)
        for unit, place in order.units.items():
            story.happen(e.UnitPlaced(unit, place))
        return story.outcome()


@value
@CITE.serves("12.2.b", "12.2.c")
class SetsUp(AutoStage[Position]):
    """Begins a side's set-up, if it has a choice."""

    side: Side

    def run(self, position: Position) -> Outcome:
        units = to_set_up(position, self.side)
        return Outcome(then=(SetUp(self.side, units),) if units else ())


@value
@CITE.serves("3.5.1.a")
class SetUpEnds(AutoStage[Position]):
    """All units are placed: applies what follows at once."""

    def run(self, position: Position) -> Outcome:
        story = Story(position)
        story.settle()
        return story.outcome()

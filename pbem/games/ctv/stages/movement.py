"""8: the movement of a side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.choices import Example, Examples, OneOf, Some
from pbem.engine.model import (
    AutoStage,
    ChanceStage,
    Decision,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Unfolding,
    Violation,
)
from pbem.engine.rules import by_verb
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import columns as arrivals
from pbem.games.ctv.rules import fate, movement
from pbem.games.ctv.rules.naming import judged_by
from pbem.games.ctv.tables import NATIONALIST, REPUBLICAN
from pbem.messages import say
from pbem.value import value

MOVE_CHECKS = judged_by(
    (movement.moves_its_own,), (movement.moves_once, movement.moves_from_one_hex),
    (movement.follows_ways,), (movement.stops_in_zones,), (movement.stays_in_supply,),
    (movement.has_the_points, movement.ends_within_the_limit),
)  # fmt: skip


MOVEMENT: Mapping[Side, str] = {NATIONALIST: "3.B.2", REPUBLICAN: "3.C.2"}


def nothing(stage: object, position: Position, order: Order) -> Iterator[Violation]:
    """For an order that cannot be wrong."""
    return iter(())


@value
class IfRolled(AutoStage[Position]):
    """A stage of chance that may have nothing to roll: then it waits for no dice."""

    stage: ChanceStage[Position]

    def run(self, position: Position) -> Outcome:
        if self.stage.chance(position).draws:
            return Outcome(then=(self.stage,))
        return self.stage.resolve(position, {})


@value
@CITE.serves("6.4")
class Segment(AutoStage[Position]):
    """A movement or combat segment begins; the supply of both sides is judged."""

    side: Side
    segment: str

    def run(self, position: Position) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        story.happen(e.SegmentBegan(self.side, self.segment))
        fate.judge_supply(story)
        return story.outcome()


@value
@CITE.rule("3.B.2", "3.C.2")
class Marching(PlayerStage[Position]):
    """A side moves its ground units and columns, one stack after another."""

    side: Side
    has_column: bool = False
    """Whether the column of this turn has come."""

    def ask(self, position: Position) -> Decision:
        return Decision(
            side=self.side, stage="movement", rule=MOVEMENT[self.side],
            prompt=say("move your units, or end your movement"),
            options=tuple(self._options(position)), default=o.Done(), optional=True,
        )  # fmt: skip

    def _options(self, position: Position) -> Iterator[Option]:
        yield Option(o.Move, examples=self._moves(position))
        is_late = self.has_column or position.moved
        hexes = () if is_late else arrivals.places_for_column(position, self.side)
        if hexes:
            yield Option(o.Column, {"at": OneOf(hexes)})
        yield Option(o.Done)

    def _moves(self, position: Position) -> Examples:
        def found(some: Some) -> Iterator[Example]:
            able = [
                unit
                for unit in (*position.on_map(self.side), *position.columns_on_map(self.side))
                if unit not in position.moved
            ]
            for unit in some(able):
                paths = movement.reachable(position, unit)
                for last in some(tuple(paths)):
                    yield Example(o.Move((unit,), paths[last]))

        return found

    check = by_verb({
        o.Move: MOVE_CHECKS,
        o.Column: judged_by((arrivals.arrives_where_it_may,)),
        o.Done: nothing,
    })  # fmt: skip

    def resolve(self, position: Position, order: Order) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        match order:
            case o.Move(units=units, path=path):
                whole = (position.at(units[0]), *path)
                cost = max(movement.path_cost(position, unit, whole) for unit in units)
                story.happen(e.UnitsMoved(units, path, cost, whole[0]))
                if any(position.printed(unit).is_ground for unit in units):
                    for hex in path:
                        fate.enter(story, self.side, hex)
                return story.outcome(keep=self)
            case o.Column(at=hex):
                column = arrivals.next_column(position, self.side)
                story.happen(e.ColumnArrived(column, hex))
                return story.outcome(keep=Marching(self.side, True))
        return Outcome()

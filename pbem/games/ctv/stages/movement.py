"""8: the movement of a side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.board.movement import reach_told
from pbem.engine import staging as s
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import columns as arrivals
from pbem.games.ctv.rules import cover, fate, movement
from pbem.games.ctv.rules.cover import judged_by
from pbem.games.ctv.rules.naming import place
from pbem.games.ctv.stages.cover import narrow, opened, showings
from pbem.games.ctv.tables import NATIONALIST, REPUBLICAN
from pbem.messages import say
from pbem.value import value

MOVE_CHECKS = judged_by(
    (movement.moves_its_own,),
    (movement.moves_once, movement.moves_from_one_hex, movement.puts_its_own_on_top),
    (movement.follows_ways,), (movement.stops_in_zones,), (movement.stays_in_supply,),
    (movement.has_the_points, movement.ends_within_the_limit),
)  # fmt: skip


MOVEMENT: Mapping[s.Side, str] = {NATIONALIST: "3.B.2", REPUBLICAN: "3.C.2"}


@value
@CITE.serves("6.4")
class Segment(s.AutoStage[Position]):
    """A movement or combat segment begins; the supply of both sides is judged."""

    side: s.Side
    segment: str

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(e.SegmentBegan(self.side, self.segment))
        fate.judge_supply(story)
        return story.outcome(then=showings(story.position))


@value
@CITE.rule("3.B.2", "3.C.2")
class Marching(s.PlayerStage[Position]):
    """A side moves its ground units and columns, one stack after another."""

    side: s.Side
    has_column: bool = False
    """Whether the column of this turn has come."""

    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=self.side, stage="movement", rule=MOVEMENT[self.side],
            prompt=say("move units, or end the movement"),
            options=tuple(self._options(position)), default=o.Done(), optional=True,
        )  # fmt: skip

    def _options(self, position: Position) -> Iterator[s.Option]:
        yield s.Option(o.Move, examples=self._moves(position))
        is_late = self.has_column or position.moved
        if not is_late and (hexes := arrivals.may_come_to(position, self.side)):
            # The same question in every view: the hexes are what one view knows.
            known = arrivals.places_for_column(position.seen(self.side), self.side)
            yield s.Option(o.Column, {"at": s.OneOf(known or hexes)})
        yield s.Option(o.Done)

    def _moves(self, position: Position) -> s.Examples:
        """For those of each hex that move alike one line, with every hex in their reach."""
        seen = position.seen(self.side)

        def found(some: s.Some) -> Iterator[s.Example]:
            for units in some(self._alike(seen)):
                paths = movement.reachable(seen, units[0])
                # What brings units to the enemy is what a player looks for first.
                ends = sorted(paths, key=lambda hex: not seen.is_in_enemy_zone(hex, self.side))
                alone = tuple((unit,) for unit in units)
                for last in tuple(some(ends))[:1]:
                    order = o.Move(units, paths[last])
                    if any(self.check(position, order)):
                        order = o.Move(alone[0], paths[last])
                    told = reach_told(place(seen, seen.at(units[0])), units, ends,
                                      together=len(order.units) > 1)  # fmt: skip
                    yield s.Example(order, told, {
                        "units": tuple(dict.fromkeys((order.units, *alone))),
                        "path": tuple(paths[hex] for hex in ends),
                    })  # fmt: skip

        return found

    def _alike(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The units that have not moved: those of one hex together that may go the same ways."""
        found: dict[tuple[Any, ...], list[str]] = {}
        for unit in (*position.on_map(self.side), *position.columns_on_map(self.side)):
            if unit not in position.moved:
                printed = position.printed(unit)
                has = movement.allowance(position, unit), unit in position.unsupplied
                key = position.at(unit), printed.type, printed.points, printed.is_motorised, has
                found.setdefault(key, []).append(unit)
        return tuple(map(tuple, found.values()))

    check = s.by_verb({
        o.Move: MOVE_CHECKS,
        o.Column: judged_by((arrivals.arrives_where_it_may,)),
        o.Done: s.checks(),
    })  # fmt: skip

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        story, order = opened(position, self, order)
        match order:
            case o.Move(units=units, path=path):
                position = story.position
                could = cover.who_could(position, self, order)
                whole = (position.at(units[0]), *path)
                cost = max(
                    min(
                        movement.path_cost(position, each, whole)
                        for each in could.get(unit, (unit,))
                    )
                    for unit in units
                )
                story.happen(e.UnitsMoved(units, path, cost, whole[0]))
                narrow(story, could)
                if any(position.printed(unit).is_ground for unit in units):
                    for hex in path:
                        fate.enter(story, self.side, hex)
                return story.outcome(keep=self)
            case o.Column(at=hex):
                column = arrivals.next_column(story.position, self.side)
                story.happen(e.ColumnArrived(column, hex))
                return story.outcome(keep=Marching(self.side, True))
        return s.Outcome()

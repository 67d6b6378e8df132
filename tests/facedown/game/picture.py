"""What is to be seen of Fog on the Ridge: its hexes, and what one side may see in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.fog import events as e
from pbem.games.fog.position import GRID, PEOPLE, SIDES, Position, Tables

from pbem.board.borders import borders
from pbem.engine import picture as p
from pbem.engine.model import Event, Side
from pbem.engine.tags import is_tag
from pbem.messages import say

SHAPES = {"foot": "cross", "horse": "chevron", "gun": "star", "sappers": "crescent"}
KINDS = {
    "foot": say("foot"), "horse": say("horse"), "gun": say("gun"), "sappers": say("sappers"),
}  # fmt: skip
HIDDEN = {side: say("a counter of {side}", side=say(PEOPLE[side])) for side in SIDES}
SIZE = 400
LEFT, TOP = 600, 1900
HILL = p.Sign("triangle", say("hill"), "^")
AIM = p.Sign("star", say("objective"), "*")
FIELD, RIDGE = say("Fields"), say("The ridge")


class FogPicture:
    """The capability, over what is printed."""

    def __init__(self, board: Tables) -> None:
        self._board = board

    def board(self, drawing: p.Drawing) -> p.Board:
        board = self._board
        return p.Board(
            title="Fog on the Ridge",
            parties=tuple(p.Party(side, say(side.capitalize()), side[0].upper()) for side in SIDES),
            spots=tuple(self._spots()),
            links=tuple(self._links()),
            calendar=p.Calendar(
                tuple(say("turn {number}", number=n) for n in range(1, board.turns + 1))
            ),
            legend=(HILL, AIM, *(p.Sign(shape, KINDS[kind]) for kind, shape in SHAPES.items())),
            space="hex",
        )

    def _links(self) -> Iterator[p.Link]:
        board = self._board
        for hex in board.hexes:
            for near in GRID.around(hex)[:3]:
                if near in board.hexes:
                    crossed = board.sides.between(hex, near)
                    wet = "river" in crossed and "bridge" not in crossed
                    barred = "cliff" in crossed
                    said = say("over the river") if wet else say("a cliff") if barred else ""
                    yield p.Link(hex, near, "side", said, wet or barred)

    def _spots(self) -> Iterator[p.Spot]:
        board = self._board
        for hex in sorted(board.hexes, key=lambda each: (each not in board.hills, each)):
            on_hill = hex in board.hills
            traits = ((HILL,) if on_hill else ()) + ((AIM,) if hex in board.objectives else ())
            ground = "peaks" if on_hill else ""
            yield p.Spot(
                hex, hex, self._moved(GRID.centre(hex, SIZE)), RIDGE if on_hill else FIELD,
                traits=traits, ground=ground,
            )  # fmt: skip

    def scene(self, position: Position, viewer: Side | None) -> p.Scene:
        return p.Scene(
            turn=max(1, position.turn),
            places={hex: self._place(position, hex, viewer) for hex in self._board.hexes},
            camps=tuple(self._camp(position, side, viewer) for side in SIDES),
            tracks=(p.Track(say("Turn"), position.turn, 0, self._board.turns),),
            notes=(),
        )

    def _place(self, position: Position, hex: str, viewer: Side | None) -> p.Place:
        units = tuple(self._unit(position, name, viewer) for name in position.at(hex))
        return p.Place(position.holder(hex), units)

    def _unit(self, position: Position, name: str, viewer: Side | None, steps: int = 1) -> p.Unit:
        side = position.side_of(name)
        face = position.face(name) if viewer == side or not is_tag(name) else ""
        if not face:
            return p.Unit("", side, "cross", HIDDEN[side], HIDDEN[side], None, steps, 1, tag=name)
        kind = self._board.kind_of[face]
        strength = self._board.printed(face).strength
        return p.Unit(face, side, SHAPES[kind], KINDS[kind], KINDS[kind], strength, steps, 1)

    def _camp(self, position: Position, side: Side, viewer: Side | None) -> p.Camp:
        lost = [name for name in position.lost if position.side_of(name) == side]
        waiting = position.waiting[side]
        boxes = []
        if waiting:
            units = tuple(self._unit(position, name, viewer) for name in waiting)
            boxes.append((say("Reserve"), units))
        if lost:
            boxes.append(
                (say("Lost"), tuple(self._unit(position, name, viewer, 0) for name in lost))
            )
        return p.Camp(side, boxes=tuple(boxes))

    def strokes(self, event: Event[Any], position: Position) -> tuple[p.Stroke, ...]:
        match event:
            case e.CounterMarched(unit=unit, start=start, path=path):
                return (p.Stroke("move", position.side_of(unit), (start, *path)),)
        return ()

    def sheet(self, drawing: p.Drawing) -> p.Sheet:
        board = self._board
        cells = {hex: tuple(map(self._moved, GRID.corners(hex, SIZE))) for hex in board.hexes}
        edges = borders(cells)
        rivers = board.sides.sides("river")
        return p.Sheet(
            size=(11200, 5600),
            cells={hex: (ring,) for hex, ring in cells.items()},
            edges=edges,
            grid=8,
            banks=tuple(line for a, b, line in edges if frozenset((a, b)) in rivers),
            labels={
                hex: p.Label((hex,), (200,), (-100, -SIZE * 8 // 10), 90, "m")
                for hex in board.hexes
            },
            boxes={"title": (200, 200), "legend": (4600, 200), "tracks": (7000, 200)},
        )

    def _moved(self, point: p.Point) -> p.Point:
        west, north = GRID.centre(min(self._board.hexes), SIZE)
        return point[0] - west + LEFT, point[1] - north + TOP

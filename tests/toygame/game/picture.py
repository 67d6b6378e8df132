"""What is to be seen of Two Hills: its hexes, and who stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.toy import events as e
from pbem.games.toy.narration import STANCES
from pbem.games.toy.position import GRID, SIDES, Position, Tables

from pbem.board.borders import borders
from pbem.engine import picture as p
from pbem.engine.model import Event, Side
from pbem.messages import say

SHAPES = {"legion": "cross", "tabor": "crescent", "brigade": "chevron", "guard": "star"}
SIZE = 400
"""The length of a hexside."""
LEFT, TOP = 600, 1900
KINDS = {
    "legion": say("legion"), "tabor": say("tabor"), "brigade": say("brigade"),
    "guard": say("guard"),
}  # fmt: skip
HILL = p.Sign("triangle", say("hill"), "^")
NOWHERE = say("The plain")


class TwoHillsPicture:
    """The capability, over what is printed."""

    def __init__(self, board: Tables) -> None:
        self._board = board

    def board(self, drawing: p.Drawing) -> p.Board:
        board = self._board
        return p.Board(
            title="Two Hills",
            parties=tuple(p.Party(side, say(side.capitalize()), side[0].upper()) for side in SIDES),
            spots=tuple(self._spots()),
            links=tuple(self._links()),
            calendar=p.Calendar(
                tuple(say("turn {number}", number=n) for n in range(1, board.turns + 1))
            ),
            legend=(HILL, *(p.Sign(shape, KINDS[kind]) for kind, shape in SHAPES.items())),
            space="hex",
        )

    def _links(self) -> Iterator[p.Link]:
        for hex in self._board.hexes:
            for near in GRID.around(hex)[:3]:
                is_wet = frozenset((hex, near)) in self._board.stream
                if near in self._board.hexes:
                    yield p.Link(
                        hex, near, "side", say("over the stream") if is_wet else "", is_wet
                    )

    def _spots(self) -> Iterator[p.Spot]:
        areas = self._board.areas
        named = {
            hex: say("Area {number}", number=areas.of(hex))
            for hex in self._board.hexes
            if areas.of(hex)
        }
        for hex in sorted(self._board.hexes, key=lambda each: (each not in named, each)):
            traits = (HILL,) if hex in named else ()
            ground = "peaks" if hex in named else ""
            yield p.Spot(
                hex, hex, self._at(hex), named.get(hex, NOWHERE), traits=traits, ground=ground
            )

    def _at(self, hex: str) -> p.Point:
        return self._moved(GRID.centre(hex, SIZE))

    def scene(self, position: Position, viewer: Side | None) -> p.Scene:
        return p.Scene(
            turn=position.turn,
            places={hex: self._place(position, hex) for hex in self._board.hexes},
            camps=tuple(self._camp(position, side) for side in SIDES),
            tracks=(p.Track(say("Impulse"), position.impulse, 0, 9),),
            notes=tuple(
                say("the chit of the turn is {chit}", chit=chit) for chit in position.chits[-1:]
            ),
        )

    def _place(self, position: Position, hex: str) -> p.Place:
        unit = position.units_at.get(hex)
        return p.Place(position.holder(hex), (self._unit(unit),) if unit else ())

    def _unit(self, unit: str, steps: int = 1) -> p.Unit:
        kind = self._board.kind_of[unit]
        return p.Unit(
            unit, self._board.side_of[unit], SHAPES[kind], KINDS[kind], KINDS[kind], 1, steps, 1
        )

    def _camp(self, position: Position, side: Side) -> p.Camp:
        lost = [unit for unit in position.lost if self._board.side_of[unit] == side]
        plan = position.plans.get(side)
        return p.Camp(
            side,
            boxes=((say("Lost"), tuple(self._unit(unit, 0) for unit in lost)),) if lost else (),
            facts=(say("the plan is {plan}", plan=STANCES[plan]),) if plan else (),
        )

    def strokes(self, event: Event[Any], position: Position) -> tuple[p.Stroke, ...]:
        match event:
            case e.UnitMarched(unit=unit, path=path):
                return (p.Stroke("move", self._board.side_of[unit], path),)
            case e.VolleyFired(unit=unit, at=at, is_hit=is_hit):
                side, here = self._board.side_of[unit], position.places[unit]
                return (
                    p.Stroke("attack", side, (here, at), say("hit") if is_hit else say("miss")),
                )
        return ()

    def sheet(self, drawing: p.Drawing) -> p.Sheet:
        board = self._board
        cells = {hex: tuple(map(self._moved, GRID.corners(hex, SIZE))) for hex in board.hexes}
        edges = borders(cells)
        return p.Sheet(
            size=(11200, 5000),
            cells={hex: (ring,) for hex, ring in cells.items()},
            edges=edges,
            grid=8,
            banks=tuple(line for a, b, line in edges if frozenset((a, b)) in board.stream),
            labels={
                hex: p.Label((hex,), (200,), (-100, -SIZE * 8 // 10), 90, "m")
                for hex in board.hexes
            },
            boxes={"title": (200, 200), "legend": (4600, 200), "tracks": (7000, 200)},
        )

    def _moved(self, point: p.Point) -> p.Point:
        west, north = GRID.centre(min(self._board.hexes), SIZE)
        return point[0] - west + LEFT, point[1] - north + TOP

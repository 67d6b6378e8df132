"""The table: where each unit stands, whose impulse it is, and what was planned and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.board.areas import Areas
from pbem.board.graph import Graph
from pbem.board.hexes import Grid
from pbem.engine.model import Side
from pbem.messages import marked
from pbem.value import replace, value

AMBER, VIOLET = Side("amber"), Side("violet")
SIDES = (AMBER, VIOLET)
PEOPLE = {AMBER: marked("Amber"), VIOLET: marked("Violet")}
ENEMY: Mapping[Side, Side] = {AMBER: VIOLET, VIOLET: AMBER}
GRID = Grid("even")


def hexes(plain: Mapping[str, Any]) -> tuple[str, ...]:
    """The hexes of a map, column by column."""
    (west, east), (north, south) = plain["columns"], plain["rows"]
    columns, rows = range(west, east + 1), range(north, south + 1)
    return tuple(GRID.name(column, row) for column in columns for row in rows)


class Tables:
    """Everything that is printed."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.hexes = hexes(plain["map"])
        self.stream = frozenset(map(frozenset, plain["map"]["stream"]))
        self.graph: Graph = GRID.graph(self.hexes, self.stream)
        self.areas = Areas(plain["map"]["areas"])
        self.side_of: dict[str, Side] = {
            each["id"]: Side(each["side"]) for each in plain["units"]["units"]
        }
        self.kind_of: dict[str, str] = {
            each["id"]: each["kind"] for each in plain["units"]["units"]
        }
        self.impulses: dict[str, int] = {
            each["id"]: each["impulses"] for each in plain["chits"]["chits"]
        }
        self.turns: int = plain["game"]["turns"]
        self.scenarios: Mapping[str, Any] = {
            name: plain["scenarios"][name] for name in plain["game"]["scenarios"]
        }


@value
class Position:
    """A table of Two Hills. `impulse` counts from 1 in a turn; 0 stands for what is before."""

    board: Tables
    scenario: str
    places: Mapping[str, str]
    turn: int = 1
    impulse: int = 0
    active: Side = AMBER
    plans: Mapping[Side, str] = {}
    chits: tuple[str, ...] = ()
    """Those drawn so far; the last is the one of the turn."""
    lost: tuple[str, ...] = ()
    result: tuple[str, str] | None = None

    @cached_property
    def units_at(self) -> dict[str, str]:
        """The unit in each hex that has one."""
        return {hex: unit for unit, hex in self.places.items()}

    def holder(self, hex: str) -> Side | None:
        """The side whose unit stands in a hex."""
        unit = self.units_at.get(hex)
        return self.board.side_of[unit] if unit else None

    def units_of(self, side: Side) -> tuple[str, ...]:
        """The units of a side on the map."""
        return tuple(unit for unit in self.places if self.board.side_of[unit] == side)

    def areas_of(self, side: Side) -> tuple[str, ...]:
        """The areas in which a side has units and the other has none."""
        return tuple(area for area in self.board.areas.members if set(self._there(area)) == {side})

    def _there(self, area: str) -> Iterator[Side]:
        held = map(self.holder, self.board.areas[area])
        return (side for side in held if side is not None)

    @property
    def left_in_cup(self) -> tuple[str, ...]:
        """The chits that were not drawn yet."""
        return tuple(chit for chit in self.board.impulses if chit not in self.chits)

    def but(self, **changes: Any) -> Position:
        """A copy with other facts."""
        return replace(self, **changes)

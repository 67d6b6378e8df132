"""5.6.6: victory points, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import DESTROYED, Position
from pbem.games.nopasaran.rules import command
from pbem.games.nopasaran.tables import ENEMY, NATIONALIST, REPUBLICAN, SIDES
from pbem.value import value


@value
class Scored:
    """One row of the victory points: whose, the row as the scenario has it, and what it gives."""

    side: Side
    row: Mapping[str, Any]
    points: int


@CITE.rule("5.6.6")
def scored(position: Position) -> Iterator[Scored]:
    """Every row of the scenario, with what it gives as things stand."""
    for row in position.plain["points"]:
        side = Side(row["side"])
        times = _times(position, side, row)
        yield Scored(side, row, times * row["points"])


@CITE.serves("5.6.6")
def _times(position: Position, side: Side, row: Mapping[str, Any]) -> int:
    match row["for"]:
        case "control":
            return int(position.control[row["hex"]] == side)
        case "road_cut":
            return int(is_cut(position, side, row))
        case "losses":
            # reading: fractions are dropped.
            return int(position.losses.get(ENEMY[side], 0) // row["each"])
        case "bank_clear":
            return int(is_clear(position, ENEMY[side], row["bank"]))
        case _:
            return int(position.state_of_bridge(row["bridge"]) == DESTROYED)


def is_cut(position: Position, side: Side, row: Mapping[str, Any]) -> bool:
    """Whether a unit that can attack, in command, stands on a section of a road."""
    road = position.ground.road(row["road"])
    first, last = sorted((road.index(row["from"]), road.index(row["to"])))
    return any(
        position.printed(unit).is_combat and command.in_command(position, unit)
        for hex in road[first : last + 1]
        for unit in position.units_at(hex, side)
    )


@CITE.serves("5.6.6")
def is_clear(position: Position, side: Side, bank: str) -> bool:
    """Whether no unit of a side that can attack is over the river from its own edge, on the side of
    a hex.
    """
    # reading: over that river is all land beyond it, on whichever bank of others.
    there = position.ground.beyond(bank, side)
    return not any(
        position.printed(unit).is_combat
        for unit in position.on_map(side)
        if position.at(unit) in there
    )


def points(position: Position) -> Mapping[Side, int]:
    """The victory points of both sides."""
    found = dict.fromkeys(SIDES, 0)
    for each in scored(position):
        found[each.side] += each.points
    return found


def level(position: Position) -> Mapping[str, Any]:
    """The level of victory that the difference of the points reaches."""
    counted = points(position)
    difference = counted[NATIONALIST] - counted[REPUBLICAN]
    rows = position.plain["levels"]
    found: Mapping[str, Any] = next(
        row for row in rows if "from" not in row or difference >= row["from"]
    )
    return found

"""3.3: which units are in supply; 2.7, 10: which roads are cut."""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import ADJACENT_NEVER
from pbem.games.madrid.position import Position
from pbem.games.madrid.tables import MADRID, NATIONALIST, REPUBLICAN


@CITE.rule("3.3.1")
def sources(position: Position, side: Side) -> tuple[str, ...]:
    """The supply sources of a side: its boxes, and for the Republicans Madrid."""
    # reading: Madrid is a source only while the Republicans control it.
    boxes = [box for box, owner in position.board.boxes.items() if owner == side]
    holds_madrid = position.control[MADRID] == side == REPUBLICAN
    return (*boxes, MADRID) if holds_madrid else tuple(boxes)


@CITE.rule("3.3.2")
def supplied_places(position: Position, side: Side) -> frozenset[str]:
    """The sources, and every area linked to one by a chain of friendly areas."""
    # reading: control alone makes a link, whether or not the area is contested.
    key = "supplied", side
    if key not in position.memo:
        friendly = {area for area, holder in position.control.items() if holder == side}
        position.memo[key] = position.board.graph.reach(sources(position, side), friendly)
    found: frozenset[str] = position.memo[key]
    return found


@CITE.rule("3.3.3")
def supplied_units(position: Position, side: Side) -> tuple[str, ...]:
    """The units of a side on the map that are in supply."""
    # reading: in an enemy area units are in supply if an adjacent friendly area or own box is.
    places = supplied_places(position, side)
    looks_around = ADJACENT_NEVER not in position.options
    near = position.board.graph.neighbours
    return tuple(
        unit
        for unit, printed in position.board.units.items()
        if printed.side == side
        and position.is_on_map(unit)
        and (
            position.places[unit] in places
            or (looks_around and any(each in places for each in near(position.places[unit])))
        )
    )


@CITE.rule("10.c")
def cut_roads(position: Position) -> tuple[str, ...]:
    """The supply roads with a non-urban area that is Nationalist and in Nationalist supply."""
    # reading: control is enough, whether or not a unit is there.
    held = supplied_places(position, NATIONALIST)
    board = position.board
    return tuple(road for road in board.roads if held.intersection(board.is_cut_by(road)))

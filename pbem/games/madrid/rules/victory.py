"""10, 12: how the battle is won."""

from __future__ import annotations

from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import POINTS_ONCE
from pbem.games.madrid.position import ELIMINATED, Position
from pbem.games.madrid.rules.supply import cut_roads, supplied_places, supplied_units
from pbem.games.madrid.tables import MADRID, NATIONALIST
from pbem.messages import marked

MADRID_FALLS = marked("Madrid has fallen")
ROADS_ARE_CUT = marked("all roads to Madrid are cut")
POINTS_WON = marked("the points suffice")
POINTS_LOST = marked("the points do not suffice")
MADRID_HOLDS = marked("Madrid holds out")


@CITE.rule("10.a")
def madrid_falls(position: Position) -> bool:
    """Whether the Nationalists control Madrid, in their supply."""
    return MADRID in supplied_places(position, NATIONALIST)


@CITE.rule("10.b")
def roads_are_cut(position: Position) -> bool:
    return len(cut_roads(position)) == len(position.board.roads)


@CITE.rule("12.1.e")
def points(position: Position) -> dict[str, int]:
    """The Nationalist points of scenario 1, by their reason."""
    # reading: each urban area and each road counts; 4 points or more win.
    chart, board = position.card.points, position.board
    most = 1 if POINTS_ONCE in position.options else len(position.board.areas)
    urban = [area for area in board.urban if position.control[area] == NATIONALIST]
    there = [
        unit for unit in supplied_units(position, NATIONALIST) if position.places[unit] == MADRID
    ]
    level = board.levels[position.morale]
    morale = 0 if level == "crumbling" else chart["bad" if level == "bad" else "fragile"]
    dead = len(position.units_at(ELIMINATED, NATIONALIST))
    return {
        "urban areas": chart["urban"] * min(most, len(urban)),
        "roads cut": chart["road"] * min(most, len(cut_roads(position))),
        "units in Madrid": chart["madrid"] if len(there) >= chart["madrid_units"] else 0,
        "Republican morale": morale,
        "eliminated units": chart["eliminated"] if dead >= chart["eliminated_units"] else 0,
    }

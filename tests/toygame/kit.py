"""What the contract suite has to know of Two Hills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.contract.kits import Kit, Search, Way
from tests.contract.playing import Player


def faults(position: Any) -> Iterator[str]:
    """Each unit in one place: in a hex of the map, or lost."""
    for unit, hex in position.places.items():
        if hex not in position.board.hexes:
            yield f"{unit} is in {hex}, which is no hex"
        if unit in position.lost:
            yield f"{unit} is lost and on the map"


def accounts(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Units leave the map by being lost, and in no other way."""
    gone = before.places.keys() - after.places.keys()
    if gone and type(event).__name__ != "UnitLost":
        yield f"{type(event).__name__} takes {', '.join(sorted(gone))} away"


def counts(position: Any) -> dict[str, int]:
    return {
        "units": len(position.places) + len(position.lost),
        "chits": len(position.chits) + len(position.left_in_cup),
    }


def due(position: Any) -> dict[str, int]:
    units = position.board.scenarios[position.scenario]["units"]
    return {"units": len(units), "chits": len(position.board.impulses)}


def searches() -> dict[str, Search]:
    """Random games end in every way sooner or later."""
    return {way: Search("dusk", Player) for way in KIT.ways}


LAST, NOBODY = "the last turn is over", "nobody is left to fight on"

KIT = Kit(
    written_out=lambda position, options: None,
    options=frozenset(),
    is_long_enough=lambda position: False,
    faults=faults,
    accounts=accounts,
    counts=counts,
    due=due,
    is_at_rest=lambda decision: True,
    policies=(),
    searches=searches,
    ways={
        "areas_amber": Way("4.1", "amber", LAST),
        "areas_violet": Way("4.1", "violet", LAST),
        "areas_even": Way("4.1", None, LAST),
        "units_amber": Way("4.2", "amber", NOBODY),
        "units_violet": Way("4.2", "violet", NOBODY),
    },
)

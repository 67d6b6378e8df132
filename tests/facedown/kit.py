"""What the contract suite has to know of Fog on the Ridge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.contract.kits import Hidden, HiddenInScene, Kit, Search, Way
from tests.contract.playing import Player


def faults(position: Any) -> Iterator[str]:
    """Each counter in one place: in a hex of the map, waiting, or lost."""
    for name, hex in position.places.items():
        if hex not in position.board.hexes:
            yield f"{name} is in {hex}, which is no hex"
    named = [*position.in_play, *position.lost]
    if len(set(named)) != len(named):
        yield "a counter is in two places"


def accounts(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Counters leave the map by being lost, and in no other way."""
    gone = len(before.places) - len(after.places)
    if gone > 0 and type(event).__name__ != "CounterLost":
        yield f"{type(event).__name__} takes {gone} away"


def counts(position: Any) -> dict[str, int]:
    return {"counters": len(position.in_play) + len(position.lost)}


def due(position: Any) -> dict[str, int]:
    return {"counters": len(position.board.side_of)}


def searches() -> dict[str, Search]:
    """Random games end in every way sooner or later."""
    return {way: Search("noon", Player, options=("open_units",)) for way in KIT.ways}


def names(position: Any, side: str) -> tuple[str, ...]:
    """The counters of a side, as far as a view knows them."""
    own = [name for name in position.in_play if position.side_of(name) == side]
    return tuple(face for name in own if (face := position.face(name)))


def held(position: Any, side: str) -> tuple[str, ...]:
    """Those of them that lie face down."""
    own = [name for name in position.in_play if position.side_of(name) == side and "/" in name]
    return tuple(position.face(name) for name in own)


def units(scene: Any, side: str) -> list[Any]:
    """The counters of a side in a scene, on the map and beside it."""
    boxes = [box for camp in scene.camps if camp.side == side for _, box in camp.boxes]
    return [
        unit
        for these in (*(place.units for place in scene.places.values()), *boxes)
        for unit in these
        if unit.side == side
    ]


def named(scene: Any, side: str) -> tuple[str, ...]:
    return tuple(unit.id for unit in units(scene, side) if unit.id)


def unseen(scene: Any, side: str) -> int:
    return sum(not unit.id for unit in units(scene, side))


def without(scene: Any, side: str) -> Any:
    """How many counters of a side lie where, and all the rest."""

    def count(these: Any) -> tuple[Any, ...]:
        others = [unit for unit in these if unit.side != side]
        return (*others, len(these) - len(others))

    places = {hex: (each.control, count(each.units)) for hex, each in scene.places.items()}
    camps = [(camp.side, [(title, count(box)) for title, box in camp.boxes])
             for camp in scene.camps]  # fmt: skip
    return scene.turn, places, camps


LAST, NOBODY = "the last turn is over", "nobody is left to fight on"

KIT = Kit(
    written_out=lambda position, options: None,
    options=frozenset({"open_units"}),
    is_long_enough=lambda position: False,
    faults=faults,
    accounts=accounts,
    counts=counts,
    due=due,
    is_at_rest=lambda decision: True,
    policies=({"retreat": ["0101", "0504"]},),
    searches=searches,
    hidden=Hidden(
        option_off="open_units",
        names=names,
        held=held,
        secret=lambda position: {**position.down.faces, **position.notes},
        scene=HiddenInScene(named, unseen, without),
        in_words=False,
        is_passive=lambda position: position.step == "fight",
        lists={"ambush_n": "A", "ambush_s": "B"},
    ),
    ways={
        "objectives_north": Way("8.1", "north", LAST),
        "objectives_south": Way("8.1", "south", LAST),
        "objectives_even": Way("8.1", None, LAST),
    },
)

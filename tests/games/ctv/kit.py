"""What the contract suite has to know of Santander 1937."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.engine.naming import names_in
from pbem.engine.practice import chosen
from pbem.engine.tags import is_tag
from pbem.gamedata.load import load
from pbem.games.ctv import events as e
from pbem.games.ctv import practice
from pbem.games.ctv.orders import Attack, Move
from pbem.games.ctv.position import (
    ASIDE,
    AVAILABLE,
    ELIMINATED,
    OFF,
    OUT,
    SURRENDERED,
    WITHDRAWN,
)  # fmt: skip
from pbem.games.ctv.rules import war
from pbem.games.ctv.rules.cover import takes
from pbem.games.ctv.tables import AIR, COLUMN, HEADQUARTERS, NATIONALIST, REPUBLICAN, SIDES
from tests.contract.kits import Hidden, HiddenInScene, Kit, Playouts, Search, Way
from tests.contract.playing import Player

GROUND, PLANES, TRUCKS = "ground units", "air units", "supply columns"
BOXES: Mapping[str, frozenset[str]] = {
    GROUND: frozenset({ASIDE, OUT, ELIMINATED, WITHDRAWN, SURRENDERED}),
    PLANES: frozenset({AVAILABLE, OFF, ELIMINATED, WITHDRAWN}),
    TRUCKS: frozenset({ASIDE}),
}
"""Where what is in no hex can be."""
TURNS = 2
"""A playout of every day ends with its second turn."""


@cache
def data() -> Mapping[str, Any]:
    """The data as they are printed, with which the rules have nothing to do."""
    tables = load("ctv").tables
    return {each: tables[each] for each in ("map", "units", "tables", "scenarios")}


def kind_of(position: Any, unit: str) -> str:
    """Whether something holds ground, flies, or brings ammunition."""
    type = position.printed(unit).type
    return PLANES if type == AIR else TRUCKS if type == COLUMN else GROUND


# ------------------------------------------------------------------- what is true of a position


def faults(position: Any) -> Iterator[str]:
    """What is in no place, at sea, with an enemy or in a state that cannot be."""
    yield from _misplaced(position)
    yield from _crowded(position)
    yield from _worn(position)
    ends = position.board.charts["morale"]["marker"]
    if not 0 <= position.marker <= ends["most"]:
        yield f"the marker of morale is at {position.marker}"
    if war.victory_points(position) != points(position):
        yield f"{war.victory_points(position)} points are counted, and control says otherwise"
    for hex in position.trenches:
        if position.control[hex] != REPUBLICAN:
            yield f"a trench is in {hex}, which the Republicans do not control"


def _misplaced(position: Any) -> Iterator[str]:
    land = set(position.board.hexes)
    if position.places.keys() != position.board.units.keys():
        yield "a unit is nowhere, or something that is no unit is somewhere"
    if position.control.keys() != land or not {*position.control.values()} <= {*SIDES}:
        yield "a hex of land has no controller, or something else has one"
    for unit, place in position.places.items():
        kind = kind_of(position, unit)
        if place not in BOXES[kind] and (place not in land or kind == PLANES):
            yield f"{unit} is in {place}, which is no place for it"
    off = {unit for unit, place in position.places.items() if place == OFF}
    if off != position.back.keys():
        yield f"{off} are off, and {position.back.keys()} come back"


def _crowded(position: Any) -> Iterator[str]:
    """Who shares a hex, told without the position's own stacks."""
    there: dict[str, list[str]] = {}
    for unit, place in position.places.items():
        if place in position.control:
            there.setdefault(place, []).append(unit)
    for hex, units in there.items():
        sides = {position.side_of(unit) for unit in units}
        if len(sides) > 1:
            yield f"{units} of both sides are in {hex}"
        is_held = any(kind_of(position, unit) == GROUND for unit in units)
        if is_held and sides != {position.control[hex]}:
            yield f"{units} are in {hex}, which {position.control[hex]} controls"
        types = Counter(position.printed(unit).type for unit in units)
        if any(types[type] > 1 for type in (HEADQUARTERS, COLUMN)):
            yield f"{units} are together in {hex}"


def _worn(position: Any) -> Iterator[str]:
    """Steps and levels: of units that are there to have them."""
    for unit, lost in position.lost.items():
        if not 0 < lost < position.printed(unit).steps:
            yield f"{unit} has lost {lost} steps"
        if not position.at(unit) and position.places[unit] != WITHDRAWN:
            yield f"{unit} has lost steps and is {position.places[unit]}"
    for unit, level in position.levels.items():
        if not 1 <= level <= 3 or not position.at(unit):
            yield f"{unit} is disorganised to level {level} in {position.places[unit]}"
    for unit in position.unsupplied:
        if not position.at(unit):
            yield f"{unit} lacks supply and is {position.places[unit]}"
    for column in (each for each in position.used if kind_of(position, each) == TRUCKS):
        yield f"{column} is used like a gun"


def points(position: Any) -> int:
    """The points of the Nationalists, counted from the map as it is printed (14)."""
    plain = data()
    chart, factory = plain["tables"]["victory"], plain["tables"]["factory"]["hex"]
    starred = {hex["id"]: hex["points"] for hex in plain["map"]["hexes"] if "points" in hex}
    if not position.factory:
        del starred[factory]
    found = sum(n for hex, n in starred.items() if position.control[hex] == NATIONALIST)
    brigades = [each["id"] for each in plain["units"]["units"] if each.get("brigade")]
    dead = sum(position.places[unit] == ELIMINATED for unit in brigades)
    return int(found + chart["bonus"] * (dead >= chart["brigades"]))


# ------------------------------------------------------------------- what an event may change


def _units(*fields: str) -> Any:
    """The units that an event names in these fields."""

    def found(event: Any) -> set[str]:
        named: set[str] = set()
        for field in fields:
            value = getattr(event, field)
            named |= {value} if isinstance(value, str) else {*value}
        return named

    return found


MOVES: Mapping[type, Any] = {
    e.UnitsPlaced: _units("units"), e.UnitsMoved: _units("units"),
    e.UnitsAdvanced: _units("units"), e.StackRetreated: _units("units"),
    e.ArmourRolled: _units("missing"), e.LeftOut: _units("units"),
    e.ColumnArrived: _units("column"), e.ColumnLost: _units("column"),
    e.ColumnsUsedUp: _units("columns"), e.ShotDown: _units("unit"), e.AirRolled: _units("unit"),
    e.UnitEliminated: _units("unit"), e.UnitWithdrawn: _units("unit"),
    e.BrigadeSurrendered: _units("unit"), e.BattalionFormed: _units("unit"),
}  # fmt: skip
"""The events that bring units elsewhere, each with the units that it names; a turn that begins
brings back air units that were off.
"""
GOES = (e.UnitEliminated, e.UnitWithdrawn, e.BrigadeSurrendered)


def accounts(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Places, steps, levels, control, the marker: each changes by events that say so."""
    name = type(event).__name__
    moved = {unit for unit, place in after.places.items() if before.places.get(unit) != place}
    named = MOVES[type(event)](event) if type(event) in MOVES else set[str]()
    back = {*before.back} - {*after.back} if isinstance(event, e.TurnBegan) else set[str]()
    if not moved <= named | back:
        yield f"{name} moves {moved - named - back}"
    if gone := steps(before) - steps(after) - _steps_told(event, before):
        yield f"{name} loses {gone} steps that it does not tell"
    if before.levels != after.levels and not isinstance(
        event, e.Disorganised | e.TurnEnded | GOES[0] | GOES[1] | GOES[2]
    ):
        yield f"{name} changes disorganisation"
    if isinstance(event, e.HexTaken):
        changed = {hex for hex, side in after.control.items() if before.control[hex] != side}
        if changed != {event.hex}:
            yield f"{event.hex} is taken, and {changed} change hands"
    elif before.control != after.control:
        yield f"{name} changes control"
    step = after.marker - before.marker
    if step not in ((0, event.by) if isinstance(event, e.MarkerMoved) else (0,)):
        yield f"{name} moves the marker by {step}"
    dug = isinstance(event, e.TrenchDug)
    if not dug and after.trenches - before.trenches:
        yield f"{name} digs a trench"


def steps(position: Any) -> int:
    """The steps of all ground units on the map."""
    return sum(
        position.printed(unit).steps - position.lost.get(unit, 0)
        for unit, place in position.places.items()
        if place in position.control and kind_of(position, unit) == GROUND
    )


def _steps_told(event: Any, before: Any) -> int:
    """How many steps leave the map by an event; fewer than none where units come to it."""

    def held(units: Iterable[str]) -> int:
        ground = [unit for unit in units if kind_of(before, unit) == GROUND]
        return sum(before.printed(unit).steps - before.lost.get(unit, 0) for unit in ground)

    if isinstance(event, e.StepLost):
        return 1
    if isinstance(event, GOES):
        return held([event.unit]) if before.at(event.unit) else 0
    if isinstance(event, e.UnitsPlaced):
        return -held(event.units)
    return -held([event.unit]) if isinstance(event, e.BattalionFormed) else 0


def counts(position: Any) -> dict[str, int]:
    """What there is of each kind on each side, wherever it is."""
    found = Counter(
        f"{position.side_of(unit)} {kind_of(position, unit)}"
        for unit, place in position.places.items()
        if place in position.control or place in BOXES[kind_of(position, unit)]
    )
    return {each: found[each] for each in due(position)}


def due(position: Any) -> dict[str, int]:
    """The counters of the game, as the data have them."""
    plain = data()["units"]
    found = Counter(f"{each['side']} {PLANES if each['type'] == AIR else GROUND}"
                    for each in plain["units"])  # fmt: skip
    return {**found, **{f"{side} {TRUCKS}": plain["columns"][side]["most"] for side in SIDES}}


def written_out(position: Any, options: tuple[str, ...]) -> dict[str, Any] | None:
    """The turns that are left, and the trenches; where units are a scenario does not say."""
    scenario = data()["scenarios"][position.scenario]
    left = scenario["turns"] - position.turn + 1
    return {**scenario, "id": "written_out", "turns": min(left, scenario["turns"]),
            "trenches": len(position.trenches)}  # fmt: skip


def words(tables: Mapping[str, Any]) -> Iterator[str]:
    """The names of units, as a log tells them; hexes are called as they are everywhere."""
    yield from (unit["name"] for unit in tables["units"]["units"])


class Hasty(Player):
    """The Nationalists of the practice player, who break off their march in a hurry one time in
    five, against Republicans who mostly stay where they are. Such games end in every way.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, bold=0.1)

    def order(self, state: Any, decision: Any) -> Any:
        if decision.side != NATIONALIST:
            return super().order(state, decision)
        if decision.stage == "movement" and self.rng.random() < 0.2:
            return decision.default
        return chosen(practice, state).order


def searches() -> dict[str, Search]:
    return {way: Search("santander", Player if way == "short" else Hasty) for way in KIT.ways}


# ------------------------------------------------------------------- covered counters


def names(position: Any, side: str) -> tuple[str, ...]:
    """The counters of a side that may lie covered, as far as a view knows their places."""
    own = [name for name in position.places if position.side_of(name) == side]
    return tuple(face for name in own if (face := position.face(name)))


def held(position: Any, side: str) -> tuple[str, ...]:
    """Those of them that lie covered."""
    return tuple(face for tag in position.tags_of(side) if (face := position.face(tag)))


def units_drawn(scene: Any, side: str) -> list[Any]:
    """The counters of a side in a scene, on the map and beside it."""
    boxes = [box for camp in scene.camps if camp.side == side for _, box in camp.boxes]
    places = [place.units for place in scene.places.values()]
    return [unit for these in (*places, *boxes) for unit in these if unit.side == side]


def drawn(scene: Any, side: str) -> tuple[str, ...]:
    return tuple(unit.id for unit in units_drawn(scene, side) if unit.id)


def backs(scene: Any, side: str) -> int:
    return sum(not unit.id for unit in units_drawn(scene, side))


def without_faces(scene: Any, side: str) -> Any:
    """How many counters of a side lie where, and all the rest."""

    def count(these: Any) -> tuple[Any, ...]:
        others = [unit for unit in these if unit.side != side]
        return (*others, len(these) - len(others))

    places = {hex: (each.control, each.works, each.marks, count(each.units))
              for hex, each in scene.places.items()}  # fmt: skip
    camps = [(camp.side, [(title, count(box)) for title, box in camp.boxes])
             for camp in scene.camps]  # fmt: skip
    return scene.turn, places, camps, scene.tracks, scene.notes


def is_shown_by_who_knows(position: Any, order: Any) -> bool:
    """What crowds the hex of an attack, or moves its column; and that who takes a hex on the way to
    a known unit is no column, for columns take none and need not be seen.
    """
    match order:
        case Attack():
            return not any(map(is_tag, names_in(order, "unit")))
        case Move(units=units, path=path):
            side = position.side_of(units[0])
            is_under_known_ones = any(position.units_at(path[-1], side))
            return is_under_known_ones and all(map(is_tag, units)) and takes(position, side, path)
    return False


KIT = Kit(
    has_works=True,
    options=frozenset({"open_units"}),
    is_long_enough=lambda position: position.turn > TURNS,
    faults=faults,
    accounts=accounts,
    counts=counts,
    due=due,
    is_at_rest=lambda decision: True,
    written_out=written_out,
    hidden=Hidden(
        option_off="open_units",
        names=names,
        held=held,
        secret=lambda position: position.down.faces,
        scene=HiddenInScene(drawn, backs, without_faces),
        in_words=False,
        is_passive=lambda position: position.segment == "combat",
        audit_alone=is_shown_by_who_knows,
    ),
    policies=(
        {},
        {
            "support": {"hq": "nearest", "air": 1, "columns": "none", "when": {"points": ">=3"}},
            "losses": ["reduced", "armour"],
            "retreat": {"2009": ["1908", "1909"]},
        },
        {"trade": {"when": {"own_losses": "2+"}, "to": ["1909", "1810"]}, "losses": ["strongest"]},
        {
            "support": [
                {"air": "all", "when": {"terrain": "mountain"}},
                {"hq": "all", "columns": 1},
            ],
            "trade": "always",
            "withdraw": ["reduced", "castile"],
        },
        {"remain": ["1510", "1511"], "own": {"losses": ["reduced"], "advance": "all"}},
        {"own": {"bombard": {"hq": "all", "air": 2, "columns": 1}, "breakthrough": "none"}},
        {"losses": "ask", "scope": {"ask": [{"hex": "2010"}]}},
    ),
    searches=searches,
    words=words,
    playouts=Playouts(first=10, whole_in_fuzz=300),
    ways={
        "points": Way("14.1", "nationalist", war.WON, exact=True),
        "last_turn": Way("14.1", "nationalist", war.WON_LATE, exact=True),
        "brigades": Way("14.1", "nationalist", war.WON_BY_BRIGADES, exact=True),
        "short": Way("14.1", "republican", war.SHORT, exact=True),
        "factory": Way("14.2", "republican", war.SHORT_BY_THE_FACTORY, exact=True),
    },
)

"""What the contract suite has to know of ¡No Pasarán!"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem.engine.kernel import violations
from pbem.engine.practice import chosen
from pbem.gamedata.load import load
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import practice
from pbem.games.nopasaran.orders import ALL, Mix
from pbem.games.nopasaran.position import COMING, ELIMINATED, ELSEWHERE, INT, Position
from pbem.games.nopasaran.rules import command, zones
from pbem.games.nopasaran.tables import NATIONALIST, SIDES
from pbem.value import fields
from tests.contract.kits import Hidden, HiddenInScene, Kit, Playouts, Search, Way
from tests.contract.playing import Moment, Player
from tests.games.nopasaran.words import words

SMALL, LARGE = "jarama_pindoque", "jarama_crossing"
TOP, MADRID = 10, 20
"""The troop points that a hex holds."""
BROKEN = {"damaged", "destroyed"}
DAYS = {SMALL: 2, LARGE: 1}
"""The days of a playout of every day, by its scenario."""


@cache
def data() -> Mapping[str, Any]:
    """The data as they are printed, with which the rules have nothing to do."""
    return load("nopasaran").tables


@cache
def printed() -> Mapping[str, Mapping[str, Any]]:
    """The units as they are printed, by id."""
    return {each["id"]: each for each in data()["units"]["units"]}


# ------------------------------------------------------------------- what is true of a position


def faults(position: Any) -> Iterator[str]:
    """What is in two places, in none, with the enemy, in a state that cannot be, or too much."""
    yield from _misplaced(position)
    yield from _crowded(position)
    yield from _worn(position)
    yield from _flying(position)
    for states in (position.bridges, position.roads, position.rails):
        if not BROKEN.issuperset(states.values()):
            yield f"states that are none: {states}"
    if position.cycle is None and position.combat is not None:
        yield "a combat goes on in no activation"


def _misplaced(position: Any) -> Iterator[str]:
    listed = [unit for units in position.stacks.values() for unit in units]
    if sorted([*listed, *position.away]) != sorted(printed()):
        yield "a unit is in two places, or in none"
    if not {*position.stacks} <= {*position.ground.hexes}:
        yield "a unit is off the map"
    if not {ELIMINATED, COMING, ELSEWHERE}.issuperset(position.away.values()):
        yield "a unit is in a box that is none"
    if position.control.keys() != set(position.ground.hexes):
        yield "a hex has no controller, or something else has one"


def _crowded(position: Any) -> Iterator[str]:
    """Who shares a hex; what is too much is cleared before an activation ends."""
    for hex, units in position.stacks.items():
        if len({printed()[unit]["side"] for unit in units}) > 1:
            yield f"both sides are in {hex}"
        most = MADRID if position.terrain(hex).stacking == MADRID else TOP
        if position.cycle is None and (points := sum(map(left(position), units))) > most:
            yield f"{hex} holds {points} troop points"
        fighting = [unit for unit in units if printed()[unit]["attack"]]
        if fighting and units[0] not in fighting:
            yield f"{units[0]} is on top in {hex}"


def _worn(position: Any) -> Iterator[str]:
    """Troop points, and states that only units on the map are in."""
    for unit, place in position.away.items():
        if place == ELIMINATED and printed()[unit]["type"] == "headquarters":
            yield f"{unit} is eliminated, and headquarters never are"
        if (place == ELIMINATED) != (left(position)(unit) <= 0) and printed()[unit]["troops"]:
            yield f"{unit} has {left(position)(unit)} troop points and is {place}"
    there = {unit for units in position.stacks.values() for unit in units}
    for unit in there:
        if printed()[unit]["troops"] and left(position)(unit) <= 0:
            yield f"{unit} has no troop points and is on the map"
    for state in ("disorganised", "demoralised", "pontoons", "tasks"):
        if not there.issuperset(getattr(position, state)):
            yield f"a unit that is not on the map is in {state}"
    for unit, side in position.pontoons.items():
        if position.at(unit) not in side.split("-"):
            yield f"{unit} is a bridge over {side} and in {position.at(unit)}"


def _flying(position: Any) -> Iterator[str]:
    """Each air unit at home, on its mission or back from it; markers are laid by those back."""
    if not {*position.missions}.issuperset(position.flown):
        yield "an aircraft without a mission has flown"
    for hex, markers in position.interdicted.items():
        for each in markers:
            mission = position.missions[each.unit]
            if each.unit not in position.flown or (mission.kind, mission.target) != (INT, hex):
                yield f"{each.unit} interdicts {hex} and is on another mission"


def left(position: Any) -> Any:
    """How many troop points a unit has left."""
    return lambda unit: printed()[unit]["troops"] - position.lost.get(unit, 0)


# ------------------------------------------------------------------- what an event may change

GOES = (
    e.UnitsMoved, e.UnitsArrived, e.UnitsDisplaced, e.UnitsRetreated, e.UnitsAdvanced,
    e.UnitsDestroyed,
)  # fmt: skip
LOSES: Mapping[type, Any] = {
    e.TroopsLost: lambda event: {event.unit},
    e.UnitsDestroyed: lambda event: {*event.units},
    e.Consolidated: lambda event: {event.giver, event.receiver},
}
"""The events that change troop points, each with the units that it names."""
SPENDS = (
    e.UnitsMoved, e.UnitsArrived, e.UnitsAdvanced, e.Bombarded, e.GunsFired, e.GroundScouted,
    e.PointsSpent,
)  # fmt: skip
FLIES = (e.HexScouted, e.HexInterdicted, e.AircraftFlew, e.Bombarded)


def accounts(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Places, troop points, points of the day, works, aircraft: each by events that say so."""
    name = type(event).__name__
    if before.stacks is not after.stacks or before.away is not after.away:
        yield from _gone(event, before, after)
    if before.lost is not after.lost or before.losses is not after.losses:
        yield from _lost(event, before, after)
    if before.spent is not after.spent:
        yield from _spent(event, before, after)
    if before.control != after.control:
        taken = {hex for hex, side in after.control.items() if before.control[hex] != side}
        if not isinstance(event, e.ControlTaken) or taken != {event.hex}:
            yield f"{name} changes control of {taken}"
    if before.works != after.works:
        if not isinstance(event, e.WorksBuilt):
            yield f"{name} changes works"
        elif {**before.works, event.hex: event.kind} != after.works:
            yield f"other works than those in {event.hex} are built or gone"
    if after.flown - before.flown and not isinstance(event, FLIES):
        yield f"{name} sends aircraft out"
    if before.flown - after.flown and not isinstance(event, e.DayBegan):
        yield f"{name} brings aircraft back"
    if before.bridges != after.bridges and not isinstance(event, e.BridgeChanged):
        yield f"{name} changes bridges"


def _gone(event: Any, before: Any, after: Any) -> Iterator[str]:
    name = type(event).__name__
    moved = {unit for unit, place in after.places.items() if before.places[unit] != place}
    if isinstance(event, GOES):
        named = {*event.units}
    else:
        named = LOSES[type(event)](event) if type(event) in LOSES else set()
    if not moved <= named:
        yield f"{name} moves {moved - named}"


def _lost(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Who lost points, and that the victory points count their sum."""
    was, now = left(before), left(after)
    changed = {unit for unit in {*before.lost, *after.lost} if was(unit) != now(unit)}
    named = LOSES[type(event)](event) if type(event) in LOSES else set()
    if not changed <= named:
        yield f"{type(event).__name__} changes the troop points of {changed - named}"
    for side in SIDES:
        gone = sum(was(unit) - now(unit) for unit in changed if printed()[unit]["side"] == side)
        if isinstance(event, e.Consolidated) and printed()[event.giver]["side"] == side:
            gone += event.points
        counted = after.losses.get(side, 0) - before.losses.get(side, 0)
        if counted != gone:
            yield f"{side} lost {gone} troop points, and {counted} are counted"


def _spent(event: Any, before: Any, after: Any) -> Iterator[str]:
    """What is spent of a day comes back with the next, and never before."""
    if isinstance(event, e.DayBegan):
        if after.spent:
            yield f"a new day begins with points spent: {after.spent}"
        return
    less = [unit for unit, points in before.spent.items() if after.spent.get(unit, 0) < points]
    if less:
        yield f"{less} have points back in the middle of a day"
    if before.spent != after.spent and not isinstance(event, SPENDS):
        yield f"{type(event).__name__} spends points"


def counts(position: Any) -> dict[str, int]:
    """The units of each side, in hexes and in boxes, and its aircraft."""
    found = dict.fromkeys(due(position), 0)
    for unit in position.places:
        found[printed()[unit]["side"]] += 1
    return found


def due(position: Any) -> dict[str, int]:
    """The units as the data have them."""
    sides = [unit["side"] for unit in printed().values()]
    return {side: sides.count(side) for side in SIDES}


def written_out(position: Any, options: tuple[str, ...]) -> dict[str, Any] | None:
    """Who stands where, the works, what is broken, and the days that are left; what units have
    lost a scenario does not say. In an activation a hex may hold too much, and without their losses
    units may, too; where an army is cut off from its rear no battle begins.
    """
    as_written = position.but(lost={}, disorganised=frozenset())  # nobody has lost anything
    is_sound = not (any(_without_road(as_written)) or any(_crowded(as_written)))
    if position.cycle is not None or not position.day or not is_sound:
        return None
    scenario = data()["scenarios"][position.scenario]
    coming = {unit for unit, place in position.away.items() if place == COMING}
    later = [
        {**each, "units": units, "turn": max(2, each["turn"] - position.day + 1)}
        for each in scenario["reinforcements"]
        if (units := [unit for unit in each["units"] if unit in coming])
    ]
    days = len(scenario["days"]) - position.day + 1
    if later and days < max(each["turn"] for each in later):
        return None  # who may still come on the last day cannot come in a battle of one
    out = {
        **scenario,
        "id": "written_out",
        "days": scenario["days"][position.day - 1 :],
        "weather": [position.weather],
        "works": [
            {"kind": kind, "hexes": hexes}
            for kind in ("position", "fortification")
            if (hexes := sorted(hex for hex in position.works if position.works[hex] == kind))
        ],
        "broken": [
            {"state": state, **there}
            for state in sorted(BROKEN)
            if (there := _ruins(position, state))
        ],
        "set_up": [{"hex": hex, "units": list(units)} for hex, units in position.stacks.items()],
        "reinforcements": later,
    }
    return {key: each for key, each in out.items() if each or key != "reinforcements"}


def _ruins(position: Any, state: str) -> dict[str, list[str]]:
    """The bridges, roads and rails in a state; kinds of which none is are left out."""
    found = {
        kind: sorted(where for where, each in getattr(position, kind).items() if each == state)
        for kind in ("bridges", "roads", "rails")
    }
    return {kind: those for kind, those in found.items() if those}


def _without_road(position: Any) -> Iterator[str]:
    """The highest headquarters that are on the map and have no road to the rear."""
    for each in position.board.formations.values():
        is_highest = each.headquarters and not each.parent and position.at(each.headquarters)
        if is_highest and not command.Ranges(position, each.side).has_road(each.headquarters):
            yield each.headquarters


# ------------------------------------------------------------------- what is kept of a position


class Watch:
    """Looks whether what a position keeps is what a new one would compute: every seventh move."""

    def __init__(self, position: Any) -> None:
        self.moves = 0

    def sees(self, moment: Moment) -> Iterator[str]:
        """Whatever is stale."""
        self.moves += 1
        if self.moves % 7:
            return
        position = moment.step.state.position
        new = Position(**{each.name: getattr(position, each.name) for each in fields(position)})
        ground = new.ground
        for kept in (ground.lines, ground.reaches, ground.open_roads, ground.zone_reaches):
            kept.clear()
        for name, one, other in (
            ("places", position.places, new.places),
            ("zones", zones.zones(position), zones.zones(new)),
            ("command", *({unit for unit in printed() if command.in_command(each, unit)}
                          for each in (position, new))),
            *((id, position.members(id), new.members(id)) for id in position.board.formations),
        ):  # fmt: skip
            if one != other:
                yield f"{name} is stale"


# ------------------------------------------------------------------- how it ends


class Attacking(Player):
    """The Nationalists sometimes do what the player for practice would do, the more often the
    higher the seed; the Republicans mostly stay where they are. Such games end in every way.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, bold=0.5)
        self.skilled = seed % 10 / 10

    def order(self, state: Any, decision: Any) -> Any:
        if decision.side == NATIONALIST and self.rng.random() < self.skilled:
            return chosen(practice, state).order
        return super().order(state, decision)


# ------------------------------------------------------------------- counters face down


def names(position: Any, side: str) -> tuple[str, ...]:
    """The counters of a side on the map, as far as a view knows them."""
    return tuple(face for name in position.hexes
                 if position.side_of(name) == side and (face := position.face(name)))  # fmt: skip


def held(position: Any, side: str) -> tuple[str, ...]:
    """Those of them that lie face down."""
    return tuple(face for tag in position.tags_of(side) if (face := position.face(tag)))


def units_drawn(scene: Any, side: str) -> list[Any]:
    """The counters of a side in the hexes of a scene."""
    return [unit for place in scene.places.values() for unit in place.units if unit.side == side]


def drawn(scene: Any, side: str) -> tuple[str, ...]:
    return tuple(unit.id for unit in units_drawn(scene, side) if unit.id)


def backs(scene: Any, side: str) -> int:
    return sum(not unit.id for unit in units_drawn(scene, side))


def without_faces(scene: Any, side: str) -> Any:
    """How many counters of a side are where, and all else but the states of its stacks, of which
    their player knows more.
    """

    def count(place: Any) -> Any:
        others = [unit for unit in place.units if unit.side != side]
        is_its = len(others) < len(place.units)
        return (place.control, place.works, () if is_its else place.marks, tuple(others),
                len(place.units) - len(others))  # fmt: skip

    def aside(camp: Any) -> Any:
        """Of its own aircraft a player knows the missions."""
        return sum(len(units) for _, units in camp.boxes) if camp.side == side else camp

    places = {hex: count(each) for hex, each in scene.places.items()}
    return scene.turn, places, tuple(map(aside, scene.camps)), scene.tracks, scene.notes


class Mixing(Player):
    """Mixes all it can, sooner or later."""

    def order(self, state: Any, decision: Any) -> Any:
        verbs = {option.order for option in decision.options}
        if Mix in verbs and self.rng.random() < 0.5 and not violations(state, Mix(ALL)):
            return Mix(ALL)
        return super().order(state, decision)


def searches() -> dict[str, Search]:
    return {way: Search(each.scenario, Attacking, seed=1) for way, each in KIT.ways.items()}


KIT = Kit(
    has_works=True,
    options=frozenset({"open_units"}),
    is_long_enough=lambda position: position.day > DAYS.get(position.scenario, 2),
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
        secret=lambda position: {**position.down.faces, **position.notes},
        scene=HiddenInScene(drawn, backs, without_faces),
        in_words=False,
        player=Mixing,
        is_passive=lambda position: position.cycle is not None,
        lists={"assign_n": "A", "air_n": "A", "assign_r": "B", "air_r": "B"},
        # Which lines of a list come to light with an order only its author knows.
        audit_alone=lambda position, order: getattr(order, "told", False),
    ),
    policies=(
        {},
        {
            "retreat_before_combat": {"when": {"enemy_armour": True}, "to": "rear"},
            "support": {"guns": 2, "air": "all", "when": {"enemy_troops": "4+"}},
            "primary": ["best", "N-1TirIf/5"],
            "counterbattery": {"when": {"weather": ["clear"]}},
        },
        {"react": {"when": {"recon": ["tank"]}}, "retreat": {"G13": ["G14", "H13"]}},
        {"losses_for_retreat": {"when": {"hex": ["E15", "F15"]}}, "works": "fortification"},
        {"own": {"advance": "all", "again": "never", "displace": ["weakest"]}, "react": "always"},
        {"support": [{"guns": "all", "when": {"terrain": "clear"}}, {"air": 1}]},
        {
            "retreat": ["road", "stay_together"],
            "support": {"guns": {"when": {"points_left": "4+"}}},
            "activations": [[{"activate": {"formation": "R-12BI"}}, "done"], ["finish"]],
        },
    ),
    searches=searches,
    words=words,
    playouts=Playouts(first=9, further=3, whole_in_fuzz=100),
    watch=Watch,
    ways={
        "bridge_won": Way("5.6.6", "nationalist", "Nationalist victory", True, scenario=SMALL),
        "bridge_draw": Way("5.6.6", None, "Draw", True, scenario=SMALL),
        "bridge_held": Way("5.6.6", "republican", "Republican victory", True, scenario=SMALL),
        "crossing_decided": Way(
            "5.6.6", "nationalist", "Nationalist decisive victory", True, scenario=LARGE
        ),
        "crossing_won": Way("5.6.6", "nationalist", "Nationalist victory", True, scenario=LARGE),
        "crossing_draw": Way("5.6.6", None, "Draw", True, scenario=LARGE),
        "crossing_held": Way("5.6.6", "republican", "Republican victory", True, scenario=LARGE),
        "crossing_thrown_back": Way(
            "5.6.6", "republican", "Republican decisive victory", True, scenario=LARGE
        ),
    },
)

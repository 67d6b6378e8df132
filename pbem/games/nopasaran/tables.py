"""What is printed: units, formations and charts, and the ground of each battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from pbem.board.tables import OddsTable, RangeTable, clamp
from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import Ground
from pbem.messages import marked
from pbem.value import value

NATIONALIST, REPUBLICAN = Side("nationalist"), Side("republican")
SIDES = (NATIONALIST, REPUBLICAN)
ENEMY: Mapping[Side, Side] = {NATIONALIST: REPUBLICAN, REPUBLICAN: NATIONALIST}
DECKS: Mapping[Side, str] = {NATIONALIST: "n", REPUBLICAN: "r"}
"""The decks of the counters that lie face down."""
PEOPLE: Mapping[str, str] = {NATIONALIST: marked("Nationalist"), REPUBLICAN: marked("Republican")}

FOOT, CAVALRY_KIND, MECHANISED, MOTORISED, GUNS = KINDS = (
    "foot", "cavalry", "mechanised", "motorised", "artillery",
)  # fmt: skip
"""The columns of the terrain chart."""
INFANTRY, CAVALRY, TANK, ARMOUR, ANTITANK, ARTILLERY, ANTIAIRCRAFT = (
    "infantry", "cavalry", "tank", "armour", "antitank", "artillery", "antiaircraft",
)  # fmt: skip
ENGINEER, RAILWAY_ENGINEER, PONTOON, HEADQUARTERS = (
    "engineer", "railway_engineer", "pontoon", "headquarters",
)  # fmt: skip
ENGINEERS = (ENGINEER, RAILWAY_ENGINEER, PONTOON)
ARMY, CORPS, DIVISION, FORMATION, CORPS_TROOPS, DIVISION_TROOPS = (
    "army", "corps", "division", "formation", "corps_troops", "division_troops",
)  # fmt: skip
BOMBER, FIGHTER_BOMBER, RECONNAISSANCE = "bomber", "fighter_bomber", "reconnaissance"
NORMAL, REDUCED, MINIMUM, WITHOUT = SUPPLY = ("normal", "reduced", "minimum", "without")
FULL = 4
"""Quarters of the whole: factors are multiplied by quarters and rounded once (4.2)."""


@value
class PrintedUnit:
    """A unit as it is printed. `move` is in movement points; a battery moves and fires by it."""

    id: str
    name: str
    side: Side
    formation: str
    type: str
    attack: int
    defence: int
    kind: str
    move: int
    effectiveness: int
    troops: int
    antitank: int = 0
    antiaircraft: int = 0
    fire: int = 0
    range: int = 0

    @cached_property
    def goes(self) -> int:
        """The place of its kind of movement among `KINDS`."""
        return KINDS.index(self.kind)

    @property
    def is_headquarters(self) -> bool:
        """Whether it commands a formation: then it has no troop points and never dies (17.2)."""
        return self.type == HEADQUARTERS

    @property
    def is_combat(self) -> bool:
        """Whether it has an attack factor: such units have zones, hold hexes and lie on top."""
        return self.attack > 0

    @property
    def is_battery(self) -> bool:
        """Whether it bombards."""
        return self.fire > 0

    @property
    def is_armoured(self) -> bool:
        """Whether it is a tank or armour unit."""
        return self.type in (TANK, ARMOUR)

    @property
    @CITE.serves("6.5")
    def is_vehicle(self) -> bool:
        """Whether lack of supply slows it as a vehicle (6.5)."""
        # reading: motorised units count as mechanised where supply is concerned.
        return self.kind in (MECHANISED, MOTORISED)


@value
class PrintedFormation:
    """A formation as the order of battle has it."""

    id: str
    name: str
    side: Side
    level: str
    parent: str = ""
    headquarters: str = ""

    @property
    def is_troops(self) -> bool:
        """Whether it is the support of a division or corps, each unit a formation by itself."""
        return self.level in (CORPS_TROOPS, DIVISION_TROOPS)


@value
class PrintedAirUnit:
    """An air unit as it is printed; a factor of 0 is a mission that it cannot fly."""

    id: str
    model: str
    side: Side
    type: str
    interdiction: int = 0
    support: int = 0
    bombs: int = 0

    @property
    def scouts(self) -> bool:
        """Whether it flies reconnaissance (7.1)."""
        return self.type == RECONNAISSANCE


@value
class CombatResult:
    """What a result of the combat table means (5.3.1): troop points, hexes, and whose success."""

    id: str
    attacker: int
    defender: int
    retreat: int
    counts: str


@value
class AttackType:
    """A type of attack: what multiplies factors, in quarters, and whether it may be supported."""

    id: str
    factor: int
    support: bool
    rule: str


@value
class Supply:
    """A level of supply: quarters of factors and of movement."""

    id: str
    attack: int
    defence: int
    vehicles: int
    others: int


@value
class Weather:
    """What a state of the weather does (5.6.3)."""

    id: str
    flies: bool
    recon: int
    support: int
    vehicles: int
    artillery: int
    engineers: bool


@CITE.rule("4.1", "4.2")
def rounded(number: int, *quarters: int) -> int:
    """A whole number times each of these quarters, rounded once at the end, halves up."""
    # reading: what multiplies a factor is multiplied first and rounded once; what comes to less
    # than a half is 0.
    below = 1
    for each in quarters:
        number, below = number * each, below * FULL
    return (2 * number + below) // (2 * below)


@CITE.serves("7.3.4", "21")
def nearest_two(points: int) -> int:
    """Troop points as reconnaissance tells them: to the nearest two, a half up."""
    # reading: 7.3.4, 21: whoever looks into a hex learns its troop points to the nearest two only,
    # and exactly where all counters are shown.
    return 2 * ((points + 1) // 2)


class Tables:
    """Everything that is printed, made from the data once."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self._maps = {each["id"]: each for each in plain["map"]["maps"]}
        self._units, charts = plain["units"], plain["tables"]
        self.charts: Mapping[str, Any] = charts
        self.scenarios: Mapping[str, Any] = plain["scenarios"]
        combat, armour = charts["combat"], charts["armour"]
        self.combat: OddsTable[str] = OddsTable.of(
            combat["columns"], combat["rows"], "half up", combat["first_row"]
        )
        self.results = {each["id"]: CombatResult(**each) for each in charts["results"]["kinds"]}
        self.attacks = {each["id"]: AttackType(**each) for each in charts["attacks"]["types"]}
        self.armour: OddsTable[int] = OddsTable.of(armour["columns"], [armour["shifts"]], "half up")
        self.effectiveness = _ranges(charts["effectiveness"], "rows")
        self.losses_by_fire = _ranges(charts["bombardment"], "losses")
        self.damage_by_fire = _ranges(charts["bombardment"], "damage")
        self.antiaircraft = _ranges(charts["antiaircraft"], "rows")
        self.supply = {each["id"]: Supply(**each) for each in charts["supply"]["levels"]}
        self.weather = {each["id"]: Weather(**each) for each in charts["weather"]["states"]}

    # --- units

    @cached_property
    def units(self) -> Mapping[str, PrintedUnit]:
        """All units, in the order that breaks ties."""
        return {each["id"]: _sided(PrintedUnit, each) for each in self._units["units"]}

    @cached_property
    def units_of(self) -> Mapping[Side, tuple[str, ...]]:
        """The units of each side, in that order."""
        return {side: tuple(id for id, unit in self.units.items() if unit.side == side)
                for side in SIDES}  # fmt: skip

    @cached_property
    def backs(self) -> Mapping[str, PrintedUnit]:
        """What is in view of a counter face down, by its deck: whose it is."""
        return {
            deck: PrintedUnit(deck, "", side, "", "", 0, 0, FOOT, 0, 0, 0)
            for side, deck in DECKS.items()
        }

    @cached_property
    def batteries_of(self) -> Mapping[Side, tuple[str, ...]]:
        """The batteries of each side, in that order."""
        return {side: tuple(id for id in units if self.units[id].is_battery)
                for side, units in self.units_of.items()}  # fmt: skip

    @cached_property
    def headquarters_of(self) -> Mapping[Side, tuple[str, ...]]:
        """The headquarters of each side."""
        return {side: tuple(id for id in units if self.units[id].is_headquarters)
                for side, units in self.units_of.items()}  # fmt: skip

    @cached_property
    def formations(self) -> Mapping[str, PrintedFormation]:
        """All formations."""
        return {each["id"]: _sided(PrintedFormation, each) for each in self._units["formations"]}

    @cached_property
    def formations_of(self) -> Mapping[Side, tuple[str, ...]]:
        """The formations of each side."""
        return {side: tuple(id for id, each in self.formations.items() if each.side == side)
                for side in SIDES}  # fmt: skip

    @cached_property
    def air(self) -> Mapping[str, PrintedAirUnit]:
        """All air units."""
        return {each["id"]: _sided(PrintedAirUnit, each) for each in self._units["air_units"]}

    @cached_property
    def owners(self) -> Mapping[str, Side]:
        """The side of each unit, air unit and formation."""
        return {
            name: each.side
            for known in (self.units, self.air, self.formations)
            for name, each in known.items()
        }

    def in_order(self, units: Iterable[str]) -> tuple[str, ...]:
        """Units in the order that breaks ties, each once."""
        wanted = set(units)
        return tuple(unit for unit in self.units if unit in wanted)

    # --- ground

    @cached_property
    def _grounds(self) -> dict[str, Ground]:
        return {}

    def ground(self, scenario: str) -> Ground:
        """The ground of a battle."""
        if scenario not in self._grounds:
            plain = self.scenarios[scenario]
            self._grounds[scenario] = Ground(self._maps[plain["map"]], plain, self.charts)
        return self._grounds[scenario]

    # --- charts

    @CITE.rule("12.6.1")
    def effectiveness_modifier(self, difference: int, die: int) -> int:
        """What is added to the combat die for the effectiveness of attacker less defender."""
        table = self.effectiveness
        return table.at(table.column(difference), die)

    @CITE.serves("12.6.2")
    def armour_shift(self, attacker: int, defender: int) -> int:
        """The columns for superior armour by the antitank points of both sides."""
        table = self.armour
        return table.at(table.column(attacker, max(1, defender)) if attacker else 0, 1)

    @CITE.rule("13")
    def loser(self, units: int, die: int) -> int:
        """The place from the top, from 0, of the unit that loses, of so many that took part."""
        rows = self.charts["random_losses"]["rows"]
        place: int = rows[clamp(units, 1, len(rows)) - 1][die - 1]
        return place - 1

    @CITE.serves("16")
    def morale_limit(self, effectiveness: int, lost: int) -> int:
        """The highest die at which a unit holds that has lost so many points; 0: no check."""
        chart = self.charts["demoralisation"]
        row = chart["rows"][max(0, effectiveness - chart["least"])]
        limit: int = row[clamp(lost, 1, len(row)) - 1] if lost else 0
        return limit

    @CITE.rule("6.3.b1", "6.3.b2", "6.3.b3")
    def levels_lost(self, effectiveness: int) -> int:
        """The levels of supply that a unit out of command loses at once."""
        levels: int = _up_to(self.charts["command"]["lose"], effectiveness)["levels"]
        return levels

    @CITE.serves("11.4")
    def troops_shift(self, troops: int) -> int:
        """The columns of a bombardment for the troop points of its target."""
        shift: int = _up_to(self.charts["bombardment"]["troops"], troops)["shift"]
        return shift

    @property
    def troop_classes(self) -> Mapping[str, range]:
        """The classes of troop points that shift the column of a bombardment, the largest last."""
        ends = [row["up_to"] for row in self.charts["bombardment"]["troops"]]
        starts = [0, *(end + 1 for end in ends[:-1])]
        names = [f"{start}-{end}" for start, end in zip(starts, ends, strict=True)]
        names[0], names[-1] = f"{ends[0]}-", f"{starts[-1]}+"
        return {name: range(start, end + 1)
                for name, start, end in zip(names, starts, ends, strict=True)}  # fmt: skip

    @CITE.serves("7.3.4")
    def seen_from_air(self, die: int) -> str:
        """What a modified die of reconnaissance tells."""
        rows = [row for row in self.charts["reconnaissance"]["air"] if row["from"] <= die]
        level: str = (rows or self.charts["reconnaissance"]["air"])[-1 if rows else 0]["level"]
        return level

    @CITE.serves("21")
    def seen_from_ground(self, die: int) -> str:
        """The same on the ground, where low dice are better."""
        level: str = _up_to(self.charts["reconnaissance"]["land"], die)["level"]
        return level

    @CITE.serves("5.6.3")
    def weather_of(self, die: int) -> str:
        """What a modified die brings."""
        state: str = _up_to(self.charts["weather"]["die"], die)["state"]
        return state


def _up_to(rows: Iterable[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
    """The first row that holds for a number; the last for one beyond it."""
    row: Mapping[str, Any] = {}
    for row in rows:
        if number <= row["up_to"]:
            break
    return row


def _ranges(chart: Mapping[str, Any], rows: str) -> RangeTable[Any]:
    """A chart with columns for ranges. The first of them may begin anywhere."""
    first, *others = chart["columns"]
    return RangeTable.of([[first[0] if first[0] is not None else first[1], first[1]], *others],
                         chart[rows])  # fmt: skip


def _sided(made: type[Any], plain: Mapping[str, Any]) -> Any:
    return made(**{**plain, "side": Side(plain["side"])})

"""The printed components: areas, boxes, roads, units, chits, tracks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.graph import Graph
from pbem.engine.model import Side
from pbem.value import value

NATIONALIST, REPUBLICAN = Side("nationalist"), Side("republican")
SIDES = (NATIONALIST, REPUBLICAN)
ENEMY: Mapping[Side, Side] = {NATIONALIST: REPUBLICAN, REPUBLICAN: NATIONALIST}
MADRID = "AA"
DECKS: Mapping[Side, str] = {NATIONALIST: "n", REPUBLICAN: "r"}
"""The names of the decks of face-down chits in files."""
LINE, SHOCK, ARTILLERY = "line", "shock", "artillery"
LAND, RIVER = "land", "river"
"""The two kinds of boundaries. A box is joined by land."""


@value
class Area:
    """An area: `terrain` is its modifier."""

    id: str
    name: str
    terrain: int
    is_urban: bool
    colour: str


@value
class Face:
    """One side of a counter. Artillery has no attack of its own: 0."""

    attack: int
    defence: int
    movement: int


@value
class PrintedUnit:
    """A unit with both its sides and its marks. `turn` 0: on the map from the start."""

    id: str
    name: str
    side: Side
    type: str
    faction: str
    fresh: Face
    spent: Face
    homes: tuple[str, ...]
    """Where it is set up or arrives: areas to choose from, or one box."""
    turn: int = 0
    rada: bool = False
    black: str = ""


@value
class ChitKind:
    """A kind of event chit. `first` is the first turn on which it may be played."""

    id: str
    side: Side
    title: str
    count: int
    is_impulse: bool
    first: int
    once: bool


@value
class Start:
    """A turn on which a scenario may begin, with the support points of the sides."""

    turn: int
    support: Mapping[Side, int]


@value
class ScenarioCard:
    """How a scenario begins and is won."""

    id: str
    title: str
    rule: str
    starts: tuple[Start, ...]
    last_turn: int
    morale: int
    nationalist: frozenset[str]
    first_initiative: int
    special: frozenset[str]
    due_by: int
    colours: Mapping[Side, tuple[str, ...]]
    points: Mapping[str, int]


class Tables:
    """The tables in the form the rules use."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        tables = plain["tables"]
        self.areas: dict[str, Area] = {each["id"]: _area(each) for each in plain["map"]["areas"]}
        self.boxes: dict[str, Side] = {
            each["id"]: Side(each["side"]) for each in plain["map"]["boxes"]
        }
        self.box_names = {each["id"]: each["name"] for each in plain["map"]["boxes"]}
        self.graph = Graph((*self.areas, *self.boxes), _links(plain["map"]))
        self.places = frozenset(self.graph.spaces)
        """Every area and box."""
        self.rivers = frozenset(
            (here, there)
            for one, other, kind in _links(plain["map"])
            if kind == RIVER
            for here, there in ((one, other), (other, one))
        )
        """The boundaries over a river, both ways."""
        self.urban = tuple(area.id for area in self.areas.values() if area.is_urban)
        self.city = frozenset(self.urban)
        self.roads: dict[str, tuple[str, ...]] = {
            each["id"]: tuple(each["areas"]) for each in plain["map"]["roads"]
        }
        self.road_names = {each["id"]: each["name"] for each in plain["map"]["roads"]}
        self.units: dict[str, PrintedUnit] = {
            each["id"]: _unit(each) for each in plain["units"]["units"]
        }
        self.side_of = {unit.id: unit.side for unit in self.units.values()}
        self.army = {
            side: tuple(unit for unit, its in self.side_of.items() if its == side) for side in SIDES
        }
        """The units of each side."""
        self.guns = frozenset(unit.id for unit in self.units.values() if unit.type == ARTILLERY)
        self.garrison = frozenset(
            unit.id for unit in self.units.values() if unit.black == "garrison"
        )
        self.rank = {unit: rank for rank, unit in enumerate(self.units)}
        self.kinds: dict[str, ChitKind] = {
            each["id"]: _kind(each) for each in plain["chits"]["chits"]
        }
        self.chits: dict[str, str] = {
            f"{kind.id}{letter}": kind.id
            for kind in self.kinds.values()
            for letter in "abcdefghi"[: kind.count]
        }
        """Every chit with its kind. Copies of a kind are told apart by a letter."""
        self.kinds_of = {
            side: frozenset(kind.id for kind in self.kinds.values() if kind.side == side)
            for side in SIDES
        }
        """The kinds of chits of each side."""
        self._copies = {
            kind: tuple(chit for chit, its in self.chits.items() if its == kind)
            for kind in self.kinds
        }
        self.income: dict[int, dict[Side, int]] = {
            row["turn"]: {Side(side): points for side, points in row["support"].items()}
            for row in tables["turns"]
        }
        self.dates = {row["turn"]: (row["from"], row["to"]) for row in tables["turns"]}
        self.morale: tuple[tuple[str, int], ...] = tuple(
            (level["name"], level["modifier"]) for level in tables["morale"]
        )
        self.levels = tuple(level["id"] for level in tables["morale"])
        self.charts: Mapping[str, Any] = tables
        self.scenarios: dict[str, ScenarioCard] = {
            name: self._scenario(plain["scenarios"][name]) for name in plain["game"]["scenarios"]
        }

    def in_order(self, units: Sequence[str] | frozenset[str] | set[str]) -> tuple[str, ...]:
        """Units in the order that breaks ties."""
        return tuple(sorted(units, key=lambda unit: self.rank.get(unit, len(self.rank))))

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """The chits of a kind."""
        return self._copies[kind]

    def side_of_chit(self, chit: str) -> Side:
        """The side that a chit belongs to."""
        return self.kinds[self.chits[chit]].side

    def chits_of(self, side: Side) -> tuple[str, ...]:
        """The chits of a side."""
        return tuple(chit for chit in self.chits if self.side_of_chit(chit) == side)

    def has_river(self, one: str, other: str) -> bool:
        """Whether a river runs between two areas that touch."""
        return (one, other) in self.rivers

    def is_cut_by(self, road: str) -> tuple[str, ...]:
        """The areas in which a road can be cut: those that are not urban."""
        return tuple(area for area in self.roads[road] if not self.areas[area].is_urban)

    def _scenario(self, plain: Mapping[str, Any]) -> ScenarioCard:
        return ScenarioCard(
            plain["id"], plain["title"], plain["rule"],
            starts=tuple(Start(each["turn"], _of_sides(each["support"]))
                         for each in plain["starts"]),
            last_turn=plain["last_turn"],
            morale=self.levels.index(plain["morale"]),
            nationalist=frozenset(plain["nationalist"]),
            first_initiative=plain["first_initiative"],
            special=frozenset(plain["special"]),
            due_by=plain.get("due_by", 0),
            colours={Side(side): tuple(colours)
                     for side, colours in plain.get("colours", {}).items()},
            points=plain.get("points", {}),
        )  # fmt: skip


def _of_sides(plain: Mapping[str, int]) -> dict[Side, int]:
    return {side: plain[side] for side in SIDES}


def _area(plain: Mapping[str, Any]) -> Area:
    urban = plain.get("urban", False)
    return Area(plain["id"], plain["name"], plain["terrain"], urban, plain["colour"])


def _links(plain: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    between = [
        (each["a"], each["b"], RIVER if "river" in each else LAND) for each in plain["boundaries"]
    ]
    return between + [(box["id"], area, LAND) for box in plain["boxes"] for area in box["areas"]]


def _face(values: Sequence[int]) -> Face:
    *attack, defence, movement = values
    return Face(attack[0] if attack else 0, defence, movement)


def _unit(plain: Mapping[str, Any]) -> PrintedUnit:
    homes = plain.get("areas") or [plain["box"]]
    return PrintedUnit(
        plain["id"], plain["name"], Side(plain["side"]), plain["type"], plain["faction"],
        _face(plain["fresh"]), _face(plain["spent"]), tuple(homes),
        plain.get("turn", 0), plain.get("rada", False), plain.get("black", ""),
    )  # fmt: skip


def _kind(plain: Mapping[str, Any]) -> ChitKind:
    return ChitKind(
        plain["id"], Side(plain["side"]), plain["title"], plain["count"],
        plain["class"] == "impulse", plain.get("from", 1), plain.get("once", False),
    )  # fmt: skip

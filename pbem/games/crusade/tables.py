"""Plain data to typed values: the map, the units, the cards and the tables of the game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pbem.board.graph import Graph
from pbem.board.tables import RangeTable
from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.messages import marked
from pbem.value import field, filled, value

NATIONALIST = Side("nationalist")
REPUBLICAN = Side("republican")
SIDES = (NATIONALIST, REPUBLICAN)
ENEMY: Mapping[Side, Side] = {NATIONALIST: REPUBLICAN, REPUBLICAN: NATIONALIST}
INITIAL: Mapping[Side, str] = {NATIONALIST: "N", REPUBLICAN: "R"}
PEOPLE: Mapping[str, str] = {
    NATIONALIST: marked("Nationalist"),
    REPUBLICAN: marked("Republican"),
}

SOLID = frozenset({"road", "river"})
"""The links of rule 2.1.2 that always make two spaces adjacent."""


@value
class Space:
    """A space of the map. `source` is a side, `badajoz`, or empty; `vp` is the worth of control."""

    id: str
    name: str
    terrain: str
    control: str
    main_city: bool = False
    vp: int = 0
    capital: bool = False
    source: str = ""
    region: str = ""
    coast: str = ""
    port: bool = False
    border: str = ""
    balearic: bool = False
    dormant: bool = False
    at: tuple[int, int] = (0, 0)


@value
class Factors:
    """Combat, loss and movement factors of one side of a counter."""

    cf: int
    lf: int
    mf: int


@value
class UnitType:
    """A kind of unit. `tags` are the closed vocabulary of data/crusade/units.yaml."""

    id: str
    side: Side
    name: str
    size: str
    steps: int
    full: Factors
    reduced: Factors | None
    count: int
    tags: frozenset[str]
    replaces: frozenset[str]
    rp: frozenset[str]
    region: str = ""
    initial: bool = False
    from_reserve: str = ""
    """The only place for a redeployment from the Reserve (12.1.8), or empty."""
    deploy: str = ""
    """Where a corps enters play (8.5.2.4)."""
    attrition_home: str = ""
    """The region whose spaces count as supplied for its attrition (13.1.5)."""
    counts_as: str = ""
    """The type it counts as for every rule, if that is different (18.1.6)."""
    north_limit: int = 0
    """The limit for this type in the cut-off north, for types from elsewhere."""

    @cached_property
    def is_corps(self) -> bool:
        """Whether it fires on the corps table rather than the divisions' (11.2.6)."""
        return self.size == "corps"

    @cached_property
    def kind(self) -> str:
        """The type that the rules refer to."""
        return self.counts_as or self.id

    def has(self, tag: str) -> bool:
        """Whether it has a tag of the data (elite, armor, ...)."""
        return tag in self.tags


@value
class Card:
    """A strategy card; `rp` maps a currency to its points, `params` are its plain facts."""

    id: str
    title: str
    side: Side
    phase: str
    kind: str
    ops: int
    sr: int
    rp: Mapping[str, int]
    asterisk: bool
    vp: int = 0
    rm: int = 0
    needs: tuple[str, ...] = ()
    only_phases: tuple[str, ...] = ()
    not_before_turn: int = 0
    reinforcement: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    blocked_by: tuple[str, ...] = ()
    control: Mapping[str, str] = field(default_factory=dict)
    rm_max: int | None = None
    government: str = ""
    source_joined_to: str = ""
    corps: tuple[str, ...] = ()
    removes_division: tuple[str, ...] = ()
    winter_ops: bool = False
    air: bool = False
    option: str = ""


class Tables:
    """Everything that is printed; it never changes during a game."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.offered: tuple[str, ...] = tuple(plain["game"]["scenarios"])
        """Our scenarios, in the order in which they are offered."""
        self.editions: Any = plain["game"]["editions"]
        self.named_sets: Mapping[str, Any] = plain["map"]["named_sets"]
        self.spaces: dict[str, Space] = {
            each["id"]: _space(each) for each in plain["map"]["spaces"]
        }
        self.graph = Graph(
            tuple(self.spaces),
            tuple((link["a"], link["b"], link["type"]) for link in plain["map"]["connections"]),
        )
        self.types: dict[tuple[Side, str], UnitType] = {}
        for each in plain["units"]["types"]:
            unit_type = _unit_type(each)
            self.types[unit_type.side, unit_type.id] = unit_type
        self.units: dict[str, UnitType] = dict(self._named_units())
        """Every counter of the game; the order is "stack order" and breaks every tie."""
        self.rank: dict[str, int] = {unit: i for i, unit in enumerate(self.units)}
        self.map_rank: dict[str, int] = {space: i for i, space in enumerate(self.spaces)}
        self.aliases: dict[str, str] = dict(plain["map"].get("aliases", {}))
        self.tables: Mapping[str, Any] = plain["tables"]
        rank = self.currency_rank
        self.cards: dict[str, Card] = {
            each["id"]: _card(each, rank) for each in plain["cards"]["cards"]
        }
        self.scenarios: Mapping[str, Any] = plain["scenarios"]

    def _named_units(self) -> Any:
        kinds = [kind for _, kind in self.types]
        shared = {kind for kind in kinds if kinds.count(kind) > 1}
        for (side, kind), unit_type in self.types.items():
            stem = f"{INITIAL[side]}-{kind}" if kind in shared else kind
            if unit_type.count == 1:
                yield stem, unit_type
            else:
                for number in range(1, unit_type.count + 1):
                    yield f"{stem}-{number}", unit_type

    @cached_property
    def beside(self) -> Mapping[str, tuple[str, ...]]:
        """By space, those that a road or a river link joins to it."""
        return {space: self.graph.neighbours(space, SOLID) for space in self.spaces}

    @cached_property
    def units_of_type(self) -> Mapping[tuple[Side, str], tuple[str, ...]]:
        """All units of each side and type, in the order of the data."""
        found: dict[tuple[Side, str], list[str]] = {}
        for unit, unit_type in self.units.items():
            found.setdefault((unit_type.side, unit_type.id), []).append(unit)
        return {key: tuple(units) for key, units in found.items()}

    @cached_property
    def main_cities(self) -> tuple[str, ...]:
        """The Main Cities of the rules, in the order of the data."""
        return tuple(space.id for space in self.spaces.values() if space.main_city)

    @cached_property
    def ports(self) -> tuple[str, ...]:
        """The ports printed on the map; those of Beach Heads come with their markers."""
        return tuple(s.id for s in self.spaces.values() if s.port and not s.dormant)

    @cached_property
    def sources(self) -> tuple[Space, ...]:
        """Spaces that are a supply source of some kind."""
        return tuple(space for space in self.spaces.values() if space.source)

    @cached_property
    def northern_sources(self) -> tuple[str, ...]:
        """The supply sources of the three northern regions."""
        return tuple(space.id for space in self.sources if space.region)

    @cached_property
    @CITE.serves("16.3.3/i")
    def divisible(self) -> frozenset[str]:
        """The spaces that count where a side's zone is cut in two."""
        # The islands need no word here: they are too few to be a piece.
        return frozenset(
            space.id for space in self.spaces.values() if not space.dormant and not space.region
        )

    @cached_property
    @CITE.rule("3.0.northern_front")
    def northern_front(self) -> tuple[str, ...]:
        """The fourteen northern spaces that start Republican (3.0)."""
        return tuple(
            space.id
            for space in self.spaces.values()
            if space.region and space.control == REPUBLICAN
        )

    @cached_property
    @CITE.rule("13.4.1", "13.4.1.1", "13.4.1.2")
    def border_spaces(self) -> Mapping[str, tuple[str, ...]]:
        """The spaces at the borders of France and Portugal, by country."""
        found: dict[str, list[str]] = {"france": [], "portugal": []}
        for space in self.spaces.values():
            if space.border:
                found[space.border].append(space.id)
        return {country: tuple(spaces) for country, spaces in found.items()}

    def sheet(self, scenario: str) -> Mapping[str, Any]:
        """A scenario's data, including what it shares with another."""
        sheet: Mapping[str, Any] = self.scenarios[scenario]
        return sheet

    @cached_property
    def fire_tables(self) -> Mapping[str, RangeTable[int]]:
        """The two Fire Tables of 11.2.6, by the size of the units that fire."""
        return {
            size: RangeTable.of(plain["columns"], plain["rows"])
            for size, plain in self.tables["fire"].items()
        }

    @cached_property
    def terrain_effects(self) -> Mapping[str, Mapping[str, Any]]:
        """The Terrain Effects Chart, by row."""
        return {row["id"]: row for row in self.tables["terrain_effects"]}

    @cached_property
    def sieges(self) -> Mapping[str, Mapping[str, Any]]:
        """The sieges of 16.1.1, by id."""
        return {row["id"]: row for row in self.tables["sieges"]}

    @cached_property
    def currencies(self) -> Mapping[Side, tuple[str, ...]]:
        """Each side's own currency, and that of its foreign friends (14.1.1)."""
        rows = self.tables["costs"]["currencies"]
        return {side: tuple(row["id"] for row in rows if row["side"] == side) for side in SIDES}

    @cached_property
    def currency_rank(self) -> Mapping[str, int]:
        """The order in which currencies are told: that of their table."""
        rows = self.tables["costs"]["currencies"]
        return {row["id"]: number for number, row in enumerate(rows)}

    @cached_property
    def siege_spaces(self) -> Mapping[str, str]:
        """The space of each siege."""
        return {siege: row["space"] for siege, row in self.sieges.items()}

    @cached_property
    def sierra_of_madrid(self) -> frozenset[str]:
        """The spaces of the Sierra of Madrid."""
        return frozenset(self.named_sets["sierra_of_madrid"]["spaces"])

    def adjacent_to_madrid(self, space: str) -> bool:
        """Whether a road or river link joins it to Madrid (2.1.2)."""
        return "madrid" in self.beside[space]

    def phase_of(self, turn: int) -> str:
        """`columns`, `mobilization` or `armies` (3.0, War Phases)."""
        return self._phases.get(turn, "armies")

    @cached_property
    def _phases(self) -> Mapping[int, str]:
        return {row["turn"]: row["phase"] for row in self.tables["turns"]}


def _space(plain: Mapping[str, Any]) -> Space:
    return filled(Space, {**plain, "at": tuple(plain["at"])})


def _unit_type(plain: Mapping[str, Any]) -> UnitType:
    reduced = plain["reduced"]
    content = {
        **plain,
        "full": Factors(*plain["full"]),
        "reduced": Factors(*reduced) if reduced else None,
        "tags": frozenset(plain["tags"]),
        "replaces": frozenset(plain.get("replaces", ())),
        "rp": frozenset(plain["rp"]),
    }
    return filled(UnitType, _without(content, "enters", "option", "card"))


def _card(plain: Mapping[str, Any], rank: Mapping[str, int]) -> Card:
    content = {**plain}
    for name in ("needs", "only_phases", "blocked_by", "corps", "removes_division"):
        if name in content:
            content[name] = tuple(content[name])
    content["rp"] = dict(sorted(plain["rp"].items(), key=lambda points: rank[points[0]]))
    return filled(Card, _without(content, "text", "limits"))


def _without(content: dict[str, Any], *names: str) -> dict[str, Any]:
    """The content without what no rule reads."""
    for name in names:
        content.pop(name, None)
    return content

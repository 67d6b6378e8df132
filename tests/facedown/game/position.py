"""The table: where each counter lies, what is known of it, and what was written in secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.games.fog.citations import CITE

from pbem.board.control import controlled
from pbem.board.graph import Graph
from pbem.board.hexes import Grid
from pbem.board.hexsides import AS_PRINTED, Hexsides, Now
from pbem.board.tables import OddsTable
from pbem.engine.facedown import FaceDown, by_tag
from pbem.engine.model import Side
from pbem.engine.tags import is_tag
from pbem.messages import marked
from pbem.value import field, replace, twin, value

NORTH, SOUTH = Side("north"), Side("south")
SIDES = (NORTH, SOUTH)
PEOPLE = {NORTH: marked("North"), SOUTH: marked("South")}
ENEMY: Mapping[Side, Side] = {NORTH: SOUTH, SOUTH: NORTH}
DECKS: Mapping[Side, str] = {NORTH: "n", SOUTH: "s"}
LISTS: Mapping[Side, str] = {NORTH: "ambush_n", SOUTH: "ambush_s"}
AMBUSHES = 2
"""Lines of a list."""
GRID = Grid("even")
OPEN = "open_units"
LIGHT, HEAVY = "2-", "3+"
"""The classes of points of a stack; the second is the worst for its owner."""
NOTHING: Mapping[Any, Any] = {}


@value
class Kind:
    """A kind of counter, as it is printed."""

    strength: int
    moves: int
    points: int
    zone: bool


def hexes(plain: Mapping[str, Any]) -> tuple[str, ...]:
    """The hexes of a map, column by column."""
    (west, east), (top, bottom) = plain["columns"], plain["rows"]
    columns, rows = range(west, east + 1), range(top, bottom + 1)
    return tuple(GRID.name(column, row) for column in columns for row in rows)


class Tables:
    """Everything that is printed."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.hexes = hexes(plain["map"])
        self.hills = frozenset(plain["map"]["hills"])
        self.objectives = tuple(plain["map"]["objectives"])
        self.sides = Hexsides.of(plain["map"]["hexsides"], {"slope": ("up", "down")})
        self.graph: Graph = GRID.graph(self.hexes, self.sides.sides("cliff"))
        (_, self.first_row), (_, self.last_row) = map(GRID.place, (self.hexes[0], self.hexes[-1]))
        self.kinds = {name: Kind(**each) for name, each in plain["units"]["kinds"].items()}
        rows = plain["units"]["units"]
        self.kind_of: dict[str, str] = {each["id"]: each["kind"] for each in rows}
        self.side_of: dict[str, Side] = {each["id"]: Side(each["side"]) for each in rows}
        self.reserves = frozenset(each["id"] for each in rows if each["reserve"])
        tables = plain["tables"]
        self.odds: OddsTable[str] = OddsTable.of(tables["columns"], tables["rows"], "down")
        self.stacking: int = tables["stacking"]
        self.supply: int = tables["supply"]
        self.ambush: int = tables["ambush"]
        self.gunfire: Mapping[str, int] = tables["gunfire"]
        self.turns: int = plain["game"]["turns"]
        self.scenarios: Mapping[str, Any] = {
            name: plain["scenarios"][name] for name in plain["game"]["scenarios"]
        }

    def army(self, side: Side) -> tuple[str, ...]:
        """The counters of a side, in the order they are listed."""
        return tuple(unit for unit, whose in self.side_of.items() if whose == side)

    def printed(self, unit: str) -> Kind:
        """What is on the face of a counter."""
        return self.kinds[self.kind_of[unit]]

    def classed(self, units: Iterable[str]) -> str:
        """The class of the points of some counters together."""
        return LIGHT if sum(self.printed(unit).points for unit in units) <= 2 else HEAVY

    @CITE.rule("2.3")
    def may_begin_at(self, unit: str, hex: str) -> bool:
        """Whether set-up allows a counter in a hex: in the own half, guns and sappers at its edge;
        the reserve comes later.
        """
        first, _ = self.edge(self.side_of[unit])
        _, row = GRID.place(hex)
        if unit in self.reserves:
            return False
        behind = self.kind_of[unit] in ("gun", "sappers")
        return row == first or (abs(row - first) == 1 and not behind)

    def edge(self, side: Side) -> tuple[int, tuple[str, ...]]:
        """The row of a side's own edge, and its hexes."""
        row = self.first_row if side == NORTH else self.last_row
        return row, tuple(hex for hex in self.hexes if GRID.place(hex)[1] == row)


@value
class Position:
    """A table of Fog on the Ridge.

    A counter is named by its id, or by its tag while it lies face down. `notes` are the ambushes
    that one view knows, by slot; `told` those both know.
    """

    board: Tables
    scenario: str
    is_open: bool
    down: FaceDown
    places: Mapping[str, str]
    """The counters on the map with their hexes."""
    waiting: Mapping[Side, tuple[str, ...]]
    """Those of each side that are not on the map yet."""
    lost: tuple[str, ...] = ()
    turn: int = 0
    active: Side = NORTH
    step: str = "set-up"
    moved: frozenset[str] = frozenset()
    """Counters that have marched, come in or worked in this phase."""
    fought: frozenset[str] = frozenset()
    mixed: frozenset[str] = frozenset()
    """Tags that were mixed, and whose owner has not been challenged for them yet."""
    shaken: frozenset[str] = frozenset()
    battle: tuple[str, tuple[str, ...], bool] | None = None
    """The hex attacked, the attackers, and whether they advance."""
    blown: Now = AS_PRINTED
    """What is on hexsides now, where that has changed."""
    lists: Mapping[Side, str] = NOTHING
    """The present list of each side: name and entry."""
    told: Mapping[str, str] = NOTHING
    spent: frozenset[str] = frozenset()
    """Ambushes that have sprung."""
    result: tuple[str, str] | None = None
    notes: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def but(self, **changes: Any) -> Position:
        """A copy with other facts."""
        return replace(self, **changes)

    # --- counters

    def side_of(self, name: str) -> Side:
        """The side of a counter, by its id or its tag."""
        if not is_tag(name):
            return self.board.side_of[name]
        return next(side for side, deck in DECKS.items() if deck == name.split("/")[0])

    @cached_property
    def stacks(self) -> dict[str, tuple[str, ...]]:
        """The counters in each hex that has any, known ones first, then tags in their order."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.places, key=by_tag):
            found.setdefault(self.places[name], []).append(name)
        return {hex: tuple(names) for hex, names in found.items()}

    def at(self, hex: str) -> tuple[str, ...]:
        """The counters in a hex."""
        return self.stacks.get(hex, ())

    def holder(self, hex: str) -> Side | None:
        """The side that has counters in a hex."""
        there = self.at(hex)
        return self.side_of(there[0]) if there else None

    def units_of(self, side: Side) -> tuple[str, ...]:
        """The counters of a side on the map, hex by hex in the order of the map."""
        return tuple(
            name for hex in self.board.hexes for name in self.at(hex) if self.side_of(name) == side
        )

    @property
    def in_play(self) -> tuple[str, ...]:
        """All counters that are on the map or will come."""
        return (*self.places, *(name for names in self.waiting.values() for name in names))

    def could_be(self, name: str) -> tuple[str, ...]:
        """The counters that a name may stand for, as this view knows."""
        return self.down.could_be(name)

    def face(self, name: str) -> str:
        """The counter of a name, empty where this view does not know it."""
        return self.down.face(name)

    def called(self, name: str) -> str:
        """A counter in an order, or in what is said of one: by its name, where this view knows it,
        else by where it lies. Tags are for files: no player is shown one.
        """
        if found := self.face(name):
            return found
        reserves = (side for side, deck in DECKS.items() if deck == name.split("/")[0])
        place = self.places.get(name) or f"the {next(reserves, 'other')} reserve"
        return f"a counter in {place}"

    # --- zones

    @CITE.rule("3.3")
    def zone_of(self, side: Side) -> frozenset[str]:
        """The hexes in a side's zone: around counters that both know to have one, and around
        stacks of which that was said.
        """
        stacks = {
            hex: hex for hex in self.board.hexes if self.holder(hex) == side and self.has_zone(hex)
        }
        return frozenset(controlled(stacks, self.board.graph.neighbours, self._reaches))

    def _reaches(self, here: str, there: str) -> bool:
        crossed = self.board.sides.between(here, there, self.blown)
        return "river" not in crossed or "bridge" in crossed

    @CITE.rule("3.4")
    def has_zone(self, hex: str) -> bool:
        """Whether a stack has a zone, as both players know: of what is hidden, if it was said."""
        known = (name for name in self.at(hex) if not is_tag(name))
        if any(self.board.printed(name).zone for name in known):
            return True
        return self.down.said(f"zone {hex}") is True

    def zones_to_say(self, side: Side) -> Iterator[str]:
        """The hexes where this view knows a hidden counter of a side that has a zone."""
        for hex, names in self.stacks.items():
            faces = [self.face(name) for name in names if is_tag(name)]
            is_own = self.side_of(names[0]) == side
            if is_own and any(face and self.board.printed(face).zone for face in faces):
                yield hex

    @CITE.rule("6.6")
    def troops(self, hex: str) -> str:
        """The class of points of a stack, as both players know: counted where all of it lies open,
        else as its owner has said it, else the worst.
        """
        names = self.at(hex)
        if not any(map(is_tag, names)):
            return self.board.classed(names)
        return str(self.down.said(f"points {hex}") or HEAVY)

    # --- ambushes

    def ambush(self, slot: str) -> str | None:
        """The text of an item, as far as this view knows."""
        return self.told.get(slot) or self.notes.get(slot)

    def slots_of_list(self, side: Side) -> tuple[str, ...]:
        """The slots of a side's present list."""
        name = self.lists.get(side)
        return tuple(f"{name}/{at}" for at in range(AMBUSHES)) if name else ()

    # --- another position

    def with_names(self, names: Mapping[str, str], down: FaceDown) -> Position:
        """A copy in which counters go by other names, wherever they stand."""

        def renamed(these: Iterable[str]) -> tuple[str, ...]:
            return tuple(names.get(each, each) for each in these)

        changed = twin(self)
        changed.__dict__.pop("stacks", None)
        changed.__dict__.update(
            down=down,
            places={names.get(name, name): hex for name, hex in self.places.items()},
            waiting={side: renamed(these) for side, these in self.waiting.items()},
            moved=frozenset(renamed(self.moved)), fought=frozenset(renamed(self.fought)),
            mixed=frozenset(renamed(self.mixed)), shaken=frozenset(renamed(self.shaken)),
        )  # fmt: skip
        if self.battle is not None:
            hex, units, advances = self.battle
            changed.__dict__["battle"] = (hex, renamed(units), advances)
        return changed

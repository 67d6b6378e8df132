"""The table: where each unit is, who controls what, points, morale, chits, and whose impulse it is.

Everything that follows from these is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.board.tables import clamp
from pbem.engine.hidden import Epoch
from pbem.engine.model import Side
from pbem.engine.tags import place_of, way
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.tables import (
    ARTILLERY,
    NATIONALIST,
    SHOCK,
    SIDES,
    Face,
    PrintedUnit,
    ScenarioCard,
    Tables,
)
from pbem.value import field, replace, value

ELIMINATED, TRACK, GONE = "eliminated", "track", "gone"
"""Where units are that stand neither in an area nor in a box: killed, still to come, out of it."""

RIVERS_OPEN, BOMBARDED, ENTERED, JUNTA, BAD_WEATHER, RADA, STRIFE, PAUSED = (
    "rivers_open", "madrid_bombarded", "madrid_entered", "junta", "bad_weather", "rada", "strife",
    "pause_declared",
)  # fmt: skip
"""Facts that the rules remember."""
NOTHING: Mapping[Any, Any] = {}


@value
class Position:
    """A table of Storm over Madrid. `impulse` counts from 1 in a turn; 0 is what is before it."""

    board: Tables
    scenario: str
    options: frozenset[str]
    places: Mapping[str, str]
    control: Mapping[str, Side]
    support: Mapping[Side, int]
    morale: int
    turn: int = 0
    began: int = 0
    """The turn on which the game began."""
    impulse: int = 0
    active: Side = NATIONALIST
    passes: int = 0
    """How many impulses in a row were passed."""
    run: int = 0
    """Impulses the Nationalists may still play before the Republicans come."""
    spent: frozenset[str] = frozenset()
    gains: Mapping[Side, int] = NOTHING
    """Areas won in this turn: the area control track."""
    cups: Mapping[Side, tuple[str, ...]] = NOTHING
    hands: Mapping[Side, tuple[str, ...]] = NOTHING
    """Of each side the chits both players know, by id, and the slots of those that lie face down.
    """
    played: tuple[str, ...] = ()
    """Chits played in this turn, in the order played."""
    removed: tuple[str, ...] = ()
    """Chits that left the game."""
    facts: frozenset[str] = frozenset()
    pause: int = 0
    """Turns of the pause in fighting that are left, this one too."""
    durruti: int = 0
    """Republican impulses for which anarchists still are shock units, this one too."""
    flight: int = 0
    """Republican impulses without combat or bombardment, this one too."""
    result: tuple[str, str] | None = None
    laid: tuple[Epoch, ...] = ()
    """Every epoch of chits face down, in the order laid."""
    epochs: Mapping[Side, int] = NOTHING
    """The number of the last epoch of each side."""
    stirred: frozenset[Side] = frozenset()
    """The sides whose cup something came back to since it was laid."""
    sought: str = ""
    """A chit that its owner has to show, in the hand or in the cup."""
    opened: Mapping[str, str] = NOTHING
    """Of a way to a chit that is being opened: each slot, and the older one that is there."""
    secret: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """What is in slots, for all that this view of the table knows beyond both players."""

    def but(self, **changes: Any) -> Position:
        """The same table with other facts; who stands where is carried over."""
        changed = replace(self, **changes)
        if "_there" in self.__dict__:
            is_same = "places" not in changes
            changed.__dict__["_there"] = self._there if is_same else self._moved(changed.places)
        return changed

    # ---------------------------------------------------------------- the game

    @property
    def card(self) -> ScenarioCard:
        """How the scenario begins and is won."""
        return self.board.scenarios[self.scenario]

    def has(self, special: str) -> bool:
        """Whether the scenario has a special rule."""
        return special in self.card.special

    # ---------------------------------------------------------------- units

    @cached_property
    def _there(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for unit in self.board.units:
            found.setdefault(self.places[unit], []).append(unit)
        return {place: tuple(units) for place, units in found.items()}

    def _moved(self, places: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """The units by place where only some have moved."""
        found = dict(self._there)
        for unit, place in places.items():
            before = self.places[unit]
            if before != place:
                found[before] = tuple([each for each in found[before] if each != unit])
                arrived = (*found.get(place, ()), unit)
                found[place] = tuple(sorted(arrived, key=self.board.rank.__getitem__))
        return found

    def units_at(self, place: str, side: Side | None = None) -> tuple[str, ...]:
        """The units at a place, of one side or of both, in the order that breaks ties."""
        there = self._there.get(place, ())
        of = self.board.side_of
        return there if side is None else tuple([unit for unit in there if of[unit] == side])

    def unit(self, unit: str) -> PrintedUnit:
        """What is printed on a unit, on both of its sides."""
        return self.board.units[unit]

    def called(self, name: str) -> str:
        """What messages call a unit, an area or a box; any other text as it is."""
        board = self.board
        if name in board.units:
            return board.units[name].name
        if name in board.areas:
            return f"{board.areas[name].name} ({name})"
        return f"box {name}" if name in board.boxes else name

    def side_of(self, unit: str) -> Side:
        """The side that a unit belongs to."""
        return self.board.side_of[unit]

    def is_on_map(self, unit: str) -> bool:
        """Whether it is in an area or in a box."""
        return self.places[unit] in self.board.graph

    @CITE.serves("1.1.3")
    def is_fresh(self, unit: str) -> bool:
        return unit not in self.spent

    def face(self, unit: str) -> Face:
        """The side of the counter that shows."""
        printed = self.board.units[unit]
        return printed.fresh if self.is_fresh(unit) else printed.spent

    @CITE.serves("15.CR6")
    def is_durrutist(self, unit: str) -> bool:
        """Whether CR6 makes it a shock unit for now."""
        printed = self.board.units[unit]
        return self.durruti > 0 and printed.faction == "anarchist" and printed.type != ARTILLERY

    def type_of(self, unit: str) -> str:
        """Line, shock or artillery; those who fight with Durruti count as shock."""
        return SHOCK if self.is_durrutist(unit) else self.board.units[unit].type

    def attack_of(self, unit: str) -> int:
        """The combat factor that shows; artillery has none of its own (9.8)."""
        printed = self.face(unit).attack
        return max(1, printed) if self.is_durrutist(unit) else printed

    def is_gun(self, unit: str) -> bool:
        """Whether a unit is artillery by what is printed on it."""
        return self.board.units[unit].type == ARTILLERY

    # ---------------------------------------------------------------- ground

    def is_box(self, place: str) -> bool:
        """Whether a place is a box next to the map."""
        return place in self.board.boxes

    @CITE.rule("3.1.2")
    def is_friendly(self, place: str, side: Side) -> bool:
        """By control, whoever is there; a box is its owner's."""
        # reading: boxes are friendly ground without terrain: units are activated from them and turn
        # fresh in them.
        if place in self.board.boxes:
            return self.board.boxes[place] == side
        return self.control[place] == side

    def has_enemies(self, place: str, side: Side) -> bool:
        """Whether units of the other side are in a place."""
        of = self.board.side_of
        return any(of[unit] != side for unit in self._there.get(place, ()))

    @CITE.rule("3.5.b")
    def is_contested(self, area: str) -> bool:
        """Whether units of both sides are there; its controller is who it was."""
        of = self.board.side_of
        return len({of[unit] for unit in self._there.get(area, ())}) == 2

    @CITE.rule("3.2.1")
    def room(self, place: str, side: Side) -> int:
        """How many units of a side may still come; boxes have no limit."""
        # reading: ten units of each side, not of both together.
        if self.is_box(place):
            return len(self.board.units)
        most: int = self.board.charts["limits"]["stacking"]
        return most - len(self.units_at(place, side))

    def is_urban(self, area: str) -> bool:
        """Whether a place is an area of the city."""
        return area in self.board.areas and self.board.areas[area].is_urban

    def terrain(self, area: str) -> int:
        """The modifier of an area; 0 for a box."""
        return self.board.areas[area].terrain if area in self.board.areas else 0

    # ---------------------------------------------------------------- morale and chits

    @property
    def morale_modifier(self) -> int:
        """What the morale of the Republicans adds to its tests."""
        return self.board.morale[self.morale][1]

    @property
    def morale_name(self) -> str:
        """The level of morale in a word."""
        return self.board.morale[self.morale][0]

    @CITE.rule("3.4.0")
    def morale_after(self, levels: int) -> int:
        """The level so many steps better (worse if negative), no further than the last."""
        return clamp(self.morale + levels, 0, len(self.board.morale) - 1)

    def kind_of(self, chit: str) -> str:
        """The kind of a chit, of which there may be several."""
        return self.board.chits[chit]

    def in_hand(self, side: Side, kind: str) -> str:
        """A chit of the kind in a side's hand, if this view knows one; else empty."""
        return next((chit for chit in self.held(side) if self.kind_of(chit) == kind), "")

    # ---------------------------------------------------------------- chits face down

    @property
    def is_hidden(self) -> bool:
        """Whether chits lie face down in this game."""
        return bool(self.epochs)

    def chit_in(self, there: str) -> str:
        """The chit that is there, a slot or the chit itself; empty if this view does not know."""
        for _, card in way(self.secret, there):
            there = card
        return there if there in self.board.chits else ""

    def followed(self, slot: str) -> str:
        """Where what was in a slot lies now, as far as its way has been opened."""
        while slot in self.opened:
            slot = self.opened[slot]
        return slot

    def known_among(self, there: Sequence[str]) -> tuple[str, ...]:
        """The chits that this view knows of a cup or hand."""
        return tuple(chit for each in there if (chit := self.chit_in(each)))

    def held(self, side: Side) -> tuple[str, ...]:
        """The chits of a side's hand that this view knows."""
        return self.known_among(self.hands[side])

    def where(self, side: Side, chit: str) -> str:
        """What holds a chit in the hand or the cup, as it is there: its id or its slot.

        Empty if it is in neither, for all that this view knows.
        """
        there = (*self.hands[side], *self.cups[side])
        found = (each for each in there if chit in (each, self.chit_in(each)))
        return next(found, "") if chit else ""

    def slots(self, side: Side) -> tuple[str, ...]:
        """What a side may open: its hand face down, and the cup while it looks for a chit there."""
        there = self.hands[side]
        if self.sought and self.board.side_of_chit(self.sought) == side:
            there = (*there, *self.cups[side])
        return tuple(sorted((each for each in there if "/" in each), key=place_of))

    @cached_property
    def face_down(self) -> frozenset[str]:
        """The chits of both sides of which not both players know where they are."""
        seen = {*self.played, *self.removed}
        for side in SIDES:
            seen.update(self.cups[side], self.hands[side])
        return frozenset(chit for chit in self.board.chits if chit not in seen)

    @CITE.serves("6.6")
    def may_hold(self, side: Side, kind: str) -> bool:
        """Whether a side may have a chit of the kind in hand, for all that both players know."""
        hand = self.hands[side]
        could = self.face_down if any("/" in each for each in hand) else ()
        return any(chit in hand or chit in could for chit in self.board.of_kind(kind))

    # ---------------------------------------------------------------- time

    @property
    def is_paused(self) -> bool:
        """Whether the pause in fighting is in force."""
        return self.pause > 0

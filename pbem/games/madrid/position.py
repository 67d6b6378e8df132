"""The table: where each unit is, who controls what, points, morale, chits, and whose impulse it is.

Everything that follows from these is computed on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.board.tables import clamp
from pbem.engine.facedown import FaceDown
from pbem.engine.model import Side
from pbem.engine.tags import place_of
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.tables import (
    ARTILLERY,
    ENEMY,
    NATIONALIST,
    REPUBLICAN,
    SHOCK,
    SIDES,
    Face,
    PrintedUnit,
    ScenarioCard,
    Tables,
)
from pbem.messages import Said, say
from pbem.value import twin, value

ELIMINATED, TRACK, GONE = "eliminated", "track", "gone"
"""The places of units that are neither in an area nor in a box: eliminated, still to come, out of
the game.
"""

RIVERS_OPEN, BOMBARDED, ENTERED, JUNTA, BAD_WEATHER, RADA, STRIFE, PAUSED = (
    "rivers_open", "madrid_bombarded", "madrid_entered", "junta", "bad_weather", "rada", "strife",
    "pause_declared",
)  # fmt: skip
"""The facts that a position remembers for the rules."""
NOTHING: Mapping[Any, Any] = {}
ALL_OPEN = FaceDown()


COMPUTED: Mapping[str, tuple[str, ...]] = {
    "places": ("stacks", "memo"),
    "control": ("own", "memo"),
    "hands": ("may_hold",),
    "down": ("may_hold",),
}
"""What a position computes from each of its fields, and no longer knows once the field changes."""


@value
class Position:
    """A position of Storm over Madrid. `impulse` counts from 1 in a turn; 0 is before the first."""

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
    """The number of passes in a row."""
    run: int = 0
    """Impulses that the Nationalists may still play before the Republicans."""
    spent: frozenset[str] = frozenset()
    gains: Mapping[Side, int] = NOTHING
    """Areas won in this turn: the area control track."""
    cups: Mapping[Side, tuple[str, ...]] = NOTHING
    hands: Mapping[Side, tuple[str, ...]] = NOTHING
    """For each side, the ids of the chits that both players know, and the slots of those face
    down.
    """
    played: tuple[str, ...] = ()
    """Chits played in this turn, in the order played."""
    removed: tuple[str, ...] = ()
    """Chits that left the game."""
    facts: frozenset[str] = frozenset()
    pause: int = 0
    """Turns left of the pause in fighting, including this one."""
    durruti: int = 0
    """Republican impulses for which anarchists are still shock units, including this one."""
    flight: int = 0
    """Republican impulses left without combat or bombardment, including this one."""
    result: tuple[str, str] | None = None
    down: FaceDown = ALL_OPEN
    """The books of chits face down."""
    stirred: frozenset[Side] = frozenset()
    """The sides with a chit that came back to their cup since the cup was laid."""
    sought: str = ""
    """A chit that its owner has to show, in hand or cup."""

    def but(self, **changes: Any) -> Position:
        """A copy with other facts. It keeps what was computed of those that stay the same."""
        changed = twin(self)
        content = changed.__dict__
        assert changes.keys() <= content.keys(), changes.keys()
        for name in changes:
            for computed in COMPUTED.get(name, ()):
                content.pop(computed, None)
        content.update(changes)
        return changed

    def with_units(self, units: Iterable[str], place: str) -> Position:
        """A copy with some units at a place. What is known of other places is kept."""
        moving = frozenset(units)
        changed = self.but(places={**self.places, **dict.fromkeys(moving, place)})
        if "stacks" in self.__dict__:
            changed.__dict__["stacks"] = self._moved(moving, place)
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
    def memo(self) -> dict[Any, Any]:
        """What was computed from the places of units and the control of areas alone.

        Positions that follow one another share it while both stay the same: a question asked again
        after a pass, and the many examples of one question, cost no second search.
        """
        return {}

    @cached_property
    def stacks(self) -> dict[Side, dict[str, tuple[str, ...]]]:
        """The units of each side by place, without empty places."""
        found: dict[Side, dict[str, list[str]]] = {side: {} for side in SIDES}
        for unit, side in self.board.side_of.items():
            found[side].setdefault(self.places[unit], []).append(unit)
        return {
            side: {place: tuple(units) for place, units in there.items()}
            for side, there in found.items()
        }

    def _moved(self, units: frozenset[str], place: str) -> dict[Side, dict[str, tuple[str, ...]]]:
        """The stacks after some units have come to a place. Those of other places are shared."""
        found, rank = dict(self.stacks), self.board.rank.__getitem__
        for side in {self.board.side_of[unit] for unit in units}:
            there = found[side] = dict(found[side])
            for before in {self.places[unit] for unit in units}:
                left = tuple([unit for unit in there.pop(before, ()) if unit not in units])
                if left:
                    there[before] = left
            arrived = units.intersection(self.board.army[side])
            there[place] = tuple(sorted((*there.get(place, ()), *arrived), key=rank))
        return found

    def units_at(self, place: str, side: Side | None = None) -> tuple[str, ...]:
        """The units at a place, of one side or of both, in the order that breaks ties."""
        if side is None:
            both = [unit for there in self.stacks.values() for unit in there.get(place, ())]
            return self.board.in_order(both)
        return self.stacks[side].get(place, ())

    def unit(self, unit: str) -> PrintedUnit:
        """Both printed sides of a unit."""
        return self.board.units[unit]

    def called(self, name: str) -> Said:
        """The name of a unit, an area or a box in messages; any other text as it is."""
        board = self.board
        if name in board.units:
            return board.units[name].name
        if name in board.areas:
            return f"{board.areas[name].name} ({name})"
        return say("box {number}", number=name) if name in board.boxes else name

    def side_of(self, unit: str) -> Side:
        """The side that a unit belongs to."""
        return self.board.side_of[unit]

    def is_on_map(self, unit: str) -> bool:
        """Whether a unit is in an area or in a box."""
        return self.places[unit] in self.board.places

    @CITE.serves("1.1.3")
    def is_fresh(self, unit: str) -> bool:
        return unit not in self.spent

    def face(self, unit: str) -> Face:
        """The side of the counter that is up."""
        printed = self.board.units[unit]
        return printed.fresh if self.is_fresh(unit) else printed.spent

    @CITE.serves("15.CR6")
    def is_durrutist(self, unit: str) -> bool:
        """Whether CR6 makes it a shock unit for now."""
        printed = self.board.units[unit]
        return self.durruti > 0 and printed.faction == "anarchist" and printed.type != ARTILLERY

    def type_of(self, unit: str) -> str:
        """Line, shock or artillery. Units that fight with Durruti are shock units."""
        return SHOCK if self.is_durrutist(unit) else self.board.units[unit].type

    def attack_of(self, unit: str) -> int:
        """The combat factor on the side that is up. Artillery has none of its own (9.8)."""
        printed = self.face(unit).attack
        return max(1, printed) if self.is_durrutist(unit) else printed

    def is_gun(self, unit: str) -> bool:
        """Whether a unit is artillery by what is printed on it."""
        return unit in self.board.guns

    # ---------------------------------------------------------------- ground

    def is_box(self, place: str) -> bool:
        """Whether a place is a box next to the map."""
        return place in self.board.boxes

    def is_friendly(self, place: str, side: Side) -> bool:
        """Whether a side controls a place, whoever is there. A box belongs to its owner."""
        return place in self.own[side]

    def has_enemies(self, place: str, side: Side) -> bool:
        """Whether units of the other side are in a place."""
        return place in self.stacks[ENEMY[side]]

    @CITE.rule("3.5.b")
    def is_contested(self, area: str) -> bool:
        """Whether units of both sides are there. Its controller stays the same."""
        return area in self.stacks[NATIONALIST] and area in self.stacks[REPUBLICAN]

    @cached_property
    @CITE.rule("3.1.2")
    def own(self) -> Mapping[Side, frozenset[str]]:
        """The places that are friendly to each side: what it controls, and its boxes."""
        # reading: boxes are friendly ground without terrain: units are activated from them and turn
        # fresh in them.
        holders = {**self.control, **self.board.boxes}
        ours = frozenset([place for place, side in holders.items() if side == NATIONALIST])
        return {NATIONALIST: ours, REPUBLICAN: self.board.places - ours}

    @CITE.rule("3.2.1")
    def room(self, place: str, side: Side) -> int:
        """How many more units of a side may enter a place; boxes have no limit."""
        # reading: ten units of each side, not of both together.
        if self.is_box(place):
            return len(self.board.units)
        most: int = self.board.charts["limits"]["stacking"]
        return most - len(self.units_at(place, side))

    def least_room(self, side: Side) -> int:
        """The room in the area with most units of a side."""
        areas, stacks = self.board.areas, self.stacks[side]
        most = max((len(units) for at, units in stacks.items() if at in areas), default=0)
        limit: int = self.board.charts["limits"]["stacking"]
        return limit - most

    def is_urban(self, area: str) -> bool:
        """Whether a place is an area of the city."""
        return area in self.board.areas and self.board.areas[area].is_urban

    def terrain(self, area: str) -> int:
        """The modifier of an area; 0 for a box."""
        return self.board.areas[area].terrain if area in self.board.areas else 0

    # ---------------------------------------------------------------- morale and chits

    @property
    def morale_modifier(self) -> int:
        """The modifier of the Republicans' morale tests."""
        return self.board.morale[self.morale][1]

    @property
    def morale_name(self) -> str:
        """The level of morale in a word."""
        return self.board.morale[self.morale][0]

    @CITE.rule("3.4.0")
    def morale_after(self, levels: int) -> int:
        """The level of morale so many steps up (down if negative), as far as the track goes."""
        return clamp(self.morale + levels, 0, len(self.board.morale) - 1)

    def kind_of(self, chit: str) -> str:
        """The kind of a chit. There may be several chits of a kind."""
        return self.board.chits[chit]

    def title(self, chit: str) -> Said:
        """What a chit is called."""
        return say(self.board.kinds[self.kind_of(chit)].title)

    def in_hand(self, side: Side, kind: str) -> str:
        """A chit of the kind in a side's hand, if this view knows one; else empty."""
        return next((chit for chit in self.held(side) if self.kind_of(chit) == kind), "")

    # ---------------------------------------------------------------- chits face down

    @property
    def is_hidden(self) -> bool:
        """Whether chits lie face down in this game."""
        return bool(self.down.laid)

    def chit_in(self, there: str) -> str:
        """The chit behind a slot or id; empty if this view does not know."""
        chit = self.down.face(there)
        return chit if chit in self.board.chits else ""

    def known_among(self, there: Sequence[str]) -> tuple[str, ...]:
        """Those chits of a cup or hand that this view knows."""
        return tuple(chit for each in there if (chit := self.chit_in(each)))

    def held(self, side: Side) -> tuple[str, ...]:
        """The chits of a side's hand that this view knows."""
        return self.known_among(self.hands[side])

    def where(self, side: Side, chit: str) -> str:
        """How a chit is listed in the hand or the cup: its id or its slot.

        Empty if it is in neither, as far as this view knows.
        """
        there = (*self.hands[side], *self.cups[side])
        found = (each for each in there if chit in (each, self.chit_in(each)))
        return next(found, "") if chit else ""

    def slots(self, side: Side) -> tuple[str, ...]:
        """The slots a side may open: its face-down hand, and its cup while a chit is sought
        there.
        """
        there = self.hands[side]
        if self.sought and self.board.side_of_chit(self.sought) == side:
            there = (*there, *self.cups[side])
        return tuple(sorted((each for each in there if "/" in each), key=place_of))

    @cached_property
    @CITE.serves("6.6")
    def may_hold(self) -> Mapping[Side, frozenset[str]]:
        """The kinds of chits that each side may have in hand, as far as both players know."""
        found = {}
        for side, hand in self.hands.items():
            could = self.down.hidden if any("/" in each for each in hand) else frozenset[str]()
            kinds = map(self.board.chits.get, could.union(hand))
            found[side] = self.board.kinds_of[side].intersection(kinds)
        return found

    # ---------------------------------------------------------------- time

    @property
    def is_river_banned(self) -> bool:
        """Whether the Nationalists may not cross Manzanares and Jarama yet."""
        return self.has("river_ban") and RIVERS_OPEN not in self.facts

    def is_bound_by_pause(self, side: Side) -> bool:
        """Whether the pause in fighting is in force and binds the side: the Nationalists."""
        return side == NATIONALIST and self.is_paused

    @property
    def is_paused(self) -> bool:
        """Whether the pause in fighting is in force."""
        return self.pause > 0

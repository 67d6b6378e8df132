"""The table: who stands where in which order, in which state, what the day has brought so far.

Everything that follows from these is computed on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from pbem.board.hexsides import key_of
from pbem.engine.facedown import FaceDown, by_tag
from pbem.engine.model import Side
from pbem.engine.tags import deck_of, is_tag
from pbem.games.nopasaran import papers
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import Bridge, Ground, Terrain, Works
from pbem.games.nopasaran.options import OPEN_UNITS
from pbem.games.nopasaran.orders import MOBILE, Attack
from pbem.games.nopasaran.papers import Paper
from pbem.games.nopasaran.tables import (
    DECKS,
    SIDES,
    PrintedFormation,
    PrintedUnit,
    Tables,
    Weather,
)
from pbem.value import field, replace, twin, value

ELIMINATED, COMING, ELSEWHERE, FACE_DOWN = "eliminated", "coming", "elsewhere", "face down"
"""The places of units that are in no hex: destroyed; to come as reinforcements; not in this battle;
in a hex, but under which tag only their player knows.
"""
DAMAGED, DESTROYED = "damaged", "destroyed"
RECO, INT, CAS, BOMB = "reco", "int", "cas", "bomb"
MISSIONS = (RECO, INT, CAS, BOMB)
NOTHING: Mapping[Any, Any] = {}
SMALLEST, MIDDLING, LARGEST = 0.0, 0.5, 1.0
"""How large a unit is guessed to be: how many of those that it may be are smaller."""
SEEN, BY_FACES = "seen by its players", "by faces"
"""Where a position keeps how each side sees its own counters, with its lists and without."""
CLASS, POINTS, TYPES, TOP, ATTACKS, ACTS, ACTS_ALONE, NO_GUN, NO_ENGINEER = (
    "class ", "points ", "types ", "top ", "attacks ", "acts ", "alone ", "no gun ", "no engineer ",
)  # fmt: skip
"""What is said of counters face down: the class of their troop points, how many these are, of which
types they are; of one that has come to lie on top, of which formation it is, or that it can attack;
with whom one acts, or that it acts by itself; and of which kind one is not."""
T = TypeVar("T")

_OF_A_SIDE = ("charges", "barred", "ways", "rear")
_LINES = ("zones", *(f"{each}/{side}" for each in _OF_A_SIDE for side in SIDES), "command")
_REACHES = (*_LINES, "reached")
_FORMATIONS = ("acting_with", "split", "command", "areas", "commanders")
COMPUTED: Mapping[str, tuple[str, ...]] = {
    "stacks": ("hexes", "places", "holders", "held", "tags", *_LINES),
    "away": ("places", "acting_with", "command"),
    "lost": _REACHES,
    "disorganised": _REACHES,
    "bridges": _REACHES,
    "roads": _REACHES,
    "pontoons": _REACHES,
    "assigned": _FORMATIONS,
    "moved_to": _FORMATIONS,
    "down": (*_REACHES, "zones said"),
    "interdicted": tuple(f"markers/{side}" for side in SIDES),
}
"""What a position computes from each of its fields, and no longer knows once the field changes."""


@value
class Mission:
    """What an air unit flies: its mission, and the hex or, for close support, the headquarters."""

    kind: str
    target: str
    is_asked: bool = False
    """Whether its player picks the half of a stack that is shown."""


@value
class Interdiction:
    """A marker of interdiction: whose, how many points it costs, and which air unit laid it."""

    side: Side
    factor: int
    unit: str


HELP = "help"


@value
class Task:
    """What an engineer does all day, and since which one: it repairs a bridge (by its id) or a hex,
    or helps across rivers beside a hex.
    """

    kind: str
    at: str
    since: int


@value
class March:
    """What a unit has begun its march with in an activation, and what it has paid on it."""

    level: str
    """Its level of supply when it began to move (6.2)."""
    paid: frozenset[str] = frozenset()
    """The markers of interdiction that it has paid, by their air units (7.3.1)."""


@value
class Activation:
    """The action cycle in progress: a formation or a whole division, and who may act in it."""

    side: Side
    formation: str
    able: frozenset[str]
    began: Mapping[str, str] = NOTHING
    """The hex in which each unit of the side stood when the cycle began."""
    in_zone: frozenset[str] = frozenset()
    """Units that began it in an enemy zone of control."""
    touched: frozenset[str] = frozenset()
    """Units that have done something in it; they are finished when it ends."""
    moved: frozenset[str] = frozenset()
    marching: frozenset[str] = frozenset()
    """Those who moved last."""
    halted: frozenset[str] = frozenset()
    """Those whose movement is over, since others have moved behind them (10)."""
    attacked: frozenset[str] = frozenset()
    """Units that have attacked: they do nothing more but advance, and attack mobile or
    improvised."""
    advanced: frozenset[str] = frozenset()
    """Units that have advanced after a combat: an improvised attack is left to them."""
    improvised: frozenset[str] = frozenset()
    """Units that have attacked improvised without an advance before it: they may go on."""
    working: frozenset[str] = frozenset()
    """Engineers that have begun a task."""
    driven: Mapping[str, str] = NOTHING
    """Enemy units that were driven back in this cycle by an attack, or withdrew before it, with its
    type.
    """
    given: frozenset[str] = frozenset()
    """Units that have given or received troop points (19.2)."""
    marched: Mapping[str, int] = NOTHING
    """By how many steps by road each unit has marched more than other steps in it, if that matters
    (10.p4).
    """
    marches: Mapping[str, March] = NOTHING
    """The march of each unit that has moved in it."""
    marches_as: Mapping[str, Mapping[str, March]] = NOTHING
    """The march of a tag, by the unit that it may be."""
    has_fired: bool = False
    """Whether its side has bombarded in it, with guns or aircraft of whatever formation."""


@value
class Combat:
    """An attack that is being resolved, with what was committed to it on both sides."""

    side: Side
    hex: str
    type: str
    attackers: tuple[str, ...]
    came_from: Mapping[str, tuple[str, ...]]
    """The attackers by the hexes from which they attack."""
    defenders: tuple[str, ...]
    """The units of the hex that take part: all but headquarters, from the top."""
    plan: Attack | None = None
    """The attack as it was ordered, with what is said of its outcome."""
    guns: tuple[str, ...] = ()
    air: tuple[str, ...] = ()
    primary: str = ""
    defence_guns: Mapping[str, str] = NOTHING
    """The batteries of the defence, each with the attacking hex at which it fires."""
    defence_air: tuple[str, ...] = ()
    defence_primary: str = ""
    is_defended_by_fire: bool = True
    """Whether the defender may be supported; a mobile attack has a die for that (12.4.p2)."""
    shares: Mapping[str, int] = NOTHING
    """What antiaircraft fire leaves of the aircraft's factors, in quarters."""
    is_reaction: bool = False
    is_surprise: bool = False
    """Whether rule J.2 holds."""
    result: str = ""
    way_back: tuple[str, ...] = ()
    """The longest way on which the defender has retreated."""

    @property
    def is_mobile(self) -> bool:
        """Whether it is a mobile attack: its attackers are in the hex of the defenders."""
        return self.type == MOBILE

    @property
    @CITE.serves("12.3.1.b3", "12.4.p3")
    def fought_from(self) -> tuple[str, ...]:
        """The hexes in which the attackers are: where they stand, or where they have gone in."""
        # reading: 12.3.1, who attacks mobile is in the attacked hex until the attack is over: for
        # the range of guns that defend it, and for antiaircraft fire.
        return (self.hex,) if self.is_mobile else tuple(self.came_from)


@value
class Position:
    """A position of ¡No Pasarán!. Day 0 is before the first command phase."""

    board: Tables
    scenario: str
    options: frozenset[str]
    stacks: Mapping[str, tuple[str, ...]]
    """The units in each hex that has any, from the top."""
    away: Mapping[str, str]
    """The places of all others."""
    control: Mapping[str, Side]
    day: int = 0
    segment: str = "set-up"
    active: Side = SIDES[0]
    passed: int = 0
    """How often the initiative has gone over to the other side today."""
    weather: str = "clear"
    tomorrow: str = ""
    """The weather of the next day, once it is known."""
    # --- units
    lost: Mapping[str, int] = NOTHING
    """The troop points that units have lost."""
    disorganised: frozenset[str] = frozenset()
    demoralised: frozenset[str] = frozenset()
    cut_off: Mapping[str, int] = NOTHING
    """On how many evenings in a row units out of command lost supply by it."""
    assigned: Mapping[str, str] = NOTHING
    """Units and formations that act with another formation, division or corps for a time."""
    moved_to: Mapping[str, str] = NOTHING
    """Formations that have gone over to another division for good (J.5), and what a free sheet has
    put elsewhere, units too (6.6.6)."""
    base: Mapping[str, str] = NOTHING
    """Formations whose level of supply is below normal by a rule of the battle (J.9)."""
    fought: frozenset[str] = frozenset()
    """Units that took part in a combat on this day."""
    busy: frozenset[str] = frozenset()
    """Units that have attacked on this day, or done engineers' work: they build no works."""
    # --- the day
    spent: Mapping[str, int] = NOTHING
    """The half points that units have spent today, moving and, of batteries, firing."""
    acted: frozenset[str] = frozenset()
    """Units that are finished for today."""
    walked: frozenset[str] = frozenset()
    """Units that have moved today."""
    dawn: Mapping[str, str] = NOTHING
    """The hex in which each unit that has left it since began the day; empty for one that came onto
    the map."""
    activated: frozenset[str] = frozenset()
    """Formations and divisions that have been activated today."""
    idle: frozenset[str] = frozenset()
    """Those of them in whose last activation nobody did anything."""
    finished: frozenset[Side] = frozenset()
    """The sides that have said they are finished for today."""
    successes: Mapping[Side, int] = NOTHING
    """Successes of the last activation, for the next die for initiative (5.3.1)."""
    cycle: Activation | None = None
    # --- the air
    missions: Mapping[str, Mission] = NOTHING
    flown: frozenset[str] = frozenset()
    """Air units in the finished box."""
    interdicted: Mapping[str, tuple[Interdiction, ...]] = NOTHING
    # --- the ground
    works: Mapping[str, str] = NOTHING
    roads: Mapping[str, str] = NOTHING
    """Hexes whose road is damaged or destroyed."""
    rails: Mapping[str, str] = NOTHING
    bridges: Mapping[str, str] = NOTHING
    """Bridges that are damaged or destroyed, by id."""
    pontoons: Mapping[str, str] = NOTHING
    """Pontoon units that are a bridge, with the key of the side that they bridge."""
    tasks: Mapping[str, Task] = NOTHING
    """What engineers work at."""
    losses: Mapping[Side, int] = NOTHING
    """Troop points that each side has lost, consolidated units too."""
    used: frozenset[str] = frozenset()
    """What rules of the battle allow once and has happened."""
    combat: Combat | None = None
    result: tuple[str, str] | None = None
    # --- counters face down
    down: FaceDown = FaceDown()
    masks: Mapping[str, Side] = NOTHING
    """The force markers by their hexes, with whose they are."""
    mixed: frozenset[str] = frozenset()
    """Tags that were mixed, and whose player has not been challenged for them yet."""
    may_act: Mapping[str, tuple[str, ...]] = NOTHING
    """What each tag that acts in the present activation would have to be."""
    spent_as: Mapping[str, Mapping[str, int]] = NOTHING
    """The half points that a tag has spent today, by the unit that it may be."""
    cut_off_as: Mapping[str, Mapping[str, int]] = NOTHING
    """The same of these evenings; a unit that is not named lost no supply."""
    # --- lists
    papers: Mapping[str, Paper] = NOTHING
    """The last list that each side has sealed of each kind, by name."""
    told: Mapping[str, str] = NOTHING
    """The lines of lists that both know, by slot."""
    unled: tuple[int, frozenset[str]] = (0, frozenset())
    """The formations whose headquarters was out of command when the assignments of a day were
    judged, and that day."""
    notes: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """The lines that one view knows."""

    @CITE.rule("5.5.p4")
    def but(self, **changes: Any) -> Position:
        """A copy with other facts. It keeps what was computed of those that stay the same."""
        changed = twin(self)
        content = changed.__dict__
        content.pop(SEEN, None)
        content.pop(BY_FACES, None)
        assert changes.keys() <= content.keys(), changes.keys() - content.keys()
        for name in COMPUTED.keys() & changes.keys():
            if content[name] != changes[name]:
                for computed in COMPUTED[name]:
                    content.pop(computed, None)
        content.update(changes)
        return changed

    # ---------------------------------------------------------------- the ground

    @cached_property
    def ground(self) -> Ground:
        """The ground of this battle."""
        return self.board.ground(self.scenario)

    def terrain(self, hex: str) -> Terrain:
        """The ground of a hex."""
        return self.ground.terrain[hex]

    def works_at(self, hex: str) -> Works | None:
        """The works in a hex."""
        kind = self.works.get(hex)
        return self.ground.works_kinds[kind] if kind else None

    def bridge_between(self, one: str, other: str) -> Bridge | None:
        """The bridge over a side, in whatever state."""
        id = self.ground.bridge_at.get(key_of(one, other))
        return self.ground.bridges[id] if id else None

    def state_of_bridge(self, bridge: str) -> str:
        """`damaged`, `destroyed`, or empty for one that is whole."""
        return self.bridges.get(bridge, "")

    @property
    def sky(self) -> Weather:
        """What the weather does."""
        return self.board.weather[self.weather]

    @cached_property
    def plain(self) -> Mapping[str, Any]:
        """The scenario as its file has it."""
        found: Mapping[str, Any] = self.board.scenarios[self.scenario]
        return found

    def special(self, rule: str) -> Mapping[str, Any] | None:
        """What a rule of this battle says; None where it does not hold."""
        for each in self.plain.get("special", ()):
            if each["rule"] == rule:
                found: Mapping[str, Any] = each
                return found
        return None

    # ---------------------------------------------------------------- units

    def printed(self, unit: str) -> PrintedUnit:
        """What is printed on a counter; of one face down nothing but its side."""
        try:
            return self.board.units[unit]
        except KeyError:
            return self.board.backs[deck_of(unit)]

    def side_of(self, unit: str) -> Side:
        """Whose counter it is."""
        return self.printed(unit).side

    @cached_property
    def hexes(self) -> Mapping[str, str]:
        """The hex of each unit on the map."""
        return {unit: hex for hex, units in self.stacks.items() for unit in units}

    @cached_property
    def places(self) -> Mapping[str, str]:
        """The hex of each unit on the map, and the place of each other one."""
        return {**self.away, **self.hexes}

    def at(self, unit: str) -> str:
        """The hex of a unit; empty if it is in none."""
        return self.hexes.get(unit, "")

    @CITE.serves("12.3.1.b3", "7.4")
    def below_aircraft(self, hex: str, side: Side) -> tuple[str, ...]:
        """The units of a side in a hex, with those that have gone in to attack mobile."""
        units, fight = self.units_at(hex, side), self.combat
        if fight is None or not fight.is_mobile or fight.side != side:
            return units
        inside = tuple(unit for unit in fight.attackers if self.at(unit))
        others = tuple(unit for unit in units if unit not in inside)
        return (*others, *inside) if hex == fight.hex else others

    def units_at(self, hex: str, side: Side | None = None) -> tuple[str, ...]:
        """The units in a hex, from the top; of one side, if that is given."""
        units = self.stacks.get(hex, ())
        return units if side is None or (units and self.side_of(units[0]) == side) else ()

    @cached_property
    def holders(self) -> Mapping[str, Side]:
        """The side whose units are in each hex that has any."""
        return {hex: self.printed(units[0]).side for hex, units in self.stacks.items()}

    @cached_property
    def held(self) -> Mapping[Side, frozenset[str]]:
        """The hexes in which each side has units."""
        holders = self.holders.items()
        return {side: frozenset([hex for hex, holder in holders if holder == side])
                for side in SIDES}  # fmt: skip

    def holder(self, hex: str) -> Side | None:
        """The side whose units are in a hex."""
        return self.holders.get(hex)

    def on_map(self, side: Side) -> Iterator[str]:
        """The units of a side on the map, in the order of the board."""
        return filter(self.hexes.__contains__, self.board.units_of[side])

    def troops(self, unit: str) -> int:
        """The troop points that a unit has left."""
        return self.printed(unit).troops - self.lost.get(unit, 0)

    def troops_of(self, units: Iterable[str]) -> int:
        """The troop points of several."""
        return sum(self.troops(unit) for unit in units)

    @CITE.rule("13.1")
    def is_weakened(self, unit: str) -> bool:
        """Whether a unit has half its strength or less, and so half its factors (13.1)."""
        return bool(self.lost.get(unit)) and 2 * self.troops(unit) <= self.printed(unit).troops

    # ---------------------------------------------------------------- counters face down

    @property
    def is_open(self) -> bool:
        """Whether all counters lie open by agreement."""
        return OPEN_UNITS in self.options

    def face(self, unit: str) -> str:
        """The unit of a name; empty where this view does not know it."""
        return self.down.face(unit)

    def may_be(self, unit: str) -> tuple[str, ...]:
        """The units that a name may stand for, as both players know."""
        return self.down.may_be(unit)

    def could_attack(self, unit: str) -> bool:
        """Whether a counter may have an attack factor, as both players know."""
        return any(self.board.units[piece].is_combat for piece in self.may_be(unit))

    def tags_of(self, side: Side) -> tuple[str, ...]:
        """The tags of a side on the map, in order."""
        return self.kept("tags", _tags)[DECKS[side]] if self.down.hidden else ()

    def tags_at(self, hex: str) -> tuple[str, ...]:
        """The tags in a hex, from the top."""
        return tuple(filter(is_tag, self.stacks.get(hex, ())))

    def seen(self, side: Side) -> Position:
        """The position with a side's counters face down by their names, as far as this view knows
        them: how its player judges their own orders.
        """
        if not (self.down.faces or self.notes):
            return self
        known: dict[Side, Position] = self.__dict__.setdefault(SEEN, {})
        if side not in known:
            known[side] = self.by_faces(side)._as_written(side)
        return known[side]

    def by_faces(self, side: Side) -> Position:
        """The position with a side's counters face down by their names, as far as this view knows
        them, and otherwise as both know it: an assignment holds for both once it was told.
        """
        if not self.down.faces:
            return self
        known: dict[Side, Position] = self.__dict__.setdefault(BY_FACES, {})
        if side not in known:
            # What they did goes by the tags of that time: they may have been mixed since.
            done = (*self.spent_as, *self.cut_off_as, *self.acted, *self.walked, *self.busy,
                    *self.fought)  # fmt: skip
            before = (tag for tag in done if is_tag(tag) and deck_of(tag) == DECKS[side])
            names = {tag: face for tag in (*self.tags_of(side), *before)
                     if (face := self.face(tag))}  # fmt: skip
            known[side] = self.with_names(names, self.down) if names else self
        return known[side]

    def _as_written(self, side: Side) -> Position:
        """The position with the lines that a side has written, as far as this view knows them."""
        told = {who: to for who, to in self.assigned.items()
                if papers.is_led(self, self.day, who, to)}  # fmt: skip
        assigned = {**papers.assigned(self, side), **told}
        missions = {unit: Mission(*flown) for _, unit, flown
                    in papers.missions(self, side, self.aircraft(side))}  # fmt: skip
        if assigned == self.assigned and not missions:
            return self
        found = self.but(assigned=assigned, missions={**missions, **self.missions})
        return found.acting_as_assigned(side)

    @CITE.serves("5.5.p2")
    def acting_as_assigned(self, side: Side) -> Position:
        """The position in which nobody acts now who acts with another formation, even if only this
        view knows that.
        """
        cycle = self.cycle
        if cycle is None or cycle.side != side or cycle.formation not in self.board.formations:
            return self
        acting = self.parts(cycle.formation)
        able = (unit for unit in cycle.able if is_tag(unit) or self.commander(unit) in acting)
        may_act = {
            tag: left
            for tag, units in self.may_act.items()
            if (left := tuple(unit for unit in units if self.commander_of(tag, unit) in acting))
        }
        return self.but(cycle=replace(cycle, able=frozenset(able)), may_act=may_act)

    def aircraft(self, side: Side) -> tuple[str, ...]:
        """The air units of a side in this battle."""
        units: Iterable[str] = self.plain.get("air_units", ())
        return tuple(unit for unit in units if self.board.air[unit].side == side)

    def is_gone(self, unit: str) -> bool:
        """Whether a unit is destroyed, or is not in this battle."""
        return self.away.get(unit) in (ELIMINATED, ELSEWHERE)

    def supposing(self, tag: str, piece: str) -> Position:
        """The position if a counter face down were this unit."""
        return self.with_names({tag: piece}, self.down)

    def claimed(self, claims: Iterable[tuple[str, str]]) -> Position:
        """The position for a view that takes these claims on counters face down for true."""
        down = self.down.claimed(claims)
        return self if down is self.down else self.but(down=down)

    def veiled(self, viewer: Side | None) -> Position:
        """The position without the faces that somebody may not know; nobody knows any."""
        own = {slot: face for slot, face in self.down.faces.items()
               if viewer is not None and deck_of(slot) == DECKS[viewer]}  # fmt: skip
        down = self.down.supposing(own)
        notes = {slot: text for slot, text in self.notes.items()
                 if papers.LISTS[deck_of(slot)][0] == viewer}  # fmt: skip
        if down is self.down and len(notes) == len(self.notes):
            return self
        return self.but(down=down, notes=notes)

    def guessed(self, side: Side, part: float = MIDDLING) -> Position:
        """The position as a side may think it: its own counters by name, as far as this view knows
        them, and each other counter face down as some unit that it may be, one of middling size:
        `part` of them are smaller.
        """
        seen = self.seen(side)
        if not seen.down.hidden:
            return seen
        names, left = dict[str, str](), set(seen.down.hidden - seen.hexes.keys())
        for tag in sorted(filter(is_tag, seen.hexes), key=by_tag):
            whose = seen.side_of(tag)
            own = (piece for piece in left if seen.side_of(piece) == whose)
            free = left.intersection(seen.may_be(tag)) or {*own}
            ranked = sorted(free, key=lambda piece: (seen.troops(piece), piece))
            names[tag] = ranked[min(int(part * len(ranked)), len(ranked) - 1)]
            left.remove(names[tag])
        return seen.with_names(names, FaceDown())

    def as_seen_by(self, viewer: Side | None) -> Position:
        """The position as somebody may see it: the counters of a player face down by their names,
        if this view knows them; for everybody all by their tags.
        """
        veiled = self.veiled(viewer)
        return veiled if viewer is None else veiled.seen(viewer)

    def with_names(self, names: Mapping[str, str], down: FaceDown) -> Position:
        """A copy in which counters go by other names, wherever they stand: units in place of tags,
        with what these have done as such a unit, or older tags in place of newer ones.
        """

        def of_all(units: Iterable[str]) -> frozenset[str]:
            return frozenset(names.get(unit, unit) for unit in units)

        def by_all(marks: Mapping[str, T]) -> Mapping[str, T]:
            return {names.get(unit, unit): each for unit, each in marks.items()}

        stacks = dict(self.stacks)
        for hex in {self.at(name) for name in names} - {""}:
            stacks[hex] = tuple(names.get(unit, unit) for unit in stacks[hex])
        spent, spent_as = _as_named(names, self.spent, self.spent_as)
        cut_off, cut_off_as = _as_named(names, self.cut_off, self.cut_off_as)
        cycle = self.cycle
        if cycle is not None:
            marches, marches_as = _as_named(names, cycle.marches, cycle.marches_as)
            acts = {piece for tag, piece in names.items() if piece in self.may_act.get(tag, ())}
            cycle = replace(
                cycle, formation=names.get(cycle.formation, cycle.formation),
                able=of_all(cycle.able) | acts, began=by_all(cycle.began),
                in_zone=of_all(cycle.in_zone), touched=of_all(cycle.touched),
                moved=of_all(cycle.moved), marching=of_all(cycle.marching),
                halted=of_all(cycle.halted), working=of_all(cycle.working),
                marched=by_all(cycle.marched), marches=marches, marches_as=marches_as,
            )  # fmt: skip
        shown = {piece for piece in names.values() if not is_tag(piece)}
        return self.but(
            down=down, stacks=stacks, cycle=cycle,
            away={unit: place for unit, place in self.away.items() if unit not in shown},
            spent=spent, spent_as=spent_as, cut_off=cut_off, cut_off_as=cut_off_as,
            may_act=by_all({tag: each for tag, each in self.may_act.items()
                            if names.get(tag, tag) not in shown}),
            acted=of_all(self.acted), walked=of_all(self.walked), mixed=of_all(self.mixed),
            dawn=by_all(self.dawn),
            assigned=by_all(self.assigned) if self.assigned else self.assigned,
            busy=of_all(self.busy), fought=of_all(self.fought),
            activated=of_all(self.activated), idle=of_all(self.idle),
        )  # fmt: skip

    def at_dawn(self, unit: str) -> str:
        """The hex in which a unit began the day; empty if it has come onto the map since."""
        return self.dawn[unit] if unit in self.dawn else self.at(unit)

    # ---------------------------------------------------------------- formations

    def formation(self, id: str) -> PrintedFormation:
        """A formation as the order of battle has it."""
        return self.board.formations[id]

    def parent(self, formation: str) -> str:
        """The formation above one, after what was lent or moved for good; empty for the highest."""
        lent = self.assigned.get(formation) or self.moved_to.get(formation)
        return lent or self.formation(formation).parent

    @CITE.rule("5.5.p2")
    def commander(self, unit: str) -> str:
        """The formation with which a unit acts: its own, or the one it is assigned to."""
        return self.assigned.get(unit) or self.home(unit)

    def commander_of(self, tag: str, unit: str) -> str:
        """The formation with which a counter acts if it is this unit."""
        return self.assigned.get(tag) or self.commander(unit)

    @CITE.serves("6.6.6")
    def home(self, unit: str) -> str:
        """A unit's own formation: as printed, or as a free sheet has it."""
        return self.moved_to.get(unit) or self.printed(unit).formation

    def lender(self, who: str) -> str:
        """The formation that a formation or a unit belongs to, and is lent by."""
        if who in self.board.units:
            return self.home(who)
        return self.moved_to.get(who) or self.formation(who).parent

    def headquarters_of(self, formation: str) -> str:
        """The headquarters that commands a formation; of support troops that of the formation
        above them.
        """
        each = self.formation(formation)
        if each.is_troops:
            return self.headquarters_of(self.parent(formation))
        return each.headquarters

    def members(self, formation: str) -> tuple[str, ...]:
        """The units that act with a formation, in the order of the board; its headquarters too."""
        return self.kept("acting_with", _members).get(formation, ())

    def parts(self, formation: str) -> tuple[str, ...]:
        """A formation and those that belong to it now, in the order of the board."""
        return self.kept("split", _parts)[formation]

    def kept(self, name: str, make: Callable[[Position], T]) -> T:
        """What is computed of the position, once; COMPUTED says which fields it depends on."""
        content = self.__dict__
        if name not in content:
            content[name] = make(self)
        found: T = content[name]
        return found


def _tags(position: Position) -> Mapping[str, tuple[str, ...]]:
    """The tags on the map by their decks, in order."""
    found: dict[str, list[str]] = {deck: [] for deck in DECKS.values()}
    for tag in sorted(filter(is_tag, position.hexes), key=by_tag):
        found[deck_of(tag)].append(tag)
    return {deck: tuple(tags) for deck, tags in found.items()}


def _as_named(
    names: Mapping[str, str], known: Mapping[str, T], by_tag: Mapping[str, Mapping[str, T]]
) -> tuple[Mapping[str, T], Mapping[str, Mapping[str, T]]]:
    """What counters have to their account, by unit and by tag, once they go by other names."""
    if names.keys().isdisjoint(by_tag):
        return known, by_tag
    known, by_tag = dict(known), dict(by_tag)
    for tag, piece in names.items():
        account = by_tag.pop(tag, None)
        if account is None:
            continue
        if is_tag(piece):
            by_tag[piece] = account
        elif account.get(piece):
            known[piece] = account[piece]
        else:
            known.pop(piece, None)
    return known, by_tag


def _members(position: Position) -> Mapping[str, tuple[str, ...]]:
    """The units of each formation, in the order of the board."""
    found: dict[str, list[str]] = {}
    for unit in position.board.units:
        if position.away.get(unit) != ELSEWHERE:
            found.setdefault(position.commander(unit), []).append(unit)
    return {formation: tuple(units) for formation, units in found.items()}


def _parts(position: Position) -> Mapping[str, tuple[str, ...]]:
    """Each formation with those that belong to it, in the order of the board."""
    found: dict[str, list[str]] = {}
    for formation in position.board.formations:
        for whole in (formation, position.parent(formation)):
            found.setdefault(whole, []).append(formation)
    return {whole: tuple(parts) for whole, parts in found.items()}

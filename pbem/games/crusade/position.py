"""The position: everything that is on the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from pbem.board.zones import Near, joined, parted, zones
from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import AdvancePlan
from pbem.games.crusade.tables import ENEMY, SIDES, Card, Factors, Space, Tables, UnitType
from pbem.messages import Said, marked, say
from pbem.value import field, replace, value

RESERVE = "reserve"
ELIMINATED = "eliminated"
REMOVED = "removed"
"""Out of the game for good: "permanently eliminated"."""
POOL = "pool"
"""In the box, not yet in play."""
DISPLAY = "display"
"""On the Army of Africa display, still to arrive."""
MOROCCO = "morocco"
"""A unit that missed its arrival and waits for Strategic Redeployment (17.6.4)."""
ABROAD = "abroad"
"""A unit that crossed the border by Special SR and will return (13.4.3)."""
TURNS_ABROAD = 2
"""After so many turns a corps that crossed the border is back."""

OFF_MAP = frozenset({RESERVE, ELIMINATED, REMOVED, POOL, DISPLAY, MOROCCO, ABROAD})

BOXES: Mapping[str, str] = {
    RESERVE: marked("the Reserve Box"),
    ELIMINATED: marked("the Eliminated Box"),
    REMOVED: marked("the pile of units out of the game for good"),
    POOL: marked("the pool of units not yet in play"),
    DISPLAY: marked("the Army of Africa display"),
    MOROCCO: "Morocco",
    ABROAD: marked("a friendly country"),
}
"""The names of the off-map places in messages."""

STACKING_LIMIT = 3
ROUNDS = 6
"""The rounds of each side in a turn (6.0.B), except in the short last turn of an option
(18.1.10).
"""


@value
class UnitState:
    """A unit's place (a space or one of the places above), and whether it is reduced."""

    place: str
    reduced: bool = False


FORTS: Mapping[str, str] = {"position": marked("Position"), "trench": marked("Trench")}
"""The names of the kinds of works."""


@value
class Fort:
    """A Position or Trench marker. `special` names the one-use Trenches: bilbao, madrid, works."""

    kind: str
    owner: Side
    special: str = ""

    @property
    def is_trench(self) -> bool:
        """Whether it is a Trench rather than a Position."""
        return self.kind == "trench"


@value
class Deck:
    """One side's cards. Piles and hands hold slots (`n/1/4`: deck, epoch, position).

    `table` are retained combat cards, face up. Discards and removed cards are known by id, except
    the slots that are `face_down` among the discards (18.3.2), in slot order, and the `retired`
    ones, which were not chosen (18.5). `unseen` are the sealed cards in slots that nobody has
    opened, sorted: both players know which they are, but not where.
    """

    pile: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    epoch: int = 0
    unseen: tuple[str, ...] = ()
    face_down: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()


Epoch = tuple[str, Side, int, tuple[str, ...]]
"""Sealed cards laid together: the deck, its side, the number of the epoch, the sorted cards."""


class Control(dict[str, Side]):
    """The side that controls each space. Frozen.

    `memo` keeps what was computed from it (supply above all), so events that do not change control
    need no new search.
    """

    __slots__ = ("memo",)

    def __init__(self, owners: Mapping[str, Side]) -> None:
        super().__init__(owners)
        self.memo: dict[Any, Any] = {}

    def held_by(self, side: Side) -> frozenset[str]:
        """The spaces a side controls."""
        found: frozenset[str] | None = self.memo.get(side)
        if found is None:
            found = frozenset([space for space, owner in self.items() if owner == side])
            self.memo[side] = found
        return found

    def taken(self, space: str, side: Side, near: Near[str], links: Any) -> Control:
        """This control after a side has gained a space. Known zones are not sought again: those of
        the same `links`, on which `near` depends.
        """
        made = Control({**self, space: side})
        for each in SIDES:
            if each in self.memo:
                held = self.memo[each]
                made.memo[each] = held | {space} if each == side else held - {space}
            known = self.memo.get(("zones", each, links))
            if known is not None:
                change = joined if each == side else parted
                made.memo["zones", each, links] = change(known, space, near)
        return made

    def by_side(self) -> dict[Side, list[str]]:
        """The spaces of each side in map order; callers must not change it."""
        found: dict[Side, list[str]] | None = self.memo.get("by side")
        if found is None:
            found = self.memo["by side"] = {side: [] for side in SIDES}
            for space, owner in self.items():
                found[owner].append(space)
        return found

    def __reduce__(self) -> Any:
        """Computed values are not stored with a position."""
        return Control, (dict(self),)


@value
class Boost:
    """An event's effect on the attacks of its round.

    `drm` applies to all of them, or with `once` to the one attack that claims it. `air`: bad
    weather cancels it. `terrain_free` lets one attack ignore the terrain. `marks_victories` records
    won attacks with an advance, for the bonus of a counterattack (8.5.5.3). `spares_step` restores
    the first step that the attacker loses in each combat (R45).
    """

    card: str = ""
    drm: int = 0
    once: bool = False
    air: bool = False
    terrain_free: bool = False
    marks_victories: bool = False
    spares_step: bool = False


NO_BOOST = Boost()


@value
class Combat:
    """One combat between its declaration and its end: orders and dice so far.

    It is in the position while it lasts. Rules are also asked about other combats: the attack that
    an order would begin, or a hypothetical one.

    `origins` maps every attacking unit to the space it attacks from, including replacements of dead
    corps; the position says which are still alive. `slots` has the slot of the hand from which a
    committed card came. `followed` are the spaces beyond the target that an advance may enter,
    `worn` the defenders that lost a step in this combat.
    """

    attacker: Side
    space: str
    origins: Mapping[str, str]
    number: int = 1
    armor: str = ""
    attacker_cards: tuple[str, ...] = ()
    defender_cards: tuple[str, ...] = ()
    slots: Mapping[str, str] = field(default_factory=dict)
    boost: Boost = NO_BOOST
    terrain_free: bool = False
    ranking: tuple[str, ...] = ()
    plan: AdvancePlan | None = None
    by_attacker: int | None = None
    by_defender: int | None = None
    suffered: tuple[Side, ...] = ()
    followed: tuple[str, ...] = ()
    worn: tuple[str, ...] = ()
    withdrawal: bool = False
    """Whether the defender withdraws (18.3.1)."""
    paid: int = 0
    """Steps paid to cancel the retreat (18.2.9)."""

    @property
    def defender(self) -> Side:
        """The side that is attacked."""
        return ENEMY[self.attacker]

    @property
    def cards(self) -> tuple[str, ...]:
        """The combat cards of both sides, the attacker's first."""
        return (*self.attacker_cards, *self.defender_cards)

    @property
    def from_spaces(self) -> tuple[str, ...]:
        """The spaces the attack came from when it was declared."""
        return tuple(dict.fromkeys(self.origins.values()))

    def cards_of(self, side: Side) -> tuple[str, ...]:
        """The combat cards a side has committed."""
        return self.attacker_cards if side == self.attacker else self.defender_cards

    def attackers(self, position: Position) -> tuple[str, ...]:
        """The attacking units that are still in the fight, in stack order."""
        counters = position.counters
        alive = [unit for unit, space in self.origins.items() if counters[unit].place == space]
        return tuple(sorted(alive, key=position.tables.rank.__getitem__))

    def origins_left(self, position: Position) -> tuple[str, ...]:
        """The spaces from which attackers still in the fight attack."""
        # reading: 11.2.6, units that defected (N14) or were eliminated before the dice (R7) attack
        # from no space: neither their river nor the Sierra counts, like their strength.
        return tuple(dict.fromkeys(self.origins[unit] for unit in self.attackers(position)))

    def defenders(self, position: Position) -> tuple[str, ...]:
        """Every unit that is in the attacked space (11.1.3)."""
        return position.units_in(self.space, self.defender)

    def units_of(self, position: Position, side: Side) -> tuple[str, ...]:
        """The units of a side that fight and are still there."""
        return self.attackers(position) if side == self.attacker else self.defenders(position)

    @CITE.rule("11.4.6/a")
    def fighters(self, position: Position, side: Side) -> tuple[str, ...]:
        """The units of a side that add to its fire: not those that retreated this round."""
        # reading: Q12, retreated units do not count for the choice of the table either.
        units = self.units_of(position, side)
        return tuple(unit for unit in units if unit not in position.retreated)

    def inflicted_by(self, side: Side) -> int | None:
        """The Loss Number a side inflicts; None before its die."""
        return self.by_attacker if side == self.attacker else self.by_defender

    def owed_by(self, side: Side) -> int | None:
        """The Loss Number a side has to take (11.3.1); None before its enemy has fired."""
        return self.inflicted_by(ENEMY[side])

    def with_cards(
        self, side: Side, cards: tuple[str, ...], slots: Mapping[str, str] | None = None
    ) -> Combat:
        """The combat with more cards of a side; `slots` of those from its hand."""
        name = "attacker_cards" if side == self.attacker else "defender_cards"
        committed = {name: (*self.cards_of(side), *cards)}
        return replace(self, **committed, slots={**self.slots, **(slots or {})})

    @property
    def difference(self) -> int:
        """The attacker's Loss Number minus the defender's (11.2.9); both dice must be known."""
        assert self.by_attacker is not None and self.by_defender is not None
        return self.by_attacker - self.by_defender


@value
class Position:
    """The whole position. Frozen; every `with_...` returns a new one. Only events call them."""

    tables: Tables = field(repr=False, compare=False)
    scenario: str
    options: frozenset[str]
    counters: Mapping[str, UnitState]
    control: Control
    decks: Mapping[Side, Deck]
    known: Mapping[str, str]
    """Slots whose card both players know."""
    turn: int
    vp: int
    rm: int
    active: Side = SIDES[0]
    """The side whose Action Round it is; between rounds the side that acted last."""
    round: int = 0
    """The number of that round, from 1; 0 before the first of a turn."""
    segment: str = ""
    """The current phase outside the Action Phase, or empty."""
    forts: Mapping[str, Fort] = field(default_factory=dict)
    digging: Mapping[str, int] = field(default_factory=dict)
    """Stored die-roll modifiers of failed Position and Trench rolls, by space (10.2.2, 10.2.4)."""
    lost_forts: Mapping[str, int] = field(default_factory=dict)
    """The number of each special Trench, and of option 18.2.10's markers, lost for good."""
    sieges: Mapping[str, int] = field(default_factory=dict)
    """Resistance left, by siege; a siege that ended is not listed."""
    isolated: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    """Lasting facts: markers of the map and once-only conditions; see events.py, FlagSet."""
    turn_marks: frozenset[str] = frozenset()
    """Facts that are cleared at the end of the turn (for example, a kind of card already used)."""
    played: frozenset[str] = frozenset()
    """Cards played as events, this turn or earlier."""
    rp: Mapping[str, int] = field(default_factory=dict)
    """Recorded replacement points by currency, in halves."""
    actions: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)
    """The kind of action of each round of this turn (7.1.4)."""
    retreated: frozenset[str] = frozenset()
    """Units that retreated in this Action Round (11.4.6)."""
    strayed: frozenset[str] = frozenset()
    """Regional divisions that a retreat made guests of another region, until they no longer are."""
    used_table: frozenset[str] = frozenset()
    """Retained combat cards used in this Action Round (8.5.3.4)."""
    beach_heads: Mapping[str, str] = field(default_factory=dict)
    """Beach heads on the map, and the space each leads to."""
    deadlines: Mapping[str, int] = field(default_factory=dict)
    bonuses: Mapping[str, str] = field(default_factory=dict)
    """Strategic counterattack markers: space to card (8.5.5.4)."""
    returning: Mapping[str, int] = field(default_factory=dict)
    """Units abroad, and the turn in whose Replacement Phase they return."""
    laid: tuple[Epoch, ...] = ()
    """Every epoch of sealed cards, in the order laid."""
    combat: Combat | None = None
    """The current combat, if any."""
    result: tuple[str, str] | None = None
    """Winner (a side or `draw`) and reason, once the game is over."""
    secret: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Slots whose card is known to the viewer of this position, a player or the audit.

    It serves to judge orders and to offer choices. What is asked, and what happens automatically,
    must never depend on it: everyone's view goes through the same questions.
    """

    @property
    def fought(self) -> Combat:
        """The current combat; only valid during one."""
        assert self.combat is not None, "there is no combat going on"
        return self.combat

    # --- who stands where -------------------------------------------------------------------

    @cached_property
    def stacks(self) -> Mapping[str, tuple[str, ...]]:
        """Units by place, each in stack order."""
        found: dict[str, list[str]] = {}
        for unit, counter in self.counters.items():
            found.setdefault(counter.place, []).append(unit)
        rank = self.tables.rank
        return {place: tuple(sorted(units, key=rank.__getitem__)) for place, units in found.items()}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was computed from this very position; any other begins with an empty one."""
        return {}

    def units_in(self, place: str, side: Side | None = None) -> tuple[str, ...]:
        """The units of a space or box, in stack order; of one side only, if it is given."""
        units = self.stacks.get(place, ())
        if side is None or not units:
            return units
        types = self.tables.units
        if place not in OFF_MAP:  # the two sides never share a space (9.1.3)
            return units if types[units[0]].side == side else ()
        return tuple([unit for unit in units if types[unit].side == side])

    def place_of(self, unit: str) -> str:
        """The space or box in which a unit is."""
        return self.counters[unit].place

    def is_reduced(self, unit: str) -> bool:
        """Whether a unit is reduced."""
        return self.counters[unit].reduced

    def type_of(self, unit: str) -> UnitType:
        """The printed values of a unit's type."""
        return self.tables.units[unit]

    def side_of(self, unit: str) -> Side:
        """The side that a unit belongs to."""
        return self.tables.units[unit].side

    def factors(self, unit: str) -> Factors:
        """The factors on the side of the counter that is up."""
        unit_type = self.tables.units[unit]
        if self.counters[unit].reduced:
            assert unit_type.reduced is not None, unit
            return unit_type.reduced
        return unit_type.full

    def steps_left(self, unit: str) -> int:
        """The number of steps a unit can lose."""
        unit_type = self.tables.units[unit]
        return unit_type.steps - (1 if self.counters[unit].reduced else 0)

    def is_on_map(self, unit: str) -> bool:
        """Whether a unit is in a space, not in a box."""
        return self.counters[unit].place not in OFF_MAP

    def is_abroad(self, unit: str) -> bool:
        """Whether a regional unit is in a region of the north that is not its own (16.4)."""
        home, place = self.tables.units[unit].region, self.counters[unit].place
        return bool(home and self.is_on_map(unit)) and self.space(place).region not in ("", home)

    def occupier(self, space: str) -> Side | None:
        """The side that has units there, or None; the two never share a space (9.1.3)."""
        units = self.stacks.get(space, ())
        return self.tables.units[units[0]].side if units else None

    # --- the ground -------------------------------------------------------------------------

    def space(self, space: str) -> Space:
        """What is printed on a space."""
        return self.tables.spaces[space]

    def called(self, place: str) -> Said:
        """The printed name of a space or box, anything else in quotes, for a message."""
        if place in self.tables.spaces:
            return self.tables.spaces[place].name
        return say(BOXES[place]) if place in BOXES else repr(place)

    def names_of(self, spaces: Iterable[str]) -> tuple[str, ...]:
        """The printed names of spaces."""
        return tuple(self.tables.spaces[space].name for space in spaces)

    def not_there(self, space: str, *at: str | int) -> Violation:
        """The violation of an order that names, at this path, a space that is not in play.

        A beach head is a space only while its marker is there; any other name is none.
        """
        if space in self.tables.spaces:
            told = say("{space} is not on the map now", space=self.called(space))
            return Violation(told, at, "2.2.2.11")
        return Violation(say("no space is named {space}", space=repr(space)), at)

    @CITE.rule("2.2.2.11")
    def is_open_for_play(self, space: str) -> bool:
        """Whether a space is in play: a beach head only while its marker is on the map."""
        known = self.tables.spaces.get(space)
        return known is not None and (not known.dormant or space in self.beach_heads)

    @CITE.rule("3.0.adjacent", "10.1.8")
    def neighbours(self, space: str) -> tuple[str, ...]:
        """Adjacent spaces (2.1.2): road and river links, and beach heads that are on the map."""
        if space in self.beach_heads:
            return (self.beach_heads[space],)
        solid = self.tables.beside[space]
        if not self.beach_heads:
            return solid
        return (*solid, *(beach for beach, to in self.beach_heads.items() if to == space))

    def zones(self, side: Side) -> tuple[frozenset[str], ...]:
        """The zones of a side: its spaces, by what is Connected (3.0); found once for each control
        of the map.
        """
        memo, key = self.control.memo, ("zones", side, self._landings)
        if key not in memo:
            memo[key] = zones(self.control.held_by(side), self._near)
        found: tuple[frozenset[str], ...] = memo[key]
        return found

    @property
    def _landings(self) -> tuple[tuple[str, str], ...]:
        """The beach heads on the map: all that ever changes which spaces are neighbours."""
        return tuple(self.beach_heads.items())

    @property
    def _near(self) -> Near[str]:
        """`neighbours`, quicker where there are only those printed on the map."""
        return self.neighbours if self.beach_heads else self.tables.beside.__getitem__

    def are_adjacent(self, one: str, other: str) -> bool:
        """Whether a road, a river link or a beach head on the map joins them (2.1.2)."""
        return other in self.neighbours(one)

    def is_river(self, one: str, other: str) -> bool:
        """Whether the link between two adjacent spaces crosses a river."""
        return self.tables.graph.kind_of(one, other) == "river"

    @CITE.rule("16.1.2")
    def controls(self, side: Side, space: str) -> bool:
        """Whether a side controls a space; a siege in it changes nothing."""
        return self.control.get(space) == side

    def spaces_of(self, side: Side) -> tuple[str, ...]:
        """The spaces a side controls, in map order."""
        memo, key = self.control.memo, ("spaces", side)
        if key not in memo:
            mine = self.control.held_by(side)
            memo[key] = tuple([space for space in self.tables.spaces if space in mine])
        found: tuple[str, ...] = memo[key]
        return found

    def ports(self) -> tuple[str, ...]:
        """The ports in play, in map order; a beach head has one (2.2.2.11)."""
        return (*self.tables.ports, *self.beach_heads)

    def sea_of(self, space: str) -> str:
        """The sea of a space: `atlantic`, `mediterranean` or empty. A beach head has the sea of its
        coast.
        """
        return self.tables.spaces[self.beach_heads.get(space, space)].coast

    def is_balearic(self, space: str) -> bool:
        """Whether a space is one of the islands; a beach head is where the coast it leads to is."""
        return self.tables.spaces[self.beach_heads.get(space, space)].balearic

    # --- cards ------------------------------------------------------------------------------

    def card(self, card: str) -> Card:
        """The card with an id."""
        return self.tables.cards[card]

    def card_in(self, slot: str) -> str | None:
        """The card of a slot, if it is known to both players or in this view."""
        return self.known.get(slot) or self.secret.get(slot)

    def hand_cards(self, side: Side) -> tuple[str, ...]:
        """The cards of the hand that are known in this view, in slot order."""
        cards = (self.card_in(slot) for slot in self.decks[side].hand)
        return tuple(card for card in cards if card is not None)

    def shown_cards(self, side: Side) -> tuple[str, ...]:
        """The cards of the hand that both players know, in slot order."""
        return tuple(self.known[slot] for slot in self.decks[side].hand if slot in self.known)

    def hidden_slots(self, side: Side) -> tuple[str, ...]:
        """The slots of the hand whose card one player does not know."""
        return tuple(slot for slot in self.decks[side].hand if slot not in self.known)

    def possible_cards(self, side: Side) -> tuple[str, ...]:
        """Every card that the hand may hold, as far as both players know."""
        unseen = self.decks[side].unseen if self.hidden_slots(side) else ()
        return (*self.shown_cards(side), *unseen)

    def slot_of(self, side: Side, card: str) -> str | None:
        """The slot of the hand that holds the card, as far as this view knows."""
        for slot in self.decks[side].hand:
            if self.card_in(slot) == card:
                return slot
        return None

    # --- time -------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """`columns`, `mobilization` or `armies`."""
        return self.tables.phase_of(self.turn)

    def has(self, flag: str) -> bool:
        """Whether a lasting event has set this flag."""
        return flag in self.flags

    def option(self, rule: str) -> bool:
        """Whether an optional rule is in force."""
        return rule in self.options

    @property
    def edition(self) -> str:
        """The edition of the rulebook in force: `2e`, or `1e` by option."""
        return "1e" if "1e" in self.options else "2e"

    # --- new positions ----------------------------------------------------------------------

    def but(self, **changes: Any) -> Position:
        """This position with some fields changed."""
        made = replace(self, **changes)
        if "counters" not in changes and "stacks" in self.__dict__:
            made.__dict__["stacks"] = self.stacks
        return made

    def with_unit(
        self, unit: str, place: str | None = None, reduced: bool | None = None
    ) -> Position:
        """This position with a unit moved, turned, or both; None leaves it unchanged."""
        old = self.counters[unit]
        new = UnitState(
            old.place if place is None else place, old.reduced if reduced is None else reduced
        )
        moved = replace(self, counters={**self.counters, unit: new})
        if unit in self.strayed and not moved.is_abroad(unit):
            moved = replace(moved, strayed=self.strayed - {unit})
        known = self.__dict__.get("stacks")
        if known is not None:
            moved.__dict__["stacks"] = self._restacked(known, unit, old.place, new.place)
        return moved

    def _restacked(
        self, stacks: Mapping[str, tuple[str, ...]], unit: str, here: str, there: str
    ) -> Mapping[str, tuple[str, ...]]:
        """The stacks after a unit has moved from one place to another; all others are shared."""
        if here == there:
            return stacks
        found = dict(stacks)
        found[here] = tuple(each for each in found[here] if each != unit)
        if not found[here]:
            del found[here]
        found[there] = in_stack_order(self, (*found.get(there, ()), unit))
        return found

    def with_control(self, space: str, side: Side) -> Position:
        """This position with another side in control of a space."""
        if self.control.get(space) == side:
            return self
        return self.but(control=self.control.taken(space, side, self._near, self._landings))

    def without_space(self, space: str) -> Position:
        """This position without a beach head: nobody controls it, and its works are gone."""
        return self.but(
            control=Control(without(self.control, space)),
            forts=without(self.forts, space),
            digging=without(self.digging, space),
            beach_heads=without(self.beach_heads, space),
            deadlines=without(self.deadlines, space),
        )

    def with_deck(self, side: Side, **changes: Any) -> Position:
        """This position with changes to a side's deck."""
        return self.but(decks={**self.decks, side: replace(self.decks[side], **changes)})

    def with_shown(self, side: Side, slot: str, card: str) -> Position:
        """This position with a slot known to both players."""
        if self.known.get(slot) == card:
            return self
        unseen = tuple(each for each in self.decks[side].unseen if each != card)
        return self.but(known={**self.known, slot: card}).with_deck(side, unseen=unseen)

    def with_combat(self, **changes: Any) -> Position:
        """This position with changes to the current combat."""
        return self.but(combat=replace(self.fought, **changes))

    def with_fire(self, side: Side, loss_number: int) -> Position:
        """This position with a side's Loss Number in the current combat."""
        name = "by_attacker" if side == self.fought.attacker else "by_defender"
        return self.with_combat(**{name: loss_number})

    def with_flag(self, flag: str, on: bool = True) -> Position:
        """This position with a flag set or cleared."""
        flags = self.flags | {flag} if on else self.flags - {flag}
        return self.but(flags=flags)


def without(mapping: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """A copy of a mapping without some keys."""
    return {key: value for key, value in mapping.items() if key not in keys}


def in_stack_order(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Units in the order of the unit list, which breaks every tie."""
    return tuple(sorted(units, key=position.tables.rank.__getitem__))

"""The events of the game. Only events change the position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from pbem.engine.facedown import FaceDown, in_order, mixed_names
from pbem.engine.model import Event, Side
from pbem.engine.tags import deck_of, is_tag, slot_under
from pbem.games.nopasaran import papers
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import IMPROVISED
from pbem.games.nopasaran.position import (
    ACTS,
    ACTS_ALONE,
    ATTACKS,
    CLASS,
    ELIMINATED,
    FACE_DOWN,
    HELP,
    NOTHING,
    POINTS,
    TOP,
    TYPES,
    Activation,
    Combat,
    Interdiction,
    March,
    Mission,
    Position,
    Task,
)
from pbem.games.nopasaran.tables import DECKS, nearest_two
from pbem.value import replace, value

AsIf = Mapping[str, Mapping[str, int]]
"""By tag and by the unit that it may be: what that unit would have spent, and so on."""


def _less(mapping: Mapping[str, Any], keys: Iterable[str]) -> Mapping[str, Any]:
    gone = set(keys)
    return {key: each for key, each in mapping.items() if key not in gone}


@CITE.serves("20.9")
def _without_work(position: Position, units: Iterable[str]) -> Mapping[str, Task]:
    """The tasks when units fight or go: they end, but who has helped across a river today has done
    so, whatever happens to it afterwards.
    """
    return _less(position.tasks, (
        unit for unit in units
        if unit in position.tasks and position.tasks[unit].kind != HELP
    ))  # fmt: skip


def _lifted(position: Position, units: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The stacks without some units."""
    gone = set(units)
    stacks = dict(position.stacks)
    for hex in {position.at(unit) for unit in gone} - {""}:
        left = tuple(unit for unit in stacks[hex] if unit not in gone)
        if left:
            stacks[hex] = topped(position, left)
        else:
            del stacks[hex]
    return stacks


def placed(position: Position, units: tuple[str, ...], hex: str) -> Position:
    """The position with units in a hex, below those that are there, and the top unit one that can
    attack, if there is any (8.p6).
    """
    stacks = _lifted(position, units)
    masks = _left_on(position, stacks)
    stacks[hex] = topped(position, (*stacks.get(hex, ()), *units))
    dawn = {unit: position.at_dawn(unit) for unit in units}
    return position.but(stacks=stacks, masks=masks, away=_less(position.away, units),
                        dawn={**position.dawn, **dawn})  # fmt: skip


@CITE.rule("18.p3")
def _left_on(position: Position, stacks: Mapping[str, tuple[str, ...]]) -> Mapping[str, Side]:
    """The force markers that still have counters under them; they never move."""
    gone = position.masks.keys() - stacks.keys()
    return _less(position.masks, gone) if gone else position.masks


@CITE.serves("8.p6")
def topped(position: Position, units: tuple[str, ...]) -> tuple[str, ...]:
    """A stack with the first unit that can attack on top."""
    # reading: who arrives goes below, unless nobody there can attack.
    for unit in units:
        if position.could_attack(unit):
            return (unit, *(other for other in units if other != unit))
    return units


def _changed(position: Position, units: Iterable[str]) -> FaceDown:
    """What is known of counters face down, without what was said of units that have changed since
    together with them.
    """
    gone = set(units)
    about = [fact.about for fact in position.down.facts if gone.intersection(fact.tags)]
    return position.down.without_facts(about) if about else position.down


def _gone(position: Position, units: tuple[str, ...], place: str) -> Position:
    """The position without some units, which no longer are in any state or at any work."""
    stacks = _lifted(position, units)
    return position.but(
        down=_changed(position, units), stacks=stacks, masks=_left_on(position, stacks),
        away={**position.away, **dict.fromkeys(units, place)},
        disorganised=position.disorganised - set(units),
        demoralised=position.demoralised - set(units), assigned=_less(position.assigned, units),
        pontoons=_less(position.pontoons, units), tasks=_less(position.tasks, units),
        cut_off=_less(position.cut_off, units),
    )  # fmt: skip


# ------------------------------------------------------------------- the day


@value
class DayBegan(Event[Position]):
    """A day begins: nobody has acted, all guns have their points (5.6.2), aircraft are back
    (5.6.5).
    """

    day: int
    weather: str

    @CITE.rule("2.2", "5.6.2", "5.6.5")
    def apply(self, position: Position) -> Position:
        return position.but(
            day=self.day, segment="command", weather=self.weather, spent=NOTHING,
            acted=frozenset(), walked=frozenset(), dawn=NOTHING, activated=frozenset(),
            finished=frozenset(),
            successes=NOTHING, cycle=None, missions=NOTHING, flown=frozenset(), interdicted=NOTHING,
            fought=frozenset(), busy=frozenset(), passed=0, idle=frozenset(), spent_as=NOTHING,
            # Lists end with their day: the lines of today's list are shown again as they are used.
            assigned=position.assigned if position.is_open else NOTHING,
            tasks={unit: task for unit, task in position.tasks.items() if task.kind != HELP},
        )  # fmt: skip


@value
class SegmentBegan(Event[Position]):
    """A part of the day begins."""

    segment: str

    def apply(self, position: Position) -> Position:
        return position.but(segment=self.segment)


@value
class WeatherRolled(Event[Position]):
    """The weather of the next day."""

    die: int
    weather: str

    def apply(self, position: Position) -> Position:
        return position.but(tomorrow=self.weather)


@value
class Assigned(Event[Position]):
    """Units and formations act with others from now on; `own` sends them back (6.6)."""

    side: Side
    to: Mapping[str, str]
    back: tuple[str, ...] = ()

    @CITE.rule("6.6.5.b2")
    def apply(self, position: Position) -> Position:
        changed = position.but(assigned={**_less(position.assigned, self.back), **self.to})
        return changed.acting_as_assigned(self.side)


@value
class PaperWritten(Event[Position]):
    """A side has sealed a list in an entry: its assignments or its missions of the day."""

    side: Side
    kind: str
    entry: int

    def apply(self, position: Position) -> Position:
        name = papers.NAMES[self.side, self.kind]
        before = position.papers.get(name)
        mix = position.down.last.get(DECKS[self.side], 0)
        paper = papers.Paper(f"{name}/{self.entry}", position.day, mix,
                             replace(before, before=None) if before else None)  # fmt: skip
        return position.but(papers={**position.papers, name: paper})


@value
class LineTold(Event[Position]):
    """A line of a list is shown. Other events say what follows from it."""

    slot: str
    line: str

    def apply(self, position: Position) -> Position:
        return position.but(told={**position.told, self.slot: self.line})


@value
class CommandJudged(Event[Position]):
    """The formations whose headquarters is out of command, so that assignments by or to them do
    not hold today, told or not (6.4).
    """

    unled: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(unled=(position.day, frozenset(self.unled)))


@value
class AssignmentVoided(Event[Position]):
    """An assignment does not hold: a headquarters is out of command (6.4)."""

    who: str
    to: str

    def apply(self, position: Position) -> Position:
        return position.but(assigned=_less(position.assigned, (self.who,)))


@value
class WentOver(Event[Position]):
    """A formation goes over to another division for good (J.5), or a free sheet puts a formation or
    a unit into another (6.6.6): by which `rule`.
    """

    formation: str
    division: str
    rule: str

    def apply(self, position: Position) -> Position:
        return position.but(
            moved_to={**position.moved_to, self.formation: self.division},
            assigned=_less(position.assigned, (self.formation,)),
        )


@value
class SupplyRestored(Event[Position]):
    """A formation has its full supply from now on (J.9)."""

    formation: str

    def apply(self, position: Position) -> Position:
        return position.but(base=_less(position.base, (self.formation,)))


@value
class AirPlanned(Event[Position]):
    """The aircraft of a side have their missions."""

    side: Side
    missions: Mapping[str, Mission]

    def apply(self, position: Position) -> Position:
        return position.but(missions={**position.missions, **self.missions})


@value
class Recovered(Event[Position]):
    """Disorganised units are in order again: headquarters, those beside them, and whoever rolls low
    enough (17.3). `dice` has the units that rolled.
    """

    units: tuple[str, ...]
    dice: tuple[tuple[str, int], ...] = ()

    def apply(self, position: Position) -> Position:
        return position.but(disorganised=position.disorganised - set(self.units),
                            down=_changed(position, self.units))  # fmt: skip


# ------------------------------------------------------------------- the air


@value
class FiredAt(Event[Position]):
    """Antiaircraft fire at an air unit: the factor, the die, and what is left in quarters."""

    unit: str
    hex: str
    factor: int
    die: int
    left: int

    def apply(self, position: Position) -> Position:
        combat = position.combat
        if combat is None or self.unit not in (*combat.air, *combat.defence_air):
            return position
        return position.but(combat=replace(combat, shares={**combat.shares, self.unit: self.left}))


@value
class HexScouted(Event[Position]):
    """Reconnaissance from the air over seven hexes: what the die tells of each that has units."""

    unit: str
    hex: str
    die: int
    levels: tuple[tuple[str, str], ...]

    def apply(self, position: Position) -> Position:
        return position.but(flown=position.flown | {self.unit})


@value
class HexInterdicted(Event[Position]):
    """A marker of interdiction is laid, or none if nothing is left of its factor."""

    unit: str
    side: Side
    hex: str
    factor: int

    def apply(self, position: Position) -> Position:
        changed = position.but(flown=position.flown | {self.unit})
        if not self.factor:
            return changed
        there = (
            *position.interdicted.get(self.hex, ()),
            Interdiction(self.side, self.factor, self.unit),
        )
        return changed.but(interdicted={**position.interdicted, self.hex: there})


@value
class AircraftFlew(Event[Position]):
    """Aircraft are in the finished box."""

    units: tuple[str, ...]

    @CITE.rule("7.3.2.p3")
    def apply(self, position: Position) -> Position:
        return position.but(flown=position.flown | set(self.units))


# ------------------------------------------------------------------- initiative


@value
class InitiativeRolled(Event[Position]):
    """The dice for initiative, with what successes add; equal ones are rolled again."""

    dice: tuple[tuple[Side, int, int], ...]
    winner: Side | None

    def apply(self, position: Position) -> Position:
        if self.winner is None:
            return position
        return _with_initiative(position, self.winner)


@value
class InitiativeGiven(Event[Position]):
    """A side has the initiative without a die: the other is finished, or a `rule` of the battle
    says so.
    """

    side: Side
    rule: str = ""

    def apply(self, position: Position) -> Position:
        return _with_initiative(position, self.side)


def _with_initiative(position: Position, side: Side) -> Position:
    """The position when a side is the next to activate. What both have planned for the first
    activation of a day is not yet behind them.
    """
    goes_over = side != position.active and bool(position.activated or position.finished)
    return position.but(active=side, segment="initiative", successes=NOTHING,
                        passed=position.passed + goes_over)  # fmt: skip


@value
class Activated(Event[Position]):
    """A formation, a division or a unit of support troops is activated."""

    side: Side
    formation: str
    units: tuple[str, ...]
    in_zone: tuple[str, ...]
    may_act: Mapping[str, tuple[str, ...]] = NOTHING
    """By tag the units that it may be and that act."""
    acts: str = ""
    """A counter face down that is said to act in it."""
    is_told: bool = False
    """Whether it was told before what it brings to light."""

    @CITE.rule("6.6.5.b1")
    def apply(self, position: Position) -> Position:
        began = {unit: position.at(unit) for unit in position.on_map(self.side)}
        began |= {tag: position.at(tag) for tag in position.tags_of(self.side)}
        cycle = Activation(self.side, self.formation, frozenset(self.units), began,
                           frozenset(self.in_zone))  # fmt: skip
        down = position.down
        if self.acts and self.acts == self.formation:
            if self.is_told:  # else sealed standing orders may not know of a later assignment
                down = down.narrowed(self.acts, self.may_act[self.acts].__contains__)
            down = down.noted(ACTS_ALONE, (self.acts,), True)
        elif self.acts:
            down = down.noted(ACTS, (self.acts,), self.formation)
        return position.but(
            cycle=cycle, active=self.side, activated=position.activated | {self.formation},
            may_act=self.may_act, down=down,
        )  # fmt: skip


@value
class ActivationEnded(Event[Position]):
    """Those who have done something in it are finished for the day (5.5); whose activation passed
    without an action has had its last one.
    """

    side: Side
    formation: str

    def apply(self, position: Position) -> Position:
        assert position.cycle is not None
        touched = position.cycle.touched
        is_idle = not (touched or position.cycle.has_fired)
        return position.but(
            cycle=None, acted=position.acted | touched, may_act=NOTHING,
            idle=position.idle | {self.formation} if is_idle else position.idle,
        )  # fmt: skip


@value
class SideFinished(Event[Position]):
    """A side activates nothing more today."""

    side: Side

    def apply(self, position: Position) -> Position:
        return position.but(finished=position.finished | {self.side})


# ------------------------------------------------------------------- movement


@value
class UnitsMoved(Event[Position]):
    """Units go along a path, and spend half points; batteries spend of those for firing."""

    units: tuple[str, ...]
    path: tuple[str, ...]
    cost: Mapping[str, int]
    start: str
    cost_as: AsIf = NOTHING
    """What counters face down would have spent, and so what they may be: whoever could not have
    gone there is left out."""
    lead: int = 0
    """By how many the steps by road outnumber the others, if that matters (10.p4)."""
    marches: Mapping[str, March] = NOTHING
    marches_as: Mapping[str, Mapping[str, March]] = NOTHING
    """The marches of the units with this one, and of counters face down by what they may be."""

    def apply(self, position: Position) -> Position:
        down, spent_as = position.down, dict(position.spent_as)
        for tag, costs in self.cost_as.items():
            down = down.narrowed(tag, costs.__contains__)
            before = spent_as.get(tag, NOTHING)
            spent_as[tag] = {unit: before.get(unit, 0) + cost for unit, cost in costs.items()}
        changed = placed(position.but(down=down), self.units, self.path[-1])
        spent = {
            **position.spent,
            **{unit: position.spent.get(unit, 0) + cost for unit, cost in self.cost.items()},
        }
        changed = changed.but(
            spent=spent, spent_as=spent_as, walked=position.walked | set(self.units),
            pontoons=_less(position.pontoons, self.units), tasks=_less(position.tasks, self.units),
        )  # fmt: skip
        changed = _touched(changed, self.units, moved=self.units)
        cycle = changed.cycle
        if cycle is None:
            return changed
        marched = {unit: cycle.marched.get(unit, 0) + self.lead for unit in self.units if self.lead}
        return _marching(changed.but(cycle=replace(
            cycle, marched={**cycle.marched, **marched},
            marches={**cycle.marches, **self.marches},
            marches_as={**cycle.marches_as, **self.marches_as},
        )), self.units)  # fmt: skip


def _with_marches(position: Position, marches: Mapping[str, March]) -> Position:
    """The position with the marches of units as they are now."""
    cycle = position.cycle
    if cycle is None or not marches:
        return position
    return position.but(cycle=replace(cycle, marches={**cycle.marches, **marches}))


@CITE.serves("10")
def _marching(position: Position, units: Iterable[str]) -> Position:
    """The position in which units move: others who were moving have done so (10)."""
    cycle = position.cycle
    if cycle is None:
        return position
    going = frozenset(units)
    return position.but(cycle=replace(
        cycle, marching=going, halted=cycle.halted | cycle.marching - going
    ))  # fmt: skip


def _touched(position: Position, units: Iterable[str], **more: Iterable[str]) -> Position:
    """The cycle with units that have done something."""
    cycle = position.cycle
    if cycle is None:
        return position
    changes = {name: getattr(cycle, name) | set(those) for name, those in more.items()}
    return position.but(cycle=replace(cycle, touched=cycle.touched | set(units), **changes))


def _worked(position: Position, unit: str) -> Position:
    """The position after an engineer has done something, which is all it does today."""
    return _touched(position.but(busy=position.busy | {unit}), (unit,), working=(unit,))


@value
class ControlTaken(Event[Position]):
    """A side controls a hex from now on."""

    side: Side
    hex: str

    def apply(self, position: Position) -> Position:
        return position.but(control={**position.control, self.hex: self.side})


@value
class UnitsArrived(Event[Position]):
    """Reinforcements come onto the map (19.1)."""

    units: tuple[str, ...]
    hex: str
    cost: Mapping[str, int]

    def apply(self, position: Position) -> Position:
        changed = placed(position, self.units, self.hex)
        changed = changed.but(
            spent={**position.spent, **self.cost}, walked=position.walked | set(self.units)
        )
        return _touched(changed, self.units, moved=self.units)


@value
class StackArranged(Event[Position]):
    """The units of a hex lie in another order; it may be said that the top one can attack."""

    hex: str
    units: tuple[str, ...]
    top_attacks: bool = False

    @CITE.serves("8.p6")
    def apply(self, position: Position) -> Position:
        top, down = self.units[0], position.down
        if self.top_attacks and is_tag(top):
            down = down.narrowed(top, position.could_attack).noted(ATTACKS, (top,), True)
        return position.but(stacks={**position.stacks, self.hex: self.units}, down=down)


@value
class UnitsDisplaced(Event[Position]):
    """Units go aside, for want of room or as headquarters do; it costs no points."""

    units: tuple[str, ...]
    path: tuple[str, ...]

    @CITE.serves("8.p3")
    def apply(self, position: Position) -> Position:
        changed = placed(position, self.units, self.path[-1])
        # reading: who goes aside for want of room has moved that day, for the text calls it a
        # movement; a headquarters that is driven back has not.
        going = {each for each in self.units if not position.printed(each).is_headquarters}
        return changed.but(
            pontoons=_less(position.pontoons, self.units),
            tasks=_without_work(position, self.units), walked=position.walked | going,
        )  # fmt: skip


# ------------------------------------------------------------------- installations


@value
class RoadChanged(Event[Position]):
    """The road of a hex is damaged, destroyed, or whole again (empty)."""

    hex: str
    state: str

    def apply(self, position: Position) -> Position:
        roads = _less(position.roads, (self.hex,))
        return position.but(roads={**roads, self.hex: self.state} if self.state else roads)


@value
class RailChanged(Event[Position]):
    """The same of the rails of a hex."""

    hex: str
    state: str

    def apply(self, position: Position) -> Position:
        rails = _less(position.rails, (self.hex,))
        return position.but(rails={**rails, self.hex: self.state} if self.state else rails)


@value
class BridgeChanged(Event[Position]):
    """A bridge is damaged, destroyed, or whole again (empty). `die` is 0 where none was rolled."""

    bridge: str
    state: str
    die: int = 0
    rule: str = ""

    def apply(self, position: Position) -> Position:
        bridges = _less(position.bridges, (self.bridge,))
        changed = {**bridges, self.bridge: self.state} if self.state else bridges
        return position.but(bridges=changed)


@value
class BridgeHeld(Event[Position]):
    """An attempt on a bridge fails, by an engineer (20.1) or by prepared charges (J.3)."""

    bridge: str
    die: int
    rule: str


@value
class ChargesUsed(Event[Position]):
    """The prepared charges of a bridge are used up (J.3)."""

    bridge: str

    def apply(self, position: Position) -> Position:
        return position.but(used=position.used | {f"J.3/{self.bridge}"})


@value
class WorkBegun(Event[Position]):
    """An engineer begins a task that takes the day, or more."""

    unit: str
    task: Task

    def apply(self, position: Position) -> Position:
        changed = position.but(tasks={**position.tasks, self.unit: self.task})
        return _worked(changed, self.unit)


@value
class RiverHelped(Event[Position]):
    """An engineer helps others across a river (20.9)."""

    unit: str
    task: Task

    def apply(self, position: Position) -> Position:
        return position.but(tasks={**position.tasks, self.unit: self.task})


@value
class WorkEnded(Event[Position]):
    """An engineer's task is done, or given up."""

    unit: str

    def apply(self, position: Position) -> Position:
        return position.but(tasks=_less(position.tasks, (self.unit,)))


@value
class EngineerWorked(Event[Position]):
    """An engineer has done something at once: blown a bridge, destroyed a road."""

    unit: str

    def apply(self, position: Position) -> Position:
        return _worked(position, self.unit)


@value
class PontoonLaid(Event[Position]):
    """A pontoon unit becomes a bridge over a side."""

    unit: str
    side: str

    def apply(self, position: Position) -> Position:
        changed = position.but(pontoons={**position.pontoons, self.unit: self.side})
        return _worked(changed, self.unit)


@value
class WorksBuilt(Event[Position]):
    """A position or a fortification is in a hex from now on."""

    hex: str
    kind: str

    def apply(self, position: Position) -> Position:
        return position.but(works={**position.works, self.hex: self.kind})


# ------------------------------------------------------------------- fire


@value
class Bombarded(Event[Position]):
    """Guns and aircraft bombard a hex: at what, the factor, the column, the die and the result."""

    side: Side
    hex: str
    at: str
    guns: tuple[str, ...]
    air: tuple[str, ...]
    factor: int
    column: str
    die: int
    result: str
    is_counter: bool = False

    def apply(self, position: Position) -> Position:
        changed = _fired(position, self.guns).but(flown=position.flown | set(self.air))
        cycle = changed.cycle
        if cycle is None or cycle.side != self.side:
            return changed
        return changed.but(cycle=replace(cycle, has_fired=True))


@value
class GunsFired(Event[Position]):
    """Batteries support a combat, and spend points (11.1)."""

    guns: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return _fired(position, self.guns)


@CITE.serves("11.1", "5.5.p3")
def _fired(position: Position, guns: tuple[str, ...]) -> Position:
    """The position after batteries have fired: the shot costs points."""
    # reading: supporting a combat costs as much as a bombardment; who fires in its own activation
    # acts in it, and moves in no later one; who fires out of it may still act when it comes.
    shot = 2 * position.board.charts["bombardment"]["shot"]
    spent = {gun: position.spent.get(gun, 0) + shot for gun in guns}
    changed = position.but(spent={**position.spent, **spent})
    return _touched(changed, position.cycle.able & {*guns}) if position.cycle else changed


@value
class GroundScouted(Event[Position]):
    """Reconnaissance on the ground: the modified die, and what it tells (21)."""

    unit: str
    hex: str
    die: int
    modified: int
    level: str
    cost: int
    march: March | None = None

    def apply(self, position: Position) -> Position:
        spent = {**position.spent, self.unit: position.spent.get(self.unit, 0) + self.cost}
        changed = position.but(spent=spent, walked=position.walked | {self.unit})
        cycle = position.cycle
        if cycle is not None and self.unit not in cycle.marching:
            changed = _marching(changed, (self.unit,))
        changed = _with_marches(changed, {self.unit: self.march} if self.march else NOTHING)
        return _touched(changed, (self.unit,), moved=(self.unit,))


# ------------------------------------------------------------------- combat


@CITE.serves("J.2")
def _first_there(position: Position, combat: Combat) -> frozenset[str]:
    """What an attack uses up: the surprise that only the first one on its hex is."""
    # reading: a reaction to reconnaissance is no first attack: it is no surprise, and leaves that
    # to the attack that comes after it.
    special = position.special("J.2")
    is_first = special and special["across"][1] == combat.hex and not combat.is_reaction
    return frozenset({"J.2"} if is_first else ())


@value
class CombatBegan(Event[Position]):
    """An attack is declared."""

    combat: Combat

    @CITE.serves("12.3.4")
    def apply(self, position: Position) -> Position:
        combat, cycle = self.combat, position.cycle
        changed = position.but(
            combat=combat, busy=position.busy | set(combat.attackers),
            fought=position.fought | set(combat.attackers) | set(position.units_at(combat.hex)),
            tasks=_without_work(position, (*combat.attackers, *position.units_at(combat.hex))),
            pontoons=_less(position.pontoons, combat.attackers),
            used=position.used | _first_there(position, combat),
        )  # fmt: skip
        if combat.is_reaction or cycle is None:
            return changed
        if combat.is_mobile:
            changed = _marching(changed, combat.attackers)
        if combat.type != IMPROVISED:
            return _touched(changed, combat.attackers, attacked=combat.attackers)
        # An improvised attack ends the action of those who advanced before it, and of no others.
        last = cycle.advanced & set(combat.attackers)
        changed = changed.but(cycle=replace(cycle, advanced=cycle.advanced - last))
        return _touched(
            changed, combat.attackers, attacked=last, improvised=set(combat.attackers) - last
        )


@value
class SupportNamed(Event[Position]):
    """A side has said what supports it."""

    side: Side
    guns: Mapping[str, str]
    air: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        combat = _combat(position)
        changed = (
            replace(combat, guns=tuple(self.guns), air=self.air)
            if self.side == combat.side
            else replace(combat, defence_guns=self.guns, defence_air=self.air)
        )
        return position.but(combat=changed)


@value
class SupportAllowed(Event[Position]):
    """The die for support against a mobile attack (12.4.p2)."""

    die: int
    effectiveness: int
    is_allowed: bool

    def apply(self, position: Position) -> Position:
        return position.but(combat=replace(_combat(position), is_defended_by_fire=self.is_allowed))


@value
class LeaderNamed(Event[Position]):
    """A side has named the unit that leads (12.5)."""

    side: Side
    unit: str

    def apply(self, position: Position) -> Position:
        combat = _combat(position)
        changed = (
            replace(combat, primary=self.unit)
            if self.side == combat.side
            else replace(combat, defence_primary=self.unit)
        )
        return position.but(combat=changed)


@value
class CombatRolled(Event[Position]):
    """The dice of a combat: strengths, columns, both dice, and the result."""

    attack: int
    defence: int
    odds: str
    shifts: tuple[tuple[str, int], ...]
    column: str
    effectiveness: int
    effectiveness_die: int
    modifiers: tuple[tuple[str, int], ...]
    die: int
    result: str

    def apply(self, position: Position) -> Position:
        return position.but(combat=replace(_combat(position), result=self.result))


@value
class SuccessCounted(Event[Position]):
    """A success counts for the next die for initiative (5.3.1)."""

    side: Side

    def apply(self, position: Position) -> Position:
        counted = position.successes.get(self.side, 0) + 1
        return position.but(successes={**position.successes, self.side: counted})


@value
class TroopsLost(Event[Position]):
    """A unit loses troop points; with the last of them it is eliminated."""

    unit: str
    points: int
    die: int = 0

    def apply(self, position: Position) -> Position:
        side = position.side_of(self.unit)
        points = min(self.points, position.troops(self.unit))
        lost = position.lost.get(self.unit, 0) + points
        changed = position.but(
            lost={**position.lost, self.unit: lost},
            down=_changed(position, (self.unit,)),
            losses={**position.losses, side: position.losses.get(side, 0) + points},
        )
        if lost >= position.printed(self.unit).troops:
            return _gone(changed, (self.unit,), ELIMINATED)
        return changed


@value
class UnitsDestroyed(Event[Position]):
    """Units are eliminated with all their points: no retreat, or no supply for it (14.p4)."""

    units: tuple[str, ...]
    why: str

    def apply(self, position: Position) -> Position:
        losses, lost = dict(position.losses), dict(position.lost)
        for unit in self.units:
            side = position.side_of(unit)
            losses[side] = losses.get(side, 0) + position.troops(unit)
            lost[unit] = position.printed(unit).troops
        return _gone(position.but(losses=losses, lost=lost), self.units, ELIMINATED)


@value
class MoraleChecked(Event[Position]):
    """A unit that lost troop points checks its morale (16)."""

    unit: str
    die: int
    modified: int
    limit: int

    def apply(self, position: Position) -> Position:
        if self.modified <= self.limit:
            return position
        return position.but(demoralised=position.demoralised | {self.unit})


@value
class Disorganised(Event[Position]):
    """Units are disorganised (17)."""

    units: tuple[str, ...]

    @CITE.rule("17")
    def apply(self, position: Position) -> Position:
        return position.but(disorganised=position.disorganised | set(self.units),
                            down=_changed(position, self.units),
                            pontoons=_less(position.pontoons, self.units))  # fmt: skip


@value
class UnitsRetreated(Event[Position]):
    """Units retreat along a path, before a combat or after one."""

    units: tuple[str, ...]
    path: tuple[str, ...]
    before: bool = False

    def apply(self, position: Position) -> Position:
        changed = placed(position, self.units, self.path[-1])
        changed = changed.but(pontoons=_less(position.pontoons, self.units),
                              tasks=_without_work(position, self.units))  # fmt: skip
        cycle, combat = position.cycle, position.combat
        if cycle is None or combat is None:
            return changed
        driven = {**cycle.driven, **dict.fromkeys(self.units, combat.type)}
        changed = changed.but(cycle=replace(cycle, driven=driven))
        if self.before:
            return changed
        return changed.but(
            combat=replace(combat, way_back=max(combat.way_back, self.path, key=len))
        )


@value
class UnitsAdvanced(Event[Position]):
    """Attackers go into the hex that was left, or into the one that they attack mobile."""

    units: tuple[str, ...]
    path: tuple[str, ...]
    cost: Mapping[str, int] = NOTHING
    marches: Mapping[str, March] = NOTHING

    def apply(self, position: Position) -> Position:
        changed = placed(position, self.units, self.path[-1])
        if position.combat is not None and position.combat.is_reaction:
            return changed
        spent = {unit: position.spent.get(unit, 0) + cost for unit, cost in self.cost.items()}
        changed = changed.but(spent={**position.spent, **spent},
                              walked=position.walked | set(self.units))  # fmt: skip
        changed = _with_marches(changed, self.marches)
        if position.combat is not None and position.combat.type == IMPROVISED:
            # They follow those who have withdrawn, which is no advance after a combat (12.2.p4).
            return _touched(changed, self.units)
        return _touched(changed, self.units, advanced=self.units)


@value
class PointsSpent(Event[Position]):
    """Units spend half points without leaving their hex: they go in to attack mobile, or make a
    prepared attack.
    """

    cost: Mapping[str, int]
    marches: Mapping[str, March] = NOTHING

    def apply(self, position: Position) -> Position:
        spent = {unit: position.spent.get(unit, 0) + cost for unit, cost in self.cost.items()}
        changed = position.but(spent={**position.spent, **spent},
                               walked=position.walked | set(self.cost))  # fmt: skip
        return _with_marches(changed, self.marches)


@value
class MayGoOn(Event[Position]):
    """Attackers may do again what they could before this attack: the enemy withdrew, or was thrown
    out by a mobile attack that cost them nothing (12.2.p4, 12.3.1.p4).
    """

    units: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        cycle = position.cycle
        if cycle is None:
            return position
        gone = set(self.units)
        if _combat(position).type == IMPROVISED:
            # Only those who had advanced before it have attacked by it; they had nothing else left.
            last = cycle.advanced | gone & cycle.attacked
            free = cycle.improvised - gone
            return position.but(cycle=replace(cycle, improvised=free, advanced=last))
        return position.but(cycle=replace(cycle, attacked=cycle.attacked - gone,
                                          advanced=cycle.advanced - gone))  # fmt: skip


@value
class AttackStopped(Event[Position]):
    """An attack comes to nothing, and its units do not count as having attacked: what is left of
    the bridge bears none of them (J.3).
    """

    hex: str


@value
class LeftBehind(Event[Position]):
    """Units of a move or an attack that what is left of a bridge does not bear (J.3)."""

    units: tuple[str, ...]


@value
class CombatEnded(Event[Position]):
    """A combat is over."""

    hex: str

    def apply(self, position: Position) -> Position:
        return position.but(combat=None)


@value
class Consolidated(Event[Position]):
    """A unit gives its troop points to another, and is eliminated (19.2)."""

    giver: str
    receiver: str
    points: int

    @CITE.serves("19.2")
    def apply(self, position: Position) -> Position:
        side = position.side_of(self.giver)
        lost = {
            **position.lost,
            self.giver: position.printed(self.giver).troops,
            self.receiver: position.lost.get(self.receiver, 0) - self.points,
        }
        left = position.troops(self.giver)
        # reading: the points of a unit that gives them count as lost for victory.
        losses = {**position.losses, side: position.losses.get(side, 0) + left}
        changed = _gone(position.but(lost=lost, losses=losses), (self.giver,), ELIMINATED)
        changed = changed.but(down=_changed(changed, (self.receiver,)))
        cycle = changed.cycle
        assert cycle is not None
        return changed.but(cycle=replace(cycle, given=cycle.given | {self.receiver},
                                         touched=cycle.touched | {self.receiver}))  # fmt: skip


# ------------------------------------------------------------------- the end of a day


@value
class CommandCounted(Event[Position]):
    """In the evening: who loses supply out of command, and by tag the units that it may be."""

    units: tuple[str, ...]
    may_be: Mapping[str, tuple[str, ...]] = NOTHING

    def apply(self, position: Position) -> Position:
        before = position.cut_off
        days = {unit: before.get(unit, 0) + 1 for unit in self.units}
        # A counter just mixed has the days that the unit had when it was last known.
        by_tag = {
            tag: {
                unit: position.cut_off_as.get(tag, before).get(unit, 0) + 1 for unit in units
            }
            for tag, units in self.may_be.items()
        }  # fmt: skip
        return position.but(cut_off=days, cut_off_as=by_tag)


# ------------------------------------------------------------------- counters face down


@value
class ForceMasked(Event[Position]):
    """A force marker is put on a hex (18)."""

    side: Side
    hex: str

    def apply(self, position: Position) -> Position:
        return position.but(masks={**position.masks, self.hex: self.side})


@value
class CountersMixed(Event[Position]):
    """Counters of stacks lie face down and change places: only their player knows which is which,
    and not before a beacon has challenged the mix. They do nothing more that day.
    """

    side: Side
    groups: tuple[tuple[str, ...], ...]

    def new_tags(self, position: Position) -> tuple[str, ...]:
        """The tags that the counters have in the position behind it."""
        return position.down.newest(DECKS[self.side])

    @CITE.rule("2.6.p3")
    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        epoch = position.down.next_epoch(deck)
        down = position.down.mix(deck, self.side, epoch, self.groups)
        names: dict[str, str] = {}
        walked, busy = set(position.walked), set(position.busy)
        for group, tags in zip(
            in_order(self.groups), mixed_names(deck, epoch, self.groups), strict=True
        ):
            # Each place in the stack keeps a counter: which one is not known.
            at = [unit for unit in position.stacks[position.at(group[0])] if unit in group]
            names |= dict(zip(at, tags, strict=True))
            for marked in (walked, busy):
                if marked.intersection(group):
                    marked.update(tags)
        stacks = dict(position.stacks)
        for hex in {position.at(unit) for unit in names}:
            stacks[hex] = tuple(names.get(unit, unit) for unit in stacks[hex])
        known = [unit for unit in names if not is_tag(unit)]
        return position.but(
            down=down, stacks=stacks, mixed=position.mixed.union(names.values()),
            away={**position.away, **dict.fromkeys(known, FACE_DOWN)},
            walked=frozenset(walked), busy=frozenset(busy),
            acted=position.acted.union(names.values()),
            cut_off_as=_joined(position, self.groups, names, down),
        )  # fmt: skip


def _joined(
    position: Position, groups: Iterable[Iterable[str]], names: Mapping[str, str], down: FaceDown
) -> AsIf:
    """The evenings out of command of counters that were mixed: the fewest that a unit has under any
    tag of its group, since nobody else knows under which it lay.
    """
    found = dict(position.cut_off_as)
    for group in groups:
        tags = [unit for unit in group if unit in position.cut_off_as]
        for unit in group:
            new = names[unit]
            days = {}
            for piece in down.may_be(new):
                under = [position.cut_off_as[tag].get(piece, 0) for tag in tags
                         if piece in position.may_be(tag)]  # fmt: skip
                if piece in group or any(tag not in tags and piece in position.may_be(tag)
                                         for tag in group):  # fmt: skip
                    under.append(position.cut_off.get(piece, 0))
                if least := min(under, default=0):
                    days[piece] = least
            found[new] = days
    for group in groups:
        for unit in group:
            found.pop(unit, None)
    return found


@value
class CountersSetUp(Event[Position]):
    """A side's counters are laid out face down: which of them takes the place of which, and what
    each may be.
    """

    side: Side
    names: tuple[tuple[str, str], ...]
    may_be: tuple[tuple[str, tuple[str, ...]], ...]

    @CITE.serves("2.6", "8.p6")
    def apply(self, position: Position) -> Position:
        changed = CountersPutBack(self.names, self.may_be).apply(position)
        hexes = {position.at(tag) for tag, _ in self.names}
        return changed.but(stacks={hex: topped(changed, units) if hex in hexes else units
                                   for hex, units in changed.stacks.items()})  # fmt: skip


@value
class MixesSettled(Event[Position]):
    """A beacon has challenged what was mixed: its player knows which counter is which."""

    def apply(self, position: Position) -> Position:
        return position.but(mixed=frozenset())


@value
class CounterShown(Event[Position]):
    """A slot is opened: it holds a unit, or the tag of an older slot."""

    side: Side
    slot: str
    card: str

    @CITE.serves("8.p6")
    def apply(self, position: Position) -> Position:
        down = position.down.open(self.slot, self.card, tuple(position.hexes))
        name = slot_under(self.card) or self.card
        changed = position.with_names({self.slot: name}, down)
        hex = changed.at(name)
        if is_tag(name) or not hex:
            return changed
        # Whoever turns out to be unable to attack does not stay on top.
        return changed.but(stacks={**changed.stacks, hex: topped(changed, changed.stacks[hex])})


@value
class LinesForgotten(Event[Position]):
    """What a side has not told of its sealed lists counts as empty: under new secrets it cannot be
    told any more, and nothing is judged by it, by those who know it either.
    """

    side: Side

    def apply(self, position: Position) -> Position:
        notes = {slot: line for slot, line in position.notes.items()
                 if papers.LISTS[deck_of(slot)][0] != self.side}  # fmt: skip
        return position.but(notes=notes)


@value
class CountersLaidAnew(Event[Position]):
    """A side's counters face down are laid again under new secrets, and wait for their places."""

    side: Side

    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        old = position.tags_of(self.side)
        down = position.down.renewed(deck, self.side, position.down.next_epoch(deck))
        tags = down.newest(deck)
        assert len(old) == len(tags), "each counter face down has a tag on the map"
        names = dict(zip(old, tags, strict=True))
        return position.with_names(names, down.laid_instead(names))


@value
class CountersPutBack(Event[Position]):
    """Which new tag lies where one lay, as many at each place as before, and what each may be."""

    names: tuple[tuple[str, str], ...]
    may_be: tuple[tuple[str, tuple[str, ...]], ...]

    def apply(self, position: Position) -> Position:
        down = position.down
        for tag, pieces in self.may_be:
            down = down.replaced((tag,), pieces)
        names = dict(self.names)
        return position.with_names(names, down.put_instead(names))


@value
class ZoneSaid(Event[Position]):
    """The player of counters face down says what they come to together for a zone of control."""

    units: tuple[str, ...]
    zone: str

    def apply(self, position: Position) -> Position:
        about = f"zone {' '.join(self.units)}"
        return position.but(down=position.down.with_fact(about, self.units, self.zone))


@value
class FormationSaid(Event[Position]):
    """The player of a counter face down that has come to lie on top says of which formation it
    is.
    """

    unit: str
    formation: str

    def apply(self, position: Position) -> Position:
        home = position.home
        down = position.down.narrowed(self.unit, lambda unit: home(unit) == self.formation)
        return position.but(down=down.noted(TOP, (self.unit,), self.formation))


@value
class StrengthSaid(Event[Position]):
    """The player of counters face down says of which class the troop points of their hex are."""

    hex: str
    points: str

    @CITE.serves("11.4")
    def apply(self, position: Position) -> Position:
        units, points = position.stacks[self.hex], position.board.troop_classes[self.points]
        down = position.down.with_fact(f"{CLASS}{' '.join(units)}", units, self.points)
        hidden = position.tags_at(self.hex)
        if len(hidden) == 1:
            known = position.troops_of(unit for unit in units if unit not in hidden)
            troops = position.troops
            down = down.narrowed(hidden[0], lambda piece: known + troops(piece) in points)
        return position.but(down=down)


@value
class KindSaid(Event[Position]):
    """The player of counters face down says which of them are of a kind that counts for dice, and
    so of others that they are not.
    """

    may_be: Mapping[str, tuple[str, ...]]
    """What each counter of which something is said may be from then on."""
    others: tuple[str, ...]
    """Those that are not of this kind."""
    about: str
    """What is said of these."""

    def apply(self, position: Position) -> Position:
        down = position.down
        for tag, pieces in self.may_be.items():
            down = down.narrowed(tag, pieces.__contains__)
        for tag in self.others:
            down = down.noted(self.about, (tag,), True)
        return position.but(down=down)


@value
class CountersTold(Event[Position]):
    """The player of counters face down tells of a hex what reconnaissance has found out: their
    troop points, and their types if these are told too.
    """

    hex: str
    points: int
    types: tuple[str, ...] = ()

    @CITE.serves("7.3.4")
    def apply(self, position: Position) -> Position:
        tags = position.tags_at(self.hex)
        names = " ".join(tags)
        down = position.down.with_fact(f"{POINTS}{names}", tags, self.points)
        if self.types:
            down = down.with_fact(f"{TYPES}{names}", tags, " ".join(self.types))
        for tag in tags:
            down = down.narrowed(tag, lambda piece: self._may_be(position, piece, len(tags)))
        return position.but(down=down)

    def _may_be(self, position: Position, piece: str, number: int) -> bool:
        """Whether a unit can be one of the counters: all of them together have the points."""
        points, type = nearest_two(position.troops(piece)), position.printed(piece).type
        has_points = points == self.points if number == 1 else points <= self.points
        return has_points and (not self.types or type in self.types)


@value
class GameEnded(Event[Position]):
    """The battle is over: the points of both sides, and the level that is reached."""

    points: Mapping[Side, int]
    title: str
    winner: str

    ends_the_game: ClassVar[bool] = True

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.title))


def _combat(position: Position) -> Combat:
    assert position.combat is not None
    return position.combat

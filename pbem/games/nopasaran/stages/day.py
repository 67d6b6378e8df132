"""5: the day: the morning's secret orders, recovery, the air, initiative, and the evening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.engine import staging as s
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.options import AIR_AFTER_RECOVERY, SECRET_SET_UP
from pbem.games.nopasaran.papers import AIR, ASSIGN, LINES, NAMES, size_of
from pbem.games.nopasaran.position import BOMB, CAS, HELP, INT, RECO, Position
from pbem.games.nopasaran.rules import (
    activation,
    air,
    assignment,
    command,
    cover,
    engineers,
    hiding,
    papers,
    recovery,
    victory,
    zones,
)
from pbem.games.nopasaran.rules.cover import judged_by
from pbem.games.nopasaran.rules.naming import called, in_list
from pbem.games.nopasaran.rules.reports import HexLook
from pbem.games.nopasaran.stages.activation import Activating
from pbem.games.nopasaran.stages.cover import IfMixed, Muster, ShowingAll, watching
from pbem.games.nopasaran.stages.papers import TellingAtDawn, TellingMissions
from pbem.games.nopasaran.stages.reports import found_out
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.games.nopasaran.stages.setup import SettingUp
from pbem.games.nopasaran.tables import (
    ENEMY,
    FORMATION,
    NATIONALIST,
    PEOPLE,
    REPUBLICAN,
    SIDES,
    rounded,
)
from pbem.messages import a_few, say
from pbem.value import value


def opening(position: Position) -> tuple[s.Stage[Position], ...]:
    """The stages with which a battle begins. Who sets up last goes on with the morning."""
    if SECRET_SET_UP not in position.options:
        return (Dawn(),)
    last = first_side(position)
    return (Muster(), SettingUp(ENEMY[last]), SettingUp(last), Dawn())


def first_side(position: Position) -> s.Side:
    """The side that writes first in the morning: the one that did not act last; on the first day
    the one that does not activate first.
    """
    if position.day <= 1:
        given = position.special("J.1")
        return ENEMY[s.Side(given["side"])] if given else REPUBLICAN
    return ENEMY[position.active]


@value
@CITE.rule("5")
class Dawn(s.AutoStage[Position]):
    """A day begins: repairs are done, both sides write their orders, then the dice of the morning
    fall.
    """

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        finish_work(story)
        for formation in restored(story.position):
            story.happen(e.SupplyRestored(formation))
        story.happen(e.DayBegan(position.day + 1, position.tomorrow or position.weather))
        first = first_side(story.position)
        order = (first, ENEMY[first])
        recovery: s.Stage[Position] = s.IfRolled(Recovering())
        # Who writes last tells first: in the same mail, as both write.
        tells = (ENEMY[first], first)
        stages: list[s.Stage[Position]]
        if AIR_AFTER_RECOVERY in position.options:
            stages = [*map(Assigning, order), *map(TellingAtDawn, tells), recovery,
                      *map(Planning, order), *map(TellingMissions, tells)]  # fmt: skip
        else:
            stages = [stage for side in order for stage in (Assigning(side), Planning(side))]
            stages += [stage for side in tells
                       for stage in (TellingAtDawn(side), TellingMissions(side))]  # fmt: skip
            stages.append(recovery)
        stages += [
            Validating(),
            FlightWatched(RECO),
            s.IfRolled(Scouting()),
            FlightWatched(INT),
            s.IfRolled(Interdicting()),
            Initiative(),
        ]
        return story.outcome(then=tuple(stages))


@CITE.rule("J.9")
def restored(position: Position) -> tuple[str, ...]:
    """The formations whose supply is as it should be from this morning: their division is in
    command with a road to the rear, and they did not fight yesterday.
    """
    # reading: the own division and the own battalions count, as it is their supply that is poor:
    # whoever is lent fights for its own brigade, and whoever is borrowed does not.
    # reading: nobody has fought before the morning of day 1, so that one does not count; a brigade
    # that is still off the map has not fought.
    found = []
    fought = {position.home(unit) for unit in position.fought}
    for formation in position.base:
        division = position.headquarters_of(position.lender(formation))
        if (
            position.day
            and position.at(division)
            and command.in_command(position, division)
            and formation not in fought
        ):
            found.append(formation)
    return tuple(found)


# ------------------------------------------------------------------- the morning


@value
@CITE.rule("5.1")
class Assigning(s.PlayerStage[Position]):
    """A side says what acts with which formation, without seeing what the other writes."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=self.side, stage="assign", rule="5.1",
            prompt=say("assign units to another formation from today"),
            options=(s.Option(o.Assign, examples=self._examples(position)),),
            default=o.Assign(), secret=True, list=_list(position, self.side, ASSIGN, LINES),
        )  # fmt: skip

    def _examples(self, position: Position) -> s.Examples:
        groups = cache(lambda: tuple(self._alike(position.seen(self.side)).values()))

        def found(some: s.Some) -> Iterator[s.Example]:
            yield s.Example(o.Assign())
            by_goals: dict[tuple[str, ...], list[str]] = {}
            for units in some(groups()):
                goals = self._goals(position.seen(self.side), units[0])
                by_goals.setdefault(goals, []).extend(units)
            for goals, those in by_goals.items():
                units = position.board.in_order(those)
                for unit in tuple(some(units))[:1]:
                    for goal in tuple(some(goals))[:1]:
                        yield s.Example(o.Assign({unit: goal}), say(
                            "{units}: to {places}", units=in_list(units), places=in_list(goals),
                        ))  # fmt: skip

        return found

    def _alike(self, position: Position) -> Mapping[Any, tuple[str, ...]]:
        """The units that may act with another formation, by all that matters for with which."""
        found: dict[Any, tuple[str, ...]] = {}
        for unit in position.on_map(self.side):
            printed = position.printed(unit)
            if not printed.is_headquarters and unit not in position.assigned:
                matters = (position.commander(unit), printed.type, unit in position.demoralised,
                           position.troops(unit))  # fmt: skip
                found[matters] = (*found.get(matters, ()), unit)
        return found

    def _goals(self, position: Position, unit: str) -> tuple[str, ...]:
        """The formations of this battle, other than its own, with which a unit may act."""
        own = position.commander(unit)
        return tuple(
            id for id in position.board.formations_of[self.side]
            if position.formation(id).level == FORMATION and id != own
            and position.at(position.headquarters_of(id))
            and not any(self.check(position, o.Assign({unit: id})))
        )  # fmt: skip

    check = judged_by(
        (assignment.assigns_its_own, assignment.assigns_by_level, assignment.writes_a_free_sheet),
        (assignment.assigns_within_limits,),
        (assignment.regroups_within_limits, papers.fits_its_list),
    )  # fmt: skip

    def resolve(self, position: Position, order: o.Assign) -> s.Outcome:  # type: ignore[override]
        # Where counters lie face down the list is sealed, and its author alone tries what is on it.
        order = cover.by_name(position, order)
        story: s.Unfolding[Position] = s.Unfolding(position)
        going = assignment.going_over(position, order)
        for formation, division in sorted(going.items()):
            rule = assignment.for_good(position, formation, division)
            story.happen(e.WentOver(formation, division, rule))
        back = tuple(sorted(assignment.going_back(position, order)))
        to = {who: to for who, to in order.to.items() if who not in {*going, *back}}
        if to or back:
            story.happen(e.Assigned(self.side, to, back))
        return story.outcome()

    def sealed(self, position: Position, entry: int) -> s.Outcome:
        return s.Outcome((e.PaperWritten(self.side, ASSIGN, entry),))


@value
@CITE.rule("5.2.1")
class Planning(s.PlayerStage[Position]):
    """A side gives its aircraft their missions, without seeing what the other writes."""

    # reading: missions and their targets are written with the assignments, before any die of the
    # day; option: after the dice of recovery, as the text has it.
    side: s.Side

    @CITE.serves("5.6.3")
    def ask(self, position: Position) -> s.Decision | None:
        if not (position.sky.flies and air.aircraft(position, self.side)):
            return None
        return s.Decision(
            side=self.side, stage="fly", rule="5.2.1",
            prompt=say("give the aircraft their missions"),
            options=(s.Option(o.Fly, examples=self._examples(position)),),
            default=o.Fly(), secret=True, longest=air.longest_plan(position, self.side),
            list=_list(position, self.side, AIR, size_of(len(position.aircraft(self.side)))),
        )  # fmt: skip

    def _examples(self, position: Position) -> s.Examples:
        def found(some: s.Some) -> Iterator[s.Example]:
            enemies = [hex for hex, holder in position.holders.items()
                       if holder == ENEMY[self.side]]  # fmt: skip
            own = air.support_targets(position, self.side)
            yield s.Example(o.Fly())
            for mission in some((RECO, INT, CAS, BOMB)):
                units = [unit for unit in air.aircraft(position, self.side)
                         if air.can_fly(position.board.air[unit], mission)]  # fmt: skip
                targets = own if mission == CAS else enemies
                for unit in tuple(some(units))[:1]:
                    for target in tuple(some(targets))[:1]:
                        yield s.Example(o.Fly({unit: o.Flight(**{mission: target})}), say(
                            "{units}: to {places}", units=in_list(units),
                            places=a_few(tuple(targets)),
                        ))  # fmt: skip

        return found

    check = judged_by((air.flies_what_it_can,), (air.scouts_a_hex_once,))

    def resolve(self, position: Position, order: o.Fly) -> s.Outcome:  # type: ignore[override]
        missions = air.missions_of(order)
        return s.Outcome((e.AirPlanned(self.side, missions),) if missions else ())

    def sealed(self, position: Position, entry: int) -> s.Outcome:
        return s.Outcome((e.PaperWritten(self.side, AIR, entry),))


def _list(position: Position, side: s.Side, kind: str, size: int) -> s.ListWanted | None:
    """The sealed list that a side writes where counters lie face down; it takes the place of a
    choice that both reveal as a whole.
    """
    if position.is_open:
        return None
    return s.ListWanted(NAMES[side, kind], size, shuffled=kind == ASSIGN)


@value
@CITE.rule("17.3", "5.1.p2")
class Recovering(s.ChanceStage[Position]):
    """Disorganised units come into order: headquarters and those beside their own by themselves,
    the others with a die at their effectiveness or below.
    """

    # reading: who is in the hex of its headquarters counts as beside it; units out of command roll
    # even there (6.3).

    def chance(self, position: Position) -> s.Chance:
        own = recovery.by_themselves(position)
        units = [unit for unit in position.board.in_order(position.disorganised)
                 if unit not in own]  # fmt: skip
        return s.Chance("recovery", "17.3", tuple(
            ten_sided(f"recovery/#/{unit}", say("recovery of {unit}", unit=called(position, unit)))
            for unit in units
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        own, dice, ok = recovery.by_themselves(position), [], []
        chart = position.board.charts["recovery"]
        for draw in self.chance(position).draws:
            unit = draw.label.removeprefix("recovery/#/")
            die = rolled[draw.label].face
            number = die
            if zones.in_enemy_zone(position, position.at(unit), position.side_of(unit)):
                number += chart["zone"]
            if not command.in_command(position, unit):
                number += chart["out_of_command"]
            dice.append((unit, die))
            if number <= position.printed(unit).effectiveness:
                ok.append(unit)
        if not (own or dice):
            return s.Outcome()
        return s.Outcome((e.Recovered((*own, *ok), tuple(dice)),))


@value
@CITE.serves("6.4")
class Validating(s.AutoStage[Position]):
    """Assignments that do not hold are void."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        if not position.is_open:
            story.happen(e.CommandJudged(assignment.unled(position)))
        for side in SIDES:
            for who in assignment.void(story.position, side):
                story.happen(e.AssignmentVoided(who, story.position.assigned[who]))
        story.happen(e.SegmentBegan("air"))
        return story.outcome()


# ------------------------------------------------------------------- the air


def flying(position: Position, mission: str) -> Iterator[tuple[str, str]]:
    """The air units on a mission that have not flown, with their targets, Nationalist first."""
    for side in SIDES:
        for unit in air.aircraft(position, side):
            planned = position.missions.get(unit)
            if planned and planned.kind == mission and unit not in position.flown:
                yield unit, planned.target


def fire_draws(position: Position, units: Iterable[tuple[str, str]], mission: str) -> list[s.Draw]:
    """A die for each air unit that is fired at on its way to its target."""
    if not air.is_fired_at(position, mission):
        return []
    found = []
    for unit, target in units:
        side = position.board.air[unit].side
        if air.fire_against(position, side, air.flight(position, side, target)):
            found.append(
                ten_sided(
                    f"antiaircraft/#/{unit}",
                    say("antiaircraft fire at {unit}", unit=called(position, unit)),
                )
            )
    return found


def fired_at(
    story: s.Unfolding[Position], unit: str, target: str, mission: str,
    rolled: Mapping[str, s.Roll],
) -> int:  # fmt: skip
    """An air unit is fired at, if it has a die for that; the quarters that are left of it."""
    roll = rolled.get(f"antiaircraft/#/{unit}")
    if roll is None:
        return 4
    position = story.position
    side = position.board.air[unit].side
    factor = air.fire_against(position, side, air.flight(position, side, target))
    left = air.left_after_fire(position, unit, mission, factor, roll.face)
    story.happen(e.FiredAt(unit, target, factor, roll.face, left))
    return left


@value
@CITE.serves("7.4")
class FlightWatched(s.AutoStage[Position]):
    """Before a mission is flown and fired at, units face down may be shown that fire."""

    mission: str

    def run(self, position: Position) -> s.Outcome:
        if not air.is_fired_at(position, self.mission):
            return s.Outcome()
        flights = (
            (side := position.board.air[unit].side, air.flight(position, side, target))
            for unit, target in flying(position, self.mission)
        )
        return watching(position, flights)


@value
@CITE.rule("5.2.2.reco", "7.3.4")
class Scouting(s.ChanceStage[Position]):
    """Reconnaissance from the air: one die for the seven hexes of each flight."""

    def chance(self, position: Position) -> s.Chance:
        units = list(flying(position, RECO))
        draws = fire_draws(position, units, RECO)
        draws += [ten_sided(f"reconnaissance/#/{unit}",
                       say("reconnaissance by {unit}", unit=called(position, unit)))
                  for unit, _ in units]  # fmt: skip
        return s.Chance("reconnaissance", "7.3.4", tuple(draws))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        looks: dict[s.Side, list[HexLook]] = {side: [] for side in SIDES}
        for unit, target in flying(position, RECO):
            left = fired_at(story, unit, target, RECO, rolled)
            if not left:
                story.happen(e.AircraftFlew((unit,)))
                continue
            die = rolled[f"reconnaissance/#/{unit}"].face
            side = position.board.air[unit].side
            told = air.scouted(story.position, side, target, die)
            story.happen(e.HexScouted(unit, target, die, told))
            is_asked = position.missions[unit].is_asked
            looks[ENEMY[side]] += [HexLook(hex, level, is_asked) for hex, level in told]
        # Who wrote first in the morning opens the beacon of this die, and can report in that mail.
        first = first_side(position)
        return story.outcome(then=tuple(
            stage for side in (first, ENEMY[first])
            for stage in found_out(story.position, side, looks[side])
        ))  # fmt: skip


@value
@CITE.rule("5.2.2.int")
class Interdicting(s.ChanceStage[Position]):
    """Aircraft fly to the hexes that they interdict, under fire."""

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("interdiction", "7.3.1",
                      tuple(fire_draws(position, flying(position, INT), INT)))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for unit, target in flying(position, INT):
            left = fired_at(story, unit, target, INT, rolled)
            printed = position.board.air[unit]
            factor = rounded(printed.interdiction, left)
            story.happen(e.HexInterdicted(unit, printed.side, target, factor))
        return story.outcome()


# ------------------------------------------------------------------- initiative


@value
@CITE.rule("5.3.p3", "J.1")
class Initiative(s.AutoStage[Position]):
    """Who activates next: by the dice, or without them where only one side has anything left."""

    def run(self, position: Position) -> s.Outcome:
        able = [side for side in SIDES if activation.has_more_to_do(position, side)]
        if not able:
            return s.Outcome(then=(Evening(),))
        given, rule = position.special("J.1"), ""
        if given and position.day == 1 and not position.activated and not position.finished:
            able, rule = [s.Side(given["side"])], "J.1"
        if len(able) == 1:
            (side,) = able
            return s.Outcome((e.InitiativeGiven(side, rule),), keep=self, then=(Activating(side),))
        return s.Outcome(keep=self, then=(RollingForInitiative(),))


@value
@CITE.serves("5.3")
class RollingForInitiative(s.ChanceStage[Position]):
    """A die for each side, with its successes; equal ones are rolled again."""

    # reading: equal dice are rolled again, with the same successes.

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("initiative", "5.3", tuple(
            ten_sided(f"initiative/#/{side}",
                      say("initiative of the {side} side", side=say(PEOPLE[side])))
            for side in SIDES
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        dice = tuple(
            (side, rolled[f"initiative/#/{side}"].face, activation.bonus(position, side))
            for side in SIDES
        )
        (_, one, more), (_, other, extra) = dice
        if one + more == other + extra:
            return s.Outcome((e.InitiativeRolled(dice, None),), keep=self)
        winner = NATIONALIST if one + more > other + extra else REPUBLICAN
        return s.Outcome((e.InitiativeRolled(dice, winner),), then=(Activating(winner),))


# ------------------------------------------------------------------- the evening


@value
@CITE.rule("5.6")
class Evening(s.AutoStage[Position]):
    """Nobody activates anything more: works are built, then the day is closed."""

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(
            (e.SegmentBegan("evening"),),
            then=(
                Building(NATIONALIST),
                Building(REPUBLICAN),
                *_turned_up(position),
                IfMixed(),
                s.IfRolled(Closing()),
            ),
        )


@CITE.serves("5.6.6")
def _turned_up(position: Position) -> tuple[s.Stage[Position], ...]:
    """On the last evening all counters are turned face up, those first of the side that did not act
    last: its mail resolves what the other has ordered.
    """
    last = position.active
    return (ShowingAll(ENEMY[last]), ShowingAll(last)) if hiding.is_last_day(position) else ()


@value
@CITE.rule("5.6.1")
class Building(s.PlayerStage[Position]):
    """A side builds works where units have stood idle."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not engineers.buildable(position.veiled(None), self.side):
            return None
        able = engineers.buildable(position.seen(self.side), self.side)
        every = [o.Build(), o.Build({hex: kinds[-1] for hex, kinds in able.items()})]
        every += [o.Build({hex: kind}) for hex, kinds in able.items() for kind in kinds]
        return s.Decision(
            side=self.side, stage="works", rule="20.7",
            prompt=say("build works where units have stood idle, or none"),
            options=(s.Option(o.Build, examples=s.listed(every)),),
            default=o.Build(), policy="works",
        )  # fmt: skip

    check = judged_by((engineers.builds_where_it_may,))

    def resolve(self, position: Position, order: o.Build) -> s.Outcome:  # type: ignore[override]
        return s.Outcome(
            tuple(e.WorksBuilt(hex, kind) for hex, kind in sorted(order.works.items()))
        )


@value
@CITE.rule("5.6.3")
class Closing(s.ChanceStage[Position]):
    """Command is counted, the weather of tomorrow is rolled, and after the last day the points
    decide.
    """

    def chance(self, position: Position) -> s.Chance:
        is_last = position.day >= len(position.plain["days"])
        is_known = position.day < len(position.plain["weather"])
        draws = () if is_last or is_known else (ten_sided("weather/#", say("weather of tomorrow")),)
        return s.Chance("weather", "5.6.3", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        count_command(story)
        plain = position.plain
        if position.day >= len(plain["days"]):
            told = victory.level(story.position)
            story.happen(e.GameEnded(victory.points(story.position), told["title"],
                                     told.get("winner", "")))  # fmt: skip
            return story.outcome()
        if "weather/#" in rolled:
            chart = position.board.charts["weather"]
            die = rolled["weather/#"].face
            more = chart["after_rain"] if position.weather == "rain" else 0
            story.happen(e.WeatherRolled(die, position.board.weather_of(die + more)))
        else:
            story.happen(e.WeatherRolled(0, plain["weather"][position.day]))
        return story.outcome(then=(Dawn(),))


@CITE.serves("20.4")
def finish_work(story: s.Unfolding[Position]) -> None:
    """Engineers that have worked all day have repaired something by the next morning: not in time
    for what is counted in the evening.
    """
    # reading: several engineers at one bridge, of both sides too, are no quicker than one; the work
    # of all of them ends when it is whole.
    done: set[tuple[str, str]] = set()
    for unit, task in story.position.tasks.items():
        position = story.position
        if task.kind == HELP:
            continue  # which ends with the day
        if not engineers.works_on(position, unit):
            story.happen(e.WorkEnded(unit))
            continue
        if not position.sky.engineers:
            continue  # in rain the work stands still
        kind, at = engineers.repairs(position, unit, task)
        if (kind, at) not in done:
            done.add((kind, at))
            _a_day_of_repair(story, kind, at)
        if not engineers.state_of(story.position, kind, at):
            story.happen(e.WorkEnded(unit))


@CITE.serves("20.4")
def _a_day_of_repair(story: s.Unfolding[Position], kind: str, at: str) -> None:
    changed = {"bridge": e.BridgeChanged, "rail": e.RailChanged, "road": e.RoadChanged}[kind]
    state = engineers.state_of(story.position, kind, at)
    story.happen(changed(at, engineers.after_a_day(kind, state)))


@CITE.serves("6.3.p2")
def count_command(story: s.Unfolding[Position]) -> None:
    """Who loses supply out of command this evening has less of it tomorrow."""
    position = story.position
    out = tuple(
        unit
        for side in SIDES
        for unit in position.on_map(side)
        if command.is_cut_off(position, unit)
    )
    may_be = {
        tag: cover.who_could(position, tag, command.is_cut_off)
        for side in SIDES
        for tag in position.tags_of(side)
    }
    story.happen(e.CommandCounted(out, may_be))

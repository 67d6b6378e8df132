"""The narrative of ¡No Pasarán!: a message for each event, and the state of play in brief."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.board.ledger import Ledger, die_told, total
from pbem.engine.model import Event, Side
from pbem.engine.narration import (
    ARRIVES,
    GOES_ON,
    GROUND,
    LEFT_OUT,
    Passage,
    lines_into,
    together,
)
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import papers
from pbem.games.nopasaran.position import DAMAGED, DESTROYED, MISSIONS, Combat, Position
from pbem.games.nopasaran.rules import command, hiding, victory
from pbem.games.nopasaran.rules.naming import (
    LEVELS,
    TYPE_WORDS,
    TYPES,
    called,
    formation_called,
    in_list,
    place,
    points_told,
    works_called,
)
from pbem.games.nopasaran.tables import FULL, NATIONALIST, NORMAL, REPUBLICAN, SIDES
from pbem.games.system import Narration
from pbem.messages import Message, Row, Said, Thing, indented, say, say_many

Line = Callable[[Any, Position], Message | None]
SIDES_TOLD = {NATIONALIST: say("the Nationalists"), REPUBLICAN: say("the Republicans")}
OF_SIDES = {NATIONALIST: say("Nationalist"), REPUBLICAN: say("Republican")}
WEATHER = {"clear": say("clear"), "overcast": say("overcast"), "rain": say("rain")}
WORKS = {"position": say("a position"), "fortification": say("a fortification")}
CAUSES = {
    "terrain": say("ground"), "works": say("works"), "hexside": say("what lies between"),
    "concentric": say("concentric attack"), "armour": say("superior armour"),
    "engineers": say("engineers"), "efficiency": say("armour on this ground"),
    "surprise": say("surprise"), "effectiveness": say("effectiveness"),
    "success": say("successes"), "unspotted": say("nobody to spot"),
    "troops": say("size of the target"),
}  # fmt: skip
"""What shifts a column or changes a die, in words."""
MISSION_WORDS = {
    "reco": say("reconnaissance"), "int": say("interdiction"), "cas": say("close support"),
    "bomb": say("bombing"),
}  # fmt: skip
FACE_DOWN, ANOTHER = say("a counter face down"), say("another counter")
UNSEEN, OUT_OF_COMMAND = say("face down"), say("out of command")
SEEN = {
    "none": say("nothing"), "count": say("troop points"), "types": say("types of units"),
    "half": say("half of the units"), "full": say("all units"),
}  # fmt: skip
"""What reconnaissance tells."""
SILENT: dict[type[Event[Position]], str] = {
    e.DayBegan: "the clock tells it",
    e.SegmentBegan: "the clock tells it",
    e.ActivationEnded: "the next activation has a line",
    e.StackArranged: "the order of a stack is of no interest to a reader",
    e.AircraftFlew: "what they did has a line",
    e.GunsFired: "the combat that they support has a line",
    e.SuccessCounted: "the result of the combat has a line",
    e.PointsSpent: "the mobile attack has a line",
    e.MayGoOn: "what they do next has a line",
    e.CombatEnded: "each result of the combat has a line",
    e.ChargesUsed: "the die of the charges has a line",
    e.EngineerWorked: "what they did has a line",
    e.CommandCounted: "status lists who is out of command",
    e.LeaderNamed: "the dice of the combat have a line",
    e.SupportNamed: "the dice of the combat have a line",
    e.LineTold: "what follows from it has a line",
    e.CommandJudged: "status lists who is out of command",
    e.MixesSettled: "it changes nothing that anybody sees",
    e.ZoneSaid: "status notes it",
    e.KindSaid: "status notes it",
    e.CountersLaidAnew: "putting them back has a line",
    e.LinesForgotten: "the offer of new secrets names the lists",
}
"""Events without a message, and why."""
LINES: dict[type[Event[Position]], Line] = {}
FIGHTING = (
    e.FiredAt, e.SupportAllowed, e.CombatRolled, e.TroopsLost, e.UnitsDestroyed, e.MoraleChecked,
    e.Disorganised, e.UnitsRetreated, e.UnitsAdvanced, e.UnitsDisplaced, e.ControlTaken,
    e.Bombarded, e.CounterShown,
)  # fmt: skip
QUIET = (
    e.GunsFired, e.SupportNamed, e.LeaderNamed, e.SuccessCounted, e.PointsSpent, e.MayGoOn,
    e.AircraftFlew,
)  # fmt: skip
"""The events that belong to a combat, and those of them without a line."""
CHANGING = (e.WorksBuilt, e.RoadChanged, e.RailChanged, e.BridgeChanged, e.PontoonLaid)
"""What changes the ground; so does a bombardment by itself."""


line = lines_into(LINES)


def named(position: Position, units: Iterable[str]) -> tuple[Thing | Said, ...]:
    """Units by name and id, in their order, and behind them the counters face down that this view
    does not know.
    """
    units = [position.face(unit) or unit for unit in units]
    known = tuple(Thing(unit, say(position.printed(unit).name), is_only=True)
                  for unit in position.board.in_order(units))  # fmt: skip
    number = sum(map(is_tag, units))
    unknown: tuple[Said, ...] = (FACE_DOWN, ANOTHER)[:number]
    if number > 2:
        unknown = (FACE_DOWN, say_many(
            "number", "{number} other counter", "{number} other counters", number=number - 1,
        ))  # fmt: skip
    return (*known, *unknown)


def _one(position: Position, unit: str) -> Thing | Said:
    """A unit as `named` has it."""
    (found,) = named(position, (unit,))
    return found


def flying(position: Position, unit: str) -> Thing:
    """An air unit by its model and id."""
    return Thing(unit, say(position.board.air[unit].model), is_only=True)


class Telling:
    """A message for each event, and the table at a glance."""

    def narrate(
        self, event: Event[Any], position: Position, viewer: Side | None = None
    ) -> Message | None:
        tell = LINES.get(type(event))
        return tell(event, position.veiled(viewer)) if tell else None

    def passage(self, event: Event[Any], position: Position) -> Passage | None:
        if isinstance(event, e.CombatBegan):
            return Passage("begins", event.combat.hex)
        if isinstance(event, e.UnitsArrived):
            return ARRIVES
        if isinstance(event, CHANGING) or (
            isinstance(event, e.Bombarded) and position.combat is None
        ):
            return GROUND
        if position.combat is None:
            return None
        if isinstance(event, QUIET):
            return LEFT_OUT
        return GOES_ON if isinstance(event, FIGHTING) else None

    def summary(self, position: Position) -> tuple[Said, ...]:
        position = position.veiled(None)
        return (
            say("weather: {weather}", weather=WEATHER[position.weather]),
            *_points(position),
            say("troop points lost: {each}", each=_each_side(
                {side: position.losses.get(side, 0) for side in SIDES})),
            *_broken(position),
            *_force_markers(position),
            *_out_of_command(position),
        )  # fmt: skip

    def own(self, position: Position, side: Side) -> tuple[Said, ...]:
        position = position.as_seen_by(side)
        rows = [
            indented(
                say(
                    "{place}: {units}",
                    place=place(position, hex),
                    units=_with_states(position, there),
                )
            )
            for hex in position.ground.hexes
            if (there := position.units_at(hex, side))
        ]
        return (
            *([say("your units:"), *rows] if rows else []),
            *_in_the_air(position, side),
        )  # fmt: skip


# ------------------------------------------------------------------- the table at a glance


def _points(position: Position) -> Iterator[Message]:
    """The victory points as things stand, and the level that they would reach."""
    if position.result is not None:
        return
    counted = victory.points(position)
    yield say("victory points if the battle ended now: {each}", each=_each_side(counted))
    yield say("that is: {level}", level=say(victory.level(position)["title"]))
    for each in victory.scored(position):
        if each.points:
            what = _worth(position, each.row)
            yield indented(
                say("{points} {side}: {what}", points=each.points, side=OF_SIDES[each.side],
                    what=what)
            )  # fmt: skip


def _worth(position: Position, row: Mapping[str, Any]) -> Message:
    match row["for"]:
        case "control":
            return say("{place}", place=place(position, row["hex"]))
        case "road_cut":
            return say("the road {road} is cut", road=say(row["road"]))
        case "losses":
            return say("troop points that the enemy has lost")
        case "bank_clear":
            return say("no enemy across the river")
        case _:
            bridge = position.ground.bridges[row["bridge"]]
            return say("{bridge} is destroyed", bridge=say(bridge.name))


def _broken(position: Position) -> Iterator[Message]:
    for units, message in (
        (position.demoralised, say("demoralised: {units}")),
        (position.disorganised, say("disorganised: {units}")),
    ):
        there = [unit for unit in units if position.at(unit)]
        if there:
            yield say(message.text, units=named(position, there))


def _force_markers(position: Position) -> Iterator[Message]:
    """Where force markers lie, which both see (2.6.1), and how many each side has left."""
    for side in SIDES:
        hexes = sorted(hex for hex, whose in position.masks.items() if whose == side)
        if hexes:
            yield say("{side} force markers: {hexes}; {left} left", side=OF_SIDES[side],
                      hexes=tuple(place(position, hex) for hex in hexes),
                      left=hiding.markers_left(position, side))  # fmt: skip


def _out_of_command(position: Position) -> Iterator[Message]:
    out = [
        unit
        for side in SIDES
        for unit in position.on_map(side)
        if not command.in_command(position, unit)
    ]
    if out:
        yield say("out of command: {units}", units=named(position, out))
    if position.down.hidden:
        yield say("counters face down count for nothing here until they are seen")


def _with_states(position: Position, units: Iterable[str]) -> tuple[Thing | Said, ...]:
    """Units with their states, and how many counters lie there that this view does not know."""
    known = tuple(_with_state(position, unit) for unit in units if not is_tag(unit))
    return (*known, *named(position, filter(is_tag, units)))


def _with_state(position: Position, unit: str) -> Thing:
    """A unit with whatever its counter and its markers show, and whether nobody else sees it."""
    states = tuple(states_of(position, unit))
    if unit in position.down.hidden:
        is_cut_off = not command.in_command(position, unit)
        states = (*states, *([OUT_OF_COMMAND] if is_cut_off else ()), UNSEEN)
    told = say("{states}", states=Row(states)) if states else None
    return Thing(unit, say(position.printed(unit).name), is_only=True, state=told)


def marks_of(position: Position, unit: str) -> Iterator[Message]:
    """What a unit has suffered in fights, in words: lost points, order, morale."""
    lost = position.lost.get(unit, 0)
    if lost:
        yield say("strength {left} of {whole}", left=position.troops(unit),
                  whole=position.printed(unit).troops)  # fmt: skip
    if unit in position.disorganised:
        yield say("disorganised")
    if unit in position.demoralised:
        yield say("demoralised")


def states_of(position: Position, unit: str) -> Iterator[Message]:
    """The same, and its supply, whom it is lent to, and whether it has acted."""
    yield from marks_of(position, unit)
    level = command.level_of(position, unit).id
    if level != NORMAL:
        yield LEVELS[level]
    if unit in position.assigned:
        yield say("with {formation}", formation=position.assigned[unit])
    if unit in position.acted:
        yield say("finished for today")


def _in_the_air(position: Position, side: Side) -> Iterator[Message]:
    for mission in MISSIONS:
        units = [unit for unit, planned in sorted(position.missions.items())
                 if planned.kind == mission and position.board.air[unit].side == side]  # fmt: skip
        if units:
            yield say("on {mission}: {units}", mission=MISSION_WORDS[mission],
                      units=tuple(flying(position, unit) for unit in units))  # fmt: skip


def _each_side(figures: Mapping[Side, int]) -> Row:
    """One figure for each side."""
    return Row(tuple(say("{side} {number}", side=OF_SIDES[side], number=figures[side])
                     for side in SIDES))  # fmt: skip


def told_ledger(ledger: Ledger) -> Row:
    """Each number of a ledger with its reason."""
    return Row(tuple(
        say("{number} ({what})", number=f"{number:+d}".replace("-", "−"), what=CAUSES[cause])
        for cause, number in ledger
    ))  # fmt: skip


# ------------------------------------------------------------------- the morning


@line(e.WeatherRolled)
def _weather(event: e.WeatherRolled, position: Position) -> Message:
    if not event.die:
        return say("tomorrow's weather: {weather}", weather=WEATHER[event.weather])
    return say("tomorrow's weather is rolled: die {die}, {weather}", die=event.die,
               weather=WEATHER[event.weather])  # fmt: skip


@line(e.Assigned)
def _assigned(event: e.Assigned, position: Position) -> Message:
    told = [*_changes(position, event.to)]
    told += [say("{who} back to its own formation", who=who) for who in event.back]
    return say("{side} assign {changes}", side=SIDES_TOLD[event.side],
               changes=Row(tuple(told), "; "))  # fmt: skip


def _changes(position: Position, to: Mapping[str, str]) -> Iterator[Said]:
    for who, formation in sorted(to.items()):
        yield say("{who} to {formation}", who=_in_short(position, who),
                  formation=formation_called(position, formation))  # fmt: skip


def _in_short(position: Position, who: str) -> Said:
    """A unit or formation by name; a counter face down that this view does not know by where it
    lies.
    """
    known = position.face(who) or who
    if known in position.board.formations:
        return formation_called(position, known)
    if not is_tag(known):
        return called(position, known)
    return called(position, known) if position.at(known) else FACE_DOWN


@line(e.PaperWritten)
def _written(event: e.PaperWritten, position: Position) -> Message | None:
    """What is on a list, for whoever wrote it."""
    lines = papers.whole(position, event.side, event.kind)
    if lines is None:
        return None
    told: list[Said]
    if event.kind == papers.ASSIGN:
        told = [*_changes(position, papers.assigned(position, event.side))]
    else:
        pairs = zip(position.aircraft(event.side), map(papers.pair, lines), strict=False)
        told = [
            _mission(position, unit, mission, target)
            for unit, (mission, target) in pairs if mission in MISSION_WORDS
        ]  # fmt: skip
    if not told:
        if event.kind == papers.ASSIGN:
            return say("{side} have written that all stay with their formations",
                       side=SIDES_TOLD[event.side])  # fmt: skip
        return say("{side} have written that no aircraft fly", side=SIDES_TOLD[event.side])
    return say("{side} have assigned {changes}", side=SIDES_TOLD[event.side],
               changes=Row(tuple(told), "; "))  # fmt: skip


@line(e.AssignmentVoided)
def _voided(event: e.AssignmentVoided, position: Position) -> Message:
    return say("{who} does not go to {formation}: a headquarters is out of command",
               who=_in_short(position, event.who), formation=event.to)  # fmt: skip


@line(e.WentOver)
def _went_over(event: e.WentOver, position: Position) -> Message:
    who = event.formation
    return say("{formation} goes over to {division} for good [rule {rule}]",
               formation=formation_called(position, who) if who in position.board.formations
               else called(position, who),
               division=formation_called(position, event.division), rule=event.rule)  # fmt: skip


@line(e.SupplyRestored)
def _restored(event: e.SupplyRestored, position: Position) -> Message:
    return say("{formation} is in full supply from now on [rule J.9]",
               formation=formation_called(position, event.formation))  # fmt: skip


@line(e.AirPlanned)
def _planned(event: e.AirPlanned, position: Position) -> Message:
    return say("{side} fly {missions}", side=SIDES_TOLD[event.side], missions=Row(tuple(
        _mission(position, unit, planned.kind, planned.target)
        for unit, planned in sorted(event.missions.items())
    ), "; "))  # fmt: skip


def _mission(position: Position, unit: str, kind: str, target: str) -> Message:
    """An air unit with its mission and the hex or the headquarters that it is for."""
    is_hex = target in position.ground.hexes
    at = place(position, target) if is_hex else _in_short(position, target)
    return say("{unit}: {mission}, {target}", unit=called(position, unit),
               mission=MISSION_WORDS[kind], target=at)  # fmt: skip


@line(e.Recovered)
def _recovered(event: e.Recovered, position: Position) -> Message:
    dice = Row(tuple(say("{unit} {die}", unit=unit, die=die) for unit, die in event.dice))
    if not event.units:
        return say("nobody comes into order again ({dice})", dice=dice)
    if not event.dice:
        return together("units", "{units} is in order again", "{units} are in order again",
                        units=named(position, event.units))  # fmt: skip
    return say("in order again: {units} (dice: {dice})", units=named(position, event.units),
               dice=dice)  # fmt: skip


# ------------------------------------------------------------------- the air


@line(e.FiredAt)
def _fired_at(event: e.FiredAt, position: Position) -> Message:
    unit = flying(position, event.unit).name
    if event.left == FULL:
        return say("antiaircraft fire at {unit}: factor {factor}, die {die}, no effect", unit=unit,
                   factor=event.factor, die=event.die)  # fmt: skip
    if not event.left:
        return say("antiaircraft fire at {unit}: factor {factor}, die {die}, it turns back",
                   unit=unit, factor=event.factor, die=event.die)  # fmt: skip
    return say("antiaircraft fire at {unit}: factor {factor}, die {die}, {percent} in 100 are left",
               unit=unit, factor=event.factor, die=event.die,
               percent=100 * event.left // FULL)  # fmt: skip


@line(e.HexScouted)
def _scouted(event: e.HexScouted, position: Position) -> Message:
    unit, hex = flying(position, event.unit).name, place(position, event.hex)
    if not event.levels:
        return say("{unit} looks at {hex} and the hexes around it: die {die}, nobody is there",
                   unit=unit, hex=hex, die=event.die)  # fmt: skip
    return say(
        "{unit} looks at {hex} and the hexes around it: die {die}; {levels}", unit=unit, hex=hex,
        die=event.die, levels=Row(tuple(
            say("{hex}: {level}", hex=place(position, each), level=SEEN[level])
            for each, level in event.levels
        ), "; "),
    )  # fmt: skip


@line(e.HexInterdicted)
def _interdicted(event: e.HexInterdicted, position: Position) -> Message:
    unit, hex = flying(position, event.unit).name, place(position, event.hex)
    if not event.factor:
        return say("{unit} does not get through to {hex}", unit=unit, hex=hex)
    return say_many(
        "factor", "{unit} interdicts {hex}: {factor} more point by road within three hexes",
        "{unit} interdicts {hex}: {factor} more points by road within three hexes",
        unit=unit, hex=hex, factor=event.factor,
    )  # fmt: skip


# ------------------------------------------------------------------- initiative


@line(e.InitiativeRolled)
def _initiative(event: e.InitiativeRolled, position: Position) -> Message:
    told = Row(tuple(
        say("{side} {die}", side=OF_SIDES[side],
            die=die_told(die, (("success", more),) if more else (), die + more,
                         CAUSES.__getitem__))
        for side, die, more in event.dice
    ))  # fmt: skip
    if event.winner is None:
        return say("initiative: {dice}; the dice are rolled again", dice=told)
    return say("initiative: {dice}; {side} have it", dice=told, side=SIDES_TOLD[event.winner])


@line(e.InitiativeGiven)
def _given(event: e.InitiativeGiven, position: Position) -> Message:
    side = SIDES_TOLD[event.side]
    if event.rule:
        return say("{side} have the initiative without a die [rule {rule}]", side=side,
                   rule=event.rule)  # fmt: skip
    return say("{side} have the initiative without a die", side=side)


@line(e.Activated)
def _activated(event: e.Activated, position: Position) -> Message:
    board = position.board
    what = (
        formation_called(position, event.formation)
        if event.formation in board.formations
        else called(position, event.formation)
    )
    return say("{side} activate {what}", side=SIDES_TOLD[event.side], what=what)


@line(e.SideFinished)
def _finished(event: e.SideFinished, position: Position) -> Message:
    return say("{side} are finished for today", side=SIDES_TOLD[event.side])


# ------------------------------------------------------------------- movement


@line(e.UnitsMoved)
def _moved(event: e.UnitsMoved, position: Position) -> Message:
    units = named(position, event.units)
    *way, last = event.path
    start, end = place(position, event.start), place(position, last)
    spent = {**event.cost, **{
        tag: costs[face] for tag, costs in event.cost_as.items()
        if (face := position.face(tag)) in costs
    }}  # fmt: skip
    if not spent:
        return together(
            "units", "{units} moves from {start} through {way} to {place}",
            "{units} move from {start} through {way} to {place}", units=units, start=start,
            place=end, way=tuple(place(position, hex) for hex in way),
        ) if way else together(
            "units", "{units} moves from {start} to {place}",
            "{units} move from {start} to {place}", units=units, start=start, place=end,
        )  # fmt: skip
    cost = points_told(max(spent.values()))
    if not way:
        return together(
            "units", "{units} moves from {start} to {place}, at a cost of {cost}",
            "{units} move from {start} to {place}, at a cost of {cost}", units=units, cost=cost,
            start=start, place=end,
        )  # fmt: skip
    return together(
        "units", "{units} moves from {start} through {way} to {place}, at a cost of {cost}",
        "{units} move from {start} through {way} to {place}, at a cost of {cost}",
        units=units, cost=cost, start=start, place=end,
        way=tuple(place(position, hex) for hex in way),
    )  # fmt: skip


@line(e.UnitsArrived)
def _arrived(event: e.UnitsArrived, position: Position) -> Message:
    return together("units", "{units} arrives in {place}", "{units} arrive in {place}",
                    units=named(position, event.units),
                    place=place(position, event.hex))  # fmt: skip


@line(e.ControlTaken)
def _taken(event: e.ControlTaken, position: Position) -> Message:
    return together("places", "{side} take {places}", "{side} take {places}",
                    side=SIDES_TOLD[event.side], places=(place(position, event.hex),))  # fmt: skip


@line(e.UnitsDisplaced)
def _displaced(event: e.UnitsDisplaced, position: Position) -> Message:
    return together("units", "{units} goes aside to {place}", "{units} go aside to {place}",
                    units=named(position, event.units),
                    place=place(position, event.path[-1]))  # fmt: skip


# ------------------------------------------------------------------- installations


@line(e.RoadChanged)
def _road(event: e.RoadChanged, position: Position) -> Message:
    hex = place(position, event.hex)
    if event.state == DESTROYED:
        return say("the road in {hex} is destroyed", hex=hex)
    if event.state == DAMAGED:
        return say("the road in {hex} is damaged", hex=hex)
    return say("the road in {hex} is repaired", hex=hex)


@line(e.RailChanged)
def _rail(event: e.RailChanged, position: Position) -> Message:
    hex = place(position, event.hex)
    if event.state == DESTROYED:
        return say("the railway in {hex} is destroyed", hex=hex)
    if event.state == DAMAGED:
        return say("the railway in {hex} is damaged", hex=hex)
    return say("the railway in {hex} is repaired", hex=hex)


@line(e.BridgeChanged)
def _bridge(event: e.BridgeChanged, position: Position) -> Message:
    bridge = say(position.ground.bridges[event.bridge].name)
    if event.die and event.rule == "J.3":
        if event.state == DESTROYED:
            return say("the charges at {bridge}: die {die}, it is destroyed [rule J.3]",
                       bridge=bridge, die=event.die)  # fmt: skip
        return say("the charges at {bridge}: die {die}, it is damaged [rule J.3]",
                   bridge=bridge, die=event.die)  # fmt: skip
    if event.die:
        return say("engineers at {bridge}: die {die}, it is destroyed", bridge=bridge,
                   die=event.die)  # fmt: skip
    if event.state == DESTROYED:
        return say("{bridge} is destroyed", bridge=bridge)
    if event.state == DAMAGED:
        return say("{bridge} is damaged", bridge=bridge)
    return say("{bridge} is repaired", bridge=bridge)


@line(e.BridgeHeld)
def _held(event: e.BridgeHeld, position: Position) -> Message:
    bridge = say(position.ground.bridges[event.bridge].name)
    if event.rule == "J.3":
        return say("the charges at {bridge}: die {die}, nothing happens [rule J.3]",
                   bridge=bridge, die=event.die)  # fmt: skip
    return say("engineers at {bridge}: die {die}, it stands", bridge=bridge, die=event.die)


@line(e.WorkBegun)
def _work(event: e.WorkBegun, position: Position) -> Message:
    return say("{unit} begins to repair {what}", unit=_one(position, event.unit),
               what=works_called(position, event.task.at))  # fmt: skip


@line(e.RiverHelped)
def _river_helped(event: e.RiverHelped, position: Position) -> Message:
    return say("{unit} helps across the river at {hex}", unit=_one(position, event.unit),
               hex=place(position, event.task.at))  # fmt: skip


@line(e.WorkEnded)
def _work_ended(event: e.WorkEnded, position: Position) -> Message:
    return say("{unit} ends its work", unit=_one(position, event.unit))


@line(e.PontoonLaid)
def _pontoon(event: e.PontoonLaid, position: Position) -> Message:
    one, other = event.side.split("-")
    return say("{unit} lays a bridge between {one} and {other}",
               unit=_one(position, event.unit), one=place(position, one),
               other=place(position, other))  # fmt: skip


@line(e.WorksBuilt)
def _built(event: e.WorksBuilt, position: Position) -> Message:
    return together("places", "{works} is built in {places}", "{works} is built in {places}",
                    works=WORKS[event.kind], places=(place(position, event.hex),))  # fmt: skip


# ------------------------------------------------------------------- fire


@line(e.Bombarded)
def _bombarded(event: e.Bombarded, position: Position) -> Message:
    told = _fire(event, position)
    return say("{told}, no effect", told=told) if event.result in ("0", "none") else told


def _fire(event: e.Bombarded, position: Position) -> Message:
    by: list[Thing | Said] = [*named(position, event.guns)]
    by += [flying(position, unit) for unit in event.air]
    parts: dict[str, Any] = {
        "units": tuple(by), "hex": place(position, event.hex), "factor": event.factor,
        "column": event.column, "die": event.die,
    }  # fmt: skip
    if event.is_counter:
        return together(
            "units", "{units} answers the guns in {hex}: factor {factor}, column {column}, die "
            "{die}",
            "{units} answer the guns in {hex}: factor {factor}, column {column}, die {die}",
            **parts,
        )  # fmt: skip
    match event.at:
        case "road":
            return together(
                "units",
                "{units} bombards the road in {hex}: factor {factor}, column {column}, die {die}",
                "{units} bombard the road in {hex}: factor {factor}, column {column}, die {die}",
                **parts,
            )
        case "rail":
            return together(
                "units",
                "{units} bombards the railway in {hex}: factor {factor}, column {column}, die "
                "{die}",
                "{units} bombard the railway in {hex}: factor {factor}, column {column}, die {die}",
                **parts,
            )
        case "bridge":
            return together(
                "units",
                "{units} bombards a bridge at {hex}: factor {factor}, column {column}, die {die}",
                "{units} bombard a bridge at {hex}: factor {factor}, column {column}, die {die}",
                **parts,
            )
    return together(
        "units", "{units} bombards {hex}: factor {factor}, column {column}, die {die}",
        "{units} bombard {hex}: factor {factor}, column {column}, die {die}", **parts,
    )  # fmt: skip


@line(e.GroundScouted)
def _ground_scouted(event: e.GroundScouted, position: Position) -> Message:
    unit, hex = _one(position, event.unit), place(position, event.hex)
    if event.level == "none":
        return say("{unit} looks into {hex}: die {die}, it finds nothing out", unit=unit,
                   hex=hex, die=event.die)  # fmt: skip
    return say("{unit} looks into {hex}: die {die}, it learns of {level}", unit=unit, hex=hex,
               die=event.die, level=SEEN[event.level])  # fmt: skip


# ------------------------------------------------------------------- combat


@line(e.AttackStopped)
def _stopped(event: e.AttackStopped, position: Position) -> Message:
    return say("the attack on {hex} comes to nothing: nobody can cross any more",
               hex=place(position, event.hex))  # fmt: skip


@line(e.LeftBehind)
def _left_behind(event: e.LeftBehind, position: Position) -> Message:
    return say("left behind: {units}; what is left of the bridge does not bear them [rule J.3]",
               units=named(position, event.units))  # fmt: skip


@line(e.CombatBegan)
def _began(event: e.CombatBegan, position: Position) -> Message:
    combat = event.combat
    return say_many(
        "number",
        "{units} attacks {hex} ({type})" if not combat.is_reaction
        else "{units} attacks those who looked for it in {hex} ({type})",
        "{units} attack {hex} ({type})" if not combat.is_reaction
        else "{units} attack those who looked for them in {hex} ({type})",
        number=len(combat.attackers), units=named(position, combat.attackers),
        hex=place(position, combat.hex), type=_type(combat),
    )  # fmt: skip


def _type(combat: Combat) -> Said:
    told = say(TYPES[combat.type])
    return say("{type}, a surprise by rule J.2", type=told) if combat.is_surprise else told


@line(e.SupportAllowed)
def _allowed(event: e.SupportAllowed, position: Position) -> Message:
    if event.is_allowed:
        return say("the defender is supported: die {die}, effectiveness {effectiveness}",
                   die=event.die, effectiveness=event.effectiveness)  # fmt: skip
    return say("the defender is not supported: die {die}, effectiveness {effectiveness}",
               die=event.die, effectiveness=event.effectiveness)  # fmt: skip


@line(e.CombatRolled)
def _rolled(event: e.CombatRolled, position: Position) -> Message:
    ledger = (("effectiveness", event.effectiveness), *event.modifiers)
    die = die_told(event.die, ledger, event.die + total(ledger), CAUSES.__getitem__)
    parts: dict[str, Any] = {
        "attack": event.attack, "defence": event.defence, "odds": event.odds,
        "column": event.column, "first": event.effectiveness_die, "die": die,
        "result": event.result,
    }  # fmt: skip
    if event.shifts:
        return say(
            "{attack} to {defence} is {odds}, {shifts} is {column}; effectiveness die {first}; "
            "{die}: {result}", shifts=told_ledger(event.shifts), **parts,
        )  # fmt: skip
    return say("{attack} to {defence} is {odds}; effectiveness die {first}; {die}: {result}",
               **{key: each for key, each in parts.items() if key != "column"})  # fmt: skip


@line(e.TroopsLost)
def _lost(event: e.TroopsLost, position: Position) -> Message:
    units = named(position, (event.unit,))
    if not position.at(event.unit):
        return together("units", "{units} is eliminated", "{units} are eliminated", units=units)
    left = position.troops(event.unit)
    return say_many("points", "{units} loses {points} troop point ({left} left)",
                    "{units} loses {points} troop points ({left} left)", units=units,
                    points=event.points, left=left)  # fmt: skip


@line(e.UnitsDestroyed)
def _destroyed(event: e.UnitsDestroyed, position: Position) -> Message:
    return together("units", "{units} is eliminated: without supply it cannot retreat",
                    "{units} are eliminated: without supply they cannot retreat",
                    units=named(position, event.units))  # fmt: skip


@line(e.MoraleChecked)
def _morale(event: e.MoraleChecked, position: Position) -> Message:
    units = named(position, (event.unit,))
    if event.unit in position.demoralised:
        return say("{units} is demoralised: die {die}, {modified} in all, and it holds up to "
                   "{limit}", units=units, die=event.die, modified=event.modified,
                   limit=event.limit)  # fmt: skip
    return say("{units} holds: die {die}, {modified} in all, up to {limit}", units=units,
               die=event.die, modified=event.modified, limit=event.limit)  # fmt: skip


@line(e.Disorganised)
def _disorganised(event: e.Disorganised, position: Position) -> Message:
    return together("units", "{units} is disorganised", "{units} are disorganised",
                    units=named(position, event.units))  # fmt: skip


@line(e.UnitsRetreated)
def _retreated(event: e.UnitsRetreated, position: Position) -> Message:
    units, where = named(position, event.units), place(position, event.path[-1])
    if event.before:
        return together("units", "{units} withdraws to {place} before the combat",
                        "{units} withdraw to {place} before the combat", units=units,
                        place=where)  # fmt: skip
    return together("units", "{units} retreats to {place}", "{units} retreat to {place}",
                    units=units, place=where)  # fmt: skip


@line(e.UnitsAdvanced)
def _advanced(event: e.UnitsAdvanced, position: Position) -> Message:
    return together("units", "{units} advances into {place}", "{units} advance into {place}",
                    units=named(position, event.units),
                    place=place(position, event.path[-1]))  # fmt: skip


@line(e.Consolidated)
def _consolidated(event: e.Consolidated, position: Position) -> Message:
    return say_many(
        "points", "{giver} gives its {points} troop point to {receiver}",
        "{giver} gives its {points} troop points to {receiver}",
        giver=named(position, (event.giver,)), points=event.points,
        receiver=named(position, (event.receiver,)),
    )  # fmt: skip


# ------------------------------------------------------------------- counters face down


@line(e.ForceMasked)
def _masked(event: e.ForceMasked, position: Position) -> Message:
    return say("a force marker is put on {place}", place=place(position, event.hex))


@line(e.CountersMixed)
def _mixed(event: e.CountersMixed, position: Position) -> Message:
    hexes = tuple(place(position, position.at(name)) for name in event.new_tags(position))
    return say("the {side} side turns counters face down and mixes them in {hexes}",
               side=OF_SIDES[event.side], hexes=tuple(dict.fromkeys(hexes)))  # fmt: skip


@line(e.CountersSetUp)
def _set_up(event: e.CountersSetUp, position: Position) -> Message:
    return say_many("number", "the {side} side lays out {number} counter face down",
                    "the {side} side lays out {number} counters face down",
                    side=OF_SIDES[event.side], number=len(event.may_be))  # fmt: skip


@line(e.CounterShown)
def _shown(event: e.CounterShown, position: Position) -> Message | None:
    """None for a slot that shows an older one: the next line shows the unit."""
    unit = position.down.present(event.slot)
    if is_tag(unit):
        return None
    return together("units", "{units} is seen in {place}", "{units} are seen in {place}",
                    units=named(position, (unit,)),
                    place=place(position, position.at(unit)))  # fmt: skip


@line(e.FormationSaid)
def _said(event: e.FormationSaid, position: Position) -> Message:
    return say("on top in {place} lies a counter of {formation}",
               place=place(position, position.at(event.unit)),
               formation=formation_called(position, event.formation))  # fmt: skip


@line(e.StrengthSaid)
def _strength(event: e.StrengthSaid, position: Position) -> Message:
    return say("the troop points of the units in {place} are {points} together",
               place=place(position, event.hex), points=event.points)  # fmt: skip


@line(e.CountersTold)
def _told(event: e.CountersTold, position: Position) -> Message:
    parts = {"place": place(position, event.hex), "points": event.points}
    if not event.types:
        return say_many(
            "points", "the counters face down in {place} have about {points} troop point",
            "the counters face down in {place} have about {points} troop points", **parts,
        )  # fmt: skip
    return say_many(
        "points", "the counters face down in {place} have about {points} troop point: {types}",
        "the counters face down in {place} have about {points} troop points: {types}",
        types=in_list(TYPE_WORDS[type] for type in event.types), **parts,
    )  # fmt: skip


@line(e.CountersPutBack)
def _put_back(event: e.CountersPutBack, position: Position) -> Message:
    return say_many("number", "{number} counter lies face down anew where one lay",
                    "{number} counters lie face down anew where they lay",
                    number=len(event.names))  # fmt: skip


@line(e.GameEnded)
def _ended(event: e.GameEnded, position: Position) -> Message:
    return say("the battle is over: {level}; victory points: {each}",
               each=_each_side(event.points), level=say(event.title))  # fmt: skip


NARRATION: Narration = Telling()

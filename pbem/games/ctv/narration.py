"""The narrative of Santander 1937: a message for each event, and the state of play in brief."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.board.ledger import counted, die_told, total
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
from pbem.games.ctv import events as e
from pbem.games.ctv.position import AVAILABLE, RAIN, Position
from pbem.games.ctv.rules import combat, movement, war
from pbem.games.ctv.rules.naming import MODIFIERS, called, place, title
from pbem.games.ctv.tables import AIR, NATIONALIST, REPUBLICAN, SIDES
from pbem.games.system import Narration
from pbem.messages import Message, Row, Said, Thing, indented, marked, say, say_many

Line = Callable[[Any, Position], Message | None]
SIDES_TOLD = {NATIONALIST: say("the Nationalists"), REPUBLICAN: say("the Republicans")}
OF_SIDES = {NATIONALIST: say("Nationalist"), REPUBLICAN: say("Republican")}
LEVELS = {1: say("DSG"), 2: say("DSG1"), 3: say("DSG2")}
"""The levels of disorganisation, as the markers have them."""
REDUCED, UNSUPPLIED, UNSEEN = say("reduced"), say("out of supply"), say("covered")
COVERED, ANOTHER = say("a covered counter"), say("another covered counter")
WEATHER = {"fair": say("weather: fair"), RAIN: say("weather: rain")}
CHANGES = {
    **MODIFIERS, "marker": say("marker of morale"), "troops": say("troops"),
    "rain": say("rain in the turn before"),
}  # fmt: skip
"""What changes a die, in words."""
ENDS = {
    war.WON: say("the game is over: the Nationalists have the points they need"),
    war.WON_LATE: say(
        "the game is over: the Nationalists have the points they need on the last turn"
    ),
    war.WON_BY_BRIGADES: say(
        "the game is over: with the point for destroyed brigades the "
        "Nationalists have those they need"
    ),
    war.SHORT: say("the game is over: the Nationalists lack the points they need"),
    war.SHORT_BY_THE_FACTORY: say(
        "the game is over: without the point for the demolished factory "
        "the Nationalists lack those they need"
    ),
}
SILENT: dict[type[Event[Position]], str] = {
    e.TurnBegan: "the clock tells it",
    e.SegmentBegan: "the clock tells it",
    e.ColumnsSaid: "using the columns has a line",
    e.BattleEnded: "each result of the attack has a line",
    e.ArmyLaid: "it is done before the first line",
    e.CounterNarrowed: "what was done has a line",
    e.HexInDoubt: "what comes of it has a line",
    e.ArmyLaidAnew: "putting them back has a line",
    e.SaidBeside: "it changes nothing on the map",
}
"""Events without a message, and why."""
LINES: dict[type[Event[Position]], Line] = {}
FIGHTING = (
    e.SupplyJudged, e.SupportGiven, e.AirFought, e.ShotDown, e.Bombarded, e.Disorganised,
    e.AirRolled, e.ColumnsUsedUp, e.CombatRolled, e.StepLost, e.UnitEliminated, e.StackRetreated,
    e.TrenchLost, e.MoraleRolled, e.UnitsAdvanced, e.HexTaken, e.MarkerMoved, e.ColumnLost,
    e.CounterShown, e.AdvanceCutShort,
)  # fmt: skip
"""The events that belong to a battle. BattleEnded ends it, and has no beat."""


line = lines_into(LINES)


def named(position: Position, units: Iterable[str]) -> tuple[Thing | Said, ...]:
    """Units by name and id, in their order, and behind them the covered counters that this view
    does not know.
    """
    units = [position.face(unit) or unit for unit in units]
    known = tuple(Thing(unit, title(position, unit), is_only=True)
                  for unit in position.board.in_order(units))  # fmt: skip
    number = sum(map(is_tag, units))
    covered = (COVERED, ANOTHER)[:number]
    if number > 2:
        others = say_many(
            "number", "{number} other that is covered", "{number} others that are covered",
            number=number - 1,
        )  # fmt: skip
        covered = (COVERED, others)
    return (*known, *covered)


class Telling:
    """A message for each event, and the table at a glance."""

    def narrate(
        self, event: Event[Any], position: Position, viewer: Side | None = None
    ) -> Message | None:
        tell = LINES.get(type(event))
        return tell(event, position.veiled(viewer)) if tell else None

    def passage(self, event: Event[Any], position: Position) -> Passage | None:
        if isinstance(event, e.BattleBegan):
            return Passage("begins", event.hex)
        if isinstance(event, e.ColumnArrived):
            return ARRIVES if position.turn else None
        if isinstance(event, e.BattalionFormed):
            return ARRIVES
        if isinstance(event, e.TrenchDug):
            return GROUND
        if isinstance(event, e.ColumnsSaid | e.HexInDoubt | e.CounterNarrowed):
            return LEFT_OUT
        return GOES_ON if isinstance(event, FIGHTING) else None

    def summary(self, position: Position) -> tuple[Said, ...]:
        return (
            WEATHER[position.weather],
            *_victory(position),
            say("objectives: {each}", each=Row(tuple(_objectives(position)), "; ")),
            say("Republican brigades destroyed: {number}, and {most} give a point",
                number=position.brigades_lost, most=position.board.charts["victory"]["brigades"]),
            say("marker of morale: {number} of {most}", number=position.marker,
                most=position.board.charts["morale"]["marker"]["most"]),
            say("supply columns on the map: {each}", each=_each_side(
                {side: position.number_of_columns(side) for side in SIDES})),
            say("air units available: {each}", each=_each_side(
                {side: len(position.air(side)) for side in SIDES})),
            *_without_supply(position.veiled(None)),
        )  # fmt: skip

    def own(self, position: Position, side: Side) -> tuple[Said, ...]:
        covered, position = position.down.hidden, position.seen(side)
        rows = [
            indented(
                say(
                    "{place}: {units}",
                    place=place(position, hex),
                    units=tuple(
                        _with_state(position, unit, is_covered=unit in covered) for unit in there
                    ),
                )
            )
            for hex in position.board.hexes
            if (
                there := [
                    unit for unit in position.stacks.get(hex, ()) if position.side_of(unit) == side
                ]
            )
        ]
        return (
            *([say("your units:"), *rows] if rows else []),
            *_in_the_air(position, side),
            *_used(position, side),
        )  # fmt: skip


# ------------------------------------------------------------------- the table at a glance


def _victory(position: Position) -> Iterator[Message]:
    """How far the Nationalists are from winning; nothing once the game is over."""
    if position.result is not None:
        return
    wanted = position.board.charts["victory"]["points"]
    last = position.board.scenarios[position.scenario]["turns"]
    yield say_many(
        "wanted",
        "Nationalist victory at the end of a turn with {wanted} point ({now} now), Republican "
        "victory after turn {last} without",
        "Nationalist victory at the end of a turn with {wanted} points ({now} now), Republican "
        "victory after turn {last} without",
        wanted=wanted, now=war.victory_points(position), last=last,
    )  # fmt: skip
    if not position.factory:
        hex = position.board.charts["factory"]["hex"]
        yield say("the factory is demolished: {place} gives no point", place=place(position, hex))


def _objectives(position: Position) -> Iterator[Message]:
    for hex, points in position.board.objectives.items():
        yield say("{place} {points}, {side}", place=place(position, hex), points=points,
                  side=OF_SIDES[position.control[hex]])  # fmt: skip


def _without_supply(position: Position) -> Iterator[Message]:
    there = [unit for unit in position.unsupplied if position.at(unit)]
    if there:
        yield say("out of supply: {units}", units=named(position, there))


def _with_state(position: Position, unit: str, *, is_covered: bool) -> Thing | Said:
    """A unit with whatever its counter and its markers show, and whether nobody else sees it."""
    if is_tag(unit):
        return COVERED
    states = (*states_of(position, unit), *([UNSEEN] if is_covered else ()))
    told = say("{states}", states=Row(states)) if states else None
    return Thing(unit, title(position, unit), is_only=True, state=told)


def states_of(position: Position, unit: str) -> Iterator[Message]:
    """What a unit has suffered, in words: lost steps, disorganisation, lack of supply."""
    if position.lost.get(unit, 0):
        yield REDUCED
    level = position.levels.get(unit, 0)
    if level:
        yield LEVELS[level]
    if unit in position.unsupplied:
        yield UNSUPPLIED
    if movement.is_spent_by_moving(position, unit):
        yield say("moved, of no use in this turn")


def _in_the_air(position: Position, side: Side) -> Iterator[Message]:
    air = [unit for unit in position.board.army[side] if position.printed(unit).type == AIR]
    ready = [unit for unit in air
             if position.places[unit] == AVAILABLE and unit not in position.used]  # fmt: skip
    yield (
        say("your air units: {units}", units=named(position, ready))
        if ready
        else say("your air units: none to use now")
    )
    off = tuple(
        Thing(unit, title(position, unit), is_only=True, state=say("turn {number}", number=turn))
        for unit in air
        if (turn := position.back.get(unit))
    )
    if off:
        yield say("your air units that come back: {units}", units=off)


def _used(position: Position, side: Side) -> Iterator[Message]:
    own = [unit for unit in position.used if position.side_of(unit) == side]
    if own:
        yield say("used in this turn already: {units}", units=named(position, own))


def _each_side(figures: Mapping[Side, int]) -> Row:
    """One figure for each side."""
    return Row(tuple(say("{side} {number}", side=OF_SIDES[side], number=figures[side])
                     for side in SIDES))  # fmt: skip


# ------------------------------------------------------------------- covered counters


@line(e.CounterShown)
def _shown(event: e.CounterShown, position: Position) -> Message | None:
    """None for a counter that is shown while it is set up: the set-up has a line."""
    hex = position.at(event.card)
    if not hex:
        return None
    return together("units", "{units} is seen in {place}", "{units} are seen in {place}",
                    units=named(position, (event.card,)), place=place(position, hex))  # fmt: skip


@line(e.CountersArranged)
def _arranged(event: e.CountersArranged, position: Position) -> Message:
    return say_many("number", "{number} covered counter is laid anew where one lay",
                    "{number} covered counters are laid anew where they lay",
                    number=len(event.names))  # fmt: skip


# ------------------------------------------------------------------- set-up


@line(e.UnitsPlaced)
def _placed(event: e.UnitsPlaced, position: Position) -> Message:
    return together(
        "units",
        "{units} is set up in {place}",
        "{units} are set up in {place}",
        units=named(position, event.units),
        place=place(position, event.hex),
    )


@line(e.TrenchDug)
def _dug(event: e.TrenchDug, position: Position) -> Message:
    return together("places", "a trench is dug in {places}", "trenches are dug in {places}",
                    places=(place(position, event.hex),))  # fmt: skip


@line(e.FrontRolled)
def _front(event: e.FrontRolled, position: Position) -> Message:
    if event.is_front:
        return say("the die for division {division} is {die}: it stands in the front line",
                   division=event.division, die=event.die)  # fmt: skip
    return say("the die for division {division} is {die}: it comes later, as a reserve",
               division=event.division, die=event.die)  # fmt: skip


@line(e.ArmourRolled)
def _armour(event: e.ArmourRolled, position: Position) -> Message:
    return say("the die for Nationalist armour is {die}: they get {units}", die=event.die,
               units=named(position, event.units))  # fmt: skip


@line(e.LeftOut)
def _left_out(event: e.LeftOut, position: Position) -> Message:
    return together("units", "{units} is not set up, and is out of the game",
                    "{units} are not set up, and are out of the game",
                    units=named(position, event.units))  # fmt: skip


# ------------------------------------------------------------------- time


@line(e.WeatherRolled)
def _weather(event: e.WeatherRolled, position: Position) -> Message:
    if not event.die:
        return WEATHER[event.weather]
    chart = position.board.charts["weather"]
    # Only rain in the turn before makes rain of a lower die.
    added = chart["after_rain"] if event.weather == RAIN and event.die < chart["rain"] else 0
    die = die_told(event.die, counted([("rain", added)]), event.die + added, CHANGES.__getitem__)
    if event.weather == RAIN:
        return say("the weather is rolled for: {die}, and it rains: no air unit can be used",
                   die=die)  # fmt: skip
    return say("the weather is rolled for: {die}, and it is fair", die=die)


@line(e.SupplyJudged)
def _supply(event: e.SupplyJudged, position: Position) -> Message:
    if not event.unsupplied:
        return say("everybody who was out of supply is supplied again")
    return together("units", "{units} is out of supply", "{units} are out of supply",
                    units=named(position, event.unsupplied))  # fmt: skip


@line(e.TurnEnded)
def _turn_ended(event: e.TurnEnded, position: Position) -> Message:
    points = say("the Nationalists have {points} of {wanted} points at the end of turn {turn}",
                 points=war.victory_points(position), turn=position.turn,
                 wanted=position.board.charts["victory"]["points"])  # fmt: skip
    told = [points]
    if event.recovered:
        told.append(together("units", "{units} is no longer disorganised",
                             "{units} are no longer disorganised",
                             units=named(position, event.recovered)))  # fmt: skip
    if event.levels:
        told.append(together("units", "{units} recovers by a level", "{units} recover by a level",
                             units=named(position, event.levels)))  # fmt: skip
    return say("{told}", told=Row(tuple(told), "; "))


@line(e.GameEnded)
def _ended(event: e.GameEnded, position: Position) -> Message:
    return ENDS[event.reason]


# ------------------------------------------------------------------- movement


@line(e.ColumnArrived)
def _column(event: e.ColumnArrived, position: Position) -> Message:
    units, where = named(position, (event.column,)), place(position, event.hex)
    if not position.turn:
        return together("units", "{units} is set up in {place}", "{units} are set up in {place}",
                        units=units, place=where)  # fmt: skip
    return together("units", "{units} arrives in {place}", "{units} arrive in {place}",
                    units=units, place=where)  # fmt: skip


@line(e.UnitsMoved)
def _moved(event: e.UnitsMoved, position: Position) -> Message:
    units, cost = named(position, event.units), movement.points_told(event.cost)
    *way, last = event.path
    if not way:
        return together(
            "units", "{units} moves from {start} to {place}, at a cost of {cost}",
            "{units} move from {start} to {place}, at a cost of {cost}", units=units, cost=cost,
            start=place(position, event.start), place=place(position, last),
        )  # fmt: skip
    return together(
        "units", "{units} moves from {start} through {way} to {place}, at a cost of {cost}",
        "{units} move from {start} through {way} to {place}, at a cost of {cost}",
        units=units, cost=cost, start=place(position, event.start), place=place(position, last),
        way=tuple(place(position, hex) for hex in way),
    )  # fmt: skip


@line(e.HexTaken)
def _taken(event: e.HexTaken, position: Position) -> Message:
    return together("places", "{side} take {places}", "{side} take {places}",
                    side=SIDES_TOLD[event.side], places=(place(position, event.hex),))  # fmt: skip


MARKER = {
    "taken": say("the Republicans lose the objective {place}: the marker of morale is at {number}"),
    "retaken": say("the Republicans have the objective {place} again: the marker of morale is at "
                   "{number}"),
    "victory": say("the Republicans have won in {place}: the marker of morale is at {number}"),
}  # fmt: skip


@line(e.MarkerMoved)
def _marker(event: e.MarkerMoved, position: Position) -> Message:
    text = MARKER[event.why].text
    return say(text, place=place(position, event.hex), number=position.marker)


@line(e.ColumnLost)
def _column_lost(event: e.ColumnLost, position: Position) -> Message:
    return together(
        "units",
        "{units} falls to the enemy in {place}",
        "{units} fall to the enemy in {place}",
        units=named(position, (event.column,)),
        place=place(position, event.hex),
    )


# ------------------------------------------------------------------- combat


@line(e.BattleBegan)
def _attacked(event: e.BattleBegan, position: Position) -> Message:
    forces: dict[str, list[str]] = {}
    for unit in event.attackers:
        forces.setdefault(position.at(unit), []).append(unit)
    return say(
        "{side} attack {place}, held by {defenders}: {forces}", side=SIDES_TOLD[event.side],
        place=place(position, event.hex),
        defenders=named(position, position.units_at(event.hex)),
        forces=Row(tuple(say("{units} from {place}", units=named(position, units),
                             place=place(position, hex)) for hex, units in forces.items()), "; "),
    )  # fmt: skip


@line(e.SupportGiven)
def _supported(event: e.SupportGiven, position: Position) -> Message:
    """Columns are committed after the headquarters, and told in the same sentence."""
    units, side = named(position, event.units), SIDES_TOLD[event.side]
    if position.side_of(position.combat.attackers[0]) == event.side:
        return together(
            "units",
            "{side} support the attack with {units}",
            "{side} support the attack with {units}",
            side=side,
            units=units,
        )
    return together(
        "units",
        "{side} support the defence with {units}",
        "{side} support the defence with {units}",
        side=side,
        units=units,
    )


@line(e.AirFought)
def _air_fought(event: e.AirFought, position: Position) -> Message:
    return say("in the air the dice are {dice}", dice=tuple(
        say("{die} for {unit}", die=die, unit=named(position, (unit,))) for unit, die in event.dice
    ))  # fmt: skip


@line(e.ShotDown)
def _shot_down(event: e.ShotDown, position: Position) -> Message:
    return together("units", "{units} is shot down", "{units} are shot down",
                    units=named(position, (event.unit,)))  # fmt: skip


@line(e.Bombarded)
def _bombarded(event: e.Bombarded, position: Position) -> Message:
    hex, added = position.combat.hex, 0
    if position.side_of(position.combat.attackers[0]) == event.side:
        added = combat.trench_modifier(position, hex, position.board.charts["bombardment"])
    die = die_told(event.die, counted([("trench", added)]), event.die + added,
                   CHANGES.__getitem__)  # fmt: skip
    facts = {"side": SIDES_TOLD[event.side], "points": event.points, "against": event.against}
    if not event.levels:
        return say("{side} bombard, {points} to {against}: {die}, and nothing comes of it",
                   die=die, **facts)  # fmt: skip
    return say_many(
        "levels",
        "{side} bombard, {points} to {against}: {die}, and the enemy is disorganised by {levels} "
        "level",
        "{side} bombard, {points} to {against}: {die}, and the enemy is disorganised by {levels} "
        "levels",
        die=die, levels=event.levels, **facts,
    )  # fmt: skip


@line(e.Disorganised)
def _disorganised(event: e.Disorganised, position: Position) -> Message:
    return together(
        "units",
        "{units} is disorganised and counts half ({marker}, level {level} of 3)",
        "{units} are disorganised and count half ({marker}, level {level} of 3)",
        units=named(position, (event.unit,)),
        marker=LEVELS[event.level],
        level=event.level,
    )


@line(e.AirRolled)
def _air_rolled(event: e.AirRolled, position: Position) -> Message:
    units = named(position, (event.unit,))
    if not event.until:
        return together("units", "{units} returns safely", "{units} return safely", units=units)
    return together(
        "units",
        "{units} is off until turn {turn}",
        "{units} are off until turn {turn}",
        units=units,
        turn=event.until,
    )


@line(e.ColumnsUsedUp)
def _used_up(event: e.ColumnsUsedUp, position: Position) -> Message:
    return together("units", "{units} is used up", "{units} are used up",
                    units=named(position, event.columns))  # fmt: skip


@line(e.CombatRolled)
def _combat(event: e.CombatRolled, position: Position) -> Message:
    ledger = counted(event.modifiers.items())
    die = die_told(event.die, ledger, event.die + total(ledger), CHANGES.__getitem__)
    column: Said = event.column
    if event.shift:
        column = say("{column}, moved to the right in the first turn", column=event.column)
    facts = {"attack": event.attack, "defence": event.defence, "column": column, "die": die}
    if event.result == "B":
        return say("{attack} against {defence}, column {column}; {die}: the attackers break "
                   "through", **facts)  # fmt: skip
    mine, theirs = map(int, event.result.split("/"))
    return say("{attack} against {defence}, column {column}; {die}: the attackers lose {mine}, the "
               "defenders {theirs}", mine=mine, theirs=theirs, **facts)  # fmt: skip


@line(e.StepLost)
def _step(event: e.StepLost, position: Position) -> Message:
    return together("units", "{units} loses a step", "{units} lose a step each",
                    units=named(position, (event.unit,)))  # fmt: skip


@line(e.UnitEliminated)
def _eliminated(event: e.UnitEliminated, position: Position) -> Message:
    units = named(position, (event.unit,))
    match event.why:
        case "disorganised":
            return together("units", "{units} is scattered, and is eliminated",
                            "{units} are scattered, and are eliminated", units=units)  # fmt: skip
        case "unsupplied":
            return together("units", "{units} is disorganised without supply, and is eliminated",
                            "{units} are disorganised without supply, and are eliminated",
                            units=units)  # fmt: skip
        case "breakthrough":
            return together("units", "{units} is overrun", "{units} are overrun", units=units)
        case "overstacked":
            return together("units", "{units} is crowded to twice the limit, and is eliminated",
                            "{units} are crowded to twice the limit, and are eliminated",
                            units=units)  # fmt: skip
        case "headquarters":
            return together("units", "{units} is left alone, and is destroyed",
                            "{units} are left alone, and are destroyed", units=units)  # fmt: skip
        case "morale":
            return together("units", "{units} surrenders", "{units} surrender", units=units)
        case "no retreat":
            return together("units", "{units} has no way out and is eliminated",
                            "{units} have no way out and are eliminated", units=units)  # fmt: skip
        case "surrender":
            return together("units", "{units} has no troops left, and is dissolved",
                            "{units} have no troops left, and are dissolved",
                            units=units)  # fmt: skip
    return together("units", "{units} is eliminated", "{units} are eliminated", units=units)


@line(e.StackRetreated)
def _retreated(event: e.StackRetreated, position: Position) -> Message:
    units, start = named(position, event.units), place(position, event.start)
    if event.is_forced:
        return together("units", "{units} is driven back from {start} to {place}",
                        "{units} are driven back from {start} to {place}", units=units,
                        start=start, place=place(position, event.hex))  # fmt: skip
    return together("units", "{units} retreats from {start} to {place} for one step less",
                    "{units} retreat from {start} to {place} for one step less", units=units,
                    start=start, place=place(position, event.hex))  # fmt: skip


@line(e.TrenchLost)
def _trench_lost(event: e.TrenchLost, position: Position) -> Message:
    return together("places", "the trench in {places} is lost", "the trenches in {places} are lost",
                    places=(place(position, event.hex),))  # fmt: skip


MORALE = {
    "none": say("morale in {place}: {die}, and the units hold"),
    "disorganised": say("morale in {place}: {die}, and the units are disorganised"),
    "retreat": say("morale in {place}: {die}, and the units give way"),
    "loss_and_retreat": say("morale in {place}: {die}, and the units lose a step and give way"),
    "surrender": say("morale in {place}: {die}, and the units surrender"),
}


@line(e.MoraleRolled)
def _morale(event: e.MoraleRolled, position: Position) -> Message:
    ledger = counted([("marker", event.marker), ("troops", event.modifier)])
    die = die_told(event.die, ledger, event.die + total(ledger), CHANGES.__getitem__)
    text = MORALE[event.result].text
    return say(text, place=place(position, event.hex), die=die)


@line(e.UnitsAdvanced)
def _advanced(event: e.UnitsAdvanced, position: Position) -> Message:
    units, (*way, last) = named(position, event.units), event.path
    if not way:
        return together("units", "{units} advances into {place}", "{units} advance into {place}",
                        units=units, place=place(position, last))  # fmt: skip
    return together(
        "units", "{units} advances through {way} into {place}",
        "{units} advance through {way} into {place}", units=units, place=place(position, last),
        way=tuple(place(position, hex) for hex in way),
    )  # fmt: skip


CUT_SHORT = {
    combat.ENEMIES: marked(
        "{unit} goes no farther than {place}: enemy units are in {hex} (10.4.1)"
    ),
    combat.SUPPLY: marked(
        "{unit} goes no farther than {place}: no line of supply would lead to {hex} (8.1.1)"
    ),
    combat.STACKING: marked(
        "{unit} goes no farther than {place}: too many units would be in {hex} (5)"
    ),
}


def cut_told(event: e.AdvanceCutShort, position: Position) -> Message:
    """How far an attacker goes, and what bars the rest of its way."""
    return say(
        CUT_SHORT[event.why], unit=called(position, event.unit),
        place=place(position, position.at(event.unit)), hex=place(position, event.hex),
    )  # fmt: skip


line(e.AdvanceCutShort)(cut_told)


def cuts_told(
    position: Position, cuts: Iterable[tuple[str, str, str]], gone: Mapping[str, Sequence[str]]
) -> Iterator[Message]:
    """The same of ways that units have `gone` so far, as `combat.cut_short` finds them, by the
    position before.
    """
    for cut in cuts:
        way = gone.get(cut[0], ())
        there = position.with_units(cut[:1], way[-1]) if way else position
        yield cut_told(e.AdvanceCutShort(*cut), there)


# ------------------------------------------------------------------- the war elsewhere


@line(e.OffensiveRolled)
def _offensive(event: e.OffensiveRolled, position: Position) -> Message:
    if not event.die:
        return say("the Republicans attack elsewhere: units leave in the next turn")
    if event.begins:
        return say("the die for an offensive elsewhere is {die}: the Republicans attack there, and "
                   "units leave in the next turn", die=event.die)  # fmt: skip
    return say("the die for an offensive elsewhere is {die}: not yet", die=event.die)


@line(e.OffensiveTook)
def _took(event: e.OffensiveTook, position: Position) -> Message:
    return say("the die for what leaves is {die}: infantry {infantry}, air {air}", die=event.die,
               infantry=event.infantry, air=event.air)  # fmt: skip


@line(e.UnitWithdrawn)
def _withdrawn(event: e.UnitWithdrawn, position: Position) -> Message:
    return together("units", "{units} leaves for the fighting elsewhere",
                    "{units} leave for the fighting elsewhere",
                    units=named(position, (event.unit,)))  # fmt: skip


@line(e.SurrenderRolled)
def _surrender(event: e.SurrenderRolled, position: Position) -> Message:
    if event.surrenders:
        return say("the die for the Basques is {die}: they surrender", die=event.die)
    return say("the die for the Basques is {die}: they fight on", die=event.die)


@line(e.BrigadeSurrendered)
def _surrendered(event: e.BrigadeSurrendered, position: Position) -> Message:
    return together("units", "{units} lays down its arms", "{units} lay down their arms",
                    units=named(position, (event.unit,)))  # fmt: skip


@line(e.BattalionFormed)
def _formed(event: e.BattalionFormed, position: Position) -> Message:
    return together(
        "units",
        "{units} fights on in {place}",
        "{units} fight on in {place}",
        units=named(position, (event.unit,)),
        place=place(position, event.hex),
    )


@line(e.FactoryRolled)
def _factory(event: e.FactoryRolled, position: Position) -> Message:
    if event.demolished:
        return say("the die for the factory of Reinosa is {die}: it is demolished", die=event.die)
    return say("the die for the factory of Reinosa is {die}: it stands", die=event.die)


NARRATION: Narration = Telling()

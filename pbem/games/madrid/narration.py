"""How Storm over Madrid is reported: a message for each event, and the table at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.board.ledger import die_told
from pbem.engine.model import Event, Side
from pbem.engine.narration import ARRIVES, GOES_ON, LEFT_OUT, Passage, lines_into, together
from pbem.games.madrid import events as e
from pbem.games.madrid.position import (
    BAD_WEATHER,
    BOMBARDED,
    ELIMINATED,
    ENTERED,
    JUNTA,
    PAUSED,
    RADA,
    RIVERS_OPEN,
    STRIFE,
    TRACK,
    Position,
)
from pbem.games.madrid.rules import victory
from pbem.games.madrid.rules.supply import cut_roads
from pbem.games.madrid.rules.turn import PAUSE_JUST_OVER
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN, SIDES
from pbem.games.system import Narration
from pbem.messages import Message, Row, Thing, indented, marked, say, say_many

Line = Callable[[Any, Position], Message | None]
SIDES_TOLD = {NATIONALIST: say("the Nationalists"), REPUBLICAN: say("the Republicans")}
OF_SIDES = {NATIONALIST: say("Nationalist"), REPUBLICAN: say("Republican")}
BESIDE = {TRACK: say("on the track"), ELIMINATED: say("eliminated")}
FACTS = {
    RIVERS_OPEN: say("Manzanares and Jarama may be crossed from now on"),
    BOMBARDED: say("Madrid is under fire"),
    ENTERED: say("Nationalists stand in Madrid"),
    JUNTA: say("the Junta de Defensa takes over in Madrid"),
    BAD_WEATHER: say("the weather turns bad"),
    RADA: say("the Rada column is on its way"),
    STRIFE: say("the Republicans quarrel until the end of the turn"),
    PAUSED: say("the Nationalists declare a pause in fighting"),
    PAUSE_JUST_OVER: say("the pause in fighting is over"),
}
CLEARED = {BAD_WEATHER: say("the weather clears up")}
ENDS = {
    victory.MADRID_FALLS: say("the game is over: Madrid has fallen"),
    victory.ROADS_ARE_CUT: say("the game is over: all roads to Madrid are cut"),
    victory.POINTS_WON: say("the game is over: the Nationalists have the points they need"),
    victory.POINTS_LOST: say("the game is over: the Nationalists lack the points they need"),
    victory.MADRID_HOLDS: say("the game is over: Madrid holds out"),
}
RESULTS = {
    "stands": say("{unit} tests its morale: {die}, and it holds"),
    "retreats": say("{unit} tests its morale: {die}, and it retreats"),
    "eliminated": say("{unit} tests its morale: {die}, and it breaks"),
}
MODIFIERS = {
    "morale": say("morale of the Republic"),
    "air": say("air attack"),
    "outnumbering": say("more Republicans than Nationalists"),
    "urban": say("urban area"),
    "junta": say("Junta"),
    "road": say("roads cut"),
    "normal_area": say("Nationalists next to an urban area"),
    "urban_area": say("urban areas entered"),
    "pause": say("pause in fighting"),
}
"""The names of the modifiers of morale tests and of the Junta's die."""
SILENT: dict[type[Event[Position]], str] = {
    e.Acted: "the order is told already",
    e.TrackCleared: "the track begins anew with each turn",
    e.ImpulseCounted: "the table tells how many impulses are left",
    e.PlayedForgotten: "the chits that go back are told",
    e.CupLaid: "the draw is narrated",
    e.ChitSought: "the chit is narrated when it is shown",
    e.ChitsLaidAnew: "the new secrets are told",
    e.ImpulseBegan: "the clock tells it",
    e.TurnBegan: "the clock tells it",
}
"""Events without a message, and why."""
LINES: dict[type[Event[Position]], Line] = {}


line = lines_into(LINES)


def named(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """The names of units."""
    return tuple(position.unit(unit).name for unit in units)


def name(position: Position, unit: str) -> str:
    """A unit as the log calls it."""
    return position.unit(unit).name


def place_name(position: Position, place: str) -> Message:
    """An area with its letters, a box with its number, or the name of another place."""
    if place in position.board.areas:
        return say("{name} ({id})", name=position.board.areas[place].name, id=place)
    return BESIDE.get(place) or say("box {number}", number=place)


def title(position: Position, chit: str) -> Message:
    """A chit as the log calls it, by its kind."""
    return say(position.board.kinds[position.kind_of(chit)].title)


POINTS = {
    "urban areas": say("urban areas"),
    "roads cut": say("roads cut"),
    "units in Madrid": say("units in Madrid"),
    "Republican morale": say("Republican morale"),
    "eliminated units": say("eliminated units"),
}
FIGHTING = (
    e.MoraleTested, e.Defended, e.CombatRolled, e.FireReturned, e.FireHeld, e.UnitsMoved,
    e.UnitRetreated, e.UnitsSpent, e.UnitEliminated, e.ControlChanged, e.ChitPlayed,
)  # fmt: skip
"""What is told of a battle."""
ENDING = (e.TurnBegan, e.ImpulseBegan, e.Passed, e.InitiativeTaken, e.GameEnded)
"""What comes when a battle is over."""


class Telling:
    """A message for each event, and the table at a glance."""

    def narrate(
        self, event: Event[Any], position: Position, viewer: Side | None = None
    ) -> Message | None:
        tell = LINES.get(type(event))
        return tell(event, position) if tell else None

    def passage(self, event: Event[Any], position: Position) -> Passage | None:
        if isinstance(event, e.Attacked):
            return Passage("begins", event.area)
        if isinstance(event, e.Bombarded):
            return Passage("begins", event.area, marked("Bombardment of {space}"))
        if isinstance(event, (e.UnitPlaced, e.UnitRebuilt)):
            return ARRIVES
        if isinstance(event, ENDING):
            return None
        return GOES_ON if isinstance(event, FIGHTING) else LEFT_OUT

    def summary(self, position: Position) -> tuple[Message, ...]:
        roads = tuple(say(position.board.road_names[road]) for road in cut_roads(position))
        lines: tuple[Message, ...] = (
            say("support points: {each}", each=_each_side(position.support)),
            say("Republican morale: {level}", level=say(position.morale_name)),
            say("areas won in this turn: {each}", each=_each_side(position.gains)),
            say("chits in hand: {each}",
                each=_each_side({side: len(position.hands[side]) for side in SIDES})),
            say("roads cut: {roads}", roads=roads) if roads else say("roads cut: none"),
        )  # fmt: skip
        lines = (*lines, *_victory(position))
        if not position.is_paused:
            return lines
        return (*lines, say_many("number", "pause in fighting: {number} turn, including this one",
                                 "pause in fighting: {number} turns, including this one",
                                 number=position.pause))  # fmt: skip

    def own(self, position: Position, side: Side) -> tuple[Message, ...]:
        rows = [
            indented(
                say(
                    "{place}: {units}",
                    place=place_name(position, place),
                    units=tuple(
                        Thing(
                            name(position, unit), state=None if position.is_fresh(unit) else SPENT
                        )
                        for unit in units
                    ),
                )
            )
            for place in (*position.board.boxes, *position.board.areas, TRACK, ELIMINATED)
            if (units := position.units_at(place, side))
        ]
        return (
            *([say("your units:"), *rows] if rows else []),
            say("your chits: {chits}",
                chits=tuple(_chit(position, chit) for chit in position.held(side)))
            if position.held(side) else say("your chits: none"),
            *_unseen(position, side),
        )  # fmt: skip


def _victory(position: Position) -> Iterator[Message]:
    """What would end the battle, and who would win in the end; nothing once it is over."""
    if position.result is not None:
        return
    card, cut, roads = position.card, len(cut_roads(position)), len(position.board.roads)
    yield say("Nationalist victory at the end of a turn: Madrid in supply, or all {all} roads "
              "to it cut ({number} now)", all=roads, number=cut)  # fmt: skip
    if not card.points:
        yield say("Republican victory after turn {turn}, if Madrid holds out", turn=card.last_turn)
        return
    found = victory.points(position)
    told = tuple(say("{what} {number}", what=POINTS[what], number=number)
                 for what, number in found.items() if number)  # fmt: skip
    now = say("{number} now", number=sum(found.values()))
    yield say_many(
        "wins",
        "Nationalist victory after turn {turn} with {wins} point or more ({now}), else Republican",
        "Nationalist victory after turn {turn} with {wins} points or more ({now}), else Republican",
        turn=card.last_turn, wins=card.points["wins"],
        now=say("{now}: {points}", now=now, points=Row(told)) if told else now,
    )  # fmt: skip


def _unseen(position: Position, side: Side) -> Iterator[Message]:
    """The number of chits of a hand that this view does not know."""
    unseen = len(position.hands[side]) - len(position.held(side))
    if unseen:
        yield say_many("number", "and {number} chit face down", "and {number} chits face down",
                       number=unseen)  # fmt: skip


def _chit(position: Position, chit: str) -> Message:
    return say("{title} ({id})", title=title(position, chit), id=chit)


SPENT = say("spent")


def _each_side(figures: Mapping[Side, int]) -> Row:
    """One figure for each side."""
    return Row(tuple(
        say("{side} {number}", side=OF_SIDES[side], number=figures.get(side, 0)) for side in SIDES
    ))  # fmt: skip


# ------------------------------------------------------------------- units


@line(e.UnitsMoved)
def _moved(event: e.UnitsMoved, position: Position) -> Message:
    return together("units", "{units} moves from {origin} to {place}",
                    "{units} move from {origin} to {place}", units=named(position, event.units),
                    origin=place_name(position, event.origin),
                    place=place_name(position, event.to))  # fmt: skip


@line(e.UnitRetreated)
def _retreated(event: e.UnitRetreated, position: Position) -> Message:
    return together("units", "{units} retreats to {place}", "{units} retreat to {place}",
                    units=named(position, (event.unit,)),
                    place=place_name(position, event.to))  # fmt: skip


@line(e.UnitsSpent)
def _spent(event: e.UnitsSpent, position: Position) -> Message:
    return together("units", "{units} is spent", "{units} are spent",
                    units=named(position, event.units))  # fmt: skip


@line(e.UnitsFreshened)
def _freshened(event: e.UnitsFreshened, position: Position) -> Message:
    return together("units", "{units} turns fresh", "{units} turn fresh",
                    units=named(position, event.units))  # fmt: skip


@line(e.UnitEliminated)
def _eliminated(event: e.UnitEliminated, position: Position) -> Message:
    units = named(position, (event.unit,))
    if event.nowhere:
        return together("units", "{units} has no way out and is eliminated",
                        "{units} have no way out and are eliminated", units=units)  # fmt: skip
    return together("units", "{units} is eliminated", "{units} are eliminated", units=units)


@line(e.UnitPlaced)
def _placed(event: e.UnitPlaced, position: Position) -> Message:
    return together("units", "{units} comes to {place}", "{units} come to {place}",
                    units=named(position, (event.unit,)),
                    place=place_name(position, event.place))  # fmt: skip


@line(e.UnitRebuilt)
def _rebuilt(event: e.UnitRebuilt, position: Position) -> Message:
    unit, place = name(position, event.unit), place_name(position, event.place)
    if not event.lost:
        return say("{unit} is rebuilt in {place}", unit=unit, place=place)
    return say("{unit} is rebuilt in {place}, and {lost} leaves the game in exchange",
               unit=unit, place=place, lost=name(position, event.lost))  # fmt: skip


ATTACKS = {
    (False, False): say("{side} attack in {place} with {units}"),
    (False, True): say("{side} attack in {place} with {units}, well prepared"),
    (True, False): say("{side} assault {place} with {units}"),
    (True, True): say("{side} assault {place} with {units}, well prepared"),
}
"""By whether it is an assault, and whether it is well prepared."""
LED = {
    (False, False): say("{side} attack in {place} with {units}, led by {point}"),
    (False, True): say("{side} attack in {place} with {units}, led by {point}, well prepared"),
    (True, False): say("{side} assault {place} with {units}, led by {point}"),
    (True, True): say("{side} assault {place} with {units}, led by {point}, well prepared"),
}
"""The same for several units, one of which leads them."""


@line(e.Attacked)
def _attacked(event: e.Attacked, position: Position) -> Message:
    how = bool(event.path), event.is_prepared
    told = (LED if len(event.units) > 1 else ATTACKS)[how]
    parts = {"point": name(position, event.point)} if len(event.units) > 1 else {}
    return say(told.text, side=SIDES_TOLD[event.side], place=place_name(position, event.area),
               units=named(position, event.units), **parts)  # fmt: skip


@line(e.Defended)
def _defended(event: e.Defended, position: Position) -> Message:
    point = name(position, event.point)
    if not event.counterattack:
        return say("{point} leads the defence", point=point)
    if event.counterattack == (event.point,):
        return say("{point} leads the defence and counter-attacks", point=point)
    return say_many("units", "{point} leads the defence, and {units} counter-attacks",
                    "{point} leads the defence, and {units} counter-attack", point=point,
                    units=named(position, event.counterattack))  # fmt: skip


# ------------------------------------------------------------------- the table


@line(e.GameBegan)
def _began(event: e.GameBegan, position: Position) -> Message:
    return say("the battle begins on turn {turn}", turn=event.turn)


@line(e.ControlChanged)
def _control(event: e.ControlChanged, position: Position) -> Message:
    return say("{side} take {place}", side=SIDES_TOLD[event.side],
               place=place_name(position, event.area))  # fmt: skip


@line(e.MoraleChanged)
def _morale(event: e.MoraleChanged, position: Position) -> Message:
    level = say(position.morale_name)
    if not event.levels:
        return say("Republican morale stays at {level}", level=level)
    if event.levels > 0:
        return say("Republican morale rises to {level}", level=level)
    return say("Republican morale drops to {level}", level=level)


SUPPORT = {
    "income": say_many(
        "number",
        "{side} get {number} support point and now have {left}",
        "{side} get {number} support points and now have {left}",
    ),
    "junta": say_many(
        "number",
        "{side} get {number} support point of the Junta and now have {left}",
        "{side} get {number} support points of the Junta and now have {left}",
    ),
    "chits": say_many(
        "number",
        "{side} pay {number} support point for chits and have {left} left",
        "{side} pay {number} support points for chits and have {left} left",
    ),
    "activation": say_many(
        "number",
        "{side} pay {number} support point for the activation and have {left} left",
        "{side} pay {number} support points for the activation and have {left} left",
    ),
}


@line(e.SupportChanged)
def _support(event: e.SupportChanged, position: Position) -> Message:
    told = SUPPORT[event.reason]
    return say_many(told.counts, told.text, told.many, side=SIDES_TOLD[event.side],
                    number=abs(event.amount), left=position.support[event.side])  # fmt: skip


@line(e.FactSet)
def _fact(event: e.FactSet, position: Position) -> Message:
    return FACTS[event.fact]


@line(e.FactCleared)
def _cleared(event: e.FactCleared, position: Position) -> Message | None:
    return CLEARED.get(event.fact)


@line(e.PauseChanged)
def _pause(event: e.PauseChanged, position: Position) -> Message | None:
    if not event.left:
        return None
    return say_many("number", "the pause lasts at most {number} turn, including this one",
                    "the pause lasts at most {number} turns, including this one",
                    number=event.left)  # fmt: skip


@line(e.Passed)
def _passed(event: e.Passed, position: Position) -> Message:
    side = SIDES_TOLD[event.side]
    if event.has_nothing:
        return say("{side} have nothing left to play and pass", side=side)
    return say("{side} pass", side=side)


@line(e.InitiativeTaken)
def _initiative(event: e.InitiativeTaken, position: Position) -> Message:
    side = SIDES_TOLD[event.side]
    if event.run:
        return say_many("number", "{side} have the initiative, for {number} impulse",
                        "{side} have the initiative, for {number} impulses in a row",
                        side=side, number=event.run)  # fmt: skip
    if event.dice:
        ours, theirs = event.dice
        return say("{side} have the initiative: {ours} Nationalist, {theirs} Republican",
                   side=side, ours=ours, theirs=theirs)  # fmt: skip
    return say("{side} have the initiative", side=side)


@line(e.RunGoesOn)
def _run(event: e.RunGoesOn, position: Position) -> Message:
    return say_many("number", "the Nationalists go on: {number} more impulse after the next",
                    "the Nationalists go on: {number} more impulses after the next",
                    number=position.run)  # fmt: skip


@line(e.GameEnded)
def _ended(event: e.GameEnded, position: Position) -> Message:
    return ENDS[event.reason]


# ------------------------------------------------------------------- chits


@line(e.ChitsDrawn)
def _drawn(event: e.ChitsDrawn, position: Position) -> Message:
    if position.is_hidden:
        return say_many("number", "{side} draw {number} chit", "{side} draw {number} chits",
                        side=SIDES_TOLD[event.side], number=len(event.chits))  # fmt: skip
    return say("{side} draw {chits}", side=SIDES_TOLD[event.side],
               chits=tuple(title(position, chit) for chit in event.chits))  # fmt: skip


USES = {
    "fresh": say("{side} play {chit}, to turn units fresh"),
    "rebuild": say("{side} play {chit}, to rebuild units"),
    "morale": say("{side} play {chit}, to raise the morale"),
    "": say("{side} play {chit}"),
}


@line(e.ChitPlayed)
def _played(event: e.ChitPlayed, position: Position) -> Message:
    return say(USES[event.use].text, side=SIDES_TOLD[event.side],
               chit=title(position, event.chit))  # fmt: skip


@line(e.ChitsKept)
def _kept(event: e.ChitsKept, position: Position) -> Message:
    return together("chits", "{chits} stays in the {side} hand",
                    "{chits} stay in the {side} hand", side=OF_SIDES[event.side],
                    chits=_titles(position, event.chits))  # fmt: skip


@line(e.ChitsReturned)
def _returned(event: e.ChitsReturned, position: Position) -> Message:
    unseen = sum("/" in each for each in event.chits)
    if unseen == len(event.chits):
        return say_many(
            "number", "{number} chit goes back into the {side} cup, face down",
            "{number} chits go back into the {side} cup, face down",
            side=OF_SIDES[event.side], number=unseen,
        )  # fmt: skip
    if unseen:
        return say("{side} put back {chits}, and {number} more face down", number=unseen,
                   side=SIDES_TOLD[event.side], chits=_titles(position, event.chits))  # fmt: skip
    return together("chits", "{chits} goes back into the {side} cup",
                    "{chits} go back into the {side} cup", side=OF_SIDES[event.side],
                    chits=_titles(position, event.chits))  # fmt: skip


def _titles(position: Position, chits: Iterable[str]) -> tuple[Message, ...]:
    """Those of the chits that both players know, as the log calls them."""
    return tuple(title(position, chit) for chit in chits if chit in position.board.chits)


@line(e.ChitOpened)
def _opened(event: e.ChitOpened, position: Position) -> Message | None:
    if event.card not in position.board.chits:
        return None  # a step on the way to the chit, which has its own message
    return say("{side} show {chit}", side=SIDES_TOLD[event.side],
               chit=title(position, event.card))  # fmt: skip


@line(e.ChitRemoved)
def _removed(event: e.ChitRemoved, position: Position) -> Message:
    return say("{chit} leaves the game", chit=title(position, event.chit))


@line(e.DurrutiBegan)
def _durruti(event: e.DurrutiBegan, position: Position) -> Message:
    return say("anarchists are shock units in this Republican impulse and the next")


@line(e.GovernmentFled)
def _fled(event: e.GovernmentFled, position: Position) -> Message:
    return say("for {number} impulses the Republicans may neither fight nor bombard",
               number=event.impulses)  # fmt: skip


@line(e.NumberRolled)
def _number(event: e.NumberRolled, position: Position) -> Message:
    return say("the die for {chit} is {die}", chit=title(position, event.chit), die=event.die)


@line(e.Rerolled)
def _rerolled(event: e.Rerolled, position: Position) -> Message:
    return say_many("dice", "{dice} is rolled again", "{dice} are rolled again", dice=event.dice)


# ------------------------------------------------------------------- dice


@line(e.MoraleTested)
def _tested(event: e.MoraleTested, position: Position) -> Message:
    text = RESULTS[event.result].text
    return say(text, unit=name(position, event.unit), die=_die(event))


def _die(event: e.Modified) -> Message:
    return die_told(event.die, event.modifiers, event.total, MODIFIERS.__getitem__)


def _dice(dice: tuple[int, ...], kept: tuple[int, ...]) -> Message:
    """The dice, and which of three count."""
    if len(dice) == len(kept):
        return say("the dice are {dice}", dice=dice)
    return say("the dice are {dice}, of which {kept} count", dice=dice, kept=kept)


@line(e.CombatRolled)
def _combat(event: e.CombatRolled, position: Position) -> Message:
    return say("{dice}: {total} against {defence}, intensity {intensity}; the defender loses "
               "{theirs}, the attacker {ours}", dice=_dice(event.dice, event.kept),
               total=sum(event.kept) + event.attack, defence=event.defence,
               intensity=event.intensity, theirs=event.enemy_losses,
               ours=event.losses)  # fmt: skip


@line(e.Bombarded)
def _bombarded(event: e.Bombarded, position: Position) -> Message:
    return say_many("points", "{side} bombard {place}, point unit {point}; {dice}: {total} against "
                    "{defence}, {points} loss point", "{side} bombard {place}, point unit {point}; "
                    "{dice}: {total} against {defence}, {points} loss points",
                    side=SIDES_TOLD[event.side], place=place_name(position, event.area),
                    point=name(position, event.point), dice=_dice(event.dice, event.kept),
                    total=sum(event.kept) + event.modifier, defence=event.defence,
                    points=event.losses)  # fmt: skip


@line(e.FireReturned)
def _fired(event: e.FireReturned, position: Position) -> Message:
    return say_many("points", "{side} fire from {place}; {dice}: {total} against {defence}, "
                    "{points} loss point", "{side} fire from {place}; {dice}: {total} against "
                    "{defence}, {points} loss points", side=SIDES_TOLD[event.side],
                    place=place_name(position, event.area), dice=_dice(event.dice, event.dice),
                    total=sum(event.dice) + event.strength, defence=event.defence,
                    points=event.losses)  # fmt: skip


@line(e.FireHeld)
def _held(event: e.FireHeld, position: Position) -> Message:
    return say("{side} hold their fire", side=SIDES_TOLD[event.side])


@line(e.JuntaRolled)
def _junta(event: e.JuntaRolled, position: Position) -> Message:
    return say("the Junta is rolled for: {die}", die=_die(event))


@line(e.WeatherRolled)
def _weather(event: e.WeatherRolled, position: Position) -> Message:
    if event.is_bad:
        return say("the die for the weather is {die}, total {total}: bad",
                   die=event.die, total=event.total)  # fmt: skip
    return say("the die for the weather is {die}, total {total}: clear",
               die=event.die, total=event.total)  # fmt: skip


@line(e.RadaRolled)
def _rada(event: e.RadaRolled, position: Position) -> Message:
    if event.comes:
        return say("the die for the Rada column is {die}: it comes", die=event.die)
    return say("the die for the Rada column is {die}: not yet", die=event.die)


@line(e.StrifeRolled)
def _strife(event: e.StrifeRolled, position: Position) -> Message:
    if event.divides:
        return say("the die for the strife is {die}: only one group acts", die=event.die)
    return say("the die for the strife is {die}: both groups act", die=event.die)


NARRATION: Narration = Telling()

"""How Fog on the Ridge is told: to each player by the names they know."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from pbem.games.fog import events as e
from pbem.games.fog.position import PEOPLE, SIDES, Position

from pbem.engine.model import Event, Side
from pbem.engine.narration import ARRIVES, GOES_ON, Passage, lines_into
from pbem.engine.tags import is_tag
from pbem.messages import Message, Said, indented, marked, say, say_many

REASONS = {
    "the last turn is over": say("the last turn is over"),
    "nobody is left to fight on": say("nobody is left to fight on"),
}
RESULTS = {
    "A": say("the attackers lose a counter"), "D": say("the defenders lose a counter"),
    "R": say("the defenders retreat"), "-": say("nothing comes of it"),
}  # fmt: skip


class Telling:
    """One line for each event, and the table at a glance."""

    def narrate(
        self, event: Event[Any], position: Position, viewer: Side | None = None
    ) -> Message | None:
        if isinstance(event, e.CounterShown):
            shown = position.down.present(event.slot)
            return None if is_tag(shown) else say("{unit} is shown", unit=shown)
        if isinstance(event, e.ListWritten):
            return _written(event, position, viewer)
        tell = LINES.get(type(event))
        return tell(event, partial(_called, position, viewer)) if tell else None

    def passage(self, event: Event[Any], position: Position) -> Passage | None:
        match event:
            case e.AttackBegan(hex=hex) | e.GunFired(hex=hex):
                return Passage("begins", hex)
            case e.CounterShown() | e.AttackRolled() | e.CounterLost() | e.AttackEnded():
                return GOES_ON
            case e.CounterMarched(how=how) if how != "march":
                return GOES_ON
            case e.CounterPlaced(arrives=True):
                return ARRIVES
        return None

    def summary(self, position: Position) -> tuple[Message, ...]:
        return tuple(
            say_many("number", "{side}: {number} counter on the map",
                     "{side}: {number} counters on the map", side=say(PEOPLE[side]),
                     number=len(position.units_of(side)))
            for side in SIDES
        )  # fmt: skip

    def own(self, position: Position, side: Side) -> tuple[Message, ...]:
        where = (
            indented(say("{place}: {unit}", place=position.places[name],
                         unit=_called(position, side, name)))
            for name in position.units_of(side)
        )  # fmt: skip
        reserve = tuple(_called(position, side, name) for name in position.waiting[side])
        waits = (indented(say("reserve: {units}", units=reserve)),) if reserve else ()
        return (say("your counters:"), *where, *waits)


def _called(position: Position, viewer: Side | None, name: str, hex: str = "") -> Said:
    """A counter by its name, for whoever knows it; else as one of those in a hex."""
    if not is_tag(name):
        return name
    side = position.side_of(name)
    if viewer == side and position.face(name):
        return position.face(name)
    told = say(PEOPLE[side])
    return say("a counter of {side} in {hex}", side=told, hex=hex) if hex else say(
        "a counter of {side}", side=told
    )  # fmt: skip


def _written(event: e.ListWritten, position: Position, viewer: Side | None) -> Message | None:
    """The ambushes on a list: for its author, and where nothing is hidden."""
    if not (position.is_open or viewer == event.side):
        return None
    texts = [position.ambush(slot) for slot in position.slots_of_list(event.side)]
    if None in texts:  # a list of a turn that is over, whose lines nobody tells any more
        return None
    hexes = tuple(text.strip('"') for text in texts if text and text != "null")
    if not hexes:
        return say("{side} lies in wait nowhere", side=say(PEOPLE[event.side]))
    return say("{side} lies in wait in {hexes}", side=say(PEOPLE[event.side]), hexes=hexes)


LINES: dict[type[Event[Any]], Callable[[Any, Callable[..., Said]], Message | None]] = {}
"""What is told of each kind of event; what names a counter asks how it is called."""

_tells = lines_into(LINES)


@_tells(e.CounterPlaced)
def _placed(event: e.CounterPlaced, called: Callable[..., Said]) -> Message:
    return say(
        "{unit} comes in at {hex}" if event.arrives else "{unit} is set up in {hex}",
        unit=called(event.unit), hex=event.hex,
    )  # fmt: skip


@_tells(e.ZoneSaid)
def _zone(event: e.ZoneSaid, called: Callable[..., Said]) -> Message:
    return say("the stack in {hex} has a zone of control", hex=event.hex)


@_tells(e.PointsSaid)
def _points(event: e.PointsSaid, called: Callable[..., Said]) -> Message:
    return say("the points of the stack in {hex} are {points}", hex=event.hex, points=event.troops)


@_tells(e.AmbushSprung)
def _sprung(event: e.AmbushSprung, called: Callable[..., Said]) -> Message:
    return say(
        "ambush in {hex}: die {die}, the enemy is shaken"
        if event.is_hit
        else "ambush in {hex}: die {die}, nothing comes of it",
        hex=event.hex, die=event.die,
    )  # fmt: skip


@_tells(e.CounterMarched)
def _marched(event: e.CounterMarched, called: Callable[..., Said]) -> Message:
    return say(MOVES[event.how], unit=called(event.unit, event.start), hex=event.path[-1])


MOVES = {
    "march": marked("{unit} marches to {hex}"),
    "retreat": marked("{unit} retreats to {hex}"),
    "advance": marked("{unit} advances to {hex}"),
}


@_tells(e.BridgeBlown)
def _blown(event: e.BridgeBlown, called: Callable[..., Said]) -> Message:
    one, other = event.hexes
    return say("{unit} blows up the bridge between {one} and {other}",
               unit=called(event.unit, one), one=one, other=other)  # fmt: skip


@_tells(e.CountersMixed)
def _mixed(event: e.CountersMixed, called: Callable[..., Said]) -> Message:
    return say_many("count", "the counters of {count} stack are mixed",
                    "the counters of {count} stacks are mixed",
                    count=len(event.groups))  # fmt: skip


@_tells(e.AttackRolled)
def _attacked(event: e.AttackRolled, called: Callable[..., Said]) -> Message:
    return say("attack on {hex} at {column}: die {die}, {result}", hex=event.hex,
               column=event.column, die=event.die, result=RESULTS[event.result])  # fmt: skip


@_tells(e.GunFired)
def _fired(event: e.GunFired, called: Callable[..., Said]) -> Message:
    return say(
        "{unit} fires at {hex}: die {die}, the enemy is shaken"
        if event.is_hit
        else "{unit} fires at {hex}: die {die}, nothing comes of it",
        unit=called(event.unit), hex=event.hex, die=event.die,
    )  # fmt: skip


@_tells(e.CounterLost)
def _lost(event: e.CounterLost, called: Callable[..., Said]) -> Message:
    return say("{unit} is lost", unit=called(event.unit, event.hex))


@_tells(e.ArmyLaidAnew)
def _anew(event: e.ArmyLaidAnew, called: Callable[..., Said]) -> Message:
    return say("the hidden counters of {side} are laid anew", side=say(PEOPLE[event.side]))


@_tells(e.AmbushesForgotten)
def _forgotten(event: e.AmbushesForgotten, called: Callable[..., Said]) -> Message:
    return say("the ambushes of {side} that were not shown are void", side=say(PEOPLE[event.side]))


@_tells(e.CountersArranged)
def _arranged(event: e.CountersArranged, called: Callable[..., Said]) -> Message:
    return say("the hidden counters are back where they stood")


@_tells(e.GameEnded)
def _ended(event: e.GameEnded, called: Callable[..., Said]) -> Message:
    return say("the game is over: {why}", why=REASONS[event.reason])


NARRATION = Telling()

"""How Fog on the Ridge is told: to each player by the names they know."""

from __future__ import annotations

from typing import Any

from pbem.games.fog import events as e
from pbem.games.fog.position import PEOPLE, SIDES, Position

from pbem.engine.facedown import is_tag
from pbem.engine.model import Event, Side
from pbem.engine.narration import ARRIVES, GOES_ON, Passage
from pbem.messages import Message, Said, indented, say, say_many

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
        match event:
            case e.CounterPlaced(unit=unit, hex=hex, arrives=True):
                return say("{unit} comes in at {hex}", unit=_called(position, unit, viewer),
                           hex=hex)  # fmt: skip
            case e.CounterPlaced(unit=unit, hex=hex):
                return say("{unit} is set up in {hex}", unit=_called(position, unit, viewer),
                           hex=hex)  # fmt: skip
            case e.ZoneSaid(hex=hex):
                return say("the stack in {hex} has a zone of control", hex=hex)
            case e.AmbushSprung(hex=hex, die=die, is_hit=True):
                return say("ambush in {hex}: die {die}, the enemy is shaken", hex=hex, die=die)
            case e.AmbushSprung(hex=hex, die=die):
                return say("ambush in {hex}: die {die}, nothing comes of it", hex=hex, die=die)
            case e.CounterMarched(unit=unit, path=path, how="march"):
                return say("{unit} marches to {hex}", unit=_called(position, unit, viewer),
                           hex=path[-1])  # fmt: skip
            case e.CounterMarched(unit=unit, path=path, how="retreat"):
                return say("{unit} retreats to {hex}", unit=_called(position, unit, viewer),
                           hex=path[-1])  # fmt: skip
            case e.CounterMarched(unit=unit, path=path):
                return say("{unit} advances to {hex}", unit=_called(position, unit, viewer),
                           hex=path[-1])  # fmt: skip
            case e.BridgeBlown(unit=unit, hexes=(one, other)):
                return say(
                    "{unit} blows up the bridge between {one} and {other}",
                    unit=_called(position, unit, viewer),
                    one=one,
                    other=other,
                )
            case e.CountersMixed(groups=groups):
                return say_many(
                    "count",
                    "the counters of {count} stack are mixed",
                    "the counters of {count} stacks are mixed",
                    count=len(groups),
                )
            case e.CounterShown(slot=slot):
                shown = position.down.present(slot)
                return None if is_tag(shown) else say("{unit} is shown", unit=shown)
            case e.AttackRolled(hex=hex, column=column, die=die, result=result):
                return say(
                    "attack on {hex} at {column}: die {die}, {result}",
                    hex=hex,
                    column=column,
                    die=die,
                    result=RESULTS[result],
                )
            case e.GunFired(unit=unit, hex=hex, die=die, is_hit=True):
                return say(
                    "{unit} fires at {hex}: die {die}, the enemy is shaken",
                    unit=_called(position, unit, viewer),
                    hex=hex,
                    die=die,
                )
            case e.GunFired(unit=unit, hex=hex, die=die):
                return say(
                    "{unit} fires at {hex}: die {die}, nothing comes of it",
                    unit=_called(position, unit, viewer),
                    hex=hex,
                    die=die,
                )
            case e.CounterLost(unit=unit):
                return say("{unit} is lost", unit=_called(position, unit, viewer))
            case e.ArmyLaidAnew(side=side):
                return say("the hidden counters of {side} are laid anew", side=say(PEOPLE[side]))
            case e.CountersArranged():
                return say("the hidden counters are back where they stood")
            case e.GameEnded(reason=reason):
                return say("the game is over: {why}", why=REASONS[reason])
        return None  # fmt: skip

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
                         unit=position.face(name) or _unknown(position, name)))
            for name in position.units_of(side)
        )  # fmt: skip
        return (say("your counters:"), *where)


def _called(position: Position, name: str, viewer: Side | None) -> Said:
    """A counter by its name, for whoever knows it; else by where it lies."""
    if not is_tag(name):
        return name
    if viewer == position.side_of(name) and position.face(name):
        return position.face(name)
    return _unknown(position, name)


def _unknown(position: Position, name: str) -> Message:
    side = say(PEOPLE[position.side_of(name)])
    if name in position.places:
        return say("a counter of {side} in {hex}", side=side, hex=position.places[name])
    return say("a counter of {side}", side=side)


NARRATION = Telling()

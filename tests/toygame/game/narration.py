"""How Two Hills is told."""

from __future__ import annotations

from typing import Any

from pbem.games.toy import events as e
from pbem.games.toy.position import PEOPLE, SIDES, Position

from pbem.engine.model import Event, Side
from pbem.engine.narration import GOES_ON, Passage, together
from pbem.messages import Message, Row, indented, say, say_many

STANCES = {"bold": say("bold"), "steady": say("steady")}
REASONS = {
    "the last turn is over": say("the last turn is over"),
    "nobody is left to fight on": say("nobody is left to fight on"),
}


class Telling:
    """One line for each event, and the table at a glance."""

    def narrate(
        self, event: Event[Any], position: Position, viewer: Side | None = None
    ) -> Message | None:
        match event:
            case e.PlanShown(side=side, stance=stance):
                return say(
                    "the plan of {side} is {stance}", side=say(PEOPLE[side]), stance=STANCES[stance]
                )
            case e.ChitDrawn(chit=chit):
                return say_many("number", "the chit {chit} is drawn: {number} impulse",
                                "the chit {chit} is drawn: {number} impulses",
                                chit=chit, number=position.board.impulses[chit])  # fmt: skip
            case e.UnitMarched(unit=unit, path=path):
                return together("units", "{units} marches to {place}", "{units} march to {place}",
                                units=(unit,), place=path[-1])  # fmt: skip
            case e.VolleyFired(unit=unit, at=at, total=total, is_hit=True):
                return say(
                    "{unit} fires at {place}: {total}, a hit", unit=unit, place=at, total=total
                )
            case e.VolleyFired(unit=unit, at=at, total=total):
                return say(
                    "{unit} fires at {place}: {total}, a miss", unit=unit, place=at, total=total
                )
            case e.UnitLost(unit=unit):
                return together("units", "{units} is lost", "{units} are lost", units=(unit,))
            case e.GameEnded(reason=reason):
                return say("the game is over: {why}", why=REASONS[reason])
        return None

    def passage(self, event: Event[Any], position: Position) -> Passage | None:
        if isinstance(event, e.VolleyFired):
            return Passage("begins", event.at)
        return GOES_ON if isinstance(event, e.UnitLost) else None

    def summary(self, position: Position) -> tuple[Message, ...]:
        return tuple(
            say_many("number", "{side}: {number} unit, areas {areas}",
                     "{side}: {number} units, areas {areas}", side=say(PEOPLE[side]),
                     number=len(position.units_of(side)),
                     areas=Row(position.areas_of(side)) if position.areas_of(side) else say("none"))
            for side in SIDES
        )  # fmt: skip

    def own(self, position: Position, side: Side) -> tuple[Message, ...]:
        where = (
            indented(say("{place}: {unit}", place=position.places[unit], unit=unit))
            for unit in position.units_of(side)
        )
        return (say("your units:"), *where)


NARRATION = Telling()

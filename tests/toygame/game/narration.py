"""How Two Hills is told."""

from __future__ import annotations

from typing import Any

from pbem.games.toy import events as e
from pbem.games.toy.position import SIDES, Position

from pbem.engine.model import Event, Side


class Telling:
    """One line for each event, and the table at a glance."""

    def narrate(self, event: Event[Any], position: Position) -> str | None:
        match event:
            case e.PlanShown(side=side, stance=stance):
                return f"The plan of {side.capitalize()} is {stance}."
            case e.ChitDrawn(chit=chit):
                count = position.board.impulses[chit]
                return f"The chit {chit} is drawn: {count} impulses."
            case e.UnitMarched(unit=unit, path=path):
                return f"{unit} marches to {path[-1]}."
            case e.VolleyFired(unit=unit, at=at, total=total, is_hit=is_hit):
                return f"{unit} fires at {at}: {total}, {'a hit' if is_hit else 'a miss'}."
            case e.UnitLost(unit=unit):
                return f"{unit} is lost."
            case e.GameEnded(reason=reason):
                return f"The game is over: {reason}."
        return None

    def summary(self, position: Position) -> tuple[str, ...]:
        return tuple(
            f"{side}: {len(position.units_of(side))} units, "
            f"areas {', '.join(position.areas_of(side)) or 'none'}"
            for side in SIDES
        )

    def own(self, position: Position, side: Side) -> tuple[str, ...]:
        where = (f"  {position.places[unit]}: {unit}" for unit in position.units_of(side))
        return ("your units:", *where)


NARRATION = Telling()

"""What can happen."""

from __future__ import annotations

from typing import ClassVar

from pbem.games.toy.position import Position

from pbem.engine.model import Event, Side
from pbem.value import value


@value
class PlanShown(Event[Position]):
    side: Side
    stance: str

    def apply(self, position: Position) -> Position:
        return position.but(plans={**position.plans, self.side: self.stance})


@value
class ChitDrawn(Event[Position]):
    chit: str

    def apply(self, position: Position) -> Position:
        return position.but(chits=(*position.chits, self.chit))


@value
class ImpulseBegan(Event[Position]):
    impulse: int
    side: Side

    def apply(self, position: Position) -> Position:
        return position.but(impulse=self.impulse, active=self.side)


@value
class TurnBegan(Event[Position]):
    turn: int

    def apply(self, position: Position) -> Position:
        return position.but(turn=self.turn, impulse=0, plans={})


@value
class UnitMarched(Event[Position]):
    unit: str
    path: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(places={**position.places, self.unit: self.path[-1]})


@value
class VolleyFired(Event[Position]):
    unit: str
    at: str
    die: int
    total: int
    is_hit: bool

    def apply(self, position: Position) -> Position:
        return position


@value
class UnitLost(Event[Position]):
    unit: str

    def apply(self, position: Position) -> Position:
        places = {unit: hex for unit, hex in position.places.items() if unit != self.unit}
        return position.but(places=places, lost=(*position.lost, self.unit))


@value
class GameEnded(Event[Position]):
    ends_the_game: ClassVar[bool] = True
    winner: str
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))

"""What can happen."""

from __future__ import annotations

from typing import ClassVar

from pbem.games.toy.position import Position

from pbem.engine.model import Event, Side
from pbem.value import value


@value
class PlanShown(Event[Position]):
    """A side has chosen its plan for the turn."""

    side: Side
    stance: str

    def apply(self, position: Position) -> Position:
        return position.but(plans={**position.plans, self.side: self.stance})


@value
class ChitDrawn(Event[Position]):
    """The chit of the turn is drawn."""

    chit: str

    def apply(self, position: Position) -> Position:
        return position.but(chits=(*position.chits, self.chit))


@value
class ImpulseBegan(Event[Position]):
    """The next impulse of the turn begins; `impulse` counts from 1."""

    impulse: int
    side: Side

    def apply(self, position: Position) -> Position:
        return position.but(impulse=self.impulse, active=self.side)


@value
class TurnBegan(Event[Position]):
    """A new turn begins, without plans."""

    turn: int

    def apply(self, position: Position) -> Position:
        return position.but(turn=self.turn, impulse=0, plans={})


@value
class UnitMarched(Event[Position]):
    """A unit marches; `path` has the hexes behind the one it stood in."""

    unit: str
    path: tuple[str, ...]

    def apply(self, position: Position) -> Position:
        return position.but(places={**position.places, self.unit: self.path[-1]})


@value
class VolleyFired(Event[Position]):
    """A unit fires at a hex; `total` is the die with its bonus."""

    unit: str
    at: str
    die: int
    total: int
    is_hit: bool

    def apply(self, position: Position) -> Position:
        return position


@value
class UnitLost(Event[Position]):
    """A unit is lost and leaves the map."""

    unit: str

    def apply(self, position: Position) -> Position:
        places = {unit: hex for unit, hex in position.places.items() if unit != self.unit}
        return position.but(places=places, lost=(*position.lost, self.unit))


@value
class GameEnded(Event[Position]):
    """The game is over; the winner may be "draw"."""

    ends_the_game: ClassVar[bool] = True
    winner: str
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))

"""The story of a turn: which events belong to a battle, and which bring units and points."""

from __future__ import annotations

from pbem.engine.model import Event
from pbem.engine.narration import ARRIVES, GOES_ON, GROUND, LEFT_OUT, Passage
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.position import DISPLAY, ELIMINATED, POOL, REMOVED, Position

NOWHERE = (ELIMINATED, REMOVED, DISPLAY, POOL)
"""Places in which a unit has not arrived."""
ARRIVALS = (
    rare.UnitRestored, e.ReplacementsRecorded, rare.ReplacementsWithheld, rare.ReplacementsSpent,
    rare.ReplacementsAdjusted, rare.ReplacementsLapsed,
)  # fmt: skip
SPARED = (
    e.CardOpened, e.CardDiscarded, e.CardRemoved, e.CardRetained, e.CardReturned, e.AdvanceForgone,
    e.ScoreChanged, e.FlagSet, e.FlagCleared,
)  # fmt: skip
"""What a battle brings that other parts of a page on the turn tell, or nobody misses."""


def passage(event: Event[Position], position: Position) -> Passage | None:
    """What an event is to the battles and arrivals of its turn (games/system.py)."""
    match event:
        case e.AttackDeclared(space=space):
            return Passage("begins", space)
        case e.SiegeAssaulted(siege=siege) if position.combat is None:
            return Passage("begins", position.tables.siege_spaces[siege])
        case e.AttackCalledOff():
            return GOES_ON
        case e.CombatEnded():
            return LEFT_OUT
    if position.combat is not None:
        return LEFT_OUT if isinstance(event, SPARED) else GOES_ON
    if isinstance(event, (e.FortBuilt, e.FortRemoved)):
        return GROUND
    if isinstance(event, ARRIVALS):
        return ARRIVES
    if isinstance(event, e.UnitPlaced) and event.place not in NOWHERE:
        return ARRIVES
    return None

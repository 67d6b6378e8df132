"""17.6: when and where the Army of Africa arrives."""

from __future__ import annotations

from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import DISPLAY, Position
from pbem.games.crusade.tables import NATIONALIST

GATES = ("sevilla", "cadiz")
"""The ports where units from Morocco arrive."""
LAST_CALL = (3, 1)
"""Turn and round: the last units arrive in that turn, and N6 hurries them up to that round."""
ROUNDS_OF_ARRIVAL, HURRIED = (2, 5), (1, 2)


@CITE.rule("17.6.1", "17.6.2")
def arrival_is_due(position: Position) -> bool:
    """Whether an Army of Africa unit arrives in this Nationalist round."""
    if position.active != NATIONALIST or not position.has("afr_schedule"):
        return False
    last, _ = LAST_CALL
    quick = position.turn == last and position.has("afr_accelerated")
    rounds = HURRIED if quick else ROUNDS_OF_ARRIVAL
    return position.turn <= last and position.round in rounds and bool(position.units_in(DISPLAY))

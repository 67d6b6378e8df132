"""9.1.4: a space that a round has left too full."""

from __future__ import annotations

from pbem.engine.model import Side, Stage
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.round_end import too_full
from pbem.games.crusade.tables import ENEMY


@CITE.rule("9.1.4")
def thinned_out(position: Position, side: Side) -> tuple[Stage[Position], ...]:
    """The enemy takes what is too much, space by space, when movement or redeployment is over.

    It comes to that only where no order could fix it any more.
    """
    full = too_full(position, side)
    if not full:
        return ()
    from pbem.games.crusade.stages.war_status import Surplus

    return tuple(Surplus(ENEMY[side], space) for space in full)

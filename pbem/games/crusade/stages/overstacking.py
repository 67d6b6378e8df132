"""9.1.4: a space left overfull by a round."""

from __future__ import annotations

from pbem.engine.model import Side, Stage
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.round_end import too_full
from pbem.games.crusade.tables import ENEMY


@CITE.rule("9.1.4")
def thinned_out(position: Position, side: Side) -> tuple[Stage[Position], ...]:
    """The enemy removes surplus units, space by space, when movement or redeployment is over.

    This happens only if no order could avoid it.
    """
    full = too_full(position, side)
    if not full:
        return ()

    from pbem.games.crusade.stages.war_status import Surplus

    return tuple(Surplus(ENEMY[side], space) for space in full)

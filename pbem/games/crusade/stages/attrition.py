"""The Attrition Segment of one side, after its sixth round (13.3.5-13.3.7)."""

from __future__ import annotations

from pbem.engine.model import AutoStage, Outcome, Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.attrition import lost_spaces, lost_units
from pbem.games.crusade.rules.ground import liberate_siege, remove_beach_head, take_space
from pbem.games.crusade.tables import ENEMY, NATIONALIST
from pbem.value import value


@value
@CITE.rule("13.3.7", "13.1.1.1/d")
class Attrition(AutoStage[Position]):
    """Units out of supply leave the game for good, and cut-off spaces change control."""

    side: Side

    def run(self, position: Position) -> Outcome:
        # reading: Q35, both lists are made before anything changes: a space that changes control
        # neither saves nor loses any unit.
        units = lost_units(position, self.side)
        spaces = lost_spaces(position, self.side, units)
        story: Unfolding[Position] = Unfolding(position)
        for unit in units:
            story.happen(e.UnitEliminated(unit, True, "13.3.5"))
        for space in spaces:
            _change_hands(story, space, ENEMY[self.side])
        return story.outcome()


@CITE.serves("13.3.6", "16.1.3")
def _change_hands(story: Unfolding[Position], space: str, to: Side) -> None:
    """A space changes control, with all effects of a capture (Q34); a siege in it is freed."""
    # reading: Q34, VP, RM and bonus markers follow as for a capture.
    if space in story.position.beach_heads:
        # reading: a beach head is not held territory: cut off, it is removed (8.5.4.3 by analogy).
        remove_beach_head(story, space)
        return
    take_space(story, space, to)
    if to == NATIONALIST:
        liberate_siege(story, space)

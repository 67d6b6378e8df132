"""16.1.4: the die of an assault on a siege."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Chance, ChanceStage, Outcome, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.assault import assault_drm, siege_in
from pbem.messages import say
from pbem.value import value

DIE = "assault/#/die/1"


@value
@CITE.rule("16.1.5")
class SiegeAssault(ChanceStage[Position]):
    """16.1.4: one die. A success takes a point of the siege, and the last point ends it."""

    space: str
    units: tuple[str, ...]

    def chance(self, position: Position) -> Chance:
        name = position.space(self.space).name
        return Chance(
            stage="assault",
            rule="16.1.4.2",
            draws=(Draw(DIE, say("assault on the siege in {space}", space=name)),),
        )

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        siege = siege_in(position, self.space)
        die = rolled[DIE].face
        modified = die + assault_drm(position, self.units)
        success = modified <= position.tables.tables["siege_assault"]["success_max"]
        story: Unfolding[Position] = Unfolding(position)
        story.happen(e.SiegeAssaulted(siege, self.units, die, modified, success))
        left = position.sieges[siege] - 1
        if success:
            story.happen(
                e.SiegeChanged(siege, left) if left else e.SiegeEnded(siege, "surrendered")
            )
        return story.outcome()

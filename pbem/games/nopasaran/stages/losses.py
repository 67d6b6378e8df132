"""13, 16: losses of a combat and of a bombardment, and the checks of morale that follow."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import fate
from pbem.games.nopasaran.rules.answers import combat_of
from pbem.games.nopasaran.rules.naming import called
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.games.nopasaran.tables import PEOPLE
from pbem.messages import say
from pbem.value import field, value


@value
@CITE.serves("13")
class LosingAtRandom(s.AutoStage[Position]):
    """A side loses troop points: the unit that leads the first, the others at random."""

    side: s.Side
    points: int
    is_attacker: bool

    def run(self, position: Position) -> s.Outcome:
        fight = combat_of(position)
        leader = fight.primary if self.is_attacker else fight.defence_primary
        story: s.Unfolding[Position] = s.Unfolding(position)
        left = self.points
        units = losing(position, is_attacker=self.is_attacker)
        before = {unit: position.lost[unit] for unit in units if unit in position.lost}
        if leader in units:
            story.happen(e.TroopsLost(leader, 1))
            left -= 1
        then: tuple[s.Stage[Position], ...] = (
            s.IfRolled(Drawing(self.side, units, left)),
            s.IfRolled(CheckingMorale(self.side, units, before)),
        )
        return story.outcome(then=then)


def losing(position: Position, *, is_attacker: bool) -> tuple[str, ...]:
    """The units on which the losses of a side fall, from the top: all defenders, and of the
    attackers those in the hex of the unit that leads.
    """
    fight = combat_of(position)
    if not is_attacker:
        return tuple(unit for unit in position.stacks.get(fight.hex, ()) if unit in fight.defenders)
    hex = position.at(fight.primary)
    return tuple(unit for unit in position.stacks.get(hex, ()) if unit in fight.attackers)


@value
@CITE.serves("13")
class Drawing(s.ChanceStage[Position]):
    """Each point more that a side loses falls on a unit by a die, as long as any are left."""

    side: s.Side
    units: tuple[str, ...]
    points: int

    def chance(self, position: Position) -> s.Chance:
        alive = fate.takes_part(position, self.units)
        due = min(self.points, position.troops_of(alive))
        # One unit takes all without a die.
        number = due if len(alive) > 1 else 0
        return s.Chance("losses", "13", tuple(
            ten_sided(f"losses/#/{at}", say("loss of the {side} side", side=say(PEOPLE[self.side])))
            for at in range(number)
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for at in range(self.points):
            alive = fate.takes_part(story.position, self.units)
            if not alive:
                break
            roll = rolled.get(f"losses/#/{at}")
            unit = alive[position.board.loser(len(alive), roll.face)] if roll else alive[0]
            story.happen(e.TroopsLost(unit, 1, roll.face if roll else 0))
        # Headquarters that are left alone in the attacked hex go back.
        fate.leave_headquarters_alone(story, combat_of(story.position).hex)
        return story.outcome()


@value
@CITE.serves("16")
class CheckingMorale(s.ChanceStage[Position]):
    """Units that have lost points check their morale, one die each."""

    side: s.Side
    units: tuple[str, ...]
    before: Mapping[str, int] = field(default_factory=dict)
    """What units had lost before: those that have lost no more since do not check."""

    def _due(self, position: Position) -> tuple[str, ...]:
        return tuple(
            unit
            for unit in self.units
            if position.lost.get(unit) != self.before.get(unit) and fate.must_check(position, unit)
        )

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("morale", "16", tuple(
            ten_sided(f"morale/#/{unit}", say("morale of {unit}", unit=called(position, unit)))
            for unit in self._due(position)
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for unit in self._due(position):
            fate.check_morale(story, unit, rolled[f"morale/#/{unit}"].face)
        return story.outcome()

"""9.2, 9.4.3: a stack on its way, area by area."""

from __future__ import annotations

from pbem.engine.choices import noted
from pbem.engine.model import AutoStage, Decision, Option, Outcome, PlayerStage, Side
from pbem.engine.rules import checks
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import STAY_FRESH
from pbem.games.madrid.orders import STOP, Lead, Successor
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.fire import leads_with_a_fresh_unit
from pbem.games.madrid.rules.movement import draws_fire
from pbem.games.madrid.stages.combat import CombatBegins
from pbem.games.madrid.stages.fire import Incoming, fired_at
from pbem.messages import Said, say
from pbem.value import replace, value


@value
@CITE.rule("9.2.l", "9.4.3.b", "9.4.3.c")
class March(AutoStage[Position]):
    """The next step of a stack. At the end of the path it is spent, or the assault begins.

    `fight` is the combat of an assault that waits at the end.
    """

    side: Side
    units: tuple[str, ...]
    path: tuple[str, ...]
    point: str
    losses: tuple[str, ...] = ()
    surprise: bool = False
    fight: Fight | None = None
    if_point_hit: Successor | str = ""
    keeps_dice: bool = False
    at: int = 0

    @CITE.serves("9.5.f")
    def still(self, position: Position) -> tuple[str, ...]:
        """The units that go on: without those that defensive fire spent, or that retreated."""
        # reading: the rest of a move goes on after defensive fire, as in an assault.
        here = self.path[self.at]
        return tuple(
            unit for unit in self.units if position.places[unit] == here and position.is_fresh(unit)
        )

    @CITE.serves("9.5.d", "9.5.g")
    def leader(self, units: tuple[str, ...]) -> str:
        """The point unit of the units that go on, if they are fired at again."""
        # reading: on the way the unit that the order names leads after the point unit was hit, else
        # the first that is left; the leader of an assault's combat is asked where it begins.
        said = self.if_point_hit
        follows = said.point if isinstance(said, Successor) else ""
        return next(unit for unit in (self.point, follows, *units) if unit in units)

    def run(self, position: Position) -> Outcome:
        units = self.still(position)
        if not units:
            return Outcome()
        if self.at == len(self.path) - 1:
            return self._arrived(position, units)
        here, there = self.path[self.at : self.at + 2]
        fires = not self.surprise and draws_fire(
            position, self.side, here, there, is_assault=self.fight is not None
        )
        story = Story(position)
        story.happen(e.UnitsMoved(units, here, there))
        story.settle()
        onward = replace(self, at=self.at + 1)
        if not fires:
            return story.outcome(keep=onward)
        incoming = Incoming(
            self.side, there, units, self.leader(units), here,
            losses=self.losses, keeps_dice=self.keeps_dice,
        )  # fmt: skip
        return story.outcome(keep=onward, then=(fired_at(story.position, incoming),))

    def _arrived(self, position: Position, units: tuple[str, ...]) -> Outcome:
        if self.fight is None:
            # reading: units activated to move are spent when the impulse ends.
            stays = STAY_FRESH in position.options
            return Outcome() if stays else Outcome((e.UnitsSpent(units),))
        fight = self.fight.but(attackers=units, left=self.path[-2])
        if self.point in units:
            return Outcome(then=(CombatBegins(fight),))
        asked, said = Leading(fight), self.if_point_hit
        if isinstance(said, Successor) and said.point in units:
            return asked.resolve(position, Lead(said.point))
        return asked.resolve(position, Lead()) if said == STOP else Outcome(then=(asked,))


def _what_follows(order: Lead) -> Said:
    if order.point:
        return say("the attack goes on, with the worst two of three dice")
    return say("the assault ends, and its units are spent")


@value
@CITE.rule("9.5.g")
class Leading(PlayerStage[Position]):
    """The point unit of an assault was hit: asks for another one, or the impulse ends."""

    fight: Fight

    @property
    def side(self) -> Side:
        return self.fight.side

    @property
    def units(self) -> tuple[str, ...]:
        return self.fight.attackers

    def ask(self, position: Position) -> Decision:
        orders = [*(Lead(unit) for unit in self.units), Lead()]
        return Decision(
            side=self.side,
            stage="lead",
            prompt=say("name a new point unit, or stop the assault"),
            rule="9.5.g",
            options=(Option(Lead, examples=noted(orders, _what_follows)),),
            default=Lead(),
            policy="lead",
        )

    check = checks((leads_with_a_fresh_unit,))

    def resolve(self, position: Position, order: Lead) -> Outcome:  # type: ignore[override]
        if not order.point:
            # reading: the units there stay there, spent.
            return Outcome((e.UnitsSpent(self.units),))
        fight = self.fight.but(point=order.point, keeps_worst=True)
        return Outcome(then=(CombatBegins(fight),))

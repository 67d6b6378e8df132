"""15: chits that are a whole impulse."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Pick, Play, Renewal
from pbem.games.madrid.position import STRIFE, Position
from pbem.games.madrid.rules.chits import BOMBING, RESERVES
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.picking import may_be_spent, may_turn_fresh, picks_so_many
from pbem.games.madrid.stages.bombard import Shelling, shelled
from pbem.games.madrid.stages.cup import Showing
from pbem.games.madrid.tables import REPUBLICAN
from pbem.messages import say
from pbem.value import value

FLIGHT = 3
"""The number of Republican impulses that the government's flight lasts."""


@CITE.serves("6.5")
def played(position: Position, side: s.Side, order: Play) -> s.Outcome:
    """The effect of a chit of the kind, after it was played."""
    kind = position.kind_of(order.chit)
    laid = e.ChitPlayed(side, order.chit, order.use)
    if kind in BOMBING:
        shelling = Shelling(
            side, order.target, point=order.point, from_the_air=kind not in RESERVES
        )
        return s.Outcome((laid,), then=(shelled(position, shelling),))
    if order.use == "rebuild":
        story = Story(position)
        story.happen(laid, *rebuilt(order.rebuild))
        story.settle()
        return story.outcome()
    if order.use == "morale":
        return s.Outcome((laid, e.morale_changed(position, 1, "chit")))
    found: tuple[tuple[e.Event[Position], ...], tuple[s.Stage[Position], ...]] = {
        "CR5": no_pasaran, "CN11": no_pasaran, "CN5": fifth_column, "CN6": strife,
        "CN7": durruti_dies, "CN9": government_flees,
    }[kind](position, side, order)  # fmt: skip
    events, then = found
    return s.Outcome((laid, *events), then=then)


Effect = tuple[tuple[e.Event[Position], ...], tuple[s.Stage[Position], ...]]


def rebuilt(renewals: tuple[Renewal, ...]) -> tuple[e.Event[Position], ...]:
    """The units of a list return."""
    return tuple(e.UnitRebuilt(each.unit, each.to, each.gives) for each in renewals)


@CITE.serves("15.CR5", "15.CN11")
def no_pasaran(position: Position, side: s.Side, order: Play) -> Effect:
    """1D6 own units turn fresh, wherever they are."""
    return (), (Turning(side, order.chit, "", order.units),)


@CITE.serves("15.CN5")
def fifth_column(position: Position, side: s.Side, order: Play) -> Effect:
    """1D6 Republican units of an area are spent; the Nationalists choose which."""
    return (), (Turning(side, order.chit, order.target, order.units),)


@CITE.serves("15.CN6")
def strife(position: Position, side: s.Side, order: Play) -> Effect:
    return (e.FactSet(STRIFE),), ()


@CITE.rule("15.CN7")
def durruti_dies(position: Position, side: s.Side, order: Play) -> Effect:
    """CR6 leaves the game, from the hand or the cup, and its effect ends."""
    # reading: the death also ends the effect of CR6 if that chit was played before.
    (chit,) = position.board.of_kind("CR6")
    if chit in position.removed:
        return (), ()
    if chit in position.down.hidden:
        # reading: its owner shows it, and where it was.
        return (e.ChitSought(chit),), (Showing(REPUBLICAN, chit),)
    return (e.ChitRemoved(REPUBLICAN, chit),), ()


@CITE.serves("15.CN9")
def government_flees(position: Position, side: s.Side, order: Play) -> Effect:
    # reading: a pass counts as an impulse, and the rest lasts into the next turn; counter-attacks
    # and defensive fire go on.
    return (e.GovernmentFled(FLIGHT),), ()


@value
@CITE.serves("15.CR5", "15.CN5", "15.CN11")
class Turning(s.ChanceStage[Position]):
    """Rolls how many units are turned; `wishes` names some in advance."""

    side: s.Side
    chit: str
    area: str
    """The area where enemy units are spent; empty if own ones turn fresh."""
    wishes: tuple[str, ...]

    def chance(self, position: Position) -> s.Chance:
        return s.Chance(
            "turned", self._rule(position), (s.Draw("turned/#", say("units that turn")),)
        )

    def _rule(self, position: Position) -> str:
        return f"15.{position.kind_of(self.chit)}"

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        die = rolled["turned/#"].face
        told = e.NumberRolled(self.chit, die)
        may = may_be_spent(position, self.area) if self.area else may_turn_fresh(
            position, self.side)  # fmt: skip
        count = min(die, len(may))
        wishes = tuple(dict.fromkeys(unit for unit in self.wishes if unit in may))[:count]
        asked = PickingUnits(self.side, may, count, self.area, self._rule(position))
        if len(wishes) == count or count == len(may):
            chosen = wishes if len(wishes) == count else may
            return s.Outcome((told, *asked.turned(chosen)))
        return s.Outcome((told,), then=(asked,))


@value
@CITE.serves("15.CR5", "15.CN5", "15.CN11")
class PickingUnits(s.PlayerStage[Position]):
    side: s.Side
    units: tuple[str, ...]
    count: int
    area: str
    rule: str

    def turned(self, units: tuple[str, ...]) -> tuple[e.Event[Position], ...]:
        """The effect of the chit on the units picked: it spends or freshens them."""
        if not units:
            return ()
        return (e.UnitsSpent(units) if self.area else e.UnitsFreshened(units),)

    def ask(self, position: Position) -> s.Decision:
        prompt = say("name a unit that is to turn fresh")
        if self.area:
            prompt = say("name a unit that is to be spent")
        if self.count > 1:
            prompt = say(
                "name {count} units that are to be spent" if self.area
                else "name {count} units that are to turn fresh",
                count=self.count,
            )  # fmt: skip
        shifted = [
            Pick((*self.units[at:], *self.units[:at])[: self.count])
            for at in range(min(4, len(self.units)))
        ]
        return s.Decision(
            side=self.side,
            stage="pick",
            prompt=prompt,
            rule=self.rule,
            options=(s.Option(Pick, examples=s.listed(shifted)),),
            default=shifted[0],
            policy="pick",
        )

    check = s.checks((picks_so_many,))

    def resolve(self, position: Position, order: Pick) -> s.Outcome:  # type: ignore[override]
        story = Story(position)
        story.happen(*self.turned(order.units))
        return story.outcome()

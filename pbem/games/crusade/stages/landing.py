"""Optional landings: the die for Plan P (18.2.11), and the Nationalist Beach Head (18.2.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.choices import OneOf
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import (
    Chance,
    ChanceStage,
    Decision,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Stage,
    Unfolding,
    Violation,
)
from pbem.engine.rules import by_verb, checks
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, Land
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_landing import (
    FLEET_STAYS,
    LANDED,
    NATIONAL_BEACH,
    fleet_drm,
    landing_force,
    may_disembark,
)
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.tables import NATIONALIST
from pbem.messages import a_few, say
from pbem.value import value

DIE = "planp/#/die/1"


def plan_p_stage(position: Position, side: Side) -> Stage[Position]:
    """The landing of R50; by agreement a die first decides whether it takes place."""
    from pbem.games.crusade.stages.event_units import PlanP

    return FleetOrder(side) if position.option("18.2.11") else PlanP(side)


@value
@CITE.rule("18.2.11")
class FleetOrder(ChanceStage[Position]):
    """With a modified die of three or less the card counts as operations, and is removed."""

    side: Side

    def chance(self, position: Position) -> Chance:
        return Chance("landing", "18.2.11", (Draw(DIE, say("the order for the landing")),))

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        from pbem.games.crusade.stages.event_units import PlanP

        die = rolled[DIE].face
        modified = die + fleet_drm(position)
        sails = modified > FLEET_STAYS
        story: Unfolding[Position] = Unfolding(position)
        story.happen(rare.LandingRolled(die, modified, sails))
        if sails:
            return story.outcome(then=(PlanP(self.side),))
        # reading: it counts against the winter limit, although nobody knew that when it was played.
        story.happen(e.TurnMarkSet(f"operations_{self.side}_R50"))
        return story.outcome(then=(Activation(self.side, position.card("R50").ops),))


# --- the Nationalist landing --------------------------------------------------------------------


def operations_of_card(position: Position, side: Side, ops: int) -> Stage[Position]:
    """The operations of a card; a Nationalist one may begin with the landing."""
    from pbem.games.crusade.rules.landing import landing_coasts

    lands = side == NATIONALIST and may_disembark(position)
    if lands and landing_force(position) and landing_coasts(position, NATIONALIST):
        return Disembarkation(side, ops)
    return Activation(side, ops)


@CITE.check("18.2.12/a")
def nationalist_coast_is_open(
    stage: Disembarkation, position: Position, order: Land
) -> Iterator[Violation]:
    """A landing is on a Republican coast within three spaces, without an enemy landing."""
    from pbem.games.crusade.rules.landing import has_to_land_next_to, landing_coasts

    force = landing_force(position)
    yield from has_to_land_next_to(position, landing_coasts(position, NATIONALIST), order.space)
    if order.unit not in force:
        yield Violation(say("{unit} cannot land", unit=order.unit), at=("unit",), hint=a_few(force))


@value
@CITE.serves("18.2.12")
class Disembarkation(PlayerStage[Position]):
    """One of the card's points pays the landing; the Beach Head is not activated this round."""

    side: Side
    ops: int

    def ask(self, position: Position) -> Decision:
        from pbem.games.crusade.rules.landing import landing_coasts

        force, coasts = landing_force(position), landing_coasts(position, self.side)
        return Decision(
            side=self.side,
            stage="landing",
            prompt=say("land a division for one operations point, or say done"),
            rule="18.2.12",
            options=(
                Option(Land, {"unit": OneOf(force), "space": OneOf(coasts)}),
                Option(Done, {}),
            ),
            default=Done(),
            optional=True,
        )

    check = by_verb({Land: checks((nationalist_coast_is_open,)), Done: checks()})

    def resolve(self, position: Position, order: Order) -> Outcome:
        if not isinstance(order, Land):
            return Outcome(then=(Activation(self.side, self.ops),))
        landed = (
            rare.BeachHeadPlaced(NATIONAL_BEACH, order.space, self.side),
            e.UnitPlaced(order.unit, NATIONAL_BEACH, position.is_reduced(order.unit)),
            e.FlagSet(LANDED),
        )
        rest = Activation(self.side, self.ops - 1, closed=(NATIONAL_BEACH,))
        return Outcome(landed, then=(rest,) if self.ops > 1 else ())

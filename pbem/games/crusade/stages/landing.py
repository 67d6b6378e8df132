"""Optional landings: the die for Plan P (18.2.11), and the Nationalist Beach Head (18.2.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine import staging as s
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


def plan_p_stage(position: Position, side: s.Side) -> s.Stage[Position]:
    """The landing of R50; by agreement a die first decides whether it takes place."""
    from pbem.games.crusade.stages.event_units import PlanP

    return FleetOrder(side) if position.option("18.2.11") else PlanP(side)


@value
@CITE.rule("18.2.11")
class FleetOrder(s.ChanceStage[Position]):
    """With a modified die of three or less the card counts as operations, and is removed."""

    side: s.Side

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("landing", "18.2.11", (s.Draw(DIE, say("the order for the landing")),))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        from pbem.games.crusade.stages.event_units import PlanP

        die = rolled[DIE].face
        modified = die + fleet_drm(position)
        sails = modified > FLEET_STAYS
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(rare.LandingRolled(die, modified, sails))
        if sails:
            return story.outcome(then=(PlanP(self.side),))
        # reading: it counts against the winter limit, although nobody knew that when it was played.
        story.happen(e.TurnMarkSet(f"operations_{self.side}_R50"))
        return story.outcome(then=(Activation(self.side, position.card("R50").ops),))


# --- the Nationalist landing --------------------------------------------------------------------


def operations_of_card(position: Position, side: s.Side, ops: int) -> s.Stage[Position]:
    """The operations of a card; a Nationalist one may begin with the landing."""
    from pbem.games.crusade.rules.landing import landing_coasts

    lands = side == NATIONALIST and may_disembark(position)
    if lands and landing_force(position) and landing_coasts(position, NATIONALIST):
        return Disembarkation(side, ops)
    return Activation(side, ops)


@CITE.check("18.2.12/a")
def nationalist_coast_is_open(
    stage: Disembarkation, position: Position, order: Land
) -> Iterator[s.Violation]:
    """A landing is on a Republican coast within three spaces, without an enemy landing."""
    from pbem.games.crusade.rules.landing import has_to_land_next_to, landing_coasts

    force = landing_force(position)
    yield from has_to_land_next_to(position, landing_coasts(position, NATIONALIST), order.space)
    if order.unit not in force:
        yield s.Violation(
            say("{unit} cannot land", unit=order.unit), at=("unit",), hint=a_few(force)
        )


@value
@CITE.serves("18.2.12")
class Disembarkation(s.PlayerStage[Position]):
    """One of the card's points pays the landing; the Beach Head is not activated this round."""

    side: s.Side
    ops: int

    def ask(self, position: Position) -> s.Decision:
        from pbem.games.crusade.rules.landing import landing_coasts

        force, coasts = landing_force(position), landing_coasts(position, self.side)
        return s.Decision(
            side=self.side,
            stage="landing",
            prompt=say("land a division for one operations point, or say done"),
            rule="18.2.12",
            options=(
                s.Option(Land, {"unit": s.OneOf(force), "space": s.OneOf(coasts)}),
                s.Option(Done, {}),
            ),
            default=Done(),
            optional=True,
        )

    check = s.by_verb({Land: s.checks((nationalist_coast_is_open,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, Land):
            return s.Outcome(then=(Activation(self.side, self.ops),))
        landed = (
            rare.BeachHeadPlaced(NATIONAL_BEACH, order.space, self.side),
            e.UnitPlaced(order.unit, NATIONAL_BEACH, position.is_reduced(order.unit)),
            e.FlagSet(LANDED),
        )
        rest = Activation(self.side, self.ops - 1, closed=(NATIONAL_BEACH,))
        return s.Outcome(landed, then=(rest,) if self.ops > 1 else ())

"""Units that an event lets a player place or remove: corps and their price, losses, landings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy, Land, Remove
from pbem.games.crusade.position import RESERVE, Position
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.landing import (
    has_to_land_next_to,
    landing_coasts,
    places_of_revolt,
    why_no_plan_p,
)
from pbem.games.crusade.rules.reinforcement import corps_has_to_come_in, corps_spaces
from pbem.games.crusade.rules.removal import makes_room, removable
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import Said, a_few, any_of, say
from pbem.value import replace, value

# --- corps --------------------------------------------------------------------------------------


@CITE.refusal("8.5.2.4")
def corps_comes_in_where_it_may(
    stage: CorpsReinforcing, position: Position, order: Deploy
) -> Iterator[s.Violation]:
    """A corps of the card is placed in a space open to it."""
    if order.unit not in stage.corps:
        yield s.Violation(
            say("{unit} is not one of the corps to be deployed", unit=order.unit),
            at=("unit",),
            hint=a_few(stage.corps),
        )
        return
    yield from corps_has_to_come_in(position, order.unit, order.to, say("remove a division first"))
    if order.to_reserve:
        yield s.Violation(
            say("no unit makes room for a corps that a card brings"),
            at=("to_reserve",),
            hint=say("leave to_reserve out"),
        )


@CITE.check("8.5.2.5")
def division_pays_for_corps(
    stage: CorpsReinforcing, position: Position, order: Remove
) -> Iterator[s.Violation]:
    """One eligible division pays, and its removal leaves room for all corps."""
    payers = removable(position, stage.card)
    if order.unit not in payers:
        yield s.Violation(
            say("{unit} cannot be removed for the corps", unit=order.unit),
            at=("unit",),
            hint=say("it may be {payers}", payers=any_of(payers)),
        )
    elif not makes_room(position, order.unit, stage.corps):
        yield s.Violation(
            say("removing {unit} still leaves no space for the corps", unit=order.unit),
            at=("unit",),
            rule="8.5.2.2",
        )


@value
class CorpsReinforcing(s.PlayerStage[Position]):
    """8.5.2.4, 8.5.2.5: the corps of a card are placed, and one division is removed."""

    side: s.Side
    card: str
    corps: tuple[str, ...]
    paid: bool = False

    def ask(self, position: Position) -> s.Decision | None:
        ways = {Deploy: self._deploys, Remove: self._removes}
        first = {verb: next(orders(position), None) for verb, orders in ways.items()}
        default = first[Deploy] or first[Remove]
        if default is None:
            return None
        options = tuple(
            s.Option(verb, examples=s.listed(partial(orders, position)))
            for verb, orders in ways.items()
            if first[verb]
        )
        return s.Decision(
            side=self.side,
            stage="corps of a card",
            prompt=self._prompt(),
            rule="8.5.2.4" if self.corps else "8.5.2.5",
            options=options,
            default=default,
        )

    def _prompt(self) -> Said:
        """An imperative sentence for what is still to do."""
        if not self.corps:
            return say("remove the division that pays for the corps")
        return say(
            "deploy {corps}" if self.paid
            else "deploy {corps}, and remove a division to pay for it",
            corps=tuple(self.corps),
        )  # fmt: skip

    def _deploys(self, position: Position) -> Iterator[s.Order]:
        # If only a removal makes the last place, the corps before it may still be deployed: each
        # takes one of the places that the card was judged by.
        for corps in self.corps:
            for space in corps_spaces(position, corps):
                yield Deploy(corps, space)

    def _removes(self, position: Position) -> Iterator[s.Order]:
        if not self.paid:
            for unit in removable(position, self.card):
                if makes_room(position, unit, self.corps):
                    yield Remove(unit)

    check = s.by_verb(
        {
            Deploy: s.checks((corps_comes_in_where_it_may,)),
            Remove: s.checks((division_pays_for_corps,)),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Remove):
            return s.Outcome((e.UnitDisbanded(order.unit),), keep=replace(self, paid=True))
        assert isinstance(order, Deploy)
        left = tuple(corps for corps in self.corps if corps != order.unit)
        return s.Outcome((e.UnitPlaced(order.unit, order.to),), keep=replace(self, corps=left))


# --- losses that a card demands -----------------------------------------------------------------


@CITE.refusal("8.5.1.1")
def is_one_of_the_units(
    stage: ForcedRemoval, position: Position, order: Remove
) -> Iterator[s.Violation]:
    """The unit is one of those the card lets the player choose from."""
    if order.unit not in stage.units:
        yield s.Violation(
            say("{unit} is not among the units to choose from", unit=order.unit),
            at=("unit",),
            hint=a_few(stage.units),
        )


@value
class ForcedRemoval(s.PlayerStage[Position]):
    """A card removes one of these units, and this side chooses which."""

    side: s.Side
    units: tuple[str, ...]
    card: str

    def ask(self, position: Position) -> s.Decision | None:
        if not self.units:
            return None
        # reading: card N31, card R47, the default loss is a reduced unit first, then by stack
        # order.
        first = min(self.units, key=lambda unit: not position.is_reduced(unit))
        return s.Decision(
            side=self.side,
            stage="loss by an event",
            prompt=say(
                "choose the unit that {card} removes from the game",
                card=say(position.card(self.card).title),
            ),
            rule="8.5.1.1",
            options=(s.Option(Remove, {"unit": s.OneOf(self.units)}),),
            default=Remove(first),
            policy="forced",
        )

    check = s.checks((is_one_of_the_units,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Remove)
        return s.Outcome((e.UnitDisbanded(order.unit),))


# --- enemy ground -------------------------------------------------------------------------------


@CITE.refusal("card N48")
def town_may_rise(stage: Uprising, position: Position, order: Deploy) -> Iterator[s.Violation]:
    """The Insurrection is placed in an empty enemy port or province capital."""
    if order.unit != stage.unit:
        yield s.Violation(say("only {unit} can be placed now", unit=stage.unit), at=("unit",))
    places = places_of_revolt(position, stage.side)
    if order.to not in places:
        yield s.Violation(
            say("no insurrection is possible in {to}", to=position.called(order.to)),
            at=("to",),
            hint=say("it is possible in {places}", places=any_of(position.names_of(places))),
        )


@value
class Uprising(s.PlayerStage[Position]):
    """N48: asks where the Insurrection breaks out; the space changes control at once."""

    side: s.Side
    unit: str

    def ask(self, position: Position) -> s.Decision | None:
        ready = tuple(Deploy(self.unit, each) for each in places_of_revolt(position, self.side))
        if not ready:
            return None
        return s.Decision(
            side=self.side,
            stage="insurrection",
            prompt=say("choose where the insurrection breaks out"),
            rule="8.5.1.1",
            options=(s.Option(Deploy, examples=s.listed(ready)),),
            default=ready[0],
        )

    check = s.checks((town_may_rise,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Deploy)
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(e.UnitPlaced(order.unit, order.to))
        take_space(story, order.to, NATIONALIST)
        return story.outcome()


PLAN_P = "beach_head_plan_p"
"""The space that exists while the Beach Head of Plan P is on the map."""


def landing_divisions(position: Position) -> tuple[str, ...]:
    """The Popular Army divisions of the Reserve Box."""
    reserve = position.units_in(RESERVE, REPUBLICAN)
    return tuple(unit for unit in reserve if position.type_of(unit).kind == "RPA")


@CITE.refusal("8.5.6.1")
def coast_is_open_to_plan_p(stage: PlanP, position: Position, order: Land) -> Iterator[s.Violation]:
    """The landing is on a Nationalist coast of the Mediterranean within three spaces."""
    for violation in has_to_land_next_to(position, landing_coasts(position), order.space):
        yield replace(violation, rule=why_no_plan_p(position, order.space))


@CITE.check("8.5.6.3")
def popular_army_lands(stage: PlanP, position: Position, order: Land) -> Iterator[s.Violation]:
    """The unit that lands is a Popular Army division in the Reserve Box."""
    ready = landing_divisions(position)
    if order.unit not in ready:
        yield s.Violation(
            say("{unit} cannot land", unit=order.unit), at=("unit",), hint=a_few(ready)
        )


@value
@CITE.rule("8.5.6.5")
class PlanP(s.PlayerStage[Position]):
    """8.5.6: a beach head without a deadline, and the division that lands on it."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        coasts, divisions = landing_coasts(position), landing_divisions(position)
        if not coasts or not divisions:
            return None
        return s.Decision(
            side=self.side,
            stage="landing",
            prompt=say("choose a division to land, and the space it lands next to"),
            rule="8.5.6.1",
            options=(s.Option(Land, {"unit": s.OneOf(divisions), "space": s.OneOf(coasts)}),),
            default=Land(divisions[0], coasts[0]),
        )

    check = s.checks((coast_is_open_to_plan_p, popular_army_lands))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Land)
        beach = rare.BeachHeadPlaced(PLAN_P, order.space, REPUBLICAN)
        strength = position.is_reduced(order.unit)
        return s.Outcome((beach, e.UnitPlaced(order.unit, PLAN_P, strength)))

"""Building blocks of many events: only points, lasting facts, units, operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pbem.engine.model import Outcome, Side, Stage, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects.registry import Allowed, effect
from pbem.games.crusade.position import POOL, Position
from pbem.games.crusade.rules.engagement import boost_of
from pbem.games.crusade.rules.reinforcement import spaces_for
from pbem.games.crusade.rules.removal import makes_room, removable
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.stages.activation import Activation
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.games.crusade.stages.activation import Activation


def counts_only(position: Position, side: Side) -> Outcome:
    """Changes only the Victory Points and the morale of the card."""
    return Outcome()


def begins(flag: str) -> Outcome:
    """Sets a lasting fact."""
    return Outcome((e.FlagSet(flag),))


@CITE.rule("16.6.1")
def from_pool(position: Position, kind: str, count: int) -> tuple[str, ...]:
    """The next units of a type or tag that have not been in play, in stack order."""
    fitting = (
        unit
        for unit in position.units_in(POOL)
        if position.type_of(unit).id == kind or position.type_of(unit).has(kind)
    )
    return tuple(fitting)[:count]


def waiting(position: Position, side: Side, kind: str) -> tuple[str, ...]:
    """The units of a side and a type that have not been in play, in stack order."""
    own = position.units_in(POOL, side)
    return tuple(unit for unit in own if position.type_of(unit).id == kind)


def brings(kind: str, deployed: int, in_all: int, where: str, beside: str = "") -> Allowed:
    """8.5.2.2: a reinforcement is played only if all its units can be placed.

    `beside` is another type of which one unit goes to the Reserve Box.
    """

    def allowed(position: Position, side: Side) -> Iterator[Violation]:
        yield from _all_can_be_placed(position, kind, deployed, in_all, where)
        yield from _one_is_left(position, beside)

    return allowed


@CITE.check("8.5.2.2")
def _all_can_be_placed(
    position: Position, kind: str, deployed: int, in_all: int, where: str
) -> Iterator[Violation]:
    """Requires enough units in the box, and a place for each that must be deployed."""
    units = from_pool(position, kind, in_all)
    if len(units) < in_all:
        yield Violation(
            say("only {number} {kind} are left to bring in", number=len(units), kind=kind),
            ("card",),
        )
    elif places_in_all(position, units[0], where) < deployed:
        yield Violation(say("the map has no space for its units"), ("card",))


@CITE.refusal("8.5.2.2")
def _one_is_left(position: Position, beside: str) -> Iterator[Violation]:
    """Requires a unit of the other type, if the card brings one."""
    if beside and not from_pool(position, beside, 1):
        yield Violation(say("no {beside} is left to bring in", beside=beside), ("card",))


def places_in_all(position: Position, unit: str, where: str) -> int:
    """The number of units like this one that would find a place."""
    spaces = spaces_for(position, unit, where)
    return sum(room_in(position, space) for space in spaces)


def reinforcements(
    position: Position, side: Side, kind: str, deployed: int, in_all: int, where: str
) -> tuple[Stage[Position], ...]:
    """A number of them are placed where the card says; the others go to the Reserve Box."""
    from pbem.games.crusade.stages.event_choices import Reinforcing, RestToReserve

    units = from_pool(position, kind, in_all)
    return (Reinforcing(side, units, deployed, where), RestToReserve(units))


# --- corps --------------------------------------------------------------------------------------


def corps_find_a_place(card: str) -> Allowed:
    """Requires places for all corps of the card, and a division to remove for them."""

    def allowed(position: Position, side: Side) -> Iterator[Violation]:
        payers = removable(position, card)
        yield from _a_division_pays(payers)
        yield from _corps_can_be_placed(position, card, payers)

    return allowed


@CITE.refusal("8.5.2.5")
def _a_division_pays(payers: tuple[str, ...]) -> Iterator[Violation]:
    """Requires a division to remove for the corps."""
    if not payers:
        yield Violation(say("there is no division to remove for the corps"), ("card",))


@CITE.check("8.5.2.2/a")
def _corps_can_be_placed(
    position: Position, card: str, payers: tuple[str, ...]
) -> Iterator[Violation]:
    """Requires places for all corps after removing some division for them."""
    corps = position.card(card).corps
    if payers and not any(makes_room(position, unit, corps) for unit in payers):
        yield Violation(say("the map does not have a space for each of its corps"), ("card",))


def brings_corps(card: str) -> None:
    """Registers a card whose event is only its corps and their price."""
    from pbem.games.crusade.stages.event_units import CorpsReinforcing

    @effect(card, allowed=corps_find_a_place(card))
    def deploy(position: Position, side: Side) -> Outcome:
        return Outcome(then=(CorpsReinforcing(side, card, position.card(card).corps),))


# --- operations ---------------------------------------------------------------------------------


def operations(position: Position, side: Side, card: str) -> Activation:
    """Operations with the card's value, and the event's effect on the attacks of the round."""
    return Activation(side, position.card(card).ops, boost=boost_of(position, card))


def attack_markers(position: Position, side: Side, card: str) -> Activation:
    """A number of attack markers without movement, and the event's effect on these attacks."""
    markers = position.card(card).params["activate"]["free"]
    return Activation(side, markers, attack_only=True, boost=boost_of(position, card))


def gives(card: str, build: Callable[[Position, Side, str], Activation]) -> None:
    """Registers a card whose event is only operations or attack markers."""

    @effect(card)
    def conduct(position: Position, side: Side) -> Outcome:
        return Outcome(then=(build(position, side, card),))


def counterattack(card: str) -> None:
    """Registers a strategic counterattack: operations, and after all attacks its bonus (8.5.5)."""
    from pbem.games.crusade.stages.event_operations import Prize

    @effect(card)
    def conduct(position: Position, side: Side) -> Outcome:
        return Outcome(then=(operations(position, side, card), Prize(side, card)))


# --- the turn -----------------------------------------------------------------------------------


def for_this_turn(mark: str) -> Outcome:
    """Sets a fact that ends with the turn."""
    return Outcome((e.TurnMarkSet(mark),))

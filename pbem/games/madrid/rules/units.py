"""5, 9, 9.8: which units may act, what that costs, and their factors."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import Named, in_turn, of_the_enemy
from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import GARRISON_BOTH
from pbem.games.madrid.orders import STOP, Assault, Attack, Bombard, Move, Successor
from pbem.games.madrid.position import BOMBARDED, ENTERED, TRACK, Position
from pbem.games.madrid.rules.asks import OfASide
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.tables import ENEMY, SIDES
from pbem.messages import Said, say, say_many

Activating = Move | Bombard | Attack | Assault
BOTH_PASS = 2
"""The number of passes in a row that ends the activations."""


def units_of(order: Activating) -> tuple[str, ...]:
    """The units an order activates."""
    return order.guns if isinstance(order, Bombard) else order.units


def units_field(order: Activating) -> str:
    """The field of an order in which the units it activates are."""
    return "guns" if isinstance(order, Bombard) else "units"


@CITE.rule("9.8")
def strength_of(position: Position, unit: str) -> int:
    """A unit's factor in combat, counter-attack and defensive fire; fresh artillery counts 1."""
    if position.is_gun(unit):
        return 1 if position.is_fresh(unit) else 0
    return position.attack_of(unit)


@CITE.rule("12.2.g")
def locked_units(position: Position) -> frozenset[str]:
    """The garrison of Madrid, if it is not released yet; it may defend and fire."""
    # reading: a bombardment or a Nationalist unit in the city is enough.
    met = {BOMBARDED, ENTERED} & position.facts
    is_released = len(met) >= (2 if GARRISON_BOTH in position.options else 1)
    is_bound = position.has("garrison") and not is_released
    return position.board.garrison if is_bound else frozenset()


def ready_stacks(position: Position, side: Side) -> dict[str, tuple[str, ...]]:
    """The units of a side that may be activated, by place.

    A place whose first unit comes before that of another in the list of units is before it.
    """
    rank = position.board.rank
    found = sorted(_ready(position, side), key=lambda stack: rank[stack[1][0]])
    return dict(found)


@CITE.serves("1.1.3", "9.0.1")
def _ready(position: Position, side: Side) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each place with units that may be activated: fresh, on the map, not locked."""
    on_map, idle = position.board.places, position.spent | locked_units(position)
    for place, units in position.stacks[side].items():
        ready = tuple([unit for unit in units if unit not in idle]) if place in on_map else ()
        if ready:
            yield place, ready


@CITE.rule("4.3.b", "9.0.2")
def phase_is_over(position: Position) -> bool:
    """Whether the impulses end: both sides passed in a row, or no unit is left to activate."""
    # reading: the phase ends when the last unit has been activated, whatever chits are in hand.
    # Units that cannot be activated (a garrison that still waits) do not keep it open.
    return position.passes >= BOTH_PASS or not any(any(_ready(position, side)) for side in SIDES)


@CITE.serves("9.0.2")
def passes_unasked(position: Position, side: Side) -> bool:
    """Whether a side can only pass: it has no chit in hand, and no unit that may be activated."""
    return not (position.hands[side] or any(_ready(position, side)))


@CITE.serves("15.CR7", "9.0.2")
def may_go_on(position: Position, side: Side) -> bool:
    """Whether a second impulse, for one chit of the hand, could be more than a pass."""
    # reading: a chit is not spent on an impulse that does not come, so it is not asked for either.
    acts = len(position.hands[side]) > 1 or any(_ready(position, side))
    return acts and not phase_is_over(position)


@CITE.rule("9.4.2.a", "9.4.3.e")
def price(position: Position, order: Activating) -> int:
    """The support points of an activation: its costs add up."""
    costs = position.board.charts["costs"]
    units = units_of(order)
    total: int = costs["crowd"] if len(units) > costs["units"] else 0
    if isinstance(order, Bombard) and len(units) > costs["guns"]:
        total += costs["battery"]
    if isinstance(order, Attack | Assault) and order.prepared:
        total += costs["prepared"]
    return total


def _when_it_comes(position: Position, unit: str) -> Said:
    """Why a unit is not on the map, and when it arrives."""
    turn = position.unit(unit).turn
    if position.places[unit] != TRACK:
        return say("it is eliminated")
    return (
        say("it arrives on turn {turn}", turn=turn)
        if turn > position.turn
        else say("it has not arrived yet")
    )


def units_of_the_enemy(position: Position, side: Side, order: Activating) -> list[Named]:
    """The units that an order would activate although they are not of this side."""
    return [
        Named("unit", unit, (units_field(order), at))
        for at, unit in enumerate(units_of(order))
        if position.board.side_of.get(unit) != side
    ]


# ------------------------------------------------------------------- checks


@CITE.refusal("9.0.1")
def activates_own_units(
    stage: OfASide, position: Position, order: Activating
) -> Iterator[Violation]:
    """Units of one side, of one place, each named once."""
    units, seen = units_of(order), set[str]()
    start = position.places.get(units[0], "") if units else ""
    if not units:
        yield Violation(
            say("no unit is named"), (units_field(order),), hint=say("name the units that act")
        )
    if theirs := units_of_the_enemy(position, stage.side, order):
        enemy = ENEMY[stage.side].capitalize()
        yield of_the_enemy(
            theirs, len(units), position.called(theirs[0].name), stage.side.capitalize(), enemy,
            hint=say("pbem status lists yours, and where they are"),
        )  # fmt: skip
    for at, unit in enumerate(units):
        path = (units_field(order), at)
        if position.board.side_of.get(unit) != stage.side:
            continue
        if not position.is_on_map(unit):
            message = say("{unit} is not on the map", unit=position.called(unit))
            yield Violation(message, path, hint=_when_it_comes(position, unit))
        elif unit in seen:
            yield Violation(
                say("{unit} is named twice", unit=position.called(unit)),
                path,
                hint=say("name it once"),
            )
        elif position.places[unit] != start:
            message = say(
                "{unit} is in {place}",
                unit=position.called(unit),
                place=position.called(position.places[unit]),
            )
            yield Violation(
                message,
                path,
                hint=say(
                    "all units must be in one area, such as {start}", start=position.called(start)
                ),
            )
        seen.add(unit)


@CITE.check("1.1.3")
def activates_fresh_units(
    stage: OfASide, position: Position, order: Activating
) -> Iterator[Violation]:
    for at, unit in enumerate(units_of(order)):
        if not position.is_fresh(unit):
            message = say("{unit} is spent", unit=position.called(unit))
            hint = say("only fresh units can act; spent units can only defend")
            yield Violation(message, (units_field(order), at), hint=hint)


@CITE.refusal("12.2.g")
def leaves_the_garrison(
    stage: OfASide, position: Position, order: Activating
) -> Iterator[Violation]:
    locked = locked_units(position)
    for at, unit in enumerate(units_of(order)):
        if unit in locked:
            message = say("{unit} is the garrison of Madrid", unit=position.called(unit))
            hint = say("the garrison waits until Madrid is bombarded or entered")
            yield Violation(message, (units_field(order), at), hint=hint)


@CITE.refusal("9.0.1")
def stands_where_it_says(
    stage: OfASide, position: Position, order: Activating
) -> Iterator[Violation]:
    here = position.places[units_of(order)[0]]
    if order.start not in ("", here):
        message = say("the units are in {here}", here=position.called(here))
        yield Violation(
            message, ("from",), hint=say("write from: {here}, or leave it out", here=here)
        )


@CITE.refusal("9.6.c")
def loses_of_its_own(stage: OfASide, position: Position, order: Activating) -> Iterator[Violation]:
    """A unit that an order names for losses takes part in the order."""
    said = () if isinstance(order, Bombard) else order.losses
    for at, unit, is_again in in_turn(said):
        if unit not in units_of(order):
            message = say("{unit} does not take part", unit=position.called(unit))
            yield Violation(message, ("losses", at), hint=say("name units of this order"))
        elif is_again:
            message = say("{unit} is named twice", unit=position.called(unit))
            yield Violation(message, ("losses", at), hint=say("name it once"))


@CITE.refusal("9.5.g")
def names_its_successor(
    stage: OfASide, position: Position, order: Activating
) -> Iterator[Violation]:
    said = order.if_point_hit if isinstance(order, Assault) else ""
    if isinstance(said, Successor):
        others = [unit for unit in units_of(order) if unit != order.point]
        if said.point not in others:
            at = ("if_point_hit", "point")
            message = say(
                "{point} cannot take the place of the point unit", point=position.called(said.point)
            )
            hint = (
                say("name one of {names}", names=names_of(position, others))
                if others
                else say("no other unit is there")
            )
            yield Violation(message, at, hint=hint)
    elif said not in ("", STOP):
        hint = say("write if_point_hit: {stop}, or if_point_hit: {point: ...}", stop=STOP)
        yield Violation(say("no answer is {said}", said=repr(said)), ("if_point_hit",), hint=hint)


@CITE.check("5.3")
def can_pay(stage: OfASide, position: Position, order: Activating) -> Iterator[Violation]:
    cost, there = price(position, order), position.support[stage.side]
    if cost > there:
        message = say_many(
            "cost",
            "this costs {cost} support point, and you have {there}",
            "this costs {cost} support points, and you have {there}",
            cost=cost,
            there=there,
        )
        hint = say("up to five units, two guns and an unprepared attack cost nothing")
        yield Violation(message, (units_field(order),), hint=hint)


UNIT_CHECKS = (
    (activates_own_units,),
    (activates_fresh_units, leaves_the_garrison, can_pay, stands_where_it_says, loses_of_its_own,
     names_its_successor),
)  # fmt: skip
"""Rows of checks of the units of an order."""

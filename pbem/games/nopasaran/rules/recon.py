"""21: reconnaissance on the ground, and the reaction to it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import SLOPES
from pbem.games.nopasaran.orders import React, Scout
from pbem.games.nopasaran.position import March, Position
from pbem.games.nopasaran.rules import combat, factors, movement, ways
from pbem.games.nopasaran.rules.asks import OfASide, Reacts
from pbem.games.nopasaran.rules.cover import who_could
from pbem.games.nopasaran.rules.naming import (
    any_in_list,
    any_unit,
    called,
    not_on_map,
    place,
    points_told,
)
from pbem.games.nopasaran.tables import ARMOUR, CAVALRY, ENEMY, KINDS, TANK
from pbem.messages import say, say_many

SCOUTS = (CAVALRY, TANK, ARMOUR)


@CITE.check("21")
def scouts_with_riders(stage: OfASide, position: Position, order: Scout) -> Iterator[Violation]:
    """Cavalry, tanks and armour, next to enemies."""
    unit = order.unit
    if not position.at(unit):
        yield not_on_map(position, unit, ("unit",))
        return
    yield from movement.why_not_now(position, unit, ("unit",))
    # reading: 10, a look is part of the movement, and those who move with the unit may go on.
    yield from movement.why_halted(position, unit, ("unit",))
    if order.picks and position.is_open:
        yield Violation(say("all counters lie open in this game"), ("picks",),
                        hint=say("leave it out"))  # fmt: skip
    if position.printed(unit).type not in SCOUTS:
        yield Violation(
            say("{unit} does not reconnoitre", unit=called(position, unit)), ("unit",),
            hint=say("cavalry, tanks and armour do"),
        )  # fmt: skip
    here = position.at(unit)
    if order.hex not in position.ground.around[here] or (
        position.holder(order.hex) != ENEMY[stage.side]
    ):
        near = [hex for hex in position.ground.around[here]
                if position.holder(hex) == ENEMY[stage.side]]  # fmt: skip
        is_near = order.hex in position.ground.around[here]
        yield Violation(
            say("no enemy is in {hex}" if is_near else "{hex} is not next to {here}",
                hex=place(position, order.hex), here=place(position, here)), ("hex",),
            hint=say("it may be {hexes}", hexes=any_in_list(near)) if near
            else say("move next to the enemy first"),
        )  # fmt: skip


@CITE.check("21.p5")
def could_go_there(stage: OfASide, position: Position, order: Scout) -> Iterator[Violation]:
    """Into a hex that the unit could enter; tanks and armour over no slope without a road."""
    unit, here, there = order.unit, position.at(order.unit), order.hex
    cost = scout_cost(position, unit, there)
    if cost is None:
        yield Violation(movement.why_prohibited(position, unit, here, there), ("hex",),
                        hint=say("look where it could go"))  # fmt: skip
        return
    printed = position.printed(unit)
    by_road = ways.road_cost(position, here, there, KINDS.index(printed.kind), printed.side)
    slopes = set(position.ground.sides.between(here, there)) & set(SLOPES)
    if printed.is_armoured and slopes and by_road is None:
        yield Violation(say("{unit} looks over no slope without a road",
                            unit=called(position, unit)), ("hex",),
                        hint=say("look where a road leads"))  # fmt: skip
    has = factors.left_to_spend(position, unit)
    if cost > has:
        yield Violation(
            say_many("needs", "looking there costs {unit} {needs} movement point, and it has {has}",
                     "looking there costs {unit} {needs} movement points, and it has {has}",
                     unit=called(position, unit), needs=points_told(cost), has=points_told(has)),
            ("unit",), rule="21", hint=say("it costs as much as going there"),
        )  # fmt: skip


def scout_cost(position: Position, unit: str, hex: str) -> int | None:
    """What looking into a hex costs: as much as entering it, with what interdicts that."""
    way = position.at(unit), hex
    by_road = movement.roads_count(position, (unit,), way)
    return movement.path_cost(position, (unit,), unit, way, by_road=by_road)


def march_with_look(position: Position, unit: str, hex: str) -> March:
    """The march of a unit in this activation, with what it pays for looking into a hex."""
    way = position.at(unit), hex
    by_road = movement.roads_count(position, (unit,), way)
    return movement.march_after(position, (unit,), unit, way, by_road=by_road)


@CITE.rule("21.1", "21.1.b1", "21.1.b2", "21.1.b3")
def modified(position: Position, hex: str, die: int) -> int:
    """The die of reconnaissance with what cover adds."""
    # reading: the modified number counts both for success and for what it tells.
    return die + position.terrain(hex).land


def succeeds(position: Position, unit: str, number: int) -> bool:
    """Whether a modified die is within the effectiveness of the unit (21)."""
    return number <= factors.effectiveness(position, unit)


def may_react(position: Position, hex: str, unit: str) -> tuple[str, ...]:
    """The units of a hex that may attack one whose reconnaissance has failed (21.2); none that has
    helped across a river today (20.9).
    """
    here = position.at(unit)

    def could(supposed: Position, piece: str) -> bool:
        return combat.can_attack(supposed, piece) and combat.reaches(supposed, piece, here)

    # A counter face down may react if some unit could that it may be; then it is shown.
    return tuple(
        each
        for each in position.stacks.get(hex, ())
        if not ways.has_helped(position, each)
        and (who_could(position, each, could) if is_tag(each) else could(position, each))
    )


@CITE.check("21.2")
def reacts_with_those_there(stage: Reacts, position: Position, order: React) -> Iterator[Violation]:
    able = stage.able(position)
    for at, unit, is_again in in_turn(order.units):
        if unit not in able or is_again:
            yield Violation(
                say("{unit} cannot react", unit=called(position, unit)), ("units", at),
                hint=say("it may be {units}", units=any_unit(position, able)),
            )  # fmt: skip
    if order.primary and order.primary not in order.units:
        why = say("{unit} does not attack", unit=called(position, order.primary))
        yield Violation(why, ("primary",), rule="12.5", hint=say("name one of the attackers"))
    if order.units and not any(combat.strength(position, order.units, "regular").values()):
        yield Violation(say("the attack factors come to nothing"), ("units",), rule="4.1",
                        hint=say("do not react"))  # fmt: skip

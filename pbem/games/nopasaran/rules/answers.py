"""12, 11.3: what the players of a combat may answer, and who is left in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.mentions import in_turn
from pbem.engine.model import Violation
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Combat, Position
from pbem.games.nopasaran.rules import artillery, combat, stacking
from pbem.games.nopasaran.rules.asks import AnswersGuns, Leads, OfASide, Supports
from pbem.games.nopasaran.rules.naming import (
    any_in_list,
    any_unit,
    called,
    every_unit,
    in_list,
    named_twice,
    place,
)
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import say, say_many
from pbem.value import replace


def combat_of(position: Position) -> Combat:
    """The combat that is being resolved."""
    assert position.combat is not None
    return position.combat


def _of_key(violation: Violation) -> Violation:
    """The same fault of a key."""
    return replace(violation, is_key=True)


def attackers_left(position: Position) -> tuple[str, ...]:
    """The attackers that are still there."""
    return tuple(unit for unit in combat_of(position).attackers if position.at(unit))


def defenders_left(position: Position) -> tuple[str, ...]:
    """All units of the defender in the hex, headquarters too."""
    fight = combat_of(position)
    return position.units_at(fight.hex, ENEMY[fight.side])


@CITE.rule("12.4.p5")
def spread(position: Position, guns: Sequence[str]) -> Mapping[str, str]:
    """Batteries with attacking hexes in their range, at as many different ones as they can reach
    together; those for whom none is left fire where fewest do.
    """
    hexes = combat_of(position).fought_from
    able = {gun: [hex for hex in hexes if artillery.in_range(position, gun, (hex,))]
            for gun in guns}  # fmt: skip
    firing: dict[str, str] = {}
    for gun in guns:
        _give_a_hex(gun, able, firing, set())
    found = {gun: hex for hex, gun in firing.items()}
    for gun in guns:
        if gun not in found:
            fired_at = list(found.values())
            found[gun] = min(able[gun], key=lambda hex: (fired_at.count(hex), hexes.index(hex)))
    return {gun: found[gun] for gun in guns}


@CITE.serves("12.4.p5")
def _give_a_hex(
    gun: str, able: Mapping[str, Sequence[str]], firing: dict[str, str], tried: set[str]
) -> bool:
    """Whether a battery gets a hex of its own, one that is free or that another can leave to it;
    `firing` has the battery at each hex.
    """
    for hex in able[gun]:
        if hex in tried:
            continue
        tried.add(hex)
        if hex not in firing or _give_a_hex(firing[hex], able, firing, tried):
            firing[hex] = gun
            return True
    return False


@CITE.refusal("12.4.p3")
def supports_the_defence(
    stage: Supports, position: Position, order: o.Defend
) -> Iterator[Violation]:
    able, flying = stage.whole(position).guns, stage.whole(position).air
    hexes = combat_of(position).fought_from
    for gun, hex in order.guns.items():
        if gun not in able:
            yield _of_key(artillery.why_no_fire(position, gun, hexes[0], ("guns", gun),
                                                tuple(able), "12.4.p3"))  # fmt: skip
        elif hex not in hexes or not artillery.in_range(position, gun, (hex,)):
            yield Violation(
                say("{unit} cannot fire at {hex}", unit=called(position, gun),
                    hex=place(position, hex)),
                ("guns", gun), rule="12.4.p5",
                hint=say("it names an attacking hex in its range: {hexes}", hexes=in_list(
                    each for each in hexes if artillery.in_range(position, gun, (each,)))),
            )  # fmt: skip
    for at, unit, is_again in in_turn(order.air):
        if unit not in flying or is_again:
            yield Violation(
                say("{unit} is not on close support here", unit=called(position, unit)),
                ("air", at), rule="12.4.p4",
                hint=say("it may be {units}", units=any_unit(position, flying))
                if flying else say("no aircraft lies with the headquarters of the defenders"),
            )  # fmt: skip


@CITE.refusal("12.4.p5")
def fires_at_different_hexes(
    stage: Supports, position: Position, order: o.Defend
) -> Iterator[Violation]:
    """No two batteries fire at one attacking hex while they could fire at two."""
    best = len(set(spread(position, tuple(order.guns)).values())) if order.guns else 0
    if len(set(order.guns.values())) < best:
        yield Violation(
            say("the batteries could fire at {number} different hexes", number=best), ("guns",),
            hint=say("name different attacking hexes as far as their range allows"),
        )  # fmt: skip


@CITE.refusal("12.5")
def leads_if_able(stage: Leads, position: Position, order: o.Lead) -> Iterator[Violation]:
    able = stage.able(position)
    if order.unit not in able:
        yield Violation(
            say("{unit} cannot lead here", unit=called(position, order.unit)) if order.unit
            else say("no unit is named"),
            ("unit",), hint=say("it may be {units}", units=any_unit(position, able)),
        )  # fmt: skip


@CITE.refusal("12.3.2")
def advances_who_fought(
    stage: OfASide, position: Position, order: o.Advance
) -> Iterator[Violation]:
    left, hex = attackers_left(position), combat_of(position).hex
    for at, unit, is_again in in_turn(order.units):
        if unit not in left:
            yield Violation(
                say("{unit} is not one of the attackers", unit=called(position, unit)),
                ("units", at), hint=say("name {units}", units=every_unit(position, left)),
            )  # fmt: skip
        elif is_again:
            yield named_twice(position, unit, ("units", at))
        elif unit not in combat.advancing(position, left, hex):
            yield combat.cannot_go_in(position, unit, hex, ("units", at))
    over = stacking.excess(position, hex, order.units)
    if over:
        yield Violation(
            say_many("over", "{hex} would hold {over} troop point too many",
                     "{hex} would hold {over} troop points too many", hex=place(position, hex),
                     over=over),
            ("units",), rule="8", hint=say("advance with fewer units"),
        )  # fmt: skip


@CITE.refusal("12.3.1.p3")
def attacks_again(stage: OfASide, position: Position, order: o.Again) -> Iterator[Violation]:
    left, fight = attackers_left(position), combat_of(position)
    if order.fall_back and (order.primary or isinstance(order.support, o.Backing)):
        part = "primary" if order.primary else "support"
        yield Violation(say("units that fall back do not attack"), (part,),
                        hint=say("fall_back: false, or leave the attack out"))  # fmt: skip
    if order.primary and order.primary not in left:
        yield Violation(say("{unit} does not attack", unit=called(position, order.primary)),
                        ("primary",), rule="12.5",
                        hint=say("name {units}", units=every_unit(position, left)))  # fmt: skip
    if isinstance(order.support, o.Backing):
        yield from combat.support_faults(position, stage.side, fight.hex, left, combat.MOBILE,
                                         order.support, ("support",))  # fmt: skip


@CITE.refusal("11.3")
def answers_guns(
    stage: AnswersGuns, position: Position, order: o.Counterbattery
) -> Iterator[Violation]:
    if not order.guns and not order.hex:
        return
    if order.hex not in stage.targets(position):
        yield Violation(
            say("no guns fired from there that could be answered"), ("hex",),
            hint=say("it may be {hexes}", hexes=any_in_list(place(position, hex)
                                                        for hex in stage.targets(position))),
        )  # fmt: skip
        return
    able = artillery.counter_guns(position, stage.side, (order.hex,))
    if not order.guns:
        yield Violation(say("no battery is named"), ("guns",), hint=say("guns: [UNIT, ...]"))
    for at, gun, is_again in in_turn(order.guns):
        if is_again:
            yield named_twice(position, gun, ("guns", at))
        elif gun not in able:
            yield artillery.why_no_fire(position, gun, order.hex, ("guns", at), able)
    if {*order.guns} <= {*able}:
        yield from artillery.comes_to_nothing(position, order.guns, (), able)

"""11: guns, and the aircraft that help them: who may fire at what, and what it does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pbem.board.ledger import Ledger, counted, total
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import BRIDGE, RAIL, ROAD, UNITS, Bombard
from pbem.games.nopasaran.position import BOMB, DAMAGED, DESTROYED, NOTHING, Position
from pbem.games.nopasaran.rules import command, factors, movement, reports
from pbem.games.nopasaran.rules.activation import acts_with
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import any_in_list, any_unit, called, named_twice, place
from pbem.games.nopasaran.tables import ENEMY, FULL, rounded
from pbem.messages import say


def shot(position: Position) -> int:
    """What a bombardment costs a battery, in half points (11.1)."""
    return 2 * int(position.board.charts["bombardment"]["shot"])


@CITE.rule("11.1")
def can_fire(position: Position, gun: str) -> bool:
    """Whether a battery has points left for a shot, and supply to fire."""
    printed = position.printed(gun)
    return (
        printed.is_battery
        and bool(position.at(gun))
        and factors.left_to_spend(position, gun) >= shot(position)
        and bool(command.level_of(position, gun).attack)
    )


def in_range(position: Position, gun: str, hexes: Iterable[str]) -> bool:
    """Whether one of some hexes is within the range of a battery (11.2)."""
    here, reach = position.at(gun), position.printed(gun).range
    return any(position.ground.distance(here, hex) <= reach for hex in hexes)


def guns_on(
    position: Position, side: Side, hexes: Sequence[str], of: Collection[str] | None = None
) -> tuple[str, ...]:
    """The batteries of a side that could fire now at one of some hexes, in order; those of some
    formations, if they are given.
    """
    return tuple(
        unit
        for unit in position.board.batteries_of[side]
        if position.at(unit)
        and (of is None or acts_with(position, unit) in of)
        and in_range(position, unit, hexes)
        and can_fire(position, unit)
    )


@CITE.serves("2.6")
def may_have_guns_on(
    position: Position, side: Side, hexes: Sequence[str], of: Collection[str] | None = None
) -> bool:
    """Whether a counter face down of a side may be a battery that could fire at one of some hexes,
    as both players know; of some formations, if they are given.
    """
    return any(
        position.printed(unit).is_battery
        and (of is None or acts_with(position, unit, tag) in of)
        and any(position.ground.distance(position.at(tag), hex) <= position.printed(unit).range
                for hex in hexes)
        for tag in position.tags_of(side)
        if tag not in position.mixed
        for unit in position.may_be(tag)
    )  # fmt: skip


@CITE.rule("12.1.b4", "6.3")
def attack_guns(position: Position, side: Side, hex: str, units: Sequence[str]) -> tuple[str, ...]:
    """The batteries that may support an attack on a hex: all in range; where an attacker is out of
    command, those only that act with the formation to which it belongs for good.
    """
    # reading: any battery in range supports an attack; the bond to a formation is for the defence.
    # reading: 6.3, one attacker out of command denies the whole attack close support, and the
    # batteries of other formations than its own; its own is the one that it belongs to for good,
    # whoever it is assigned to.
    cut = [unit for unit in units if not command.in_command(position, unit)]
    formations = {position.home(unit) for unit in cut}
    return guns_on(position, side, (hex,), formations or None)


@CITE.rule("12.4.p3", "11.2.b2")
@CITE.serves("11.1.p3")
def defence_guns(
    position: Position, side: Side, defenders: Sequence[str], hexes: Sequence[str]
) -> tuple[str, ...]:
    """The batteries that may support a defence: of the formation of one of the defenders, within
    range of an attacking hex, and not attacked themselves, for those defend with their defence
    factor (11.1).
    """
    able = guns_on(position, side, hexes, formations_of(position, defenders))
    return tuple(gun for gun in able if gun not in defenders)


@CITE.serves("12.4.p3")
def formations_of(position: Position, defenders: Sequence[str]) -> frozenset[str]:
    """The formations whose batteries may support a defence."""
    return frozenset(acts_with(position, unit) for unit in _who_defend(position, defenders))


@CITE.serves("12.4.p4")
def defence_air(position: Position, defenders: Sequence[str]) -> tuple[str, ...]:
    """The aircraft on close support with a headquarters that commands one of the defenders."""
    return air_of(position, _who_defend(position, defenders))


@CITE.serves("12.4")
def _who_defend(position: Position, units: Sequence[str]) -> tuple[str, ...]:
    # reading: as a headquarters adds nothing to the defence of its hex (11.1), it brings it neither
    # the batteries of its formation nor the aircraft that lie with it.
    return tuple(unit for unit in units if not position.printed(unit).is_headquarters)


@CITE.rule("12.1.b3", "5.5.p5")
def attack_air(position: Position, units: Sequence[str]) -> tuple[str, ...]:
    """The aircraft on close support with a headquarters that commands one of the attackers; none
    for units out of command.
    """
    if not all(command.in_command(position, unit) for unit in units):
        return ()
    return air_of(position, units)


@CITE.rule("12.4.p4")
def air_of(position: Position, units: Iterable[str], *, in_command: bool = True) -> tuple[str, ...]:
    """The aircraft that lie with the headquarters of one of some units, and have not flown; with
    `in_command` only of those that are in command.
    """
    if not position.sky.flies:
        return ()
    headquarters = {
        position.headquarters_of(position.commander(unit))
        for unit in units
        if not in_command or command.in_command(position, unit)
    }
    # Only close support is flown with a headquarters, one of the own side.
    return tuple(
        unit
        for unit, mission in sorted(position.missions.items())
        if mission.target in headquarters and unit not in position.flown
    )


def why_no_fire(
    position: Position, gun: str, hex: str, path: tuple[str | int, ...], able: Sequence[str],
    of_others: str = "6.3",
) -> Violation:  # fmt: skip
    """Why a battery cannot fire there, with those that can; `of_others` is the rule that leaves it
    to batteries of other formations.
    """
    hint = (
        say("it may be {units}", units=any_unit(position, able)) if able else say("no battery can")
    )
    printed = position.printed(gun)
    if not printed.is_battery or not position.at(gun):
        message, rule = say("{unit} is not one of your batteries", unit=called(position, gun)), ""
    elif not in_range(position, gun, (hex,)):
        message = say(
            "{hex} is {far} hexes from {unit}, whose range is {range}", hex=place(position, hex),
            far=position.ground.distance(position.at(gun), hex), unit=called(position, gun),
            range=printed.range,
        )  # fmt: skip
        rule = "11.2"
    elif not command.level_of(position, gun).attack:
        message, rule = say("{unit} is without supply", unit=called(position, gun)), "6.5.b4"
    elif factors.left_to_spend(position, gun) < shot(position):
        message = say("{unit} has no points left for a shot", unit=called(position, gun))
        rule = "11.1"
    else:
        message = say("{unit} does not belong to the formation of those who fight there",
                      unit=called(position, gun))  # fmt: skip
        rule = of_others
    return Violation(message, path, rule=rule, hint=hint)


# ------------------------------------------------------------------- bombardment


@CITE.rule("5.2.2.bomb")
def bombers(position: Position, side: Side, hex: str) -> tuple[str, ...]:
    """The aircraft of a side with a bombing mission on a hex that is not flown yet (7.3.3)."""
    return tuple(
        unit
        for unit, mission in sorted(position.missions.items())
        if mission.kind == BOMB
        and mission.target == hex
        and position.board.air[unit].side == side
        and unit not in position.flown
    )


@CITE.check("11.2")
def fires_with_something(stage: OfASide, position: Position, order: Bombard) -> Iterator[Violation]:
    if not order.guns and not order.air:
        yield Violation(say("nothing bombards"), ("guns",),
                        hint=say("guns: [UNIT, ...], or air: [AIRCRAFT, ...]"))  # fmt: skip
    able = guns_on(position, stage.side, target_hexes(position, order))
    for at, gun, is_again in in_turn(order.guns):
        if is_again:
            yield named_twice(position, gun, ("guns", at))
        elif gun not in able:
            yield why_no_fire(position, gun, order.target, ("guns", at), able)
    flying = bombers(position, stage.side, order.target)
    for at, unit, is_again in in_turn(order.air):
        if unit not in flying or is_again:
            yield Violation(
                say("{unit} has no bombing mission on {hex} today", unit=called(position, unit),
                    hex=place(position, order.target)),
                ("air", at), rule="7.3.3",
                hint=say("it may be {units}", units=any_unit(position, flying))
                if flying else say("missions are written in the morning"),
            )  # fmt: skip
    if {*order.guns} <= {*able} and {*order.air} <= {*flying}:
        yield from comes_to_nothing(position, order.guns, order.air, able)


@CITE.refusal("4.1")
def comes_to_nothing(
    position: Position, guns: Sequence[str], air: Sequence[str], able: Sequence[str]
) -> Iterator[Violation]:
    """The fault of guns and aircraft whose factors are nothing together; `able` has the guns that
    could fire there.
    """
    # reading: who comes to nothing bombards nobody, as it would attack nobody; in the support of a
    # combat it adds nothing.
    if not (guns or air) or factor_of(position, guns, air):
        return
    others = [gun for gun in able if factors.fire(position, gun)]
    yield Violation(
        say("the bombardment factors come to nothing"), ("guns",) if guns else ("air",),
        hint=say("add others: {units}", units=any_unit(position, others)) if others
        else say("disorganised batteries and those with little supply count less"),
    )  # fmt: skip


@CITE.rule("11.2.b4")
def target_hexes(position: Position, order: Bombard) -> tuple[str, ...]:
    """The hexes of which one must be in range: for a bridge, both of its ends."""
    if order.at != BRIDGE:
        return (order.target,)
    return position.ground.bridges[order.bridge].between


@CITE.check("11.2.b1")
def fires_at_enemies(stage: OfASide, position: Position, order: Bombard) -> Iterator[Violation]:
    """Units of the enemy are in the hex, and its guns take part in no other business."""
    if order.at == UNITS and position.holder(order.target) != ENEMY[stage.side]:
        yield Violation(
            say("no enemy is in {hex}", hex=place(position, order.target)), ("target",),
            hint=say("name a hex with enemy units, or what else you fire at: "
                     "at: road, rail or bridge"),
        )  # fmt: skip


@CITE.refusal("11.2.b4")
def fires_at_what_is_there(
    stage: OfASide, position: Position, order: Bombard
) -> Iterator[Violation]:
    """A road, rail or bridge that is there, and is not destroyed; a bridge is named for nothing
    else.
    """
    ground, hex = position.ground, order.target
    state = ""
    if order.bridge and order.at != BRIDGE:
        yield Violation(say("a bridge is named, but not fired at"), ("bridge",),
                        hint=say("at: bridge; or leave `bridge` out"))  # fmt: skip
    if order.at in (ROAD, RAIL):
        there = ground.on_roads if order.at == ROAD else ground.on_rails
        if hex not in there:
            message = (
                say("no road runs through {hex}", hex=place(position, hex))
                if order.at == ROAD
                else say("no railway runs through {hex}", hex=place(position, hex))
            )
            yield Violation(message, ("at",), hint=say("fire at something else"))
            return
        state = (position.roads if order.at == ROAD else position.rails).get(hex, "")
    elif order.at == BRIDGE:
        bridges = ground.bridges_of(hex)
        bridge = next((each for each in bridges if each.id == order.bridge), None)
        named = ground.bridges.get(order.bridge)
        if bridge is None:
            yield Violation(
                movement.outside(*named.between)
                if named and hex in named.between
                else say("name the bridge of {hex}", hex=place(position, hex)), ("bridge",),
                hint=say("it may be {bridges}", bridges=any_in_list(each.id for each in bridges))
                if bridges else say("there is none"),
            )  # fmt: skip
            return
        state = position.state_of_bridge(bridge.id)
    if state == DESTROYED:
        yield Violation(say("it is destroyed already"), ("at",), rule="11.5.2",
                        hint=say("fire at something else"))  # fmt: skip


@CITE.rule("7.3.3")
def factor_of(
    position: Position, guns: Iterable[str], air: Iterable[str],
    shares: Mapping[str, int] = NOTHING,
) -> int:  # fmt: skip
    """The total factor of a bombardment, in this weather; `shares` has the quarters that
    antiaircraft fire leaves of aircraft (7.4).
    """
    flying = sum(
        rounded(position.board.air[unit].bombs, shares.get(unit, FULL), position.sky.support)
        for unit in air
    )
    return flying + sum(factors.fire(position, gun) for gun in guns)


@CITE.rule("11.4")
def fire_shifts(
    position: Position, side: Side, hex: str, at: str, *, by_guns: bool, only_guns: bool = False
) -> Ledger:
    """The columns of a bombardment: ground, works, spotting, and the troop points of units."""
    # reading: works do not shelter roads, rails and bridges; aircraft alone need no spotting;
    # against guns that are answered only their troop points count (11.3); who stands in the hex
    # itself sees it as those next to it do.
    entries = [("terrain", position.terrain(hex).fire)]
    if at == UNITS:
        works = position.works_at(hex)
        entries.append(("works", works.fire if works else 0))
        units = [unit for unit in position.stacks.get(hex, ())
                 if not only_guns or position.printed(unit).is_battery]  # fmt: skip
        troops = reports.troops_fired_at(position, units)
        entries.append(("troops", position.board.troops_shift(troops)))
    if by_guns and not is_spotted(position, side, hex):
        entries.append(("unspotted", position.board.charts["bombardment"]["unspotted"]))
    return counted(entries)


def is_spotted(position: Position, side: Side, hex: str) -> bool:
    """Whether a unit of a side is next to a hex, or in it."""
    return any(position.holder(near) == side for near in (hex, *position.ground.around[hex]))


def fire_column(
    position: Position, side: Side, order: Bombard, shares: Mapping[str, int] = NOTHING,
    *, only_guns: bool = False,
) -> int:  # fmt: skip
    """The column of a bombardment after its shifts; nothing shifts a factor of nothing."""
    table = position.board.losses_by_fire
    ledger = fire_shifts(position, side, order.target, order.at, by_guns=bool(order.guns),
                         only_guns=only_guns)  # fmt: skip
    factor = factor_of(position, order.guns, order.air, shares)
    return table.shifted(table.column(factor), total(ledger) if factor else 0)


@CITE.rule("11.5.3")
def can_lose(position: Position, hex: str, *, only_guns: bool = False) -> tuple[str, ...]:
    """The units of a hex that a bombardment can hit, from the top: no headquarters."""
    return tuple(
        unit
        for unit in position.stacks.get(hex, ())
        if not position.printed(unit).is_headquarters
        and (not only_guns or position.printed(unit).is_battery)
    )


@CITE.serves("11.5.1")
def worse(state: str, result: str) -> str:
    """What an installation is after a result: damage upon damage destroys (11.5.1)."""
    # reading: what is damaged and is damaged again is destroyed.
    if result == DAMAGED and state == DAMAGED:
        return DESTROYED
    return result


@CITE.rule("11.3", "11.2.b3")
def counter_guns(position: Position, side: Side, hexes: Sequence[str]) -> tuple[str, ...]:
    """The batteries of a side that may answer guns which have just fired from some hexes; none, if
    all of them come to nothing.
    """
    able = guns_on(position, side, hexes)
    return able if any(factors.fire(position, gun) for gun in able) else ()

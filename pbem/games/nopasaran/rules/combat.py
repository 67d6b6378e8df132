"""12: who attacks whom and how, and what both sides come to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pbem.board.ledger import Ledger, counted, total
from pbem.board.tables import clamp
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import CITY, GRID, MADRID
from pbem.games.nopasaran.options import ATTACK_INTO_ZONES
from pbem.games.nopasaran.orders import IMPROVISED, Attack, Backing, Following
from pbem.games.nopasaran.position import Combat, Position
from pbem.games.nopasaran.rules import artillery, command, factors, movement, stacking, ways, zones
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import (
    any_unit,
    called,
    every_unit,
    in_list,
    named_twice,
    place,
    points_told,
    units_in_list,
)
from pbem.games.nopasaran.tables import (
    CAVALRY,
    ENEMY,
    ENGINEER,
    FULL,
    KINDS,
    MECHANISED,
    MOTORISED,
    rounded,
)
from pbem.messages import say, say_many

MOBILE, REGULAR, PREPARED = "mobile", "regular", "prepared"
OPPOSITE = 3
"""Two hexes around another are opposite if so many steps around lie between them."""


# ------------------------------------------------------------------- who can attack what


def can_attack(position: Position, unit: str) -> bool:
    """Whether a unit attacks at all: it has an attack factor, is not demoralised, and has supply
    (6.5, 16.2).
    """
    return not list(why_no_attack(position, unit, ()))


@CITE.check("16.2.b1")
def why_no_attack(
    position: Position, unit: str, path: tuple[str | int, ...]
) -> Iterator[Violation]:
    """The fault of a unit that attacks nobody now."""
    if not position.printed(unit).is_combat:
        yield Violation(
            say("{unit} has no attack factor", unit=called(position, unit)), path, rule="12.1",
            hint=say("headquarters, guns and pontoon units do not attack"),
        )  # fmt: skip
    elif unit in position.demoralised:
        yield Violation(
            say("{unit} is demoralised", unit=called(position, unit)), path,
            hint=say("it only defends"),
        )  # fmt: skip
    elif not command.level_of(position, unit).attack:
        yield Violation(
            say("{unit} is without supply", unit=called(position, unit)), path, rule="6.5.b4",
            hint=say("bring it back into command"),
        )  # fmt: skip


@CITE.rule("9.p2")
def reaches(position: Position, unit: str, hex: str, among: Collection[str] = ()) -> bool:
    """Whether a unit may attack a hex next to it, with others: one that it could enter, over a
    river with the help of engineers that do not attack.
    """
    # reading: what it could enter, or nobody would ever attack a city; option: where its zone is,
    # or that of others who attack with it from its hex.
    if ATTACK_INTO_ZONES in position.options:
        here = position.at(unit)
        together = (unit, *(each for each in among if position.at(each) == here))
        return zones.reached_by(position, together, hex)
    return could_go_in(position, unit, hex, among)


def could_go_in(position: Position, unit: str, hex: str, among: Collection[str] = ()) -> bool:
    """Whether a unit could enter a hex next to it, with others who attack it."""
    here, printed = position.at(unit), position.printed(unit)
    kind = KINDS.index(printed.kind)
    return hex in position.ground.around[here] and ways.could_enter(
        position, here, hex, kind, printed.side, going=(unit, *among)
    )


def advancing(position: Position, units: Iterable[str], hex: str) -> tuple[str, ...]:
    """The units of those who have attacked that could advance: wherever they could enter, for only
    attacks go into zones with the option.
    """
    attackers = tuple(units)
    return tuple(unit for unit in attackers if could_go_in(position, unit, hex, attackers))


@CITE.serves("12.3.2", "10.p5")
def cannot_go_in(position: Position, unit: str, hex: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an attacker that is to go where it cannot."""
    return Violation(movement.why_prohibited(position, unit, position.at(unit), hex), path,
                     rule="10.p5", hint=say("leave it out: it stays where it is"))  # fmt: skip


def able_against(position: Position, side: Side, hex: str) -> Mapping[str, tuple[str, ...]]:
    """The units of a side that could attack a hex now, by their hexes."""
    cycle = position.cycle
    found: dict[str, tuple[str, ...]] = {}
    if cycle is None:
        return found
    ended = (cycle.attacked - cycle.advanced) | cycle.working
    for near in position.ground.around[hex]:
        able = tuple(
            unit
            for unit in position.units_at(near, side)
            if unit in cycle.able
            and unit not in ended
            and not ways.has_helped(position, unit)
            and can_attack(position, unit)
            and reaches(position, unit, hex)
        )  # fmt: skip
        if able:
            found[near] = able
    return found


def targets(position: Position, side: Side) -> Iterator[str]:
    """The hexes of the enemy that a side could attack now."""
    able = position.cycle.able if position.cycle is not None else ()
    hexes = {hex for unit in able if (hex := position.at(unit))}
    beside = {near for hex in hexes for near in position.ground.around[hex]}
    enemies = position.held[ENEMY[side]] & beside
    return (hex for hex in position.holders
            if hex in enemies and able_against(position, side, hex))  # fmt: skip


@CITE.serves("12.2.p4")
def may_go_on(position: Position, unit: str) -> bool:
    """Whether an attacker before whom the enemy has withdrawn may do again what it could before."""
    # reading: 12.3.4, nobody has attacked where the enemy withdrew. Who had advanced after a combat
    # has its improvised attack back, and nothing else, if it has points left after following; all
    # others need points for what costs some.
    cycle, fight = position.cycle, position.combat
    assert fight is not None
    had_advanced = fight.type == IMPROVISED and cycle is not None and unit in cycle.attacked
    return not had_advanced or factors.left_to_spend(position, unit) > 0


# ------------------------------------------------------------------- the order


@CITE.check("12.1")
def attacks_enemies(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    if position.holder(order.hex) != ENEMY[stage.side]:
        near = [place(position, hex) for hex in targets(position, stage.side)]
        yield Violation(
            say("no enemy is in {hex}", hex=place(position, order.hex)), ("hex",),
            hint=say("attack one of these: {hexes}", hexes=in_list(near))
            if near
            else say("nobody who acts is next to an enemy"),
        )  # fmt: skip
    elif not any(order.units.values()):
        yield Violation(say("nobody attacks"), ("from",), hint=say("from: {HEX: [UNIT, ...]}"))


@CITE.refusal("12.1")
def attacks_with_its_own(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    named: set[str] = set()
    for hex, units in order.units.items():
        if not units:
            yield Violation(say("nobody attacks from {hex}", hex=place(position, hex)),
                            ("from", hex), is_key=True, hint=say("leave it out"))  # fmt: skip
        for at, unit in enumerate(units):
            path = ("from", hex, at)
            if position.at(unit) != hex:
                there = [each for each in position.units_at(hex, stage.side)
                         if can_attack(position, each)]  # fmt: skip
                yield Violation(
                    say("{unit} is not one of your units in {hex}", unit=called(position, unit),
                        hex=place(position, hex)),
                    path, hint=say("there you have {units}", units=every_unit(position, there))
                    if there else say("nobody there can attack"),
                )  # fmt: skip
            elif unit in named:
                yield named_twice(position, unit, path)
            named.add(unit)


@CITE.refusal("5.5")
def attacks_in_this_cycle(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    """Those who were activated; who has advanced after a combat only improvises (12.3.4)."""
    cycle = position.cycle
    assert cycle is not None
    for hex, units in order.units.items():
        for at, unit in enumerate(units):
            path = ("from", hex, at)
            if unit in cycle.advanced:
                if order.type != IMPROVISED:
                    yield Violation(
                        say("{unit} has advanced after a combat", unit=called(position, unit)),
                        path, rule="12.3.4", hint=say("only an improvised attack is left to it: "
                                                      "type: improvised"),
                    )  # fmt: skip
            else:
                yield from movement.why_not_now(position, unit, path)
            # reading: who has attacked improvised without an advance before it may go on, but
            # attacks improvised or prepared no more.
            if unit in cycle.improvised and order.type in (IMPROVISED, PREPARED):
                yield Violation(
                    say("{unit} has made an improvised attack in this activation",
                        unit=called(position, unit)),
                    path, rule="12.3.4", hint=say("move on, or type: regular"),
                )  # fmt: skip
            yield from why_no_attack(position, unit, path)


@CITE.refusal("9.p2")
def attacks_what_it_reaches(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    attackers = tuple(unit for units in order.units.values() for unit in units)
    for hex, units in order.units.items():
        if order.hex not in position.ground.around[hex]:
            yield Violation(
                say("{here} is not next to {hex}", here=place(position, hex), hex=order.hex),
                ("from", hex), is_key=True,
                hint=say("next to it: {hexes}", hexes=in_list(position.ground.around[order.hex])),
            )  # fmt: skip
            continue
        for at, unit in enumerate(units):
            if not reaches(position, unit, order.hex, attackers):
                into_zones = ATTACK_INTO_ZONES in position.options
                yield Violation(
                    say("{unit} has no zone of control there", unit=called(position, unit))
                    if into_zones
                    else movement.why_prohibited(position, unit, hex, order.hex),
                    ("from", hex, at),
                    hint=say("by `{option}` a unit attacks only where its zone of control reaches",
                             option=ATTACK_INTO_ZONES)
                    if into_zones
                    else say("a unit attacks what it could enter"),
                )  # fmt: skip


@CITE.rule("12.3", "12.3.2", "12.3.3", "12.3.4")
def has_its_type(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    """What each type of attack asks of the attackers."""
    match order.type:
        case "mobile":
            yield from attacks_mobile(stage, position, order)
        case "prepared":
            yield from attacks_prepared(stage, position, order)
        case _:
            return


def _each(order: Attack) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for hex, units in order.units.items():
        for at, unit in enumerate(units):
            yield ("from", hex, at), unit


@CITE.refusal("12.3.3")
def attacks_prepared(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    """They began the activation next to the defender, and have not moved."""
    for path, unit in _each(order):
        if position.spent.get(unit):
            yield Violation(
                say("{unit} has moved, so its attack is not prepared", unit=called(position, unit)),
                path, hint=say("type: regular"),
            )  # fmt: skip
        elif not began_beside(position, unit, order.hex):
            yield Violation(
                say("{unit} did not begin this activation next to {hex}, so its attack is not "
                    "prepared", unit=called(position, unit), hex=place(position, order.hex)),
                path, hint=say("type: regular"),
            )  # fmt: skip


@CITE.serves("12.3.3")
def began_beside(position: Position, unit: str, hex: str) -> bool:
    """Whether a unit began the activation next to a hex, wherever it was driven since."""
    assert position.cycle is not None
    return position.cycle.began.get(unit) in position.ground.around[hex]


def can_prepare(position: Position, unit: str, hex: str) -> bool:
    """Whether a unit that can attack a hex could make a prepared attack on it (12.3.3)."""
    return not position.spent.get(unit) and began_beside(position, unit, hex)


@CITE.refusal("12.3.1")
def mobile_on_foot(position: Position, order: Attack) -> Iterator[Violation]:
    """Who attacks mobile and is no vehicle, which nothing changes."""
    for path, unit in _each(order):
        is_known = order.type == MOBILE and unit in position.board.units
        if is_known and position.printed(unit).kind not in (MECHANISED, MOTORISED):
            yield Violation(
                say("{unit} is neither mechanised nor motorised", unit=called(position, unit)),
                path, hint=say("type: regular"),
            )  # fmt: skip


@CITE.rule("12.3.1.b1", "12.3.1.b2", "12.3.1.b4", "12.3.1.b7", "17.1.b5")
@CITE.check("12.3.1")
def attacks_mobile(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    """Vehicles that were one stack when the day began, and began the activation in no enemy zone,
    go into a hex that is no city, as its ground costs, and both sides have room in it.
    """
    cycle = position.cycle
    assert cycle is not None
    if len(order.units) > 1:
        yield Violation(
            say("a mobile attack comes from one hex"), ("from",), rule="12.3.1.b1",
            hint=say("name one hex, or choose another type"),
        )  # fmt: skip
        return
    units = [unit for _, unit in _each(order)]
    if position.terrain(order.hex).id in (CITY, MADRID):
        yield Violation(
            say("{hex} is a city", hex=place(position, order.hex)), ("hex",), rule="12.3.1.b4",
            hint=say("type: regular"),
        )  # fmt: skip
    yield from mobile_on_foot(position, order)
    for path, unit in _each(order):
        if unit in position.disorganised:
            yield Violation(
                say("{unit} is disorganised", unit=called(position, unit)), path,
                rule="17.1.b5", hint=say("type: regular"),
            )  # fmt: skip
        # reading: 10, a mobile attack is part of the movement.
        yield from movement.why_halted(position, unit, path)
        if unit in cycle.in_zone:
            yield Violation(
                say("{unit} began in an enemy zone of control", unit=called(position, unit)), path,
                rule="12.3.1.b2", hint=say("type: regular"),
            )  # fmt: skip
        # Units that have come onto the map today began it in no stack.
        if unit != units[0] and not position.at_dawn(unit) == position.at_dawn(units[0]) != "":
            yield Violation(
                say("{unit} did not begin the day in the hex of the others",
                    unit=called(position, unit)),
                path, rule="12.3.1.b1", hint=say("attack with those that began it together"),
            )  # fmt: skip
    if stacking.excess(position, order.hex, units):
        yield Violation(
            say("attackers and defenders would be {troops} troop points, and {hex} holds {most}",
                troops=position.troops_of((*units, *position.stacks[order.hex])),
                hex=place(position, order.hex), most=stacking.limit(position, order.hex)),
            ("from",), rule="12.3.1.b7", hint=say("attack with fewer units, or type: regular"),
        )  # fmt: skip
    for path, unit in _each(order):
        needs, has = (
            entry_cost(position, units, unit, order.hex),
            factors.left_to_spend(position, unit),
        )
        if needs is None:
            why = movement.why_prohibited(position, unit, position.at(unit), order.hex)
            yield Violation(why, path, rule="10.p5", hint=say("type: regular"))
        elif needs > has:
            yield Violation(
                say_many("needs", "going in costs {unit} {needs} movement point, and it has {has}",
                         "going in costs {unit} {needs} movement points, and it has {has}",
                         unit=called(position, unit), needs=points_told(needs),
                         has=points_told(has)),
                path, rule="12.3.1.b3",
                hint=say("roads do not count in a mobile attack; type: regular"),
            )  # fmt: skip


@CITE.rule("12.3.1.b3", "12.3.1.b5")
def entry_cost(position: Position, units: Sequence[str], unit: str, hex: str) -> int | None:
    """What going into a hex costs a unit in a mobile attack: never by road."""
    return movement.path_cost(position, units, unit, (position.at(unit), hex), by_road=False)


@CITE.refusal("4.1")
def attacks_with_something(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    """Factors that come to nothing together attack nobody."""
    units = [unit for _, unit in _each(order)]
    if not any(strength(position, units, order.type).values()):
        yield Violation(
            say("the attack factors come to nothing"), ("from",),
            hint=say("disorganised units and those with little supply count less; add others"),
        )  # fmt: skip


@CITE.refusal("12.5")
def leads_with_a_unit(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    units = [unit for _, unit in _each(order)]
    if order.primary and order.primary not in units:
        yield Violation(
            say("{unit} does not attack", unit=called(position, order.primary)), ("primary",),
            hint=say("one of these leads: {units}", units=units_in_list(position, units)),
        )  # fmt: skip
    if isinstance(order.advance, Following):
        yield from _advances(position, units, order.hex, order.type, order.advance)


@CITE.refusal("12.3.2")
def _advances(
    position: Position, units: Sequence[str], hex: str, type: str, advance: Following
) -> Iterator[Violation]:
    """Who is said to advance has attacked; after an improvised attack nobody does (12.3.4), in a
    mobile one all go in (12.3.1).
    """
    if type == IMPROVISED:
        yield Violation(say("nobody advances after an improvised attack"), ("advance",),
                        rule="12.3.4", hint=say("leave `advance` out"))  # fmt: skip
        return
    if type == MOBILE:
        yield Violation(say("in a mobile attack all attackers enter the hex"), ("advance",),
                        rule="12.3.1", hint=say("leave `advance` out"))  # fmt: skip
        return
    for at, unit, is_again in in_turn(advance.units):
        if unit not in units:
            yield Violation(
                say("{unit} does not attack", unit=called(position, unit)),
                ("advance", "units", at), hint=say("name attackers, or none"),
            )  # fmt: skip
        elif is_again:
            yield named_twice(position, unit, ("advance", "units", at))
        elif not could_go_in(position, unit, hex, units):
            yield cannot_go_in(position, unit, hex, ("advance", "units", at))


@CITE.refusal("12.1.b4")
def is_supported_by_what_can(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    if isinstance(order.support, Backing):
        units = tuple(unit for _, unit in _each(order))
        yield from support_faults(position, stage.side, order.hex, units, order.type,
                                  order.support, ("support",))  # fmt: skip


def support_faults(
    position: Position, side: Side, hex: str, units: Sequence[str], type: str, support: Backing,
    path: tuple[str | int, ...],
) -> Iterator[Violation]:  # fmt: skip
    """What is wrong with the support of an attack on a hex."""
    if not position.board.attacks[type].support and (support.guns or support.air):
        yield Violation(
            say("an improvised attack has no support"), path, rule="12.3.4",
            hint=say("leave `support` out"),
        )  # fmt: skip
        return
    able_guns, able_air = (
        artillery.attack_guns(position, side, hex, units),
        artillery.attack_air(position, units),
    )
    for at, gun, is_again in in_turn(support.guns):
        if is_again:
            yield named_twice(position, gun, (*path, "guns", at))
        elif gun not in able_guns:
            yield artillery.why_no_fire(position, gun, hex, (*path, "guns", at), able_guns)
    cut = [unit for unit in units if not command.in_command(position, unit)]
    for at, each, is_again in in_turn(support.air):
        if cut and each in artillery.air_of(position, units, in_command=False):
            yield Violation(
                say("{unit} is out of command, and has no close support",
                    unit=called(position, cut[0])),
                (*path, "air", at), rule="6.3",
                hint=say("attack without it, or with units in command alone"),
            )  # fmt: skip
        elif is_again:
            yield named_twice(position, each, (*path, "air", at))
        elif each not in able_air:
            yield Violation(
                say("{unit} is not on close support for these units", unit=called(position, each)),
                (*path, "air", at), rule="7.3.2",
                hint=say("it may be {units}", units=any_unit(position, able_air))
                if able_air else say("no aircraft lies with their headquarters"),
            )  # fmt: skip


# ------------------------------------------------------------------- strengths


@CITE.rule("12.3.5")
def is_armoured(position: Position, units: Iterable[str]) -> bool:
    """Whether an attack is an armoured one: all attackers are tanks or armour with antitank
    points.
    """
    return all(
        position.printed(unit).is_armoured and position.printed(unit).antitank for unit in units
    )


@CITE.rule("12.6.4", "12.6.6")
def strength(position: Position, units: Sequence[str], type: str) -> Mapping[str, int]:
    """What each attacker adds: its attack factor, or in an armoured attack its antitank points."""
    times = position.board.attacks[type].factor
    if is_armoured(position, units):
        return {unit: factors.armoured(position, unit, times) for unit in units}
    return {unit: factors.attack(position, unit, times) for unit in units}


def attack_strength(position: Position, combat: Combat) -> int:
    """The strength of the attack, with all that supports it."""
    left = [unit for unit in combat.attackers if position.at(unit)]
    times = position.board.attacks[combat.type].factor
    guns = sum(factors.fire(position, gun, times) for gun in combat.guns)
    air = sum(air_factor(position, combat, unit, times) for unit in combat.air)
    return sum(strength(position, left, combat.type).values()) + guns + air


@CITE.rule("7.3.2")
def air_factor(position: Position, combat: Combat, unit: str, times: int = FULL) -> int:
    """The factor of an air unit on close support, after antiaircraft fire and weather."""
    return rounded(position.board.air[unit].support, combat.shares.get(unit, FULL),
                   position.sky.support, times)  # fmt: skip


@CITE.rule("11.1.p3")
@CITE.serves("12.1.b8")
def defence_strength(position: Position, combat: Combat) -> int:
    """The strength of the defence, with all that supports it."""
    # reading: headquarters add nothing to the defence of their hex.
    units = [unit for unit in combat.defenders if position.at(unit) == combat.hex]
    own = sum(factors.defence(position, unit) for unit in units)
    guns = sum(factors.fire(position, gun) for gun in combat.defence_guns)
    return own + guns + sum(air_factor(position, combat, unit) for unit in combat.defence_air)


# ------------------------------------------------------------------- the column


def shifts(position: Position, combat: Combat) -> Ledger:
    """The columns to the right (or left, below zero), each with its reason."""
    works = position.works_at(combat.hex)
    return counted((
        ("terrain", position.terrain(combat.hex).shift),
        ("works", works.shift if works else 0),
        ("hexside", side_shift(position, combat)),
        ("concentric", concentric(position, combat)),
        ("armour", superior_armour(position, combat)),
    ))  # fmt: skip


@CITE.rule("12.6.5")
def side_shift(position: Position, combat: Combat) -> int:
    """What lies between attackers and the hex: it counts only if all attack over something, and
    then the value that is nearest to none.
    """
    # reading: 12.3.1.p3, the side over which a mobile attack came counts when it is repeated, too.
    found = []
    for hex in combat.came_from:
        values = [
            crossing.shift or 0
            for each in ways.crossed(position, hex, combat.hex, combat.side)
            if (crossing := position.ground.crossings[each]) and not _ignored(combat, each)
        ]
        found.append(min(values, default=0))
    return max(found)


@CITE.rule("J.2")
def _ignored(combat: Combat, crossing: str) -> bool:
    """Whether a surprise takes away what a bridge does."""
    return combat.is_surprise and crossing in ("bridge", "damaged_bridge")


@CITE.rule("12.6.7")
def concentric(position: Position, combat: Combat) -> int:
    """The column for attackers in two opposite hexes."""
    # reading: one pair of opposite hexes with attackers is enough.
    around = GRID.around(combat.hex)
    opposite = any(
        around[at] in combat.came_from and around[at + OPPOSITE] in combat.came_from
        for at in range(OPPOSITE)
    )
    return int(position.board.charts["attacks"]["concentric"]) if opposite else 0


@CITE.rule("12.6.2")
def superior_armour(position: Position, combat: Combat) -> int:
    """The columns for the ratio of antitank points, where tanks or armour take part."""
    # reading: columns to the right need tanks or armour among the attackers; for those to the left
    # it does not matter whose they are.
    attackers = [unit for unit in combat.attackers if position.at(unit)]
    defenders = [unit for unit in combat.defenders if position.at(unit) == combat.hex]
    by_tanks, at_tanks = (
        any(position.printed(unit).is_armoured for unit in units)
        for units in (attackers, defenders)
    )
    if not (by_tanks or at_tanks):
        return 0
    columns = position.board.armour_shift(
        antitank_of(position, attackers), antitank_of(position, defenders)
    )
    return columns if by_tanks else min(0, columns)


@CITE.rule("J.10")
def antitank_of(position: Position, units: Iterable[str]) -> int:
    """The antitank points of units; those of guns only where a rule of the battle lends them."""
    lent = (position.special("J.10") or {}).get("units", ())
    return sum(
        factors.antitank(position, unit)
        for unit in units
        if not position.printed(unit).is_battery or unit in lent
    )


# ------------------------------------------------------------------- the die


def modifiers(position: Position, combat: Combat) -> Ledger:
    """What is added to the combat die but for effectiveness, each with its reason."""
    return counted((
        ("engineers", engineers(position, combat)),
        ("efficiency", armour_efficiency(position, combat)),
        ("surprise", surprise(position, combat)),
    ))  # fmt: skip


@CITE.rule("12.3.3.p2", "20.8", "20.b7")
def engineers(position: Position, combat: Combat) -> int:
    """Engineers add once to the die of a prepared attack."""
    if combat.type != PREPARED:
        return 0
    # reading: engineers add to the attack alone; the rules give them nothing in defence.
    is_there = any(position.printed(unit).type == ENGINEER for unit in combat.attackers)
    return int(position.board.charts["attacks"]["engineers"]) if is_there else 0


@CITE.serves("12.3.3.p2")
def exploited(position: Position, fight: Combat) -> tuple[str, ...]:
    """The hexes into which attackers with engineers go on behind the one that was left: where the
    retreat was longer than two hexes in fact, all advance by one hex less.
    """
    # reading: they go on along the longest way of the retreat, until an enemy is in it.
    far, most = len(fight.way_back), int(position.board.charts["attacks"]["exploitation"])
    return fight.way_back[: far - 2] if far > most else ()


@CITE.rule("12.6.3")
def armour_efficiency(position: Position, combat: Combat) -> int:
    """What the ground does to armour: that of the attacker, with the worst side it attacks over, or
    else that of the defender; nothing in an armoured attack.
    """
    attackers = [unit for unit in combat.attackers if position.at(unit)]
    if is_armoured(position, attackers):
        return 0
    terrain = position.terrain(combat.hex)
    tanks = {position.at(unit) for unit in attackers if position.printed(unit).is_armoured}
    if tanks:
        sides = [
            position.ground.crossings[each].armour
            for hex in combat.came_from
            if hex in tanks
            for each in ways.crossed(position, hex, combat.hex, combat.side)
        ]
        return terrain.armour + min(sides, default=0)
    defenders = [unit for unit in combat.defenders if position.at(unit) == combat.hex]
    if any(position.printed(unit).is_armoured for unit in defenders):
        return terrain.armour_alone
    return 0


def surprise(position: Position, combat: Combat) -> int:
    """What a surprise adds to the die (J.2)."""
    special = position.special("J.2")
    return int(special["die"]) if special and combat.is_surprise else 0


def is_surprise(position: Position, order: Attack) -> bool:
    """Whether an attack is the surprise of rule J.2: the first one of its day against its hex, by
    its formation, alone or with its support troops.
    """
    special = position.special("J.2")
    if special is None or position.day != special["turn"] or "J.2" in position.used:
        return False
    start, end = special["across"]
    units = [unit for _, unit in _each(order)]
    formations = {position.home(unit) for unit in units}
    return (
        order.hex == end
        and set(order.units) == {start}
        and special["formation"] in {position.commander(unit) for unit in units} | formations
        and formations <= {special["formation"], special["with"]}
    )


@CITE.rule("12.5")
def effectiveness_of(position: Position, unit: str) -> int:
    """The effectiveness that counts for a side: that of the unit that leads."""
    # reading: where nobody can lead, the least effectiveness counts.
    least: int = position.board.charts["effectiveness"]["least"]
    return factors.effectiveness(position, unit) if unit else least


def leaders(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """The units of a side that may lead: neither guns nor headquarters; the best one first."""
    able = [
        unit
        for unit in units
        if position.at(unit)
        and not position.printed(unit).is_battery
        and not position.printed(unit).is_headquarters
    ]

    def rank(unit: str) -> tuple[int, int]:
        return -factors.effectiveness(position, unit), -position.troops(unit)

    return tuple(sorted(position.board.in_order(able), key=rank))


@CITE.rule("12.1.b9")
def column_of(position: Position, combat: Combat) -> int:
    """The column of a combat before its shifts: the rounded ratio."""
    attack, defence = attack_strength(position, combat), defence_strength(position, combat)
    table = position.board.combat
    if not defence:
        return len(table.columns) - 1
    return table.column(attack, defence) if attack else 0


def final_column(position: Position, combat: Combat) -> int:
    """The column after all shifts."""
    return position.board.combat.shifted(
        column_of(position, combat), total(shifts(position, combat))
    )


@CITE.rule("12.1.b10")
def result_of(position: Position, column: int, die: int) -> str:
    """The entry of the combat table; a die outside is held within the rows."""
    table = position.board.combat
    last = table.first_row + len(table.rows) - 1
    return table.at(column, clamp(die, table.first_row, last))


# ------------------------------------------------------------------- retreat before combat


@CITE.rule("12.2", "12.2.b1", "12.2.b2", "12.2.b3", "12.2.p3")
def may_withdraw(position: Position, combat: Combat) -> bool:
    """Whether the defenders may retreat before combat: all of them are cavalry or mechanised, in
    supply; and no attacker has antitank points, or they lead in armour or in cavalry.
    """
    # reading: the whole stack must leave, so all of it must be of these kinds.
    units = position.stacks.get(combat.hex, ())
    if not units or not all(_can_ride(position, unit) for unit in units):
        return False
    chart = position.board.charts["attacks"]
    mine, theirs = antitank_of(position, units), antitank_of(position, combat.attackers)
    if not theirs or mine - theirs >= chart["superior_armour"]:
        return True
    horse = _cavalry(position, units) - _cavalry(position, combat.attackers)
    return bool(horse >= chart["superior_cavalry"])


def _can_ride(position: Position, unit: str) -> bool:
    printed = position.printed(unit)
    if printed.type == CAVALRY:
        return True
    return printed.kind == MECHANISED and command.level_of(position, unit).vehicles > 0


def _cavalry(position: Position, units: Iterable[str]) -> int:
    return position.troops_of(unit for unit in units if position.printed(unit).type == CAVALRY)

"""10: who may attack what, strengths, columns, losses, retreats and advances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from pbem.board.tables import clamp
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.options import FRESH_LOSSES
from pbem.games.ctv.orders import (
    NONE,
    Advance,
    Attack,
    Breakthrough,
    Following,
    Losses,
    Retreat,
    Support,
    Trade,
)
from pbem.games.ctv.position import ELIMINATED, Combat, Position
from pbem.games.ctv.rules import bombardment, movement, stacking
from pbem.games.ctv.rules.asks import OfAHex, OfASide, TakesSteps
from pbem.games.ctv.rules.naming import called, in_list, named_twice, not_on_map, place
from pbem.games.ctv.tables import ENEMY, GRID, HEADQUARTERS, NATIONALIST, REPUBLICAN
from pbem.messages import Said, any_of, either, say
from pbem.value import replace

Attackers = Mapping[str, tuple[str, ...]]
"""Attackers by their hexes."""


# ------------------------------------------------------------------- who attacks


@CITE.refusal("10.1")
def attacks_enemies(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    if position.holder(order.hex) != ENEMY[stage.side]:
        yield Violation(
            say("no enemy unit is in {hex}", hex=place(position, order.hex)), ("hex",),
            hint=targets_hint(position, stage.side, order.hex),
        )  # fmt: skip


def targets_hint(position: Position, side: Side, hex: str) -> Said:
    """A handful of the hexes that a side could attack, those nearest to one first."""
    found = sorted(targets(position, side), key=lambda each: GRID.distance(each, hex))
    if not found:
        return say("no attack is possible now")
    return say("you could attack {hexes}", hexes=any_of([place(position, each) for each in found]))


@CITE.refusal("10.1")
def attacks_with_its_own(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    if not any(order.units.values()):
        yield Violation(say("no unit attacks"), ("units",), hint="units: {HEX: [UNIT, ...]}")
    named: set[str] = set()
    for hex, units in order.units.items():
        for at, unit in enumerate(units):
            path = ("units", hex, at)
            if not position.at(unit):
                yield not_on_map(position, unit, path)
            elif position.at(unit) != hex:
                yield Violation(
                    say("{unit} is not a unit of yours in {hex}", unit=called(position, unit),
                        hex=place(position, hex)),
                    path,
                    hint=say("it is in {place}; {there}", place=place(position, position.at(unit)),
                             there=_there(position, hex, stage.side)),
                )  # fmt: skip
            elif not can_fight(position, unit):
                yield Violation(
                    say("{unit} cannot attack", unit=called(position, unit)), path,
                    hint=say("headquarters and columns only support"), rule="9.2",
                )  # fmt: skip
            elif unit in named:
                yield named_twice(position, unit, path)
            named.add(unit)


def _there(position: Position, hex: str, side: Side) -> Said:
    there = [unit for unit in position.units_at(hex, side) if can_fight(position, unit)]
    if not there:
        return say("no unit of yours in {hex} can attack", hex=hex)
    units = in_list(called(position, unit) for unit in there)
    return say("your units in {hex}: {units}", hex=hex, units=units)


def can_fight(position: Position, unit: str) -> bool:
    """Whether a unit can attack at all: headquarters have no attack factor (9.2)."""
    printed = position.printed(unit)
    return printed.is_ground and printed.type != HEADQUARTERS


@CITE.check("10.1")
def attacks_once(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    for hex, units in order.units.items():
        for at, unit in enumerate(units):
            if unit in position.fought:
                yield Violation(
                    say("{unit} has attacked in this segment", unit=called(position, unit)),
                    ("units", hex, at), hint=say("attack with others"),
                )  # fmt: skip


@CITE.refusal("1.3.2")
def attacks_across_open_sides(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    for hex in order.units:
        why = movement.why_no_way(position, hex, order.hex)
        if why:
            near = position.board.graph.neighbours(order.hex)
            yield Violation(
                why, ("units", hex), is_key=True,
                rule=movement.rule_of_way(position, hex, order.hex, "10.1"),
                hint=say("{hex} is attacked from {near}", hex=place(position, order.hex),
                         near=either(near)),
            )  # fmt: skip


@CITE.refusal("10.1")
def attacks_within_the_limit(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    limit = position.terrain(order.hex).stacking
    for hex, units in order.units.items():
        points = stacking.points(position, units)
        if points > limit:
            yield Violation(
                say(
                    "{points} stacking points attack from {hex}, and at most {limit} from one hex "
                    "may attack {target}",
                    points=points, hex=hex, target=place(position, order.hex), limit=limit,
                ),
                ("units", hex), hint=say("attack with fewer units from there"),
            )  # fmt: skip


def support_of(order: Attack) -> Support | None:
    """What an attack says of its support; None where that is asked for."""
    said = order.support
    if isinstance(said, str):
        return Support() if said == NONE else None
    return Support(said.air, said.hq, said.columns)


@CITE.refusal("10.2")
def says_what_may_follow(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    """What is said with an attack is judged with it: its support in full; of what follows the dice
    that only attackers are named, and ways that begin in the hex.
    """
    attackers = tuple(unit for units in order.units.values() for unit in units)
    joined = position.but(battle=Combat(order.hex, attackers))
    if (support := support_of(order)) is not None:
        for fault in bombardment.supports_with_its_own(stage, joined, support):
            yield replace(fault, at=("support", *fault.at))
    yield from _ranks(position, attackers, order.losses, position.lost, ("losses",))
    if isinstance(order.advance, Following):
        told = Advance(order.advance.units, order.advance.to)
        for fault in advances_who_fought(stage, joined, told):
            yield replace(fault, at=("advance", *fault.at))
    if isinstance(order.breakthrough, Mapping):
        most = position.board.combat["breakthrough"]
        for unit, path in order.breakthrough.items():
            at = ("breakthrough", unit)
            yield from _took_part(joined, unit, at, is_key=True)
            yield from _begins_there(joined, path, at, most)
            yield from _leads_on(position, path, at)


def able_against(position: Position, side: Side, hex: str) -> Attackers:
    """The units of a side that could attack a hex now, by their hexes, all of them."""
    found = {
        near: tuple(_able(position, side, near)) for near in position.board.graph.neighbours(hex)
    }
    return {near: units for near, units in found.items() if units}


def _able(position: Position, side: Side, hex: str) -> Iterator[str]:
    """The units of a side in a hex that could attack now."""
    for unit in position.units_at(hex, side):
        if unit not in position.fought and can_fight(position, unit):
            yield unit


def targets(position: Position, side: Side) -> Iterator[str]:
    """The hexes that a side could attack, in map order; a covered counter may be able to."""
    near = position.board.graph.neighbours
    touched = position.occupied[ENEMY[side]] & position.reach[side]
    for hex in position.board.masks.within(touched):
        if any(True for there in near(hex) for _ in _able(position, side, there)) or _may_attack(
            position, side, hex
        ):
            yield hex


def _may_attack(position: Position, side: Side, hex: str) -> bool:
    return any(
        position.side_of(tag) == side and can_fight(position, piece)
        for near in position.board.graph.neighbours(hex)
        for tag in position.covers.get(near, ())
        for piece in position.may_be(tag)
    )


# ------------------------------------------------------------------- strengths


@CITE.rule("1.4")
def halved_sum(
    position: Position, units: Sequence[str], which: str, *, up: bool, overstacked: bool
) -> int:
    """The attack or defence of units of one hex.

    The values of those that are out of supply or disorganised are added and halved once; the others
    are added to them; an overstacked hex counts half, rounded down. Attack is rounded down, defence
    up.
    """

    # reading: values are added before they are halved and rounded; option: unit by unit.
    def half(number: int) -> int:
        return -(-number // 2) if up else number // 2

    weak = [getattr(position.values(unit), which) for unit in units if position.is_halved(unit)]
    whole = [
        getattr(position.values(unit), which) for unit in units if not position.is_halved(unit)
    ]
    if position.adds_first:
        total = half(sum(weak)) + sum(whole)
        return total // 2 if overstacked else total
    values = [*map(half, weak), *whole]
    return sum(value // 2 if overstacked else value for value in values)


@CITE.serves("10.2")
def attack_strength(position: Position, attackers: Attackers) -> int:
    """The attack of all attackers, hex by hex."""
    return sum(
        halved_sum(
            position, units, "attack", up=False,
            overstacked=stacking.is_overstacked(position, hex, position.side_of(units[0])),
        )
        for hex, units in attackers.items()
        if units
    )  # fmt: skip


def still_there(position: Position, attackers: Attackers) -> Attackers:
    """Those of the attackers who are still on the map."""
    found = {hex: tuple(filter(position.at, units)) for hex, units in attackers.items()}
    return {hex: units for hex, units in found.items() if units}


@CITE.serves("10.2")
def defence_strength(position: Position, hex: str) -> int:
    """The defence of a hex with its terrain, rounded up; at least 1."""
    units = position.units_at(hex)
    over = stacking.is_overstacked(position, hex, position.side_of(units[0]))
    plain = halved_sum(position, units, "defence", up=True, overstacked=over)
    return max(1, -(-plain * position.terrain(hex).defence // 2))


@CITE.rule("10.2.1")
def is_concentric(position: Position, hex: str, attackers: Attackers) -> bool:
    """Whether five of the six hexes around are held by the attacker's side, or are in the zone of
    attacking units, and have no unit of the defender.
    """
    # reading: an attacker has a zone here if the check at the head of the combat found it in supply
    # (10.2, step 1); who only holds a hex needs no supply; a supply column holds none (9.3).
    side = position.side_of(next(unit for units in attackers.values() for unit in units))
    zone = position.board.zones
    fighting = position.board.masks.of(
        near
        for near, units in attackers.items()
        if any(unit not in position.unsupplied for unit in units)
    )
    covered = zone.around(fighting) | position.occupied[side]
    free = covered & ~position.occupied[ENEMY[side]]
    bits = position.board.masks.bit
    return sum(bool(bits[near] & free) for near in GRID.around(hex) if near in bits) >= 5


@CITE.rule("4.4")
def first_turn_shift(position: Position, side: Side, hex: str) -> int:
    """The columns by which a Nationalist attack of turn 1 near the corps of the CTV moves."""
    charts = position.board.charts["first_turn"]
    columns: int = charts["columns"]
    return columns if corps_near(position, side, hex) else 0


@CITE.serves("4.4")
def corps_near(position: Position, side: Side, hex: str) -> tuple[str, ...]:
    """The headquarters that move the column of an attack on a hex in turn 1."""
    # reading: two hexes from the headquarters to the attacked hex; it has to be in supply as the
    # combat is fought, as if it supported it.
    if position.turn != 1 or side != NATIONALIST:
        return ()
    return tuple(
        unit for unit in position.on_map(NATIONALIST)
        if is_the_ctv(position, unit) and is_within_reach(position, position.at(unit), hex)
        and not position.is_cut_off(unit)
    )  # fmt: skip


@CITE.serves("4.4", "5.2")
def may_be_corps_near(position: Position, side: Side, hex: str) -> tuple[str, ...]:
    """The covered counters of a side that may be such a headquarters, as both know."""
    if position.turn != 1:
        return ()
    return tuple(
        tag for tag in position.covered_on_map(side)
        if is_within_reach(position, position.at(tag), hex) and not position.is_cut_off(tag)
        and any(is_the_ctv(position, piece) for piece in position.may_be(tag))
    )  # fmt: skip


@CITE.serves("4.4")
def is_within_reach(position: Position, here: str, hex: str) -> bool:
    """Whether the headquarters in a hex would move the column of an attack on another."""
    radius: int = position.board.charts["first_turn"]["radius"]
    return position.board.distance(here, hex) <= radius


def is_the_ctv(position: Position, unit: str) -> bool:
    """Whether a unit is the headquarters of the corps."""
    printed = position.printed(unit)
    return printed.level == "corps" and printed.division == "CTV"


@CITE.rule("10.2")
def column_of(position: Position, attack: int, defence: int, shift: int) -> tuple[int, int]:
    """The column of the combat table, and what is added to the die below the first one."""
    odds = position.board.odds
    if odds.is_below(attack, defence):
        return (0, 0) if shift else (0, position.board.combat["below"])
    return odds.shifted(odds.column(attack, defence), shift), 0


def heading_now(position: Position, battle: Combat) -> str:
    """The column of the combat table on which an attack would be fought as things stand."""
    attackers: dict[str, tuple[str, ...]] = {}
    for unit in battle.attackers:
        if hex := position.at(unit):
            attackers[hex] = (*attackers.get(hex, ()), unit)
    if not attackers or not position.units_at(battle.hex):
        return ""
    shift = first_turn_shift(position, position.side_of(battle.attackers[0]), battle.hex)
    attack = attack_strength(position, attackers)
    column, _ = column_of(position, attack, defence_strength(position, battle.hex), shift)
    return position.board.odds.heading(column)


@CITE.rule("10.7")
def trench_modifier(position: Position, hex: str, chart: Mapping[str, int]) -> int:
    """What a trench in the attacked hex adds to a die."""
    return chart["trench"] if hex in position.trenches else 0


def modifiers(position: Position, hex: str, attackers: Attackers) -> Mapping[str, int]:
    """What is added to the combat die, by its name."""
    chart = position.board.combat
    found = {
        "trench": trench_modifier(position, hex, chart),
        "concentric": chart["concentric"] if is_concentric(position, hex, attackers) else 0,
    }
    return {name: number for name, number in found.items() if number}


def result_of(position: Position, column: int, die: int) -> str:
    """The entry of the combat table; the die is held within the rows."""
    first = position.board.odds.first_row
    last = first + len(position.board.odds.rows) - 1
    return position.board.odds.at(column, clamp(die, first, last))


# ------------------------------------------------------------------- losses


@CITE.rule("10.3")
def next_to_lose(
    position: Position, units: Iterable[str], before: Mapping[str, int]
) -> tuple[str, ...]:
    """Those units of a hex that may lose the next step: none has lost fewer than they.

    `before` are the steps that each had lost when the combat began; they count unless the players
    have agreed that each combat counts by itself.
    """
    able = [unit for unit in units if position.at(unit) and position.printed(unit).takes_losses]
    lost = {unit: _lost(position, unit, before) for unit in able}
    return tuple(unit for unit in able if lost[unit] == min(lost.values()))


@CITE.serves("10.3")
def _lost(position: Position, unit: str, before: Mapping[str, int]) -> int:
    # reading: steps lost ever count, as the counters show; option: of this combat alone.
    lost = position.lost.get(unit, 0)
    return lost - before.get(unit, 0) if FRESH_LOSSES in position.options else lost


def ranked(position: Position, order: Losses | None, units: Iterable[str]) -> tuple[str, ...]:
    """Who loses one step after another: as the order says, then the others, the weakest first.

    Where all have had their turn it begins again, so that losses are spread over the hexes of an
    attack unless the order names a unit twice.
    """
    said = order.units if order is not None else ()

    def rank(unit: str) -> tuple[int, int, str]:
        values = position.values(unit)
        return values.defence, values.attack, unit

    units = set(units)
    named = tuple(unit for unit in said if unit in units)
    return (*named, *sorted(units.difference(named), key=rank))


@CITE.refusal("10.3")
def ranks_who_fights(stage: TakesSteps, position: Position, order: Losses) -> Iterator[Violation]:
    yield from _ranks(position, stage.able(position), order.units, dict(stage.before), ("units",))


def _ranks(
    position: Position, able: Sequence[str], units: Sequence[str], before: Mapping[str, int],
    path: tuple[str, ...],
) -> Iterator[Violation]:  # fmt: skip
    """The faults of a ranking of units that can lose steps, each name a step.

    A name may come again as long as nobody else in its hex has lost fewer by then.
    """
    named: Counter[str] = Counter()

    def lost(unit: str) -> int:
        return _lost(position, unit, before) + named[unit]

    for at, unit in enumerate(units):
        if unit not in able:
            yield Violation(
                say("{unit} can lose no step here", unit=called(position, unit)), (*path, at),
                rule="10.3",
                hint=say("name {units}", units=either(called(position, one) for one in able)),
            )  # fmt: skip
        elif named[unit] >= position.steps_left(unit):
            yield Violation(
                say("{unit} is named {times} times, and it has {steps} left to lose",
                    unit=called(position, unit), times=named[unit] + 1,
                    steps=position.steps_left(unit)),
                (*path, at), rule="10.3", hint=say("each name is one step"),
            )  # fmt: skip
        elif unit in named and any(
            lost(one) < lost(unit) and named[one] < position.steps_left(one)
            for one in able
            if position.at(one) == position.at(unit)
        ):
            yield Violation(
                say("{unit} is named twice: losses are even, and no unit loses a step while "
                    "another in its hex has lost fewer", unit=called(position, unit)),
                (*path, at), rule="10.3",
                hint=say("name each unit of a hex once before one of them comes again"),
            )  # fmt: skip
        named[unit] += 1


# ------------------------------------------------------------------- retreats


@CITE.rule("10.5.1")
def retreats(position: Position, hex: str) -> tuple[str, ...]:
    """The hexes into which the units of a hex may retreat: over no closed side, into no enemy, and
    into an enemy zone only beside a friendly unit.
    """
    # reading: nobody retreats onto those whom they fight, though they are gone by then: attackers
    # not into the hex that they attacked, defenders into none from which they were attacked.
    # reading: a retreat is no movement, so it may lead out of supply: 10.4.1 recalls 8.1.1 for
    # breakthroughs, and the restrictions of retreats (10.5.1) do not.
    # reading: 10.5.1, a supply column alone is no friendly unit in an enemy zone.
    near = position.board.graph.neighbours(hex)
    return tuple(to for to in near if not why_no_retreat(position, hex, to))


@CITE.serves("10.5.1")
def why_no_retreat(position: Position, hex: str, to: str) -> Said:
    """Why the units of a hex may not retreat into another; empty if they may."""
    side, battle = position.holder(hex), position.battle
    assert side is not None
    if why := movement.why_no_way(position, hex, to):
        return why
    if position.holder(to) == ENEMY[side]:
        return say("enemy units are in {hex}", hex=place(position, to))
    if battle is not None and hex == battle.hex and to in battle.came_from:
        return say("the attack came from {hex}", hex=place(position, to))
    if battle is not None and to == battle.hex:
        return say("the attack was on {hex}", hex=place(position, to))
    if position.holder(to) != side and position.is_in_enemy_zone(to, side):
        return say("{hex} is in an enemy zone, and no unit of yours is there",
                   hex=place(position, to))  # fmt: skip
    return ""


@CITE.rule("10.5")
def trade_ways(position: Position, hex: str) -> tuple[str, ...]:
    """The hexes into which a stack may retreat for one step less; none for a headquarters alone."""
    if not who_retreats(position, position.units_at(hex)):
        return ()
    return retreats(position, hex)


def may_trade(position: Position, hex: str, steps: int) -> bool:
    """Whether anybody would be left of a stack that trades one of so many steps."""
    return steps <= sum(
        position.steps_left(unit)
        for unit in position.units_at(hex)
        if position.printed(unit).takes_losses
    )


def is_ruinous_way(position: Position, units: Sequence[str], to: str) -> bool:
    """Whether a stack that retreats there may be eliminated for its number (5.1.1)."""
    side, going = position.side_of(units[0]), who_retreats(position, units)
    return stacking.may_be_ruinous(position, to, (*position.units_at(to, side), *going))


def loses_by_retreat(position: Position, units: Iterable[str]) -> bool:
    """Whether the level that a retreat costs would eliminate a unit of a stack (9.5.1)."""
    return any(
        bombardment.is_past_saving(position, unit, bombardment.level_after(position, unit, 1))
        for unit in who_retreats(position, units)
    )


def by_safety(position: Position, units: Sequence[str], ways: Iterable[str]) -> tuple[str, ...]:
    """Ways of retreat of a stack, the safest first: those that do not eliminate it, nor overstack
    it, in supply, out of enemy zones.
    """
    side, going = position.side_of(units[0]), who_retreats(position, units)

    def danger(to: str) -> tuple[bool, ...]:
        points = stacking.points(position, (*position.units_at(to, side), *going))
        return (
            is_ruinous_way(position, units, to),
            not position.judged[side] & position.board.masks.bit[to],
            points > position.terrain(to).stacking,
            position.is_in_enemy_zone(to, side),
        )

    return tuple(sorted(ways, key=danger))


def who_retreats(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of a stack that can retreat: headquarters cannot (9.2)."""
    return tuple(
        unit for unit in units if position.at(unit) and position.printed(unit).type != HEADQUARTERS
    )


@CITE.refusal("10.5")
def trades_a_step(stage: object, position: Position, order: Trade) -> Iterator[Violation]:
    if order.to:
        yield from _retreats_where_it_may(position, position.combat.hex, order.to)


@CITE.refusal("10.5.1")
def is_driven_where_it_may(
    stage: OfAHex, position: Position, order: Retreat
) -> Iterator[Violation]:
    yield from _retreats_where_it_may(position, stage.hex, order.to)


def _retreats_where_it_may(position: Position, hex: str, to: str) -> Iterator[Violation]:
    if why := why_no_retreat(position, hex, to):
        ways = in_list(place(position, way) for way in retreats(position, hex))
        if to == NONE:
            why = say("who is driven back goes to a hex, and cannot stay")
        yield Violation(
            why, ("to",), rule=movement.rule_of_way(position, hex, to, "10.5.1"),
            hint=say("it may be {hexes}", hexes=ways),
        )  # fmt: skip


# ------------------------------------------------------------------- morale


@CITE.rule("10.6")
def morale_modifier(position: Position, units: Iterable[str]) -> int:
    """What the troops of a stack add to a morale die: the worst of its units counts."""
    # reading: headquarters are no troops here: they lose no steps and are driven nowhere (9.2).
    given: Mapping[str, int] = position.board.charts["morale"]["modifiers"]
    troops = (position.printed(unit) for unit in units)
    return max(given.get(each.nation, 0) for each in troops if each.type != HEADQUARTERS)


def tests_morale(position: Position, units: Iterable[str]) -> bool:
    """Whether a stack that has lost steps rolls: Republicans, as long as not only headquarters are
    left.
    """
    left = [unit for unit in units if position.at(unit)]
    return any(
        position.side_of(unit) == REPUBLICAN and position.printed(unit).type != HEADQUARTERS
        for unit in left
    )


# ------------------------------------------------------------------- advances


@CITE.check("10.4")
def advances_who_fought(stage: object, position: Position, order: Advance) -> Iterator[Violation]:
    for at, unit, is_again in in_turn(order.units):
        yield from _took_part(position, unit, ("units", at))
        if is_again:
            yield named_twice(position, unit, ("units", at))
    if order.to not in ("", position.combat.hex):
        yield Violation(
            say("the attack was on {hex}", hex=place(position, position.combat.hex)), ("to",),
            hint=say("to: {hex}", hex=position.combat.hex),
        )  # fmt: skip


def who_advances(position: Position) -> tuple[str, ...]:
    """The attackers that are left, but for those whose morale has driven them back."""
    battle = position.combat
    return tuple(
        unit for unit in battle.attackers if position.at(unit) and unit not in battle.fallen_back
    )


@CITE.serves("10.4")
def emptied(position: Position, order: Attack) -> Position:
    """The position when an attack has emptied its hex, with all attackers left."""
    units = tuple(unit for those in order.units.values() for unit in those)
    there = (*position.stacks.get(order.hex, ()), *position.covers.get(order.hex, ()))
    return position.with_units(there, ELIMINATED).but(battle=Combat(order.hex, units))


def _took_part(
    position: Position, unit: str, at: tuple[str | int, ...], *, is_key: bool = False
) -> Iterator[Violation]:
    able = who_advances(position)
    if unit not in able:
        yield Violation(
            say("{unit} is not one of the attackers", unit=called(position, unit)), at,
            is_key=is_key,
            hint=say("name {units}", units=either(called(position, one) for one in able)),
        )  # fmt: skip


@CITE.refusal("8.1.1")
def advances_into_supply(stage: object, position: Position, order: Advance) -> Iterator[Violation]:
    """Each in its turn: who has left its hex may have closed it to those who come after."""
    hex, side = position.combat.hex, position.side_of(position.combat.attackers[0])
    for at, unit in enumerate(order.units):
        if not movement.would_be_supplied(position, (unit,), hex, side):
            yield Violation(
                say("no line of supply would lead to {hex}", hex=place(position, hex)),
                ("units", at), hint=say("let {unit} stay where it is", unit=called(position, unit)),
            )  # fmt: skip
            return
        position = position.with_units((unit,), hex)


@CITE.refusal("5")
def advances_within_the_limit(
    stage: object, position: Position, order: Advance
) -> Iterator[Violation]:
    hex, side = position.combat.hex, position.side_of(position.combat.attackers[0])
    for why, rule in stacking.faults_of_end(position, hex, side, order.units):
        yield Violation(why, ("units",), rule=rule, hint=say("advance with fewer units"))


@CITE.check("10.4.1")
def breaks_through(stage: object, position: Position, order: Breakthrough) -> Iterator[Violation]:
    """Each unit goes up to three hexes, the emptied one first, through zones, past no enemy and
    into no hex without supply. Its owner's view counts their covered counters where it ends (5.2).
    """
    side, most = (
        position.side_of(position.combat.attackers[0]),
        position.board.combat["breakthrough"],
    )
    ends: dict[str, list[str]] = {}
    now = position
    for unit, path in order.paths.items():
        yield from _took_part(position, unit, ("paths", unit), is_key=True)
        if unit not in who_advances(position) or not path:
            continue
        wrong = list(_begins_there(position, path, ("paths", unit), most))
        if wrong:
            yield from wrong
            continue
        fault = _first_fault(now, unit, path, side)
        if fault is not None:
            yield fault
            continue
        for hex in path:
            now = movement.in_passing(now, hex, side)
        now = now.with_units((unit,), path[-1])
        ends.setdefault(path[-1], []).append(unit)
    for hex, units in ends.items():
        for why, rule in stacking.faults_of_end(now.seen(side), hex, side, units):
            yield Violation(why, ("paths",), rule=rule, hint=say("end the ways elsewhere"))


@CITE.serves("5", "5.2")
def ends_within_the_limit(position: Position, side: Side, order: Breakthrough) -> bool:
    """Whether a breakthrough ends in no hex beyond its limits, whatever lies covered there."""
    for unit, path in order.paths.items():
        position = position.with_units((unit,), path[-1])
    ends = dict.fromkeys(path[-1] for path in order.paths.values())
    return not any(stacking.may_be_beyond_the_limit(position, hex, side) for hex in ends)


ENEMIES, SUPPLY, STACKING = "enemies", "supply", "stacking"
"""What bars an attacker from going on as it was ordered."""


@CITE.serves("10.4.1")
def cut_short(
    position: Position, side: Side, ways: Mapping[str, Sequence[str]],
    gone: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, str, str]]:  # fmt: skip
    """Where attackers that may advance do not go on along the ways that were ordered for them, as
    far as they have `gone`, one after another: the unit, the hex that it does not enter, and why.
    """
    now = position
    for unit, path in ways.items():
        done = gone.get(unit, ())
        if len(done) < len(path) and unit in who_advances(position):
            fault = _first_fault(now, unit, path[: len(done) + 1], side)
            why = STACKING
            if fault is not None:
                why = SUPPLY if fault.rule == "8.1.1" else ENEMIES
            yield unit, path[len(done)], why
        for hex in done:
            now = movement.in_passing(now, hex, side)
        now = now.with_units((unit,), done[-1]) if done else now


def _begins_there(
    position: Position, path: Sequence[str], at: tuple[str, ...], most: int
) -> Iterator[Violation]:
    """The fault of a way that begins elsewhere than in the hex, or is too long."""
    if path and path[0] != position.combat.hex:
        yield Violation(
            say("a breakthrough begins in {hex}", hex=place(position, position.combat.hex)),
            (*at, 0), rule="10.4.1", hint=say("name that hex first"),
        )  # fmt: skip
    elif len(path) > most:
        yield Violation(
            say("a breakthrough goes at most {number} hexes", number=most), (*at, most),
            rule="10.4.1", hint=say("end it sooner"),
        )  # fmt: skip


def _leads_on(position: Position, path: Sequence[str], at: tuple[str, ...]) -> Iterator[Violation]:
    """The fault of a way over no sides that can be crossed, whoever will be there."""
    for number, (here, there) in enumerate(pairwise(path), 1):
        if why := movement.why_no_way(position, here, there):
            yield Violation(
                why, (*at, number), rule=movement.rule_of_way(position, here, there, "10.4.1"),
                hint=say("name hexes that are next to each other"),
            )  # fmt: skip
            return


def _first_fault(
    position: Position, unit: str, path: Sequence[str], side: Side
) -> Violation | None:
    here = position.at(unit)
    for at, there in enumerate(path):
        where = ("paths", unit, at)
        why = movement.why_no_way(position, here, there)
        if why:
            return Violation(
                why, where, rule=movement.rule_of_way(position, here, there, ""),
                hint=say("name hexes that are next to each other"),
            )  # fmt: skip
        if movement.bars(position, there, side, (unit,)):
            return Violation(
                say("enemy units are in {hex}", hex=place(position, there)), where,
                hint=say("go round them"),
            )  # fmt: skip
        if not movement.would_be_supplied(position, (unit,), there, side):
            return Violation(
                say("no line of supply would lead to {hex}", hex=place(position, there)), where,
                rule="8.1.1", hint=say("end the way sooner"),
            )  # fmt: skip
        position = movement.in_passing(position, there, side)
        here = there
    return None

"""9: air units, headquarters and supply columns in a combat, and disorganisation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.board.tables import clamp
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.orders import Shoot, Support, UseColumns
from pbem.games.ctv.position import AVAILABLE, OFF, RAIN, Combat, Position
from pbem.games.ctv.rules import movement
from pbem.games.ctv.rules.asks import LosesInTheAir, OfASide
from pbem.games.ctv.rules.naming import called, in_list, named_twice, place
from pbem.games.ctv.tables import AIR, HEADQUARTERS, ITALIAN, ITALO_SPANISH, NATIONALIST, SPANISH
from pbem.messages import Said, any_of, either, marked, say


def fighting(position: Position, battle: Combat, side: Side) -> tuple[str, ...]:
    """The ground units of a side in a combat."""
    if position.side_of(battle.attackers[0]) == side:
        return tuple(unit for unit in battle.attackers if position.at(unit))
    return position.units_at(battle.hex, side)


# ------------------------------------------------------------------- who may bombard


@CITE.rule("9.1")
def why_no_air(position: Position, battle: Combat, unit: str) -> Said:
    """Why an air unit cannot support a side in a combat; empty if it can."""
    if position.places[unit] != AVAILABLE:
        return say("{unit} is not available", unit=called(position, unit))
    if position.weather == RAIN:
        return say("it rains: no air unit can be used")
    return _why_not_its_troops(position, battle, unit)


@CITE.rule("9.2")
@CITE.serves("10.2")
def why_no_headquarters(position: Position, battle: Combat, unit: str) -> Said:
    """Why a headquarters cannot bombard in a combat; empty if it can."""
    printed, most = position.printed(unit), position.board.charts["bombardment"]["range"]
    if printed.type != HEADQUARTERS or not position.at(unit):
        return say("{unit} is no headquarters on the map", unit=called(position, unit))
    # reading: whoever supports is involved in the combat, and so has the supply of this moment, in
    # or out since the segment began (10.2, step 1); for all else it is what it was.
    if position.is_cut_off(unit):
        return say("{unit} is out of supply", unit=called(position, unit))
    far = position.board.distance(position.at(unit), battle.hex)
    if far > most:
        return say(
            "{unit} is {far} hexes from {hex}, and reaches {most}",
            unit=called(position, unit), far=far, hex=place(position, battle.hex), most=most,
        )  # fmt: skip
    return _why_not_its_troops(position, battle, unit)


def _why_not_its_troops(position: Position, battle: Combat, unit: str) -> Said:
    """Why a unit may not support the troops of its side in a combat.

    Spanish air units and headquarters support Spanish troops; an Italian or Italo-Spanish
    divisional headquarters its own division; others support any of their side.
    """
    # reading: 9.2, the headquarters of the Frecce Nere supports its own formation, as Italian ones
    # do.
    printed = position.printed(unit)
    if printed.side != NATIONALIST:
        return ""
    troops = [position.printed(one) for one in fighting(position, battle, NATIONALIST)]
    if printed.nation == SPANISH and not any(one.nation == SPANISH for one in troops):
        return say(
            "{unit} supports Spanish Nationalist troops, and none take part",
            unit=called(position, unit),
        )
    is_bound = printed.nation in (ITALIAN, ITALO_SPANISH) and printed.level == "division"
    if is_bound and not any(
        one.division == printed.division and one.type != HEADQUARTERS for one in troops
    ):
        return say(
            "{unit} supports its own division, and none of its units take part",
            unit=called(position, unit),
        )
    return ""


@CITE.rule("9.4")
def why_used(position: Position, unit: str) -> Said:
    """Why a supporter cannot be used again; empty if it can: once a turn, on either side."""
    if unit in position.used:
        return say("{unit} was used in this turn already", unit=called(position, unit))
    return ""


def why_no_support(position: Position, battle: Combat, unit: str) -> tuple[Said, str]:
    """Why a unit cannot bombard in a combat, with the rule; empty if it can."""
    if why := why_used(position, unit):
        return why, "9.4"
    if position.printed(unit).type == AIR:
        why = why_no_air(position, battle, unit)
        if position.places[unit] == OFF:
            return why, "9.1.1"
        return why, "11.3" if position.weather == RAIN else "9.1"
    rule = "6.3.1" if position.at(unit) and position.is_cut_off(unit) else "9.2"
    return why_no_headquarters(position, battle, unit), rule


def supporters(position: Position, battle: Combat, side: Side, type: str) -> tuple[str, ...]:
    """The air units or headquarters of a side that could bombard in a combat."""
    if type == AIR:
        able = position.air(side)
    else:
        able = tuple(unit for unit in position.board.headquarters[side] if position.at(unit))
    return tuple(unit for unit in able if not why_no_support(position, battle, unit)[0])


@CITE.serves("9.2")
def may_support(position: Position, battle: Combat, side: Side) -> bool:
    """Whether a covered counter of a side may be a headquarters that could bombard in a combat."""
    for tag in position.covered_on_map(side):
        guns = [one for one in position.may_be(tag) if position.printed(one).type == HEADQUARTERS]
        far = position.board.distance(position.at(tag), battle.hex)
        is_able = far <= position.board.charts["bombardment"]["range"]
        if position.is_cut_off(tag) or not is_able:
            continue
        if any(not _why_not_its_troops(position, battle, one) for one in guns):
            return True
    return False


# ------------------------------------------------------------------- columns


@CITE.rule("9.3.1")
def usable_columns(position: Position, side: Side, firing: Iterable[str]) -> Mapping[str, str]:
    """The columns of a side, by their hexes, that could be used beside headquarters that fire: with
    one or next to one. One that has moved in this turn cannot be used (9.3.2).
    """
    hexes = [
        hex
        for unit in firing
        if (hex := position.at(unit)) and position.printed(unit).type == HEADQUARTERS
    ]
    return {
        position.at(column): column
        for column in position.columns_on_map(side)
        if not movement.is_spent_by_moving(position, column)
        and any(position.board.distance(position.at(column), hex) <= 1 for hex in hexes)
    }


OTHER_KIND = {
    AIR: marked("{unit} is not an air unit"),
    HEADQUARTERS: marked("{unit} is not a headquarters"),
}


@CITE.refusal("9.4.1")
def supports_with_its_own(
    stage: OfASide, position: Position, order: Support
) -> Iterator[Violation]:
    for name, type in (("air", AIR), ("hq", HEADQUARTERS)):
        named: Sequence[str] = getattr(order, name)
        for at, unit, is_again in in_turn(named):
            if position.printed(unit).type != type:
                yield Violation(
                    say(OTHER_KIND[type], unit=called(position, unit)), (name, at),
                    hint=_may_support(position, stage, type),
                )  # fmt: skip
                continue
            if is_again:
                yield named_twice(position, unit, (name, at))
            why, rule = why_no_support(position, position.combat, unit)
            if why:
                yield Violation(
                    why, (name, at), rule=rule, hint=_may_support(position, stage, type)
                )
    if isinstance(order.columns, Mapping):
        yield from _uses(stage, position, order.hq, order.columns, "columns")


def still_able(position: Position, side: Side, order: Support) -> Support:
    """What is left of support that was said with an attack, once supply has been judged again."""
    battle = position.combat
    air, guns = (
        tuple(unit for unit in units if not why_no_support(position, battle, unit)[0])
        for units in (order.air, order.hq)
    )
    if not isinstance(order.columns, Mapping):
        return Support(air, guns, order.columns)
    usable = usable_columns(position, side, guns)
    columns = {hex: number for hex, number in order.columns.items() if hex in usable}
    return Support(air, guns, columns)


def _may_support(position: Position, stage: OfASide, type: str) -> Said:
    able = supporters(position, position.combat, stage.side, type)
    if not able:
        return say("no unit of this kind can be used here")
    return say("it may be {units}", units=any_of([called(position, unit) for unit in able]))


@CITE.refusal("9.3.1")
def uses_columns_beside_its_guns(
    stage: OfASide, position: Position, order: UseColumns
) -> Iterator[Violation]:
    firing = [unit for unit in position.combat.support if position.side_of(unit) == stage.side]
    yield from _uses(stage, position, firing, order.use, "use")


def _uses(
    stage: OfASide, position: Position, firing: Sequence[str],
    use: Mapping[str, int], name: str,
) -> Iterator[Violation]:  # fmt: skip
    usable = usable_columns(position, stage.side, firing)
    for hex, number in use.items():
        if hex not in usable or number not in (0, 1):
            there = position.columns_at(hex)
            why = say("no supply column is in {hex}", hex=place(position, hex))
            rule, hint = "9.3.1", say("use none: columns: none")
            if usable:
                hint = say("it may be a column in {hexes}", hexes=either(usable))
            if any(position.side_of(each) != stage.side for each in there):
                why = say("the column in {hex} is not yours", hex=hex)
            elif not firing:
                why = say(
                    "supply columns are used only beside headquarters that fire, and none is named"
                )
                if able := supporters(position, position.combat, stage.side, HEADQUARTERS):
                    hint = say("name a headquarters in hq: {units}",
                               units=in_list(called(position, unit) for unit in able))  # fmt: skip
            elif any(movement.is_spent_by_moving(position, each) for each in there):
                why, rule = say("the column in {hex} has moved in this turn", hex=hex), "9.3.2"
            elif there:
                why = say("the column in {hex} is not beside a headquarters that fires", hex=hex)
            if hex in usable:
                name_of = place(position, hex)
                why = say("{hex} has one column to use, not {number}", hex=name_of, number=number)
                rule = "9.3.1"
            yield Violation(
                why, (name, hex), rule=rule, hint=hint, is_key=hex not in usable,
            )  # fmt: skip


# ------------------------------------------------------------------- the table


@CITE.rule("9.4.2")
def points_of(position: Position, units: Iterable[str]) -> int:
    """The bombardment points of air units, headquarters and columns."""
    return sum(position.printed(unit).fire for unit in units)


def difference(position: Position, battle: Combat) -> tuple[Side | None, int]:
    """The side with more points, and how many more; None if both have as many."""
    sides: dict[Side, int] = {}
    for unit in battle.support:
        side = position.side_of(unit)
        sides[side] = sides.get(side, 0) + position.printed(unit).fire
    attacker = position.side_of(battle.attackers[0])
    mine = sides.get(attacker, 0)
    theirs = sum(sides.values()) - mine
    if mine == theirs:
        return None, 0
    other = next((side for side in sides if side != attacker), None)
    return (attacker if mine > theirs else other), abs(mine - theirs)


def levels_for(position: Position, more: int, die: int) -> int:
    """The levels of disorganisation that a bombardment die gives."""
    table = position.board.bombardment
    last = table.first_row + len(table.rows) - 1
    return table.at(table.column(more), clamp(die, table.first_row, last))


@CITE.rule("9.4.3")
def bombarded(position: Position, battle: Combat, by: Side) -> tuple[str, ...]:
    """The units that a result strikes: all those of the other side in the combat."""
    attacker = position.side_of(battle.attackers[0])
    if by == attacker:
        return position.units_at(battle.hex)
    return fighting(position, battle, attacker)


# ------------------------------------------------------------------- disorganisation


@CITE.rule("6.3.1", "9.5.1")
def level_after(position: Position, unit: str, levels: int) -> int:
    """The level of a unit after it is disorganised so many levels more.

    One without supply is not halved again: with its first level it takes one more.
    """
    now = position.levels.get(unit, 0)
    if now == 0 and unit in position.unsupplied:
        levels += 1
    return now + levels


def is_past_saving(position: Position, unit: str, level: int) -> bool:
    """Whether a unit of this level is eliminated: beyond the last, or at it without supply."""
    most: int = position.board.charts["disorganised"]["most"]
    return level > most or (level == most and unit in position.unsupplied)


@CITE.refusal("15.1")
def loses_as_many_in_the_air(
    stage: LosesInTheAir, position: Position, order: Shoot
) -> Iterator[Violation]:
    fought = in_list(called(position, unit) for unit in stage.units)
    if len(order.units) != stage.number or len(set(order.units)) != stage.number:
        yield Violation(
            say("{number} of your air units were shot down", number=stage.number), ("units",),
            hint=say("name so many of {units}", units=fought),
        )  # fmt: skip
    for at, unit in enumerate(order.units):
        if unit not in stage.units:
            yield Violation(
                say("{unit} was not in this combat", unit=called(position, unit)), ("units", at),
                hint=say("name {units}", units=fought),
            )  # fmt: skip

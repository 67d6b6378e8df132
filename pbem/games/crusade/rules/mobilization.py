"""15.2.2 and 15.2.3: the Reserve each side must have, and militia that become regulars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Militarize, Withdraw
from pbem.games.crusade.position import ELIMINATED, POOL, RESERVE, Position
from pbem.games.crusade.rules.activation import occupied_spaces
from pbem.games.crusade.rules.asks import Converting, KnowsMover
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import Either, a_few, any_of, say

# --- the Reserve --------------------------------------------------------------------------------


@CITE.rule("15.2.2.1")
def missing_reserves(position: Position, side: Side) -> tuple[tuple[tuple[str, ...], int], ...]:
    """What a side's Reserve Box lacks: types that would do, and how many of them."""
    # reading: MIL and INF include the Navarrese and the Catalan militia, which are not among those
    # the rule does not count; each region of the north has its own number.
    rows: tuple[Mapping[str, Any], ...] = tuple(position.tables.tables["reserve_quota"][side])
    found = []
    for row in rows:
        if row.get("if_played", "") in ("", *position.played):
            kinds = [position.type_of(unit).kind for unit in position.units_in(RESERVE, side)]
            lacking = row["count"] - sum(1 for kind in kinds if kind in row["types"])
            found.append((tuple(row["types"]), lacking))
    return tuple((types, lacking) for types, lacking in found if lacking > 0)


def withdrawable(position: Position, side: Side) -> tuple[str, ...]:
    """The divisions that may go to the Reserve, reduced ones first, then in stack order."""
    wanted = {kind for types, _ in missing_reserves(position, side) for kind in types}
    # reading: 18.2.3, isolated Oviedo is in supply as long as the corridor is open (16.2.3).
    units = [
        unit
        for space in (occupied_spaces(position, side) if wanted else ())
        if is_supplied(position, side, space)
        for unit in position.units_in(space)
        if position.type_of(unit).kind in wanted
    ]
    rank = position.tables.rank
    return tuple(sorted(units, key=lambda unit: (not position.is_reduced(unit), rank[unit])))


@CITE.check("15.2.2.2")
def division_helps_the_reserve(
    stage: KnowsMover, position: Position, order: Withdraw
) -> Iterator[Violation]:
    """The division is of a kind the Reserve lacks, in a supplied space, of the side to move."""
    unit, mover = order.unit, stage.mover(position)
    if unit not in position.counters or (side := position.side_of(unit)) != mover:
        yield Violation(
            say(
                "{unit} is not a unit of the {mover} side, whose turn it is",
                unit=repr(unit),
                mover=say(str(mover).capitalize()),
            ),
            ("unit",),
        )
    elif unit not in (right := withdrawable(position, side)):
        lacks = tuple(
            say("{count} {types}", count=count, types=Either(tuple(types)))
            for types, count in missing_reserves(position, side)
        )
        why = say("the Reserve has enough of its kind")
        if not position.is_on_map(unit):
            why = say("it is not on the map")
        elif not is_supplied(position, side, position.place_of(unit)):
            why = say("{place} is out of supply", place=position.called(position.place_of(unit)))
        yield Violation(
            say("{unit} may not be withdrawn: {why}", unit=unit, why=why),
            ("unit",),
            hint=say(
                "the Reserve lacks {lacks}; you may withdraw {some}",
                lacks=lacks,
                some=any_of(right),
            ),
        )


# --- militia and regulars -----------------------------------------------------------------------

IN_PLAY_OFF_MAP = (RESERVE, ELIMINATED)
REGULARS = "RPA"


def militia_to_convert(position: Position) -> tuple[str, ...]:
    """Militia in play that are neither northern nor POUM, in stack order."""
    return tuple(
        unit
        for unit, unit_type in position.tables.units.items()
        if unit_type.side == REPUBLICAN
        and unit_type.has("militarizable")
        and (position.is_on_map(unit) or position.place_of(unit) in IN_PLAY_OFF_MAP)
    )


def regulars_in_the_box(position: Position) -> tuple[str, ...]:
    """Popular Army divisions that are not in play yet, in stack order."""
    return tuple(
        unit
        for unit, unit_type in position.tables.units.items()
        if unit_type.side == REPUBLICAN
        and unit_type.id == regulars(position)
        and position.place_of(unit) == POOL
    )


@CITE.rule("18.1.6")
def regulars(position: Position) -> str:
    """The type that militia become: the Popular Army, or its elite."""
    return "RPA-ELITE" if position.option("18.1.6") else REGULARS


@CITE.check("15.2.3")
def militia_may_be_converted(
    stage: Converting, position: Position, order: Militarize
) -> Iterator[Violation]:
    """Up to five militia are converted, neither regional nor POUM, while regulars are left."""
    if stage.left < 1:
        yield Violation(say("no more militia can become regulars"), ("unit",))
    if order.unit not in (right := militia_to_convert(position)):
        yield Violation(
            say("{unit} is not militia that may become regulars", unit=repr(order.unit)),
            ("unit",),
            hint=say(
                "militia of the north and of the POUM may not; those that may: {some}",
                some=a_few(right),
            ),
        )
    elif not regulars_in_the_box(position):
        yield Violation(say("no Popular Army division is left in the box"), ("unit",))

"""5: how many units a hex holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pbem.engine.model import Side
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.tables import ARMOUR, COLUMN, HEADQUARTERS
from pbem.messages import Said, marked, say

ALONE = {
    HEADQUARTERS: marked("two headquarters would be in {hex}"),
    ARMOUR: marked("two armoured units would be in {hex}"),
    COLUMN: marked("two supply columns would be in {hex}"),
}
"""The types without stacking points, of which a hex holds one each."""
PERHAPS = {
    HEADQUARTERS: marked("two headquarters might be in {hex}, as far as both know"),
    ARMOUR: marked("two armoured units might be in {hex}, as far as both know"),
    COLUMN: marked("two supply columns might be in {hex}, as far as both know"),
}
"""The same where some of them lie covered."""


def points(position: Position, units: Iterable[str]) -> int:
    """The stacking points of units."""
    return sum([position.printed(unit).points for unit in units])


def of_a_type(position: Position, units: Iterable[str], type: str) -> tuple[str, ...]:
    """Those of units that are of a type."""
    return tuple(unit for unit in units if position.printed(unit).type == type)


@CITE.audit("5.1")
@CITE.rule("5.1")
def is_overstacked(position: Position, hex: str, side: Side) -> bool:
    """Whether the units of a side in a hex are halved for their number.

    So they are while a retreat has brought two armoured units together.
    """
    return are_too_many(position, hex, position.units_at(hex, side))


@CITE.serves("5.1")
def are_too_many(position: Position, hex: str, there: Collection[str]) -> bool:
    """Whether these units, all in a hex, are halved for their number."""
    # reading: two armoured units that a retreat brought together count as overstacked (5).
    limit = position.terrain(hex).stacking
    return points(position, there) > limit or len(of_a_type(position, there, ARMOUR)) > 1


@CITE.audit("5.1.1")
@CITE.rule("5.1.1")
def is_ruinous(position: Position, hex: str, units: Iterable[str]) -> bool:
    """Whether so many units in a hex would all be eliminated: twice the limit."""
    return points(position, units) >= 2 * position.terrain(hex).stacking


@CITE.serves("5.1.1")
def may_be_ruinous(position: Position, hex: str, units: Iterable[str]) -> bool:
    """The same of units that both know, with the covered counters in the hex at their most."""
    there = (*units, *position.covers.get(hex, ()))
    return points_at_most(position, there) >= 2 * position.terrain(hex).stacking


@CITE.serves("5.1.1")
def points_at_most(position: Position, units: Iterable[str]) -> int:
    """The stacking points of units, covered counters at their most, as both know."""
    return sum(
        max((position.printed(piece).points for piece in position.may_be(unit)), default=0)
        for unit in units
    )


@CITE.serves("5", "5.2")
def may_be_beyond_the_limit(position: Position, hex: str, side: Side) -> bool:
    """Whether the units of a side in a hex may be too many to end there, with its covered counters
    at their most.
    """
    known = position.units_at(hex, side)
    armour = len(of_a_type(position, known, ARMOUR)) + any(
        position.printed(piece).type == ARMOUR
        for tag in position.covers.get(hex, ())
        for piece in position.may_be(tag)
    )
    return may_be_ruinous(position, hex, known) or armour > 1


@CITE.serves("5.1", "5.2")
def may_be_overstacked(position: Position, hex: str, side: Side) -> bool:
    """Whether the units of a side in a hex may be halved for their number, its covered counters at
    their most.
    """
    known, covered = position.units_at(hex, side), position.covers.get(hex, ())
    armour = len(of_a_type(position, known, ARMOUR))
    armour += sum(bool(of_a_type(position, position.may_be(tag), ARMOUR)) for tag in covered)
    most = points_at_most(position, (*known, *covered))
    return most > position.terrain(hex).stacking or armour > 1


@CITE.audit("5")
@CITE.rule("5")
def faults_of_end(
    position: Position, hex: str, side: Side, coming: Collection[str]
) -> Iterator[tuple[Said, str]]:
    """Why units may not end a move in a hex: each reason with its rule. Passing through is free."""
    there = [unit for unit in position.stacks.get(hex, ()) if position.side_of(unit) == side]
    together = dict.fromkeys([*there, *coming])
    types = [position.printed(unit).type for unit in together]
    for type, message in ALONE.items():
        if types.count(type) > 1 and of_a_type(position, coming, type):
            yield say(message, hex=hex), "5"
    if is_ruinous(position, hex, together):
        yield say(
            "{points} stacking points would be in {hex}, twice its limit of {limit}: all would be "
            "eliminated",
            points=points(position, together), hex=hex, limit=position.terrain(hex).stacking,
        ), "5.1.1"  # fmt: skip


@CITE.serves("5", "5.2")
def doubts_of_end(
    position: Position, hex: str, side: Side, coming: Collection[str]
) -> Iterator[tuple[Said, str]]:
    """Why units might not be allowed to end a move in a hex, by what both know, for a covered
    counter among them or there: each reason with its rule. As far as they are known they may.
    """
    there = [unit for unit in position.stacks.get(hex, ()) if position.side_of(unit) == side]
    together = tuple(dict.fromkeys([*there, *position.covers.get(hex, ()), *coming]))
    for type, message in PERHAPS.items():
        could = {unit: set(of_a_type(position, position.may_be(unit), type)) for unit in together}
        if any(
            one != two and could[one] and could[two] and len(could[one] | could[two]) > 1
            for one in coming
            for two in together
        ):
            yield say(message, hex=hex), "5"
    most, limit = points_at_most(position, together), position.terrain(hex).stacking
    if most >= 2 * limit:
        yield say(
            "up to {points} stacking points might be in {hex}, twice its limit of {limit}, as far "
            "as both know",
            points=most, hex=hex, limit=limit,
        ), "5.1.1"  # fmt: skip

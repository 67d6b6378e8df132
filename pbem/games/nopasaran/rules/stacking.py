"""8: how many troop points a hex holds, and in which order units lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import Arrange
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import called, place, units_in_list
from pbem.messages import say


@CITE.audit("8")
@CITE.rule("8")
def limit(position: Position, hex: str) -> int:
    """The troop points that a hex holds: 10, in Madrid 20."""
    return position.terrain(hex).stacking


def excess(position: Position, hex: str, coming: Iterable[str] = ()) -> int:
    """The troop points above the limit of a hex, with units that come; 0 within it."""
    units = dict.fromkeys((*position.stacks.get(hex, ()), *coming))
    return max(0, position.troops_of(units) - limit(position, hex))


@CITE.serves("8", "15.C")
def excess_known(position: Position, hex: str, coming: Iterable[str] = ()) -> int:
    """The same for a view that knows by name the counters face down of whoever goes there. Of those
    that were mixed today it knows only which they are together. For orders that are judged: what
    happens is the same in every view.
    """
    there = {*position.stacks.get(hex, ()), *coming}
    mixed = position.down.held(position.mixed & there)
    return max(0, position.troops_of({*there, *mixed}) - limit(position, hex))


@CITE.serves("8")
def could_be_too_full(position: Position, hex: str, coming: Iterable[str] = ()) -> bool:
    """Whether a hex may hold too much with units that come, whatever those are of them that lie
    face down.
    """
    there = {*position.stacks.get(hex, ()), *coming}
    tags = set(filter(is_tag, there))
    pieces = {piece for tag in tags for piece in position.may_be(tag)}
    largest = sorted(map(position.troops, pieces), reverse=True)[: len(tags)]
    return position.troops_of(there - tags) + sum(largest) > limit(position, hex)


def overfull(position: Position, side: Side) -> Iterator[str]:
    """The hexes of a side that hold too much."""
    return (
        hex for hex, holder in position.holders.items() if holder == side and excess(position, hex)
    )


@CITE.serves("8.p3")
def overfills_unseen(
    position: Position, units: Iterable[str], hex: str, path: tuple[str | int, ...]
) -> Iterator[Violation]:
    """The fault of units that end in a hex of their own side which holds too much with them, as a
    view knows that knows its counters face down.
    """
    # reading: a hex that is too full with counters face down would have to be cleared, and nobody
    # could see it. So no unit ends its way there; an audit finds whoever does. Reinforcements may
    # (`cover.needs`).
    there = {*position.stacks.get(hex, ()), *units}
    covered = (position.mixed | position.down.hidden) & there
    if covered and excess_known(position, hex, units):
        yield Violation(
            say("{hex} would hold too many troop points, some of them face down",
                hex=place(position, hex)),
            path, rule="8.p3", hint=say("end in another hex, or move others out first"),
        )  # fmt: skip


@CITE.check("8.p6")
def arranges_a_stack(stage: OfASide, position: Position, order: Arrange) -> Iterator[Violation]:
    """All units of a hex of one's own, one that can attack on top if there is any."""
    there = position.units_at(order.hex, stage.side)
    if not there or set(order.units) != set(there) or len(order.units) != len(there):
        yield Violation(
            say("these are not the units in {hex}", hex=place(position, order.hex)), ("units",),
            hint=say("name each of them once: {units}", units=units_in_list(position, there))
            if there
            else say("none of your units is there"),
        )  # fmt: skip
        return
    able = [unit for unit in there if position.could_attack(unit)]
    if able and order.units[0] not in able:
        yield Violation(
            say("{unit} cannot attack, so it does not lie on top",
                unit=called(position, order.units[0])),
            ("units", 0),
            hint=say("put one of these on top: {units}", units=units_in_list(position, able)),
        )  # fmt: skip
    elif order.attacks and order.units[0] not in able:
        yield Violation(say("{unit} cannot attack", unit=called(position, order.units[0])),
                        ("attacks",), hint=say("leave it out: the program writes it"))  # fmt: skip

"""19.5.5.1: the losses at the start of Republican Collapse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Losses
from pbem.games.crusade.position import RESERVE, Position
from pbem.games.crusade.rules.asks import KnowsNumber
from pbem.messages import Said, a_few, say, say_many


def losers(position: Position, side: Side) -> tuple[str, ...]:
    """Full units next to enemy units or in the Reserve: divisions first, then in stack order."""
    units = [
        unit
        for unit, unit_type in position.tables.units.items()
        if unit_type.side == side
        and unit_type.reduced is not None
        and not position.is_reduced(unit)
        and (position.place_of(unit) == RESERVE or is_at_the_front(position, unit))
    ]
    return tuple(sorted(units, key=lambda unit: position.type_of(unit).is_corps))


def is_at_the_front(position: Position, unit: str) -> bool:
    """Whether a unit is on the map, next to a space with enemy units."""
    side = position.side_of(unit)
    return position.is_on_map(unit) and any(
        position.occupier(space) not in (None, side)
        for space in position.neighbours(position.place_of(unit))
    )


def worth(position: Position, units: Sequence[str]) -> int:
    """The losses that units cover when each is reduced (11.3.2)."""
    return sum(position.type_of(unit).full.lf for unit in units)


def amount_owed(position: Position, side: Side, number: int) -> int:
    """The losses that can be covered exactly; fewer than the number if it cannot be met."""
    # reading: 19.5.5.1/d, Q59, if no choice of units meets the number, the largest sum below it is
    # owed.
    return max(_sums(position, losers(position, side), number))


def _sums(position: Position, units: Sequence[str], most: int) -> set[int]:
    """Every amount up to `most` that units can cover exactly."""
    found = {0}
    for unit in units:
        each = worth(position, (unit,))
        found |= {amount + each for amount in found if amount + each <= most}
    return found


def some_losses(position: Position, units: Sequence[str], amount: int) -> tuple[str, ...]:
    """Units worth exactly the amount, as early in the list as possible."""
    chosen: list[str] = []
    left = list(units)
    while amount:
        unit = left.pop(0)
        rest = amount - worth(position, (unit,))
        if rest in _sums(position, left, rest):
            chosen.append(unit)
            amount = rest
    return tuple(chosen)


def least_losses(
    position: Position,
    units: Sequence[str],
    amount: int,
    liking: Callable[[str], tuple[int, ...]],
) -> tuple[str, ...]:
    """Units worth exactly the amount with the least sum of preferences, compared number by number.

    Of equal sums, the one with units as early in the list as possible.
    """
    least: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {0: ((), ())}
    for place, unit in enumerate(units):
        each, added = worth(position, (unit,)), liking(unit)
        for taken in sorted(least, reverse=True):
            total, chosen = least[taken]
            if taken + each <= amount:
                so_far = total or (0,) * len(added)
                now = tuple(map(sum, zip(so_far, added, strict=True))), (*chosen, place)
                least[taken + each] = min(least.get(taken + each, now), now)
    return tuple(units[place] for place in least[amount][1])


@CITE.check("19.5.5.1/d")
def losses_are_met_by_full_units(
    stage: KnowsNumber, position: Position, order: Losses
) -> Iterator[Violation]:
    """Each unit is full, at the front or in the Reserve, and listed once; they meet the number."""
    right = losers(position, stage.side)
    owed = amount_owed(position, stage.side, stage.number)
    wrong = False
    for place, unit, is_again in in_turn(order.steps):
        if is_again:
            yield Violation(say("{unit} would be destroyed", unit=unit), ("steps", place))
        elif unit not in right:
            why = _why_not(position, stage.side, unit)
            yield Violation(
                say("{unit} cannot take these losses: {why}", unit=unit, why=why),
                ("steps", place),
                hint=say("units that can: {some}", some=a_few(right)),
            )
        wrong |= unit not in right or is_again
    if not wrong and (taken := worth(position, order.steps)) != owed:
        yield Violation(
            say_many(
                "owed",
                "{owed} loss must be taken, not {taken}",
                "{owed} losses must be taken, not {taken}",
                owed=owed,
                taken=taken,
            ),
            ("steps",),
            hint=say(
                "for example by {some_losses}",
                some_losses=", ".join(some_losses(position, right, owed)),
            ),
        )
    if order.successors:
        yield Violation(
            say("these losses eliminate no corps"),
            ("successors",),
            hint=say("leave the successors out"),
        )


def _why_not(position: Position, side: Side, unit: str) -> Said:
    if unit not in position.counters or position.side_of(unit) != side:
        return say("it is not one of your units")
    if position.is_reduced(unit) or position.type_of(unit).reduced is None:
        return say("it has only one step left")
    return say("it is neither next to an enemy unit nor in the Reserve")

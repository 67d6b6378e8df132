"""Words that rank units: for losses said before the dice, and for standing policies.

A word is a unit id, a type (`MIL` also means `MIL-AST`, `INT` every International Brigade), a size
(`corps`, `division`), a strength (`full`, `reduced`, also `full division` and the like) or a tag
of data/crusade/units.yaml (`militia`, `armor`, `catalan`). A unit belongs to the most particular
word that fits it: its id before its type, its type before all others, else the first listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pbem.games.crusade.position import Position

if TYPE_CHECKING:
    from pbem.games.crusade.rules.allocations import Allocation

NULL_RANKING = ("reduced division", "full division", "reduced corps", "full corps")
"""How losses are taken where nobody has said anything."""


def fits(position: Position, word: str, unit: str) -> int:
    """How particularly a word means a unit: 0 not at all, 3 by its id."""
    unit_type = position.type_of(unit)
    if word == unit:
        return 3
    if word == unit_type.id:
        return 2
    strength = "reduced" if position.is_reduced(unit) else "full"
    general = {unit_type.size, strength, f"{strength} {unit_type.size}", *unit_type.tags}
    return 1 if word in general or unit_type.id.startswith(f"{word}-") else 0


def fits_any(position: Position, word: str, units: Iterable[str]) -> bool:
    return any(fits(position, word, unit) for unit in units)


def is_word(position: Position, word: str) -> bool:
    """Whether a word can mean any unit of the game."""
    general = ("corps", "division", "full", "reduced", *NULL_RANKING)
    return (
        word in general
        or word in position.tables.units
        or any(
            word == kind.id or kind.id.startswith(f"{word}-") or word in kind.tags
            for kind in position.tables.types.values()
        )
    )


def place_of(position: Position, words: Sequence[str], unit: str) -> int:
    """The place of a unit in a ranking; units that no word means come after all words."""
    best = max((fits(position, word, unit) for word in words), default=0)
    if best == 0:
        return len(words)
    return next(i for i, word in enumerate(words) if fits(position, word, unit) == best)


def completed(
    position: Position, words: Sequence[str], allocations: Iterable[Allocation]
) -> tuple[str, ...]:
    """The ranking with the types it does not mean after it, in stack order."""
    units = {unit for allocation in allocations for unit in allocation.steps}
    left = sorted(
        (unit for unit in units if place_of(position, words, unit) == len(words)),
        key=position.tables.rank.__getitem__,
    )
    return (*words, *dict.fromkeys(position.type_of(unit).id for unit in left))


def cost(position: Position, words: Sequence[str], allocation: Allocation) -> tuple[int, ...]:
    """Steps lost by place in the ranking, the last place first: what is listed last is saved
    before all else."""
    lost = [0] * (len(words) + 1)
    for unit, count in allocation.steps.items():
        lost[place_of(position, words, unit)] += count
    return tuple(reversed(lost))


def preferred(
    position: Position, words: Sequence[str], allocations: Sequence[Allocation]
) -> Allocation:
    """The allocation a ranking chooses; what it leaves equal the null ranking and order settle."""
    words = completed(position, words, allocations)
    return min(
        allocations,
        key=lambda each: (
            cost(position, words, each),
            cost(position, NULL_RANKING, each),
            by_order(position, each),
        ),
    )


def by_order(position: Position, allocation: Allocation) -> tuple[tuple[int, ...], ...]:
    """Units earlier in stack order lose first; so do divisions that replace a corps."""
    rank = position.tables.rank
    lost = sorted(rank[unit] for unit, count in allocation.steps.items() for _ in range(count))
    heirs = tuple(rank.get(heir, len(rank)) for _, heir in allocation.heirs)
    return tuple(lost), heirs

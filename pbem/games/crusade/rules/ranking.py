"""Words that rank units: for losses said before the dice, and for standing policies.

A word is a unit id, a type (`MIL` also means `MIL-AST`, `INT` every International Brigade), a size
(`corps`, `division`), a strength (`full`, `reduced`, also `full division` and the like) or a tag
of data/crusade/units.yaml (`militia`, `armor`, `catalan`). A unit belongs to the most particular
word that fits it: its id before its type, its type before all others, else the first listed.

`flip_before_kill` is the one word that means no unit: no unit dies while a full one can be reduced
instead, and units that would be out of the game die last. Among the units of one word, and
where nobody has said anything, that is so without the word; in front of a ranking it goes before
all other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pbem.board import ranking
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.elimination import is_lost_for_good

if TYPE_CHECKING:
    from pbem.games.crusade.rules.allocations import Allocation
    from pbem.games.crusade.tables import UnitType

FLIP = "flip_before_kill"
NULL_RANKING = ("reduced division", "full division", "reduced corps", "full corps")
"""How losses are taken where nobody has said anything, as far as `FLIP` leaves them equal."""


def fits(position: Position, word: str, unit: str) -> int:
    """How particularly a word means a unit: 0 not at all, 3 by its id."""
    unit_type = position.type_of(unit)
    if word == unit:
        return 3
    if word == unit_type.id:
        return 2
    strength = "reduced" if position.is_reduced(unit) else "full"
    general = {unit_type.size, strength, f"{strength} {unit_type.size}"}
    return 1 if word in general or _is_of_kind(word, unit_type) else 0


def fits_any(position: Position, word: str, units: Iterable[str]) -> bool:
    """Whether a word of a ranking means one of these units."""
    return any(fits(position, word, unit) for unit in units)


UNIT_WORDS = "a unit, a type such as MIL, corps, division, full or reduced"
"""What may be in a ranking, as a hint tells it."""
GENERAL = ("corps", "division", "full", "reduced", *NULL_RANKING)
"""Words that any unit may fit, now or later."""


def is_word(position: Position, word: str) -> bool:
    """Whether a word can mean any unit of the game."""
    return (
        word in GENERAL
        or word in position.tables.units
        or any(_is_of_kind(word, kind) for kind in position.tables.types.values())
    )


def usual_words(position: Position) -> tuple[str, ...]:
    """The words that rank units, those for a whole kind before the units themselves."""
    kinds = position.tables.types.values()
    tags = dict.fromkeys(tag for kind in kinds for tag in kind.tags)
    return (*GENERAL, *(kind.id for kind in kinds), *tags, *position.tables.units)


def means(position: Position, word: str, unit: str) -> bool:
    """Whether a word means a unit, whatever its strength."""
    return word in GENERAL or word == unit or _is_of_kind(word, position.type_of(unit))


def _is_of_kind(word: str, kind: UnitType) -> bool:
    return word == kind.id or kind.id.startswith(f"{word}-") or word in kind.tags


def place_of(position: Position, words: Sequence[str], unit: str) -> int:
    """The place of a unit in a ranking; units that no word means come after all words."""
    return ranking.place_of(words, lambda word: fits(position, word, unit))


def is_named(position: Position, words: Sequence[str], unit: str) -> bool:
    """Whether any word of a ranking means a unit."""
    return any(fits(position, word, unit) for word in words)


def first_named(position: Position, words: Sequence[str], units: Iterable[str]) -> str:
    """The unit that a ranking puts first; of equals, and without words, the first of them."""
    return min(units, key=lambda unit: place_of(position, words, unit))


def cost(position: Position, words: Sequence[str], allocation: Allocation) -> tuple[int, ...]:
    """Steps lost by place in the ranking, the last place first: what is listed last is saved
    before all else."""
    lost = [0] * (len(words) + 1)
    for unit, count in allocation.steps.items():
        lost[place_of(position, words, unit)] += count
    return tuple(reversed(lost))


def ranked(
    position: Position, words: Sequence[str], allocation: Allocation
) -> tuple[tuple[int, ...], ...]:
    """How a ranking likes an allocation, the lower the better: by its words alone."""
    if FLIP in words:
        return (deaths(position, allocation), cost(position, words, allocation))
    return (cost(position, words, allocation),)


def loses_least(position: Position, allocation: Allocation) -> tuple[tuple[int, ...], ...]:
    """What settles losses that a ranking leaves equal: the lower the better."""
    return (deaths(position, allocation), cost(position, NULL_RANKING, allocation))


def preferred(
    position: Position, words: Sequence[str], allocations: Sequence[Allocation]
) -> Allocation:
    """The allocation a ranking chooses; what it leaves equal loses least, then order settles it."""
    return min(
        allocations,
        key=lambda each: (
            ranked(position, words, each),
            loses_least(position, each),
            by_order(position, each),
        ),
    )


def deaths(position: Position, allocation: Allocation) -> tuple[int, int]:
    """`flip_before_kill`: the units that die, and those of them that are out of the game."""
    heirs = dict(allocation.heirs)
    stood_for = {heir: corps for corps, heir in allocation.heirs}
    dead = [u for u, count in allocation.steps.items() if count >= position.steps_left(u)]
    for_good = (
        is_lost_for_good(
            position, unit, position.place_of(stood_for.get(unit, unit)), heirs.get(unit)
        )
        for unit in dead
    )
    return len(dead), sum(for_good)


def by_what_is_lost(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """The types of units, those first that lose least: what comes back, and what is weak."""
    kinds = {position.type_of(unit).id: position.type_of(unit) for unit in units}
    return tuple(
        sorted(
            kinds,
            key=lambda kind: (
                kinds[kind].is_corps,
                kinds[kind].has("army_of_africa"),
                kinds[kind].full.cf,
                kind,
            ),
        )
    )


def by_order(position: Position, allocation: Allocation) -> tuple[tuple[int, ...], ...]:
    """Units earlier in stack order lose first; so do divisions that replace a corps."""
    rank = position.tables.rank
    lost = sorted(rank[unit] for unit, count in allocation.steps.items() for _ in range(count))
    heirs = tuple(rank.get(heir, len(rank)) for _, heir in allocation.heirs)
    return tuple(lost), heirs

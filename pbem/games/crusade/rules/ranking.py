"""Words that rank units: for losses ordered before the dice, and for standing policies.

A word is a unit id, a type (`MIL` also means `MIL-AST`, `INT` every International Brigade), a size
(`corps`, `division`), a strength (`full`, `reduced`, also `full division` and the like) or a tag of
data/crusade/units.yaml (`militia`, `armor`, `catalan`). A unit belongs to the most specific word
that fits it: its id before its type, its type before all others, else the first listed.

`flip_before_kill` is the only word that means no unit: no unit is eliminated while a full one can
be reduced instead, and units that would leave the game are eliminated last. Among the units of one
word, and without a ranking, this holds without the word. At the front of a ranking it comes before
all other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.board import ranking
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.elimination import is_lost_for_good
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.games.crusade.rules.allocations import Allocation
    from pbem.games.crusade.tables import UnitType

FLIP = "flip_before_kill"
ORDER, LAST = "order", "lose_last"
Line = Mapping[str, Any]
"""One key: `order` or `lose_last` with words, or `flip_before_kill`."""
NULL_RANKING = ("reduced division", "full division", "reduced corps", "full corps")
"""How losses are taken without a ranking, as far as `FLIP` leaves them equal."""


def fits(position: Position, word: str, unit: str) -> int:
    """How specifically a word means a unit: 0 not at all, 3 by its id."""
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


UNIT_WORDS = say("a unit, a type such as MIL, corps, division, full or reduced")
"""What a ranking may contain, in the words of a hint."""
GENERAL = ("corps", "division", "full", "reduced", *NULL_RANKING)
"""Words that may fit any unit, now or later."""


def is_word(position: Position, word: str) -> bool:
    """Whether a word can mean any unit of the game."""
    return (
        word in GENERAL
        or word in position.tables.units
        or any(_is_of_kind(word, kind) for kind in position.tables.types.values())
    )


def usual_words(position: Position) -> tuple[str, ...]:
    """The words that rank units; those for a whole kind come before single units."""
    kinds = position.tables.types.values()
    tags = dict.fromkeys(tag for kind in kinds for tag in kind.tags)
    return (*GENERAL, *(kind.id for kind in kinds), *tags, *position.tables.units)


def means(position: Position, word: str, unit: str) -> bool:
    """Whether a word means a unit, whatever its strength."""
    return word in GENERAL or word == unit or _is_of_kind(word, position.type_of(unit))


def _is_of_kind(word: str, kind: UnitType) -> bool:
    return word == kind.id or kind.id.startswith(f"{word}-") or word in kind.tags


def place_of(position: Position, words: Sequence[str], unit: str) -> int:
    """The place of a unit in a ranking; units that no word means are last."""
    return ranking.place_of(words, lambda word: fits(position, word, unit))


def is_named(position: Position, words: Sequence[str], unit: str) -> bool:
    """Whether any word of a ranking means a unit."""
    return any(fits(position, word, unit) for word in words)


def first_named(position: Position, words: Sequence[str], units: Iterable[str]) -> str:
    """The unit that a ranking puts first; the first of equals, or of all without a ranking."""
    return min(units, key=lambda unit: place_of(position, words, unit))


def cost(position: Position, words: Sequence[str], allocation: Allocation) -> tuple[int, ...]:
    """Steps lost by place in the ranking, last place first: what is listed last is saved first."""
    lost = [0] * (len(words) + 1)
    for unit, count in allocation.steps.items():
        lost[place_of(position, words, unit)] += count
    return tuple(reversed(lost))


def line_cost(
    position: Position, line: Line, allocation: Allocation
) -> tuple[tuple[int, ...], ...]:
    """How a line of a ranking likes an allocation, the lower the better."""
    ((kind, words),) = line.items()
    if kind == FLIP:
        return (deaths(position, allocation),)
    if kind == LAST:
        steps = allocation.steps.items()
        return ((sum(count for unit, count in steps if is_named(position, words, unit)),),)
    flips = (deaths(position, allocation),) if FLIP in words else ()
    return (*flips, cost(position, words, allocation))


def loses_least(position: Position, allocation: Allocation) -> tuple[tuple[int, ...], ...]:
    """The score of losses that a ranking leaves equal; lower is better."""
    return (deaths(position, allocation), cost(position, NULL_RANKING, allocation))


def preferred(
    position: Position, lines: Sequence[Line], allocations: Sequence[Allocation],
    successors: Sequence[str] = (),
) -> Allocation:  # fmt: skip
    """The allocation that ranked lines choose; what they leave equal loses least, then order
    settles it. `successors` ranks the divisions that replace corps.
    """

    def rank(allocation: Allocation) -> tuple[Any, ...]:
        heirs = (heir for _, heir in allocation.heirs if heir)
        killed, lost = loses_least(position, allocation)
        return (
            *(line_cost(position, line, allocation) for line in lines),
            killed,
            sum(place_of(position, successors, heir) for heir in heirs),
            lost,
            by_order(position, allocation),
        )

    return min(allocations, key=rank)


def deaths(position: Position, allocation: Allocation) -> tuple[int, int]:
    """The number of units eliminated, and of those that leave the game (`flip_before_kill`)."""
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
    """The types of units, least loss first: those that can come back, and weak ones."""
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
    """Prefers losses of units earlier in stack order, and of divisions that replace a corps."""
    rank = position.tables.rank
    lost = sorted(rank[unit] for unit, count in allocation.steps.items() for _ in range(count))
    heirs = tuple(rank.get(heir, len(rank)) for _, heir in allocation.heirs)
    return tuple(lost), heirs

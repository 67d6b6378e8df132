"""What an order that is decided by dice may come to: exact chances, counted and not sampled.

Whoever attacks wants to know before the dice what they may bring. A game that can tell goes
through every fall of the dice by the stages that carry the order out, so that the odds are those of
the rules and no second copy of them. What they take for granted (an answer of the other side, a
card nobody has shown) they say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pbem.engine.model import Order, Side, State
from pbem.messages import Said
from pbem.value import value


@value
class Factor:
    """Something that shifts a column or changes a die: what, by how much, by which rule."""

    words: Said
    number: int
    rule: str


@value
class Salvo:
    """How a side fires: with what strength, on which column, and what changed column and die."""

    side: Side
    strength: int
    column: Said
    """Where the strength is looked up after all shifts: "column 7 of the corps table"."""
    shifts: tuple[Factor, ...]
    modifiers: tuple[Factor, ...]


@value
class Branch:
    """One result, and in how many falls of the dice it comes; all falls are equally likely."""

    ways: int
    winner: Side | None
    """None where nobody wins."""
    lost: tuple[tuple[Side, int], ...]
    """Steps that each side loses, the attacker first."""

    def lost_by(self, side: Side) -> int:
        """Steps that a side loses."""
        return dict(self.lost)[side]


@value
class Chances:
    """All that may come of an attack. `salvos` and what each branch lost begin with the attacker.

    No two branches have the same result.
    """

    where: str
    """The name of the place that is attacked."""
    salvos: tuple[Salvo, ...]
    branches: tuple[Branch, ...]
    notes: tuple[Factor, ...] = ()
    """What holds beside the dice, as who has to lose first; the number of each is 0."""
    supposed: tuple[Factor, ...] = ()
    """What nobody can know yet and is taken for granted; the number of each is 0."""

    @property
    def ways(self) -> int:
        """How many falls of the dice there are."""
        return sum(branch.ways for branch in self.branches)

    def ways_where(self, holds: Callable[[Branch], bool]) -> int:
        """In how many falls of the dice something holds."""
        return sum(each.ways for each in self.branches if holds(each))

    def spread(self, side: Side) -> dict[int, int]:
        """For each number of steps that a side may lose, in ascending order, in how many falls."""
        found = dict.fromkeys(sorted({each.lost_by(side) for each in self.branches}), 0)
        for branch in self.branches:
            found[branch.lost_by(side)] += branch.ways
        return found


class Odds(Protocol):
    """The capability of a game that can tell the chances of an attack."""

    attacks: frozenset[type[Order]]
    """The orders that have chances; empty in a game that cannot tell any."""

    def of(self, state: State[Any], order: Order) -> Chances:
        """The chances of an order of `attacks` that is legal now. Nothing hidden decides them."""
        ...


class NoOdds:
    """The null form: a game that tells no chances."""

    attacks: frozenset[type[Order]] = frozenset()

    def of(self, state: State[Any], order: Order) -> Chances:
        raise AssertionError("asked for the chances of an order that has none")


NO_ODDS = NoOdds()

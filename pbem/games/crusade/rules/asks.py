"""What predicates need from the stage for which they judge an order.

A stage that lists a predicate in its checks has everything it needs. A predicate that needs nothing
takes any `object`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Protocol

    from pbem.engine.model import Order, Side, Violation
    from pbem.games.crusade.orders import Move, Redeploy
    from pbem.games.crusade.position import Boost, Combat, Position
    from pbem.games.crusade.rules.allocations import LossPool
    from pbem.games.crusade.rules.retreat import Ways
else:
    Protocol = object
    """Only the type checker wants to know; to make a protocol costs ten times a plain class."""


class OfASide(Protocol):
    """The side that is asked."""

    @property
    def side(self) -> Side: ...


# --- operations ---------------------------------------------------------------------------------


class Activating(OfASide, Protocol):
    """The points available, the spaces an event names and leaves free, and what is closed."""

    @property
    def points(self) -> int: ...
    @property
    def named(self) -> tuple[str, ...]: ...
    @property
    def free(self) -> int | None: ...
    @property
    def attack_only(self) -> bool: ...
    @property
    def closed(self) -> tuple[str, ...]: ...

    def check(self, position: Position, order: Order, /) -> Iterable[Violation]:
        """What is wrong with another order, such as the example of a hint."""


class Moving(OfASide, Protocol):
    """Activated spaces, units that have moved or are building, and enemy spaces at the start of the
    round.
    """

    @property
    def move(self) -> tuple[str, ...]: ...
    @property
    def attack(self) -> tuple[str, ...]: ...
    @property
    def hostile(self) -> frozenset[str]: ...
    @property
    def moved(self) -> frozenset[str]: ...
    @property
    def diggers(self) -> tuple[tuple[str, str], ...]: ...
    def idle_units(self, position: Position, space: str) -> tuple[str, ...]:
        """The units of a space that may still move or build."""

    def mending(self, position: Position) -> Move | None:
        """A move that would end a forbidden state; None if there is none."""


class Redeploying(OfASide, Protocol):
    """The halves of a point that are left, the units that have moved, and the spaces they left."""

    @property
    def halves(self) -> int: ...
    @property
    def moved(self) -> frozenset[str]: ...
    @property
    def afr_moved(self) -> int: ...
    @property
    def used(self) -> frozenset[str]: ...
    def mending(self, position: Position) -> Redeploy | None:
        """A redeployment that would end a forbidden state; None if there is none."""


class KnowsSpending(OfASide, Protocol):
    """What was supplied in this segment already, and the halves spent of what is rationed."""

    @property
    def isolated_served(self) -> frozenset[str]: ...
    @property
    def sieges_fed(self) -> frozenset[str]: ...
    @property
    def spent(self) -> Mapping[str, int]: ...


# --- combat -------------------------------------------------------------------------------------


class Attacking(OfASide, Protocol):
    """The spaces activated for combat, the units that have fought, and what was attacked this
    round.
    """

    @property
    def marked(self) -> tuple[str, ...]: ...
    @property
    def fought(self) -> frozenset[str]: ...
    @property
    def struck(self) -> frozenset[str]: ...


class Boosted(OfASide, Protocol):
    """The effect of an event on a side's attacks of the round, and which benefits are used up."""

    @property
    def boost(self) -> Boost: ...
    @property
    def spent(self) -> frozenset[str]: ...


class Committing(OfASide, Protocol):
    """The combat as it would be with the cards of an order, and the side that commits them."""

    def committed(self, position: Position, order: Any) -> tuple[Combat, Side]:
        """The combat with the cards of the order, and the side that commits them."""


class KnowsLossPool(Protocol):
    """A stage that knows what losses are taken from."""

    def fight(self, position: Position) -> LossPool:
        """The units that can lose steps, and how many steps are due."""


class KnowsWays(Protocol):
    """The retreats open to the defeated."""

    def ways(self, position: Position) -> Ways:
        """All retreats of equal rank, and the rules that exclude the others."""


class KnowsSpace(Protocol):
    """A stage about a space with too many units."""

    @property
    def space(self) -> str: ...


# --- between the rounds -------------------------------------------------------------------------


class KnowsNumber(OfASide, Protocol):
    """The losses of a side before the campaign."""

    @property
    def number(self) -> int: ...


class Deploying(Protocol):
    """The side to deploy, the corps that still wait, and the divisions that others displaced."""

    @property
    def corps(self) -> tuple[str, ...]: ...
    @property
    def bumped(self) -> frozenset[tuple[str, str]]: ...
    @property
    def rule(self) -> str: ...
    @property
    def room_rule(self) -> str: ...
    def waiting(self, position: Position, side: Side) -> tuple[str, ...]:
        """The corps of a side that have not been placed yet."""

    def mover(self, position: Position) -> Side | None: ...


class KnowsMover(Protocol):
    """The side to withdraw divisions into the Reserve."""

    def mover(self, position: Position) -> Side | None: ...


class Converting(Protocol):
    """The number of militia that may still become regulars."""

    @property
    def left(self) -> int: ...

"""What predicates ask of the stage for which they judge an order. Each stage that lists a predicate
in its checks has all of it. A predicate that asks nothing takes any `object`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Protocol

    from pbem.engine.model import Side
    from pbem.games.crusade.orders import Move, Redeploy
    from pbem.games.crusade.position import Boost, Combat, Position
    from pbem.games.crusade.rules.allocations import LossPool
    from pbem.games.crusade.rules.retreat import Ways
else:
    Protocol = object
    """Only the type checker wants to know; to make a protocol costs ten times a plain class."""


class OfASide(Protocol):
    """Whose turn it is to say something."""

    @property
    def side(self) -> Side: ...


# --- operations ---------------------------------------------------------------------------------


class Activating(OfASide, Protocol):
    """The points there are, what an event names and leaves free, and what is closed."""

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


class Moving(OfASide, Protocol):
    """Marked spaces, units that have moved or build, and enemy spaces at the beginning of the
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
        """Who may still move or build out of a space."""

    def mending(self, position: Position) -> Move | None:
        """A move that would end a forbidden state; None where there is none."""


class Redeploying(OfASide, Protocol):
    """The halves of a point that are left, who has moved, and out of which spaces."""

    @property
    def halves(self) -> int: ...
    @property
    def moved(self) -> frozenset[str]: ...
    @property
    def afr_moved(self) -> int: ...
    @property
    def used(self) -> frozenset[str]: ...
    def mending(self, position: Position) -> Redeploy | None:
        """A redeployment that would end a forbidden state; None where there is none."""


class KnowsSpending(OfASide, Protocol):
    """What was served in this segment already, and the halves spent of what is rationed."""

    @property
    def isolated_served(self) -> frozenset[str]: ...
    @property
    def sieges_fed(self) -> frozenset[str]: ...
    @property
    def spent(self) -> Mapping[str, int]: ...


# --- combat -------------------------------------------------------------------------------------


class Attacking(OfASide, Protocol):
    """The spaces marked for combat, who has fought, and what was attacked in this round."""

    @property
    def marked(self) -> tuple[str, ...]: ...
    @property
    def fought(self) -> frozenset[str]: ...
    @property
    def struck(self) -> frozenset[str]: ...


class Boosted(Protocol):
    """What an event does for the attacks of the round, and which favours are used up."""

    @property
    def boost(self) -> Boost: ...
    @property
    def spent(self) -> frozenset[str]: ...


class Committing(OfASide, Protocol):
    """The combat as it would stand with the cards of an order, and who commits them."""

    def committed(self, position: Position, order: Any) -> tuple[Combat, Side]:
        """The combat with the cards of the order, and the side that commits them."""


class KnowsLossPool(Protocol):
    """What losses are taken from."""

    def fight(self, position: Position) -> LossPool:
        """Who can lose steps, and how many are asked."""


class KnowsWays(Protocol):
    """The ways that are open to the beaten."""

    def ways(self, position: Position) -> Ways:
        """All ways of equal rank, and the rules by which others fell out."""


class KnowsSpace(Protocol):
    """A space that holds too many units."""

    @property
    def space(self) -> str: ...


# --- between the rounds -------------------------------------------------------------------------


class KnowsNumber(OfASide, Protocol):
    """How much a side loses before the campaign."""

    @property
    def number(self) -> int: ...


class Deploying(Protocol):
    """Whose turn it is, the corps that still wait, and those that others have pushed out."""

    @property
    def corps(self) -> tuple[str, ...]: ...
    @property
    def bumped(self) -> frozenset[tuple[str, str]]: ...
    @property
    def rule(self) -> str: ...
    @property
    def room_rule(self) -> str: ...
    def waiting(self, position: Position, side: Side) -> tuple[str, ...]:
        """The corps of a side that no order has placed yet."""

    def mover(self, position: Position) -> Side | None: ...


class KnowsMover(Protocol):
    """Whose turn it is to withdraw divisions into the Reserve."""

    def mover(self, position: Position) -> Side | None: ...


class Converting(Protocol):
    """How many militia may still become regulars."""

    @property
    def left(self) -> int: ...

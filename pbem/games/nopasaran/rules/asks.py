"""What the predicates of orders need from the stage they judge for."""

from __future__ import annotations

from typing import Protocol

from pbem.engine.model import Side
from pbem.games.nopasaran.orders import Defend
from pbem.games.nopasaran.position import Position


class OfASide(Protocol):
    """A stage that asks one side."""

    @property
    def side(self) -> Side: ...


class OfUnits(OfASide, Protocol):
    """A stage about some units of a side."""

    @property
    def units(self) -> tuple[str, ...]: ...


class OfAHex(OfASide, Protocol):
    """A stage about a hex of a side."""

    @property
    def hex(self) -> str: ...


class RetreatsSoFar(OfUnits, Protocol):
    """A stage in which units retreat so many hexes."""

    @property
    def length(self) -> int: ...


class Supports(OfASide, Protocol):
    """A stage in which a side supports its defence."""

    def whole(self, position: Position) -> Defend:
        """Everything that could."""


class Leads(OfASide, Protocol):
    """A stage in which a side names the unit that leads."""

    def able(self, position: Position) -> tuple[str, ...]:
        """Those that may lead, the best first."""


class Reacts(OfAHex, Protocol):
    """A stage in which the units of a hex may attack one that has looked for them."""

    def able(self, position: Position) -> tuple[str, ...]:
        """Those that may attack."""


class AnswersGuns(OfASide, Protocol):
    """A stage in which a side may fire at guns."""

    def targets(self, position: Position) -> tuple[str, ...]:
        """The hexes with guns that can be answered."""


class Unmasks(OfASide, Protocol):
    """A stage in which units face down may be shown that fire at aircraft."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes over which these fly."""


class AsksWho(OfASide, Protocol):
    """A stage in which a side says which of its counters face down are of some kind."""

    @property
    def all(self) -> bool:
        """Whether all of them have to be shown, and not one alone."""

    def may_be_meant(self, position: Position) -> tuple[str, ...]:
        """The tags that may be of that kind, as both players know."""

    def is_meant(self, position: Position, unit: str) -> bool:
        """Whether a unit is of that kind."""

"""What the predicates of orders need from the stage they judge for."""

from __future__ import annotations

from typing import Protocol

from pbem.engine.facedown import Spot
from pbem.engine.model import Side
from pbem.games.ctv.position import Position


class OfASide(Protocol):
    """A stage that asks one side."""

    @property
    def side(self) -> Side: ...


class SetsUp(OfASide, Protocol):
    """A stage of set-up, and what is set up in it."""

    @property
    def what(self) -> str: ...
    def trenches(self, position: Position) -> int:
        """How many may be dug in it."""


class Marches(OfASide, Protocol):
    """The movement of a side, and whether the column of the turn has come."""

    @property
    def has_column(self) -> bool: ...


class TakesSteps(Protocol):
    """A stage in which units lose steps."""

    @property
    def before(self) -> tuple[tuple[str, int], ...]:
        """The steps that units had lost before the combat."""

    def able(self, position: Position) -> tuple[str, ...]:
        """The units that can lose a step."""


class OfAHex(Protocol):
    """A stage about the units of a hex."""

    @property
    def hex(self) -> str: ...


class LosesInTheAir(Protocol):
    """A stage in which so many of some air units are lost."""

    @property
    def units(self) -> tuple[str, ...]: ...
    @property
    def number(self) -> int: ...


class Withdraws(Protocol):
    """A stage in which so many units leave the game."""

    @property
    def infantry(self) -> int: ...
    @property
    def air(self) -> int: ...


class Arranges(OfASide, Protocol):
    """A stage in which new tags are put where covered counters lay."""

    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def spots(self) -> tuple[Spot, ...]: ...


class FormsBattalions(Protocol):
    """A stage in which battalions are formed where brigades stood."""

    @property
    def hexes(self) -> tuple[str, ...]: ...

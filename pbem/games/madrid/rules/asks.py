"""What the predicates of orders need from the stage they judge for."""

from __future__ import annotations

from typing import Protocol

from pbem.engine.model import Side


class OfASide(Protocol):
    """A stage that asks one side."""

    @property
    def side(self) -> Side: ...


class Suffering(OfASide, Protocol):
    """A stage that shares out losses."""

    @property
    def points(self) -> int: ...
    @property
    def point(self) -> str: ...
    @property
    def units(self) -> tuple[str, ...]: ...
    @property
    def back(self) -> str: ...


class Fortified(OfASide, Protocol):
    """A stage in a combat with a Fortification, or without one."""

    @property
    def fortified(self) -> str: ...


class KnowsUnits(OfASide, Protocol):
    """A stage in which certain units retreat."""

    @property
    def units(self) -> tuple[str, ...]: ...


class Placing(OfASide, Protocol):
    """A stage in which units are set up or arrive."""

    @property
    def units(self) -> tuple[str, ...]: ...


class Picking(OfASide, Protocol):
    """A stage in which a number of certain units is picked."""

    @property
    def units(self) -> tuple[str, ...]: ...
    @property
    def count(self) -> int: ...
    @property
    def rule(self) -> str: ...

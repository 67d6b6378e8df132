"""The documents of ¡No Pasarán! under the names that the checks between them ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.board.hexes import Grid
from pbem.gamedata.game import Folder
from pbem.games.nopasaran.ground import GRID
from pbem.messages import say
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path
from pbem.value import value

MAP, UNITS, TABLES = "map.yaml", "units.yaml", "tables.yaml"
INITIAL = {"N": "nationalist", "R": "republican"}


@value
class Extent:
    """How far a map or a battle reaches: rows by their numbers, and places."""

    rows: tuple[int, int]
    places: tuple[int, int]
    grid: Grid = GRID

    def holds(self, hex: str) -> bool:
        """Whether a hex lies within."""
        row, place = self.grid.place(hex)
        return self.rows[0] <= row <= self.rows[1] and self.places[0] <= place <= self.places[1]

    def is_edge(self, hex: str) -> bool:
        """Whether a hex within lies on the edge."""
        row, place = self.grid.place(hex)
        return row in self.rows or place in self.places


def number_of(row: str) -> int:
    """The number of a row by its letter; A is 1."""
    return ord(row) - ord("A") + 1


class Printed(Folder):
    """The documents of the game under the names used by the checks."""

    @cached_property
    def maps(self) -> dict[str, Mapping[str, Any]]:
        """The maps as the file has them, by id."""
        return {each["id"]: each for each in self.value("map")["maps"]}

    @cached_property
    def formations(self) -> dict[str, Mapping[str, Any]]:
        """The formations as the file has them, by id."""
        return {each["id"]: each for each in self.value("units")["formations"]}

    @cached_property
    def units(self) -> dict[str, Mapping[str, Any]]:
        """The units as the file has them, by id."""
        return {each["id"]: each for each in self.value("units")["units"]}

    @cached_property
    def air(self) -> dict[str, Mapping[str, Any]]:
        """The air units as the file has them, by id."""
        return {each["id"]: each for each in self.value("units")["air_units"]}

    def beyond(self, file: str, path: Path, hex: str, extent: Extent) -> Iterator[Problem]:
        """A problem where a hex lies outside."""
        if not extent.holds(hex):
            message = say("{hex} is not on the map", hex=hex)
            hint = say(
                "rows {first} to {last}, places {west} to {east}",
                first=chr(ord("A") + extent.rows[0] - 1), last=chr(ord("A") + extent.rows[1] - 1),
                west=f"{extent.places[0]:02}", east=f"{extent.places[1]:02}",
            )  # fmt: skip
            yield self.problem(file, path, "off-the-map", message, hint)

    def apart(self, file: str, path: Path, one: str, other: str) -> Iterator[Problem]:
        """A problem where two hexes are not next to each other."""
        if GRID.distance(one, other) != 1:
            message = say("{one} and {other} are not next to each other", one=one, other=other)
            hint = say("next to {one}: {hexes}", one=one, hexes=", ".join(GRID.around(one)))
            yield self.problem(file, path, "apart", message, hint)

    def unknown_unit(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where there is no such unit."""
        message = say("there is no unit {name}", name=quoted(name))
        return self.unknown(file, path, name, self.units, "unknown-unit", message)

    def unknown_formation(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where there is no such formation."""
        message = say("there is no formation {name}", name=quoted(name))
        return self.unknown(file, path, name, self.formations, "unknown-formation", message)

    def twice(self, file: str, path: Path, names: Iterable[str]) -> Iterator[Problem]:
        """A problem for each name of a list that is in it already."""
        seen: set[str] = set()
        for at, name in enumerate(names):
            if name in seen:
                message = say("{name} is named twice", name=quoted(name))
                yield self.problem(file, (*path, at), "named-twice", message)
            seen.add(name)


def extent_of(map: Mapping[str, Any], rows: Iterable[str] | None = None) -> Extent:
    """How far a map reaches, or the rows of it that are named."""
    first, last = (number_of(row) for row in rows or map["rows"])
    west, east = map["places"]
    return Extent((first, last), (west, east))


def printed(folder: Folder) -> Printed:
    """The same documents, with the names."""
    return Printed(folder.documents)

"""The documents of Santander 1937 under the names that the checks between them ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.board.graph import Graph
from pbem.gamedata.game import Folder
from pbem.games.ctv.tables import GRID
from pbem.messages import Said, say
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path

MAP, UNITS, TABLES = "map.yaml", "units.yaml", "tables.yaml"
SEA = "sea"


class Printed(Folder):
    """The documents of the game under the names used by the checks."""

    @cached_property
    def hexes(self) -> dict[str, Any]:
        """The hexes as the file has them, by number."""
        return {each["id"]: each for each in self.value("map")["hexes"]}

    @cached_property
    def land(self) -> dict[str, Any]:
        """Those that are not sea."""
        return {hex: each for hex, each in self.hexes.items() if each["terrain"] != SEA}

    @cached_property
    def closed(self) -> frozenset[frozenset[str]]:
        """The pairs of hexes between which nothing passes."""
        return frozenset(frozenset(each["between"]) for each in self.value("map")["closed"])

    @cached_property
    def graph(self) -> Graph:
        """The hexes of land, joined where no closed side is between."""
        return GRID.graph(tuple(self.land), self.closed)

    @property
    def extent(self) -> Mapping[str, Any]:
        """The first and the last row and place of the map."""
        extent: Mapping[str, Any] = self.value("map")["extent"]
        return extent

    def is_on_the_map(self, hex: str) -> bool:
        """Whether a number lies within the extent."""
        row, place = GRID.place(hex)
        rows, places = self.extent["rows"], self.extent["places"]
        return bool(rows[0] <= row <= rows[1] and places[0] <= place <= places[1])

    def edges(self, hex: str) -> tuple[str, ...]:
        """The edges of the map on which a hex lies."""
        row, place = GRID.place(hex)
        rows, places = self.extent["rows"], self.extent["places"]
        ends = {"north": row == rows[0], "east": place == places[1],
                "south": row == rows[1], "west": place == places[0]}  # fmt: skip
        return tuple(edge for edge, is_there in ends.items() if is_there)

    @cached_property
    def front(self) -> tuple[tuple[str, str], ...]:
        """The sides of the front line: each hex of the Republicans with one of the Nationalists
        next to it.
        """
        return tuple(
            (hex, near)
            for hex, each in self.land.items()
            if each["held"] == "republican"
            for near in GRID.around(hex)
            if near in self.land and self.land[near]["held"] == "nationalist"
        )

    @cached_property
    def on_roads(self) -> frozenset[str]:
        """The hexes through which a road runs."""
        return frozenset(hex for road in self.value("map")["roads"] for hex in road["through"])

    @cached_property
    def units(self) -> dict[str, Any]:
        """The units as the file has them, by id."""
        return {each["id"]: each for each in self.value("units")["units"]}

    @property
    def last_turn(self) -> int:
        """The last row of the turn track."""
        return max(row["turn"] for row in self.value("tables")["turns"]["dates"])

    def no_land(self, file: str, path: Path, hex: str) -> Iterator[Problem]:
        """A problem where the map has no such hex of land."""
        if hex not in self.land:
            is_sea = self.is_on_the_map(hex)
            message = say("{hex} is sea", hex=hex) if is_sea else _outside(self, hex)
            yield self.problem(file, path, "not-on-land" if is_sea else "outside", message)

    def unknown_unit(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where there is no such unit."""
        message = say("there is no unit {name}", name=quoted(name))
        return self.unknown(file, path, name, self.units, "unknown-unit", message)

    def outside(self, file: str, path: Path, hex: str) -> Iterator[Problem]:
        """A problem where a number lies beyond the edges of the map."""
        if not self.is_on_the_map(hex):
            yield self.problem(file, path, "outside", _outside(self, hex))


def _outside(folder: Printed, hex: str) -> Said:
    rows, places = folder.extent["rows"], folder.extent["places"]
    return say(
        "{hex} is not on the map, which has rows {first} to {last} and places {west} to {east}",
        hex=hex, first=rows[0], last=rows[1], west=places[0], east=places[1],
    )  # fmt: skip


def printed(folder: Folder) -> Printed:
    """The documents of a folder, for these checks."""
    return Printed(folder.documents)

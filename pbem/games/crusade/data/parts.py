"""The parts of the data under the names that the checks between them ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.gamedata.game import Folder
from pbem.gamedata.load import without_provenance
from pbem.gamedata.where import stem
from pbem.games.crusade.tables import INITIAL, Tables
from pbem.messages import say
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path

SIDE_OF_LETTER = {letter: str(side) for side, letter in INITIAL.items()}
"""The first letters of card ids."""


class Printed(Folder):
    """The documents of the game: the map, the units, the cards and the charts."""

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The ids of both sides, as `game.yaml` has them."""
        return tuple(self.value("game")["sides"])

    @cached_property
    def spaces(self) -> dict[str, Any]:
        return {space["id"]: space for space in self.value("map")["spaces"]}

    @cached_property
    def types(self) -> dict[tuple[str, str], Any]:
        """The unit types as the file has them, by side and id."""
        return {(each["side"], each["id"]): each for each in self.value("units")["types"]}

    @cached_property
    def cards(self) -> dict[str, Any]:
        """The cards as the file has them, by id."""
        return {card["id"]: card for card in self.value("cards")["cards"]}

    def types_of(self, side: str) -> list[str]:
        """The ids of a side's unit types, in the order of the file."""
        return [name for owner, name in self.types if owner == side]

    @cached_property
    def currencies(self) -> dict[str, str]:
        """The side of each kind of replacement points."""
        return {each["id"]: each["side"] for each in self.value("tables")["costs"]["currencies"]}

    @cached_property
    def last_turn(self) -> int:
        """The last one of the turn track."""
        return max(row["turn"] for row in self.value("tables")["turns"])

    @cached_property
    def tables(self) -> Tables:
        """What is printed, as the rules see it."""
        plain = {path: without_provenance(found.value) for path, found in self.documents.items()}
        scenarios = {name: plain[path] for path, name, _ in self.scenarios()}
        return Tables({**{stem(path): each for path, each in plain.items()},
                       "scenarios": scenarios})  # fmt: skip

    # --------------------------------------------------- names that must exist

    def unknown_space(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where the map has no such space."""
        message = say("no space is named {name}", name=quoted(name))
        return self.unknown(file, path, name, self.spaces, "unknown-space", message)

    def unknown_type(self, file: str, path: Path, side: str, name: str) -> Iterator[Problem]:
        """A problem where the side has no such unit type."""
        message = say("the {side} side has no unit type {name}", side=side, name=quoted(name))
        return self.unknown(file, path, name, self.types_of(side), "unknown-type", message)

    def unknown_card(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where there is no such card."""
        message = say("there is no card {name}", name=quoted(name))
        return self.unknown(file, path, name, self.cards, "unknown-card", message)


def printed(folder: Folder) -> Printed:
    """The documents of a folder, for these checks."""
    return Printed(folder.documents)


def holders(folder: Printed, plain: Mapping[str, Any]) -> dict[str, str]:
    """The side that controls each space in the scenario; none for a dormant space."""
    held = {
        space["id"]: space["control"]
        for space in folder.spaces.values()
        if not space.get("dormant")
    }
    for side, gains in plain["control"].items():
        held.update(dict.fromkeys(gains, side))
    return held

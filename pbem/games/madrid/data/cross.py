"""Checks between map, units, chits and tracks: names that exist, roads that arrive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from pbem.board.graph import Graph
from pbem.gamedata.game import Folder
from pbem.messages import Said, say, say_many
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path
from pbem.words import folded

MAP, UNITS, CHITS, TABLES = "map.yaml", "units.yaml", "chits.yaml", "tables.yaml"
MADRID = "AA"
CHITS_OF_A_SIDE = 15
INITIAL = {"N": "nationalist", "R": "republican"}
OWNER = dict.fromkeys("123", "republican") | dict.fromkeys("456", "nationalist")
"""The owner of each box (2.8)."""
LEVELS = ("crumbling", "bad", "fragile", "firm", "good")
"""The levels of morale that the scenarios name, worst first."""


class Printed(Folder):
    """The documents of the game under the names used by the checks."""

    @cached_property
    def areas(self) -> dict[str, Any]:
        """The areas as the file has them, by id."""
        return {area["id"]: area for area in self.value("map")["areas"]}

    @cached_property
    def boxes(self) -> dict[str, Any]:
        """The boxes as the file has them, by id."""
        return {box["id"]: box for box in self.value("map")["boxes"]}

    @cached_property
    def boundaries(self) -> set[frozenset[str]]:
        """The pairs of places that touch, of areas and boxes."""
        return {frozenset((each["a"], each["b"])) for each in self.value("map")["boundaries"]}

    @cached_property
    def graph(self) -> Graph:
        """The areas without the boxes, joined where they touch."""
        links = [tuple(ends) for ends in self.boundaries if ends <= self.areas.keys()]
        return Graph(tuple(self.areas), [(*ends, "") for ends in links if len(ends) == 2])

    @property
    def last_turn(self) -> int:
        """The last row of the turn record."""
        return max(row["turn"] for row in self.value("tables")["turns"])

    @property
    def stacking(self) -> int:
        """How many units of a side an area holds."""
        most: int = self.value("tables")["limits"]["stacking"]
        return most

    def unknown_area(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where the map has no such area."""
        message = say("there is no area {name}", name=quoted(name))
        return self.unknown(file, path, name, self.areas, "unknown-area", message)

    def unknown_box(self, file: str, path: Path, name: str) -> Iterator[Problem]:
        """A problem where the map has no such box."""
        message = say("there is no box {name}", name=quoted(name))
        return self.unknown(file, path, name, self.boxes, "unknown-box", message)


def printed(folder: Folder) -> Printed:
    """The documents of a folder, for these checks."""
    return Printed(folder.documents)


def crossed(folder: Printed) -> Iterator[Problem]:
    """Every mismatch between map, units, chits and tracks."""
    for file, listed in ((MAP, "areas"), (MAP, "boxes"), (MAP, "roads"), (UNITS, "units"),
                         (CHITS, "chits"), (TABLES, "morale")):  # fmt: skip
        yield from folder.doubled(file, listed)
    yield from _boundaries(folder)
    yield from _boxes(folder)
    yield from _roads(folder)
    yield from _reach(folder)
    yield from _units(folder)
    yield from _forced_stacks(folder)
    yield from _chits(folder)
    yield from _tracks(folder)


# ------------------------------------------------------------------- the map


def _boundaries(folder: Printed) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for index, each in enumerate(folder.value("map")["boundaries"]):
        path: Path = ("boundaries", index)
        for end in ("a", "b"):
            yield from folder.unknown_area(MAP, (*path, end), each[end])
        ends = frozenset((each["a"], each["b"]))
        if len(ends) == 1:
            message = say("{what} has a boundary with itself", what=each["a"])
            yield folder.problem(MAP, path, "looped-boundary", message)
        elif ends in seen:
            message = say(
                "the boundary of {names} is listed twice",
                names=(each["a"], each["b"]),
            )
            hint = say("write it once; it can be crossed both ways")
            yield folder.problem(MAP, path, "doubled-boundary", message, hint)
        seen.add(ends)


def _boxes(folder: Printed) -> Iterator[Problem]:
    for index, box in enumerate(folder.value("map")["boxes"]):
        path: Path = ("boxes", index)
        if box["side"] != OWNER[box["id"]]:
            message = say(
                "box {id} is {owner}, not {side}",
                id=box["id"],
                owner=OWNER[box["id"]],
                side=box["side"],
            )
            yield folder.problem(MAP, (*path, "side"), "owner-of-box", message)
        for at, area in enumerate(box["areas"]):
            yield from folder.unknown_area(MAP, (*path, "areas", at), area)


def _roads(folder: Printed) -> Iterator[Problem]:
    """A road begins at a Republican box, runs over boundaries, and ends in Madrid (2.7, 10)."""
    for index, road in enumerate(folder.value("map")["roads"]):
        path: Path = ("roads", index)
        name, areas = road["id"], road["areas"]
        yield from folder.unknown_box(MAP, (*path, "box"), road["box"])
        for at, area in enumerate(areas):
            yield from folder.unknown_area(MAP, (*path, "areas", at), area)
        box = folder.boxes.get(road["box"])
        if box and box["side"] != "republican":
            message = say(
                "{name} begins in box {id}, which is Nationalist", name=name, id=box["id"]
            )
            yield folder.problem(MAP, (*path, "box"), "road-of-the-enemy", message)
        elif box and areas[0] not in box["areas"]:
            message = say(
                "{name} leaves box {id} for {area}, which is not next to it",
                name=name,
                id=box["id"],
                area=areas[0],
            )
            hint = say("areas next to the box: {areas}", areas=", ".join(box["areas"]))
            yield folder.problem(MAP, (*path, "areas", 0), "broken-road", message, hint)
        for at, (one, other) in enumerate(pairwise(areas), 1):
            if {one, other} <= folder.areas.keys() and not folder.graph.are_joined(one, other):
                message = say(
                    "{name} runs from {one} to {other}, which have no common boundary",
                    name=name,
                    one=one,
                    other=other,
                )
                hint = say(
                    "areas next to {one}: {neighbours}",
                    one=one,
                    neighbours=", ".join(folder.graph.neighbours(one)),
                )
                yield folder.problem(MAP, (*path, "areas", at), "broken-road", message, hint)
        if areas[-1] != MADRID:
            message = say(
                "{name} ends in {area}, not in {madrid}", name=name, area=areas[-1], madrid=MADRID
            )
            yield folder.problem(MAP, (*path, "areas"), "broken-road", message)
        if all(folder.areas[area].get("urban") for area in areas if area in folder.areas):
            message = say("{name} runs only through urban areas, where it cannot be cut", name=name)
            yield folder.problem(MAP, (*path, "areas"), "uncut-road", message)


def _reach(folder: Printed) -> Iterator[Problem]:
    """Madrid exists and is urban, and every area has a way to it."""
    if MADRID not in folder.areas:
        yield folder.problem(
            MAP,
            ("areas",),
            "needed",
            say("the rules name {madrid}, which is Madrid", madrid=MADRID),
        )
        return
    areas = folder.value("map")["areas"]
    reached = folder.graph.zone(MADRID)
    for index, area in enumerate(areas):
        if area["id"] not in reached:
            message = say("there is no way from {id} to {madrid}", id=area["id"], madrid=MADRID)
            hint = say("write its boundaries, or leave it out with absent: true")
            yield folder.problem(MAP, ("areas", index), "unreached-area", message, hint)
        if area["id"] == MADRID and not area.get("urban"):
            message = say("{madrid} is Madrid, and urban", madrid=MADRID)
            yield folder.problem(MAP, ("areas", index), "madrid-not-urban", message)


# ------------------------------------------------------------------- the units


def _units(folder: Printed) -> Iterator[Problem]:
    names: dict[str, str] = {}
    for index, unit in enumerate(folder.value("units")["units"]):
        path: Path = ("units", index)
        for key, code, message in _odd_unit(folder, unit):
            yield folder.problem(UNITS, (*path, key) if key else path, code, message)
        for at, area in enumerate(unit.get("areas", ())):
            yield from folder.unknown_area(UNITS, (*path, "areas", at), area)
        if "box" in unit:
            yield from folder.unknown_box(UNITS, (*path, "box"), unit["box"])
        other = names.setdefault(folded(unit["name"]), unit["id"])
        if other != unit["id"]:
            message = say(
                "{name} is already the name of {other}", name=quoted(unit["name"]), other=other
            )
            yield folder.problem(UNITS, (*path, "name"), "taken-name", message)


def _odd_unit(folder: Printed, unit: Mapping[str, Any]) -> Iterator[tuple[str, str, Said]]:
    """The faults of a unit: a key, a code and a message each."""
    name, side = unit["id"], unit["side"]
    if INITIAL[name[0]] != side:
        yield (
            "side",
            "side-of-unit",
            say("{name} has the letter of the {initial} side", name=name, initial=INITIAL[name[0]]),
        )
    wanted = 2 if unit["type"] == "artillery" else 3
    for face in ("fresh", "spent"):
        if len(unit[face]) != wanted:
            yield (
                face,
                "values",
                say(
                    "{type} units have defence and movement"
                    if wanted == 2
                    else "{type} units have attack, defence and movement",
                    type=unit["type"],
                ),
            )
    if ("areas" in unit) == ("box" in unit):
        yield "", "place-of-unit", say("{name} needs either `areas` or `box`", name=name)
    if OWNER.get(unit.get("box", ""), side) != side:
        yield "box", "box-of-the-enemy", say("box {box} belongs to the enemy", box=unit["box"])
    if "turn" in unit and "rada" in unit:
        yield (
            "turn",
            "two-arrivals",
            say("{name} must come either with the Rada column or on a turn", name=name),
        )
    if "turn" in unit and unit["turn"] > folder.last_turn:
        message = say("the last turn is {last_turn}", last_turn=folder.last_turn)
        yield "turn", "turn-of-arrival", message
    if "rada" in unit and side != "nationalist":
        yield "rada", "side-of-unit", say("the Rada column is Nationalist")
    if "black" in unit and side != "republican":
        yield "black", "side-of-unit", say("only Republican units have black marks")


def _forced_stacks(folder: Printed) -> Iterator[Problem]:
    """The marks leave room: no area is forced to take more units at the start than it may hold."""
    there: Counter[tuple[str, str]] = Counter()
    for index, unit in enumerate(folder.value("units")["units"]):
        areas = unit.get("areas", ())
        if len(areas) == 1 and "turn" not in unit and "rada" not in unit:
            there[unit["side"], areas[0]] += 1
            if there[unit["side"], areas[0]] == folder.stacking + 1:
                message = say(
                    "more than {stacking} units are set up in {area}",
                    stacking=folder.stacking,
                    area=areas[0],
                )
                yield folder.problem(UNITS, ("units", index, "areas"), "stacking", message)


# ------------------------------------------------------------------- chits and tracks


def _chits(folder: Printed) -> Iterator[Problem]:
    counts: Counter[str] = Counter()
    for index, kind in enumerate(folder.value("chits")["chits"]):
        side = INITIAL[kind["id"][1]]
        if kind["side"] != side:
            message = say("{id} has the letter of the {side} side", id=kind["id"], side=side)
            yield folder.problem(CHITS, ("chits", index, "side"), "side-of-chit", message)
        counts[kind["side"]] += kind["count"]
    for side in folder.value("game")["sides"]:
        if counts[side] != CHITS_OF_A_SIDE:
            message = say_many(
                "found",
                "the {side} side has {found} chit, and must have {chits_of_a_side}",
                "the {side} side has {found} chits, and must have {chits_of_a_side}",
                side=side,
                found=counts[side],
                chits_of_a_side=CHITS_OF_A_SIDE,
            )
            yield folder.problem(CHITS, ("chits",), "number-of-chits", message)


def _tracks(folder: Printed) -> Iterator[Problem]:
    for index, row in enumerate(folder.value("tables")["turns"]):
        if row["turn"] != index + 1:
            message = say(
                "turn {index} is missing, or turn {turn} is out of place",
                index=index + 1,
                turn=row["turn"],
            )
            yield folder.problem(TABLES, ("turns", index, "turn"), "order-of-turns", message)
            break
    for index, (level, wanted) in enumerate(
        zip(folder.value("tables")["morale"], LEVELS, strict=False)
    ):
        if level["id"] != wanted:
            message = say(
                "the levels of morale are {levels}, in this order", levels=", ".join(LEVELS)
            )
            yield folder.problem(TABLES, ("morale", index, "id"), "order-of-levels", message)
            break
    rada = folder.value("tables")["rada"]
    for index, roll in enumerate(rada["rolls"]):
        if roll["turn"] >= rada["by_itself"]:
            message = say(
                "from turn {by_itself} on the column arrives automatically",
                by_itself=rada["by_itself"],
            )
            yield folder.problem(TABLES, ("rada", "rolls", index), "late-roll", message)


# ------------------------------------------------------------------- scenarios


def scenario_problems(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Turns that exist, areas that exist, and enough units for a free set-up."""
    for index, start in enumerate(plain["starts"]):
        if start["turn"] > plain["last_turn"]:
            message = say(
                "it cannot begin on turn {turn} and end on turn {last_turn}",
                turn=start["turn"],
                last_turn=plain["last_turn"],
            )
            yield folder.problem(file, ("starts", index, "turn"), "turn-of-start", message)
    if plain["last_turn"] > folder.last_turn:
        message = say("the track ends with turn {last_turn}", last_turn=folder.last_turn)
        yield folder.problem(file, ("last_turn",), "last-turn", message)
    message = say("no level of morale is called {morale}", morale=quoted(plain["morale"]))
    yield from folder.unknown(file, ("morale",), plain["morale"], LEVELS, "unknown-level", message)
    for index, area in enumerate(plain["nationalist"]):
        yield from folder.unknown_area(file, ("nationalist", index), area)
    if "free_set_up" not in plain["special"]:
        return
    for key in ("due_by", "colours"):
        if key not in plain:
            message = say("a free set-up needs the field {key}", key=quoted(key))
            yield folder.problem(file, ("special",), "free-set-up", message)
    if "due_by" in plain and "colours" in plain:
        yield from _free_set_up(folder, file, plain)


def _free_set_up(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Each side has a unit for each of its areas, and room for all of them (12.2)."""
    for side, colours in plain["colours"].items():
        units = sum(_is_free(unit, side, plain) for unit in folder.value("units")["units"])
        areas = sum(area["colour"] in colours for area in folder.areas.values())
        if not areas <= units <= areas * folder.stacking:
            message = say(
                "the {side} side sets up {units} in {areas}",
                side=side,
                units=say_many("units", "{units} unit", "{units} units", units=units),
                areas=say_many("areas", "{areas} area", "{areas} areas", areas=areas),
            )
            hint = say(
                "each area takes at least one and at most {stacking}", stacking=folder.stacking
            )
            yield folder.problem(file, ("colours", side), "free-set-up", message, hint)


def _is_free(unit: Mapping[str, Any], side: str, plain: Mapping[str, Any]) -> bool:
    is_due = "turn" not in unit or unit["turn"] <= plain["due_by"]
    return unit["side"] == side and "black" not in unit and is_due

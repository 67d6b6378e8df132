"""Checks between maps, units and charts: roads that hang together, formations with their
headquarters, tables without a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pbem.games.nopasaran.data.parts import INITIAL, MAP, TABLES, UNITS, Printed, extent_of
from pbem.messages import Said, say, say_many
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path
from pbem.words import folded

FACES = 10
ABOVE: Mapping[str, tuple[str, ...]] = {
    "army": (),
    "corps": ("army",),
    "division": ("corps",),
    "formation": ("division", "corps"),
    "corps_troops": ("corps",),
    "division_troops": ("division",),
}
"""The levels that a formation may belong to; only an army and a corps may belong to none."""
MISSIONS = {
    "bomber": frozenset({"support", "bombs"}),
    "fighter_bomber": frozenset({"interdiction", "support"}),
    "reconnaissance": frozenset[str](),
}
"""The factors that each type of aircraft may have (7.1)."""


def crossed(folder: Printed) -> Iterator[Problem]:
    """Every mismatch between maps, units and charts."""
    for listed in ("formations", "units", "air_units"):
        yield from folder.doubled(UNITS, listed)
    yield from folder.doubled(MAP, "maps")
    yield from _names(folder)
    for index in range(len(folder.value("map")["maps"])):
        yield from _map(folder, index)
    yield from _formations(folder)
    yield from _units(folder)
    yield from _air(folder)
    yield from _charts(folder)


def _names(folder: Printed) -> Iterator[Problem]:
    """No two units or formations, and no two hexes of a map, have one name: players write them."""
    lists: list[tuple[str, Path, Sequence[Mapping[str, Any]], str]] = [
        (UNITS, ("units",), folder.value("units")["units"], "name"),
        (UNITS, ("formations",), folder.value("units")["formations"], "name"),
    ]
    for index, map in enumerate(folder.value("map")["maps"]):
        lists.append((MAP, ("maps", index, "hexes"), map["hexes"], "name"))
    for file, path, entries, key in lists:
        names: dict[str, str] = {}
        for at, each in enumerate(entries):
            if key in each:
                other = names.setdefault(folded(each[key]), each["id"])
                if other != each["id"]:
                    message = say("{name} is already the name of {other}", name=quoted(each[key]),
                                  other=other)  # fmt: skip
                    yield folder.problem(file, (*path, at, key), "taken-name", message)


# ------------------------------------------------------------------- maps


def _map(folder: Printed, index: int) -> Iterator[Problem]:
    map = folder.value("map")["maps"][index]
    path: Path = ("maps", index)
    extent = extent_of(map)
    for key, (first, last) in (("rows", extent.rows), ("places", extent.places)):
        if first >= last:
            message = say("{first} does not come before {last}", first=map[key][0],
                          last=map[key][1])  # fmt: skip
            yield folder.problem(MAP, (*path, key), "extent", message)
            return
    for key, names in (("hexes", "id"), ("bridges", "id"), ("roads", "name"),
                       ("railways", "name"), ("rivers", "name")):  # fmt: skip
        yield from folder.twice(MAP, (*path, key), [each[names] for each in map[key]])
    wrong = [
        problem
        for at, hex in _named(map)
        for problem in folder.beyond(MAP, (*path, *at), hex, extent)
    ]
    wrong += [
        problem
        for at, (one, other) in _sides(map)
        for problem in folder.apart(MAP, (*path, *at), one, other)
    ]
    yield from wrong
    if not wrong:
        yield from _crossings(folder, map, path)


def _named(map: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every hex that a map names, with its place in it."""
    for at, each in enumerate(map["hexes"]):
        yield ("hexes", at, "id"), each["id"]
    for path, (one, other) in _sides(map):
        yield path, one
        yield path, other


def _sides(map: Mapping[str, Any]) -> Iterator[tuple[Path, tuple[str, str]]]:
    """Every two hexes that must be next to each other, with their place in it."""
    for kind, key in (("rivers", "between"), ("slopes", "up")):
        for at, each in enumerate(map[kind]):
            for number, (one, other) in enumerate(each[key]):
                yield (kind, at, key, number), (one, other)
    for at, bridge in enumerate(map["bridges"]):
        one, other = bridge["between"]
        yield ("bridges", at, "between"), (one, other)
    for kind in ("roads", "railways"):
        for at, each in enumerate(map[kind]):
            for number, (one, other) in enumerate(pairwise(each["through"]), 1):
                yield (kind, at, "through", number), (one, other)


def _crossings(folder: Printed, map: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    """Bridges lie over rivers, one each; whatever runs over a river has a bridge for it; a slope
    is no river and goes one way.
    """
    rivers = {frozenset(pair) for river in map["rivers"] for pair in river["between"]}
    bridges: dict[frozenset[str], Sequence[str]] = {}
    for at, bridge in enumerate(map["bridges"]):
        side = frozenset(bridge["between"])
        one, other = bridge["between"]
        if side not in rivers:
            message = say("there is no river between {one} and {other}", one=one, other=other)
            hint = say("a bridge lies over a side of a river")
            yield folder.problem(MAP, (*path, "bridges", at, "between"), "dry-bridge", message,
                                 hint)  # fmt: skip
        if side in bridges:
            message = say("there is a bridge between {one} and {other} already", one=one,
                          other=other)  # fmt: skip
            yield folder.problem(MAP, (*path, "bridges", at, "between"), "two-bridges", message)
        bridges[side] = bridge["carries"]
    for kind, way in (("roads", "road"), ("railways", "rail")):
        for at, each in enumerate(map[kind]):
            for number, (one, other) in enumerate(pairwise(each["through"]), 1):
                side = frozenset((one, other))
                if side in rivers and way not in bridges.get(side, ()):
                    message = say("there is a river between {one} and {other}, and no bridge that "
                                  "carries a {way}", one=one, other=other, way=way)  # fmt: skip
                    yield folder.problem(MAP, (*path, kind, at, "through", number), "no-bridge",
                                         message)  # fmt: skip
    up: set[frozenset[str]] = set()
    for at, slope in enumerate(map["slopes"]):
        for number, (one, other) in enumerate(slope["up"]):
            where: Path = (*path, "slopes", at, "up", number)
            side = frozenset((one, other))
            if side in rivers:
                message = say("there is a river between {one} and {other}", one=one, other=other)
                yield folder.problem(MAP, where, "slope-at-a-river", message)
            if side in up:
                message = say("a slope between {one} and {other} is listed already", one=one,
                              other=other)  # fmt: skip
                yield folder.problem(MAP, where, "two-slopes", message)
            up.add(side)


# ------------------------------------------------------------------- units


def _formations(folder: Printed) -> Iterator[Problem]:
    for index, each in enumerate(folder.value("units")["formations"]):
        path: Path = ("formations", index)
        id, side, level = each["id"], each["side"], each["level"]
        parent = each.get("parent", "")
        if not parent and level not in ("army", "corps"):
            message = say("{formation} belongs to no formation above it", formation=id)
            yield folder.problem(UNITS, path, "no-parent", message, say("name its `parent`"))
        if parent:
            yield from folder.unknown_formation(UNITS, (*path, "parent"), parent)
        above = folder.formations.get(parent)
        if above and above["level"] not in ABOVE[level]:
            message = say("{formation} cannot belong to {parent}", formation=id, parent=parent)
            hint = say("it may be one of these: {levels}", levels=", ".join(ABOVE[level]))
            yield folder.problem(UNITS, (*path, "parent"), "wrong-parent", message, hint)
        if above and above["side"] != side:
            message = say("{parent} is on the other side", parent=parent)
            yield folder.problem(UNITS, (*path, "parent"), "wrong-parent", message)
        yield from _headquarters(folder, path, each)


def _headquarters(folder: Printed, path: Path, each: Mapping[str, Any]) -> Iterator[Problem]:
    """Support troops have none; every other formation has its own."""
    id, name = each["id"], each.get("headquarters", "")
    is_troops = each["level"] in ("corps_troops", "division_troops")
    if is_troops == bool(name):
        message = (
            say("{formation} are the troops of a formation, which has the headquarters",
                formation=id)
            if is_troops
            else say("{formation} has no headquarters", formation=id)
        )  # fmt: skip
        yield folder.problem(UNITS, path, "headquarters", message)
    if name:
        yield from folder.unknown_unit(UNITS, (*path, "headquarters"), name)
        unit = folder.units.get(name)
        if unit and (unit["type"], unit["formation"]) != ("headquarters", id):
            message = say("{unit} is not the headquarters of {formation}", unit=name, formation=id)
            yield folder.problem(UNITS, (*path, "headquarters"), "headquarters", message)


def _units(folder: Printed) -> Iterator[Problem]:
    for index, unit in enumerate(folder.value("units")["units"]):
        path: Path = ("units", index)
        yield from folder.unknown_formation(UNITS, (*path, "formation"), unit["formation"])
        for key, code, message in _odd_unit(folder, unit):
            yield folder.problem(UNITS, (*path, key) if key in unit else path, code, message)


def _odd_unit(folder: Printed, unit: Mapping[str, Any]) -> Iterator[tuple[str, str, Said]]:
    """The faults of a unit: a key, a code and a message each."""
    name, kind = unit["id"], unit["type"]
    if INITIAL[name[0]] != unit["side"]:
        message = say("{name} has the letter of the {side} side", name=name,
                      side=INITIAL[name[0]])  # fmt: skip
        yield "side", "side-of-unit", message
    formation = folder.formations.get(unit["formation"])
    if formation and formation["side"] != unit["side"]:
        message = say("{formation} is on the other side", formation=unit["formation"])
        yield "formation", "side-of-unit", message
    if kind == "headquarters" and formation and formation.get("headquarters") != name:
        message = say("{formation} does not name {name} as its headquarters",
                      formation=unit["formation"], name=name)  # fmt: skip
        yield "type", "headquarters", message
    if (kind == "headquarters") == bool(unit["troops"]):
        yield "troops", "troops", say("{name}: all units but headquarters have troop points",
                                      name=name)  # fmt: skip
    lacking = [key for key in ("fire", "range") if key not in unit]
    if len(lacking) == 1:
        message = say("{name}: `fire` and `range` belong together", name=name)
        yield lacking[0], "guns", message
    if (not lacking) != (kind in ("artillery", "antiaircraft")):
        message = say("{name}: artillery and antiaircraft guns, and no others, have `fire`",
                      name=name)  # fmt: skip
        yield "fire", "guns", message
    if unit["attack"] and kind in ("artillery", "antiaircraft", "headquarters", "antitank"):
        yield "attack", "attack", say("{name} does not attack", name=name)


def _air(folder: Printed) -> Iterator[Problem]:
    for index, unit in enumerate(folder.value("units")["air_units"]):
        path: Path = ("air_units", index)
        factors = {key for key in ("interdiction", "support", "bombs") if key in unit}
        for key in sorted(factors - MISSIONS[unit["type"]]):
            message = say("{name} cannot have {factor}: rule 7.1 says what its type flies",
                          name=unit["id"], factor=key)  # fmt: skip
            yield folder.problem(UNITS, (*path, key), "mission", message)
        if not factors and MISSIONS[unit["type"]]:
            message = say("{name} has no factor for any mission", name=unit["id"])
            yield folder.problem(UNITS, path, "mission", message)


# ------------------------------------------------------------------- charts


def _charts(folder: Printed) -> Iterator[Problem]:
    charts = folder.value("tables")
    yield from _ratios(folder, ("combat", "columns"), charts["combat"]["columns"])
    yield from _ratios(folder, ("armour", "columns"), charts["armour"]["columns"])
    yield from _widths(folder, ("combat", "rows"), charts["combat"]["rows"],
                       len(charts["combat"]["columns"]))  # fmt: skip
    if len(charts["armour"]["shifts"]) != len(charts["armour"]["columns"]):
        message = say("each ratio has one shift")
        yield folder.problem(TABLES, ("armour", "shifts"), "row-length", message)
    for chart, parts in (("effectiveness", ("rows",)), ("antiaircraft", ("rows",)),
                         ("bombardment", ("losses", "damage"))):  # fmt: skip
        columns = charts[chart]["columns"]
        yield from _columns(folder, (chart, "columns"), columns)
        for part in parts:
            rows = charts[chart][part]
            yield from _widths(folder, (chart, part), rows, len(columns))
            if len(rows) != FACES:
                message = say("there is a row for each of the ten faces of the die")
                yield folder.problem(TABLES, (chart, part), "rows", message)
    for index, row in enumerate(charts["random_losses"]["rows"]):
        if set(row) != set(range(1, index + 2)):
            message = say("row {number}: each unit loses with some face", number=index + 1)
            yield folder.problem(TABLES, ("random_losses", "rows", index), "random-loss", message)
    named = {each["id"] for each in charts["results"]["kinds"]}
    for index, row in enumerate(charts["combat"]["rows"]):
        for at, result in enumerate(row):
            if result not in named:
                message = say("nothing says what {result} means", result=result)
                yield folder.problem(TABLES, ("combat", "rows", index, at), "result", message)
    for path, rows in _stairs(charts):
        yield from _rising(folder, path, rows)
    if charts["reconnaissance"]["air"][0]["from"] > -9:
        message = say("the first row begins with a die that any cover can bring")
        yield folder.problem(TABLES, ("reconnaissance", "air", 0, "from"), "first-row", message)


def _stairs(charts: Mapping[str, Any]) -> Iterator[tuple[Path, Sequence[Mapping[str, Any]]]]:
    """The lists of a chart whose rows must rise."""
    yield ("bombardment", "troops"), charts["bombardment"]["troops"]
    yield ("command", "lose"), charts["command"]["lose"]
    yield ("reconnaissance", "air"), charts["reconnaissance"]["air"]
    yield ("reconnaissance", "land"), charts["reconnaissance"]["land"]
    yield ("weather", "die"), charts["weather"]["die"]


def _rising(folder: Printed, path: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    key = "up_to" if "up_to" in rows[0] else "from"
    for index, (one, other) in enumerate(pairwise(rows), 1):
        if other[key] <= one[key]:
            message = say("{other} comes after {one}", one=one[key], other=other[key])
            yield folder.problem(TABLES, (*path, index, key), "order-of-rows", message,
                                 say("the rows go up"))  # fmt: skip


def _ratios(folder: Printed, path: Path, columns: Sequence[str]) -> Iterator[Problem]:
    for index, (one, other) in enumerate(pairwise(columns), 1):
        if _odds(one) >= _odds(other):
            message = say("the column {other} comes after {one}", one=one, other=other)
            yield folder.problem(TABLES, (*path, index), "order-of-columns", message)


def _odds(column: str) -> Fraction:
    attack, _, defence = column.partition(":")
    return Fraction(int(attack), int(defence))


def _columns(
    folder: Printed, path: Path, columns: Sequence[Sequence[int | None]]
) -> Iterator[Problem]:
    """Ranges without a gap, from the lowest that can come to the highest."""
    for index, ((_, most), (least, _)) in enumerate(pairwise(columns), 1):
        if most is None or least is None or least != most + 1:
            message = say("the ranges have a gap, or overlap")
            hint = say("a column begins with the number after the last of the one before")
            yield folder.problem(TABLES, (*path, index), "gap", message, hint)
    if columns[-1][1] is not None:
        message = say("the last range has no end")
        yield folder.problem(TABLES, (*path, len(columns) - 1), "gap", message, say("write null"))


def _widths(
    folder: Printed, path: Path, rows: Sequence[Sequence[Any]], width: int
) -> Iterator[Problem]:
    for index, row in enumerate(rows):
        if len(row) != width:
            message = say_many("number", "row {index} has {number} value for {columns} columns",
                                   "row {index} has {number} values for {columns} columns",
                          index=index + 1, number=len(row), columns=width)  # fmt: skip
            yield folder.problem(TABLES, (*path, index), "row-length", message)

"""Checks between map, units and charts: roads that run over land, a front without a gap, names
that exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pbem.games.ctv.data.parts import MAP, SEA, TABLES, UNITS, Printed
from pbem.games.ctv.tables import GRID
from pbem.messages import Said, say, say_many
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path
from pbem.words import folded

SANTANDER = "1211"
INITIAL = {"N": "nationalist", "R": "republican"}
NATIONS = {
    "nationalist": ("spanish", "italian", "italo_spanish", "german"),
    "republican": ("santander", "basque", "asturian", "basque_left", "republican"),
}
EDGES = {"nationalist": ("east", "south"), "republican": ("west",)}
"""The edges of the map from which each side is supplied (6.2)."""
WITH_STEPS = ("infantry", "mechanised", "armour")
FACES = 6


def crossed(folder: Printed) -> Iterator[Problem]:
    """Every mismatch between map, units and charts."""
    for file, listed, key in ((MAP, "hexes", "id"), (MAP, "roads", "name"), (MAP, "rivers", "name"),
                              (UNITS, "units", "id")):  # fmt: skip
        yield from folder.doubled(file, listed, key)
    yield from _extent(folder)
    yield from _hexes(folder)
    yield from _roads(folder)
    yield from _rivers(folder)
    yield from _closed(folder)
    yield from _front(folder)
    yield from _reach(folder)
    yield from _units(folder)
    yield from _names(folder)
    yield from _divisions(folder)
    yield from _columns(folder)
    yield from _armour(folder)
    yield from _charts(folder)
    yield from _places(folder)
    yield from _victory(folder)
    yield from _room(folder)


# ------------------------------------------------------------------- the map


def _extent(folder: Printed) -> Iterator[Problem]:
    for key in ("rows", "places"):
        first, last = folder.extent[key]
        if first >= last:
            message = say("{first} does not come before {last}", first=first, last=last)
            yield folder.problem(MAP, ("extent", key), "extent", message)


def _hexes(folder: Printed) -> Iterator[Problem]:
    """Each lies on the map; nothing is at sea; a source of supply is where 6.2 has one."""
    for index, hex in enumerate(folder.value("map")["hexes"]):
        path: Path = ("hexes", index)
        yield from folder.outside(MAP, (*path, "id"), hex["id"])
        if hex["terrain"] == SEA:
            if "points" in hex:
                at_sea = say("{hex} is sea, and cannot be an objective", hex=hex["id"])
                yield folder.problem(MAP, (*path, "points"), "at-sea", at_sea)
            if "source" in hex:
                at_sea = say("{hex} is sea, and cannot be a source of supply", hex=hex["id"])
                yield folder.problem(MAP, (*path, "source"), "at-sea", at_sea)
        elif "source" in hex:
            for code, message, hint in _odd_source(folder, hex):
                yield folder.problem(MAP, (*path, "source"), code, message, hint)


def _odd_source(folder: Printed, hex: Mapping[str, Any]) -> Iterator[tuple[str, Said, Said]]:
    """The faults of a source of supply: a code, a message and a hint each."""
    name, side = hex["id"], hex["source"]
    if hex["held"] != side:
        yield (
            "source-of-the-enemy",
            say("{hex} is a source of the {side} side, which does not hold it", hex=name,
                side=side),
            say("a source lies on its side of the front line"),
        )  # fmt: skip
    if name == SANTANDER:
        if side != "republican":
            yield "owner-of-santander", say("Santander supplies the Republicans"), say("rule 6.2")
        return
    edges = folder.edges(name)
    its_edges = say("east or south") if side == "nationalist" else say("west")
    if not edges:
        yield (
            "exit-inside",
            say("{hex} is not on the edge of the map, so no road leaves it there", hex=name),
            say("an exit of the {side} side lies on this edge: {edges}", side=side,
                edges=its_edges),
        )  # fmt: skip
    elif not set(edges) & set(EDGES[side]):
        yield (
            "wrong-edge",
            say("{hex} is not on an edge from which the {side} side is supplied", hex=name,
                side=side),
            say("an exit of the {side} side lies on this edge: {edges}", side=side,
                edges=its_edges),
        )  # fmt: skip
    if name not in folder.on_roads:
        yield (
            "exit-without-road", say("no road runs through {hex}", hex=name),
            say("a source is where a road leaves the map"),
        )  # fmt: skip


def _roads(folder: Printed) -> Iterator[Problem]:
    """A road runs over land from each hex to one next to it, and over no closed side."""
    for index, road in enumerate(folder.value("map")["roads"]):
        path: Path = ("roads", index, "through")
        for at, hex in enumerate(road["through"]):
            yield from folder.no_land(MAP, (*path, at), hex)
        for at, (one, other) in enumerate(pairwise(road["through"]), 1):
            if GRID.distance(one, other) != 1:
                yield _apart(folder, (*path, at), road["name"], one, other)
            elif frozenset((one, other)) in folder.closed:
                message = say("the side between {one} and {other} is closed", one=one, other=other)
                yield folder.problem(MAP, (*path, at), "closed-road", message)


def _rivers(folder: Printed) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for index, river in enumerate(folder.value("map")["rivers"]):
        for at, (one, other) in enumerate(river["between"]):
            path: Path = ("rivers", index, "between", at)
            yield from _side(folder, path, river["name"], one, other)
            if frozenset((one, other)) in seen:
                message = say("a river between {one} and {other} is listed twice", one=one,
                              other=other)  # fmt: skip
                yield folder.problem(MAP, path, "doubled-side", message)
            seen.add(frozenset((one, other)))


def _side(folder: Printed, path: Path, name: str, one: str, other: str) -> Iterator[Problem]:
    """A river has land on both banks."""
    for end, hex in enumerate((one, other)):
        yield from folder.no_land(MAP, (*path, end), hex)
    if GRID.distance(one, other) != 1:
        yield _apart(folder, path, name, one, other)


def _apart(folder: Printed, path: Path, name: str, one: str, other: str) -> Problem:
    message = say("{name}: {one} and {other} are not next to each other", name=name, one=one,
                  other=other)  # fmt: skip
    around = [hex for hex in GRID.around(one) if hex in folder.land]
    hint = say("land next to {one}: {hexes}", one=one, hexes=", ".join(around))
    return folder.problem(MAP, path, "apart", message, hint)


def _closed(folder: Printed) -> Iterator[Problem]:
    """A closed side has two hexes of the map; one of them may be sea."""
    seen: set[frozenset[str]] = set()
    for index, each in enumerate(folder.value("map")["closed"]):
        path: Path = ("closed", index, "between")
        one, other = each["between"]
        for end, hex in enumerate((one, other)):
            yield from folder.outside(MAP, (*path, end), hex)
        if GRID.distance(one, other) != 1:
            yield _apart(folder, path, "", one, other)
        elif frozenset((one, other)) in seen:
            message = say("the side between {one} and {other} is closed twice", one=one,
                          other=other)  # fmt: skip
            yield folder.problem(MAP, path, "doubled-side", message)
        seen.add(frozenset((one, other)))


def _front(folder: Printed) -> Iterator[Problem]:
    """One line without a gap: each of its sides meets the next at a corner."""
    sides = folder.front
    if not sides:
        message = say("the sides hold no hexes next to each other, so there is no front line")
        yield folder.problem(MAP, ("hexes",), "no-front", message)
        return
    pieces: list[list[tuple[str, str]]] = []
    left = dict.fromkeys(sides)
    while left:
        piece, todo = [], [next(iter(left))]
        while todo:
            side = todo.pop()
            if side in left:
                del left[side]
                piece.append(side)
                todo += _meeting(*side)
        pieces.append(piece)
    pieces.sort(key=len, reverse=True)
    for piece in pieces[1:]:
        one, other = min(piece)
        message = say(
            "the front line has a gap: the side between {one} and {other} does not hang together "
            "with the rest",
            one=one, other=other,
        )  # fmt: skip
        hint = say("look at who holds the hexes around, and whether one of them is missing")
        at = list(folder.hexes).index(one)
        yield folder.problem(MAP, ("hexes", at, "held"), "gap-in-the-front", message, hint)


def _meeting(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """The sides that would go on with the line at both ends of a side."""
    corners = [hex for hex in GRID.around(one) if GRID.distance(hex, other) == 1]
    return tuple(side for hex in corners for side in ((one, hex), (hex, other)))


def _reach(folder: Printed) -> Iterator[Problem]:
    """Santander is a city by the sea on land of the Republicans, and all land hangs together."""
    city = folder.land.get(SANTANDER)
    if city is None:
        message = say("the rules name {hex}, which is Santander", hex=SANTANDER)
        yield folder.problem(MAP, ("hexes",), "needed", message)
        return
    reached = folder.graph.zone(SANTANDER)
    for index, hex in enumerate(folder.value("map")["hexes"]):
        if hex["id"] in folder.land and hex["id"] not in reached:
            message = say("there is no way over land from {hex} to Santander", hex=hex["id"])
            hint = say("write the hexes between, or leave it out with absent: true")
            yield folder.problem(MAP, ("hexes", index), "unreached-hex", message, hint)
        if hex["id"] == SANTANDER and hex.get("source") != "republican":
            message = say("Santander supplies the Republicans")
            hint = say("source: republican")
            yield folder.problem(MAP, ("hexes", index), "owner-of-santander", message, hint)


# ------------------------------------------------------------------- the units


def _units(folder: Printed) -> Iterator[Problem]:
    for index, unit in enumerate(folder.value("units")["units"]):
        path: Path = ("units", index)
        for key, code, message in _odd_unit(unit):
            yield folder.problem(UNITS, (*path, key) if key in unit else path, code, message)


def _odd_unit(unit: Mapping[str, Any]) -> Iterator[tuple[str, str, Said]]:
    """The faults of a unit: a key, a code and a message each."""
    name, side, kind = unit["id"], unit["side"], unit["type"]
    if INITIAL[name[0]] != side:
        message = say("{name} has the letter of the {side} side", name=name,
                      side=INITIAL[name[0]])  # fmt: skip
        yield "side", "side-of-unit", message
    if unit["nation"] not in NATIONS[side]:
        message = say("{name}: {nation} is no nation of the {side} side", name=name,
                      nation=unit["nation"], side=side)  # fmt: skip
        yield "nation", "nation-of-unit", message
    yield from _odd_faces(unit)
    if (kind == "headquarters") != ("level" in unit):
        message = say("{name}: a headquarters, and no other unit, has `level`", name=name)
        yield "level", "level", message
    if (kind in ("headquarters", "air")) != ("fire" in unit):
        message = say("{name}: air units and headquarters, and no others, have `fire`", name=name)
        yield "fire", "fire", message
    if kind not in ("infantry", "mechanised") and unit.get("points"):
        message = say("{name}: {kind} has no stacking points", name=name, kind=kind)
        yield "points", "points", message
    elif kind in ("infantry", "mechanised") and not unit.get("points"):
        yield "points", "points", say("{name} needs its stacking points", name=name)
    if unit.get("brigade") and (side, kind) != ("republican", "infantry"):
        yield "brigade", "brigade", say("only Republican infantry counts as a brigade")
    for comes, wanted in (("armour", ("nationalist", "armour")),
                          ("surrender", ("republican", "infantry"))):  # fmt: skip
        if unit.get("comes") == comes and (side, kind) != wanted:
            message = say("{name} cannot come so: that is for {kind} of the {side} side",
                          name=name, kind=wanted[1], side=wanted[0])  # fmt: skip
            yield "comes", "comes", message
    if unit.get("comes") == "division" and side != "republican":
        yield "comes", "comes", say("{name} cannot come so: that is for Republicans", name=name)
    if unit.get("comes") == "division" and "division" not in unit:
        yield "comes", "comes", say("{name} comes with its division, and names none", name=name)


def _odd_faces(unit: Mapping[str, Any]) -> Iterator[tuple[str, str, Said]]:
    """What is printed on its two faces fits its steps."""
    name, kind = unit["id"], unit["type"]
    if (kind == "air") == ("full" in unit):
        message = say("{name} needs attack, defence and movement: `full`", name=name)
        if kind == "air":
            message = say("{name} is an air unit, which has no attack, defence and movement",
                          name=name)  # fmt: skip
        yield "full", "values", message
    if (kind in WITH_STEPS) != ("steps" in unit):
        message = say("{name} needs the number of its steps", name=name)
        if kind not in WITH_STEPS:
            message = say("{name} loses no steps, so it has no number of them", name=name)
        yield "steps", "steps", message
    elif (unit.get("steps", 1) == 2) != ("reduced" in unit):
        message = say("{name} has one step, so it has no reduced side", name=name)
        if "reduced" not in unit:
            message = say("{name} has two steps, so its reduced side is needed", name=name)
        yield "reduced", "steps", message
    if "full" in unit and "reduced" in unit:
        for at, what in enumerate((say("attack"), say("defence"), say("movement"))):
            if unit["reduced"][at] > unit["full"][at]:
                message = say("{name} has more {what} when it is reduced", name=name, what=what)
                yield "reduced", "reduced-is-stronger", message


def _names(folder: Printed) -> Iterator[Problem]:
    """No two units, and no two hexes, have one name: players write them."""
    for file, part, listed in ((MAP, "map", "hexes"), (UNITS, "units", "units")):
        names: dict[str, str] = {}
        for index, each in enumerate(folder.value(part)[listed]):
            if "name" not in each:
                continue
            other = names.setdefault(folded(each["name"]), each["id"])
            if other != each["id"]:
                message = say("{name} is already the name of {other}", name=quoted(each["name"]),
                              other=other)  # fmt: skip
                yield folder.problem(file, (listed, index, "name"), "taken-name", message)


def _divisions(folder: Printed) -> Iterator[Problem]:
    """A division comes as a whole; one corps headquarters commands the Italians (4.4)."""
    comes: dict[tuple[str, str], tuple[str, str]] = {}
    commands = False
    for index, unit in enumerate(folder.value("units")["units"]):
        commands = commands or (unit.get("level"), unit.get("division")) == ("corps", "CTV")
        if unit["side"] != "republican" or "division" not in unit:
            continue
        how = unit.get("comes", "")
        first, other = comes.setdefault((unit["side"], unit["division"]), (how, unit["id"]))
        if how != first:
            message = say("{name} and {other} are of one division, and come in different ways",
                          name=unit["id"], other=other)  # fmt: skip
            yield folder.problem(UNITS, ("units", index), "divided-division", message)
    if "division" not in {how for how, _ in comes.values()}:
        message = say("no division comes by a die, as three of them do in the rules")
        hint = say("comes: division, for the units of such a division [rule 4.1]")
        yield folder.problem(UNITS, ("units",), "needed", message, hint)
    if not commands:
        message = say("the rules need the corps headquarters of the division {name}", name="CTV")
        yield folder.problem(UNITS, ("units",), "needed", message)
    left = sum(unit.get("comes") == "surrender" for unit in folder.value("units")["units"])
    most = folder.value("tables")["basques"]["battalions"]
    if left != most:
        message = say_many(
            "most",
            "{most} battalion goes on when the Basques surrender, and there are {left}",
            "{most} battalions go on when the Basques surrender, and there are {left}",
            most=most,
            left=left,
        )
        yield folder.problem(TABLES, ("basques", "battalions"), "battalions", message)


def _columns(folder: Printed) -> Iterator[Problem]:
    for side in folder.value("game")["sides"]:
        columns = folder.value("units")["columns"][side]
        if columns["first"] > columns["most"]:
            message = say(
                "the {side} side cannot begin with more supply columns than it may have: {first}, "
                "of {most}",
                side=side, first=columns["first"], most=columns["most"],
            )  # fmt: skip
            yield folder.problem(UNITS, ("columns", side, "first"), "columns", message)


def _armour(folder: Printed) -> Iterator[Problem]:
    """Each face of the die gives armour, and each unit that comes by it is given by a face."""
    rows = folder.value("units")["armour"]
    yield from _ends(folder, UNITS, ("armour",), rows, FACES)
    given = set()
    for index, row in enumerate(rows):
        for at, name in enumerate(row["units"]):
            path: Path = ("armour", index, "units", at)
            given.add(name)
            yield from folder.unknown_unit(UNITS, path, name)
            if name in folder.units and folder.units[name].get("comes") != "armour":
                message = say("{name} does not come by the die for armour", name=name)
                hint = say("comes: armour, in its entry")
                yield folder.problem(UNITS, path, "armour-by-the-die", message, hint)
    for index, unit in enumerate(folder.value("units")["units"]):
        if unit.get("comes") == "armour" and unit["id"] not in given:
            message = say("no face of the die for armour gives {name}", name=unit["id"])
            yield folder.problem(UNITS, ("units", index, "comes"), "armour-by-the-die", message)


# ------------------------------------------------------------------- the charts


def _ends(
    folder: Printed, file: str, path: Path, rows: Sequence[Mapping[str, Any]], last: int
) -> Iterator[Problem]:
    """Rows by `up_to` go up, and the last of them covers what can come."""
    for index, (one, other) in enumerate(pairwise(rows), 1):
        if other["up_to"] <= one["up_to"]:
            message = say("{other} comes after {one}", one=one["up_to"], other=other["up_to"])
            hint = say("the rows go up")
            yield folder.problem(file, (*path, index, "up_to"), "order-of-rows", message, hint)
    if rows[-1]["up_to"] < last:
        message = say("the last row ends with {end}, and {last} can come", end=rows[-1]["up_to"],
                      last=last)  # fmt: skip
        yield folder.problem(file, (*path, len(rows) - 1, "up_to"), "end-of-rows", message)


def _charts(folder: Printed) -> Iterator[Problem]:
    tables = folder.value("tables")
    kinds = {each["id"] for each in tables["terrain"]}
    for kind in dict.fromkeys(hex["terrain"] for hex in folder.land.values()):
        if kind not in kinds:
            message = say("the map has ground that the chart lacks: {kind}", kind=kind)
            yield folder.problem(TABLES, ("terrain",), "unknown-terrain", message)
    for index, row in enumerate(tables["turns"]["dates"]):
        if row["turn"] != index + 1:
            message = say("turn {index} is missing, or turn {turn} is out of place",
                          index=index + 1, turn=row["turn"])  # fmt: skip
            path: Path = ("turns", "dates", index, "turn")
            yield folder.problem(TABLES, path, "order-of-turns", message)
            break
    columns = tables["combat"]["columns"]
    for index, (one, other) in enumerate(pairwise(columns), 1):
        if _odds(one) >= _odds(other):
            message = say("the column {other} comes after {one}", one=one, other=other)
            path = ("combat", "columns", index)
            yield folder.problem(TABLES, path, "order-of-columns", message)
    widths = {"combat": len(columns), "bombardment": len(tables["bombardment"]["rows"][0])}
    for chart, width in widths.items():
        for index, each in enumerate(tables[chart]["rows"]):
            if len(each) != width:
                message = say_many("number", "row {index} has {number} value for {columns} columns",
                                   "row {index} has {number} values for {columns} columns",
                              index=index + 1, number=len(each), columns=width)  # fmt: skip
                yield folder.problem(TABLES, (chart, "rows", index), "row-length", message)
    morale = tables["morale"]
    if morale["marker"]["first"] > morale["marker"]["most"]:
        message = say("the marker of morale begins behind its last box")
        yield folder.problem(TABLES, ("morale", "marker", "first"), "marker", message)
    worst = max([0, *morale["modifiers"].values()])
    yield from _ends(folder, TABLES, ("morale", "rows"), morale["rows"],
                     FACES + morale["marker"]["most"] + worst)  # fmt: skip
    for name in morale["modifiers"]:
        message = say("no nation is called {name}", name=quoted(name))
        path = ("morale", "modifiers", name)
        yield from folder.unknown(TABLES, path, name, NATIONS["republican"], "unknown-nation",
                                  message)  # fmt: skip
    yield from _ends(folder, TABLES, ("offensive", "takes"), tables["offensive"]["takes"], FACES)
    yield from _offensive(folder, tables["offensive"]["starts"])


def _odds(column: str) -> Fraction:
    attack, _, defence = column.partition(":")
    return Fraction(int(attack), int(defence))


def _offensive(folder: Printed, starts: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """The turns of the die go up, and only the last needs none."""
    for index, row in enumerate(starts):
        path: Path = ("offensive", "starts", index)
        if index and row["turn"] <= starts[index - 1]["turn"]:
            message = say("turn {turn} comes after turn {other}", turn=row["turn"],
                          other=starts[index - 1]["turn"])  # fmt: skip
            yield folder.problem(TABLES, (*path, "turn"), "order-of-turns", message)
        if ("from" in row) == (row is starts[-1]):
            message = say("a die is rolled on turn {turn}, so it needs `from`", turn=row["turn"])
            if "from" in row:
                message = say("on the last of these turns it starts by itself, without `from`")
            yield folder.problem(TABLES, path, "die-of-the-offensive", message)


def _places(folder: Printed) -> Iterator[Problem]:
    """The places that rules name are on the map."""
    tables = folder.value("tables")
    first, last = folder.extent["places"]
    italians = tables["set_up"]["italians"]
    if italians["from"] > italians["to"]:
        message = say("{first} does not come before {last}", first=italians["from"],
                      last=italians["to"])  # fmt: skip
        yield folder.problem(TABLES, ("set_up", "italians", "from"), "places", message)
    for path, place in ((("basques", "place"), tables["basques"]["place"]),
                        (("set_up", "italians", "to"), italians["to"])):  # fmt: skip
        if not first <= place <= last:
            message = say("the map has places {first} to {last}", first=first, last=last)
            yield folder.problem(TABLES, path, "places", message)
    hex = tables["factory"]["hex"]
    yield from folder.no_land(TABLES, ("factory", "hex"), hex)
    if hex in folder.land and "points" not in folder.land[hex]:
        message = say("the factory is in {hex}, which is no objective", hex=hex)
        hint = say("a demolished factory takes its victory points away [rule 14.2]")
        yield folder.problem(TABLES, ("factory", "hex"), "factory", message, hint)


def _victory(folder: Printed) -> Iterator[Problem]:
    """The Nationalists can win."""
    victory = folder.value("tables")["victory"]
    most = victory["bonus"] + sum(hex.get("points", 0) for hex in folder.land.values())
    if victory["points"] > most:
        message = say("all objectives and the bonus are worth {most}, and {points} are needed",
                      points=victory["points"], most=most)  # fmt: skip
        yield folder.problem(TABLES, ("victory", "points"), "victory", message)


def _room(folder: Printed) -> Iterator[Problem]:
    """All can be set up: each side on its ground, and Basques within their limit (4.2)."""
    basques = folder.value("tables")["basques"]
    for side in folder.value("game")["sides"]:
        hexes = [hex for hex, each in folder.land.items() if each["held"] == side]
        units = [unit for unit in folder.units.values()
                 if unit["side"] == side and unit.get("comes") != "surrender"]  # fmt: skip
        if not _is_there_room(folder, hexes, units):
            message = say("there is no room for all units of the {side} side on its ground",
                          side=side)  # fmt: skip
            hint = say("one headquarters in a hex, and stacking points as the ground has them")
            yield folder.problem(UNITS, ("units",), "no-room", message, hint)
    near = [hex for hex, each in folder.land.items() if each["held"] == "republican"
            and abs(GRID.place(hex)[1] - basques["place"]) <= basques["set_up"]]  # fmt: skip
    units = [unit for unit in folder.units.values() if unit["nation"] == "basque"]
    brigades = [unit for unit in units if unit.get("brigade")]
    others = [unit for unit in units if not unit.get("brigade")]
    if not _is_there_room(folder, near, others + brigades[basques["free"] :]):
        message = say(
            "there is no room for the Basques in places {first} to {last} of their side",
            first=basques["place"] - basques["set_up"], last=basques["place"] + basques["set_up"],
        )  # fmt: skip
        yield folder.problem(TABLES, ("basques", "set_up"), "no-room", message)


def _is_there_room(
    folder: Printed, hexes: Sequence[str], units: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether hexes hold such units: by their points, and one headquarters or armour in each."""
    most = {each["id"]: each["stacking"] for each in folder.value("tables")["terrain"]}
    ground = [folder.land[hex]["terrain"] for hex in hexes]
    points = sum(most[kind] for kind in ground if kind in most)
    kinds = [
        [unit for unit in units if unit["type"] == kind] for kind in ("headquarters", "armour")
    ]
    return sum(unit.get("points", 0) for unit in units) <= points and all(
        len(kind) <= len(hexes) for kind in kinds
    )


# ------------------------------------------------------------------- scenarios


def scenario_problems(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """The turns are on the track, and there are hexes for the trenches."""
    if plain["turns"] > folder.last_turn:
        message = say("the track ends with turn {last_turn}", last_turn=folder.last_turn)
        yield folder.problem(file, ("turns",), "last-turn", message)

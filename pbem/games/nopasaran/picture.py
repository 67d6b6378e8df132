"""The picture of ¡No Pasarán!: hexes with their ground, slopes, rivers and roads, and what is on
them. Each battle has its part of a map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pbem.board.hexsheet import HexSheet
from pbem.board.hexsides import key_of
from pbem.engine import picture as p
from pbem.engine.model import Event, Side
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.ground import (
    CITY,
    CLEAR,
    GRID,
    HEAVY_WOODS,
    MADRID,
    RAIL,
    RIVER,
    ROAD,
    SLOPE_UP,
    STEEP_UP,
    TOWN,
    WOODS,
    Ground,
)
from pbem.games.nopasaran.narration import MISSION_WORDS, OF_SIDES, OUT_OF_COMMAND, UNSEEN, WEATHER
from pbem.games.nopasaran.notes import may_be_told
from pbem.games.nopasaran.position import (
    BOMB,
    CAS,
    COMING,
    DAMAGED,
    DESTROYED,
    ELIMINATED,
    INT,
    RECO,
    Position,
)
from pbem.games.nopasaran.rules import activation, command, victory
from pbem.games.nopasaran.rules.naming import GROUND, LEVELS, TYPE_WORDS
from pbem.games.nopasaran.tables import (
    ANTIAIRCRAFT,
    ANTITANK,
    ARMOUR,
    ARTILLERY,
    BOMBER,
    CAVALRY,
    ENGINEER,
    FIGHTER_BOMBER,
    HEADQUARTERS,
    INFANTRY,
    NORMAL,
    PONTOON,
    RAILWAY_ENGINEER,
    RECONNAISSANCE,
    SIDES,
    TANK,
    Tables,
)
from pbem.messages import Message, Row, Said, say, say_many

SIGNS = {
    INFANTRY: "cross", CAVALRY: "stroke", TANK: "oval", ARMOUR: "oval", ARTILLERY: "dot",
    ANTITANK: "dot", ANTIAIRCRAFT: "dot", ENGINEER: "cross_bar", RAILWAY_ENGINEER: "cross_bar",
    PONTOON: "cross_bar", HEADQUARTERS: "star", BOMBER: "chevron", FIGHTER_BOMBER: "chevron",
    RECONNAISSANCE: "chevron",
}  # fmt: skip
"""The sign on a counter, by type."""
BACK = p.Sign("shield", say("counter face down"))
SHAPES = (
    p.Sign("cross", say("infantry")), p.Sign("stroke", say("cavalry")),
    p.Sign("oval", say("tanks, armour")), p.Sign("dot", say("guns")),
    p.Sign("cross_bar", say("engineers")), p.Sign("star", say("headquarters")),
    p.Sign("chevron", say("aircraft")), BACK,
)  # fmt: skip
PATTERNS = {
    WOODS: "trees", HEAVY_WOODS: "trees", TOWN: "blocks", CITY: "blocks", MADRID: "blocks",
}  # fmt: skip
LETTERS = {CLEAR: "", WOODS: "w", HEAVY_WOODS: "h", TOWN: "t", CITY: "c", MADRID: "m"}
"""The letter for the ground in labels and lists."""
GROUND_SIGNS = {
    ground: p.Sign("", GROUND[ground], letter) for ground, letter in LETTERS.items() if letter
}
AIM = p.Sign("", say("victory points"), "*")
REARS = {
    side: p.Sign("", say("road to the rear of the {side} side", side=OF_SIDES[side]), letter)
    for side, letter in zip(SIDES, ("n", "r"), strict=True)
}
WORKS = {
    "position": p.Sign("wall", say("position"), "p"),
    "fortification": p.Sign("solid_wall", say("fortification"), "f"),
}
NO_COMMAND = p.Sign("warning", OUT_OF_COMMAND, "!")
SHAKEN = p.Sign("broken", say("disorganised"), "d")
AFRAID = p.Sign("flag", say("demoralised"), "y")
HIDES = p.Sign("veil", UNSEEN, "v")
FORCE = p.Sign("cover", say("force marker"), "x")
SPOILED = p.Sign("burst", say("bridge, road or railway broken"), "k")
FLOWN_AT = p.Sign("caution", say("interdicted from the air"), "i")
BRIDGED = p.Sign("anchor", say("pontoon bridge"), "b")
HIGHWAY, RAILWAY = p.Sign("road", say("road")), p.Sign("narrow", say("railway"))
LEGEND = (
    AIM, *WORKS.values(), NO_COMMAND, SHAKEN, AFRAID, HIDES, FORCE, SPOILED, FLOWN_AT, BRIDGED,
    HIGHWAY, RAILWAY, *GROUND_SIGNS.values(), *REARS.values(), *SHAPES,
)  # fmt: skip
STATES = {
    "bridge": {
        DAMAGED: say("a bridge is damaged"), DESTROYED: say("a bridge is destroyed"),
    },
    ROAD: {DAMAGED: say("the road is damaged"), DESTROYED: say("the road is destroyed")},
    RAIL: {DAMAGED: say("the railway is damaged"), DESTROYED: say("the railway is destroyed")},
}  # fmt: skip
OVER, CLOSED = say("over a river"), say("closed in this battle")
READY, FLOWN = say("Aircraft without a mission"), say("Aircraft that have flown")
FLYING = {
    RECO: say("On reconnaissance"), INT: say("On interdiction"), CAS: say("On close support"),
    BOMB: say("To bomb"),
}  # fmt: skip
ASIDE = {COMING: say("Still to come"), ELIMINATED: say("Eliminated")}
TICKS = {SLOPE_UP: 3, STEEP_UP: 6}
"""How many ticks a slope is drawn with."""
BAND = 5
"""The rows that are listed under one heading."""
LEFT, TOP, BESIDE, WIDE, LEGEND_AT, LOW = 800, 700, 700, 4_800, 5_600, 10_600
"""Where the map begins; how far east of it the boxes stand, their room, where the legend begins,
and where it ends.
"""


class NoPasaranPicture:
    """The capability, over what is printed."""

    def __init__(self, board: Tables) -> None:
        self._board = board
        self._sheet = cache(self._made)

    def _scenario(self, drawing: p.Drawing) -> str:
        """The battle that is drawn."""
        return drawing.get("scenario") or next(iter(self._board.scenarios))

    # --- what is printed --------------------------------------------------------------------

    def board(self, drawing: p.Drawing) -> p.Board:
        scenario = self._scenario(drawing)
        plain, ground = self._board.scenarios[scenario], self._board.ground(scenario)
        return p.Board(
            title="¡No Pasarán!",
            parties=tuple(p.Party(side, say(side.capitalize()), side[0].upper()) for side in SIDES),
            spots=tuple(self._spots(scenario)),
            links=tuple(_links(ground)),
            calendar=p.Calendar(tuple(plain["days"])),
            legend=LEGEND,
            space="hex",
            points=say("VP"),
        )  # fmt: skip

    def _spots(self, scenario: str) -> Iterator[p.Spot]:
        plain, ground = self._board.scenarios[scenario], self._board.ground(scenario)
        rears = {hex: side for side in SIDES for hex in ground.rear(side)}
        points = _aims(plain["points"])
        sheet = self._sheet(scenario)
        for hex in ground.hexes:  # rows from north to south, so bands stand together
            name, kind = ground.names.get(hex), ground.terrain[hex].id
            signs = [GROUND_SIGNS[kind]] if kind in GROUND_SIGNS else []
            signs += [AIM] if hex in points else []
            signs += [REARS[rears[hex]]] if hex in rears else []
            worth_to = points.get(hex, {})
            worth = max(worth_to.values(), default=0)
            yield p.Spot(
                hex, f"{hex} {name}" if name else hex, sheet.at(hex), _band(ground, hex),
                weight=2 if worth > 1 else min(worth, 1), traits=tuple(signs), points=worth,
                worth_to=tuple(worth_to.items()),
                ground=PATTERNS.get(kind, ""), told=f"{name} ({hex})" if name else "",
            )  # fmt: skip

    def _made(self, scenario: str) -> HexSheet:
        return HexSheet(GRID, self._board.ground(scenario).hexes, (LEFT, TOP))

    def sheet(self, drawing: p.Drawing) -> p.Sheet:
        scenario = self._scenario(drawing)
        ground, sheet = self._board.ground(scenario), self._sheet(scenario)
        points = _aims(self._board.scenarios[scenario]["points"])
        east, south = sheet.ends
        slopes = (
            tick
            for kind, number in TICKS.items()
            for low, high in _climbs(ground, kind)
            for tick in sheet.slope(low, high, number)
        )
        return p.Sheet(
            size=(east + BESIDE + WIDE, max(south + 400, LOW)),
            cells={hex: (ring,) for hex, ring in sheet.cells.items()},
            edges=sheet.edges,
            grid=8,
            banks=sheet.sides(ground.sides.sides(RIVER)),
            slopes=tuple(slopes),
            crossings=tuple(sheet.crossing(*each.between) for each in ground.bridges.values()
                            if each.key not in ground.closed),
            labels={hex: p.Label(*sheet.block(_words(ground, hex), has_points=hex in points))
                    for hex in ground.hexes},
            boxes={"title": (east + BESIDE, 200), "tracks": (east + BESIDE, 1350),
                   "legend": (east + BESIDE, LEGEND_AT)},
        )  # fmt: skip

    # --- what is on it ----------------------------------------------------------------------

    def scene(self, position: Position, viewer: Side | None) -> p.Scene:
        seen, broken = position.as_seen_by(viewer), _broken(position)
        return p.Scene(
            turn=max(1, position.day),
            places={hex: _place(seen, hex, broken) for hex in position.ground.hexes},
            camps=tuple(_camp(seen, side) for side in SIDES),
            tracks=tuple(_tracks(position)),
            notes=tuple(_notes(position)),
        )

    def strokes(self, event: Event[Any], position: Position) -> tuple[p.Stroke, ...]:
        match event:
            case e.UnitsMoved(units=units, path=path, start=start):
                return (p.Stroke("move", position.side_of(units[0]), (start, *path)),)
            case e.UnitsRetreated(units=units, path=path) if position.combat is not None:
                way = (position.combat.hex, *path)
                return (p.Stroke("move", position.side_of(units[0]), way),)
            case e.CombatBegan(combat=combat):
                return tuple(p.Stroke("attack", combat.side, (hex, combat.hex))
                             for hex in combat.came_from)  # fmt: skip
            case e.CombatRolled(result=result) if position.combat is not None:
                combat = position.combat
                return (p.Stroke("result", combat.side, (combat.hex,), result),)
        return ()


# ------------------------------------------------------------------- what is printed


def _band(ground: Ground, hex: str) -> Message:
    first, last = ground.hexes[0][0], ground.hexes[-1][0]
    begins = ord(first) + (ord(hex[0]) - ord(first)) // BAND * BAND
    return say("Rows {first} to {last}", first=chr(begins),
               last=min(chr(begins + BAND - 1), last))  # fmt: skip


def _words(ground: Ground, hex: str) -> str:
    """The number, a letter for the ground, and the name."""
    each = (hex, LETTERS[ground.terrain[hex].id], ground.names.get(hex, ""))
    return " ".join(filter(None, each))


def _aims(rows: Iterable[Any]) -> dict[str, dict[Side, int]]:
    """The points of each side for holding a hex."""
    found: dict[str, dict[Side, int]] = {}
    for row in rows:
        if row["for"] == "control":
            found.setdefault(row["hex"], {})[Side(row["side"])] = row["points"]
    return found


def _climbs(ground: Ground, kind: str) -> Iterator[tuple[str, str]]:
    """The slopes of a kind: the lower hex and the higher one."""
    return (
        (low, high)
        for low in ground.hexes
        for high in ground.around[low]
        if kind in ground.sides.between(low, high)
    )


def _links(ground: Ground) -> Iterator[p.Link]:
    for hex in ground.hexes:
        for near in ground.around[hex]:
            if hex < near:
                crossed = ground.sides.between(hex, near)
                is_wet = RIVER in crossed
                told = [HIGHWAY.words] if ROAD in crossed else []
                told += [RAILWAY.words] if RAIL in crossed else []
                told += [OVER] if is_wet else []
                told += [CLOSED] if key_of(hex, near) in ground.closed else []
                told += _slope(ground, hex, near) or _slope(ground, near, hex)
                kind = "road" if ROAD in crossed else "narrow" if RAIL in crossed else "side"
                yield p.Link(hex, near, kind, Row(tuple(told)), is_wet and kind == "side")


def _slope(ground: Ground, low: str, high: str) -> list[Message]:
    crossed = ground.sides.between(low, high)
    if STEEP_UP in crossed:
        return [say("up a steep slope to {hex}", hex=high)]
    return [say("up a slope to {hex}", hex=high)] if SLOPE_UP in crossed else []


# ------------------------------------------------------------------- what is on it


def _broken(position: Position) -> dict[str, list[p.Sign]]:
    """What is broken or bridged, by hex."""
    found: dict[str, list[p.Sign]] = {}

    def note(hex: str, kind: str, state: str) -> None:
        sign = p.Sign(SPOILED.shape, STATES[kind][state], SPOILED.letter)
        found.setdefault(hex, []).append(sign)

    for bridge, state in position.bridges.items():
        if state:
            for hex in position.ground.bridges[bridge].between:
                note(hex, "bridge", state)
    for kind, those in ((ROAD, position.roads), (RAIL, position.rails)):
        for hex, state in those.items():
            if state:
                note(hex, kind, state)
    for unit in position.pontoons:
        found.setdefault(position.at(unit), []).append(BRIDGED)
    for hex, markers in position.interdicted.items():
        number = sum(each.factor for each in markers)
        found.setdefault(hex, []).append(p.Sign(FLOWN_AT.shape, FLOWN_AT.words, FLOWN_AT.letter,
                                                number))  # fmt: skip
    return found


def _place(position: Position, hex: str, broken: dict[str, list[p.Sign]]) -> p.Place:
    units = position.stacks.get(hex, ())
    states = (
        (NO_COMMAND, lambda unit: not (is_tag(unit) or command.in_command(position, unit))),
        (SHAKEN, position.disorganised.__contains__),
        (AFRAID, position.demoralised.__contains__),
        (HIDES, position.down.hidden.__contains__),
    )
    works = position.works.get(hex)
    signs = [sign for sign, is_so in states if any(map(is_so, units))]
    signs += [FORCE] if hex in position.masks else []
    return p.Place(
        control=position.control[hex],
        units=tuple(_unit(position, unit) for unit in units),
        works=(WORKS[works],) if works else (),
        marks=(*signs, *broken.get(hex, ())),
    )


def _unit(position: Position, unit: str) -> p.Unit:
    printed, troops = position.printed(unit), position.troops(unit)
    if is_tag(unit):
        return p.Unit("", printed.side, BACK.shape, may_be_told(position, unit), BACK.words, None,
                      1, 1, tag=unit)  # fmt: skip
    shape, type = SIGNS[printed.type], TYPE_WORDS[printed.type]
    told: list[Said] = [type, f"{printed.attack}-{printed.defence}-{printed.move}"]
    told.append(say("effectiveness {number}", number=printed.effectiveness))
    if printed.troops:
        told.append(say("troop points {left}/{all}", left=troops, all=printed.troops))
    if printed.fire:
        told.append(say("fire {factor}, range {range}", factor=printed.fire, range=printed.range))
    if position.at(unit):
        told += _states(position, unit)
    elif position.places[unit] == COMING:
        day, entries = activation.arrival_of(position, unit)
        told.append(say("from day {day} at {hexes}", day=day, hexes=Row(entries)))
    is_there = position.places[unit] != ELIMINATED
    return p.Unit(
        unit, printed.side, shape,
        say("{name}: {facts}", name=say(printed.name), facts=Row(tuple(told))), type,
        printed.attack, troops if is_there else 0, printed.troops,
    )  # fmt: skip


def _states(position: Position, unit: str) -> Iterator[Said]:
    if not command.in_command(position, unit):
        yield NO_COMMAND.words
    level = command.level_of(position, unit).id
    if level != NORMAL:
        yield LEVELS[level]
    if unit in position.disorganised:
        yield SHAKEN.words
    if unit in position.demoralised:
        yield AFRAID.words
    if unit in position.acted:
        yield say("finished for today")
    if unit in position.down.hidden:
        yield UNSEEN


def _camp(position: Position, side: Side) -> p.Camp:
    board, found = position.board, dict[Message, list[p.Unit]]()
    for unit in position.plain.get("air_units", ()):
        if board.air[unit].side == side:
            mission = position.missions.get(unit)
            box = FLOWN if unit in position.flown else FLYING[mission.kind] if mission else READY
            found.setdefault(box, []).append(_flying(position, unit))
    for unit, printed in board.units.items():
        place = position.places[unit]
        if printed.side == side and place in ASIDE:
            found.setdefault(ASIDE[place], []).append(_unit(position, unit))
    boxes = (READY, *FLYING.values(), FLOWN, *ASIDE.values())
    return p.Camp(side, boxes=tuple((box, tuple(found[box])) for box in boxes if box in found))


def _flying(position: Position, unit: str) -> p.Unit:
    printed, mission = position.board.air[unit], position.missions.get(unit)
    shape, type = SIGNS[printed.type], TYPE_WORDS[printed.type]
    told: list[Said] = [type]
    for number, kind in ((printed.interdiction, INT), (printed.support, CAS),
                         (printed.bombs, BOMB)):  # fmt: skip
        if number:
            told.append(say("{mission} {number}", mission=MISSION_WORDS[kind], number=number))
    if mission:
        told.append(say("flies to {target}", target=mission.target))
    return p.Unit(
        unit, printed.side, shape,
        say("{name}: {facts}", name=say(printed.model), facts=Row(tuple(told))), type, 0, 0, 0,
    )  # fmt: skip


def _tracks(position: Position) -> Iterator[p.Track]:
    points = victory.points(position)
    rows = position.plain["points"]
    for side in SIDES:
        most = sum(row["points"] for row in rows if row["side"] == side and row["for"] != "losses")
        lost = position.losses.get(side, 0)
        yield p.Track(
            say("{side} points", side=OF_SIDES[side]), points[side], 0, max(most, points[side]),
            words=say_many("number", "{number} troop point lost", "{number} troop points lost",
                           number=lost),
        )  # fmt: skip


def _notes(position: Position) -> Iterator[Message]:
    yield say("weather: {weather}", weather=WEATHER[position.weather])
    for side in SIDES:
        if side in position.finished:
            yield say("the {side} side is finished for today", side=OF_SIDES[side])

"""The picture of Santander 1937: hexes with their ground, roads and rivers, and what is on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.board.hexsheet import HexSheet
from pbem.engine import picture as p
from pbem.engine.days import days
from pbem.engine.model import Event, Side
from pbem.games.ctv import events as e
from pbem.games.ctv.narration import LEVELS, OF_SIDES
from pbem.games.ctv.position import (
    ASIDE,
    AVAILABLE,
    ELIMINATED,
    OFF,
    OUT,
    RAIN,
    SURRENDERED,
    WITHDRAWN,
    Position,
)
from pbem.games.ctv.rules import war
from pbem.games.ctv.rules.naming import GROUND, in_order, title
from pbem.games.ctv.tables import (
    AIR,
    ARMOUR,
    COLUMN,
    COVERED,
    GRID,
    HEADQUARTERS,
    INFANTRY,
    MECHANISED,
    NATIONALIST,
    SIDES,
    Tables,
)
from pbem.messages import Message, Row, Said, say

SHAPES = {
    INFANTRY: p.Sign("cross", say("infantry")), MECHANISED: p.Sign("stroke", say("mechanised")),
    ARMOUR: p.Sign("oval", say("armour")), HEADQUARTERS: p.Sign("star", say("headquarters")),
    AIR: p.Sign("chevron", say("aircraft")), COLUMN: p.Sign("dot", say("supply column")),
    COVERED: p.Sign("shield", say("covered counter")),
}  # fmt: skip
"""The sign on a counter, by type."""
NATIONS = {
    "spanish": say("Spanish"), "italian": say("Italian"), "italo_spanish": say("Italo-Spanish"),
    "german": say("German"), "basque": say("Basque"), "basque_left": say("Basque"),
    "asturian": say("Asturian"), "santander": say("Santander"), "republican": say("Republican"),
}  # fmt: skip
PATTERNS = {"mountain": "peaks", "city": "blocks"}
LETTERS = {"clear": "", "city": "c", "hill": "h", "mountain": "m"}
"""The letter for the ground in labels and lists."""
GROUND_SIGNS = {
    ground: p.Sign("", GROUND[ground], letter) for ground, letter in LETTERS.items() if letter
}
AIM = p.Sign("", say("objective"), "*")
SOURCES = {
    side: p.Sign("", say("supplies the {side} side", side=OF_SIDES[side]), letter)
    for side, letter in zip(SIDES, ("n", "r"), strict=True)
}
TRENCH = p.Sign("wall", say("trench"), "t")
NO_SUPPLY = p.Sign("warning", say("no supply"), "!")
SHAKEN = p.Sign("broken", say("disorganised"), "d")
ROAD, NARROW = p.Sign("road", say("road")), say("over a river")
LEGEND = (
    AIM, TRENCH, NO_SUPPLY, SHAKEN, ROAD, *GROUND_SIGNS.values(), *SOURCES.values(),
    *SHAPES.values(),
)  # fmt: skip
BOXES = {
    AVAILABLE: say("Air units available"), OFF: say("Air units that come back"),
    ASIDE: say("Still to come"), WITHDRAWN: say("Gone to fight elsewhere"),
    SURRENDERED: say("Surrendered"), ELIMINATED: say("Eliminated"), OUT: say("Out of the game"),
}  # fmt: skip
BANDS = ((11, 14), (15, 17), (18, 20), (21, 25))
"""The rows that are listed under one heading, from the coast to the south."""
LEFT, TOP = 800, 700
"""Where the map begins."""
BESIDE, WIDE = 16_200, 4_200
"""How far east the boxes stand, and their room."""


class CtvPicture:
    """The capability, over what is printed."""

    def __init__(self, board: Tables) -> None:
        self._board = board

    # --- what is printed --------------------------------------------------------------------

    def board(self, drawing: p.Drawing) -> p.Board:
        board = self._board
        return p.Board(
            title="Santander 1937",
            parties=tuple(p.Party(side, say(side.capitalize()), side[0].upper()) for side in SIDES),
            spots=tuple(self._spots()),
            links=tuple(self._links()),
            calendar=p.Calendar(tuple(
                days(first, last) for first, last in board.dates.values()
            )),
            legend=LEGEND,
            space="hex",
            points=say("VP"),
        )  # fmt: skip

    def _spots(self) -> Iterator[p.Spot]:
        board = self._board
        sources = {hex: side for side in SIDES for hex in board.sources[side]}
        for hex in sorted(board.hexes):  # rows from north to south, so bands stand together
            name, ground, points = (
                board.names.get(hex),
                board.ground[hex],
                board.objectives.get(hex),
            )
            signs = [GROUND_SIGNS[ground]] if ground in GROUND_SIGNS else []
            signs += [AIM] if points else []
            signs += [SOURCES[sources[hex]]] if hex in sources else []
            yield p.Spot(
                hex, f"{hex} {name}" if name else hex, self._sheet.at(hex), _band(hex),
                weight=2 if points and points > 1 else 1 if points else 0, traits=tuple(signs),
                points=points or 0, ground=PATTERNS.get(ground, ""),
                told=f"{name} ({hex})" if name else "",
            )  # fmt: skip

    def _links(self) -> Iterator[p.Link]:
        board = self._board
        for hex in board.hexes:
            for near in board.graph.neighbours(hex):
                if hex < near:
                    crossed = board.sides.between(hex, near)
                    has_road, is_wet = "road" in crossed, "river" in crossed
                    told = [ROAD.words] if has_road else []
                    told += [NARROW] if is_wet else []
                    yield p.Link(hex, near, "road" if has_road else "side", Row(tuple(told)),
                                 is_wet and not has_road)  # fmt: skip

    def sheet(self, drawing: p.Drawing) -> p.Sheet:
        board, sheet = self._board, self._sheet
        _, south = sheet.ends
        return p.Sheet(
            size=(BESIDE + WIDE, south + 400),
            cells={hex: (ring,) for hex, ring in sheet.cells.items()},
            edges=sheet.edges,
            grid=8,
            banks=sheet.sides(board.sides.sides("river") | board.sides.sides("closed")),
            labels={hex: self._label(hex) for hex in board.hexes},
            texts=(p.Text("sea", say("Bay of Biscay"), (LEFT + 600, TOP + 500)),),
            boxes={"title": (BESIDE, 200), "tracks": (BESIDE, 1350), "legend": (BESIDE, 6100)},
        )  # fmt: skip

    def _label(self, hex: str) -> p.Label:
        """The number, a letter for the ground, and the name, in lines above the counters."""
        letter, name = LETTERS[self._board.ground[hex]], self._board.names.get(hex, "")
        words = " ".join(filter(None, (hex, letter, name)))
        return p.Label(*self._sheet.block(words, has_points=hex in self._board.objectives))

    @cached_property
    def _sheet(self) -> HexSheet:
        """Among all hexes, printed or not."""
        return HexSheet(GRID, self._board.hexes, (LEFT, TOP), self._board.everywhere)

    # --- what is on it ----------------------------------------------------------------------

    def scene(self, position: Position, viewer: Side | None) -> p.Scene:
        position = position.seen(viewer) if viewer is not None else position
        return p.Scene(
            turn=max(1, position.turn),
            places={hex: _place(position, hex) for hex in self._board.hexes},
            camps=tuple(_camp(position, side) for side in SIDES),
            tracks=tuple(_tracks(position)),
            notes=tuple(_notes(position)),
        )

    def strokes(self, event: Event[Any], position: Position) -> tuple[p.Stroke, ...]:
        match event:
            case e.UnitsMoved(units=units, path=path, start=start):
                return (p.Stroke("move", position.side_of(units[0]), (start, *path)),)
            case e.UnitsAdvanced(units=units, path=path):
                return (p.Stroke("move", position.side_of(units[0]), path),)
            case e.StackRetreated(units=units, start=start, hex=hex):
                return (p.Stroke("move", position.side_of(units[0]), (start, hex)),)
            case e.BattleBegan(side=side, hex=hex, attackers=attackers):
                near = dict.fromkeys(filter(None, map(position.at, attackers)))
                return tuple(p.Stroke("attack", side, (each, hex)) for each in near)
            case e.CombatRolled(hex=hex, result=result):
                return (p.Stroke("result", position.active, (hex,), result.replace("/", ":")),)
        return ()


def _band(hex: str) -> Message:
    row, _ = GRID.place(hex)
    first, last = next((each for each in BANDS if row <= each[1]), BANDS[-1])
    return say("Rows {first} to {last}", first=first, last=last)


def _unit(position: Position, unit: str) -> p.Unit:
    printed = position.printed(unit)
    sign = SHAPES[printed.type]
    if printed.type == COVERED:
        return p.Unit("", printed.side, sign.shape, sign.words, sign.words, None, 1, 1, tag=unit)
    told: list[Said] = [sign.words]
    if printed.nation in NATIONS:
        told.append(NATIONS[printed.nation])
    strength, is_there = 0, position.places[unit] not in (ELIMINATED, WITHDRAWN, SURRENDERED, OUT)
    if printed.is_ground:
        values = position.values(unit)
        strength = values.attack
        told.append(f"{values.attack}-{values.defence}-{values.move}")
    if printed.fire:
        told.append(say("fire {number}", number=printed.fire))
    if level := position.levels.get(unit, 0):
        told.append(LEVELS[level])
    if unit in position.unsupplied:
        told.append(NO_SUPPLY.words)
    if unit in position.used:
        told.append(say("used"))
    return p.Unit(
        unit, printed.side, sign.shape, say("{name}: {facts}", name=title(position, unit),
                                            facts=Row(tuple(told))),
        sign.words, strength, position.steps_left(unit) if is_there else 0, printed.steps,
    )  # fmt: skip


def _place(position: Position, hex: str) -> p.Place:
    units = position.stacks.get(hex, ())
    marks = [NO_SUPPLY] if any(unit in position.unsupplied for unit in units) else []
    marks += [SHAKEN] if any(position.levels.get(unit, 0) for unit in units) else []
    return p.Place(
        control=position.control[hex],
        units=tuple(_unit(position, unit) for unit in units),
        works=(TRENCH,) if hex in position.trenches else (),
        marks=tuple(marks),
    )


def _camp(position: Position, side: Side) -> p.Camp:
    found: Mapping[str, list[str]] = {where: [] for where in BOXES}
    for unit in _all_of(position, side):
        found[position.places[unit]].append(unit)
    return p.Camp(
        side,
        boxes=tuple((BOXES[where], tuple(_unit(position, unit) for unit in units))
                    for where, units in found.items() if units),
    )  # fmt: skip


def _all_of(position: Position, side: Side) -> Iterable[str]:
    """The units of a side that are in no hex; supply columns that are not on the map are only a
    stock, but for those of the set-up that are counters among the others.
    """
    there = [
        unit
        for unit, place in position.places.items()
        if place in BOXES
        and position.side_of(unit) == side
        and (position.printed(unit).type != COLUMN or unit in position.down.hidden)
    ]
    return in_order(position, there)


def _tracks(position: Position) -> Iterator[p.Track]:
    board = position.board
    chart, most = board.charts["victory"], sum(board.objectives.values())
    yield p.Track(
        say("Points"), war.victory_points(position), 0, most + chart["bonus"],
        ((chart["points"], NATIONALIST),), words=say("Nationalist victory points"),
    )  # fmt: skip
    yield p.Track(
        say("Morale marker"), position.marker, 0, board.charts["morale"]["marker"]["most"],
        words=say("added to each morale die"),
    )  # fmt: skip
    yield p.Track(
        say("Brigades lost"), min(position.brigades_lost, 2 * chart["brigades"]), 0,
        2 * chart["brigades"], ((chart["brigades"], NATIONALIST),),
        words=say("Republican brigades destroyed"),
    )  # fmt: skip


def _notes(position: Position) -> Iterator[Message]:
    if position.weather == RAIN:
        yield say("it rains: no air unit can be used")
    if not position.factory:
        yield say("the factory of Reinosa is demolished")
    if position.offensive:
        yield say("the Republicans attack elsewhere since turn {turn}", turn=position.offensive)
    if position.surrendered:
        yield say("the Basques have surrendered")
    elif position.wavering:
        yield say("the Basques waver: a die is rolled in every turn")

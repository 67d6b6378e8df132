"""The picture of Storm over Madrid: areas, boxes, roads, and what is on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Any

from pbem.board.borders import borders
from pbem.engine import picture as p
from pbem.engine.days import days
from pbem.engine.model import Event, Side
from pbem.games.madrid import events as e
from pbem.games.madrid.narration import title
from pbem.games.madrid.position import (
    BAD_WEATHER,
    ELIMINATED,
    GONE,
    STRIFE,
    TRACK,
    Position,
)
from pbem.games.madrid.rules.supply import cut_roads, supplied_units
from pbem.games.madrid.rules.units import strength_of
from pbem.games.madrid.tables import (
    ARTILLERY,
    LINE,
    MADRID,
    NATIONALIST,
    REPUBLICAN,
    SHOCK,
    SIDES,
    Area,
    PrintedUnit,
    Tables,
)
from pbem.messages import Message, Row, Said, marked, say, say_many, words

SHAPES: Mapping[str, p.Sign] = {
    "moroccan": p.Sign("crescent", say("Moroccans")),
    "legion": p.Sign("cross_bar", say("Legion")),
    "international_brigade": p.Sign("star", say("International Brigade")),
    "communist": p.Sign("shield", say("communists")),
    "anarchist": p.Sign("stroke", say("anarchists")),
}
"""The sign on a counter, by faction."""
OTHERS = p.Sign("cross", say("other units"))
GUNS = p.Sign("dot", say("artillery"))
TYPES: Mapping[str, Message] = {
    LINE: say("line"), SHOCK: say("shock"), ARTILLERY: say("artillery"),
}  # fmt: skip
KINDS: Mapping[str, Message] = {**TYPES, ARTILLERY: say("guns")}
"""The types of units, and what they are called where units are counted."""
FACTIONS: Mapping[str, Message] = {
    "anarchist": say("anarchist"),
    "army": say("army"),
    "carlist": say("Carlist"),
    "communist": say("communist"),
    "falange": say("Falange"),
    "international_brigade": say("International Brigade"),
    "legion": say("Legion"),
    "moroccan": say("Moroccan"),
    "republican": say("Republican"),
    "socialist": say("socialist"),
}

URBAN, NO_SUPPLY = p.Sign("", say("urban"), "u"), p.Sign("warning", say("no supply"), "!")
LINES = (
    p.Sign("built", say("urban")), p.Sign("road", say("road")), p.Sign("narrow", say("way in")),
)  # fmt: skip
LEGEND = (URBAN, NO_SUPPLY, *LINES, *SHAPES.values(), OTHERS, GUNS)
WEAR = p.Wear(say("fresh"), say("spent"), say("fresh again"), has_steps=False)

BOXES = {
    ELIMINATED: say("Eliminated"),
    TRACK: say("Still to come"),
    GONE: say("Out of the game"),
}
SUPPORT = {
    NATIONALIST: say("Support, Nationalist"),
    REPUBLICAN: say("Support, Republican"),
}
ELSEWHERE, SIZE = marked("Elsewhere"), 120
"""The heading of areas added by an owner of the game, and the size of a name."""
BOLD = 108
"""The width of a bold name, in hundredths of a plain one."""
MOST_SUPPORT = 30
ABOVE, LONGEST = 320, 18
"""How far names are above the counters, and the letters per line."""
TOGETHER = "\N{NO-BREAK SPACE}"
"""What comes before the terrain, which does not stand on a line alone."""
A_LETTER = 600


class MadridPicture:
    """The capability, over the map data and the rules' view of it."""

    def __init__(self, plain: Mapping[str, Any], tables: Tables) -> None:
        self._plain, self._tables = plain, tables

    # --- what is printed --------------------------------------------------------------------

    def board(self, drawing: p.Drawing) -> p.Board:
        at = self._places(drawing)
        regions = {place: name for name, places in drawing["regions"].items() for place in places}
        known = {place: rank for rank, place in enumerate(regions)}
        spots = [self._area(area, at, regions) for area in self._tables.areas.values()]
        spots += [self._box(box, at, regions) for box in self._tables.boxes]
        return p.Board(
            title="Storm over Madrid",
            parties=tuple(p.Party(side, say(side.capitalize()), side[0].upper()) for side in SIDES),
            spots=tuple(sorted(spots, key=lambda spot: known.get(spot.id, len(known)))),
            links=tuple(self._links()),
            calendar=p.Calendar(tuple(
                days(first, last)
                for turn, (first, last) in self._tables.dates.items()
                if turn <= self._last_turn(drawing)
            )),
            legend=LEGEND,
            space="area",
            wear=WEAR,
        )  # fmt: skip

    def _last_turn(self, drawing: p.Drawing) -> int:
        """The last turn of the scenario that is drawn; of the longest, if none is named."""
        scenarios = self._tables.scenarios
        named = drawing.get("scenario")
        cards = [scenarios[named]] if named in scenarios else scenarios.values()
        return max(card.last_turn for card in cards)

    def _area(self, area: Area, at: Mapping[str, p.Point], regions: Mapping[str, str]) -> p.Spot:
        told = say("terrain +{number}", number=area.terrain)
        terrain = p.Sign("", told, f"+{area.terrain}")
        return p.Spot(
            area.id, f"{area.id} {area.name}", at[area.id], say(regions.get(area.id, ELSEWHERE)),
            weight=2 if area.id == MADRID else 0,
            traits=(URBAN, terrain) if area.is_urban else (terrain,),
            ground="blocks" if area.is_urban else "",
            told=say("{name} ({id})", name=area.name, id=area.id),
        )  # fmt: skip

    def _box(self, box: str, at: Mapping[str, p.Point], regions: Mapping[str, str]) -> p.Spot:
        where = p.Sign("", say(self._tables.box_names[box]))
        name, region = _box_name(box), say(regions.get(box, ELSEWHERE))
        return p.Spot(box, name, at[box], region, weight=1, traits=(where,))

    def _links(self) -> Iterator[p.Link]:
        """The lines to draw: roads, and the ways from boxes. Adjacent areas need no line."""
        tables = self._tables
        roads = {frozenset(pair): road["name"] for road in self._plain["roads"]
                 for pair in pairwise((road["box"], *road["areas"]))}  # fmt: skip
        rank = {place: at for at, place in enumerate(tables.graph.spaces)}
        for a in tables.graph.spaces:
            for b in tables.graph.neighbours(a):
                if rank[a] > rank[b]:
                    continue
                road, is_wet = roads.get(frozenset((a, b)), ""), tables.has_river(a, b)
                told = [say(road)] if road else []
                told += [say("over a river")] if is_wet else []
                kind = "road" if road else "narrow" if {a, b} & {*tables.boxes} else "side"
                yield p.Link(a, b, kind, Row(tuple(told)), is_wet)

    def _places(self, drawing: p.Drawing) -> dict[str, p.Point]:
        """Where each area and each box is drawn. An area without coordinates is placed by guess."""
        drawn = drawing["places"]
        (across, east), (down, south) = (drawing["beside"][way] for way in ("east", "south"))
        found = {}
        for each in (*self._plain["areas"], *self._plain["boxes"]):
            place = each["id"]
            if place in drawn:
                found[place] = tuple(drawn[place])
            else:
                lat, lon = each.get("at", (0, 0))
                found[place] = across * lon // 1000 + east, down * lat // 1000 + south
        return found

    def sheet(self, drawing: p.Drawing) -> p.Sheet:
        cells = {
            place: tuple(map(tuple, ring))
            for place, ring in drawing["cells"].items()
            if place in self._tables.graph
        }
        edges = borders(cells)
        tables = self._tables
        names = {
            each.id: f"{each.id} {each.name}{TOGETHER}+{each.terrain}"
            for each in tables.areas.values()
        }
        beside = drawing["names"]
        letters = {each: int(width) for width, row in drawing["letters"].items() for each in row}
        return p.Sheet(
            size=tuple(drawing["size"]),
            cells={place: (ring,) for place, ring in cells.items()},
            edges=edges,
            grid=12,
            banks=tuple(
                line for a, b, line in edges
                if b in tables.graph.neighbours(a) and tables.has_river(a, b)
            ),
            labels={
                **{area: _label(_lines(name), letters, beside.get(area), is_bold=area == MADRID)
                   for area, name in names.items()},
                **{box: _label([_box_name(box)], letters, is_bold=True) for box in tables.boxes},
            },
            texts=tuple(
                p.Text(each["kind"], each["words"], tuple(each["at"]), each["turned"])
                for each in drawing["texts"]
            ),
            boxes={name: tuple(corner) for name, corner in drawing["corners"].items()},
        )  # fmt: skip

    # --- what is on it --------------------------------------------------------------------

    def scene(self, position: Position, viewer: Side | None) -> p.Scene:
        supplied = {unit for side in SIDES for unit in supplied_units(position, side)}
        return p.Scene(
            turn=max(1, position.turn),
            places={
                place: _place(position, place, supplied) for place in position.board.graph.spaces
            },
            camps=tuple(_camp(position, side, viewer) for side in SIDES),
            tracks=tuple(_tracks(position)),
            notes=tuple(_notes(position)),
        )  # fmt: skip

    def strokes(self, event: Event[Any], position: Position) -> tuple[p.Stroke, ...]:
        match event:
            case e.UnitsMoved(units=units, origin=origin, to=to):
                return (p.Stroke("move", position.side_of(units[0]), (origin, to)),)
            case e.UnitRetreated(unit=unit, origin=origin, to=to):
                return (p.Stroke("move", position.side_of(unit), (origin, to)),)
            case e.Attacked(side=side, path=path) if path:
                return (p.Stroke("attack", side, tuple(path[-2:])),)
            case e.CombatRolled(side=side, area=area, losses=ours, enemy_losses=theirs):
                return (p.Stroke("result", side, (area,), f"{theirs}:{ours}"),)
            case e.Bombarded(side=side, area=area, guns=guns, losses=losses) if guns:
                here = position.places[guns[0]]
                return (p.Stroke("attack", side, (here, area), str(losses)),)
        return ()


def _box_name(box: str) -> Message:
    return say("Box {number}", number=box)


def _lines(name: str) -> list[str]:
    return [line.replace(TOGETHER, " ") for line in wrap(name, LONGEST)]


def _label(
    lines: Sequence[Said], letters: Mapping[str, int], at: Sequence[int] | None = None,
    *, is_bold: bool = False,
) -> p.Label:  # fmt: skip
    """A name in lines, whose upper edge has its middle `at` a distance from the place, else above
    the counters.
    """
    widths = tuple(
        sum(letters.get(letter, A_LETTER) for letter in words(line))
        * SIZE * (BOLD if is_bold else 100) // 100_000
        for line in lines
    )  # fmt: skip
    middle, top = at or (0, -ABOVE - SIZE * (len(lines) - 1))
    return p.Label(tuple(lines), widths, (middle - max(widths) // 2, top), SIZE, "m")


def _unit(position: Position, unit: str) -> p.Unit:
    printed, face = position.unit(unit), position.face(unit)
    is_there = position.is_on_map(unit)
    steps = (2 if position.is_fresh(unit) else 1) if is_there else 0
    figures = [] if printed.type == ARTILLERY else [face.attack]
    values = "-".join(map(str, [*figures, face.defence, face.movement]))
    told = say("{type}, {faction}, {figures}", type=TYPES[printed.type],
               faction=FACTIONS[printed.faction], figures=values)  # fmt: skip
    return p.Unit(
        printed.name, printed.side, _sign(printed).shape, told,
        KINDS[printed.type], strength_of(position, unit), steps, 2,
    )  # fmt: skip


def _sign(unit: PrintedUnit) -> p.Sign:
    return GUNS if unit.type == ARTILLERY else SHAPES.get(unit.faction, OTHERS)


def _place(position: Position, place: str, supplied: set[str]) -> p.Place:
    units = position.units_at(place)
    control = position.board.boxes.get(place) or position.control[place]
    return p.Place(
        control=control,
        units=tuple(_unit(position, unit) for unit in units),
        marks=(NO_SUPPLY,) if set(units) - supplied else (),
    )


def _camp(position: Position, side: Side, viewer: Side | None) -> p.Camp:
    """A side's hand as a viewer sees it: only the owner knows what is face down."""
    hand = position.hands[side]
    chits = position.held(side) if viewer == side else [
        each for each in hand if each in position.board.chits
    ]  # fmt: skip
    units = {
        name: tuple(_unit(position, unit) for unit in position.units_at(where, side))
        for where, name in BOXES.items()
    }
    return p.Camp(
        side=side,
        hand=tuple(p.Held(chit, title(position, chit)) for chit in chits),
        unseen=len(hand) - len(chits),
        hand_is=say("chits"),
        boxes=tuple((name, found) for name, found in units.items() if found),
        facts=tuple(_facts(position, side)),
    )


def _facts(position: Position, side: Side) -> Iterator[Message]:
    yield say_many("number", "{number} chit in the cup", "{number} chits in the cup",
                   number=len(position.cups[side]))  # fmt: skip
    if (titles := _titles(position, side, position.played)).items:
        yield say("played: {chits}", chits=titles)
    if (titles := _titles(position, side, position.removed)).items:
        yield say("out of the game: {chits}", chits=titles)


def _titles(position: Position, side: Side, chits: Sequence[str]) -> Row:
    kinds = position.board.kinds
    return Row(tuple(
        title(position, chit) for chit in chits if kinds[position.kind_of(chit)].side == side
    ))  # fmt: skip


def _tracks(position: Position) -> Iterator[p.Track]:
    for side in SIDES:
        won = position.gains.get(side, 0)
        told = say("areas won in this turn: {number}", number=won)
        yield p.Track(SUPPORT[side], position.support.get(side, 0), 0, MOST_SUPPORT, words=told)
    best = len(position.board.morale) - 1
    level = say(position.morale_name)
    yield p.Track(say("Republican morale"), position.morale, 0, best, words=level)


def _notes(position: Position) -> Iterator[Message]:
    if position.is_river_banned:
        yield say("Manzanares and Jarama may not be crossed yet")
    if BAD_WEATHER in position.facts:
        yield say("bad weather")
    if STRIFE in position.facts:
        yield say("the Republicans quarrel")
    for road in cut_roads(position):
        yield say("the {road} is cut", road=say(position.board.road_names[road]))
    if position.is_paused:
        yield say_many("number", "pause in fighting: {number} turn, including this one",
                       "pause in fighting: {number} turns, including this one",
                       number=position.pause)  # fmt: skip
    if position.durruti:
        yield say_many(
            "number",
            "anarchists are shock units: {number} Republican impulse, including this one",
            "anarchists are shock units: {number} Republican impulses, including this one",
            number=position.durruti,
        )
    if position.flight:
        yield say_many(
            "number",
            "the Republicans neither fight nor bombard: {number} Republican impulse, including"
            " this one",
            "the Republicans neither fight nor bombard: {number} Republican impulses, including"
            " this one",
            number=position.flight,
        )
    if position.run and position.active == NATIONALIST:
        yield say_many("number", "the Nationalists have {number} impulse in a row after this one",
                       "the Nationalists have {number} impulses in a row after this one",
                       number=position.run)  # fmt: skip

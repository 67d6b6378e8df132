"""The picture of Storm over Madrid: areas, boxes, roads, and what is on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Any

from pbem.board.borders import borders
from pbem.engine import picture as p
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
from pbem.messages import marked

SHAPES: Mapping[str, p.Sign] = {
    "moroccan": p.Sign("crescent", "Moroccans"),
    "legion": p.Sign("cross_bar", "Legion"),
    "international_brigade": p.Sign("star", "International Brigade"),
    "communist": p.Sign("shield", "communists"),
    "anarchist": p.Sign("stroke", "anarchists"),
}
"""The sign on a counter, by faction."""
OTHERS = p.Sign("cross", "other units")
GUNS = p.Sign("dot", "artillery")
KINDS: Mapping[str, str] = {LINE: "line", SHOCK: "shock", ARTILLERY: "guns"}

URBAN, NO_SUPPLY = p.Sign("", "urban", "u"), p.Sign("warning", "no supply", "!")
LEGEND = (URBAN, NO_SUPPLY, *SHAPES.values(), OTHERS, GUNS)
WEAR = p.Wear(whole="fresh", worn="spent", again="fresh again", steps="")

BOXES = {
    ELIMINATED: marked("Eliminated"),
    TRACK: "Still to come",
    GONE: marked("Out of the game"),
}
SUPPORT = {
    NATIONALIST: marked("Support, Nationalist"),
    REPUBLICAN: marked("Support, Republican"),
}
ELSEWHERE, SIZE = "Elsewhere", 110
"""The heading of areas added by an owner of the game, and the size of a name."""
MOST_SUPPORT = 30
ABOVE, LONGEST = 320, 19
"""How far names are above the counters, and the letters per line."""
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
            parties=tuple(p.Party(side, side.capitalize(), side[0].upper()) for side in SIDES),
            spots=tuple(sorted(spots, key=lambda spot: known.get(spot.id, len(known)))),
            links=tuple(self._links()),
            calendar=p.Calendar(tuple(f"{first} to {last}"
                                      for first, last in self._tables.dates.values())),
            legend=LEGEND,
            space="area",
            wear=WEAR,
        )  # fmt: skip

    def _area(self, area: Area, at: Mapping[str, p.Point], regions: Mapping[str, str]) -> p.Spot:
        terrain = p.Sign("", f"terrain +{area.terrain}", f"+{area.terrain}")
        return p.Spot(
            area.id, f"{area.id} {area.name}", at[area.id], regions.get(area.id, ELSEWHERE),
            weight=2 if area.id == MADRID else 0,
            traits=(URBAN, terrain) if area.is_urban else (terrain,),
            ground="blocks" if area.is_urban else "",
        )  # fmt: skip

    def _box(self, box: str, at: Mapping[str, p.Point], regions: Mapping[str, str]) -> p.Spot:
        where = p.Sign("", self._tables.box_names[box])
        name, region = f"Box {box}", regions.get(box, ELSEWHERE)
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
                told = [road] if road else []
                told += ["over a river"] if is_wet else []
                kind = "plain" if road else "narrow" if {a, b} & {*tables.boxes} else "side"
                yield p.Link(a, b, kind, ", ".join(told), is_wet)

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
            each.id: f"{each.id} {each.name} +{each.terrain}" for each in tables.areas.values()
        }
        names |= {box: f"Box {box}" for box in tables.boxes}
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
            labels={place: _label(name, letters) for place, name in names.items()},
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
                return (p.Stroke("result", side, (area,), f"{ours}:{theirs}"),)
            case e.Bombarded(side=side, area=area, guns=guns, losses=losses) if guns:
                here = position.places[guns[0]]
                return (p.Stroke("attack", side, (here, area), str(losses)),)
        return ()


def _label(name: str, letters: Mapping[str, int]) -> p.Label:
    """A name above the counters, in two lines if it is long."""
    lines = wrap(name, LONGEST)
    widths = tuple(
        sum(letters.get(letter, A_LETTER) for letter in line) * SIZE // 1000 for line in lines
    )
    above = ABOVE + SIZE * (len(lines) - 1)
    return p.Label(tuple(lines), widths, (-max(widths) // 2, -above), SIZE, "m")


def _unit(position: Position, unit: str) -> p.Unit:
    printed, face = position.unit(unit), position.face(unit)
    is_there = position.is_on_map(unit)
    steps = (2 if position.is_fresh(unit) else 1) if is_there else 0
    figures = [] if printed.type == ARTILLERY else [face.attack]
    values = "-".join(map(str, [*figures, face.defence, face.movement]))
    faction = printed.faction.replace("_", " ")
    return p.Unit(
        printed.name, printed.side, _sign(printed).shape, f"{printed.type}, {faction}, {values}",
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
        hand=tuple(p.Held(chit, str(title(position, chit))) for chit in chits),
        unseen=len(hand) - len(chits),
        hand_is="chits",
        boxes=tuple((name, found) for name, found in units.items() if found),
        facts=tuple(_facts(position, side)),
    )


def _facts(position: Position, side: Side) -> Iterator[str]:
    yield f"{len(position.cups[side])} chits in the cup"
    for word, chits in (("played", position.played), ("out of the game", position.removed)):
        if titles := _titles(position, side, chits):
            yield f"{word}: {', '.join(titles)}"


def _titles(position: Position, side: Side, chits: Sequence[str]) -> list[str]:
    kinds = position.board.kinds
    return [
        str(title(position, chit)) for chit in chits if kinds[position.kind_of(chit)].side == side
    ]


def _tracks(position: Position) -> Iterator[p.Track]:
    for side in SIDES:
        won = position.gains.get(side, 0)
        told = f"areas won in this turn: {won}"
        yield p.Track(SUPPORT[side], position.support.get(side, 0), 0, MOST_SUPPORT, words=told)
    best = len(position.board.morale) - 1
    yield p.Track(marked("Republican morale"), position.morale, 0, best, words=position.morale_name)


def _notes(position: Position) -> Iterator[str]:
    if position.is_river_banned:
        yield "Manzanares and Jarama may not be crossed yet"
    for fact, words in ((BAD_WEATHER, "bad weather"), (STRIFE, "the Republicans quarrel")):
        if fact in position.facts:
            yield words
    for road in cut_roads(position):
        yield f"the {position.board.road_names[road]} is cut"
    if position.is_paused:
        turns = f"{position.pause} turn{'s' if position.pause > 1 else ''}"
        yield f"pause in fighting: {turns}, including this one"
    for left, words in (
        (position.durruti, "anarchists are shock units"),
        (position.flight, "the Republicans neither fight nor bombard"),
    ):
        if left:
            yield f"{words}: {left} Republican impulse{'s' if left > 1 else ''}, including this one"
    if position.run and position.active == NATIONALIST:
        yield f"the Nationalists have {position.run} impulses in a row after this one"

"""The picture of Crusade and Revolution: the map, and what is on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine import picture as p
from pbem.engine.model import Event, Side
from pbem.games.crusade import events as e
from pbem.games.crusade.position import (
    ABROAD,
    DISPLAY,
    ELIMINATED,
    MOROCCO,
    REMOVED,
    RESERVE,
    ROUNDS,
    Position,
)
from pbem.games.crusade.rules.supply import has_limited_supply, is_supplied
from pbem.games.crusade.rules.victory import morale_limits
from pbem.games.crusade.sheet import points, sheet
from pbem.games.crusade.summary import lasting, piles, points_recorded, siege_name, worth
from pbem.games.crusade.tables import (
    INITIAL,
    NATIONALIST,
    PEOPLE,
    REPUBLICAN,
    SIDES,
    Space,
    Tables,
    UnitType,
)
from pbem.messages import Message, Row, Said, say

CORPS = p.Sign("corps", say("corps"))
SHAPES: Mapping[str, p.Sign] = {
    "armor": p.Sign("oval", say("tanks")),
    "italian": p.Sign("cross_bar", say("Italians")),
    "international": p.Sign("star", say("International Brigade")),
    "army_of_africa": p.Sign("crescent", say("Army of Africa")),
    "cavalry": p.Sign("stroke", say("cavalry")),
    "police": p.Sign("shield", say("police")),
    "militia": p.Sign("chevron", say("militia")),
}
"""The sign on a counter, by the first of these tags that its type has."""
INFANTRY = p.Sign("cross", say("infantry, Popular Army"))

OPEN, MOUNTAIN = p.Sign("circle", say("open")), p.Sign("triangle", say("mountain"), "^")
CAPITAL = p.Sign("square", say("capital"), "C")
MAIN_CITY = p.Sign("double_square", say("main city"), "M")
SOURCE, PORT = p.Sign("castle", say("source"), "s"), p.Sign("anchor", say("port"), "p")
FORTS = {
    "position": p.Sign("wall", say("position"), "#"),
    "trench": p.Sign("solid_wall", say("trench"), "##"),
}
NO_SUPPLY = p.Sign("warning", say("no supply"), "!")
LIMITED = p.Sign("caution", say("limited supply"), "?")
ISOLATED = p.Sign("broken", say("isolated"), "%")
SIEGE = p.Sign("tower", say("siege"), "$", number=3)
BONUS = p.Sign("flag", say("bonus"), "*")

LEGEND = (
    OPEN, MOUNTAIN, CAPITAL, MAIN_CITY, SOURCE, PORT, NO_SUPPLY, LIMITED, ISOLATED, SIEGE, BONUS,
    *FORTS.values(), INFANTRY, *SHAPES.values(), CORPS,
)  # fmt: skip

LINKS: Mapping[str, tuple[str, Said, bool]] = {
    "road": ("plain", "", False),
    "river": ("plain", say("over a river"), True),
    "grado": ("narrow", say("by the corridor of Grado"), False),
    "beach_head": ("plain", say("from the sea"), False),
}
BOXES: Mapping[str, Message] = {
    RESERVE: say("Reserve"),
    ELIMINATED: say("Eliminated"),
    REMOVED: say("Out of the game"),
    DISPLAY: say("Army of Africa"),
    MOROCCO: say("Morocco"),
    ABROAD: say("Abroad"),
}
ROUND_WORDS: Mapping[str, str] = {
    "operations": "OPS", "automatic": "A", "redeployment": "SR", "replacements": "RP",
    "event": "EV",
}  # fmt: skip
MOST_MORALE = 30
ELSEWHERE = say("Elsewhere")
"""The heading of spaces added by an owner of the game."""


class CrusadePicture:
    """The capability, over the tables of one game."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    # --- what is printed --------------------------------------------------------------------

    def board(self, drawing: p.Drawing) -> p.Board:
        tables, places = self._tables, points(self._tables.spaces, drawing)
        region = {
            space: told
            for name, spaces in drawing.get("regions", {}).items()
            for told in (say(name),)
            for space in spaces
        }
        known = {space: at for at, space in enumerate(region)}
        ordered = sorted(tables.spaces.values(), key=lambda each: known.get(each.id, len(known)))
        return p.Board(
            title="Crusade and Revolution",
            parties=tuple(p.Party(side, say(PEOPLE[side]), INITIAL[side]) for side in SIDES),
            spots=tuple(
                _spot(space, places[space.id], region.get(space.id, ELSEWHERE))
                for space in ordered
            ),
            links=tuple(
                p.Link(a, b, *LINKS[kind]) for a, b, kind in self._links()
            ),
            calendar=self._calendar(),
            legend=LEGEND,
            points=say("VP"),
        )  # fmt: skip

    def _links(self) -> Iterator[tuple[str, str, str]]:
        spaces, graph = self._tables.map_rank, self._tables.graph
        for one in spaces:
            for other in graph.neighbours(one):
                if spaces[one] < spaces[other]:
                    yield one, other, graph.kinds_of(one, other)[0]

    def _calendar(self) -> p.Calendar:
        rows = self._tables.tables["turns"]
        phases: dict[str, list[int]] = {}
        for row in rows:
            phases.setdefault(row["phase"], []).append(row["turn"])
        names = {row["id"]: row["name"] for row in self._tables.tables["phases"]}
        return p.Calendar(
            turns=tuple(map(say, (row["name"] for row in rows))),
            marked=frozenset(row["turn"] for row in rows if row["winter"]),
            mark=say("winter"),
            parts=tuple((turns[0], turns[-1], say(names[each])) for each, turns in phases.items()),
        )

    def sheet(self, drawing: p.Drawing) -> p.Sheet:
        return sheet(self._tables.spaces, drawing)

    # --- what is on it --------------------------------------------------------------------

    def scene(self, position: Position, viewer: Side | None) -> p.Scene:
        return p.Scene(
            turn=position.turn,
            places={
                space: _place(position, space)
                for space in self._tables.spaces
                if position.is_open_for_play(space)
            },
            camps=tuple(_camp(position, side, viewer) for side in SIDES),
            tracks=tuple(_tracks(position)),
            notes=tuple(lasting(position)),
        )

    def strokes(self, event: Event[Any], position: Position) -> tuple[p.Stroke, ...]:
        match event:
            case e.StackMoved(units=units, path=path):
                return (p.Stroke("move", position.side_of(units[0]), tuple(path)),)
            case e.UnitRetreated(unit=unit, path=path):
                return (p.Stroke("move", position.side_of(unit), tuple(path)),)
            case e.AttackDeclared(side=side, space=space, origins=origins):
                return tuple(p.Stroke("attack", side, (each, space)) for each in origins)
            case e.CombatDecided(space=space, by_attacker=ours, by_defender=theirs):
                return (p.Stroke("result", position.active, (space,), f"{ours}:{theirs}"),)
        return ()


def name_of(space: Space) -> Said:
    """The printed name; a Beach Head is a marker, so its name can be translated."""
    return say(space.name) if space.dormant else space.name


def _spot(space: Space, at: p.Point, region: Message) -> p.Spot:
    is_mountain = space.terrain == "mountain"
    rank = MAIN_CITY if space.main_city else CAPITAL if space.capital else None
    shape = MAIN_CITY if space.main_city else MOUNTAIN if is_mountain else rank or OPEN
    traits = [rank] if rank else []
    traits += [MOUNTAIN] if is_mountain else []
    traits += [SOURCE] if space.source else []
    traits += [PORT] if space.port else []
    return p.Spot(
        space.id, name_of(space), at, region, shape.shape,
        weight=2 if space.main_city else 1 if space.capital else 0,
        traits=tuple(traits), points=space.vp, ground="peaks" if is_mountain else "",
    )  # fmt: skip


def _unit(position: Position, unit: str) -> p.Unit:
    kind = position.type_of(unit)
    is_lost = position.place_of(unit) in (ELIMINATED, REMOVED)
    steps = 0 if is_lost else position.steps_left(unit)
    return p.Unit(
        unit, kind.side, _sign(kind).shape, say(kind.name), kind.id, position.factors(unit).cf,
        steps, kind.steps, kind.is_corps,
    )  # fmt: skip


def _sign(kind: UnitType) -> p.Sign:
    if kind.is_corps:
        return CORPS
    return next((sign for tag, sign in SHAPES.items() if kind.has(tag)), INFANTRY)


def _place(position: Position, space: str) -> p.Place:
    fort = position.forts.get(space)
    return p.Place(
        control=position.control.get(space),
        units=tuple(_unit(position, unit) for unit in position.units_in(space)),
        works=(FORTS[fort.kind],) if fort else (),
        marks=tuple(_marks(position, space)),
    )


def _marks(position: Position, space: str) -> Iterator[p.Sign]:
    side = position.occupier(space)
    if side and not is_supplied(position, side, space):
        yield LIMITED if has_limited_supply(position, side, space) else NO_SUPPLY
    if space in position.isolated:
        yield ISOLATED
    for siege, left in sorted(position.sieges.items()):
        if position.tables.siege_spaces[siege] == space:
            told = say("siege of {name}, resistance {left}", name=siege_name(position, siege),
                       left=left)  # fmt: skip
            yield p.Sign(SIEGE.shape, told, SIEGE.letter, left)
    if space in position.bonuses:
        told = say("counterattack by {card}", card=position.bonuses[space])
        yield p.Sign(BONUS.shape, told, BONUS.letter)


def _camp(position: Position, side: Side, viewer: Side | None) -> p.Camp:
    deck, mine = position.decks[side], side == viewer
    known = [position.card_in(slot) if mine else position.known.get(slot) for slot in deck.hand]
    cards = [card for card in known if card]
    units = {
        name: tuple(_unit(position, unit) for unit in position.units_in(box, side))
        for box, name in BOXES.items()
    }
    return p.Camp(
        side=side,
        hand=tuple(
            p.Held(card, say(position.card(card).title), worth(position, card)) for card in cards
        ),
        unseen=len(known) - len(cards),
        hand_is=say("cards"),
        rounds=tuple(ROUND_WORDS.get(each, each) for each in position.actions.get(side, ())),
        most_rounds=ROUNDS,
        boxes=tuple((name, found) for name, found in units.items() if found),
        facts=tuple(_facts(position, side)),
    )


def _facts(position: Position, side: Side) -> Iterator[Message]:
    deck = position.decks[side]
    yield piles(deck)
    if deck.table:
        yield say("retained: {cards}", cards=Row(deck.table))
    if recorded := points_recorded(position, side):
        yield say("replacement points: {points}", points=Row(recorded))


def _tracks(position: Position) -> Iterator[p.Track]:
    limits = position.tables.sheet(position.scenario)["victory"]
    first, last = limits["republican_max"], limits["nationalist_min"]
    most = sum(space.vp for space in position.tables.spaces.values())
    yield p.Track(
        say("Victory Points"), position.vp, 0, most,
        ((first, REPUBLICAN), (last, NATIONALIST)),
        say("R to {first}, N from {last}", first=first, last=last),
    )  # fmt: skip
    now = morale_limits(position)
    told = say("N to {first}, R from {last}", first=now[0], last=now[1]) if now else ""
    stops = ((now[0], NATIONALIST), (now[1], REPUBLICAN)) if now else ()
    yield p.Track(say("Republican Morale"), position.rm, 0, MOST_MORALE, stops, told)

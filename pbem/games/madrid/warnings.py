"""Warnings of what is legal but unwise (engine/warnings.py)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Order, Side, State
from pbem.engine.warnings import Danger
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.retreat import is_barred, names_of, ways_out
from pbem.games.madrid.rules.supply import cut_roads, sources, supplied_units
from pbem.games.madrid.rules.units import locked_units
from pbem.games.madrid.rules.victory import madrid_falls, roads_are_cut
from pbem.games.madrid.tables import ENEMY
from pbem.messages import Either, Said, say, say_many

Table = State[Position]


def dangers(state: Table, side: Side) -> tuple[Danger, ...]:
    """Units out of supply, units beside enemies without a retreat, undefended ground."""
    position = state.position
    return (*_out_of_supply(position, side), *_cut_off(position, side), *_open(position, side))


def unwise(state: Table, order: Order) -> tuple[Danger, ...]:
    """Nothing: the advice gives the cost of an order."""
    return ()


def _places(position: Position, side: Side) -> list[str]:
    own = (unit for unit, printed in position.board.units.items() if printed.side == side)
    return list(dict.fromkeys(position.places[unit] for unit in own if position.is_on_map(unit)))


def _out_of_supply(position: Position, side: Side) -> Iterator[Danger]:
    supplied = supplied_units(position, side)
    for place in _places(position, side):
        units = [unit for unit in position.units_at(place, side) if unit not in supplied]
        if units:
            told = say_many(
                "number", "{names} in {place} is out of supply",
                "{names} in {place} are out of supply",
                names=names_of(position, units), place=position.called(place), number=len(units),
            )  # fmt: skip
            yield Danger(told, "3.3.4")


def _open(position: Position, side: Side) -> Iterator[Danger]:
    """Areas without a unit that the adjacent enemy can take, if the loss is serious."""
    for area, holder in position.control.items():
        if holder != side or position.units_at(area, side):
            continue
        near = [each for each in position.board.graph.neighbours(area)
                if _may_enter(position, ENEMY[side], each, area)]  # fmt: skip
        costs = list(_price(position, side, area)) if near else []
        if costs:
            words = tuple(told for told, _ in costs)
            enemies = Either(tuple(map(position.called, near)))
            yield Danger(
                say(
                    "{area} has no unit, and the enemy in {enemies} can take it: {words}",
                    area=position.called(area),
                    enemies=enemies,
                    words=words,
                ),
                costs[0][1],
            )


def _may_enter(position: Position, enemy: Side, here: str, area: str) -> bool:
    """Whether units of an adjacent place could enter an empty area."""
    if position.is_bound_by_pause(enemy):
        return False
    there = position.units_at(here, enemy)
    return (
        any(not position.is_gun(unit) and unit not in locked_units(position) for unit in there)
        and position.is_friendly(here, enemy)
        and not is_barred(position, enemy, here, area)
    )


def _price(position: Position, side: Side, area: str) -> Iterator[tuple[Said, str]]:
    """What a side loses with an area, in words, with the rule."""
    taken = position.but(control={**position.control, area: ENEMY[side]})
    for wins, rule in ((madrid_falls, "10.a"), (roads_are_cut, "10.b")):
        if wins(taken) and not wins(position):
            yield say("that would win the game"), rule
            return
    cut, then = set(cut_roads(position)), set(cut_roads(taken))
    for road in position.board.roads:
        if road in cut ^ then:
            name = say(position.board.road_names[road])
            told = say(
                "that would cut the {road}" if road in then else "that would open the {road}",
                road=name,
            )
            yield told, "10.c"
    if area in sources(position, side):
        yield say("it is a supply source"), "3.3.1"
    elif position.board.areas[area].is_urban:
        yield say("it is an urban area"), "2.5"
    if not set(supplied_units(position, side)) <= set(supplied_units(taken, side)):
        yield say("units would be out of supply"), "3.3.4"


def _cut_off(position: Position, side: Side) -> Iterator[Danger]:
    """Units beside enemies in one area with no area or box to retreat to."""
    for place in _places(position, side):
        if not position.has_enemies(place, side):
            continue
        ways = (each for group in ways_out(position, side, place) for each in group)
        if not any(position.room(each, side) for each in ways):
            told = say(
                "units in {place} cannot retreat: they would be eliminated",
                place=position.called(place),
            )
            yield Danger(told, "9.7.d")

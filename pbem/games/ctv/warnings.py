"""Warnings of what is legal but unwise (engine/warnings.py)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial

from pbem.engine.model import Order, Side, State
from pbem.engine.warnings import Danger
from pbem.games.ctv.orders import Attack, Done, Following, Move
from pbem.games.ctv.position import RAIN, Position
from pbem.games.ctv.rules import columns, combat, cover, fate, movement, stacking
from pbem.games.ctv.rules.naming import called, place
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.movement import Marching
from pbem.games.ctv.tables import ENEMY, HEADQUARTERS
from pbem.messages import Said, any_of, marked, say, say_many

Table = State[Position]
Reach = Callable[[str], Collection[str]]
"""The hexes in which a unit could end its move."""


def dangers(state: Table, side: Side) -> tuple[Danger, ...]:
    """Units that will be out of supply, crowded hexes, headquarters and columns without troops,
    objectives that stand open.
    """
    position = state.position.known_to(side)
    if position.result is not None:
        return ()
    if not position.turn:
        return tuple(_overstacked(position, side))
    reach = cache(partial(movement.reachable, position))
    return (
        *_out_of_supply(position, side), *_overstacked(position, side),
        *_alone(position, side), *_columns(position, side, reach),
        *_objectives(position, side, reach),
    )  # fmt: skip


def unwise(state: Table, order: Order) -> tuple[Danger, ...]:
    """An attack on more than it has, a column that does not come, air units that stay at home."""
    order = cover.by_name(state.position, order)
    side = getattr(state.agenda[-1], "side", state.position.active)
    state = State(state.position.known_to(side), state.agenda, state.seq)
    if isinstance(order, Attack):
        return (*_outnumbered(state.position, order), *_crowding(state.position, side, order))
    if isinstance(order, Move):
        return tuple(_no_column(state))
    if isinstance(order, Done):
        return (*_no_column(state), *_idle_air(state))
    return ()


# ------------------------------------------------------------------- dangers


def _named(position: Position, units: tuple[str, ...]) -> tuple[Said, ...]:
    return tuple(called(position, unit) for unit in units)


def _out_of_supply(position: Position, side: Side) -> Iterator[Danger]:
    area, bits = position.judged[side], position.board.masks.bit
    for hex in position.stacks:
        units = position.units_at(hex, side)
        if units and not area & bits[hex]:
            told = say_many(
                "number", "{units} in {place} has no line of supply",
                "{units} in {place} have no line of supply", units=_named(position, units),
                place=place(position, hex), number=len(units),
            )  # fmt: skip
            yield Danger(told, "6.4")


OVERSTACKED = marked(
    "{place} is overstacked, {points} against a limit of {limit}: attack and defence count half "
    "there"
)
WILL_BE_OVERSTACKED = marked(
    "{place} will be overstacked if all of them go there, {points} against a limit of {limit}: "
    "attack and defence count half there"
)


def _overstacked(position: Position, side: Side) -> Iterator[Danger]:
    for hex in position.stacks:
        if stacking.is_overstacked(position, hex, side):
            yield _crowded(position, hex, position.units_at(hex, side), OVERSTACKED)


def _alone(position: Position, side: Side) -> Iterator[Danger]:
    """Headquarters with no troops beside them, where the enemy can attack them."""
    for hex in position.stacks:
        units = position.units_at(hex, side)
        alone = units and all(position.printed(unit).type == HEADQUARTERS for unit in units)
        near = position.board.graph.neighbours(hex)
        if alone and any(position.holder(each) == ENEMY[side] for each in near):
            told = say(
                "{units} in {place} has no troops beside it, and the enemy is next to it: any loss "
                "destroys it", units=_named(position, units), place=place(position, hex),
            )  # fmt: skip
            yield Danger(told, "9.2")


def _columns(position: Position, side: Side, reach: Reach) -> Iterator[Danger]:
    for column in position.columns_on_map(side):
        hex = position.at(column)
        if position.holder(hex) is None and (enemy := _who_can_enter(position, hex, side, reach)):
            told = say(
                "{column} stands alone in {place}, and {enemy} can walk onto it",
                column=called(position, column), place=place(position, hex),
                enemy=called(position, enemy),
            )  # fmt: skip
            yield Danger(told, "9.3")


def _objectives(position: Position, side: Side, reach: Reach) -> Iterator[Danger]:
    for hex in position.board.objectives:
        if position.control[hex] != side or position.holder(hex) is not None:
            continue
        if enemy := _who_can_enter(position, hex, side, reach):
            told = say("{place} is an objective without a unit, and {enemy} can walk in",
                       place=place(position, hex), enemy=called(position, enemy))  # fmt: skip
            yield Danger(told, "14.1")


def _who_can_enter(position: Position, hex: str, side: Side, reach: Reach) -> str:
    """The nearest enemy that could come into a hex in one move as the units stand; empty if none
    can.
    """
    far = {unit: position.board.distance(position.at(unit), hex)
           for unit in position.on_map(ENEMY[side])}  # fmt: skip
    near = (unit for unit in far if far[unit] <= movement.farthest(position, unit))
    by_distance = sorted(near, key=lambda unit: (far[unit], unit))
    return next((unit for unit in by_distance if hex in reach(unit)), "")


# ------------------------------------------------------------------- orders


def _outnumbered(position: Position, order: Attack) -> Iterator[Danger]:
    """As far as is known before anybody bombards."""
    position = fate.as_checked(position, (*order.units, order.hex))
    attackers = combat.still_there(position, order.units)
    if not attackers or not position.units_at(order.hex):
        return
    attack = combat.attack_strength(position, attackers)
    defence = combat.defence_strength(position, order.hex)
    if attack < defence:
        yield Danger(
            say("the attack is below 1:1, {attack} against {defence}, unless the defender is "
                "disorganised first", attack=attack, defence=defence),
            "10.2",
        )  # fmt: skip


def _crowding(position: Position, side: Side, order: Attack) -> Iterator[Danger]:
    """Where those who go on after the dice would be too many, if all of them do."""
    after = combat.emptied(position, order)
    if isinstance(order.breakthrough, Mapping):
        for unit, path in order.breakthrough.items():
            after = after.with_units((unit,), path[-1])
    elif isinstance(order.advance, Following):
        after = after.with_units(order.advance.units, order.hex)
    for hex in sorted(after.stacks):
        will_be = stacking.is_overstacked(after, hex, side)
        if will_be and not stacking.is_overstacked(position, hex, side):
            yield _crowded(after, hex, after.units_at(hex, side), WILL_BE_OVERSTACKED)


def _crowded(position: Position, hex: str, units: Iterable[str], text: str) -> Danger:
    told = say(
        text, place=place(position, hex), points=stacking.points(position, units),
        limit=position.terrain(hex).stacking,
    )  # fmt: skip
    return Danger(told, "5.1")


def _no_column(state: Table) -> Iterator[Danger]:
    """The first move, or the end where none is made, without the column that could have come."""
    stage, position = state.agenda[-1], state.position
    if not isinstance(stage, Marching) or stage.has_column or position.moved:
        return
    if hexes := columns.places_for_column(position, stage.side):
        yield Danger(
            say("the supply column of this turn does not come: it has to be put on the map before "
                "the first move, as in {order}; it may come to {hexes}",
                order="column: {at: HEX}", hexes=any_of(hexes)),
            "9.3",
        )  # fmt: skip


def _idle_air(state: Table) -> Iterator[Danger]:
    """In the last turn an air unit that is not used is of no use any more."""
    stage, position = state.agenda[-1], state.position
    last = position.board.scenarios[position.scenario]["turns"]
    if not isinstance(stage, Fighting) or position.turn < last or position.weather == RAIN:
        return
    idle = tuple(unit for unit in position.air(stage.side) if unit not in position.used)
    if idle:
        told = say_many("number", "{units} is not used, and this is the last turn",
                        "{units} are not used, and this is the last turn",
                        units=_named(position, idle), number=len(idle))  # fmt: skip
        yield Danger(told, "9.4")

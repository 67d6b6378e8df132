"""9.3: how supply columns come into the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.engine.model import Side, Violation
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.orders import Column
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules.asks import Marches
from pbem.games.ctv.rules.naming import place
from pbem.games.ctv.tables import GRID, HEADQUARTERS
from pbem.messages import any_of, say


def next_column(position: Position, side: Side) -> str:
    """The next column of a side that is not on the map; empty if there is none."""
    ground = position.board.ground
    columns = position.board.columns[side]
    free = (each for each in columns if position.places.get(each, "") not in ground)
    return next((each for each in free if each not in position.down.hidden), "")


@CITE.serves("9.3")
def places_for_column(position: Position, side: Side) -> tuple[str, ...]:
    """Where the column of this turn may arrive: with or next to a headquarters in supply, or where
    a road leaves the map on its side's ground; no enemy, no other column.
    """
    return _places(position, side, _guns(position, side))


@CITE.serves("9.3")
def may_come_to(position: Position, side: Side) -> tuple[str, ...]:
    """Where the column of this turn may arrive as far as both know: a covered counter may be a
    headquarters.
    """
    covered = [
        tag
        for tag in position.covered_on_map(side)
        if tag not in position.unsupplied
        and any(position.printed(piece).type == HEADQUARTERS for piece in position.may_be(tag))
    ]
    return _places(position, side, (*_guns(position, side), *covered))


def _guns(position: Position, side: Side) -> Iterator[str]:
    """The headquarters of a side that are in supply."""
    for unit in position.on_map(side):
        if position.printed(unit).type == HEADQUARTERS and unit not in position.unsupplied:
            yield unit


@CITE.serves("9.3")
def _places(position: Position, side: Side, guns: Iterable[str]) -> tuple[str, ...]:
    """The hexes for the column of this turn, beside headquarters or where a road leaves the map."""
    # reading: from turn 2; the ninth is lost; on or next to a supplied headquarters, over a closed
    # side too, or at an exit; before anything moves.
    if position.turn < 2 or not position.board.columns_each_turn(side):
        return ()
    if not next_column(position, side):
        return ()
    near: set[str] = set()
    for unit in guns:
        hex = position.at(unit)
        near.update((hex, *GRID.around(hex)))
    near.update(hex for hex in position.board.exits[side] if position.control[hex] == side)
    return tuple(
        hex
        for hex in position.board.hexes
        if hex in near and position.holder(hex) in (None, side) and not position.columns_at(hex)
    )


@CITE.refusal("9.3")
def arrives_where_it_may(stage: Marches, position: Position, order: Column) -> Iterator[Violation]:
    if not position.board.columns_each_turn(stage.side):
        yield Violation(
            say("your side receives no supply columns after the set-up"), ("at",),
            hint=say("use those that are on the map"),
        )  # fmt: skip
        return
    if stage.has_column:
        yield Violation(
            say("the supply column of this turn has come"), ("at",),
            hint=say("one comes in each turn"),
        )  # fmt: skip
        return
    if position.moved:
        yield Violation(
            say("units have moved already: the column comes first"), ("at",), rule="3.B.2",
            hint=say("write {order} before the first move", order="column: {at: HEX}"),
        )  # fmt: skip
        return
    hexes = places_for_column(position, stage.side)
    if order.at not in hexes:
        why, rule = say("no supply column can come to {hex}", hex=place(position, order.at)), "9.3"
        near = sorted(hexes, key=lambda hex: GRID.distance(hex, order.at))
        hint = say("it may come to {hexes}", hexes=any_of(near))
        if hexes and position.columns_at(order.at):
            why, rule = say("a supply column is in {hex}, and a hex holds one", hex=order.at), "5"
        elif not hexes:
            why = say("no supply column comes in this turn")
            hint = say("one comes in each turn from turn 2, as long as fewer than {number} are on "
                       "the map", number=len(position.board.columns[stage.side]))  # fmt: skip
        yield Violation(why, ("at",), rule=rule, hint=hint)

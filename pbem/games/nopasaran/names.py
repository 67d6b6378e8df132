"""The names a player may write: counters face down by their units in orders, as a file has tags for
them; those of the enemy are told by their hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

from pbem.board.names import Vocabulary
from pbem.engine.model import Order, Side
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.orders import OWN, Activate, Arrange, Assign, Pick
from pbem.games.nopasaran.position import ELSEWHERE, FACE_DOWN, Position
from pbem.games.nopasaran.rules.cover import UNIT_KINDS
from pbem.games.nopasaran.rules.naming import (
    called,
    counters_called,
    formation_called,
    in_list,
    place,
)
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import Said, either, marked, say, words
from pbem.value import value


@value
class CounterNames(Vocabulary):
    """Names of units, formations and hexes, and of counters face down as one side may call them."""

    position: Position | None = None

    def spelt(self, kind: str, name: str) -> str:
        is_counter = _may_be_a_counter(kind, name)
        return words(self.told(kind, name)) if is_counter else super().spelt(kind, name)

    def told(self, kind: str, name: str) -> Said:
        is_counter = _may_be_a_counter(kind, name)
        return self._face_down.get(name, name) if is_counter else super().told(kind, name)

    @cached_property
    def _face_down(self) -> Mapping[str, Said]:
        """What each tag is called, each in another way."""
        return {} if self.position is None else counters_called(self.position)


def _may_be_a_counter(kind: str, name: str) -> bool:
    """Whether a name is a tag where one may stand; a line of a list is named alike."""
    return kind in UNIT_KINDS and is_tag(name)


A_COUNTER = words(say("a counter in {hex}", hex=""))
"""What the name of a counter begins with of which nobody knows what it is. A stack that an order
mixes has such counters for the orders behind it.
"""
BY_NAME: Mapping[Any, frozenset[str]] = {Pick: frozenset({"unit"}), Arrange: frozenset({"tag"})}
"""The orders that name counters of which nobody knows which is which, and what they spell out
beside these."""


def names(position: Position, side: Side, order: type[Order] | None) -> Vocabulary:
    """Units and formations by name or id, hexes by number or name. An order means a side's counters
    face down by their tags; standing orders are about units, however they lie. Counters of which
    this view does not know which is which are named only by who picks what is shown of the enemy,
    and in a stack that is put in another order.
    """
    board, position = position.board, position.veiled(side)
    units = {unit: each.name for unit, each in board.units.items()
             if position.places[unit] != ELSEWHERE}  # fmt: skip
    tags = {face: tag for tag in position.tags_of(side) if (face := position.face(tag))}
    if order is None:
        tags = {}
    aliases = {units[face]: tag for face, tag in tags.items()}
    counters = {unit: name for unit, name in units.items() if unit not in tags}
    counters |= {tag: face for face, tag in tags.items()}
    if order in (Pick, Arrange):
        which = ENEMY[side] if order is Pick else side
        counters |= {tag: words(told) for tag, told in counters_called(position).items()
                     if position.side_of(tag) == which and not position.face(tag)}  # fmt: skip
    formations = {id: each.name for id, each in board.formations.items()}
    # Assignments name a formation, or send back to the own one; so may any order of a whole file.
    goals = {**formations, OWN: ""} if order in (None, Assign) else formations
    ground = position.ground
    hexes = {hex: ground.names.get(hex, "") for hex in ground.hexes}

    return CounterNames(
        position=position,
        unseen="face down",
        elsewhere=partial(_elsewhere, position, side, units),
        is_theirs=lambda id: order is not Pick and board.owners.get(id) == ENEMY[side],
        such_as={"hex": say("a hex such as G13")},
        takes=partial(_takes, position),
        may_come=lambda kind, written: order is Arrange and written.startswith(A_COUNTER),
        aliases=dict.fromkeys(UNIT_KINDS, aliases),
        by_name=BY_NAME.get(order, frozenset()),
        printed={
            marked("unit"): counters,
            marked("formation"): goals,
            marked("member"): {**formations, **counters},
            marked("hex"): hexes,
            marked("bridge"): {id: each.name for id, each in ground.bridges.items()},
            marked("aircraft"): dict.fromkeys(position.plain.get("air_units", ()), ""),
        },
    )


def _takes(position: Position, kind: type, name: str, written: str) -> bool:
    """Whether a formation is such a one as a field of an activation names: a division or a combat
    formation.
    """
    formation = position.board.formations.get(written)
    return kind is not Activate or formation is None or formation.level == name


def _elsewhere(
    position: Position, side: Side, units: Mapping[str, str], kind: str, written: str
) -> tuple[Said, Said] | None:
    """The message and hint where one thing is written in place of another: a unit in place of a
    hex, a formation or an aircraft in place of a unit.
    """
    board = position.board
    if kind == "unit" and written in position.plain.get("air_units", ()):
        told = say("{unit} is an aircraft, and not a unit", unit=called(position, written))
        return told, say("aircraft are named in the field 'air' of an attack, a defence or a "
                         "bombardment")  # fmt: skip
    if kind == "hex" and written in board.formations:
        told = say("{formation} is a formation, and not a hex",
                   formation=formation_called(position, written))  # fmt: skip
        return told, say("name a hex")
    if kind == "unit" and written in board.formations:
        told = say("{formation} is a formation, and not a unit",
                   formation=formation_called(position, written))  # fmt: skip
        headquarters = board.formations[written].headquarters
        if not headquarters:
            return told, say("name its units")
        return told, say("name its units; its headquarters is {unit}", unit=headquarters)
    if kind == "unit" and (hex := written.upper()) in position.ground.hexes:
        told = say("{hex} is a hex, and not a unit", hex=place(position, hex))
        there = [unit for unit in position.stacks.get(hex, ()) if unit in units]
        if not there:
            return told, say("name a unit")
        return told, say("name a unit; there stand {units}", units=in_list(there))
    if kind == "aircraft" and written in units:
        own = tuple(id for id in position.plain.get("air_units", ()) if board.owners[id] == side)
        told = say("{unit} is a unit, and no aircraft", unit=called(position, written))
        return told, say("it may be {names}", names=either(own)) if own else ""
    return _in_place_of_a_hex(position, written) if kind == "hex" and written in units else None


def _in_place_of_a_hex(position: Position, written: str) -> tuple[Said, Said]:
    """The message and hint where a unit is written in place of a hex: where it is, if this view
    knows that.
    """
    unit = called(position, written)
    if hex := position.at(position.down.tag(written, position.hexes)):
        told = say("{unit} is a unit, and in {hex}", unit=unit, hex=place(position, hex))
    elif position.places[written] == FACE_DOWN:
        told = say("{unit} is a unit that lies face down: only its player knows where", unit=unit)
    else:
        told = say("{unit} is a unit, and not on the map", unit=unit)
    return told, say("name a hex")

"""How units and hexes are called in messages."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.model import Violation
from pbem.games.ctv.position import Position
from pbem.games.ctv.tables import COLUMN
from pbem.messages import Row, Said, say

MODIFIERS = {
    "trench": say("trench"), "concentric": say("concentric attack"),
    "below": say("worse than the first column"),
}  # fmt: skip
"""What changes a combat die, in words."""
GROUND = {
    "clear": say("clear ground"), "city": say("city"), "hill": say("hills"),
    "mountain": say("mountains"),
}  # fmt: skip
"""The kinds of ground in words."""


def title(position: Position, unit: str) -> Said:
    """The name of a unit; of a supply column, its number."""
    printed = position.printed(unit)
    if printed.type == COLUMN:
        return say("supply column {number}", number=int(unit.rpartition("-")[2]))
    return say(printed.name)


def called(position: Position, unit: str) -> Said:
    """A unit by name and id, as orders may name it."""
    return say("{name} ({unit})", name=title(position, unit), unit=unit)


def place(position: Position, hex: str) -> Said:
    """A hex by its number, and its name if it has one."""
    name = position.board.names.get(hex)
    return say("{name} ({hex})", name=name, hex=hex) if name else hex


def named_twice(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an order that names a unit again, at the place of the second one."""
    return Violation(
        say("{unit} is named twice", unit=called(position, unit)), path,
        hint=say("name each unit once"),
    )  # fmt: skip


def in_list(names: Iterable[Said]) -> Row:
    """Names with commas between them."""
    return Row(tuple(names), ", ")

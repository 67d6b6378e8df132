"""How units, aircraft, formations and hexes are called in messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.engine.mentions import named_in
from pbem.engine.model import Order, Violation
from pbem.engine.rules import Predicate, checks
from pbem.games.nopasaran.orders import NONE, OWN
from pbem.games.nopasaran.position import ELSEWHERE, Position
from pbem.messages import Row, Said, a_few, marked, say

HALVES = 2
GROUND = {
    "clear": say("clear ground"), "woods": say("woods"), "heavy_woods": say("heavy woods"),
    "town": say("a town"), "city": say("a city"), "madrid": say("Madrid"),
}  # fmt: skip
"""The kinds of ground in words."""
BETWEEN = {
    "river": say("a river without a bridge"), "supported_river": say("a river"),
    "bridge": say("a bridge"), "damaged_bridge": say("a damaged bridge"),
    "pontoon": say("a pontoon bridge"), "slope_up": say("a slope"),
    "slope_down": say("a slope"), "steep_up": say("a steep slope"),
    "steep_down": say("a steep slope"),
}  # fmt: skip
"""What lies between hexes, in words."""
LEVELS = {
    "normal": say("normal supply"), "reduced": say("reduced supply"),
    "minimum": say("minimum supply"), "without": say("no supply"),
}  # fmt: skip
TYPES = {
    "mobile": marked("mobile"), "regular": marked("regular"), "prepared": marked("prepared"),
    "improvised": marked("improvised"),
}  # fmt: skip


def points_told(halves: int) -> str:
    """Half points in figures: 1.5."""
    return f"{halves // HALVES}.5" if halves % HALVES else str(halves // HALVES)


def called(position: Position, unit: str) -> Said:
    """A unit or an air unit by name and id, as orders may name it."""
    if unit in position.board.air:
        return say("{name} ({unit})", name=say(position.board.air[unit].model), unit=unit)
    return say("{name} ({unit})", name=say(position.printed(unit).name), unit=unit)


def formation_called(position: Position, formation: str) -> Said:
    """A formation by name and id."""
    each = position.formation(formation)
    return say("{name} ({formation})", name=say(each.name), formation=formation)


def place(position: Position, hex: str) -> Said:
    """A hex by its number, and its name if it has one."""
    name = position.ground.names.get(hex)
    return say("{name} ({hex})", name=name, hex=hex) if name else hex


MOST_NAMED = 12
"""As many units as a hex may hold are all named."""


def in_list(names: Iterable[Said]) -> Row | Said:
    """Names with commas between them; of very many the first few."""
    listed = tuple(names)
    return Row(listed, ", ") if len(listed) <= MOST_NAMED else a_few(listed)


def units_in_list(position: Position, units: Iterable[str]) -> Row | Said:
    """Units with commas between them."""
    return in_list(called(position, unit) for unit in units)


def names_what_there_is(stage: object, position: Position, order: Order) -> Iterator[Violation]:
    """Units, hexes and formations of this battle. What the other player's program has signed may
    name anything.
    """
    board, ground = position.board, position.ground
    units = {unit for unit, place in position.places.items() if place != ELSEWHERE}
    known = {
        "unit": units, "aircraft": {*position.plain.get("air_units", ())},
        "formation": {*board.formations, OWN}, "hex": {*ground.hexes, NONE},
        "bridge": {*ground.bridges}, "target": {*ground.hexes, *units},
        "member": {*units, *board.formations},
    }  # fmt: skip
    messages = {
        "unit": "there is no unit {name} in this battle",
        "aircraft": "there is no air unit {name} in this battle",
        "formation": "there is no formation {name}", "hex": "there is no hex {name}",
        "bridge": "there is no bridge {name}", "target": "there is no hex or unit {name}",
        "member": "there is no unit or formation {name}",
    }  # fmt: skip
    for each in named_in(order):
        if each.name not in known[each.kind]:
            yield Violation(say(messages[each.kind], name=repr(each.name)), each.at,
                            is_key=each.is_key)  # fmt: skip


def judged_by(*rows: tuple[Predicate, ...]) -> Predicate:
    """The check of an order: that what it names exists, then these rows, as `checks` has them."""
    return checks((names_what_there_is,), *rows)


def named_twice(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an order that names a unit again, at the place of the second one."""
    return Violation(
        say("{unit} is named twice", unit=called(position, unit)), path,
        hint=say("name each unit once"),
    )  # fmt: skip

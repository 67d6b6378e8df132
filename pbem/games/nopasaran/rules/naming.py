"""How units, aircraft, formations and hexes are called in messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from pbem.engine.mentions import FILE_OF_THE_OTHER, named_in, of_the_enemy
from pbem.engine.model import Order, Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import OWN, Assign
from pbem.games.nopasaran.position import COMING, ELIMINATED, ELSEWHERE, FACE_DOWN, Position
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.tables import ENEMY, PEOPLE
from pbem.messages import (
    Message,
    Row,
    Said,
    WrittenNumber,
    a_few,
    all_of,
    any_of,
    marked,
    say,
    say_many,
)
from pbem.value import replace

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
TYPE_WORDS = {
    "infantry": say("infantry"), "cavalry": say("cavalry"), "tank": say("tanks"),
    "armour": say("armour"), "artillery": say("guns"), "antitank": say("antitank guns"),
    "antiaircraft": say("antiaircraft guns"), "engineer": say("engineers"),
    "railway_engineer": say("railway engineers"), "pontoon": say("pontoons"),
    "headquarters": say("headquarters"), "bomber": say("bomber"),
    "fighter_bomber": say("fighter bomber"), "reconnaissance": say("reconnaissance aircraft"),
}  # fmt: skip
"""The types of units and aircraft in words."""
TYPES = {
    "mobile": marked("mobile"), "regular": marked("regular"), "prepared": marked("prepared"),
    "improvised": marked("improvised"),
}  # fmt: skip


def points_told(halves: int) -> WrittenNumber:
    """Half points in figures: 1.5."""
    written = f"{halves // HALVES}.5" if halves % HALVES else str(halves // HALVES)
    return WrittenNumber(written, 1 if halves == HALVES else 2)


def troop_points(points: int) -> Message:
    """Troop points in words."""
    return say_many("points", "{points} troop point", "{points} troop points", points=points)


def called(position: Position, unit: str) -> Said:
    """A unit or an air unit by name and id, as orders may name it; a counter face down by where it
    lies, where this view does not know it.
    """
    if is_tag(unit):
        unit = position.face(unit) or unit
        if is_tag(unit):
            return say("a counter in {hex}", hex=place(position, position.at(unit)))
    if unit in position.board.air:
        return say("{name} ({unit})", name=say(position.board.air[unit].model), unit=unit)
    return say("{name} ({unit})", name=say(position.printed(unit).name), unit=unit)


def counters_called(position: Position) -> Mapping[str, Said]:
    """What each counter face down is called, each in another way."""
    return position.down.told(position.hexes, lambda tag: called(position, tag))


def formation_called(position: Position, formation: str) -> Said:
    """A formation by name and id."""
    each = position.formation(formation)
    return say("{name} ({formation})", name=say(each.name), formation=formation)


def place(position: Position, hex: str) -> Said:
    """A hex by its number, and its name if it has one."""
    name = position.ground.names.get(hex)
    return say("{name} ({hex})", name=name, hex=hex) if name else hex


def works_called(position: Position, at: str) -> Said:
    """A bridge by its name, or a hex, at which engineers work."""
    bridge = position.ground.bridges.get(at)
    return say(bridge.name) if bridge else place(position, at)


WHY_OFF_MAP = {
    ELIMINATED: say("it is eliminated"),
    COMING: say("bring it with `arrive` first, if its day has come"),
}  # fmt: skip
"""Why a unit is in no hex, by where it is instead, or how it comes."""


def not_on_map(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an order that names a unit which is in no hex, at its place."""
    return Violation(
        say("{unit} is not on the map", unit=called(position, unit)), path,
        hint=WHY_OFF_MAP.get(position.away.get(unit, ""), say("name units on the map")),
    )  # fmt: skip


MOST_NAMED = 12
"""As many units as a hex may hold are all named."""


def in_list(names: Iterable[Said]) -> Row | Said:
    """Names with commas between them; of very many the first few."""
    listed = tuple(names)
    return Row(listed, ", ") if len(listed) <= MOST_NAMED else a_few(listed)


def units_in_list(position: Position, units: Iterable[str]) -> Row | Said:
    """Units with commas between them."""
    return in_list(called(position, unit) for unit in units)


def any_in_list(names: Iterable[Said]) -> Said:
    """Names of which one is meant; of very many the first few."""
    return any_of(tuple(names), MOST_NAMED)


def any_unit(position: Position, units: Iterable[str]) -> Said:
    """Units of which one is meant."""
    return any_in_list(called(position, unit) for unit in units)


def all_in_list(names: Iterable[Said]) -> Said:
    """Names that are all meant; of very many the first few."""
    return all_of(tuple(names), MOST_NAMED)


def every_unit(position: Position, units: Iterable[str]) -> Said:
    """Units that are all meant."""
    return all_in_list(called(position, unit) for unit in units)


KINDS = ("unit", "aircraft", "formation", "member")
"""The kinds of names of which an order names its author's alone; a target may be the enemy's."""
BY_RULE = {
    "set_up": "2.6",
    "assign": "6.6", "fly": "5.2.1", "activate": "5.4.1", "move": "10.p6", "attack": "12.1",
    "bombard": "11.2", "scout": "21", "consolidate": "19.2", "engineer": "20", "arrive": "19.1",
    "arrange": "8.p6", "withdraw": "12.2", "defend": "12.4", "lead": "12.5",
    "counterbattery": "11.3", "react": "21.2", "retreat": "14", "advance": "12.3.2",
    "again": "12.3.1", "displace": "8.p3",
}  # fmt: skip
"""The rule by which an order of each verb is about units of one's own."""


@CITE.rule("10.p6")
def names_its_own(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
    return names_of_the_enemy(position, stage.side, order)


@CITE.refusal("10.p6")
def names_of_the_enemy(position: Position, side: Side, order: Order) -> Iterator[Violation]:
    """The fault of an order of a side that names the enemy's as its own."""
    board, enemy = position.board, ENEMY[side]
    named = tuple(each for each in named_in(order) if each.kind in KINDS)
    theirs = tuple(each for each in named if board.owners.get(each.name) == enemy)
    if theirs:
        is_file = len(theirs) == len(named) > 1
        theirs = tuple(each for each in theirs if each.name not in board.formations) or theirs[:1]
        first = theirs[0].name
        told = formation_called if first in board.formations else called
        fault = of_the_enemy(theirs, len(named), told(position, first), PEOPLE[side],
                             PEOPLE[enemy], hint=FILE_OF_THE_OTHER if is_file else "")  # fmt: skip
        yield replace(fault, rule=BY_RULE.get(order.verb, ""))


def _is_unit(position: Position, name: str) -> bool:
    return position.places.get(name, ELSEWHERE) != ELSEWHERE


IS_KNOWN: Mapping[str, Callable[[Position, str], bool]] = {
    "unit": _is_unit,
    "aircraft": lambda position, name: name in position.plain.get("air_units", ()),
    "formation": lambda position, name: name in position.board.formations,
    "hex": lambda position, name: name in position.ground,
    "bridge": lambda position, name: name in position.ground.bridges,
    "member": lambda position, name: _is_unit(position, name) or name in position.board.formations,
}
"""Whether there is what a name of each kind means."""
UNKNOWN = {
    "unit": marked("there is no unit {name} in this battle"),
    "aircraft": marked("there is no air unit {name} in this battle"),
    "formation": marked("there is no formation {name}"),
    "hex": marked("there is no hex {name}"),
    "bridge": marked("there is no bridge {name}"),
    "member": marked("there is no unit or formation {name}"),
}
"""What is said of one of which there is nothing."""
NO_COUNTER = say("there is no such counter face down")


def names_what_there_is(stage: object, position: Position, order: Order) -> Iterator[Violation]:
    """Units, hexes and formations of this battle. What the other player's program has signed may
    name anything.
    """
    for each in named_in(order):
        if isinstance(order, Assign) and not each.is_key and each.name == OWN:
            continue  # back to its own formation
        if not IS_KNOWN[each.kind](position, each.name):
            told = NO_COUNTER if is_tag(each.name) else (
                say(UNKNOWN[each.kind], name=repr(each.name))
            )  # fmt: skip
            yield Violation(told, each.at, is_key=each.is_key)


@CITE.refusal("2.6")
def names_nobody_mixed(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
    """None of the units that were mixed today: which of the counters they are nobody knows yet."""
    if not position.mixed:
        return
    there = {unit for tag in position.mixed for unit in position.may_be(tag)}
    for each in named_in(order):
        if each.name in there and position.away.get(each.name) == FACE_DOWN:
            yield Violation(
                say("{unit} was mixed with others today: until the evening nobody knows which "
                    "counter it is", unit=called(position, each.name)),
                each.at, is_key=each.is_key, hint=say("mix after its orders, or in other hexes"),
            )  # fmt: skip


@CITE.serves("2.6")
def mixed_today(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of a unit that was mixed with others earlier today."""
    told = say("{unit} was mixed with others today, and does nothing more",
               unit=called(position, unit))  # fmt: skip
    hint = say("mix counters when they have acted; tomorrow they act again")
    return Violation(told, path, rule="2.6", hint=hint)


def named_twice(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an order that names a unit again, at the place of the second one."""
    return Violation(
        say("{unit} is named twice", unit=called(position, unit)), path,
        hint=say("name each unit once"),
    )  # fmt: skip

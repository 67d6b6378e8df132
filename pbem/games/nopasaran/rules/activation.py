"""5.3 to 5.5: initiative, and who acts in an activation."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import Activate
from pbem.games.nopasaran.position import COMING, Position
from pbem.games.nopasaran.rules import command, zones
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import called, formation_called, in_list, mixed_today
from pbem.games.nopasaran.tables import DIVISION, ENEMY, FORMATION
from pbem.messages import say

Tags = tuple[str, ...]


NEVER: tuple[int, tuple[str, ...]] = (0, ())
"""The arrival of a unit that comes from nowhere."""


@CITE.rule("5.3.1")
def bonus(position: Position, side: Side) -> int:
    """What the successes of the last activation add to a die for initiative."""
    return position.successes.get(side, 0)


@CITE.rule("5.6.4")
def comes_today(position: Position, unit: str) -> bool:
    """Whether a reinforcement may enter: its day has come (19.1)."""
    return position.places[unit] == COMING and arrival_of(position, unit)[0] <= position.day


def arrival_of(position: Position, unit: str) -> tuple[int, tuple[str, ...]]:
    """The day and the entry hexes of a reinforcement; no hexes for any other unit."""
    for each in position.plain.get("reinforcements", ()):
        if unit in each["units"]:
            return each["turn"], tuple(each["entry"])
    return NEVER


@CITE.rule("5.5.p3")
def is_ready(position: Position, unit: str) -> bool:
    """Whether a unit could still act today: on the map, or about to enter, and not finished."""
    return unit not in position.acted and (bool(position.at(unit)) or comes_today(position, unit))


def _may_act(position: Position, side: Side, formations: Collection[str]) -> dict[str, Tags]:
    """By tag the units of some formations that each counter face down may be that has not acted
    today, as both players know.
    """
    found: dict[str, Tags] = {}
    for tag in position.tags_of(side):
        if tag not in position.acted:
            units = tuple(unit for unit in position.may_be(tag)
                          if position.commander_of(tag, unit) in formations)  # fmt: skip
            if units:
                found[tag] = units
    return found


def may_act_with(
    position: Position, side: Side, name: str, *, is_division: bool
) -> dict[str, Tags]:
    """By tag the units that a counter face down may be and that act when a division, a formation or
    a counter of support troops is activated.
    """
    if is_tag(name):
        troops = tuple(unit for unit in position.may_be(name) if _acts_alone(position, name, unit))
        return {name: troops}
    if name in position.board.units:
        return {}
    if not is_division:
        return _may_act(position, side, (name,))
    return {
        tag: able
        for tag, units in _may_act(position, side, position.parts(name)).items()
        if (able := tuple(unit for unit in units if _in_command_at(position, tag, unit)))
    }


def _in_command_at(position: Position, tag: str, unit: str) -> bool:
    """Whether a unit would be in command where a counter lies."""
    there = position.supposing(tag, unit) if is_tag(tag) else position
    return command.in_command(there, unit)


def who_acts_in(position: Position, unit: str, order: Activate) -> Tags:
    """Of the units that a counter may be those that act when something is activated."""
    if order.unit:
        return tuple(piece for piece in position.may_be(unit)
                     if unit == order.unit and _acts_alone(position, unit, piece))  # fmt: skip
    formations = position.parts(order.division) if order.division else (order.formation,)
    return tuple(
        piece
        for piece in position.may_be(unit)
        if position.commander_of(unit, piece) in formations
        and (not order.division or _in_command_at(position, unit, piece))
    )


@CITE.serves("3.2.p3")
def acts_with(position: Position, unit: str, tag: str = "") -> str:
    """The combat formation of a unit, or of one under a tag: of support troops that are not
    assigned, and of a headquarters above the combat formations, the unit itself; so, too, of a
    counter face down that this view does not know.
    """
    formation = position.commander_of(tag, unit)
    acts_in_one = bool(formation) and position.formation(formation).level == FORMATION
    return formation if acts_in_one else unit


def _acts_alone(position: Position, tag: str, unit: str) -> bool:
    return acts_with(position, unit, tag) == unit


def own_command(position: Position, unit: str) -> bool:
    """Whether a unit is within the command of its formation, or still to come."""
    return command.in_command(position, unit)


@CITE.rule("5.4.1.2", "3.2.p3")
def of_formation(position: Position, formation: str) -> tuple[str, ...]:
    """The units that act when a formation is activated; support troops each by themselves."""
    return tuple(_ready_in(position, formation))


@CITE.serves("5.4.1.2")
def _ready_in(position: Position, formation: str) -> Iterator[str]:
    # reading: units out of command of their formation act with it, with less supply.
    return (unit for unit in position.members(formation) if is_ready(position, unit))


@CITE.rule("5.4.1.1")
def of_division(position: Position, division: str) -> tuple[str, ...]:
    """The units that act when a division is activated: those of its formations and support troops,
    and its headquarters, that are in command.
    """
    return tuple(_ready_in_division(position, division))


@CITE.serves("5.4.1.1")
def _ready_in_division(position: Position, division: str) -> Iterator[str]:
    return (
        unit
        for formation in position.parts(division)
        for unit in _ready_in(position, formation)
        if own_command(position, unit)
    )


@CITE.serves("5.4.1")
def can_activate_division(position: Position, id: str) -> bool:
    """Whether a division could be activated now: in command, with units that are ready (6.4)."""
    # reading: 5.4.1.1, a division is activated again as long as each activation brings an action,
    # be it only a bombardment; one that brings none is its last of the day.
    each = position.formation(id)
    return (
        each.level == DIVISION
        and id not in position.idle
        and bool(position.at(each.headquarters))
        and command.in_command(position, each.headquarters)
        and (
            any(_ready_in_division(position, id))
            or bool(_may_act(position, each.side, position.parts(id)))
        )
    )


@CITE.serves("5.4.1")
def can_activate_formation(position: Position, id: str) -> bool:
    """Whether a combat formation could be activated now."""
    # reading: a formation activates once a day; what was held back acts with its division.
    each = position.formation(id)
    return (
        each.level == FORMATION
        and id not in position.activated
        and (any(_ready_in(position, id)) or bool(_may_act(position, each.side, (id,))))
    )


@CITE.serves("3.2.p3")
def can_activate_unit(position: Position, unit: str) -> bool:
    """Whether a unit of support troops could be activated by itself now, or a headquarters of a
    corps or a division.
    """
    # reading: every unit of support troops that is not assigned is a formation of its own, and so
    # is the headquarters of a corps or a division.
    return (
        unit not in position.activated
        and any(_acts_alone(position, unit, piece) for piece in position.may_be(unit))
        and is_ready(position, unit)
    )


def divisions(position: Position, side: Side) -> tuple[str, ...]:
    """The divisions of a side that could be activated now."""
    return tuple(
        id for id in position.board.formations_of[side] if can_activate_division(position, id)
    )


def formations(position: Position, side: Side) -> tuple[str, ...]:
    """The combat formations of a side that could be activated now."""
    return tuple(
        id for id in position.board.formations_of[side] if can_activate_formation(position, id)
    )


def single_units(position: Position, side: Side) -> tuple[str, ...]:
    """The units of a side that could be activated by themselves now."""
    units = (*position.board.units_of[side], *position.tags_of(side))
    return tuple(unit for unit in units if can_activate_unit(position, unit))


@CITE.rule("5.3")
def has_more_to_do(position: Position, side: Side) -> bool:
    """Whether a side could still activate anything today."""
    board = position.board
    return side not in position.finished and (
        any(can_activate_formation(position, id) for id in board.formations_of[side])
        or any(can_activate_unit(position, unit) for unit in board.units_of[side])
        or any(can_activate_unit(position, tag) for tag in position.tags_of(side))
        or any(can_activate_division(position, id) for id in board.formations_of[side])
    )


@CITE.check("5.4.1")
def activates_one_thing(stage: OfASide, position: Position, order: Activate) -> Iterator[Violation]:
    named = [name for name in (order.division, order.formation, order.unit) if name]
    if len(named) != 1:
        yield Violation(
            say("name one thing to activate"), (),
            hint=say("division: NAME, formation: NAME, or unit: NAME for support troops"),
        )  # fmt: skip


@CITE.refusal("5.4.1")
def says_who_acts(stage: OfASide, position: Position, order: Activate) -> Iterator[Violation]:
    """Who is said to act in it does: an audit holds its author to that."""
    if order.acts and not who_acts_in(position, order.acts, order):
        yield Violation(
            say("{unit} does not act in it", unit=called(position, order.acts)), ("acts",),
            hint=say("leave it out: the program writes it"),
        )  # fmt: skip


@CITE.refusal("5.4.1")
def activates_what_is_ready(
    stage: OfASide, position: Position, order: Activate
) -> Iterator[Violation]:
    for name, path, can_activate, able in (
        (order.division, "division", can_activate_division, divisions),
        (order.formation, "formation", can_activate_formation, formations),
        (order.unit, "unit", can_activate_unit, single_units),
    ):
        if name and not can_activate(position, name):
            yield _why_not(position, name, path, able(position, stage.side))


def _why_not(position: Position, name: str, path: str, able: tuple[str, ...]) -> Violation:
    call = called if path == "unit" else formation_called
    names = in_list(call(position, each) for each in able)
    hint = say("it may be {names}", names=names) if able else say("none can be activated")
    if path == "unit":
        own = position.commander(name)
        if own and position.formation(own).level == FORMATION:
            return Violation(
                say("{unit} acts with {formation}", unit=called(position, name),
                    formation=formation_called(position, own)),
                (path,), hint=say("formation: {formation}", formation=own),
            )  # fmt: skip
        unit = called(position, name)
        if name in position.activated:
            return Violation(say("{unit} has been activated today", unit=unit), (path,),
                             rule="5.5.p6", hint=hint)  # fmt: skip
        if name in position.mixed:
            return mixed_today(position, name, (path,))
        if name in position.acted:
            return Violation(say("{unit} has acted today", unit=unit), (path,), rule="5.5",
                             hint=hint)  # fmt: skip
        return Violation(
            say("{unit} cannot be activated by itself now", unit=unit), (path,), hint=hint,
        )  # fmt: skip
    each = position.formation(name)
    headquarters = position.headquarters_of(name)
    told = formation_called(position, name)
    if each.is_troops:
        return Violation(
            say("{formation} are support troops, each unit by itself", formation=told), (path,),
            hint=say("unit: NAME"),
        )  # fmt: skip
    if each.level != path and each.level in (DIVISION, FORMATION):
        return Violation(
            say("{formation} is a division", formation=told) if each.level == DIVISION
            else say("{formation} is a combat formation", formation=told),
            (path,), hint=say("{word}: {formation}", word=each.level, formation=name),
        )  # fmt: skip
    if path == "division" and not command.in_command(position, headquarters):
        return Violation(say("the headquarters of {formation} is out of command", formation=told),
                         (path,), rule="6.4", hint=hint)  # fmt: skip
    if path == "division" and name in position.idle:
        return Violation(
            say("{formation} has been activated today and has done nothing", formation=told),
            (path,), rule="5.4.1.1", hint=hint,
        )  # fmt: skip
    if name in position.activated:
        return Violation(say("{formation} has been activated today", formation=told), (path,),
                         rule="5.5.p6", hint=hint)  # fmt: skip
    parts = position.parts(name) if path == "division" else (name,)
    here = [unit for part in parts for unit in position.members(part) if position.at(unit)]
    if here and position.acted.issuperset(here):
        return Violation(
            say("all units of {formation} have acted today, or were mixed", formation=told)
            if position.mixed.intersection(here)
            else say("all units of {formation} have acted today", formation=told),
            (path,), rule="5.5", hint=hint,
        )  # fmt: skip
    return Violation(say("{formation} has no units that could act", formation=told), (path,),
                     hint=hint)  # fmt: skip


@CITE.refusal("5.5.p6")
def activated_for_good(position: Position, side: Side, order: Activate) -> Iterator[Violation]:
    """A formation or a unit that can be activated no more today, whatever dice bring, for it has
    been. A division may have held units back.
    """
    for name, path, able in (
        (order.formation, "formation", formations), (order.unit, "unit", single_units),
    ):  # fmt: skip
        if name in position.activated:
            yield _why_not(position, name, path, able(position, side))


def in_zones(position: Position, side: Side) -> tuple[str, ...]:
    """The units of a side that are in an enemy zone now."""
    reached = zones.zones(position)[ENEMY[side]]
    units = (*position.on_map(side), *position.tags_of(side))
    return tuple(unit for unit in units if position.at(unit) in reached)

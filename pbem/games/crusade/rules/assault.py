"""16.1.4: assaults on sieges."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.mentions import in_turn
from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Assault
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import Attacking
from pbem.games.crusade.rules.attack import ready_units
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import say


def siege_in(position: Position, space: str) -> str:
    """The current siege in a space, or empty."""
    return next(
        (siege for siege in position.sieges if position.tables.siege_spaces[siege] == space), ""
    )


def assailable_sieges(stage: Attacking, position: Position) -> dict[str, tuple[str, ...]]:
    """Activated spaces with a siege not yet assaulted this round, and the units ready there."""
    if stage.side != REPUBLICAN:
        return {}
    return {
        space: units
        for space in stage.marked
        if siege_in(position, space)
        and space not in stage.struck
        and (units := ready_units(stage, position, space))
    }


@CITE.rule("16.1.4.2", "17.5.2")
def assault_drm(position: Position, units: tuple[str, ...]) -> int:
    """The modifier of the die: against the assault in turn 1, for it with enough units."""
    rules = position.tables.tables["siege_assault"]
    corps = sum(position.type_of(unit).is_corps for unit in units)
    strong = len(units) >= rules["strong_divisions"] or corps >= rules["strong_corps"]
    first_turn = rules["drm_turn_1"] if position.turn == 1 else 0
    return int(first_turn + (rules["drm_strong"] if strong else 0))


@CITE.check("16.1.4.1")
def names_siege_and_units(stage: object, position: Position, order: Assault) -> Iterator[Violation]:
    """An assault names a current siege and units of its space, each once."""
    if not position.is_open_for_play(order.space):
        yield position.not_there(order.space, "space")
    elif not siege_in(position, order.space):
        yield Violation(
            say("there is no siege in {space}", space=position.space(order.space).name),
            at=("space",),
            hint=say("to fight an enemy in another space, attack it"),
        )
    if not order.units:
        yield Violation(say("an assault needs at least one unit"), at=("units",))
    for place, unit, is_again in in_turn(order.units):
        if unit not in position.counters:
            yield Violation(say("no unit is named {unit}", unit=repr(unit)), at=("units", place))
        elif is_again:
            yield Violation(say("{unit} is named twice", unit=unit), at=("units", place))


@CITE.check("16.1.4")
def assailants_are_ready(
    stage: Attacking, position: Position, order: Assault
) -> Iterator[Violation]:
    """Republican units of the activated space assault it, each once a round, the siege once."""
    name = position.space(order.space).name
    if stage.side != REPUBLICAN:
        yield Violation(say("only the Republic may assault sieges"), at=("space",))
        return
    if order.space not in stage.marked:
        yield Violation(
            say("{name} is not activated for combat", name=name), at=("space",), rule="16.1.4.1"
        )
    if order.space in stage.struck:
        yield Violation(
            say("the siege in {name} has already been assaulted this round", name=name),
            at=("space",),
            rule="11.1.5",
        )
    ready = ready_units(stage, position, order.space)
    for place, unit in enumerate(order.units):
        if position.place_of(unit) != order.space:
            listed = ", ".join(ready)
            yield Violation(
                say("{unit} is not one of your units in {name}", unit=unit, name=name),
                at=("units", place),
                rule="16.1.4.1",
                hint=say("ready to attack from {name}: {listed}", name=name, listed=listed)
                if listed
                else "",
            )
        elif unit in stage.fought:
            yield Violation(
                say("{unit} has already fought this round", unit=unit),
                at=("units", place),
                rule="11.1.5",
            )


ASSAULT_CHECKS = ((names_siege_and_units,), (assailants_are_ready,))

"""What happens to units: losses and morale, headquarters that go back, control of hexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbem.engine.model import Side, Unfolding
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import SUPPORTED_RIVER
from pbem.games.nopasaran.position import HELP, Position, Task
from pbem.games.nopasaran.rules import command, factors, retreat, ways, zones
from pbem.games.nopasaran.tables import ENEMY, ENGINEERS, SUPPLY

MINIMUM = SUPPLY.index("minimum")


@CITE.serves("13")
def takes_part(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of units that losses can fall on: all that are left but headquarters."""
    return tuple(
        unit for unit in units if position.at(unit) and not position.printed(unit).is_headquarters
    )


@CITE.rule("16")
def must_check(position: Position, unit: str) -> bool:
    """Whether a unit that has just lost points checks its morale: it is left, not demoralised yet,
    neither guns nor engineers nor a headquarters, and has lost as many as its effectiveness bears.
    """
    # reading: a unit checks again with each further loss; demoralisation is for good.
    printed = position.printed(unit)
    if (
        not position.at(unit)
        or unit in position.demoralised
        or printed.is_headquarters
        or printed.is_battery
        or printed.type in ENGINEERS
    ):
        return False
    return bool(morale_limit(position, unit))


def morale_limit(position: Position, unit: str) -> int:
    """The highest modified die at which a unit holds; 0 if it need not check."""
    return position.board.morale_limit(
        factors.effectiveness(position, unit), position.lost.get(unit, 0)
    )


@CITE.rule("16.1")
def morale_modifier(position: Position, unit: str) -> int:
    """What shelter and supply do to the die of a check: of ground and works the better one counts,
    minimum supply and none are worse.
    """
    # reading: the modifiers of ground and works do not add up; the better one counts.
    hex = position.at(unit)
    works = position.works_at(hex)
    shelter = position.terrain(hex).morale
    if works:
        shelter = min(shelter, works.morale)
    level = SUPPLY.index(command.level_of(position, unit).id)
    return shelter + (position.board.charts["demoralisation"]["supply"] if level >= MINIMUM else 0)


@CITE.rule("16.2")
def check_morale(story: Unfolding[Position], unit: str, die: int) -> None:
    """A unit checks its morale."""
    position = story.position
    modified = die + morale_modifier(position, unit)
    story.happen(e.MoraleChecked(unit, die, modified, morale_limit(position, unit)))


@CITE.serves("17.2")
def drive_headquarters(story: Unfolding[Position], units: Iterable[str]) -> None:
    """Headquarters are disorganised and go back; they are never eliminated."""
    for unit in units:
        position = story.position
        if not position.at(unit):
            continue
        story.happen(e.Disorganised((unit,)))
        path = retreat.headquarters_goes(story.position, unit)
        if not path:
            path = (retreat.headquarters_flees(story.position, unit),)
        if path[-1] != story.position.at(unit):
            story.happen(e.UnitsDisplaced((unit,), path))


def headquarters_in(position: Position, hex: str) -> tuple[str, ...]:
    """The headquarters in a hex."""
    return tuple(
        unit for unit in position.stacks.get(hex, ()) if position.printed(unit).is_headquarters
    )


@CITE.serves("17.2")
def leave_headquarters_alone(story: Unfolding[Position], hex: str) -> None:
    """Where only headquarters are left of a stack that was attacked or fired at, they go back."""
    # reading: headquarters that are left alone where an attack came from stay, for nobody attacked
    # them.
    position = story.position
    units = position.stacks.get(hex, ())
    if not takes_part(position, units):
        drive_headquarters(story, units)


@CITE.serves("20.9")
def help_across(
    story: Unfolding[Position], side: Side, path: Sequence[str], going: Sequence[str]
) -> None:
    """Engineers that help units across the rivers of a path, which has been paid for, do nothing
    else today.
    """
    for here, there in pairwise(path):
        position = story.position
        if SUPPORTED_RIVER in ways.crossed(position, here, there, side, going):
            unit = ways.who_helps(position, side, here, there, going)
            if not ways.has_helped(position, unit):
                story.happen(e.RiverHelped(unit, Task(HELP, position.at(unit), position.day)))


@CITE.serves("5.6")
def take_control(
    story: Unfolding[Position], side: Side, hexes: Sequence[str], units: Iterable[str]
) -> None:
    """Hexes that units have entered are controlled by their side, if one of them has an attack
    factor: in whatever way they came there.
    """
    # reading: a retreat takes the hexes of its way, as a move does.
    if not zones.has_attackers(story.position, tuple(units)):
        return
    for hex in dict.fromkeys(hexes):
        if story.position.control[hex] == ENEMY[side]:
            story.happen(e.ControlTaken(side, hex))

"""Chapter 9: how many units a space holds."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import STACKING_LIMIT, Position
from pbem.messages import Message, Said, marked, say


@CITE.rule("9.1.1")
def room_in(position: Position, space: str) -> int:
    """How many more units may end in a space."""
    return STACKING_LIMIT - len(position.units_in(space))


OVERFULL = marked("{space} has {units} units; the limit is {limit}")


def full_words(position: Position, space: str, text: str = OVERFULL) -> Message:
    """The message for an overfull space; `text` has its gaps."""
    units = len(position.units_in(space))
    return say(text, space=position.space(space).name, units=units, limit=STACKING_LIMIT)


def who_stands_in(position: Position, space: str, side: Side, unit: str = "") -> Said:
    """A hint for a unit that is elsewhere: its place, and the units that are there."""
    units = position.units_in(space, side)
    name = position.called(space)
    there = (
        say("your units in {name}: {units}", name=name, units=", ".join(units))
        if units
        else say("you have none in {name}", name=name)
    )
    if unit not in position.counters:
        return there
    return say(
        "it is in {place_of}; {there}",
        place_of=position.called(position.place_of(unit)),
        there=there,
    )


def has_to_stand_in(position: Position, unit: str, said: str, field: str) -> Iterator[Violation]:
    """The message for an order that names the wrong place for its unit; it need not name one."""
    place = position.place_of(unit)
    if said not in ("", place):
        yield Violation(
            say("{unit} is not in {said}", unit=unit, said=position.called(said)),
            (field,),
            hint=say("it is in {place}", place=position.called(place)),
        )


@CITE.serves("9.1.4")
def surplus_in(position: Position, space: str) -> int:
    """The number of surplus units in a space."""
    return max(0, -room_in(position, space))


@CITE.serves("8.5.4.6/a")
def owner_thins_out(position: Position) -> bool:
    """Whether the Republic itself withdraws its surplus units in Mallorca."""
    return position.edition == "1e" or position.option("Q17")

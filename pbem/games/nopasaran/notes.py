"""2.6: what a player can note of counters face down: what each may be, what was said of them, and
when and where each unit was seen last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.engine.facedown import Statement
from pbem.engine.model import Event, Side
from pbem.engine.sightings import Sightings
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.events import CountersMixed
from pbem.games.nopasaran.narration import OF_SIDES, marks_of
from pbem.games.nopasaran.position import CLASS, POINTS, TOP, Position
from pbem.games.nopasaran.rules.naming import TYPE_WORDS, formation_called, in_list, place
from pbem.games.nopasaran.rules.zones import LARGEST_WITHOUT, ZONE
from pbem.messages import Message, Row, Said, Thing, either, indented, say, say_many

FEW = 6
"""So many units are told by name, more by formation and type."""
ABLE = {
    "none": say("none that can attack"), "foot": say("some that can attack"),
    "vehicles": say("only vehicles that can attack"),
}  # fmt: skip
"""What was said of counters beside their troop points, in words."""


class Notes:
    """The capability."""

    def lost(self, event: Event[Any], before: Position) -> Mapping[str, Message]:
        if not isinstance(event, CountersMixed):
            return {}
        return {
            unit: say("day {day} in {hex}", day=before.day, hex=place(before, before.at(unit)))
            for group in event.groups
            for unit in group
            if not is_tag(unit)
        }

    def known(
        self, position: Position, side: Side, last: Mapping[str, Message]
    ) -> tuple[Said, ...]:
        position = position.veiled(None)
        if not position.tags_of(side):
            return ()
        return (
            say("{side} counters face down:", side=OF_SIDES[side]),
            *_by_hex(position, side),
            say("their units were seen last:"),
            *_by_unit(position, side, last),
        )


NOTES: Sightings = Notes()


def _by_hex(position: Position, side: Side) -> Iterator[Message]:
    """What each counter may be, those of one hex that may be the same together."""
    for hex in position.ground.hexes:
        tags = position.tags_at(hex) if position.holder(hex) == side else ()
        alike: dict[tuple[str, ...], int] = {}
        for tag in tags:
            may_be = position.may_be(tag)
            alike[may_be] = alike.get(may_be, 0) + 1
        for may_be, number in alike.items():
            yield indented(say_many(
                "number", "{place}: {number} counter, {units}",
                "{place}: {number} counters, each of them {units}", place=place(position, hex),
                number=number, units=units_told(position, may_be),
            ))  # fmt: skip
        said = {fact.tags: str(fact.said) for fact in position.down.facts
                if fact.about.startswith(ZONE) and set(tags).intersection(fact.tags)}  # fmt: skip
        for those, what in said.items():
            yield indented(_said(position, hex, len(those), what))


def _said(position: Position, hex: str, number: int, what: str) -> Message:
    """What was said of the zone of counters together."""
    told, kind = _of_zone(what)
    return say_many(
        "number", "{place}: of {number} counter was said: {points}, {able}",
        "{place}: of {number} counters was said: together {points}, {able}",
        place=place(position, hex), number=number, points=told, able=ABLE[kind],
    )  # fmt: skip


def _of_zone(said: str) -> tuple[Message, str]:
    """The troop points that were said for a zone, in words, and the kind of units."""
    points, kind = said.split()
    if int(points) > LARGEST_WITHOUT:
        return say("more than two troop points"), kind
    return _troop_points(int(points)), kind


def _troop_points(points: int) -> Message:
    return say_many("points", "{points} troop point", "{points} troop points", points=points)


def said_in_words(position: Position, fact: Statement) -> Said:
    """What was said of counters face down."""
    said = str(fact.said)
    if fact.about.startswith(ZONE):
        points, kind = _of_zone(said)
        return say("together {points}, {able}", points=points, able=ABLE[kind])
    if fact.about.startswith(CLASS):
        return say("their troop points together are {points}", points=said)
    if fact.about.startswith(POINTS):
        return say("together about {points}", points=_troop_points(int(said)))
    if fact.about.startswith(TOP):
        return say("of {formation}", formation=formation_called(position, said))
    return say("their types are {types}", types=in_list(TYPE_WORDS[type] for type in said.split()))


def _by_unit(position: Position, side: Side, last: Mapping[str, Message]) -> Iterator[Message]:
    """When, where and in which state each unit was seen last, and where it may be now."""
    where: dict[str, dict[str, None]] = {}
    for hex in position.ground.hexes:
        for tag in position.tags_at(hex) if position.holder(hex) == side else ():
            for unit in position.may_be(tag):
                where.setdefault(unit, {})[hex] = None
    for unit in position.board.units_of[side]:
        if unit in where and unit in position.down.hidden:
            hexes = tuple(place(position, hex) for hex in where[unit])
            thing = _thing(position, unit, tuple(marks_of(position, unit)))
            seen = last.get(unit)
            if seen is None:
                told = say("{unit}: now in {hexes}", unit=thing, hexes=either(hexes))
            elif hexes == (seen.part("hex"),):
                told = say("{unit}: {last}, and still there", unit=thing, last=seen)
            else:
                told = say("{unit}: {last}, now in {hexes}", unit=thing, last=seen,
                           hexes=either(hexes))  # fmt: skip
            yield indented(told)


# ------------------------------------------------------------------- what a counter may be


def may_be_told(position: Position, tag: str) -> Said:
    """What a counter face down may be, as both players know."""
    return say("counter face down: {units}", units=types_told(position, position.may_be(tag)))


def units_told(position: Position, units: Iterable[str]) -> Said:
    """Units of which one is meant: by name, or many by formation and type."""
    units = position.board.in_order(units)
    if len(units) > FEW:
        return types_told(position, units)
    return either(_thing(position, unit) for unit in units)


def _thing(position: Position, unit: str, states: tuple[Message, ...] = ()) -> Thing:
    """A unit by name and id, with its states."""
    told = say("{states}", states=Row(states)) if states else None
    return Thing(unit, say(position.printed(unit).name), is_only=True, state=told)


def types_told(position: Position, units: Iterable[str]) -> Said:
    """Units of which one is meant, by formation and type: what leaves the machine names nobody who
    lies face down, though both players know whom it may be.
    """
    types: dict[str, dict[str, None]] = {}
    for unit in position.board.in_order(units):
        types.setdefault(position.home(unit), {})[position.printed(unit).type] = None
    return say("{formations}", formations=Row(tuple(
        say("{types} of {formation}", formation=formation_called(position, formation),
            types=either(TYPE_WORDS[type] for type in found))
        for formation, found in types.items()
    ), "; "))  # fmt: skip

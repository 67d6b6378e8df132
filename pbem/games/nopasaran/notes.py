"""2.6: what a player can note of counters face down: what each may be, what was said of them, and
when and where each unit was seen last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.engine.facedown import Statement
from pbem.engine.model import Event, Order, Side
from pbem.engine.sightings import Sightings
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.events import CountersMixed
from pbem.games.nopasaran.narration import OF_SIDES, marks_of
from pbem.games.nopasaran.position import (
    ACTS,
    ACTS_ALONE,
    ATTACKS,
    CLASS,
    NO_ENGINEER,
    NO_GUN,
    POINTS,
    TOP,
    Position,
)
from pbem.games.nopasaran.rules.naming import (
    TYPE_WORDS,
    called,
    formation_called,
    in_list,
    place,
    troop_points,
)
from pbem.games.nopasaran.rules.zones import ZONE, in_words
from pbem.messages import Message, Row, Said, Thing, either, indented, say, say_many

FEW = 6
"""So many units are told by name, more by formation and type."""


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
    return say_many(
        "number", "{place}: of {number} counter was said: {what}",
        "{place}: of {number} counters was said: together {what}",
        place=place(position, hex), number=number, what=in_words(what),
    )  # fmt: skip


OF_ONE: Mapping[str, Said] = {
    ATTACKS: say("it can attack"),
    ACTS_ALONE: say("it acts by itself"),
    NO_GUN: say("it is no gun"),
    NO_ENGINEER: say("it is no engineer unit"),
}
"""What is said of one counter without further words."""


def said_in_words(position: Position, fact: Statement) -> Said:
    """What was said of counters face down."""
    said = str(fact.said)
    if fact.about.startswith(ZONE):
        return say("together {what}", what=in_words(said))
    if fact.about.startswith(CLASS):
        return say("their troop points together are {points}", points=said)
    if fact.about.startswith(POINTS):
        return say("together about {points}", points=troop_points(int(said)))
    if fact.about.startswith(ACTS):
        return say("it acts with {formation}", formation=formation_called(position, said))
    if fact.about in OF_ONE:
        return OF_ONE[fact.about]
    if fact.about.startswith(TOP):
        return say("of {formation}", formation=formation_called(position, said))
    return say("their types are {types}", types=in_list(TYPE_WORDS[type] for type in said.split()))


def said_with(position: Position, order: Order) -> Iterator[Said]:
    """What an order that its program has written says of its author's counters face down."""
    if isinstance(order, o.SetUp) and order.alike:
        yield say("of each counter its formation, and how it moves")
    for each in getattr(order, "zones", ()):
        those, what = _counters(position, each.units), in_words(each.zone)
        yield (
            say("{counters}: {what}", counters=those, what=what)
            if len(each.units) == 1
            else say("{counters}: together {what}", counters=those, what=what)
        )
    if isinstance(order, o.Move):
        for unit, formation in order.top.items():
            yield say("{unit} is of {formation}", unit=called(position, unit),
                      formation=formation_called(position, formation))  # fmt: skip
    if isinstance(order, o.Activate) and order.acts:
        yield say("{unit} acts in it", unit=called(position, order.acts))
    if isinstance(order, o.Arrange) and order.attacks:
        yield say("{unit} can attack", unit=called(position, order.units[0]))


def _counters(position: Position, units: Iterable[str]) -> Row | Said:
    """Counters by name, as far as this view knows them; of the others how many lie where."""
    told, unknown = list[Said](), dict[str, int]()
    for unit in units:
        if is_tag(unit) and not position.face(unit):
            unknown[position.at(unit)] = unknown.get(position.at(unit), 0) + 1
        else:
            told.append(called(position, unit))
    told += (
        say_many("number", "{number} counter in {place}", "{number} counters in {place}",
                 number=number, place=place(position, hex))
        for hex, number in unknown.items()
    )  # fmt: skip
    return in_list(told)


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

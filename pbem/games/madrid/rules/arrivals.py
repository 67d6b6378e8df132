"""7, 12: where units arrive, and where they are set up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import NOWHERE, PlaceUnits
from pbem.games.madrid.position import GONE, RADA, TRACK, Position
from pbem.games.madrid.rules.asks import Placing
from pbem.games.madrid.rules.retreat import all_and_no_other, names_of
from pbem.games.madrid.tables import MADRID, REPUBLICAN
from pbem.messages import Either, Row, Said, either, marked, say, say_many
from pbem.value import replace


@CITE.serves("7.1", "7.3")
def due(position: Position, side: Side) -> tuple[str, ...]:
    """The units of a side that arrive this turn, and those that found no place before."""
    # reading: the whole Rada column comes on one roll.
    return tuple(
        unit
        for unit in position.units_at(TRACK, side)
        if (RADA in position.facts if position.unit(unit).rada
            else position.unit(unit).turn <= position.turn)
    )  # fmt: skip


@CITE.rule("7.2")
def arrival_places(position: Position, unit: str) -> tuple[str, ...]:
    """Where a unit may arrive: its own homes with room, else the nearest own areas with room."""
    # reading: nearest is by the fewest areas, whoever controls those between; the owner chooses
    # among several.
    printed = position.unit(unit)
    side = printed.side

    def takes(place: str) -> bool:
        return position.is_friendly(place, side) and position.room(place, side) > 0

    homes = tuple(home for home in printed.homes if takes(home))
    if homes:
        return homes
    away = position.board.graph.distances(printed.homes, position.board.areas)
    found = {area: steps for area, steps in away.items() if takes(area)}
    least = min(found.values(), default=None)
    return position.board.graph.in_order(a for a, steps in found.items() if steps == least)


@CITE.serves("7.2")
def arranged(
    position: Position, units: Sequence[str], wishes: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Units one after the other, each with where it goes and where it could go.

    A unit goes to the first of its wishes that is open, else to the first open place. A unit for
    which no place is open goes nowhere: it stays on the track, and arrives as soon as one is.
    """
    for unit in units:
        places = arrival_places(position, unit)
        wished = (place for place in wishes.get(unit, ()) if place in places)
        place = (*wished, *places, NOWHERE)[0]
        yield unit, place, places
        if places:
            position = position.with_units((unit,), place)


# ------------------------------------------------------------------- a free set-up


@CITE.rule("12.2.b", "12.2.c", "2.6")
def free_areas(position: Position, side: Side) -> tuple[str, ...]:
    """The areas in which a side sets up freely, those of its colours."""
    colours = position.card.colours[side]
    return tuple(area.id for area in position.board.areas.values() if area.colour in colours)


@CITE.rule("1.1.6", "1.1.11", "12.1.b", "12.3.a")
def first_place(position: Position, unit: str) -> str:
    """Where a unit is before its owner has chosen.

    At its one home, in Madrid, on the track, or out of the game. Also on the track if its owner has
    yet to place it.
    """
    # reading: in a free set-up units due up to that turn are on the map.
    printed, card = position.unit(unit), position.card
    if "free_set_up" in card.special:
        if printed.black == "withdrawn":
            return GONE
        return MADRID if printed.black == "garrison" else TRACK
    if printed.turn > card.last_turn:
        return GONE
    waits = printed.turn or printed.rada or len(printed.homes) > 1
    return TRACK if waits else printed.homes[0]


@CITE.rule("1.1.9")
def to_set_up(position: Position, side: Side) -> tuple[str, ...]:
    """The units that a side must place before the game begins."""
    latest = position.card.due_by
    return tuple(
        unit
        for unit in position.units_at(TRACK, side)
        if position.unit(unit).turn <= latest
        and (position.has("free_set_up") or not position.unit(unit).rada)
    )


@CITE.serves("1.1.9", "12.2.b")
def set_up_places(position: Position, unit: str) -> tuple[str, ...]:
    """Where a unit may be set up: areas of its side's colours, or its homes."""
    if position.has("free_set_up"):
        return free_areas(position, position.side_of(unit))
    return position.unit(unit).homes


def spread(position: Position, units: Sequence[str], first: int = 0) -> dict[str, str]:
    """A legal set-up that spreads the units over the areas in turn."""
    found = {}
    for at, unit in enumerate(units, first):
        places = set_up_places(position, unit)
        found[unit] = places[at % len(places)]
    return found


# ------------------------------------------------------------------- checks


def set_up_rule(position: Position, side: Side) -> str:
    """The rule by which a side sets up."""
    if not position.has("free_set_up"):
        return "1.1.9"
    return "12.2.b" if side == REPUBLICAN else "12.2.c"


def _all_and_no_other(stage: Placing, position: Position, order: PlaceUnits) -> Iterator[Violation]:
    yield from all_and_no_other(
        position, stage.units, ("units", order.units),
        other=marked("{unit} does not have to be placed"),
        those=marked("the units to place are {names}"),
        missing=marked("{names} must be placed too"),
    )  # fmt: skip


@CITE.check("7.1")
def places_those_who_come(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    yield from _all_and_no_other(stage, position, order)


@CITE.refusal("1.1.9")
def sets_up_those_who_begin(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    for each in _all_and_no_other(stage, position, order):
        yield replace(each, rule=set_up_rule(position, stage.side))


@CITE.refusal("7.2")
def arrives_where_it_may(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    wishes = {unit: (place,) for unit, place in order.units.items()}
    for unit, place, places in arranged(position, stage.units, wishes):
        if place != order.units[unit]:
            name, wished = position.unit(unit).name, order.units[unit]
            hint = say("no place is open to it: write {nowhere}, and it waits", nowhere=NOWHERE)
            if places:
                hint = say(
                    "it may arrive in {places}", places=Either(tuple(map(position.called, places)))
                )
            is_open = not set(places).isdisjoint(position.unit(unit).homes)
            yield Violation(
                say("{name} cannot arrive in {wished}", name=name, wished=position.called(wished)),
                ("units", unit),
                rule="7.1" if is_open else "7.2",
                hint=hint,
            )


@CITE.refusal("12.2.b")
def sets_up_in_its_areas(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    for unit, place in order.units.items():
        places = set_up_places(position, unit)
        if place not in places:
            message = say(
                "{unit} is not set up in {place}",
                unit=position.called(unit),
                place=position.called(place),
            )
            rule = set_up_rule(position, stage.side)
            hint = say(
                "it may be set up in {places}", places=Either(tuple(map(position.called, places)))
            )
            yield Violation(message, ("units", unit), rule=rule, hint=hint)


@CITE.refusal("3.2.1")
def sets_up_no_stack_of_eleven(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    for place in dict.fromkeys(order.units.values()):
        coming = [unit for unit, to in order.units.items() if to == place]
        if len(coming) > position.room(place, stage.side):
            message = say_many(
                "number",
                "{place} has no room for {number} unit",
                "{place} has no room for {number} units",
                place=position.called(place),
                number=len(coming),
            )
            hint = say("there is room for {room}", room=position.room(place, stage.side))
            yield Violation(message, ("units", coming[-1]), hint=hint)


@CITE.refusal("12.2.b")
def leaves_no_area_empty(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    if position.has("free_set_up"):
        held = set(order.units.values())
        empty = [area for area in free_areas(position, stage.side) if area not in held]
        if empty:
            message = say("there are no units in {empty}", empty=tuple(map(position.called, empty)))
            hint = say("each of your areas must have at least one unit")
            rule = set_up_rule(position, stage.side)
            yield Violation(message, ("units",), rule=rule, hint=hint)


ARRIVAL_CHECKS = ((places_those_who_come,), (arrives_where_it_may,))
SET_UP_CHECKS = (
    (sets_up_those_who_begin,),
    (sets_up_in_its_areas,),
    (sets_up_no_stack_of_eleven, leaves_no_area_empty),
)


def places_told(position: Position, places: Mapping[str, Sequence[str]]) -> Said:
    """Where units may be placed, in words; units with the same choice together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for unit, may in places.items():
        groups.setdefault(tuple(may), []).append(unit)
    told = (
        say(
            "{units}: {areas}", units=names_of(position, units),
            areas=either(map(position.called, may)) if may else NOWHERE,
        )
        for may, units in groups.items()
    )  # fmt: skip
    return say("{groups}", groups=Row(tuple(told), "; "))

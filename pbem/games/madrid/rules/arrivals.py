"""7, 12: where units arrive, and where they are set up."""

from __future__ import annotations

from collections import Counter
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

NOBODY: Mapping[str, int] = {}


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


@CITE.serves("7.1", "7.2")
def arrival_classes(position: Position, unit: str) -> tuple[tuple[str, ...], ...]:
    """Where a unit may arrive, best class first: its own homes, then own areas, the nearest first.

    Room is not checked.
    """
    # reading: nearest is by the fewest areas, whoever controls those between; the owner chooses
    # among several.
    printed = position.unit(unit)
    side = printed.side
    key = "arrival classes", printed.homes, side
    if key not in position.memo:
        graph, groups = position.board.graph, dict[int, list[str]]()
        for area, steps in graph.distances(printed.homes, position.board.areas).items():
            if area not in printed.homes and position.is_friendly(area, side):
                groups.setdefault(steps, []).append(area)
        homes = tuple(home for home in printed.homes if position.is_friendly(home, side))
        away = (graph.in_order(groups[steps]) for steps in sorted(groups))
        position.memo[key] = (homes, *map(tuple, away))
    found: tuple[tuple[str, ...], ...] = position.memo[key]
    return found


@CITE.serves("7.1", "7.2")
def arrival_places(
    position: Position, unit: str, taken: Mapping[str, int] = NOBODY
) -> tuple[str, ...]:
    """The best class of a unit in which there is room, when others have `taken` some of it."""
    side = position.side_of(unit)
    for group in arrival_classes(position, unit):
        room = tuple(each for each in group if position.room(each, side) > taken.get(each, 0))
        if room:
            return room
    return ()


@CITE.serves("7.2")
def may_wait(position: Position, unit: str, taken: Mapping[str, int] = NOBODY) -> bool:
    """Whether a unit may stay on the track: none of its homes is open to it."""
    # reading: 7.2 says that it can be deployed elsewhere; its owner may have it wait instead.
    homes, *_ = arrival_classes(position, unit)
    side = position.side_of(unit)
    return all(position.room(home, side) <= taken.get(home, 0) for home in homes)


@CITE.serves("7.1", "7.2")
def _open_to(position: Position, unit: str, taken: Mapping[str, int]) -> tuple[str, ...]:
    """What a unit may do when it comes, after others have `taken` some room."""
    places = arrival_places(position, unit, taken)
    return (*places, NOWHERE) if may_wait(position, unit, taken) else places


@CITE.serves("7.1", "7.2", "3.2.1")
def has_room_at_home(position: Position, units: Sequence[str]) -> bool:
    """Whether each unit has a home of its own to arrive at, and each of these homes has room for
    all that could come: then nobody is in the way of anybody.
    """
    coming = Counter[tuple[str, Side]]()
    for unit in units:
        homes, *_ = arrival_classes(position, unit)
        if not homes:
            return False
        coming.update((home, position.side_of(unit)) for home in homes)
    return all(many <= position.room(home, side) for (home, side), many in coming.items())


@CITE.serves("7.1", "7.2", "3.2.1")
def completed(position: Position, units: Sequence[str], fixed: Mapping[str, str]) -> dict[str, str]:
    """Units that arrive one after another, in an order in which those of `fixed` arrive where it
    says; without those for which no such order was found.
    """
    if not has_room_at_home(position, units):
        return _one_after_another(position, units, fixed)
    homes = {unit: arrival_classes(position, unit)[0] for unit in units}
    found = {unit: fixed.get(unit, mine[0]) for unit, mine in homes.items()}
    return {unit: place for unit, place in found.items() if place in homes[unit]}


@CITE.serves("7.1", "7.2", "3.2.1")
def _one_after_another(
    position: Position, units: Sequence[str], fixed: Mapping[str, str]
) -> dict[str, str]:
    """The same where room may run out.

    Room only ever runs out, so a unit that may arrive at its place now may do so at once. When none
    may, one of the others takes the room that keeps them from it.
    """
    found: dict[str, str] = {}
    left = list(dict.fromkeys(units))
    while left:
        taken = Counter(found.values())
        may = {unit: _open_to(position, unit, taken) for unit in left}
        now = [unit for unit in left if fixed.get(unit) in may[unit]]
        if not now:
            kept = taken + Counter(fixed[unit] for unit in left if unit in fixed)
            in_the_way = {place for unit in left if unit in fixed for place in may[unit]}
            free = [
                (place not in in_the_way, at, unit, place)
                for at, unit in enumerate(left)
                if unit not in fixed
                for place in arrival_places(position, unit, taken) or (NOWHERE,)
                if place == NOWHERE or kept[place] < position.room(place, position.side_of(unit))
            ]  # fmt: skip
            if not free:
                return found
            *_, unit, place = min(free, key=lambda each: each[:2])
            found[unit] = place
            left.remove(unit)
        for unit in now[:1]:
            found[unit] = fixed[unit]
            left.remove(unit)
    return found


@CITE.serves("7.2", "3.2.1")
def arranged(
    position: Position, units: Sequence[str], wishes: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """A legal arrival of units. They choose in the order of the wishes: each has the first of its
    wishes that can be had together with those already granted.

    A unit for which no place is open stays on the track, and so does one that wishes so and may.
    """
    granted: dict[str, str] = {}
    found = completed(position, units, granted)
    for unit in (each for each in wishes if each in units):
        for place in wishes[unit]:
            tried = completed(position, units, {**granted, unit: place})
            if len(tried) == len(found):
                granted[unit], found = place, tried
                break
    return {unit: found[unit] for unit in units}


@CITE.serves("7.2", "3.2.1")
def possible_places(position: Position, units: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Where each unit could go, by what the others do; `nowhere` where it may wait.

    A class may be open as long as the units that could go there might fill the better ones; a place
    is named only if there is an arrival of all with it.
    """
    classes = {unit: arrival_classes(position, unit) for unit in units}
    if has_room_at_home(position, units):
        return {unit: homes for unit, (homes, *_) in classes.items()}
    reach = dict.fromkeys(units, 1)

    def places(unit: str) -> set[str]:
        return {place for group in classes[unit][: reach[unit]] for place in group}

    def may_be_full(unit: str) -> bool:
        group = classes[unit][reach[unit] - 1]
        room = sum(max(0, position.room(each, position.side_of(unit))) for each in group)
        others = (each for each in units if each != unit)
        return room <= sum(not places(each).isdisjoint(group) for each in others)

    grows = True
    while grows:
        grows = False
        for unit in units:
            while reach[unit] < len(classes[unit]) and may_be_full(unit):
                reach[unit], grows = reach[unit] + 1, True
    return {
        unit: tuple(
            place
            for place in (*(each for group in classes[unit][: reach[unit]] for each in group),
                          NOWHERE)
            if len(completed(position, units, {unit: place})) == len(units)
        )
        for unit in units
    }  # fmt: skip


@CITE.rule("7.2")
@CITE.serves("3.2.1", "7.1")
def arrival_faults(
    position: Position, to: Mapping[str, str]
) -> Iterator[tuple[str, str, Said, Said]]:
    """The faults of arrivals: the unit, the rule, a message and a hint.

    They are judged together, so it does not matter who comes first: no unit may ignore a better
    place that has room left when all have come, and none may wait while one of its homes has. But
    they come one after another in some order: units may not exchange homes that have room.
    """
    are_faulty = False
    for fault in _faults_together(position, to):
        are_faulty = True
        yield fault
    came = completed(position, tuple(to), to)
    stuck = [unit for unit in to if unit not in came]
    if stuck and not are_faulty:
        unit = stuck[0]
        open_now = arrival_places(position, unit, Counter(came.values()))
        told = say(
            "no order of arrival leads to this: whichever of {names} comes first finds room at a "
            "better place",
            names=names_of(position, stuck),
        )
        hint = say(
            "{name} may arrive in {places}", name=position.unit(unit).name,
            places=Either(tuple(map(position.called, open_now))),
        )  # fmt: skip
        yield unit, "7.2", told, hint


@CITE.serves("3.2.1", "7.1", "7.2")
def _faults_together(
    position: Position, to: Mapping[str, str]
) -> Iterator[tuple[str, str, Said, Said]]:
    """The faults that show when all have come."""
    taken, last = Counter(to.values()), {place: unit for unit, place in to.items()}
    for unit, place in to.items():
        side, name = position.side_of(unit), position.unit(unit).name
        classes, without = arrival_classes(position, unit), taken - Counter((place,))
        open_now = arrival_places(position, unit, without)
        rule = "7.1" if not may_wait(position, unit, without) else "7.2"
        hint = say("no place is open to it: write {nowhere}, and it waits", nowhere=NOWHERE)
        if open_now:
            either_place = Either(tuple(map(position.called, open_now)))
            hint = say("it may arrive in {places}", places=either_place)
            if rule == "7.2":
                hint = say(
                    "it may arrive in {places}, or wait: {nowhere}",
                    places=either_place, nowhere=NOWHERE,
                )  # fmt: skip
        if place == NOWHERE:
            if rule == "7.1":
                told = say("{name} cannot wait: a place of its own has room", name=name)
                yield unit, rule, told, hint
            continue
        where = position.called(place)
        if place not in {each for group in classes for each in group}:
            yield unit, rule, say("{name} cannot arrive in {wished}", name=name, wished=where), hint
        elif taken[place] > position.room(place, side):
            told = say("{place} has no room for all the units that arrive there", place=where)
            if unit == last[place]:
                yield unit, "3.2.1", told, hint
        elif place not in open_now:
            yield unit, rule, say("{name} cannot arrive in {wished}", name=name, wished=where), hint


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
    left = next((unit for unit in stage.units if unit not in order.units), None)
    for each in _all_and_no_other(stage, position, order):
        hint = each.hint if each.is_key or left is None else _may_be_set_up(position, left)
        yield replace(each, rule=set_up_rule(position, stage.side), hint=hint)


def _may_be_set_up(position: Position, unit: str) -> Said:
    places = Either(tuple(map(position.called, set_up_places(position, unit))))
    return say("{unit} may be set up in {places}", unit=position.called(unit), places=places)


@CITE.refusal("7.2")
def arrives_where_it_may(
    stage: Placing, position: Position, order: PlaceUnits
) -> Iterator[Violation]:
    for unit, rule, message, hint in arrival_faults(position, order.units):
        yield Violation(message, ("units", unit), rule=rule, hint=hint)


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
            areas=either(each if each == NOWHERE else position.called(each) for each in may),
        )
        for may, units in groups.items()
    )  # fmt: skip
    return say("{groups}", groups=Row(tuple(told), "; "))

"""9.7: where units retreat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.board.ranking import ranked
from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import NOWHERE, Retreat
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import KnowsUnits
from pbem.games.madrid.tables import NATIONALIST
from pbem.messages import Either, Said, a_few, marked, say

NO_WISHES: Mapping[str, Sequence[str]] = {}


def names_of(position: Position, units: Sequence[str]) -> tuple[str, ...]:
    """The printed names of units, for a gap of a message."""
    return tuple(position.unit(unit).name for unit in units)


def all_and_no_other(
    position: Position,
    units: Sequence[str],
    given: tuple[str, Mapping[str, str]],
    *,
    other: str,
    those: str,
    missing: str,
) -> Iterator[Violation]:
    """That a field, `given` by its name, has each of these units as a key and no other.

    `other` tells of a `{unit}` that is none of them, `those` of the `{names}` of all of them, and
    `missing` of those that it lacks.
    """
    field, places = given
    for unit in places:
        if unit not in units:
            yield Violation(
                say(other, unit=position.called(unit)),
                (field, unit),
                hint=say(those, names=a_few(names_of(position, units))),
                is_key=True,
            )
    if left := [unit for unit in units if unit not in places]:
        told = say(missing, names=names_of(position, left))
        yield Violation(told, (field,), hint=say("give each unit an area"))


@CITE.rule("9.7.f", "12.1.d")
def is_barred(position: Position, side: Side, one: str, other: str) -> bool:
    """Whether the ban keeps a side from crossing the Manzanares and the Jarama here."""
    # reading: the ban applies to retreats, too.
    return side == NATIONALIST and position.is_river_banned and position.board.has_river(one, other)


@CITE.rule("9.7.a", "9.7.e")
def ways_out(
    position: Position, side: Side, place: str, back: str = ""
) -> tuple[tuple[str, ...], ...]:
    """Where units may retreat, best class first. Room is not checked.

    One area, or an own box: friendly without enemies, then friendly and contested, then a contested
    enemy area. With `back`, only the area they left last, if it is one of these.
    """
    # reading: an own box is in the first class; the owner chooses within a class.
    key = "ways out", side, place, position.is_river_banned
    if key not in position.memo:
        position.memo[key] = _ways_out(position, side, place)
    classes: tuple[tuple[str, ...], ...] = position.memo[key]
    return (last_left(classes, back),) if back else classes


@CITE.serves("9.7.a", "9.7.e")
def _ways_out(position: Position, side: Side, place: str) -> tuple[tuple[str, ...], ...]:
    near = [
        each
        for each in position.board.graph.neighbours(place)
        if not is_barred(position, side, place, each)
    ]
    friendly = [each for each in near if position.is_friendly(each, side)]
    return (
        tuple([each for each in friendly if not position.has_enemies(each, side)]),
        tuple([each for each in friendly if position.has_enemies(each, side)]),
        tuple([each for each in near if each not in friendly and position.is_contested(each)]),
    )


@CITE.rule("9.7.b", "9.5.f")
def last_left(classes: Sequence[Sequence[str]], back: str) -> tuple[str, ...]:
    """After defensive fire or an assault: the area left last, if it is open."""
    # reading: if it is no longer open, the unit is eliminated.
    return tuple(each for group in classes for each in group if each == back)


@CITE.serves("9.7.c", "9.7.d", "3.2.2")
def allocate(
    position: Position, side: Side, units: Sequence[str], back: str = "",
    wishes: Mapping[str, Sequence[str]] = NO_WISHES,
) -> dict[str, str]:  # fmt: skip
    """A legal retreat of units of one place: each to the first place with room, else nowhere.

    Within a class, the places that `wishes` has for the place they leave come first.
    """
    found: dict[str, str] = {}
    for unit in units:
        place = position.places[unit]
        classes = ways_out(position, side, place, back)
        taken, wished = Counter(found.values()), wishes.get(place, ())
        open_places = (
            each
            for group in classes
            for each in ranked(wished, group, lambda word, there: word == there)
            if position.room(each, side) > taken[each]
        )
        found[unit] = next(open_places, NOWHERE)
    return found


@CITE.serves("9.7.a")
def is_free_choice(position: Position, side: Side, units: Sequence[str], back: str) -> bool:
    """Whether there is a choice: a class with several places, or too little room."""
    if not units:
        return False
    for group in ways_out(position, side, position.places[units[0]], back):
        room = {each: position.room(each, side) for each in group}
        open_places = [each for each in group if room[each] > 0]
        if len(open_places) > 1:
            return True
        if open_places:
            return room[open_places[0]] < len(units)
    return False


@CITE.rule("9.7.c", "9.7.d")
def faults(
    position: Position, side: Side, to: Mapping[str, str], back: str = ""
) -> Iterator[tuple[str, str, Said, Said]]:
    """The faults of retreats from one place: the unit, the rule, a message and a hint.

    They are judged together, so it does not matter who goes first: no unit may ignore a place of a
    better class that has room left when all have gone.
    """
    taken = Counter(to.values())
    for unit, place in to.items():
        classes = ways_out(position, side, position.places[unit], back)
        legal = [each for group in classes for each in group]
        full = [each for each in legal if taken[each] > position.room(each, side)]
        if place != NOWHERE and place not in legal:
            with_room = ([each for each in group if position.room(each, side) > taken[each]]
                         for group in classes)  # fmt: skip
            best = next(filter(None, with_room), [])
            hint = (
                say("it may go to {legal}", legal=Either(tuple(map(position.called, best))))
                if best
                else say("there is nowhere it can go")
            )
            told = say(
                "{unit} cannot retreat to {place}",
                unit=position.called(unit),
                place=position.called(place),
            )
            rule = "9.7.b" if back else "9.7.a"
            if is_barred(position, side, position.places[unit], place):
                told = say(
                    "{unit} cannot retreat to {place}: the river may not be crossed yet",
                    unit=position.called(unit),
                    place=position.called(place),
                )
                rule = "9.7.f"
            yield unit, rule, told, hint
            continue
        if place in full:
            hint = say("there is room for {what}", what=max(0, position.room(place, side)))
            yield (
                unit,
                "9.7.c",
                say(
                    "{place} has no room for all the units that retreat there",
                    place=position.called(place),
                ),
                hint,
            )
            continue
        for group in classes:
            if place in group:
                break
            better = [each for each in group if position.room(each, side) > taken[each]]
            if better:
                name = position.unit(unit).name
                hint = say(
                    "it may go to {better}", better=Either(tuple(map(position.called, better)))
                )
                rule = "9.7.d" if place == NOWHERE else "9.7.a"
                yield (
                    unit,
                    rule,
                    say(
                        "{name} must prefer {better}",
                        name=name,
                        better=tuple(map(position.called, better)),
                    ),
                    hint,
                )
                break


@CITE.refusal("9.7.a")
def retreats_all(stage: KnowsUnits, position: Position, order: Retreat) -> Iterator[Violation]:
    yield from all_and_no_other(
        position, stage.units, ("to", order.to),
        other=marked("{unit} does not have to retreat"),
        those=marked("the units that retreat are {names}"),
        missing=marked("{names} must retreat too"),
    )  # fmt: skip


@CITE.refusal("9.7.a")
def retreats_to_legal_places(
    stage: KnowsUnits, position: Position, order: Retreat
) -> Iterator[Violation]:
    for unit, rule, message, hint in faults(position, stage.side, order.to):
        yield Violation(message, ("to", unit), rule=rule, hint=hint)

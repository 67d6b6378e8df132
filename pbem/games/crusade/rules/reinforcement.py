"""8.5.2.3 and 8.5.2.4: where units are placed, by card or rebuilt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.north import may_end, region_name
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.rules.supply import deployment_sources, is_special_source, supply_map
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import Message, Said, any_of, say


def spaces_for(position: Position, unit: str, where: str) -> tuple[str, ...]:
    """The spaces, in map order, where a unit may be placed. `where` is a word of the data."""
    side = position.side_of(unit)
    candidates = [*position.spaces_of(side)]
    fits = WHERE[where] if where in WHERE else _named(where)
    return tuple(
        space
        for space in candidates
        if fits(position, side, space) and is_open_to_entry(position, unit, space)
    )


@CITE.rule("8.5.2.3", "8.5.2.4", "8.5.2.4/f", "16.2.4.1", "16.4.3.2/b")
def is_open_to_entry(position: Position, unit: str, space: str) -> bool:
    """Whether a unit may be placed there: controlled, normally supplied, with room, not Badajoz."""
    side = position.side_of(unit)
    return (
        space in supply_map(position, side).full
        and room_in(position, space) > 0
        and not is_special_source(position, space)
        and not is_barred_from_islands(position, unit, space)
        and may_end(position, unit, space) is None
    )


@CITE.rule("8.5.2.4/h")
def is_barred_from_islands(position: Position, unit: str, space: str) -> bool:
    """Corps and armor are never placed on the Balearic Islands."""
    unit_type = position.type_of(unit)
    heavy = unit_type.is_corps or unit_type.has("armor")
    return heavy and position.is_balearic(space)


Fits = Callable[[Position, Side, str], bool]


def _is_source(position: Position, side: Side, space: str) -> bool:
    # Most spaces are no source. This is checked first, because every space is asked.
    return bool(position.space(space).source) and space in deployment_sources(position, side)


@CITE.rule("8.5.2.4/a")
def _is_source_or_madrid(position: Position, side: Side, space: str) -> bool:
    return space == "madrid" or _is_source(position, side, space)


def _is_southern_source_or_madrid(position: Position, side: Side, space: str) -> bool:
    """The spaces of a southern source or Madrid, even while the Northern Front is connected."""
    return not position.space(space).region and _is_source_or_madrid(position, side, space)


@CITE.rule("8.5.2.4/g")
def _is_port(position: Position, side: Side, space: str) -> bool:
    return space in position.ports()


def _is_mediterranean_port(position: Position, side: Side, space: str) -> bool:
    return _is_port(position, side, space) and position.sea_of(space) == "mediterranean"


def _holds_friend(position: Position, side: Side, space: str) -> bool:
    return bool(position.units_in(space, side))


@CITE.rule("8.5.2.4/c", "8.5.2.4/d", "8.5.2.4/e", "16.4.3.2/d")
def _named(region_or_space: str) -> Fits:
    """One space, or any space of a region; Santander is both, and the city is meant."""

    def fits(position: Position, side: Side, space: str) -> bool:
        if region_or_space in position.tables.spaces:
            return space == region_or_space
        return position.space(space).region == region_or_space

    return fits


WHERE: Mapping[str, Fits] = {
    "source_or_madrid": _is_source_or_madrid,
    "southern_source_or_madrid": _is_southern_source_or_madrid,
    "port": _is_port,
    "mediterranean_port": _is_mediterranean_port,
    "mediterranean_port_or_madrid": lambda position, side, space: (
        space == "madrid" or _is_mediterranean_port(position, side, space)
    ),
    "source_madrid_or_port": lambda position, side, space: (
        _is_source_or_madrid(position, side, space) or _is_port(position, side, space)
    ),
    "source_madrid_or_mediterranean_port": lambda position, side, space: (
        _is_source_or_madrid(position, side, space) or _is_mediterranean_port(position, side, space)
    ),
    # reading: card R10, "not in the Northern Front" is about sources; next to friendly units it may
    # be there.
    "friendly_unit_southern_source_or_madrid": lambda position, side, space: (
        _is_southern_source_or_madrid(position, side, space) or _holds_friend(position, side, space)
    ),
}


NO_SPACE = say("no space is open to it now")
COMES_IN: Mapping[str, Message] = {
    "source_or_madrid": say("it comes in only at a supply source of its side or in Madrid"),
    "southern_source_or_madrid": say(
        "it comes in only at a supply source outside the Northern Front or in Madrid"
    ),
    "port": say("it comes in only at a port"),
    "mediterranean_port": say("it comes in only at a port of the Mediterranean"),
    "mediterranean_port_or_madrid": say(
        "it comes in only at a port of the Mediterranean or in Madrid"
    ),
    "source_madrid_or_port": say(
        "it comes in only at a supply source of its side, in Madrid or at a port"
    ),
    "source_madrid_or_mediterranean_port": say(
        "it comes in only at a supply source of its side, in Madrid or at a port of the "
        "Mediterranean"
    ),
    "friendly_unit_southern_source_or_madrid": say(
        "it comes in only with a unit of its side, at a supply source outside the Northern Front "
        "or in Madrid"
    ),
}
"""The reason that a refusal gives for each word of `WHERE`."""
EVERYWHERE = {
    "southern_source_or_madrid": "source_or_madrid",
    "friendly_unit_southern_source_or_madrid": "source_or_madrid",
}
"""The words that leave out the Northern Front, with those that do not."""


def misfit(position: Position, unit: str, to: str, where: str) -> Said:
    """Why a space is none of those that `where` means, whoever holds it; empty if it is one."""
    if not where:
        return ""
    side = position.side_of(unit)
    fits = WHERE[where] if where in WHERE else _named(where)
    if fits(position, side, to) or _is_left_out(position, side, to, where):
        return ""
    if where in COMES_IN:
        return COMES_IN[where]
    spaces = position.tables.spaces
    place = spaces[where].name if where in spaces else region_name(where)
    return say("it comes in only at {place}", place=place)


def _is_left_out(position: Position, side: Side, to: str, where: str) -> bool:
    """Whether it fits but for being in the Northern Front, which the card leaves out."""
    if where not in EVERYWHERE or WHERE[where](position, side, to):
        return False
    return bool(position.space(to).region) and WHERE[EVERYWHERE[where]](position, side, to)


def has_to_come_in_at(
    position: Position,
    spaces: tuple[str, ...],
    unit: str,
    to: str,
    where: str | Message,
    otherwise: Said = NO_SPACE,
) -> Iterator[Violation]:
    """The message for a unit placed elsewhere; `otherwise` is the hint if there is no space.

    `where` is a word of the data, empty where any would do, or tells why this space is not meant.
    """
    if to not in spaces:
        names = position.names_of(spaces)
        hint = say("it can come in at {spaces}", spaces=any_of(names)) if names else otherwise
        told = say("{unit} cannot come in at {to}", unit=unit, to=position.called(to))
        why, rule = _why_not_at(position, unit, to, where)
        if why:
            told = say("{message}: {why}", message=told, why=why)
        yield Violation(told, at=("to",), rule=rule, hint=hint)


ONLY_AT: Mapping[str, str] = {
    "bilbao": "8.5.2.4/c", "santander": "8.5.2.4/d", "asturias": "8.5.2.4/e", "port": "8.5.2.4/g",
}  # fmt: skip
"""The rule of the corps that come in only at one place or kind of place."""


@CITE.serves("8.5.2.4/b", "8.5.2.4/f", "8.5.2.4/h", "16.4.3.2/b")
def _why_not_at(position: Position, unit: str, to: str, where: str | Message) -> tuple[Said, str]:
    """Why a space is closed to a unit, and the exception that closes it, if it is one.

    A reason that never changes comes before one that may: its supply, its room, the isolation of
    the north.
    """
    side, kind = position.side_of(unit), position.type_of(unit)
    if not position.is_open_for_play(to):
        return say("it is not a space on the map now"), ""
    if not position.controls(side, to):
        return say("the enemy controls it"), ""
    if side == REPUBLICAN and is_special_source(position, to):
        return say("it only serves to trace supply"), "8.5.2.4/b"
    if is_barred_from_islands(position, unit, to):
        return say("corps and tanks stay off the Balearic Islands"), "8.5.2.4/h"
    if not isinstance(where, str):
        return where, ""
    unfit = misfit(position, unit, to, where)
    if unfit:
        return unfit, ONLY_AT.get(where, "") if kind.is_corps else ""
    if to not in supply_map(position, side).full:
        return say("it is not in full supply"), ""
    if room_in(position, to) <= 0:
        return say("it has no room for another unit"), ""
    return _why_not_in_the_north(position, unit, to, where)


def _why_not_in_the_north(position: Position, unit: str, to: str, where: str) -> tuple[Said, str]:
    """Why a space of the Northern Front is closed that is otherwise as it must be."""
    left_out = _is_left_out(position, position.side_of(unit), to, where)
    barred = may_end(position, unit, to)
    if barred is None:
        return (COMES_IN[where], "") if left_out else ("", "")
    why = barred.message
    if left_out:
        why = say("{why}, and its card leaves out the Northern Front anyway", why=why)
    return why, "8.5.2.4/f" if position.type_of(unit).is_corps else barred.rule


def corps_spaces(position: Position, corps: str) -> tuple[str, ...]:
    """Where a corps is placed, received or rebuilt (8.5.2.4)."""
    return spaces_for(position, corps, position.type_of(corps).deploy)


def corps_has_to_come_in(
    position: Position, corps: str, to: str, otherwise: Said = NO_SPACE
) -> Iterator[Violation]:
    """The message for a corps placed where none of its kind is received or rebuilt."""
    where = position.type_of(corps).deploy
    yield from has_to_come_in_at(
        position, corps_spaces(position, corps), corps, to, where, otherwise
    )

"""16.4: which units may be where in the Northern Front.

`may_end` judges movement, Strategic Redeployment, placement and advances, but never retreats
(16.4.2.3).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.morale import (
    north_is_isolated,
    northern_sources,
    reached_from_outside_the_north,
)
from pbem.games.crusade.rules.supply import zone_of_all
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import say


def may_end(
    position: Position,
    unit: str,
    space: str,
    *,
    leaving: Collection[str] = (),
    arriving: Collection[str] = (),
    path: Collection[str] = (),
    can_go_home: bool = False,
) -> Violation | None:
    """Why a unit may not end a voluntary move in a space; None if the Northern Front allows it.

    `leaving` are units that leave their space in the same order, `arriving` those that end in
    `space` with it, `path` the spaces it enters and takes on its way. `can_go_home` says that the
    unit could end in its own region this time: then a surplus guest must (16.4.2.4).
    """
    unit_type = position.type_of(unit)
    if unit_type.side != REPUBLICAN:
        return None
    if not unit_type.has("regional"):
        return _may_enter_cut_off_north(position, unit, space, arriving, path)
    bound = is_guest_too_many(position, unit)
    if bound and can_go_home and not is_released(position, unit):
        return _must_go_home(position, unit, space)
    if bound or _is_home_or_neutral(position, unit, space):
        return None
    return _may_be_guest(position, unit, space, leaving, arriving)


def never_may_end(
    position: Position, unit: str, space: str, *, control_stays: bool = False
) -> bool:
    """Whether a unit cannot end in a space whatever else its side orders this round.

    `control_stays` says that no space changes control in it, so a cut-off north stays cut off.
    """
    unit_type = position.type_of(unit)
    if unit_type.side != REPUBLICAN or space not in position.tables.spaces:
        return False
    if unit_type.has("regional"):
        return unit_type.is_corps and not _is_home_or_neutral(position, unit, space)
    barred = control_stays and not unit_type.north_limit
    return barred and _may_enter_cut_off_north(position, unit, space, ()) is not None


@CITE.rule("16.4.2.1", "3.0.regional")
def _is_home_or_neutral(position: Position, unit: str, space: str) -> bool:
    """Whether a regional unit may always end there: in its own region, or in no northern region."""
    return position.space(space).region in ("", position.type_of(unit).region)


@CITE.finding("16.4.2.2")
def _may_be_guest(
    position: Position, unit: str, space: str, leaving: Collection[str], arriving: Collection[str]
) -> Violation | None:
    """Whether a unit may be its region's guest: one division for each region, never a corps."""
    region = position.space(space).region
    if position.type_of(unit).is_corps:
        return Violation(
            say(
                "{unit} may not end in another region ({region})",
                unit=unit,
                region=region_name(region),
            )
        )
    home = position.type_of(unit).region
    others = [
        other for other in guests_of(position, home) if other != unit and other not in leaving
    ]
    companions = [
        other for other in arriving if other != unit and position.type_of(other).region == home
    ]
    if others or companions:
        why = (
            say("{other} is there", other=others[0])
            if others
            else say("{companion} would end there too", companion=companions[0])
        )
        return Violation(
            say(
                "only one division of {region} may end in another region, and {why}",
                region=region_name(home),
                why=why,
            )
        )
    return None


REGION_NAMES = {
    "asturias": "Asturias", "santander": "Santander", "basque": "the Basque Country",
}  # fmt: skip


def region_name(region: str) -> str:
    """The name of a region in texts; a region of an owner's data is named by its id."""
    return REGION_NAMES.get(region, region)


def guests_of(position: Position, home: str) -> tuple[str, ...]:
    """The divisions of a region that are in another region, in stack order."""
    return tuple(unit for unit in position.counters if is_guest(position, unit, home))


def is_guest(position: Position, unit: str, home: str) -> bool:
    """Whether a unit that belongs to a region is outside of it (corps belong to none)."""
    unit_type = position.type_of(unit)
    return unit_type.region == home and not unit_type.is_corps and position.is_abroad(unit)


@CITE.rule("16.4.2.4/b")
def is_guest_too_many(position: Position, unit: str) -> bool:
    """Whether the unit is a guest and more than one division of its region is.

    In the second edition this binds only those that a retreat brought.
    """
    # reading: 16.4.2.4, in the second edition the guest that a retreat brought goes home, not the
    # one that was there before; it stays bound until it is home, or outside all regions.
    if not _binds_every_guest(position) and unit not in position.strayed:
        return False
    home = position.type_of(unit).region
    return is_guest(position, unit, home) and len(guests_of(position, home)) > 1


def binds_guests(position: Position) -> bool:
    """Whether any unit could be a guest too many. In the second edition hardly ever."""
    return bool(position.strayed) or _binds_every_guest(position)


def _binds_every_guest(position: Position) -> bool:
    edition = position.tables.tables["editions"][position.edition]
    return bool(edition["binds_every_surplus_guest"])


@CITE.rule("16.4.2.4/a")
def is_released(position: Position, unit: str) -> bool:
    """Whether a surplus guest is free because the Nationalists control all its region.

    No other unit of the region is freed with it: none may join it as another guest, and a corps
    stays out of the other regions.
    """
    # reading: 16.4.2.4 is about divisions: a corps that a retreat brought abroad is never freed.
    # reading: 16.4.2.4, a unit without a home when it sets out is free, even if its move or advance
    # retakes a space of that region.
    home = position.type_of(unit).region
    return is_guest_too_many(position, unit) and all(
        position.controls(NATIONALIST, space.id)
        for space in position.tables.spaces.values()
        if space.region == home
    )


@CITE.finding("16.4.2.4")
def _must_go_home(position: Position, unit: str, space: str) -> Violation | None:
    home = position.type_of(unit).region
    if position.space(space).region == home:
        return None
    return Violation(
        say(
            "{unit} is one guest too many from another region and must go home to {region} now",
            unit=unit,
            region=region_name(home),
        )
    )


@CITE.rule("16.4.3.2/a")
@CITE.finding("16.4.3.2")
def _may_enter_cut_off_north(
    position: Position, unit: str, space: str, arriving: Collection[str], path: Collection[str] = ()
) -> Violation | None:
    """While the north is cut off, only two police divisions from elsewhere may be there.

    The north is judged as it is after the unit has taken the spaces of its path (10.1.9).
    """
    # reading: Q61, this bars entry; units from elsewhere that are there already stay and move
    # within.
    if not is_northern(position, space) or not is_cut_off(position) or _joins(position, path):
        return None
    if position.is_on_map(unit) and is_northern(position, position.place_of(unit)):
        return None
    limit = position.type_of(unit).north_limit
    if not limit:
        return Violation(
            say("{unit} may not enter the Northern Front while it is cut off", unit=unit)
        )
    kind = position.type_of(unit).id
    there = {
        other
        for other in position.counters
        if position.type_of(other).side == REPUBLICAN
        and position.type_of(other).id == kind
        and position.is_on_map(other)
        and is_northern(position, position.place_of(other))
    }
    there |= {other for other in arriving if position.type_of(other).id == kind}
    if len(there - {unit}) >= limit:
        return Violation(
            say("the Northern Front already has {limit} {kind}", limit=limit, kind=kind)
        )
    return None


@CITE.serves("16.4.3.2")
def is_northern(position: Position, space: str) -> bool:
    """Whether a space is in a northern region, or Republican and supplied only from there."""
    if space in position.beach_heads:
        return False
    return bool(position.space(space).region) or space in northern_zone(position)


def is_cut_off(position: Position) -> bool:
    """Whether the north is cut off (16.4.3.1), computed once for each control of the map."""
    memo = position.control.memo
    key = ("cut off", *_what_counts(position))
    if key not in memo:
        memo[key] = north_is_isolated(position)
    cut_off: bool = memo[key]
    return cut_off


@CITE.rule("16.4.3.3")
def _joins(position: Position, path: Collection[str]) -> bool:
    """Whether the Republic ends the isolation of the north by taking the spaces of a path."""
    enemy = frozenset(space for space in path if position.controls(NATIONALIST, space))
    taken = enemy.difference(position.beach_heads)
    if not taken:
        return False
    memo = position.control.memo
    key = ("joins", taken, *_what_counts(position))
    if key not in memo:
        held = position
        for space in taken:
            held = held.with_control(space, REPUBLICAN)
        memo[key] = not is_cut_off(held)
    joined: bool = memo[key]
    return joined


def _what_counts(position: Position) -> tuple[Any, ...]:
    """What the isolation of the north depends on besides control of the map."""
    marks = (position.has(flag) for flag in ("badajoz_lost", "strait_nationalist"))
    return (position.options, tuple(position.beach_heads), *marks)


def northern_zone(position: Position) -> frozenset[str]:
    """The spaces that can trace a supply line only to northern sources of the Republic.

    The main zone is never among them, even if land connects it to the north.
    """
    memo = position.control.memo
    key = ("northern zone", *_what_counts(position))
    if key not in memo:
        reached = reached_from_outside_the_north(position)
        alone = [source for source in northern_sources(position) if source not in reached]
        memo[key] = zone_of_all(position, REPUBLICAN, alone)
    zone: frozenset[str] = memo[key]
    return zone

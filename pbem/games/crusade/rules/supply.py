"""Chapter 13: supply lines, sources, borders, and the zones that other rules need."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_supply import serves_its_captor, stays_isolated
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, Space
from pbem.value import value

FRIENDLY_COUNTRY = {NATIONALIST: "portugal", REPUBLICAN: "france"}
WEST_OF_THE_STRAIT = ("huelva", "cadiz", "algeciras")
"""The Mediterranean coast west of Algeciras (16.7)."""


@value
class SupplyMap:
    """Where a side is in supply.

    `full` by a supply line, `isolated` by 16.2.3, `limited` only by a friendly border (13.4.2).
    """

    full: frozenset[str]
    isolated: frozenset[str]
    limited: frozenset[str]

    @cached_property
    def reached(self) -> frozenset[str]:
        """Where units have supply of any of these kinds."""
        return self.full | self.isolated | self.limited


def supply_map(position: Position, side: Side) -> SupplyMap:
    """The supply of all spaces a side controls, computed once for each control of the map."""
    mine, key = position.memo, ("supply", side)
    found: SupplyMap | None = mine.get(key)
    if found is None:
        shared, depends = position.control.memo, supply_key(position, side)
        found = shared.get(depends)
        if found is None:
            found = shared[depends] = _traced(position, side)
        mine[key] = found
    return found


def supply_key(position: Position, side: Side) -> tuple[Any, ...]:
    """What the supply of a side depends on besides control of the map."""
    return (
        side,
        position.options,
        position.isolated,
        tuple(position.beach_heads.items()),
        position.has("strait_nationalist"),
        position.has("badajoz_lost"),
    )


def supplied_from(position: Position, side: Side, sources: Iterable[str]) -> frozenset[str]:
    """The spaces that have a supply line to one of these sources, by land or by sea."""
    by_land = zone_of_all(position, side, sources)
    return by_land | _supplied_by_sea(position, side, by_land)


def _traced(position: Position, side: Side) -> SupplyMap:
    full = supplied_from(position, side, friendly_sources(position, side))
    isolated: frozenset[str] = frozenset()
    if side == NATIONALIST:
        isolated = zone_of_all(position, side, position.isolated) - full
    border = position.tables.border_spaces[FRIENDLY_COUNTRY[side]]
    limited = zone_of_all(position, side, border) - full - isolated
    return SupplyMap(full, isolated, limited)


@CITE.rule("2.1.2", "3.0.connected")
def zone_of(position: Position, side: Side, start: str) -> frozenset[str]:
    """The spaces Connected to `start` for a side, including `start`; empty if it is not its own."""
    return zone_of_all(position, side, (start,))


def zone_of_all(position: Position, side: Side, starts: Iterable[str]) -> frozenset[str]:
    """The spaces Connected to any of the starts that a side controls."""
    wanted = frozenset(starts)
    found = [zone for zone in position.zones(side) if not zone.isdisjoint(wanted)]
    return found[0] if len(found) == 1 else frozenset().union(*found)


@CITE.rule("13.2.1", "13.2.2", "13.2.3", "3.0.friendly_source")
def friendly_sources(position: Position, side: Side) -> tuple[str, ...]:
    """A side's printed sources that the enemy does not control, and Badajoz while it is one."""
    memo, key = position.memo, ("sources", side)
    if key not in memo:
        memo[key] = _friendly_sources(position, side)
    found: tuple[str, ...] = memo[key]
    return found


def _friendly_sources(position: Position, side: Side) -> tuple[str, ...]:
    return tuple(
        space.id
        for space in position.tables.sources
        if position.controls(side, space.id)
        and (
            space.source == side
            or serves_its_captor(position, side, printed_for(position, space))
            or (side == REPUBLICAN and badajoz_serves(position, space.id))
        )
    )


@CITE.rule("13.2.4.2")
def badajoz_serves(position: Position, space: str) -> bool:
    """Whether Badajoz is still a source: Republican, until the Nationalists first take it."""
    lost = position.has("badajoz_lost") and is_special_source(position, space)
    return position.space(space).source == "badajoz" and not lost


@CITE.rule("13.2.4")
def is_special_source(position: Position, space: str) -> bool:
    """Whether it is Badajoz in the second edition; in the first it is a source like others."""
    # reading: Q64, the first edition prints the source of Badajoz and says nothing about it.
    special = position.tables.tables["editions"][position.edition]["badajoz_special_source"]
    return bool(special) and position.space(space).source == "badajoz"


def printed_for(position: Position, space: Space) -> str:
    """The side whose source it is; none for Badajoz where it is special."""
    plain = space.source == "badajoz" and not is_special_source(position, space.id)
    return REPUBLICAN if plain else space.source


@CITE.rule("13.2.4.1", "8.5.2.4/b")
def deployment_sources(position: Position, side: Side) -> tuple[str, ...]:
    """Friendly sources where units may be placed: never Badajoz."""
    return tuple(
        space
        for space in friendly_sources(position, side)
        if not is_special_source(position, space)
    )


@CITE.rule("13.1.4", "13.1.4.1")
def _supplied_by_sea(position: Position, side: Side, by_land: frozenset[str]) -> frozenset[str]:
    """Zones connected by sea, within one sea zone, to a port connected by land to a source."""
    return zone_of_all(position, side, _landing_ports(position, side, by_land))


def _landing_ports(position: Position, side: Side, by_land: frozenset[str]) -> list[str]:
    """The ports not connected by land to a source that a supply line by sea reaches."""
    ports = supply_ports(position, side)
    cut_off = [port for port in ports if port not in by_land]
    served = {position.sea_of(port) for port in ports if port in by_land} if cut_off else ()
    return [port for port in cut_off if position.sea_of(port) in served]


def supply_ends(position: Position, side: Side) -> tuple[str, ...]:
    """Where supply comes from: sources, the ports it reaches by sea, and Isolated Spaces."""
    sources = friendly_sources(position, side)
    by_land = zone_of_all(position, side, sources)
    held = [each for each in position.isolated if position.controls(side, each)]
    return (*sources, *_landing_ports(position, side, by_land), *sorted(held))


@CITE.rule("13.1.4.2", "13.1.4.3")
def supply_ports(position: Position, side: Side) -> tuple[str, ...]:
    """Controlled ports that may be part of a supply line by sea."""
    held = position.control.held_by(side)
    ports = [port for port in position.ports() if port in held]
    if side == REPUBLICAN:
        return tuple(
            port
            for port in ports
            if position.sea_of(port) == "mediterranean" and not is_behind_the_strait(position, port)
        )
    strait = position.has("strait_nationalist")
    return tuple(port for port in ports if position.sea_of(port) == "atlantic" or strait)


@CITE.rule("16.7.2")
def is_behind_the_strait(position: Position, space: str) -> bool:
    """Whether the Strait, under Nationalist control, closes a coast to the Republic.

    A beach head is on the coast it leads to (8.5.6.1).
    """
    coast = position.beach_heads.get(space, space)
    return coast in WEST_OF_THE_STRAIT and position.has("strait_nationalist")


@CITE.rule("13.1.2", "13.1.3", "3.0.supply_line", "3.0.oos")
def is_supplied(position: Position, side: Side, space: str) -> bool:
    """Whether units of a side in a space it controls are in supply (Isolated Spaces count)."""
    supply = supply_map(position, side)
    return space in supply.full or space in supply.isolated


@CITE.rule("13.4.2")
def has_limited_supply(position: Position, side: Side, space: str) -> bool:
    """Whether a space is out of supply but Connected to the friendly country over the border."""
    return space in supply_map(position, side).limited


def is_unit_supplied(position: Position, unit: str) -> bool:
    """Whether a unit is in supply: on the map by its space, in the Reserve Box always (Q32)."""
    place = position.place_of(unit)
    if not position.is_on_map(unit):
        # reading: 13.1.1.1, Q32, a unit in the Reserve Box is always in supply.
        return place == "reserve"
    return is_supplied(position, position.side_of(unit), place)


def is_connected_by_land(position: Position, side: Side, one: str, other: str) -> bool:
    """Whether both spaces are in one zone of the side."""
    return other in zone_of(position, side, one)


@CITE.rule("16.2.1")
def in_isolated_group(position: Position, space: str) -> str:
    """The Isolated Space whose group holds this Nationalist space, or empty."""
    if space not in supply_map(position, NATIONALIST).isolated:
        return ""
    for isolated in sorted(position.isolated):
        if space in zone_of(position, NATIONALIST, isolated):
            return "" if stays_isolated(position, isolated) else isolated
    return ""

"""9: zones of control."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.engine.facedown import by_tag
from pbem.engine.model import Side
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import STEEP_UP, make_room
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import ways
from pbem.games.nopasaran.rules.naming import troop_points
from pbem.games.nopasaran.tables import (
    CAVALRY,
    ENEMY,
    ENGINEER,
    FOOT,
    INFANTRY,
    KINDS,
    MECHANISED,
    SIDES,
    TANK,
)
from pbem.messages import Said, say

LARGEST_WITHOUT = 2
"""A stack of so many troop points, or fewer, has no zone."""
Kind = tuple[str, str]
"""How a unit moves, and its type."""
ZONE = "zone "
NO_ZONE, VEHICLES, SAPPERS, ON_FOOT = SAID = ("none", "vehicles", "engineers", "foot")
"""Which units of some counters have a zone, from those whose zone goes into the fewest hexes: that
of each goes wherever that of those before it would.
"""
KIND_SAID: Mapping[str, Kind] = {
    ON_FOOT: (FOOT, INFANTRY), SAPPERS: (FOOT, ENGINEER), VEHICLES: (MECHANISED, TANK),
}  # fmt: skip
"""What units are taken for of which only this is said."""
IN_WORDS = {
    NO_ZONE: say("none that can attack"), ON_FOOT: say("some that can attack"),
    SAPPERS: say("only engineers and vehicles that can attack"),
    VEHICLES: say("only vehicles that can attack"),
}  # fmt: skip
"""What was said of counters beside their troop points, in words."""


def zones(position: Position) -> Mapping[Side, frozenset[str]]:
    """The hexes in the zone of control of each side."""
    return position.kept("zones", _zones)


def _zones(position: Position) -> Mapping[Side, frozenset[str]]:
    found: dict[Side, list[tuple[str, ...]]] = {side: [] for side in SIDES}
    known, stacks = position.kept("reached", _unknown), position.stacks
    has_said = bool(position.down.facts)
    for hex, side in position.holders.items():
        known_here = None if has_said else known.get((hex, stacks[hex]))
        found[side].append(reached(position, hex) if known_here is None else known_here)
    return {side: frozenset().union(*hexes) for side, hexes in found.items()}


def reached(position: Position, hex: str) -> tuple[str, ...]:
    """The hexes into which the stack of a hex has a zone: most stacks stay as they are."""
    known, stack = position.kept("reached", _unknown), (hex, position.stacks[hex])
    if position.down.facts and position.tags_at(hex):
        return _reached(position, hex)
    if stack not in known:
        known[stack] = _reached(position, hex)
    return known[stack]


@CITE.serves("9.p2")
def reached_by(position: Position, units: Sequence[str], hex: str) -> bool:
    """Whether some units of one stack have a zone that goes into a hex, if only they count. What
    was said of counters face down is said of all in their hex.
    """
    here = position.at(units[0])
    if hex not in reached(position, here):
        return False
    return any(is_tag(unit) or (_counts(position, unit) and _goes_into(position, unit, here, hex))
               for unit in units)  # fmt: skip


def _goes_into(position: Position, unit: str, here: str, there: str) -> bool:
    printed = position.printed(unit)
    return _reaches(position, (printed.kind, printed.type), printed.side, here, there)


def _unknown(position: Position) -> dict[tuple[str, tuple[str, ...]], tuple[str, ...]]:
    """What the stacks of a position reach: nothing is known yet."""
    return {}


@CITE.rule("9")
def _reached(position: Position, hex: str) -> tuple[str, ...]:
    """The hexes into which the stack of a hex has a zone: it has more than two troop points, and a
    unit with an attack factor that could enter there. They are kept with the ground, by all that
    they depend on.
    """
    # reading: all troop points of the hex count, those of guns and headquarters' guards too.
    units, points, alike = position.stacks[hex], 0, set[Kind]()
    if position.down.facts:
        units, points, alike = with_what_was_said(position, units)
    if points + position.troops_of(units) <= LARGEST_WITHOUT:
        return ()
    for unit in units:
        if _counts(position, unit):
            printed = position.printed(unit)
            alike.add((printed.kind, printed.type))
    if not alike:
        return ()
    kept, side = position.ground.zone_reaches, position.holders[hex]
    key = (hex, frozenset(alike), ways.state_of(position, side))
    if key not in kept:
        make_room(kept)
        kept[key] = tuple(
            near
            for near in position.ground.around[hex]
            if any(_reaches(position, each, side, hex, near) for each in alike)
        )
    return kept[key]


# ------------------------------------------------------------------- what is said of counters


def with_what_was_said(
    position: Position, units: tuple[str, ...]
) -> tuple[tuple[str, ...], int, set[Kind]]:
    """The units of a stack of which nothing was said, and what was said of the others: their troop
    points, of more than two only that, and which kinds of units have a zone. All of the counters of
    which it was said must still be there. What was said of many comes before what was said of some
    of them, which is no more than a part of it; else what was said last.
    """
    left, points, alike = {*units}, 0, set[Kind]()
    for tags, told, kind in position.kept("zones said", _zones_said):
        if left.issuperset(tags):
            points += told
            alike |= {KIND_SAID[kind]} if kind in KIND_SAID else set()
            left -= tags
    return tuple(unit for unit in units if unit in left), points, alike


def _zones_said(position: Position) -> tuple[tuple[frozenset[str], int, str], ...]:
    """What was said of zones, in the order in which it counts: the counters, their points, and
    which units have a zone.
    """
    facts = [fact for fact in reversed(position.down.facts)
             if fact.about.startswith(ZONE) and any(map(is_tag, fact.tags))]  # fmt: skip
    facts.sort(key=lambda fact: len(fact.tags), reverse=True)
    return tuple((frozenset(fact.tags), *_parts(str(fact.said))) for fact in facts)


@CITE.audit("9")
@CITE.serves("9")
def said_of(position: Position, units: Iterable[str]) -> str:
    """What is said of counters for their zone of control, in a view that knows them all: their
    troop points, more than two as three, and which units have a zone.
    """
    units = tuple(units)
    able = [_kind_of(position, unit) for unit in units if _counts(position, unit)]
    kind = max(able, key=SAID.index, default=NO_ZONE)
    return f"{min(LARGEST_WITHOUT + 1, position.troops_of(units))} {kind}"


def in_words(said: str) -> Said:
    """What is said of counters for their zone of control, as players read it; what cannot be said
    stays as it was written.
    """
    points, _, kind = said.partition(" ")
    if kind not in IN_WORDS or not points.isdecimal():
        return said
    is_large = int(points) > LARGEST_WITHOUT
    told = say("more than two troop points") if is_large else troop_points(int(points))
    return say("{points}, {able}", points=told, able=IN_WORDS[kind])


@CITE.serves("9.p6")
def _kind_of(position: Position, unit: str) -> str:
    """What is said of a unit that has a zone: only infantry and cavalry have one everywhere."""
    # reading: cavalry face down has a zone as infantry would.
    printed = position.printed(unit)
    if printed.is_vehicle:
        return VEHICLES
    return ON_FOOT if printed.type in (INFANTRY, CAVALRY) else SAPPERS


@CITE.serves("5.6", "9")
def has_attackers(position: Position, units: Sequence[str]) -> bool:
    """Whether one of the units that go together has an attack factor: those face down if that was
    said of them together.
    """
    tags = sorted(filter(is_tag, units), key=by_tag)
    said = position.down.said(f"{ZONE}{' '.join(tags)}") if tags else None
    is_said = said is not None and _parts(str(said))[1] in KIND_SAID
    return is_said or any(position.printed(unit).is_combat for unit in units)


@CITE.serves("9")
def may_come_to(position: Position, fields: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """What may be said of counters each of which is one of some units; nothing is counted, so that
    two of them may be the same unit.
    """
    found = {(0, NO_ZONE)}
    for field in fields:
        each = {_share(position, piece) for piece in field}
        found = {(min(LARGEST_WITHOUT + 1, points + more), max(kind, other, key=SAID.index))
                 for points, kind in found for more, other in each}  # fmt: skip
    return tuple(sorted(f"{points} {kind}" for points, kind in found))


def is_part(said: str, of_all: str) -> bool:
    """Whether this can be said of some of the counters of which that is said."""
    (points, kind), (most, whole) = _parts(said), _parts(of_all)
    return points <= most and SAID.index(kind) <= SAID.index(whole)


def _share(position: Position, unit: str) -> tuple[int, str]:
    """What a unit gives to what is said of counters."""
    return _parts(said_of(position, (unit,)))


def _parts(said: str) -> tuple[int, str]:
    """The troop points and the kind in what is said of counters."""
    points, kind = said.split()
    return int(points), kind


@CITE.serves("9")
def _counts(position: Position, unit: str) -> bool:
    """Whether a unit has an attack factor of 1 or more, and is in order (17.1)."""
    # reading: lack of supply does not reduce the factor that gives a zone; losses leave at least 1
    # of it, as halves are rounded up.
    return unit not in position.disorganised and position.printed(unit).attack > 0


@CITE.rule("9.p6", "9.p7", "17.1.b3")
def _reaches(position: Position, alike: Kind, side: Side, here: str, there: str) -> bool:
    """Whether the zone of a unit of a kind and type goes into a hex: by the ground there, never up
    a steep slope, and only where it could go.
    """
    (moves, type), into = alike, position.terrain(there).zone
    if into == "none" or STEEP_UP in position.ground.sides.between(here, there):
        return False
    if into == "infantry_and_cavalry" and type not in (INFANTRY, CAVALRY):
        return False
    # reading: a river over which engineers help is no way that is normally open.
    return ways.could_enter(position, here, there, KINDS.index(moves), side, helped=False)


def in_enemy_zone(position: Position, hex: str, side: Side) -> bool:
    """Whether a hex is in a zone of control of the enemy of a side."""
    return hex in zones(position)[ENEMY[side]]


def barred(position: Position, side: Side) -> frozenset[str]:
    """The hexes through which no line of command or supply of a side runs."""
    return position.kept(f"barred/{side}", lambda now: _barred(now, side))


@CITE.rule("9.p3")
def _barred(position: Position, side: Side) -> frozenset[str]:
    """Where the enemy is, and its zone, but for the hexes with a friendly unit in them."""
    enemy, held = ENEMY[side], position.held
    return held[enemy] | (zones(position)[enemy] - held[side])

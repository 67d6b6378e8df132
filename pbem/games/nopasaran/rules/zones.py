"""9: zones of control."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.model import Side
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.ground import STEEP_UP, make_room
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import ways
from pbem.games.nopasaran.tables import CAVALRY, ENEMY, INFANTRY, KINDS, SIDES, rounded

LARGEST_WITHOUT = 2
"""A stack of so many troop points, or fewer, has no zone."""


def zones(position: Position) -> Mapping[Side, frozenset[str]]:
    """The hexes in the zone of control of each side."""
    return position.kept("zones", _zones)


def _zones(position: Position) -> Mapping[Side, frozenset[str]]:
    found: dict[Side, list[tuple[str, ...]]] = {side: [] for side in SIDES}
    known, stacks = position.kept("reached", _unknown), position.stacks
    for hex, side in position.holders.items():
        known_here = known.get((hex, stacks[hex]))
        found[side].append(reached(position, hex) if known_here is None else known_here)
    return {side: frozenset().union(*hexes) for side, hexes in found.items()}


def reached(position: Position, hex: str) -> tuple[str, ...]:
    """The hexes into which the stack of a hex has a zone: most stacks stay as they are."""
    known, stack = position.kept("reached", _unknown), (hex, position.stacks[hex])
    if stack not in known:
        known[stack] = _reached(position, hex)
    return known[stack]


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
    units = position.stacks[hex]
    if position.troops_of(units) <= LARGEST_WITHOUT:
        return ()
    able = [unit for unit in units if _counts(position, unit)]
    if not able:
        return ()
    kept = position.ground.zone_reaches
    alike = frozenset((position.printed(unit).kind, position.printed(unit).type) for unit in able)
    key = (hex, alike, ways.state_of(position, position.side_of(able[0])))
    if key not in kept:
        make_room(kept)
        kept[key] = tuple(
            near
            for near in position.ground.around[hex]
            if any(_reaches(position, unit, hex, near) for unit in able)
        )
    return kept[key]


@CITE.serves("9")
def _counts(position: Position, unit: str) -> bool:
    """Whether a unit has an attack factor of 1 or more, and is in order (17.1)."""
    # reading: losses reduce the factor that gives a zone, lack of supply does not.
    half = (2,) if position.is_weakened(unit) else ()
    return unit not in position.disorganised and rounded(position.printed(unit).attack, *half) > 0


@CITE.rule("9.p6", "9.p7", "17.1.b3")
def _reaches(position: Position, unit: str, here: str, there: str) -> bool:
    """Whether the zone of a unit goes into a hex: by the ground there, never up a steep slope, and
    only where it could go.
    """
    printed, into = position.printed(unit), position.terrain(there).zone
    if into == "none" or STEEP_UP in position.ground.sides.between(here, there):
        return False
    if into == "infantry_and_cavalry" and printed.type not in (INFANTRY, CAVALRY):
        return False
    # reading: a river over which engineers help is no way that is normally open.
    kind = KINDS.index(printed.kind)
    return ways.could_enter(position, here, there, kind, printed.side, helped=False)


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

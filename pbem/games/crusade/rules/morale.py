"""16.3.3: the conditions of Republican Morale that depend on the whole map."""

from __future__ import annotations

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.supply import (
    friendly_sources,
    supplied_from,
    supply_key,
    supply_map,
    supply_ports,
    zone_of,
    zone_of_all,
)
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN

SMALLEST_FRAGMENT = 8
"""The number of supplied, connected spaces in each half of a divided zone (note 7 of 16.3.3)."""


@CITE.rule("16.3.2", "16.3.3")
def test_conditions(story: Unfolding[Position], before: Position) -> None:
    """Tests every condition; they apply at once (16.3.2).

    `before` is the position before the change that is judged: what both positions show needs no
    marker. Only what counts once a game is remembered.
    """
    _test_border(story, before, "france", NATIONALIST, -2)
    _test_border(story, before, "portugal", REPUBLICAN, +2)
    _test_end_of_the_north(story)
    _test_link_with_the_north(story)
    for side in (NATIONALIST, REPUBLICAN):
        _test_division(story, before, side)


@CITE.rule("16.3.3/e", "16.3.3/f")
def _test_border(
    story: Unfolding[Position], before: Position, country: str, holder: Side, rm: int
) -> None:
    """Controlling every border space of a country counts as long as it lasts."""
    was, now = (closes_border(each, country, holder) for each in (before, story.position))
    if now and not was:
        story.happen(e.ScoreChanged(0, rm, f"border with {country} closed"))
    elif was and not now:
        story.happen(e.ScoreChanged(0, -rm, f"border with {country} open"))


def closes_border(position: Position, country: str, holder: Side) -> bool:
    """Whether a side controls every border space of a country."""
    return all(position.controls(holder, s) for s in position.tables.border_spaces[country])


@CITE.rule("16.3.3/h")
def _test_end_of_the_north(story: Unfolding[Position]) -> None:
    """All spaces of the Northern Front are Nationalist: once a game."""
    # reading: Q5, Oviedo is not needed: the Northern Front is what starts Republican. By agreement
    # it is needed.
    if not story.position.has("north_ended") and north_has_fallen(story.position):
        story.happen(e.FlagSet("north_ended"), e.ScoreChanged(0, -2, "end of the northern front"))


def north_has_fallen(position: Position) -> bool:
    """Whether the Nationalists now control what ends the Northern Front."""
    needed = (*position.tables.northern_front, *(("oviedo",) if position.option("Q5") else ()))
    return all(position.controls(NATIONALIST, space) for space in needed)


@CITE.rule("16.3.3/g")
def _test_link_with_the_north(story: Unfolding[Position]) -> None:
    """The north is connected to a source outside it: once a game, and not after its end."""
    position = story.position
    if position.has("north_ended") or position.has("north_linked"):
        return
    if not north_is_isolated(position):
        story.happen(e.FlagSet("north_linked"), e.ScoreChanged(0, 2, "north joined to the zone"))


@CITE.rule("16.4.3.1")
def north_is_isolated(position: Position) -> bool:
    """Whether no northern source can trace a supply line to a Republican source outside the north.

    Also true if the Republic has no source left in the north.
    """
    # reading: Q6, Badajoz counts as a source outside the north while it is one.
    reached = reached_from_outside_the_north(position)
    return not any(source in reached for source in northern_sources(position))


def northern_sources(position: Position) -> list[str]:
    """The sources of the Northern Front that the Republic controls."""
    held = friendly_sources(position, REPUBLICAN)
    return [source for source in held if source in position.tables.northern_sources]


def reached_from_outside_the_north(position: Position) -> frozenset[str]:
    """The spaces that can trace a supply line to a Republican source outside the Northern Front."""
    memo = position.control.memo
    key = ("from outside the north", supply_key(position, REPUBLICAN))
    if key not in memo:
        memo[key] = _reached_from_outside_the_north(position)
    found: frozenset[str] = memo[key]
    return found


def _reached_from_outside_the_north(position: Position) -> frozenset[str]:
    held = friendly_sources(position, REPUBLICAN)
    southern = [source for source in held if source not in position.tables.northern_sources]
    reached = zone_of_all(position, REPUBLICAN, southern)
    # Northern ports are Atlantic, which the Republic may not use, so only a zone with a
    # Mediterranean port could be connected by sea.
    ports = supply_ports(position, REPUBLICAN)
    if any(port in reached for port in ports):
        reached |= zone_of_all(position, REPUBLICAN, ports)
    return reached


@CITE.rule("16.3.3/i")
def _test_division(story: Unfolding[Position], before: Position, side: Side) -> None:
    """A side's zone is cut in two, from the Mobilization Phase on: once a game for each side."""
    # reading: Q4, the enemy divides a zone by taking a space of one piece; a pocket that grows to
    # eight does not divide it, unless the players agreed that any zone in two pieces is divided.
    position = story.position
    if position.phase == "columns" or position.has(f"{side}_divided"):
        return
    # The pieces are counted last: it takes longest, and most captures leave this side whole.
    if not (position.option("Q4") or lost_ground(before, position, side)):
        return
    if large_pieces(position, side) < 2:
        return
    if position.option("Q4") or large_pieces(before, side) == 1:
        rm = 1 if side == NATIONALIST else -1
        story.happen(e.FlagSet(f"{side}_divided"), e.ScoreChanged(0, rm, f"{side} zone divided"))


def test_static_division(story: Unfolding[Position]) -> None:
    """By agreement (Q4) a zone in two pieces counts as soon as the rule applies, without a
    capture.
    """
    if story.position.option("Q4"):
        for side in (NATIONALIST, REPUBLICAN):
            _test_division(story, story.position, side)


def lost_ground(before: Position, now: Position, side: Side) -> bool:
    """Whether a space of a side has become enemy-controlled."""
    gained = now.control.held_by(ENEMY[side])
    return not gained.isdisjoint(before.control.held_by(side))


def large_pieces(position: Position, side: Side) -> int:
    """The number of connected pieces of a side's zone with enough supplied spaces.

    The three northern regions, spaces supplied only by a northern source, and the islands are in
    none of them; but pieces connected through the north are one.
    """
    # reading: 16.3.3/i, Q4, the north is never a part, nor are spaces it has taken and alone
    # supplies (16.4.3.2), islands or beach heads.
    memo = position.control.memo
    key = ("large pieces", supply_key(position, side))
    if key not in memo:
        memo[key] = _large_pieces(position, side)
    pieces: int = memo[key]
    return pieces


def _large_pieces(position: Position, side: Side) -> int:
    counted = _supplied_without_the_north(position, side) & position.tables.divisible
    pieces = 0
    while counted:
        zone = zone_of(position, side, min(counted))
        pieces += len(counted & zone) >= SMALLEST_FRAGMENT
        counted -= zone
    return pieces


def _supplied_without_the_north(position: Position, side: Side) -> frozenset[str]:
    if side == NATIONALIST:
        return supply_map(position, side).full
    sources = friendly_sources(position, side)
    southern = [s for s in sources if s not in position.tables.northern_sources]
    return supplied_from(position, side, southern)

"""16.3.3: the conditions of Republican Morale that the whole map decides."""

from __future__ import annotations

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.supply import (
    friendly_sources,
    supply_map,
    supply_ports,
    zone_of,
    zone_of_all,
)
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN

NORTHERN_SOURCES = ("gijon", "santander", "bilbao")
SMALLEST_FRAGMENT = 8
"""Supplied, connected spaces that each half of a divided zone must have (note 7 of 16.3.3)."""


@CITE.rule("16.3.2", "16.3.3")
def test_conditions(story: Unfolding[Position]) -> None:
    """Every condition once; the rules make them work at once (16.3.2)."""
    _test_border(story, "france", NATIONALIST, -2)
    _test_border(story, "portugal", REPUBLICAN, +2)
    _test_end_of_the_north(story)
    _test_link_with_the_north(story)
    for side in (NATIONALIST, REPUBLICAN):
        _test_division(story, side)


@CITE.rule("16.3.3/e", "16.3.3/f")
def _test_border(story: Unfolding[Position], country: str, holder: Side, rm: int) -> None:
    """Holding every border space of a country counts as long as it lasts."""
    position = story.position
    flag = f"{country}_closed"
    closed = all(position.controls(holder, s) for s in position.tables.border_spaces[country])
    if closed and not position.has(flag):
        story.happen(e.FlagSet(flag), e.ScoreChanged(0, rm, f"border with {country} closed"))
    elif not closed and position.has(flag):
        story.happen(e.FlagCleared(flag), e.ScoreChanged(0, -rm, f"border with {country} open"))


@CITE.rule("16.3.3/h")
def _test_end_of_the_north(story: Unfolding[Position]) -> None:
    """All spaces of the Northern Front Nationalist: once a game."""
    # reading: Q5, Oviedo is not needed: the Northern Front is what starts Republican. By agreement
    # it is needed.
    position = story.position
    if position.has("north_ended"):
        return
    needed = (*position.tables.northern_front, *(("oviedo",) if position.option("Q5") else ()))
    if all(position.controls(NATIONALIST, space) for space in needed):
        story.happen(e.FlagSet("north_ended"), e.ScoreChanged(0, -2, "end of the northern front"))


@CITE.rule("16.3.3/g")
def _test_link_with_the_north(story: Unfolding[Position]) -> None:
    """The north joined to a source outside it: once a game, not after its end."""
    position = story.position
    if position.has("north_ended") or position.has("north_linked"):
        return
    if not north_is_isolated(position):
        story.happen(e.FlagSet("north_linked"), e.ScoreChanged(0, 2, "north joined to the zone"))


@CITE.rule("16.4.3.1", "16.4.3.3")
def north_is_isolated(position: Position) -> bool:
    """No northern source can trace a supply line to a Republican source outside the north.

    Also true when the Republic has no source left in the north.
    """
    # reading: Q6, Badajoz counts as a source outside the north while it serves.
    sources = friendly_sources(position, REPUBLICAN)
    northern = [source for source in sources if source in NORTHERN_SOURCES]
    southern = [source for source in sources if source not in NORTHERN_SOURCES]
    reached = zone_of_all(position, REPUBLICAN, southern)
    # Northern ports are Atlantic, which the Republic may not use, so only a zone that reaches a
    # Mediterranean port could be joined by sea.
    ports = supply_ports(position, REPUBLICAN)
    if any(port in reached for port in ports):
        reached |= zone_of_all(position, REPUBLICAN, ports)
    return not any(source in reached for source in northern)


@CITE.rule("16.3.3/i")
def _test_division(story: Unfolding[Position], side: Side) -> None:
    """A side's zone cut in two, from the Mobilization Phase on, once a game for each side."""
    # reading: Q4, a whole zone must have been there before, unless the players agreed that it need
    # not; the north and islands never count.
    position = story.position
    flag = f"{side}_divided"
    if position.phase == "columns" or position.has(flag):
        return
    pieces = _large_pieces(position, side)
    whole = f"{side}_whole"
    if pieces == 1 and not position.has(whole):
        story.happen(e.FlagSet(whole))
    elif pieces >= 2 and (position.has(whole) or position.option("Q4")):
        rm = 1 if side == NATIONALIST else -1
        story.happen(e.FlagSet(flag), e.ScoreChanged(0, rm, f"{side} zone divided"))


def _large_pieces(position: Position, side: Side) -> int:
    """How many connected pieces with enough supplied spaces a side's mainland zone has."""
    supplied = supply_map(position, side).full
    left = [space for space in position.spaces_of(side) if _counts_for_division(position, space)]
    seen: set[str] = set()
    pieces = 0
    for space in left:
        if space in seen:
            continue
        piece = zone_of(position, side, space)
        seen |= piece
        if len([s for s in piece if s in supplied]) >= SMALLEST_FRAGMENT:
            pieces += 1
    return pieces


def _counts_for_division(position: Position, space: str) -> bool:
    ground = position.space(space)
    return not ground.balearic and not ground.dormant and not ground.region

"""Facts that a position implies, so scenarios need not state them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.africa import LAST_CALL
from pbem.games.crusade.rules.ground import end_isolation, end_shortage
from pbem.games.crusade.rules.morale import north_has_fallen, north_is_isolated
from pbem.games.crusade.rules.options_landing import LANDED, NATIONAL_BEACH
from pbem.games.crusade.rules.options_score import BURGOS_TAKEN
from pbem.games.crusade.rules.supply import is_special_source
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN


def note_what_shows(story: Unfolding[Position]) -> None:
    """At the start of a game: sets lasting facts that the position shows, and removes wrong
    markers.

    Otherwise the first capture anywhere would score what had long been so.
    """
    for flag in facts_shown(story.position):
        if not story.position.has(flag):
            story.happen(e.FlagSet(flag))
    end_isolation(story)
    end_shortage(story)


@CITE.serves("13.2.4.2", "16.3.3/g", "16.3.3/h", "16.7.2", "17.3.2/a", "17.3.2/c")
def facts_shown(position: Position) -> Iterator[str]:
    """Facts of the past that follow from the map and the cards played."""
    held = position.control.held_by(NATIONALIST)
    if any(is_special_source(position, space.id) for space in position.tables.sources
           if space.id in held):  # fmt: skip
        yield "badajoz_lost"
    if north_has_fallen(position):
        yield "north_ended"
    if not north_is_isolated(position):
        yield "north_linked"
    yield from _facts_of_cards(position)
    if position.option("18.1.1") and position.controls(REPUBLICAN, "burgos"):
        yield BURGOS_TAKEN
    if NATIONAL_BEACH in position.beach_heads:
        yield LANDED
    if position.phase == "columns":
        if "madrid" in held:
            yield "madrid_occupied"
        if any(map(position.tables.adjacent_to_madrid, held)):
            yield "madrid_approached"


@CITE.serves("17.6.1", "17.6.2")
def _facts_of_cards(position: Position) -> Iterator[str]:
    """The lasting effects of cards played."""
    played, now = position.played, (position.turn, position.round)
    if "N1" in played and position.turn <= LAST_CALL[0]:
        yield "afr_schedule"
    if "N6" in played:
        yield "strait_nationalist"
        if now <= LAST_CALL:
            yield "afr_accelerated"
    if "N16" in played:
        yield "famine"

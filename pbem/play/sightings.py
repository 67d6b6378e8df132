"""When and where each unit was seen last that lies face down now, read from the story of a game."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.model import Side
from pbem.engine.sightings import NO_SIGHTINGS
from pbem.messages import Message, Said
from pbem.play.game import Game
from pbem.play.turns import is_known, standing_moves
from pbem.play.viewpoint import has_two_stories
from pbem.value import value


@value
class KeptSightings:
    """When and where each unit was seen last, up to the first `entries` of a game."""

    entries: int
    last: Mapping[str, Message]


def are_noted(game: Game) -> bool:
    """Whether the players of a game keep notes of counters: some may lie face down again."""
    return game.opened.system.sightings is not NO_SIGHTINGS and has_two_stories(game)


def telling(game: Game) -> KeptSightings | None:
    """The sightings to be kept: with them in `game.told`, later ones continue from there; None
    where neither they nor the journals tell the whole story.
    """
    if not is_known(game, KeptSightings):
        return None
    found = dict(game.told.last) if isinstance(game.told, KeptSightings) else {}
    lost = game.opened.system.sightings.lost
    for _, item in standing_moves(game):
        told = item.after.told
        before = (item.before.state.position, *told.positions)
        for event, position in zip(told.events, before, strict=False):
            found |= lost(event, position)
    return KeptSightings(len(game.fold.entries), found)


def noted(game: Game, side: Side) -> tuple[Said, ...]:
    """What the enemy of a side knows of its counters face down, in lines; without the moments at
    which they were seen where the game lacks journals.
    """
    assert game.table is not None
    kept = telling(game)
    last = {} if kept is None else kept.last
    return game.opened.system.sightings.known(game.table.state.position, side, last)

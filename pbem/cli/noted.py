"""What players note of counters face down, for `pbem status`."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game
from pbem.cli.request import Misused, Request
from pbem.gamefile.in_play import other
from pbem.messages import Said, say
from pbem.play.game import Game
from pbem.play.sightings import KeptSightings, are_noted, noted
from pbem.play.titles import title
from pbem.play.turns import is_known
from pbem.play.viewpoint import has_two_stories


def with_sightings(game: Game, path: StrPath, request: Request) -> Game:
    """The game with what its players can note about counters. When each was last seen comes from
    the whole story of the game, or from a kept summary of it.
    """
    if not are_noted(game):
        return game
    game = load_game(path, request, told="sightings")
    if not is_known(game, KeptSightings):
        game = load_game(path, request, whole=True)
    return game


def of_the_opponent(game: Game, player: str) -> tuple[Said, ...]:
    """What a player knows of the other one's counters face down."""
    return noted(game, game.side_of(other(player)))


def as_opponent(game: Game, player: str) -> Iterator[Said]:
    """What the opponent of a player knows of their counters. Raises Misused where nothing lies face
    down.
    """
    if not has_two_stories(game):
        raise Misused(say("--as-opponent: both players see the same in this game"))
    assert game.table is not None
    side, position = game.side_of(player), game.table.state.position
    system = game.opened.system
    yield title(game)
    yield system.clock(position).words
    yield say("what {opponent} knows of you:", opponent=game.called(other(player)))
    yield from system.narration.own(position, side)
    yield from noted(game, side)

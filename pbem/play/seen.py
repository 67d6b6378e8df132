"""What a player sees of a game's table at a moment of it: board and scene, with words for both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.codec import to_written
from pbem.engine.model import Side
from pbem.engine.picture import Board, Drawing, Scene, Spot
from pbem.gamedata.load import drawing
from pbem.gamefile.fold import replay
from pbem.play.game import Game
from pbem.play.player_view import player_view
from pbem.play.story import title
from pbem.problems import Problem, Refused
from pbem.value import value
from pbem.words import folded

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair


@value
class Seen:
    """The table as it is shown: `viewer` is the side it is seen from, None for anybody's."""

    entry: int
    title: str
    moment: str
    """As in "Turn 3, October 1936 (War of the Columns), Nationalist round 2"."""
    viewer: Side | None
    board: Board
    scene: Scene
    drawing: Drawing

    def head(self) -> dict[str, Any]:
        """What it is, for machines."""
        return {"title": self.title, "entry": self.entry, "moment": self.moment,
                "viewer": self.viewer}  # fmt: skip


def seen(game: Game, key: KeyPair | None, side: Side | None) -> Seen:
    """A game from a side (None: from that of the key, or from nobody's).

    What is hidden is shown to the owner of the key alone, and only from their own side. Raises
    Refused where the game has not begun.
    """
    if game.table is None:
        last = len(game.fold.entries) - 1
        raise Refused(
            Problem("not-begun", f"the game has not begun with entry {last}: no board is laid yet")
        )
    player = game.fold.player_of(key.public) if key else None
    own = game.side_of(player) if player else None
    viewer = side or own
    table = player_view(game, key).table if viewer == own else game.table
    system, position = game.opened.system, table.state.position
    plain = drawing(system.slug)
    return Seen(
        entry=len(game.fold.entries) - 1,
        title=title(game),
        moment=system.clock(position).words,
        viewer=viewer,
        board=system.picture.board(plain),
        scene=system.picture.scene(position, viewer),
        drawing=plain,
    )


def at_entry(game: Game, entry: int) -> Game:
    """The game as it stood when an entry of its file was written."""
    return game.after(replay(game.fold.entries[: entry + 1], game.opening))


def spot_named(found: Seen, written: str) -> Spot:
    """The space of the board that was meant, by id or by name. Raises Refused."""
    from pbem.text.wording import did_you_mean, quoted

    spots = [spot for spot in found.board.spots if spot.id in found.scene.places]
    wanted = folded(written)
    for spot in spots:
        if written == spot.id or (wanted and wanted in (folded(spot.id), folded(spot.name))):
            return spot
    names = [spot.name for spot in spots]
    kind = found.board.space
    raise Refused(
        Problem(f"unknown-{kind}", f"no {kind} on the map is named {quoted(written)}",
                hint=did_you_mean(written, names))
    )  # fmt: skip


def plain(found: Seen, spot: Spot | None) -> dict[str, Any]:
    """The scene for machines; of one space alone, with the ids of those next to it."""
    scene, links = found.scene, found.board.links
    if spot is None:
        return {**found.head(), "scene": to_written(scene)}
    pairs = [(link.a, link.b) for link in links if spot.id in (link.a, link.b)]
    near = sorted({*sum(pairs, ())} & set(scene.places) - {spot.id})
    place = to_written(scene.places[spot.id])
    return {**found.head(), "space": spot.id, "name": spot.name, **place, "next_to": near}

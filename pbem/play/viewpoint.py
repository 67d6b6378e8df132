"""Who is told a story: both players the public one, or one of them with the names of their own
counters.

What leaves the machine (a mail, a page, a turn to post) is told from the public viewpoint, unless
its owner asks for theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Event, Side
from pbem.late import Late
from pbem.messages import Message
from pbem.value import field, value

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.games.system import GameSystem
    from pbem.play.game import Game
    from pbem.play.player_view import own_cards
    from pbem.play.table import Table
else:
    own_cards = Late("pbem.play.player_view").own_cards  # which loads all that is secret


@value
class Viewpoint:
    """Who is told a story: a side, with the cards that only its player knows; by default the
    public, which is told what both know.
    """

    side: Side | None = None
    cards: Mapping[str, str] = field(default_factory=dict)

    def table(self, table: Table) -> Table:
        """A table as it is seen from here."""
        return table.informed(self.cards)

    def position(self, system: GameSystem, position: Any) -> Any:
        """A position as it is seen from here."""
        return system.hidden.informed(position, self.cards) if self.cards else position

    def told(self, system: GameSystem, event: Event[Any], position: Any) -> Message | None:
        """What is told here of an event; `position` is the public table right after it."""
        if self.cards:
            position = self.position(system, position)
        return system.narration.narrate(event, position, self.side)


PUBLIC = Viewpoint()


def viewpoint(game: Game, key: KeyPair | None) -> Viewpoint:
    """The viewpoint of the owner of a key, in a game with two stories: one in which counters lie
    face down. In any other, without a key and in a solo game there is the public one alone.

    Raises FileRefused (E-KEY) as `own_cards` does.
    """
    if key is None or game.fold.is_solo or not has_two_stories(game):
        return PUBLIC
    return Viewpoint(game.side_of(game.fold.player_of(key.public)), own_cards(game, key))


def has_two_stories(game: Game) -> bool:
    """Whether a player is told more of what happened than the other: counters lie face down."""
    table = game.table
    return table is not None and bool(game.opened.system.pieces.decks(table.state.position))

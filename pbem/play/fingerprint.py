"""What two players compare, once, to know that nobody stands between them."""

from __future__ import annotations

from pbem.gamefile.fingerprint_words import game_words
from pbem.messages import Message, say
from pbem.play.game import Game

BEGUN = 3
"""A game of so many entries has just begun: it is the time to compare."""


def in_words(game: Game) -> tuple[Message, ...]:
    """The fingerprint of a game in words, and while it begins what it is for; empty before."""
    if game.fold.game is None:
        return ()
    told = say("in words: {words}", words=game_words(game.fold.game))
    return (told, COMPARE) if is_to_compare(game) else (told,)


def is_to_compare(game: Game) -> bool:
    """Whether the players should compare the fingerprint now."""
    return not game.fold.is_solo and len(game.fold.entries) <= BEGUN


COMPARE = say(
    "read each other the number and the words, both, once and by telephone: if they are the same, "
    "nobody stands between you"
)

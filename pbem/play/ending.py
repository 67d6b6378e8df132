"""How a finished game ended, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.messages import Message, say

if TYPE_CHECKING:
    from pbem.play.game import Game


def outcome(game: Game) -> Message:
    """Who has won; a clause."""
    result = game.fold.result or {}
    if result.get("void"):
        return say("no result, by agreement")
    winner = result.get("winner")
    if winner:
        return say("the {side} player wins", side=game.side_told(winner))
    return say("a draw")


def explained(game: Game) -> Message:
    """Who has won and why; a clause."""
    result = game.fold.result or {}
    if result.get("void") or not result.get("how"):
        return outcome(game)
    return say("{outcome} ({reason})", outcome=outcome(game), reason=result["how"])

"""How a finished game ended, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.messages import Message, Said, say

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
    return say("{outcome} ({reason})", outcome=outcome(game), reason=_why(game, result["how"]))


def _why(game: Game, how: str) -> Said:
    """The reason for the end: what the game says of it, or else an agreement or a resignation."""
    table = game.table
    ended = table.system.result(table.state.position) if table is not None else None
    return ended.told if ended is not None and ended.reason == how and ended.told else say(how)

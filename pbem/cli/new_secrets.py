"""What new secrets let a player out of, told before anything about them is signed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli import choices, report
from pbem.messages import say
from pbem.play.debts import wiped_out
from pbem.problems import Problem, Refused

if TYPE_CHECKING:
    from pbem.cli.request import Request
    from pbem.play.game import Game


def told(game: Game, player: str, request: Request) -> None:
    """Names the debts of the player who would have new secrets, one by one."""
    if not request.as_json:
        report.tell(*wiped_out(game, player))


def agreed_to(game: Game, player: str, request: Request) -> None:
    """Tells them to whoever offers new secrets to that player, and asks where somebody can be
    asked: the offer cannot be taken back once it is sent.

    Raises Refused (`not-agreed`).
    """
    told(game, player, request)
    if request.as_json or not choices.is_attended():
        return
    if not choices.agreed(say("Offer new secrets to {player}?", player=game.called(player))):
        raise Refused(Problem("not-agreed", say("nothing was signed: no new secrets were offered")))

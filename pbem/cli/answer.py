"""pbem answer: yes or no to what the opponent offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import new_secrets
from pbem.cli.options import LaterChoice, takes
from pbem.cli.orders_files import read_source
from pbem.cli.request import SIGNING, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.gamefile.consent import open_offer
from pbem.gamefile.in_play import other
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame
    from pbem.play.game import Game


@click.command("answer")
@takes(
    "game_file",
    click.argument("reply", metavar="yes|no", type=LaterChoice(("yes", "no"), say("an answer")),
                   required=False),
    "orders_file", *SIGNING,
)  # fmt: skip
def command(request: Request, reply: str) -> None:
    """Answer your opponent's offer (pbem status shows it) in your own turn.

    Whatever you owe and cannot choose is sent first. When orders are due, a no goes with your
    ORDERS; orders alone let the offer lapse. A yes to a take-back takes the game back at once. A
    yes to new secrets continues with those of your present key; with --secrets OLD, if you still
    have the old key, what you owe is paid with it, and otherwise discarded.

    Example: pbem answer game.pbem.json yes --key beto.key

    Example: pbem answer no orders.yaml
    """
    from pbem.play.answer import agreed

    orders = read_source(request.orders_file) if request.orders_file else None

    def answered(game: Game, key: KeyPair, player: str) -> AnsweredGame:
        made = agreed(game, key, orders, reply=reply == "yes", time=time_to_write(game))
        asked = open_offer(game.fold.machine, other(player))
        if reply == "yes" and asked is not None and asked.what == "renew":
            new_secrets.told(game, player, request)
        return made

    entry_by_key(request, answered, what=say("an answer"))

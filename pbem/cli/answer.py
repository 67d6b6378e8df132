"""pbem answer: yes or no to what the opponent offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import meant, new_secrets
from pbem.cli.options import LaterChoice, takes
from pbem.cli.orders_files import read_source
from pbem.cli.request import SIGNING, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.gamefile.consent import open_offer
from pbem.gamefile.in_play import other
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile.kept import Offer
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame
    from pbem.play.game import Game


@click.command("answer")
@takes(
    "game_file",
    click.argument("reply", metavar="yes|no", type=LaterChoice(("yes", "no"), say("an answer")),
                   required=False),
    "orders_file",
    click.option("--yes", is_flag=True, help="Sign a yes without asking."),
    *SIGNING,
)  # fmt: skip
def command(request: Request, reply: str, yes: bool) -> None:
    """Answer your opponent's offer (pbem status shows it) in your own turn.

    Whatever you owe and cannot choose is sent first. When orders are due, a no goes with your
    ORDERS; orders alone let the offer lapse. A yes to a take-back takes the game back at once. A
    yes to new secrets continues with those of your present key; with --secrets OLD, if you still
    have the old key, what you owe is paid with it, and otherwise discarded.

    Before a yes that ends the game, takes it back or changes its rules you are asked in a terminal.

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
        if reply == "yes" and asked is not None and not yes and meant.can_ask(request):
            _ask(asked)
        return made

    entry_by_key(request, answered, what=say("an answer"), asks=not yes)


def _ask(asked: Offer) -> None:
    """Raises Declined unless the player at the terminal means the yes: nobody ends a game by a
    slip.
    """
    if asked.what == "draw":
        meant.check(say("Agree to a draw? It ends the game and cannot be taken back"))
    elif asked.what == "void":
        meant.check(
            say("Agree to end the game without a result? It ends now and cannot be taken back")
        )
    elif asked.what == "takeback":
        meant.check(
            say("Go back to entry {entry}? What was decided since is undone",
                entry=asked.terms["to"])
        )  # fmt: skip
    elif asked.what == "upgrade":
        meant.check(say("Go on with other rules? It cannot be taken back"))

"""pbem offer: something both players must want."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli import new_secrets
from pbem.cli.options import LaterChoice, Number, takes
from pbem.cli.orders_files import read_source
from pbem.cli.request import SIGNING, Misused, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.gamefile.in_play import other
from pbem.messages import say

KINDS = ("draw", "takeback", "adjourn", "void", "upgrade", "renew")


@click.command("offer")
@takes(
    "game_file",
    click.argument("what", metavar="|".join(KINDS), type=LaterChoice(KINDS, say("an offer")),
                   required=False),
    "orders_file",
    click.option("--to", type=Number(0),
                 help="takeback: the entry to go back to; default: your last."),
    click.option("--known-randomness", is_flag=True,
                 help="takeback: even if both players know dice since then."),
    click.option("--on-my-word", is_flag=True, help="renew: for a key that rests on your word."),
    click.option("--until", default="", help="adjourn: when to continue, in your own words."),
    *SIGNING,
)  # fmt: skip
def command(
    request: Request, what: str, to: int | None, known_randomness: bool, until: str,
    on_my_word: bool,
) -> None:  # fmt: skip
    """Offer a draw, a take-back, a pause, an end without result, other data, or new secrets.

    When it is not your turn, the offer is a note beside the turn: your opponent answers it with
    their next entry, or passes it over. When it is your turn, the offer goes with your ORDERS, and
    these must leave the next move to your opponent. If you want something at the start of your own
    turn, ask your opponent by mail to make the offer, and answer it yourself. Nobody answers out of
    turn. An offer lapses with your opponent's next entry that does not answer it, and before every
    roll.

    A take-back goes back to the state after entry N, or to your last decision; dice that have
    fallen are not used again. An upgrade continues with the data of --data, or with those we ship.

    A renew is for an opponent who must write next, and whose key was replaced (pbem rotate) because
    the old one is lost or stolen: they may continue with new secrets. The risk is yours. All their
    hidden cards are dealt anew; dice that wait for their value are discarded, although they may
    know them; their play so far is audited only if they still have their old secrets. Everything
    they would not have to show any more is named first, and in a terminal you are asked. If you
    named the new key yourself, you are told what that may cost and confirm it with --on-my-word.

    Example: pbem offer draw

    Example: pbem offer game.pbem.json draw --key ana.key

    Example: pbem offer game.pbem.json takeback --to 12 --known-randomness --key ana.key
    """
    from pbem.play.answer import agreed
    from pbem.play.offers import name_the_price

    _check_fits(what, to, known_randomness, until, on_my_word)
    orders = read_source(request.orders_file) if request.orders_file else None

    def offered(game: Any, key: Any, player: str) -> Any:
        if what == "renew":
            name_the_price(game, player, on_my_word=on_my_word, naming=False)
        offer = _offer(game, player, what, to, known_randomness, until)
        made = agreed(game, key, orders, offer=offer, time=time_to_write(game))
        if what == "renew":
            new_secrets.agreed_to(game, other(player), request)
        return made

    entry_by_key(request, offered, what=say("an offer"))


def _check_fits(
    what: str, to: int | None, known_randomness: bool, until: str, on_my_word: bool
) -> None:
    if what != "takeback" and (to is not None or known_randomness):
        raise Misused(
            say("--to and --known-randomness are for a takeback, not for {what}", what=what)
        )
    if what != "adjourn" and until:
        raise Misused(say("--until is for adjourn, not for {what}", what=what))
    if what != "renew" and on_my_word:
        raise Misused(say("--on-my-word is for renew, not for {what}", what=what))


def _offer(
    game: Any, player: Any, what: str, to: int | None, known_randomness: bool, until: str
) -> dict[str, Any]:
    from pbem.gamefile.format import lines
    from pbem.play.offers import take_back_of, upgrade_of

    if what == "takeback":
        return take_back_of(game, player, to, known_randomness)
    if what == "upgrade":
        return upgrade_of(game)
    if until:
        return {"what": what, "until": " ".join(lines(until))[:160]}
    return {"what": what}

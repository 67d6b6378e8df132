"""pbem odds: the exact odds of the attacks in an orders file."""

from __future__ import annotations

import os

from pbem.cli import files, report
from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_of_problems
from pbem.cli.orders_files import orders_needed, read_orders
from pbem.cli.report import about
from pbem.cli.request import CHOSEN, KEY, ORDERS, Misused, Request, declared, only_one
from pbem.cli.seats import own_key
from pbem.messages import say
from pbem.play.judged import judged
from pbem.play.now import now, told_ahead
from pbem.play.odds import must_tell_odds, odds_of, said
from pbem.text.wording import shown


@declared("odds", "game_file", ORDERS, CHOSEN, "data", *KEY, "as_json")
def command(request: Request, orders: StrPath | None, chosen: StrPath | None) -> None:
    """Show the exact odds of each attack in your orders before any dice are rolled.

    You see columns, shifts and modifiers with their rules, then who wins and how many steps each
    side loses; and what each card of your own hand that could go with the attack would make of it.
    Assumptions about what is not known yet are named. Nothing is rolled or written. Without ORDERS
    it takes the file that pbem turn wrote for this game.

    Example: pbem odds game.pbem.json orders.yaml --key ana.key
    """
    orders = orders_needed(only_one(orders, chosen), request.game_file)
    is_word = not os.path.lexists(orders) and not os.path.splitext(orders)[1]
    if is_word and not files.meant(orders):  # such as the name of a space
        told = say("there is no file {file}; odds takes a file of orders", file=shown(str(orders)))
        raise Misused(told)
    game = load_game(request.game_file, request)
    key, _ = own_key(game, request)
    with about(request.key_file or request.game_file):
        prepared, _ = judged(game, key, read_orders(orders, game))
    must_tell_odds(prepared)
    found = odds_of(prepared, whole=True)
    if request.as_json:
        report.as_json([each.plain() for each in found])
    else:
        called = prepared.table.system.words
        ahead = told_ahead(now(game, key))
        report.tell(*ahead, *said(found, called, language_of_problems()))

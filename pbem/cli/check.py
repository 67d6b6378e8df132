"""pbem check: orders judged, nothing sent."""

from __future__ import annotations

import time

from pbem.cli import files, report
from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game
from pbem.cli.old_files import refuse_old
from pbem.cli.orders_files import orders_needed, read_orders, standing_beside, standing_path
from pbem.cli.report import about
from pbem.cli.request import (
    CHOSEN,
    FLAG,
    KEY,
    ORDERS,
    Misused,
    OptionRow,
    Request,
    declared,
    only_one,
)
from pbem.cli.seats import own_key
from pbem.cli.seen import against_it, is_behind, warn_of
from pbem.gamefile.keys import KeyPair
from pbem.messages import say
from pbem.play.dry_run import DryRun, dry_run
from pbem.play.game import Game
from pbem.play.now import now, told_ahead
from pbem.problems import Refused

PAUSE = 0.5
"""Seconds between two checks of a watched file."""


@declared(
    "check", "game_file", ORDERS, CHOSEN, "data", *KEY,
    ("watch", OptionRow(("--watch",), FLAG, "Check again whenever the orders change.")),
    "as_json",
)  # fmt: skip
def command(request: Request, orders: StrPath | None, chosen: StrPath | None, watch: bool) -> None:
    """Check orders up to the first roll. Nothing is rolled, revealed or written.

    You are told which orders would lapse because their condition (when) does not hold now.

    Later orders are tried as things are now, and after the orders before them with made-up dice.
    One that is legal in none of these ways gets a warning, and lapses unless the real dice change
    that. Without --key your hand is not known: the cards you name are assumed to be in it.

    What is legal but unwise gets a line that begins with "warning". With --watch the orders are
    checked each time you save them, until you press Ctrl-C.

    Without ORDERS it checks the file that pbem turn wrote for this game.

    Example: pbem check game.pbem.json orders.yaml
    """
    named = only_one(orders, chosen)
    orders = orders_needed(named, request.game_file)
    if watch and request.as_json:
        raise Misused(say("--watch is for people and --json for programs: use only one of them"))
    game = load_game(request.game_file, request)
    key, player = own_key(game, request)
    against = against_it(game, player, request)[1]
    if against is not None:
        if player is not None and is_behind(game, against):
            refuse_old(against, game, player, request)
        warn_of(against, request, request.game_file)
    if watch:
        _watch(game, key, orders, request)
        return
    found = _checked(game, key, orders, request)
    if request.as_json:
        report.as_json(found.plain())
        return
    if named is None:
        report.tell(say("your orders are those of {file}", file=str(orders)))
    report.tell(*told_ahead(now(game, key)), *found.sentences())


def _checked(game: Game, key: KeyPair | None, orders: StrPath, request: Request) -> DryRun:
    with about(request.game_file):
        standing = standing_beside(request.game_file, game)
        return dry_run(game, key, read_orders(orders, game), standing)


def _watch(game: Game, key: KeyPair | None, orders: StrPath, request: Request) -> None:
    """Checks until stopped from the keyboard: what is wrong now may be right soon."""
    seen = None
    while True:
        stamps = files.stamp(orders), files.stamp(standing_path(request.game_file))
        if stamps != seen:
            seen = stamps
            report.tell(f"--- {orders}, {time.strftime('%H:%M:%S')}")
            try:
                found = _checked(game, key, orders, request)
                report.tell(*told_ahead(now(game, key)), *found.sentences())
            except Refused as refused:
                report.problems(refused.problems, as_json=False)
        time.sleep(PAUSE)

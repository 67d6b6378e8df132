"""pbem check: orders judged, nothing sent."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import report
from pbem.cli.options import GAME, takes
from pbem.cli.request import KEY, Request
from pbem.cli.shared import about, load_game, load_key, player_with, read_orders, warn_seen


@click.command("check")
@takes("game_file", click.argument("orders", metavar="ORDERS", type=GAME), "data", *KEY, "as_json")
def command(request: Request, orders: Path) -> None:
    """Check orders up to the first roll. Nothing is rolled, revealed or written.

    You are told which orders would lapse because their condition (when) does not hold now.

    Later orders are checked as far as they do not depend on dice, and you are told what they
    depend on. Without --key your hand is not known: the cards you name are assumed to be in it.

    Example: pbem check game.pbem.json orders.yaml
    """
    from pbem.play.dry_run import dry_run

    game = load_game(request.game_file, request)
    key = load_key(request.key_file, request) if request.key_file else None
    with about(request.key_file or request.game_file):
        player = player_with(game, key)
    with about(request.game_file):
        warn_seen(game, player, request, request.game_file)
        found = dry_run(game, key, read_orders(orders, game))
    if request.as_json:
        report.as_json(found.plain())
    else:
        report.say(*found.sentences())

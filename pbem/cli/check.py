"""pbem check: orders judged, nothing sent."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import report
from pbem.cli.options import ORDERS, orders_needed, takes
from pbem.cli.request import KEY, Request
from pbem.cli.shared import about, load_game, own_key, read_orders, standing_beside, warn_seen


@click.command("check")
@takes("game_file", ORDERS, "data", *KEY, "as_json")
def command(request: Request, orders: Path | None) -> None:
    """Check orders up to the first roll. Nothing is rolled, revealed or written.

    You are told which orders would lapse because their condition (when) does not hold now.

    Later orders are checked as far as they do not depend on dice, and you are told what they
    depend on. Without --key your hand is not known: the cards you name are assumed to be in it.

    Example: pbem check game.pbem.json orders.yaml
    """
    from pbem.play.dry_run import dry_run

    orders = orders_needed(orders)
    game = load_game(request.game_file, request)
    key, player = own_key(game, request)
    with about(request.game_file):
        warn_seen(game, player, request, request.game_file)
        standing = standing_beside(request.game_file)
        found = dry_run(game, key, read_orders(orders, game), standing)
    if request.as_json:
        report.as_json(found.plain())
    else:
        report.say(*found.sentences())

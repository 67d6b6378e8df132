"""pbem check: orders judged, nothing sent."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import report
from pbem.cli.options import GAME, data_option, json_option, key_option
from pbem.cli.shared import about, load_game, load_key, player_with, read_orders, warn_seen


@click.command("check")
@click.argument("game_file", metavar="GAME", type=GAME)
@click.argument("orders_file", metavar="ORDERS", type=GAME)
@data_option
@key_option
@json_option
def command(game_file: Path, orders_file: Path, key_file: Path | None, as_json: bool) -> None:
    """Judge the orders up to the first roll; roll, reveal and write nothing.

    Later orders are judged as far as no dice can change it, and you are told what they depend on.
    Without --key a hidden hand is not known: the cards you name are assumed to be in it.

    Example: pbem check game.pbem.json orders.yaml
    """
    from pbem.play.dry_run import dry_run

    game = load_game(game_file)
    key = load_key(key_file) if key_file else None
    with about(key_file or game_file):
        player = player_with(game, key)
    with about(game_file):
        warn_seen(game, player, None, game_file, as_json)
        found = dry_run(game, key, read_orders(orders_file, game))
    if as_json:
        report.as_json(found.plain())
    else:
        report.say(*found.sentences())

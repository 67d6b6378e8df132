"""pbem check: orders judged, nothing sent."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import report
from pbem.cli.apply import _orders
from pbem.cli.shared import (
    GAME,
    data_option,
    json_option,
    key_option,
    load_game,
    load_key,
    player_with,
)


@click.command("check")
@click.argument("game_file", metavar="GAME", type=GAME)
@click.argument("orders_file", metavar="ORDERS", type=GAME)
@data_option
@key_option
@json_option
def command(game_file: Path, orders_file: Path, key_file: Path | None, as_json: bool) -> None:
    """Judge the orders up to the first roll; roll, reveal and write nothing.

    Example: pbem check game.pbem.json orders.yaml
    """
    from pbem.orders.parse import parse
    from pbem.play.rehearsal import rehearsed

    game = load_game(game_file)
    key = load_key(key_file) if key_file else None
    player_with(game, key)
    file = parse(_orders(orders_file), game.opened.system.verbs)
    found = rehearsed(game, key, file)
    if as_json:
        report.as_json(found.plain())
    else:
        report.say(*found.sentences())

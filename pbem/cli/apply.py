"""pbem apply: the main job."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from pbem.cli import files, kept, report
from pbem.cli.shared import (
    GAME,
    check_seen,
    data_option,
    file_name,
    is_same_answer,
    json_option,
    key_option,
    last_option,
    load_game,
    load_key,
    player_with,
    remember,
)
from pbem.gamefile.errors import FileRefused


@click.command("apply")
@click.argument("game_file", metavar="GAME", type=GAME)
@click.argument("orders_file", metavar="[ORDERS]", type=GAME, required=False)
@data_option
@key_option
@click.option("-o", "--output", type=GAME, help="The game file to write; else its name is made.")
@last_option
@json_option
def command(
    game_file: Path, orders_file: Path | None, key_file: Path | None, output: Path | None,
    last: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Answer what you owe, carry out your orders, write the next game file.

    Without ORDERS only what is owed is answered: accepting a game, revealing for a roll. What is
    sent is final. In a solo game no key is needed.

    Example: pbem apply game.pbem.json orders.yaml --key ana.key -o reply.pbem.json
    """
    from pbem.cli.status import next_lines
    from pbem.play.answer import answer
    from pbem.play.story import story
    from pbem.render.formats import rendered

    game = load_game(game_file)
    key = _key(game, key_file)
    player = player_with(game, key)
    orders = _orders(orders_file)
    note, seen = "", None
    try:
        note = check_seen(game, player, last)
    except FileRefused as refused:
        seen = refused  # no harm if this is the answer given before, made again
    if seen is not None and game.fold.phase == "proposed":
        raise seen
    answered = answer(game, key, orders, fresh=os.urandom(16))
    if seen is not None and not is_same_answer(game, answered.game, player):
        raise seen
    path = output or Path(file_name(answered.game))
    content = answered.game.bytes()
    files.write_new(path, content)
    remember(answered.game, player)
    kept.keep(content, answered.game)
    told = story(answered.game, first=len(game.fold.entries))
    if as_json:
        report.as_json(_plain(answered, path, told))
        return
    if told.chapters:
        report.say(*rendered(told).rstrip("\n").split("\n"))
    for line in (*answered.notes, *([note] if note else [])):
        report.say(f"note: {line}")
    report.say(*next_lines(answered.game, player), f"written: {path}")


def _key(game: Any, key_file: Path | None) -> Any:
    if game.fold.is_solo:
        return None
    if key_file is None:
        raise click.UsageError("a game between two needs your key: --key FILE")
    return load_key(key_file)


def _orders(path: Path | None) -> Any:
    if path is None:
        return None
    from pbem.text.source import Source

    return Source.decode(str(path), files.read_bytes(path, files.ORDERS_LIMIT, "the orders file"))


def _plain(answered: Any, path: Path, told: Any) -> dict[str, Any]:
    import json

    from pbem.cli.status import plain
    from pbem.render.formats import rendered

    return {
        "file": str(path),
        "entries": len(answered.game.fold.entries),
        "notes": list(answered.notes),
        "status": plain(answered.game, None),
        "log": json.loads(rendered(told, "json")),
    }

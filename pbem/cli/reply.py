"""What `pbem apply` does: the main job. Nothing here needs click: plainly.py tells why."""

from __future__ import annotations

import os
from typing import Any

from pbem.cli import files, kept, known, report
from pbem.cli.files import StrPath
from pbem.cli.newkeys import spare
from pbem.cli.shared import (
    about,
    check_seen,
    file_name,
    is_same_answer,
    load_game,
    load_key,
    next_lines,
    player_with,
    read_source,
    remember,
)
from pbem.gamefile.errors import FileRefused
from pbem.problems import Refused


class KeyMissing(Exception):
    """The command was called without the key it needs."""


def reply(
    game_file: StrPath, orders_file: StrPath | None = None, key_file: StrPath | None = None,
    output: StrPath | None = None, last: StrPath | None = None, opponent: str | None = None,
    as_json: bool = False,
) -> None:  # fmt: skip
    """Answers what is owed, carries out the orders, writes the next game file.

    Raises Refused for whatever hinders it; KeyMissing.
    """
    from pbem.play.answer import answer
    from pbem.play.story import story
    from pbem.render.formats import rendered

    game = load_game(game_file)
    key = _key(game, key_file)
    with about(key_file or game_file):
        player = player_with(game, key)
    with about(game_file):
        met = known.introduced(game, player, opponent)
    orders = read_source(orders_file) if orders_file else None
    note, seen = "", None
    with about(game_file):
        try:
            note = check_seen(game, player, last, proof_beside=game_file)
        except FileRefused as refused:
            seen = refused  # no harm if this is the answer given before, made again
        if seen is not None and game.fold.phase == "proposed":
            raise seen
        try:
            answered = answer(game, key, orders, fresh=os.urandom(16), spare=spare())
        except Refused as refused:
            raise seen or refused from None
        if seen is not None and not is_same_answer(game, answered.game, player):
            raise seen
    path = output or file_name(answered.game)
    content = answered.game.bytes()
    told = story(answered.game, first=len(game.fold.entries))
    text = rendered(told).rstrip("\n").split("\n") if told.chapters else []
    files.write_new(path, content)
    remember(answered.game, player)
    kept.keep(content, answered.game)
    known.keep(met.keep)
    if as_json:
        report.as_json({**_plain(answered, path, told), "opponent": list(met.notes)})
        return
    report.say(*text)
    for line in (*met.notes, *answered.notes, *([note] if note else [])):
        report.say(f"note: {line}")
    report.say(*next_lines(answered.game, player), f"written: {path}")
    report.say(*_what_now(answered.game, player, path, key_file))


def _key(game: Any, key_file: StrPath | None) -> Any:
    if game.fold.is_solo:
        return None
    if key_file is None:
        raise KeyMissing("a game between two needs your key: --key FILE")
    return load_key(key_file)


def _what_now(game: Any, player: str | None, path: StrPath, key_file: StrPath | None) -> list[str]:
    """What the player does with the file that was written."""
    fold = game.fold
    if fold.is_solo:
        return []
    if fold.phase != "over" and fold.pen == player:
        return [f"it is still your turn: pbem form {path} --key {key_file} writes what to fill in"]
    other = next(seat for seat in game.seats if seat != player)
    return [f"now send {path} to your opponent, the {game.side_of(other)} player"]


def _plain(answered: Any, path: StrPath, told: Any) -> dict[str, Any]:
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

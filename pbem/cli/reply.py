"""What `pbem apply` does: the main job. Nothing here needs click: plainly.py tells why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli import files, kept, known, report
from pbem.cli.files import StrPath
from pbem.cli.newkeys import spare
from pbem.cli.shared import (
    about,
    check_seen,
    file_name,
    is_same_answer,
    keep_data,
    load_game,
    load_key,
    next_lines,
    player_with,
    read_source,
    remember,
)
from pbem.gamefile.errors import FileRefused
from pbem.problems import Refused

if TYPE_CHECKING:
    from pbem.play.game import Game


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
    notes = (*met.notes, *answered.notes, *([note] if note else []))
    send(game, answered.game, player, output, notes=notes, as_json=as_json,
         what_now=_what_now(answered.game, player, key_file), met=met)  # fmt: skip


def send(
    before: Game, after: Game, player: str | None, output: StrPath | None, *,
    notes: Sequence[str] = (), as_json: bool = False, what_now: Sequence[str] | None = None,
    met: known.Met = known.NOBODY,
) -> None:  # fmt: skip
    """Writes the game with its new entries, and says what happened and what to do next.

    `{file}` in `what_now` stands for the file; left out, it is to be sent to the opponent. The
    key of one who was `met` for the first time is kept once the file is written.
    """
    from pbem.play.story import story
    from pbem.render.formats import rendered

    path = output or file_name(after)
    content = after.bytes()
    files.write_new(path, content)
    remember(after, player)
    kept.keep(content, after)
    keep_data(after.opened)
    known.keep(met.keep)
    told = story(after, first=len(before.fold.entries))  # no fault in it keeps what was written
    text = rendered(told).rstrip("\n").split("\n") if told.chapters else []
    if as_json:
        report.as_json({**_plain(after, path, told, notes), "opponent": list(met.notes)})
        return
    report.say(*text)
    for line in notes:
        report.say(f"note: {line}")
    report.say(*next_lines(after, player), f"written: {path}")
    for line in pass_on(after, player) if what_now is None else what_now:
        report.say(line.format(file=path))


def pass_on(game: Game, player: str | None) -> list[str]:
    """What is done with a file that the other player waits for; `{file}` stands for it."""
    other = next(seat for seat in game.seats if seat != player)
    return [f"now send {{file}} to your opponent, the {game.side_of(other)} player"]


def _key(game: Any, key_file: StrPath | None) -> Any:
    if game.fold.is_solo:
        return None
    if key_file is None:
        raise KeyMissing("a game between two needs your key: --key FILE")
    return load_key(key_file)


def _what_now(game: Game, player: str | None, key_file: StrPath | None) -> list[str]:
    """What the player does with the file that was written."""
    fold = game.fold
    if fold.is_solo:
        return []
    if fold.phase != "over" and fold.pen == player:
        return [
            f"it is still your turn: pbem form {{file}} --key {key_file} writes what to fill in"
        ]
    return pass_on(game, player)


def _plain(game: Game, path: StrPath, told: Any, notes: Sequence[str]) -> dict[str, Any]:
    import json

    from pbem.cli.status import plain
    from pbem.render.formats import rendered

    return {
        "file": str(path),
        "entries": len(game.fold.entries),
        "notes": list(notes),
        "status": plain(game, None),
        "log": json.loads(rendered(told, "json")),
    }

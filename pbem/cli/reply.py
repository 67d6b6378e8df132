"""What `pbem apply` does: the main job. Nothing here needs click: plainly.py tells why."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli import files, kept, known, report
from pbem.cli.files import StrPath
from pbem.cli.newkeys import spare
from pbem.cli.passing import passed_over
from pbem.cli.shared import (
    about,
    file_name,
    keep_data,
    load_game,
    load_key,
    next_lines,
    player_with,
    read_source,
)
from pbem.cli.signing import one_at_a_time, recorded, signed

if TYPE_CHECKING:
    from pbem.play.answer import AnsweredGame
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
    passed: tuple[str, ...] = ()
    if key is not None:
        with about(game_file):
            game, passed = passed_over(game, key)
    with about(key_file or game_file):
        player = player_with(game, key)
    with about(game_file):
        accepts = game.fold.phase == "proposed" and player == "B"
        met = known.introduced(game, player, opponent, accepts=accepts)
    orders = read_source(orders_file) if orders_file else None

    def answered() -> AnsweredGame:
        return answer(game, key, orders, fresh=os.urandom(16), spare=spare())

    with one_at_a_time(game):
        made = signed(game, player, last, answered, game_file=game_file, evidence=True,
                      once_more=orders is None)  # fmt: skip
        path = put(made.game, player, output)
    tell(game, made.game, player, path, notes=(*passed, *met.notes, *made.notes),
         as_json=as_json, what_now=what_now(made.game, player, key_file), met=met)  # fmt: skip


def put(after: Game, player: str | None, output: StrPath | None) -> StrPath:
    """Records what was signed and writes its file, under the lock; returns the path.

    Raises Refused, and then nothing was recorded, where the file or the record cannot be written.
    """
    path, content = output or file_name(after), after.bytes()
    with files.staged(path, content):
        recorded(after, player, path)
    kept.keep(content, after)
    return path


def tell(
    before: Game, after: Game, player: str | None, path: StrPath, *,
    notes: Sequence[str] = (), as_json: bool = False, what_now: Sequence[str] | None = None,
    met: known.Met = known.NOBODY,
) -> None:  # fmt: skip
    """Says what happened in the game that was put at `path`, and what to do next.

    `{file}` in `what_now` stands for the file, `{word}` for it as a word of a command; left out, it
    is to be sent to the opponent. The
    key of one who was `met` for the first time is kept now.
    """
    from pbem.play.story import story
    from pbem.render.formats import rendered

    keep_data(after.opened)
    known.keep(met.keep)
    if not as_json:
        report.say(*_agreed_now(before, player))
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
        report.say(line.format(file=path, word=shlex.quote(os.fspath(path))))


def _agreed_now(before: Game, player: str | None) -> list[str]:
    """What is accepted with the entry just written, or begun with it.

    Who begins a game has proposed it, and knows its terms.
    """
    if before.fold.phase not in ("proposed", "accepted"):
        return []
    from pbem.play.story import title
    from pbem.play.terms import terms

    if before.fold.phase == "accepted":
        return [f"you begin this game: {title(before)}"]
    return [f"you accept this game: {title(before)}", *terms(before)]


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


def what_now(game: Game, player: str | None, key_file: StrPath | None) -> list[str]:
    """What the player does with the file that was written."""
    fold = game.fold
    if fold.is_solo:
        return []
    if fold.phase != "over" and fold.pen == player:
        key = shlex.quote(str(key_file)).replace("{", "{{").replace("}", "}}")
        return [f"it is still your turn: pbem form {{word}} --key {key} writes what to fill in"]
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

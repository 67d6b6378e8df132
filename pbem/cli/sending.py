"""How a command that adds an entry ends: the file written, the record kept, the player told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import files, kept, report
from pbem.cli.shared import (
    about,
    check_seen,
    file_name,
    keep_data,
    load_game,
    load_key,
    next_lines,
    player_with,
    remember,
)
from pbem.play.game import Game

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame


def game_for_two(path: Path) -> Game:
    """The verified game of a file. Raises a usage error for a solo game."""
    game = load_game(path)
    if game.fold.is_solo:
        raise click.UsageError(
            "a solo game has nobody to agree with: go on from an earlier file of it instead"
        )
    return game


def entry_by_key(
    game_file: Path, key_file: Path | None, output: Path | None, last: Path | None, as_json: bool,
    write: Callable[[Game, KeyPair, str], AnsweredGame], *, what: str,
) -> None:  # fmt: skip
    """Adds the entry that `write` makes of the game, the key and its owner's seat, and sends it.

    `what` is what is sent, with its article. Raises a usage error without a key, Refused for
    whatever hinders the entry.
    """
    if key_file is None:
        raise click.UsageError(f"{what} needs your key: --key FILE")
    game = game_for_two(game_file)
    key = load_key(key_file)
    with about(key_file):
        player = player_with(game, key)
    assert player is not None
    with about(game_file):
        note = check_seen(game, player, last)
        answered = write(game, key, player)
    notes = [*answered.notes, *([note] if note else [])]
    send(game, answered.game, player, output, notes=notes, as_json=as_json)


def send(
    before: Game, after: Game, player: str | None, output: Path | None, *,
    notes: Sequence[str] = (), as_json: bool = False, what_now: Sequence[str] = (),
) -> None:  # fmt: skip
    """Writes the game with its new entries, and says what happened and what to do next."""
    from pbem.cli.status import plain
    from pbem.play.story import story
    from pbem.render.formats import rendered

    path = output or Path(file_name(after))
    content = after.bytes()
    told = story(after, first=len(before.fold.entries))
    files.write_new(path, content)
    remember(after, player)
    kept.keep(content, after)
    keep_data(after.opened)
    if as_json:
        import json

        report.as_json(
            {"file": str(path), "entries": len(after.fold.entries), "notes": list(notes),
             "status": plain(after, None), "log": json.loads(rendered(told, "json"))}
        )  # fmt: skip
        return
    report.say(*(rendered(told).rstrip("\n").split("\n") if told.chapters else []))
    for line in notes:
        report.say(f"note: {line}")
    report.say(*next_lines(after, player), f"written: {path}")
    report.say(*(line.format(file=path) for line in what_now or [_pass_on(after, player)]))


def _pass_on(game: Game, player: str | None) -> str:
    other = next(seat for seat in game.seats if seat != player)
    return f"now send {{file}} to your opponent, the {game.side_of(other)} player"

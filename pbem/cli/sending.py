"""How a command that adds an entry ends: the file written, the record kept, the player told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from pbem.cli import files, kept, report
from pbem.cli.shared import file_name, keep_data, load_game, next_lines, remember
from pbem.play.game import Game


def game_for_two(path: Path) -> Game:
    """The verified game of a file. Raises a usage error for a solo game."""
    game = load_game(path)
    if game.fold.is_solo:
        raise click.UsageError(
            "a solo game has nobody to agree with: go on from an earlier file of it instead"
        )
    return game


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

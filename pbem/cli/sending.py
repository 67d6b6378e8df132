"""Commands that add an entry by a key: the way there; reply.py has how they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.reply import send
from pbem.cli.shared import about, check_seen, load_game, load_key, player_with
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

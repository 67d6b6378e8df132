"""Commands that add an entry by a key: the way there; reply.py has how they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.passing import passed_over
from pbem.cli.reply import put, tell, what_now
from pbem.cli.shared import about, load_game, load_key, player_with
from pbem.cli.signing import one_at_a_time, signed
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
    with about(game_file):
        game, passed = passed_over(game, key)
    with about(key_file):
        player = player_with(game, key)
    assert player is not None
    with one_at_a_time(game):
        made = signed(game, player, last, lambda: write(game, key, player), game_file=game_file,
                      beside=True)  # fmt: skip
        path = put(made.game, player, output)
    tell(game, made.game, player, path, notes=(*passed, *made.notes), as_json=as_json,
         what_now=what_now(made.game, player, key_file))  # fmt: skip

"""pbem cards: what the cards of a game do, and whether one can be played now."""

from __future__ import annotations

import os
from pathlib import Path

import click

from pbem.cli import folder, report
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_here
from pbem.cli.options import is_game, row_of_click, takes
from pbem.cli.report import about
from pbem.cli.request import KEY, Misused, Request
from pbem.cli.seats import own_key
from pbem.cli.shown import ENTRY, shown
from pbem.games import GAMES
from pbem.messages import Message, say
from pbem.play.cards import nothing_held, of_game, of_system, said
from pbem.play.now import told_ahead


@click.command("cards")
@takes(
    click.argument("game", required=False),
    click.argument("card", required=False),
    "data", *KEY, row_of_click(*ENTRY), "as_json",
)  # fmt: skip
def command(request: Request, game: str | None, card: str | None, entry: int | None) -> None:
    """Explain the cards of GAME in our own words: your hand, or the CARD you name.

    GAME is a game file, or a system as in pbem games. With a key you see what each card in your
    hand can be played for now, and why not. If the dice of your next mail have fallen, what
    they brought is included, and a line says so; --entry leaves it out.

    Example: pbem cards game.pbem.json N14 --key ana.key
    """
    if game is None or (card is None and game not in GAMES and not is_game(Path(game))):
        game, card = folder.only_game(request.key_file), game
    language = language_here()
    is_system = game in GAMES and not os.path.exists(game)
    ahead: tuple[Message, ...] = ()
    if is_system:
        if entry is not None:
            raise Misused(say("--entry goes with a game file"))
        found = of_system(request.library.to_begin(game).system, card, language)
    else:
        loaded = load_game(game, request)
        key, _ = own_key(loaded, request)
        with about(request.key_file or game):
            loaded = shown(loaded, key, entry)
            found = of_game(loaded, key, card, language)
        ahead = told_ahead(loaded)
    if request.as_json:
        report.as_json([each.plain() for each in found])
        return
    report.tell(*ahead)
    if found:
        report.tell(*said(found, language, is_list=is_system and card is None))
    else:
        report.tell(nothing_held(loaded, key))

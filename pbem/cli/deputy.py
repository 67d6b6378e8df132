"""pbem deputy: names somebody who may go on for a player."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import files, kinds, meant
from pbem.cli.keyfiles import public_in_file
from pbem.cli.options import GAME, takes
from pbem.cli.request import SIGNING, Misused, Request
from pbem.cli.sending import entry_by_key
from pbem.cli.settings import time_to_write
from pbem.gamefile.standing_in import with_deputy
from pbem.messages import say
from pbem.play.answer import AnsweredGame, has_begun, not_on_own_note
from pbem.play.game import tool

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play.game import Game


@click.command("deputy")
@takes(
    "game_file",
    click.option("--to", "deputy", type=GAME, metavar="KEY.pub",
                 help="The public key of the deputy."),
    click.option("--ends", is_flag=True,
                 help="They may also resign, accept a claim, and agree to a draw, another end, a "
                 "take-back or other rules."),
    click.option("--without-secrets", is_flag=True,
                 help="Do not hand over what you keep hidden: they can only go on with new secrets "
                 "(pbem offer)."),
    click.option("--withdraw", is_flag=True, help="Nobody may go on for you any more."),
    click.option("--yes", is_flag=True,
                 help="Sign without asking, although the deputy you have may have written."),
    *SIGNING,
)  # fmt: skip
def command(
    request: Request, deputy: Path | None, ends: bool, without_secrets: bool, withdraw: bool,
    yes: bool,
) -> None:  # fmt: skip
    """Name a deputy, who may go on for you with a key of their own.

    They see what you see, and nothing else: your secrets of this one game go with the entry, and
    only their key opens them. What they write counts as yours, at any time from then on, and every
    entry says that they wrote it. They cannot change keys. Without --ends they can neither end the
    game nor take it back: a claim by the terms for silence is accepted by you alone.
    Agree on who writes: two different entries at one place are a fork, whoever of you signed them.
    So ask your deputy before you withdraw or replace them: what they have written since your file
    and your entry would be two stories. In a terminal you are asked; a script needs --yes.

    The deputy needs the game file and their key: pbem turn GAME --key THEIR.key.

    The entry holds nothing else, in your turn or beside it. Beside the turn it counts once your
    opponent has written on it; --withdraw, too.

    Example: pbem deputy game.pbem.json --to cara.key.pub --key ana.key

    Example: pbem deputy --withdraw
    """
    if withdraw == (deputy is not None):
        raise Misused(say("name the key of a deputy with --to KEY.pub, or write --withdraw"))
    if withdraw and (ends or without_secrets):
        raise Misused(say("--ends and --without-secrets go with --to"))
    public = None
    if deputy is not None:
        raw = kinds.read_as(kinds.PUBLIC, deputy, files.KEY_LIMIT, say("the deputy's key"))
        public = public_in_file(deputy, raw)[0]

    def written(game: Game, key: KeyPair, player: str) -> AnsweredGame:
        has_begun(game, say("a deputy can be named once it has"))
        not_on_own_note(game, player)
        fold = with_deputy(
            game.fold, key, public, tool=tool(), time=time_to_write(game), ends=ends,
            hands_over=not without_secrets,
        )  # fmt: skip
        told = meant.second_story(game, key, player)
        meant.check_deputy_gone(told, request, yes=yes)
        return AnsweredGame(game.after(fold))

    entry_by_key(request, written, what=say("a deputy"), asks=False)

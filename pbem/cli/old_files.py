"""What goes no further from an old file, and what to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli import folder
from pbem.cli.files import StrPath
from pbem.cli.report import about
from pbem.cli.request import Request
from pbem.cli.seats import key_words
from pbem.cli.seen import answer_kept, is_behind
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair
from pbem.late import Late
from pbem.messages import say
from pbem.platforms import quote
from pbem.play.game import Game
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.play.forms import asked_table
else:  # few files are old
    asked_table = Late("pbem.play.forms").asked_table


def refuse_old(
    against: FileRefused, game: Game, player: str | None, request: Request, *,
    key: KeyPair | None = None, mail: StrPath | None = None,
) -> None:  # fmt: skip
    """Raises the record's objection to a file, with the file or the command that goes on: nobody
    fills in a form, has orders checked or says yes in vain.

    Where the holder of the `key` is asked nothing, an answer whose file is lost is signed again, as
    it was.
    `mail`: what the game came in, if its file is not written yet.
    """
    path = request.game_file
    if is_behind(game, against):
        further = folder.further_than(path, game.filed.fold.entries, key_words(request))
        is_kept = answer_kept(game, player) is not None
        if is_kept and not further and key is not None and asked_table(game, key) is None:
            return
        hint = say("the newer file is not beside this one; if it is lost, ask your opponent to "
                   "send their last mail again")  # fmt: skip
        if is_kept:
            again = f"pbem apply {quote(str(path))}{key_words(request)}"
            if mail is not None:
                first = f"pbem read {quote(str(mail))}{key_words(request)}"
                hint = say("go to the folder with the file of your answer; if it is lost, these "
                           "two write it again: {first}, then {command}",
                           first=first, command=again)  # fmt: skip
            else:
                hint = say("the file with your answer is not beside this one; if it is lost, this "
                           "writes it again: {command}", command=again)  # fmt: skip
        against.problems = (replace(against.problems[0], hint=further[0] if further else hint),)
    with about(path if mail is None else mail):
        raise against

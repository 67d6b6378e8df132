"""What goes no further from an old file, and what to go on with."""

from __future__ import annotations

from pbem.cli import folder
from pbem.cli.report import about
from pbem.cli.request import Request
from pbem.cli.seats import key_words
from pbem.cli.seen import answer_kept, is_behind
from pbem.gamefile.errors import FileRefused
from pbem.messages import say
from pbem.play.game import Game
from pbem.value import replace


def lost_answer(
    against: FileRefused, game: Game, player: str | None, request: Request
) -> FileRefused | None:
    """The record's objection to a file where all that can be signed is the answer that was signed
    before: the file with it is lost.

    Otherwise it is raised, with the file or the command that goes on: nobody fills in a form, has
    orders checked or says yes in vain.
    """
    path = request.game_file
    if is_behind(game, against):
        further = folder.further_than(path, game.filed.fold.entries, key_words(request))
        if not further and answer_kept(game, player) is not None:
            return against
        hint = further[0] if further else say(
            "the newer file is not beside this one; if it is lost, ask your opponent to send their "
            "last mail again"
        )  # fmt: skip
        against.problems = (replace(against.problems[0], hint=hint),)
    with about(path):
        raise against

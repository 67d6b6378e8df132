"""Signing: one command at a time in a game, and nothing signed that is not recorded.

Two answers to one position are a fork that the other player can prove. So a command that signs
takes the lock of its game, compares the file with the record, writes the record and only then the
file. A command killed in between leaves a record without a file: the same answer, made again, is
the same bytes and not a fork.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.cli import locks, report
from pbem.cli.report import about
from pbem.cli.request import Request
from pbem.cli.seen import (
    answer_kept,
    check_newest,
    check_seen,
    is_same_answer,
    naming_newer,
    newer_file,
    remember,
)
from pbem.gamedata import folders
from pbem.gamefile import witness
from pbem.gamefile.errors import FileRefused
from pbem.messages import Said, say
from pbem.play.answer import AnsweredGame as Signed
from pbem.problems import Problem, Refused, Span, reason
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.cli.files import StrPath
    from pbem.play.game import Game

WRITTEN_AGAIN = say("this is the same answer as before, written again")
PATIENCE = 3.0
"""Seconds that a command waits for another one signing in the same game."""


@contextmanager
def one_at_a_time(game: Game, request: Request) -> Iterator[None]:
    """Inside, no other command on this machine signs in the game. Solo games need no lock.

    Raises Refused: `busy` if another command keeps the lock, `no-record` if no lock and so no
    record can be had.
    """
    handle = None if game.fold.is_solo else _locked(witness.name(game.fold), request)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)  # which releases the lock, as the end of the process does


def recorded(game: Game, player: str | None, file: StrPath, request: Request) -> None:
    """Records what is about to be sent. Raises Refused (`no-record`) on failure."""
    if game.fold.is_solo:
        return
    try:
        remember(game, player, file)
    except OSError as error:
        _refuse_unrecorded(error, request)


def signed(
    game: Game, player: str | None, make: Callable[[], Signed], request: Request,
    *, evidence: bool = False, once_more: bool = False, beside: bool = False,
) -> Signed:  # fmt: skip
    """What `make` signs, unless this player has signed something else for the same position.

    To be called with the lock. `evidence`: the proof of a fork is written next to the game file.
    `once_more`: the player chooses nothing, so the earlier answer will do. `beside`: the entry may
    be out of turn, so nobody on this machine may have gone further. Raises FileRefused like
    `check_seen`, and whatever `make` raises.
    """
    seen, game_file = None, request.game_file
    note: Said = ""
    with about(game_file):
        try:
            note = check_seen(game, player, request, proof_beside=game_file if evidence else None)
        except FileRefused as refused:
            seen = refused  # harmless if this is the earlier answer, made again
        try:
            made = make()
        except Refused:
            if seen is None:
                raise
            return _given_before(game, player, seen, once_more)
        if seen is not None and not is_same_answer(game, made.game, player):
            return _given_before(game, player, seen, once_more)
        if seen is None and beside and not request.pass_over:
            check_newest(game)
    if seen is not None:
        note = WRITTEN_AGAIN
    return replace(made, notes=(*made.notes, note)) if note else made


def _given_before(game: Game, player: str | None, seen: FileRefused, once_more: bool) -> Signed:
    """The answer in the record. Raises `seen` if there is none, or none is wanted."""
    kept = answer_kept(game, player) if seen.code == "E-ROLLBACK" else None
    if kept is None:
        raise naming_newer(seen, game, player)
    if not once_more:
        newer = newer_file(game, player)
        raise FileRefused(
            seen.code,
            say("you have already signed an answer to this position"),
            rule=seen.problems[0].rule,
            hint=say(
                "never answer the same position twice: send that file {newer}; if it is lost, pbem "
                "apply without orders writes it again",
                newer=newer,
            )
            if newer
            else say(
                "never answer the same position twice: send that file; if it is lost, pbem apply "
                "without orders writes it again"
            ),
        ).placed(entry=len(game.fold.entries))
    return Signed(kept, (WRITTEN_AGAIN,))


# --- the lock


def _locked(name: str, request: Request) -> int | None:
    """The open file that holds the lock of a game; None if it is signed without one."""
    try:
        return locks.held(name, PATIENCE)
    except locks.Busy as busy:
        raise Refused(
            Problem(
                "busy",
                say("another pbem is signing in this game ({holder})", holder=busy.holder),
                Span(busy.path, 0, 0),
                hint=say("wait for it or stop it, and check what it wrote before you try again"),
            )
        ) from None
    except OSError as error:
        _refuse_unrecorded(error, request)
        return None


def _refuse_unrecorded(error: OSError, request: Request) -> None:
    """Raises Refused (`no-record`), unless the player allowed to go on without a record."""
    if not request.no_record:
        where = folders.config() or say("a folder of your own")
        raise Refused(
            Problem(
                "no-record",
                say(
                    "nothing was signed, because no record of it can be kept in {where}: {reason}",
                    where=where,
                    reason=reason(error),
                ),
                hint=say(
                    "fix that, or add --no-record: then nothing stops you from answering one "
                    "position twice, which your opponent could prove"
                ),
            )
        )
    report.warn(say("note: the signature could not be recorded"))

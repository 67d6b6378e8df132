"""Game files: read, verified and named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.cli import files, kinds, report
from pbem.cli.exits import hold
from pbem.cli.files import StrPath
from pbem.cli.report import Unverified
from pbem.cli.request import Misused, Request
from pbem.gamefile.format import entries_alike, inflated, read, write
from pbem.late import Late
from pbem.messages import say
from pbem.platforms import quote
from pbem.play.game import Game
from pbem.play.systems import DataRefused, OpenedGame
from pbem.problems import Problem, Refused, Span

if TYPE_CHECKING:
    from pbem.cli import replay_cache
    from pbem.play.snapshot import read_game
else:  # verify reads every entry anew, and keeps nothing
    replay_cache = Late("pbem.cli.replay_cache")
    read_game = Late("pbem.play.snapshot").read_game


def load_game(
    path: StrPath, request: Request, *, whole: bool = False, told: str = ""
) -> Game:  # fmt: skip
    """The verified game of a file; its faults are placed at the file.

    `whole` wants the journals of all entries, not only of those that are new here. With `told`, one
    of TOLD, what is kept of the others replaces them.
    """
    packed = read_game_file(path)
    with unverified(path):
        raw = inflated(packed)
        kept = replay_cache.load(raw, told)
        game = read_game(raw, None if whole else kept, request.library)
        hold(game)
    replay_cache.keep_read(raw, game, kept, told)
    if told and not game.source[1]:
        replay_cache.keep_read(raw, game, replay_cache.load(raw))
    keep_data(game.opened, request)
    return game


def read_game_file(path: StrPath, *also: str) -> bytes:
    """The bytes of a game file, unless it is too large to be one, or clearly something else.

    `also` are kinds of kinds.py that are accepted here.
    """
    try:
        raw = kinds.read_as(kinds.GAME, path, files.GAME_LIMIT, say("the game file"), *also)
    except Refused as refused:
        if any(problem.code == "E-LIMIT" for problem in refused.problems):
            raise Unverified(*refused.problems) from None
        raise
    if not also and kinds.is_no_game(raw):  # whoever asks for it again gets the same file
        raise Refused(
            Problem(
                "wrong-kind",
                say("this is not a game file"),
                Span(str(path), 0, 0),
                hint=say("if it came by mail: pbem read {file}", file=quote(str(path))),
            )
        )
    return raw


def keep_data(opened: OpenedGame, request: Request) -> None:
    """Keeps a copy of the owner's folder, if one was named, for later commands."""
    if not request.library.keep(opened):
        report.warn(say("note: your data could not be copied; use --data each time"))


def check_there(game: Game, entry: int) -> None:
    """Raises Misused for the number of an entry that is not in the file."""
    last = len(game.fold.entries) - 1
    if entry > last:
        raise Misused(
            say(
                "entry {entry} is not in the file, which ends with entry {last}",
                entry=entry,
                last=last,
            )
        )


@contextmanager
def unverified(path: StrPath) -> Iterator[None]:
    """Turns refusals inside into faults of a game file, placed there."""
    try:
        yield
    except DataRefused:
        raise
    except Refused as refused:
        raise Unverified(*(problem.placed_at(str(path)) for problem in refused.problems)) from None


DIGITS, MORE_DIGITS = 8, 24
"""The digits of a game in the names of its files, and where another game has the same ones: whoever
proposes a game can look for one that has.
"""


def file_name(game: Game, digits: int = DIGITS) -> str:
    """`<game>-<turn>-<nnn>-<from>2<to>.pbem.json`, made from the chain alone.

    The game is named by its proposal, so all of its files sort together from the start.
    """
    fold = game.fold
    last = fold.entries[-1]
    short = fold.entries[0].id[:digits]
    turn = game.table.clock.turn if game.table else 0
    sender = last.by.lower()
    receiver = "b" if sender == "a" else "a"
    slug = game.opened.system.slug
    return f"{slug}_{short}-{turn:02}-{last.seq:03}-{sender}2{receiver}.pbem.json"


def name_here(game: Game) -> str:
    """The name of a game's file in this folder: with more digits of the game where the file of
    another one has it.
    """
    name, entries = file_name(game), game.fold.entries
    if not os.path.exists(name):
        return name
    try:
        raw = files.read_bytes(name, files.GAME_LIMIT, say("the file"))
        is_its_own = entries_alike(raw, write(entries)) or read(raw)[0].id == entries[0].id
    except Refused:
        return name
    return name if is_its_own else file_name(game, MORE_DIGITS)

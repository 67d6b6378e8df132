"""The record of what the players on this machine have seen of each game."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.cli import files, locks, report
from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game
from pbem.cli.request import Request
from pbem.gamedata import folders
from pbem.gamefile import witness
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import after
from pbem.gamefile.in_play import PLAYERS
from pbem.messages import Row, Said, say
from pbem.platforms import quote
from pbem.play.game import Game
from pbem.problems import Problem, Refused, Span
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.gamefile.chain import Entry

FORMAT = "pbem-seen/1"
"""The format of a record, as it is named in it."""
BESIDE = frozenset({"format", "file"})
"""What a record says besides what was seen: its format, and the file that holds it."""
PATIENCE = 1.0
"""Seconds that reading waits for a command that signs in the same game."""
FOLDER = "here"
"""Any file of this folder: a proof lies beside it."""
HISTORY = frozenset({"E-ROLLBACK", "E-FORK", "E-DOUBLE"})
"""Refusals by a record of this machine for a file that is fine in itself."""


def check_seen(
    game: Game, player: str | None, request: Request, *, proof_beside: StrPath | None = None
) -> Said:
    """Compares the game with what this player saw of it; returns a note.

    The note says that there is no record, or which entry of the player's own was passed over.

    Raises FileRefused with one of HISTORY. If `proof_beside` is a file, the proof of a fork is
    written into its folder.
    """
    if game.fold.is_solo:
        return ""
    seen = _seen(game, player)
    last, over, crossed = request.last, request.pass_over, None
    sent = load_game(last, request).fold if last is not None else None
    stories = []
    try:
        if sent is not None:
            stories.append(sent.entries)
            crossed = witness.compare_files(sent, game.fold, player=player, passing_over=over)
        if seen is not None:
            stories.append(witness.story(seen, game.fold))
            crossed = witness.compare(seen, game.fold, passing_over=over) or crossed
    except FileRefused as refused:
        if proof_beside is None or refused.code not in HISTORY or not stories[-1]:
            raise
        raise _with_proof(
            refused, game, player, stories[-1], os.path.dirname(proof_beside)
        ) from None
    if crossed is not None:
        from pbem.play import crossed as void

        return say("{notes}", notes=Row(tuple(void.lines(game, crossed)), "; "))
    if seen is None:
        is_first = player is None or game.fold.phase == "proposed"
        return "" if last or is_first else witness.NO_RECORD
    return ""


def check_may_be_newest(
    game: Game, player: str | None, request: Request,
    known: Callable[[Game, Request], Game | None],
) -> None:  # fmt: skip
    """Refuses what came if it can never be the newest state of its game: it has only notes that
    crossed an entry that counts, or it tells another story than the one that was seen. The proof
    of that is written into this folder, where there is one; an older file is no fault.

    `known` gives the newest file that is at hand, which stands for the record where there is none.
    Raises FileRefused with one of HISTORY.
    """
    if game.fold.is_solo:
        return
    players = (player,) if player is not None else (None, *PLAYERS)
    try:
        for each in players:
            check_seen(game, each, request, proof_beside=FOLDER)
        if not any(_seen(game, each) for each in players) and (there := known(game, request)):
            _check_goes_on(there, game, player)
    except FileRefused as refused:
        if not is_behind(game, refused):
            raise


def _check_goes_on(there: Game, game: Game, player: str | None) -> None:
    try:
        witness.compare_files(there.fold, game.fold, player=player)
    except FileRefused as refused:
        raise _with_proof(refused, game, player, there.fold.entries, "") from None


def _with_proof(
    refused: FileRefused, game: Game, player: str | None, known: Sequence[Entry], folder: str
) -> FileRefused:
    from pbem.cli import evidence

    return evidence.told(refused, game, player, known, folder)


def warn_seen(game: Game, player: str | None, request: Request, path: StrPath) -> Said:
    """Like `check_seen`, for a command that signs nothing: reports and goes on."""
    note, against = against_it(game, player, request)
    if against is not None:
        warn_of(against, request, path)
    return note


def warn_of(against: FileRefused, request: Request, path: StrPath) -> None:
    """Reports the record's objection to a file where the command goes on."""
    warnings = [
        replace(
            one,
            message=say("warning: {message}", message=one.message),
            span=Span(str(path), 0, 0),
        )
        for one in against.problems
    ]
    report.problems(warnings, as_json=request.as_json)


def against_it(game: Game, player: str | None, request: Request) -> tuple[Said, FileRefused | None]:
    """The note of `check_seen`, and the record's objection to a file, one of HISTORY."""
    try:
        if player is not None:
            return check_seen(game, player, request), None
        for anybody in (None, "A", "B"):  # no reader is named: the player who has seen more counts
            check_seen(game, anybody, request)
        return "", None
    except FileRefused as refused:
        if refused.code not in HISTORY:
            raise
        return "", naming_newer(refused, game, player)


def is_behind(game: Game, against: FileRefused) -> bool:
    """Whether the record objects to a file only because it ends earlier than what was seen."""
    return against.code == "E-ROLLBACK" and (against.entry or 0) >= len(game.fold.entries)


def check_newest(game: Game) -> None:
    """Refuses a file that is older than what any player on this machine has written.

    Raises FileRefused (E-ROLLBACK), which names the newer file.
    """
    for player in PLAYERS:
        seen = _seen(game, player)
        if seen is not None:
            try:
                witness.check_not_behind(seen, game.fold)
            except FileRefused as refused:
                raise naming_newer(refused, game, player) from None


def naming_newer(refused: FileRefused, game: Game, player: str | None) -> FileRefused:
    """The refusal of an old file, with the name of the newer one if the record knows it."""
    newer = newer_file(game, player) if refused.code == "E-ROLLBACK" else ""
    refused.problems = tuple(
        replace(one, hint=say("{hint} {newer}", hint=one.hint, newer=newer)) if newer else one
        for one in refused.problems
    )
    return refused


def newer_file(game: Game, player: str | None) -> Said:
    """Names the file last written here for a player, if the record knows it."""
    players = PLAYERS if player is None else (player,)
    records = [seen for seen in (_seen(game, each) for each in players) if seen]
    newest = max(records, key=lambda seen: seen["seq"], default=None)
    name = newest.get("file") if newest else None
    if newest is None or not isinstance(name, str) or newest["seq"] < len(game.fold.entries):
        return ""
    return say("({file}, up to entry {entry})", file=quote(name), entry=newest["seq"])


def is_same_answer(before: Game, after: Game, player: str | None) -> bool:
    """Whether the last entry this player saw is exactly the answer now made again."""
    seen = _seen(before, player)
    last = after.fold.entries[-1]
    return seen is not None and (seen["seq"], seen["id"]) == (last.seq, last.id)


def _seen(game: Game, player: str | None) -> dict[str, Any] | None:
    path = _seen_file(game, player)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            seen = json.load(file)
    except (OSError, ValueError, RecursionError):
        seen = None
    named = seen.get("format") if isinstance(seen, dict) else None
    if isinstance(named, str) and named.startswith(FORMAT[:-1]) and named != FORMAT:
        raise _of_newer(
            path,
            say("the record of this game is of the format {named}, and needs a newer pbem",
                named=format(ascii(named), ".40")),
        )  # fmt: skip
    # A damaged record counts as none; it is written again.
    if named != FORMAT or not witness.is_record(seen):
        return None
    if strange := sorted(seen.keys() - witness.MEMBERS - BESIDE):
        raise _of_newer(
            path,
            say("the record of this game has {name}, which only a newer pbem knows",
                name=format(ascii(strange[0]), ".40")),
        )  # fmt: skip
    return seen


def _of_newer(path: str, what: Said) -> Refused:
    hint = say("it says what was signed on this machine, so nothing is done without it")
    return Refused(Problem("record", what, Span(path, 0, 0), hint=hint))


def answer_kept(game: Game, player: str | None) -> Game | None:
    """The game with the recorded answer to exactly this position, if any."""
    seen = _seen(game, player)
    story = () if seen is None else witness.story(seen, game.fold)
    known = len(game.fold.entries)
    if [each.id for each in story[:known]] != [each.id for each in game.fold.entries]:
        return None
    fold = game.fold
    for entry in story[known:]:
        if entry.by != player:
            return None
        fold = after(fold, entry)
    return game.after(fold) if len(story) > known else None


def remember(game: Game, player: str | None, file: StrPath) -> None:
    """Records what this player has now seen, and in which file it is.

    Raises OSError on failure.
    """
    path = _seen_file(game, player)
    if path is None:
        raise FileNotFoundError("HOME is not set")
    record = witness.record(game.fold, player)
    made = {"format": FORMAT, **record, "file": os.path.basename(file)}
    content = json.dumps(made, sort_keys=True).encode()
    files.replace_own(path, content)


def remember_read(game: Game, player: str | None, request: Request, file: StrPath) -> Said:
    """Records what a player has read, so that nothing else can take its place in silence; returns
    the note of `check_seen`.

    What the record objects to is not recorded, nor anything for a reader who is no player. Whoever
    signs meanwhile records more: it is done under the same lock, or not at all.
    """
    if player is None or game.fold.is_solo:
        return ""
    try:
        handle = locks.held(witness.name(game.fold), PATIENCE)
    except (locks.Busy, OSError):
        return ""
    try:
        note, against = against_it(game, player, request)
        seen, last = _seen(game, player), game.fold.entries[-1]
        if not against and (seen is None or (seen["seq"], seen["id"]) != (last.seq, last.id)):
            with suppress(OSError):
                remember(game, player, file)
    finally:
        os.close(handle)
    return note


def _seen_file(game: Game, player: str | None) -> str | None:
    folder = folders.config("seen")
    name = f"{witness.name(game.fold)}-{player or 'anyone'}.json"
    return os.path.join(folder, name) if folder is not None else None

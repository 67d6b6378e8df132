"""Whose key was given: the seat that it has in a game, and how to name it."""

from __future__ import annotations

import os
from typing import NoReturn

from pbem.cli import files, kinds, report, settings
from pbem.cli.files import StrPath
from pbem.cli.keyfiles import key_to_look, read_key, shown_public
from pbem.cli.report import about
from pbem.cli.request import NEEDS_KEY, Misused, Request
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, key_fingerprint, public_in
from pbem.gamefile.notes import trailing
from pbem.gamefile.rotation import FOR_THE_OTHER, is_taken, no_seat, retired
from pbem.messages import Said, say
from pbem.platforms import quote
from pbem.play.game import Game
from pbem.value import replace


def own_key(game: Game, request: Request) -> tuple[KeyPair | None, str | None]:
    """The key to view a game with, and the seat of its owner; None without a key. A locked one is
    opened when a secret is needed.

    The folder's key counts only if it has a seat. Raises Refused for a named key (--key) without
    one.
    """
    path = request.key_file
    if path is None or (settings.is_usual_key(path) and not _counts(game, path)):
        return None, None
    key = key_to_look(path, request)
    with about(path):
        return key, player_with(game, key, request)


def own_seat(game: Game, request: Request) -> tuple[str | None, KeyPair | None]:
    """The seat that `own_key` finds, and the key, if it had to be opened: a passphrase is asked for
    only where the file of the key does not show whose it is.
    """
    path = request.key_file
    if path is None or (settings.is_usual_key(path) and not _counts(game, path)):
        return None, None
    try:
        public = public_in(read_key(path))
    except FileRefused:
        key, player = own_key(game, request)
        return player, key
    with about(path):
        return game.fold.player_of(public), None


def _counts(game: Game, path: StrPath) -> bool:
    """Whether the folder's key counts in a game. One that is not there is told, and not missed:
    what is public needs no key.
    """
    if os.path.lexists(path):
        return _has_seat(game, path)
    if not game.fold.is_solo:
        report.warn_once(
            say(
                "note: your key {path} is not there, so you see only what is public; pbem rotate "
                "--help tells what to do if it is lost",
                path=str(path),
            )
        )
    return False


def _has_seat(game: Game, path: StrPath) -> bool:
    """Whether a key has a part in a game, as far as can be seen without its passphrase."""
    if game.fold.is_solo:
        return False
    try:
        public = public_in(read_key(path))
        keys = game.fold.machine.keys
        return public in keys.publics.values() or any(x.public == public for x in keys.deputies)
    except FileRefused:
        return True  # unknown before it is opened


def check_seat(game: Game, request: Request, path: StrPath) -> None:
    """Raises Refused (W8) if the other player has named another key for the seat of the folder's
    key, with the file to go on from: to its owner the game is not one that they only watch.
    """
    own = request.key_file
    if own is None or game.fold.is_solo or not os.path.lexists(own):
        return
    public = shown_public(own)
    if public is not None and is_taken(game.fold.machine, public):
        with about(path):
            raise _with_way_out(no_seat(game.fold.machine, public), game, public, request)


def no_key(game: Game, request: Request, path: StrPath) -> NoReturn:
    """Raises what a command says that needs the key of a player and has none: as `check_seat`,
    Refused for a key that is none of theirs, or no longer, or Misused.
    """
    check_seat(game, request, path)
    own = request.key_file
    public = shown_public(own) if own is not None and os.path.lexists(own) else None
    if own is not None and public is not None:
        with about(own):
            raise no_seat(game.fold.machine, public)
    raise Misused(NEEDS_KEY)


def _replaced(game: Game, public: bytes) -> str | None:
    """The player who has replaced this key, by their own hand or with their spare one."""
    made = None if game.fold.is_solo else retired(game.fold.machine, public)
    return None if made is None or made.signed_by in FOR_THE_OTHER else made.of


def _with_way_out(refused: FileRefused, game: Game, public: bytes, request: Request) -> FileRefused:
    """The refusal W8 with the file to go on from, if it is here."""
    from pbem.cli import folder

    made = retired(game.fold.machine, public)
    assert made is not None
    file = folder.goes_to(game.fold.entries[: made.entry])
    if file is not None:
        hint = say(
            "if you have lost nothing, go on from entry {entry}: {command}; if you asked for the "
            "new key, name it with --key",
            entry=made.entry - 1, command=f"pbem turn {quote(file)}{key_words(request)}",
        )  # fmt: skip
        refused.problems = tuple(replace(each, hint=hint) for each in refused.problems)
    return refused


def seat_of(game: Game, path: StrPath | None) -> str | None:
    """The seat of a key, which need not be opened for this, or of its player if they have replaced
    it; None without a seat.

    Raises Refused for a file that is no key.
    """
    if path is None or game.fold.is_solo:
        return None
    raw = kinds.read_as(kinds.KEY, path, files.KEY_LIMIT, say("the key file"))
    try:
        public = public_in(raw)
    except FileRefused:
        return None
    try:
        return game.fold.player_of(public)
    except FileRefused:
        return _replaced(game, public)


def player_with(
    game: Game, key: KeyPair | None, request: Request, *, passes_over: bool = False
) -> str | None:
    """The seat of a key, or None without one. Raises FileRefused (E-KEY) for a stranger's key, and
    with the file to go on from if the other player has named another one for its seat (W8), unless
    the command `passes_over` the entry that does.
    """
    try:
        return game.fold.player_of(key.public) if key else None
    except FileRefused as refused:
        if key is None or not is_taken(game.fold.machine, key.public):
            raise
        made = retired(game.fold.machine, key.public)
        if passes_over and made is not None and made.entry in trailing(game.fold.machine):
            raise
        raise _with_way_out(refused, game, key.public, request) from None


def key_words(request: Request) -> str:
    """How a suggested command names the key, and the old ones whose secrets go with it: not at all
    if the folder does.
    """
    path = request.key_file
    named = [] if path is None or settings.is_usual_key(path) else [("--key", path)]
    named += [("--secrets", each) for each in request.secrets]
    return "".join(f" {option} {quote(str(file))}" for option, file in named)


def told_key(path: StrPath | None, key: KeyPair | None) -> tuple[Said, ...]:
    """Reports which key signs if the folder names it: its settings may have come with a mail."""
    if key is None or path is None or not settings.is_usual_key(path):
        return ()
    told = say(
        "your key is {path}, as {settings} says: {fingerprint}",
        path=str(path), settings=SETTINGS_FILE, fingerprint=key_fingerprint(key.public),
    )  # fmt: skip
    return (told,)

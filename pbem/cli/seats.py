"""Whose key was given: the seat that it has in a game, and how to name it."""

from __future__ import annotations

import os

from pbem.cli import files, kinds, report, settings
from pbem.cli.files import StrPath
from pbem.cli.keyfiles import load_key, read_key
from pbem.cli.report import about
from pbem.cli.request import Request
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, key_fingerprint, public_in
from pbem.gamefile.rotation import no_seat, retired
from pbem.messages import Said, say
from pbem.play.game import Game
from pbem.value import replace


def own_key(game: Game, request: Request) -> tuple[KeyPair | None, str | None]:
    """The key to view a game with, and the seat of its owner; None without a key.

    The folder's key counts only if it has a seat. Raises Refused for a named key (--key) without
    one.
    """
    path = request.key_file
    if path is None or (settings.is_usual_key(path) and not _counts(game, path)):
        return None, None
    key = load_key(path, request)
    with about(path):
        return key, player_with(game, key)


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
        return public_in(read_key(path)) in game.fold.machine.keys.publics.values()
    except FileRefused:
        return True  # unknown before it is opened


def check_seat(game: Game, request: Request, path: StrPath) -> None:
    """Raises Refused (W8) if the other player has named another key for the seat of the folder's
    key, with the file to go on from: to its owner the game is not one that they only watch.
    """
    own = request.key_file
    if own is None or game.fold.is_solo or not os.path.lexists(own):
        return
    try:
        public = public_in(read_key(own))
    except FileRefused:
        return
    made = retired(game.fold.machine, public)
    if made is None or made.signed_by != "opponent" or public in (
        game.fold.machine.keys.publics.values()
    ):  # fmt: skip
        return
    from shlex import quote

    from pbem.cli import folder

    refused = no_seat(game.fold.machine, public)
    file = folder.goes_to(game.fold.entries[: made.entry])
    if file is not None:
        hint = say(
            "if you have lost nothing, go on from entry {entry}: {command}; if you asked for the "
            "new key, name it with --key",
            entry=made.entry - 1, command=f"pbem turn {quote(file)}{key_words(request)}",
        )  # fmt: skip
        refused.problems = tuple(replace(each, hint=hint) for each in refused.problems)
    with about(path):
        raise refused


def seat_of(game: Game, path: StrPath | None) -> str | None:
    """The seat of a key, which need not be opened for this; None without a seat.

    Raises Refused for a file that is no key.
    """
    if path is None or game.fold.is_solo:
        return None
    raw = kinds.read_as(kinds.KEY, path, files.KEY_LIMIT, say("the key file"))
    try:
        return game.fold.player_of(public_in(raw))
    except FileRefused:
        return None


def player_with(game: Game, key: KeyPair | None) -> str | None:
    """The seat of a key, or None without one. Raises FileRefused (E-KEY) for a stranger's key."""
    return game.fold.player_of(key.public) if key else None


def key_words(request: Request) -> str:
    """How a suggested command names the key: not at all if the folder does."""
    path = request.key_file
    if path is None or settings.is_usual_key(path):
        return ""
    from shlex import quote

    return f" --key {quote(str(path))}"


def told_key(path: StrPath | None, key: KeyPair | None) -> tuple[Said, ...]:
    """Reports which key signs if the folder names it: its settings may have come with a mail."""
    if key is None or path is None or not settings.is_usual_key(path):
        return ()
    told = say(
        "your key is {path}, as {settings} says: {fingerprint}",
        path=str(path), settings=settings.NAME, fingerprint=key_fingerprint(key.public),
    )  # fmt: skip
    return (told,)

"""pbem.toml: the settings of a folder's owner, and the few that a person has on this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pbem.cli import files
from pbem.gamedata import folders
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.messages import LANGUAGES
from pbem.value import value

if TYPE_CHECKING:
    from pbem.play.game import Game


@value
class Settings:
    """The settings of a folder; None for those its file omits."""

    name: str | None = None
    key: str | None = None
    mail: str | None = None
    lang: str | None = None
    dated: str | None = None
    """With `yes` the owner's entries say when they were written."""


@value
class OwnSettings:
    """What a person has on this machine; None for what their file omits."""

    send: str | None = None
    """The command that a mail is handed to."""
    keyring: str | None = None
    """With `yes` the passphrase of a key is asked of the system's keyring first."""


NOTHING = Settings()


def here() -> Settings:
    """The settings of the current folder. Raises Refused for a file with a fault.

    A key is named relative to the folder, so the name can be used directly.
    """
    if not os.path.lexists(SETTINGS_FILE):
        return NOTHING
    from pbem.cli.settings_file import read  # which a cold command has no use for

    return Settings(**read())


def own_file() -> str | None:
    """The file of the user's own settings; None without a home."""
    return folders.config(SETTINGS_FILE)


def own() -> OwnSettings:
    """The user's own settings. Raises Refused for a file with a fault."""
    path = own_file()
    if path is None or not os.path.lexists(path):
        return OwnSettings()
    from pbem.cli.settings_file import read_own

    return OwnSettings(**read_own(path))


def time_to_write(game: Game | None = None) -> str | None:
    """The present minute, for an entry of an owner who wants a time in it, or of a `game` with
    terms for silence, where days are counted from it; None for any other.
    """
    if here().dated != "yes" and (game is None or "silence" not in game.fold.proposal):
        return None
    return this_minute()


def this_minute() -> str:
    """The present minute of UTC, as entries state it."""
    from time import gmtime, strftime

    return strftime("%Y-%m-%dT%H:%MZ", gmtime())


_ASKED: list[str] = []
"""The language that the command was asked for."""


def speak(code: str | None) -> None:
    """Sets the language of all output; None means that of the folder."""
    _ASKED[:] = [code] if code else []


def lang() -> str:
    """The code of the reader's language: that of --lang, of PBEM_LANG, of the folder, or English.

    Raises Refused for a settings file with a fault.
    """
    named = os.environ.get("PBEM_LANG", "")
    return (*_ASKED, named if named in LANGUAGES else here().lang or "en")[0]


def is_usual_key(path: files.StrPath) -> bool:
    """Whether a key is that of the folder: it counts only in games in which it has a seat."""
    return here().key == os.fspath(path)

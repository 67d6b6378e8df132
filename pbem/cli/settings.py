"""pbem.toml: the settings of a folder's owner."""

from __future__ import annotations

import os

from pbem.cli import files
from pbem.value import value

NAME = "pbem.toml"
SETTINGS = ("name", "key", "mail", "lang")
LANGUAGES = ("en", "es")
"""Languages of the story, by their codes. English is that of the code; every other one has a
catalogue in pbem/translations.
"""


@value
class Settings:
    """The settings of a folder; None for those its file omits."""

    name: str | None = None
    key: str | None = None
    mail: str | None = None
    lang: str | None = None


NOTHING = Settings()


def here() -> Settings:
    """The settings of the current folder. Raises Refused for a file with a fault.

    A key is named relative to the folder, so the name can be used directly.
    """
    if not os.path.lexists(NAME):
        return NOTHING
    from pbem.cli.settings_file import read  # which a cold command has no use for

    return read()


def is_usual_key(path: files.StrPath) -> bool:
    """Whether a key is that of the folder: it counts only in games in which it has a seat."""
    return here().key == os.fspath(path)

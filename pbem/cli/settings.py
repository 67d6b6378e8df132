"""pbem.toml: what a folder knows of its owner, so that no command needs to be told again."""

from __future__ import annotations

import os

from pbem.cli import files
from pbem.value import value

NAME = "pbem.toml"
SETTINGS = ("name", "key", "mail", "lang")
LANGUAGES = ("en", "es")
"""Languages of the story, by their codes. English is that of the code; each other one has a
catalogue in pbem/translations."""


@value
class Settings:
    """The settings of a folder; what its file leaves out is None."""

    name: str | None = None
    key: str | None = None
    mail: str | None = None
    lang: str | None = None


NOTHING = Settings()


def here() -> Settings:
    """The settings of the folder that the command runs in. Raises Refused for a file with a fault.

    A key is named as seen from the folder, so that the name can be used as it is.
    """
    if not os.path.lexists(NAME):
        return NOTHING
    from pbem.cli.settings_file import read  # which a cold command has no use for

    return read()


def is_usual_key(path: files.StrPath) -> bool:
    """Whether a key is the one of the folder: it counts only in games in which it has a seat."""
    return here().key == os.fspath(path)

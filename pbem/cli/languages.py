"""The languages in which the program speaks.

Each is a gettext catalogue in pbem/translations, and one of each game beside its rules, laid out as
gettext looks for them. `make texts` finds new texts, puts them into es/LC_MESSAGES/<domain>.po,
where they are translated, and compiles that into <domain>.mo beside it, which is read.
"""

from __future__ import annotations

import os
from functools import cache

from pbem.cli import settings
from pbem.messages import ENGLISH, Language

TRANSLATIONS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "translations")
DOMAIN = "pbem"


@cache  # each line of a report asks for it, and a catalogue takes milliseconds to read
def language(code: str) -> Language:
    """The language of a code of LANGUAGES."""
    if code == "en":
        return ENGLISH
    from pbem.cli.catalogues import read_catalogues

    return read_catalogues(code, DOMAIN, TRANSLATIONS)


def language_here() -> Language:
    """The language of the reader: that of --lang, of PBEM_LANG, or of the folder.

    Raises Refused for a settings file with a fault.
    """
    return language(settings.lang())


def code_of_problems() -> str:
    """The code of the reader's language, or of English where the settings cannot tell it.

    Whatever goes wrong is told by this: it must not go wrong itself.
    """
    try:
        return settings.lang()
    except Exception:
        return "en"


def language_of_problems() -> Language:
    """The language of the reader, or English where the settings themselves have a fault."""
    return language(code_of_problems())

"""The languages in which the program speaks.

Each is a gettext catalogue in pbem/translations. `make texts` finds new texts, puts them into
es.po, where they are translated, and compiles it to es.mo, which is read.
"""

from __future__ import annotations

import os
from functools import cache

from pbem.cli import settings
from pbem.messages import ENGLISH, Language
from pbem.problems import Refused

TRANSLATIONS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "translations")


@cache  # each line of a report asks for it, and a catalogue takes milliseconds to read
def language(code: str) -> Language:
    """The language of a code of settings.LANGUAGES."""
    if code == "en":
        return ENGLISH
    from gettext import GNUTranslations

    with open(os.path.join(TRANSLATIONS, f"{code}.mo"), "rb") as compiled:
        return GNUTranslations(compiled)


def language_here() -> Language:
    """The language of the reader: that of --lang, of PBEM_LANG, or of the folder.

    Raises Refused for a settings file with a fault.
    """
    return language(settings.lang())


def language_of_problems() -> Language:
    """The language of the reader, or English where the settings themselves have a fault."""
    try:
        return language_here()
    except Refused:
        return ENGLISH
